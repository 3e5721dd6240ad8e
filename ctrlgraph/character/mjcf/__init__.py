"""Import and export of MuJoCo XML (MJCF): characters are read from planar models and written as models."""

from ctrlgraph.character.mjcf.reader import check_mjcf as check_mjcf
from ctrlgraph.character.mjcf.reader import load_mjcf as load_mjcf
from ctrlgraph.character.mjcf.reader import parse_mjcf as parse_mjcf
from ctrlgraph.character.mjcf.spatial_writer import save_spatial_mjcf as save_spatial_mjcf
from ctrlgraph.character.mjcf.spatial_writer import write_spatial_mjcf as write_spatial_mjcf
from ctrlgraph.character.mjcf.writer import body_element as body_element
from ctrlgraph.character.mjcf.writer import save_mjcf as save_mjcf
from ctrlgraph.character.mjcf.writer import write_mjcf as write_mjcf
from ctrlgraph.character.mjcf.writer import write_sidecar as write_sidecar

__all__ = [
    "body_element", "check_mjcf", "load_mjcf", "parse_mjcf", "save_mjcf", "save_spatial_mjcf", "write_mjcf",
    "write_sidecar", "write_spatial_mjcf",
]  # fmt: skip
