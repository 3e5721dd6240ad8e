"""Basins of attraction: sampled, learned and calibrated; suggested edges.

Import from the modules; this package imports none of them.
"""

__all__ = ["basin", "calibration", "domain", "features", "suggestion"]
