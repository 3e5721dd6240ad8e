"""Checks of a script beyond its syntax. All errors and warnings are reported together."""

__all__ = ["binding", "calls", "checker", "flow", "names", "phases", "ranges", "report", "sides"]
