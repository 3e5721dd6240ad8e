"""`ctrlgraph gate`: checks of the graph."""
