"""Pictures: motions as filmstrips (rows of figures) and films, the controller graph, and plots of measurements."""

from ctrlgraph.ambient import ignore_settings_files

ignore_settings_files()  # before matplotlib is imported

__all__ = [
    "film_files", "fit_figure", "graph_drawing", "graph_figure", "graph_layout", "planar",
    "return_map_figure", "signal_figure", "style",
]  # fmt: skip
