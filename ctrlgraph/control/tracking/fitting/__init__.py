"""Fitting of tracking files to recorded motions."""

__all__ = ["body_motion", "curves", "fit", "fitted_dynamics", "gait_plan", "geometry", "tracking_text"]
