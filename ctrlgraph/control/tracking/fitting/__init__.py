"""Fitting of tracking files to recorded walks: joint angles as functions of the phase variable theta."""

__all__ = ["body_motion", "fit", "fitted_tracking", "gait_plan", "geometry", "mean_step"]
