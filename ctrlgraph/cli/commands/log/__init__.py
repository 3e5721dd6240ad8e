"""`ctrlgraph log`: the run log."""

__all__ = ["runs", "stats"]
