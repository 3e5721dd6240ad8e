"""Time-varying linear quadratic regulators along recorded motions (Abe and Popovic 2011)."""
