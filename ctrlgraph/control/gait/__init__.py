"""Gaits of spatial characters with legs: footholds, swing paths, and forces of the feet that move and balance."""
