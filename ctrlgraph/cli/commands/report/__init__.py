"""`ctrlgraph report`: write pages about logged runs and about motions."""

__all__ = ["motions", "run"]
