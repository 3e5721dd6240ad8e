"""Pictures: filmstrips, films, the graph, and figures of measurements."""

from ctrlgraph.ambient import ignore_settings_files

ignore_settings_files()  # before matplotlib is imported
