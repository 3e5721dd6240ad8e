"""Signals: angles, torques, forces and other quantities of a motion over time, for tables, plots and exports."""

__all__ = ["planar_signals", "recorded_signals", "signal_files", "signal_quantities", "spatial_signals"]
