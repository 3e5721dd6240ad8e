"""Basins of attraction: sampled and learned."""

__all__ = ["basin", "classifier", "features"]
