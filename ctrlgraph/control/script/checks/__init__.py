"""Checks of a script beyond its syntax. All findings are reported together."""

__all__ = ["binding", "calls", "checker", "flow", "names", "phases", "ranges", "report", "sides"]
