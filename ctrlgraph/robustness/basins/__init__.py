"""Basins of attraction: the initial states from which a node succeeds, sampled by trials and learned from them."""

__all__ = ["basin", "classifier", "features"]
