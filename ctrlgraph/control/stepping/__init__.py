"""Stepping over gaps: planned sequences of tracked steps (Abe and Popovic 2011)."""
