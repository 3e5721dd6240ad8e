"""Commands of `ctrlgraph`, one module each; the commands of a group are in a package of its name."""
