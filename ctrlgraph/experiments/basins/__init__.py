"""Basins of attraction: sampled, learned and calibrated; edges suggested from them."""
