"""Motions as glTF 2.0 files, for Blender, game engines and viewers: bodies, ground, and an animation.

Axes: X to the left, Y up, Z forward. Units: metres and seconds. Each link is a node with the link's name. Its origin is
the link's centre of mass, and the animation contains its position and rotation at each sample, as recorded.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ctrlgraph.character.model import Character
from ctrlgraph.character.planar_model import require_planar
from ctrlgraph.character.spatial_model import Color, SpatialCharacter
from ctrlgraph.export.gltf_file import GltfFile
from ctrlgraph.export.ground_below import Ground, ground_solid
from ctrlgraph.export.link_poses import link_poses
from ctrlgraph.export.planar_solids import planar_solids
from ctrlgraph.kernels.arrays import Floats
from ctrlgraph.pictures.spatial.spatial_figure import drawn_solids
from ctrlgraph.pictures.spatial.spatial_solids import IntArray, Solid
from ctrlgraph.simulation.signals.recorded_signals import Signals

GROUND_COLOR: Color = (0.72, 0.70, 0.65, 1.0)
_AXES = [1, 2, 0]  # left, up and forward among x, y and z of the world
_ROUGHNESS = 0.8


def gltf_of(signals: Signals, character: Character, ground: Ground = None) -> GltfFile:
    """Return a motion as a glTF file, with one key for each sample.

    Args:
        signals: Recorded signals of the motion.
        character: The character that moves.
        ground: The ground. Default: level ground at height 0.
    """
    if isinstance(character, SpatialCharacter):
        solids = drawn_solids(character)
    else:
        solids = planar_solids(require_planar(character, "a planar mesh"))
    poses = link_poses(signals, character)
    time, kept = _times(signals)
    position, turn = poses.position[kept][:, :, _AXES], poses.orientation[kept][:, :, [2, 3, 1, 0]]  # x, y, z, w
    file, meshes = GltfFile(), _Meshes()
    nodes: list[dict[str, Any]] = [{"name": character.name, "children": list(range(1, len(solids) + 1))}]
    for i, (link, parts) in enumerate(zip(character.links, solids, strict=True)):
        pose = {"translation": position[0, i].tolist(), "rotation": turn[0, i].tolist()}
        nodes.append({"name": link.name, **pose} | meshes.add(file, link.name, parts))
    surface = ground_solid(poses.position, ground)
    nodes.append({"name": "ground"} | meshes.add(file, "ground", [(surface, GROUND_COLOR)]))
    file.document |= {
        "scene": 0,
        "scenes": [{"nodes": [0, len(nodes) - 1]}],
        "nodes": nodes,
        "meshes": meshes.meshes,
        "materials": meshes.materials,
        "animations": [_animation(file, str(signals.columns["node"][0]), time, position, turn)],
    }
    return file


def _times(signals: Signals) -> tuple[Floats, IntArray]:
    """Return the times of the keys (k,), s, from 0 on, and the indices of their samples (k,).

    Times have single precision in the file, and must rise there.
    """
    time = (signals.columns["time"] - signals.columns["time"][0]).astype(np.float32)
    _, kept = np.unique(time, return_index=True)
    return time[kept], kept.astype(np.int64)


def _animation(file: GltfFile, name: str, time: Floats, position: Floats, turn: Floats) -> dict[str, Any]:
    """Return the animation of the links, whose nodes follow node 0.

    Args:
        file: The file, to which the values are added.
        name: Name of the animation.
        time: Times of the n keys (n,), s.
        position: Positions of the links (n, L, 3) in the axes of the file, m.
        turn: Orientations of the links (n, L, 4), quaternions (x, y, z, w) in the axes of the file.
    """
    clock = file.samples(time, "SCALAR")
    channels: list[dict[str, Any]] = []
    samplers: list[dict[str, Any]] = []
    for i in range(position.shape[1]):
        outputs = {"translation": file.samples(position[:, i], "VEC3"), "rotation": file.samples(turn[:, i], "VEC4")}
        for path, output in outputs.items():
            channels.append({"sampler": len(samplers), "target": {"node": i + 1, "path": path}})
            samplers.append({"input": clock, "output": output, "interpolation": "LINEAR"})
    return {"name": name, "channels": channels, "samplers": samplers}


class _Meshes:
    """Meshes and materials of a file."""

    def __init__(self) -> None:
        self.meshes: list[dict[str, Any]] = []
        self.materials: list[dict[str, Any]] = []
        self._numbers: dict[Color, int] = {}

    def add(self, file: GltfFile, name: str, parts: list[tuple[Solid, Color]]) -> dict[str, int]:
        """Add surfaces as a mesh, and return the property of a node that refers to it; none without triangles.

        Args:
            file: The file, to which the arrays are added.
            name: Name of the mesh.
            parts: Surfaces and their colors.
        """
        primitives = []
        for solid, color in parts:
            if not len(solid.corner):
                continue
            rows = np.column_stack([solid.point[:, _AXES], solid.normal[:, _AXES]]).astype(np.float32)
            used = np.unique(solid.corner)
            kept, place = np.unique(rows[used], axis=0, return_inverse=True)
            corner = place.reshape(-1)[np.searchsorted(used, solid.outward.corner)]
            corner = corner[(corner != np.roll(corner, 1, axis=1)).all(axis=1)]  # without empty triangles, as at poles
            attributes = {"POSITION": file.vertices(kept[:, :3], bounds=True), "NORMAL": file.vertices(kept[:, 3:])}
            primitives.append(
                {"attributes": attributes, "indices": file.indices(corner), "material": self._material(color)}
            )
        if not primitives:
            return {}
        self.meshes.append({"name": name, "primitives": primitives})
        return {"mesh": len(self.meshes) - 1}

    def _material(self, color: Color) -> int:
        """Return the index of the material with a color."""
        if color not in self._numbers:
            self._numbers[color] = len(self.materials)
            surface = {"baseColorFactor": _linear(color), "metallicFactor": 0.0, "roughnessFactor": _ROUGHNESS}
            look = {"pbrMetallicRoughness": surface, "doubleSided": True}
            self.materials.append(look | ({"alphaMode": "BLEND"} if color[3] < 1.0 else {}))
        return self._numbers[color]


def _linear(color: Color) -> list[float]:
    """Return a color with linear components, as the format has it; pictures and files of characters use sRGB."""
    srgb = np.clip(color[:3], 0.0, 1.0)
    linear = np.where(srgb <= 0.04045, srgb / 12.92, ((srgb + 0.055) / 1.055) ** 2.4)
    return [*linear.round(6).tolist(), float(np.clip(color[3], 0.0, 1.0))]
