"""Pictures: motions as filmstrips (rows of figures) and films, the controller graph, and plots of measurements."""

from ctrlgraph.ambient import ignore_settings_files

ignore_settings_files()  # before matplotlib is imported

__all__ = [
    "camera_path", "film", "film_files", "filmstrip_layout", "fit_figure", "frame_texts", "graph_drawing",
    "graph_figure", "graph_layout", "key_poses", "planar", "return_map_figure", "signal_figure", "spatial", "style",
]  # fmt: skip
