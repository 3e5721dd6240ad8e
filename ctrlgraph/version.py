"""The version of ctrlgraph, used in the package's metadata, in the log and by `doctor`."""

__version__ = "0.1.0"
