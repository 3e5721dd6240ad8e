"""Pictures: filmstrips, films, the graph, and figures of measurements."""

from ctrlgraph.ambient import ignore_settings_files

ignore_settings_files()  # before matplotlib is imported

__all__ = [
    "clip",
    "figure",
    "filmstrip",
    "fit_figure",
    "graph_figure",
    "key_poses",
    "push_figure",
    "return_map_figure",
    "signal_figure",
    "video",
]
