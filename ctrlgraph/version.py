"""The version of ctrlgraph: what the package's metadata, the log and `doctor` say."""

__version__ = "0.1.0"
