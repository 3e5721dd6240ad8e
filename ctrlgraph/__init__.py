"""ctrlgraph: scripted controllers for simulated characters, joined into one graph."""

from ctrlgraph.ambient import ignore_settings_files

__version__ = "0.1.0"

ignore_settings_files()
