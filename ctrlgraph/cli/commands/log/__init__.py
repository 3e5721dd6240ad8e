"""`ctrlgraph log`: show the run log, which records every node that a walk has tried."""

__all__ = ["runs", "stats"]
