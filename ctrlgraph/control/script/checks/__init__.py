"""What may be wrong with a script beyond its syntax, all of it at once."""

__all__ = ["binding", "calls", "checker", "flow", "names", "phases", "ranges", "report", "sides"]
