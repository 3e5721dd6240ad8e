"""Time-varying linear quadratic regulators along recorded motions (Abe and Popovic 2011)."""

__all__ = ["regulator", "regulator_file", "regulator_kind", "regulator_recording", "riccati", "stance"]
