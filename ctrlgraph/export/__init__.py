"""Export of motions to files for other programs: glTF, BVH, MuJoCo models, OpenSim, rerun and tables."""

from __future__ import annotations

from pathlib import Path

from ctrlgraph.character.model import Character
from ctrlgraph.character.planar_model import require_planar
from ctrlgraph.character.spatial_model import SpatialCharacter
from ctrlgraph.errors import CtrlGraphError
from ctrlgraph.export.bvh import bvh_of
from ctrlgraph.export.gltf import gltf_of
from ctrlgraph.export.ground_below import Ground
from ctrlgraph.export.mjcf_keyframes import mjcf_of
from ctrlgraph.export.opensim import mot_of, sto_of
from ctrlgraph.export.rerun_recording import write_rerun
from ctrlgraph.export.spatial_keyframes import spatial_mjcf_of
from ctrlgraph.extras import require
from ctrlgraph.files import replacing, write_text
from ctrlgraph.paths import display_path
from ctrlgraph.simulation.signals import signal_files
from ctrlgraph.simulation.signals.recorded_signals import Signals

GLB, GLTF, BVH, MJCF, MOT, STO, RERUN = ".glb", ".gltf", ".bvh", ".xml", ".mot", ".sto", ".rrd"
SUFFIXES = (GLB, GLTF, BVH, MJCF, MOT, STO, RERUN, *signal_files.SUFFIXES)
"""Suffixes of the files that `write_motion` can write."""

_EXTRAS = {RERUN: "rerun", ".parquet": "trace"}


def require_format(path: Path) -> None:
    """Check that a motion can be written in the format that the suffix of `path` selects.

    Raises:
        CtrlGraphError: The suffix is not in `SUFFIXES`, or a package that the format needs is not installed.
    """
    suffix = path.suffix.lower()
    if suffix not in SUFFIXES:
        raise CtrlGraphError(f"{display_path(path)} must end in one of {', '.join(SUFFIXES)}")
    if suffix in _EXTRAS:
        require(_EXTRAS[suffix])


def write_motion(signals: Signals, character: Character, path: Path, rate: float, ground: Ground = None) -> None:
    """Write a motion to a file, in the format that the suffix of the file selects.

    Args:
        signals: Recorded signals of the motion.
        character: The character that moves.
        path: The file to write.
        rate: Frames per simulated second in .bvh and .xml files. Files of other formats contain all samples instead.
        ground: The ground, for .glb, .gltf, .xml and .rrd files. Default: level ground at height 0.

    Raises:
        CtrlGraphError: The suffix is not in `SUFFIXES`, the motion is shorter than a frame (.bvh, .xml), no link
            touches the ground (.sto), a package that the format needs is not installed, or the file cannot be written.
    """
    require_format(path)
    suffix = path.suffix.lower()
    if suffix == GLB:
        with replacing(path) as temporary:
            temporary.write_bytes(gltf_of(signals, character, ground).binary())
    elif suffix == GLTF:
        write_text(path, gltf_of(signals, character, ground).text())
    elif suffix == BVH:
        write_text(path, bvh_of(signals, character, rate))
    elif suffix == MJCF:
        if isinstance(character, SpatialCharacter):
            write_text(path, spatial_mjcf_of(signals, character, rate, ground))
        else:
            write_text(path, mjcf_of(signals, require_planar(character, "a planar model"), rate, ground))
    elif suffix == MOT:
        write_text(path, mot_of(signals, character))
    elif suffix == STO:
        write_text(path, sto_of(signals, character))
    elif suffix == RERUN:
        with replacing(path) as temporary:
            write_rerun(signals, character, temporary, ground)
    else:
        signal_files.write_signals(signals, path)


__all__ = [
    "SUFFIXES", "bvh_of", "gltf_of", "mjcf_of", "mot_of", "require_format", "spatial_mjcf_of", "sto_of", "write_motion",
    "write_rerun",
]  # fmt: skip
