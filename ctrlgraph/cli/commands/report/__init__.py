"""`ctrlgraph report`: pages about runs and motions."""

__all__ = ["motions", "run"]
