"""`ctrlgraph report`: pages about runs and motions."""
