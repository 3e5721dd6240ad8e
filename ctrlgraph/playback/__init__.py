"""Playback of motions in a browser: binary messages with motions, JavaScript modules that play them, and HTML pages."""

from ctrlgraph.ambient import ignore_settings_files

ignore_settings_files()  # before matplotlib is imported

from ctrlgraph.playback.encoder import PlaybackEncoder  # noqa: E402
from ctrlgraph.playback.graph_data import graph_of  # noqa: E402
from ctrlgraph.playback.message import read_message  # noqa: E402

__all__ = ["PlaybackEncoder", "graph_of", "read_message"]
