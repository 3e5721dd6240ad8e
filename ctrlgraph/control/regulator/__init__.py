"""Regulators: time-varying linear quadratic regulation (LQR) along a recorded motion (Abe and Popovic 2011)."""

__all__ = ["regulator", "regulator_file", "regulator_kind", "regulator_recording", "riccati", "stance"]
