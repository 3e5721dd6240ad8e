"""Regulators: controllers that follow a recorded motion by time, with feedback of all joints (time-varying LQR)."""

__all__ = ["regulator", "regulator_file", "regulator_kind", "regulator_recording", "riccati", "stance"]
