"""`ctrlgraph report`: write pages about logged runs, and about the motions of a graph."""

__all__ = ["motions", "run"]
