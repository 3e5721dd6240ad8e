"""Pictures: filmstrips, films, the graph."""

from ctrlgraph.ambient import ignore_settings_files

ignore_settings_files()  # before matplotlib is imported, wherever the process may be by now
