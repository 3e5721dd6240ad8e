"""ctrlgraph: scripted controllers for simulated characters, joined into one graph."""

__version__ = "0.1.0"
