"""Pictures: filmstrips, films, the graph, and figures of measurements."""

from ctrlgraph.ambient import ignore_settings_files

ignore_settings_files()  # before matplotlib is imported

__all__ = [
    "clip",
    "figure",
    "film_files",
    "filmstrip",
    "filmstrip_layout",
    "fit_figure",
    "graph_drawing",
    "graph_figure",
    "graph_layout",
    "key_poses",
    "lettering",
    "return_map_figure",
    "signal_figure",
    "video",
]
