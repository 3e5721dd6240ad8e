"""`ctrlgraph gate`: checks of the graph."""

__all__ = ["check", "confusion"]
