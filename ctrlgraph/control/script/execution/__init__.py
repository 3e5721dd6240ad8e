"""Execution of a compiled script: its state, and the kernels of one control tick."""

__all__ = ["interpreter", "primitives", "quantities", "state", "transitions"]
