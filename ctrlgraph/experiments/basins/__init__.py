"""Basins of attraction: sampled and learned.

Import from the modules; this package imports none of them.
"""

__all__ = ["basin", "classifier", "features"]
