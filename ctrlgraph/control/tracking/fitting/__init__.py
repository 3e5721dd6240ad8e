"""Fitting of tracking files to recorded walks."""

__all__ = ["body_motion", "fit", "fitted_tracking", "gait_plan", "geometry", "mean_step"]
