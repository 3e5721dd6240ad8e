"""`ctrlgraph record`: recordings of motions as controllers."""
