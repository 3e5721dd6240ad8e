"""`ctrlgraph log`: the run log."""
