"""MuJoCo XML (MJCF) in and out: planar models read as characters, characters written as models."""

from ctrlgraph.character.mjcf.reader import check_mjcf as check_mjcf
from ctrlgraph.character.mjcf.reader import load_mjcf as load_mjcf
from ctrlgraph.character.mjcf.reader import parse_mjcf as parse_mjcf
from ctrlgraph.character.mjcf.sidecar import SUFFIX as SUFFIX
from ctrlgraph.character.mjcf.sidecar import sidecar_path as sidecar_path

__all__ = ["SUFFIX", "check_mjcf", "load_mjcf", "parse_mjcf", "sidecar_path"]
