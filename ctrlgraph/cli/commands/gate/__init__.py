"""`ctrlgraph gate`: checks of the reliability of a graph, and of the success conditions of its nodes."""

__all__ = ["check", "confusion"]
