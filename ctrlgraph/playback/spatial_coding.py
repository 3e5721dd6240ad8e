"""Encoding of spatial motions for a browser: surfaces of the links, the ground with its relief, and orientations."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from ctrlgraph.character.spatial.spatial_frames import continuous
from ctrlgraph.character.spatial_model import SpatialCharacter
from ctrlgraph.pictures.spatial.spatial_figure import SpatialFigure, side_color
from ctrlgraph.pictures.style import FAR, NEAR, TRUNK
from ctrlgraph.playback.coding import PLACE_SCALE, Coding, quantity
from ctrlgraph.playback.message import MISSING, Packed, quantised
from ctrlgraph.simulation.signals.recorded_signals import Signals
from ctrlgraph.simulation.signals.spatial_signals import SPATIAL_QUANTITIES
from ctrlgraph.terrain.spatial import SpatialTerrain
from ctrlgraph.terrain.spatial.height_field import CELL
from ctrlgraph.terrain.spatial.spatial_terrain import in_space
from ctrlgraph.terrain.terrain import Terrain

QUATERNION_SCALE = 1.0 / -(MISSING["int16"] + 1)
"""Resolution of the components of an orientation, a unit quaternion."""
NORMAL_SCALE = 1.0 / 127.0
"""Resolution of the components of the normals of surfaces."""

_SIDES = {FAR: -1, TRUNK: 0, NEAR: 1}


class SpatialCoding(Coding):
    """Encoder of the motions of a spatial character."""

    AXES, QUANTITIES = "xyz", SPATIAL_QUANTITIES

    def __init__(self, character: SpatialCharacter) -> None:
        super().__init__(character)
        self._character = character

    def body(self) -> tuple[dict[str, Any], list[Packed]]:
        """Return the body as JSON data with the keys below, and the surfaces of the links as arrays.

        - `name`: name of the character
        - `dimensions`: 3
        - `size`: largest distance of two points along x, y or z in the reference pose, m
        - `links`: list of links, each with `name`, `mass` (kg), and `position` (m) and `orientation` in the reference
          pose from those of the parent link, of the root in the world
        - `limbs`: left limbs, trunk and right limbs, each with `links` (indices) and `side` (-1, 0, 1)
        - `joints`: list of joints, each with `name`, `parent` and `child` (indices of links), and `axis` and `anchor`
          (m) in the frame of the child
        - `root`: index of the root link
        - `feet`: indices of the links that are feet

        The array `body.point` (3, N) are points of the surfaces in the frames of the links, m, `body.normal` (3, N)
        their unit normals, `body.corner` (3 M,) the indices of the points of M triangles, anticlockwise when seen from
        outside, and `body.count` (2, L) the number of points and of triangles of each link.
        """
        character, figure = self._character, SpatialFigure.of(self._character)
        sides = [_SIDES[side_color(character, i)] for i in range(len(character.links))]
        data = {
            "name": character.name,
            "dimensions": 3,
            "size": figure.size,
            "root": character.root,
            "feet": list(character.roles.feet),
            "links": [
                {
                    "name": link.name,
                    "mass": link.mass,
                    "position": list(link.position),
                    "orientation": list(link.orientation),
                }
                for link in character.links
            ],
            "limbs": [
                {"links": [i for i, own in enumerate(sides) if own == side], "side": side}
                for side in sorted(_SIDES.values())
            ],
            "joints": [
                {
                    "name": joint.name,
                    "parent": joint.parent,
                    "child": joint.child,
                    "axis": list(joint.axis),
                    "anchor": list(joint.anchor),
                }
                for joint in character.joints
            ],
        }
        n, solid = len(character.links), figure.solid.outward
        counts = [np.bincount(figure.link, minlength=n), np.bincount(figure.part, minlength=n)]
        return data, [
            quantised("body.point", solid.point.T, PLACE_SCALE),
            quantised("body.normal", solid.normal.T, NORMAL_SCALE),
            Packed("body.corner", solid.corner.ravel().astype(np.uint32), delta=True),
            Packed("body.count", np.array(counts, np.uint32)),
        ]

    def ground(self, terrain: Terrain | SpatialTerrain | None) -> tuple[dict[str, Any] | None, list[Packed]]:
        """Return a terrain as JSON data with the keys below, and its height field as an array; None for level ground.

        - `x` and `y`: coordinates x and z of the corners of the profile, m
        - `level`: `x` and `y` of the profile without gaps and hurdles, m
        - `rise`: rise per distance along y
        - `blocks`: for each block x and y of its centre, half its length and width, cosine and sine of its yaw, and the
          height of its top, m
        - `cell`: distance of the points of the height field, m
        - `friction`: coefficient of friction

        The array `ground.grid` (m, n) contains the heights that a height field adds at the points (i `cell`, j `cell`),
        m. They repeat along x and y. Without a height field, there is no such array.
        """
        if terrain is None:
            return None, []
        ground = in_space(terrain)
        profile = ground.profile
        bridged = profile.bridged
        data = {
            "x": profile.x.tolist(),
            "y": profile.y.tolist(),
            "level": {"x": bridged.x.tolist(), "y": bridged.y.tolist()},
            "rise": ground.gradient[1],
            "blocks": ground.tops.tolist(),
            "cell": CELL,
            "friction": ground.friction,
        }
        relief = [quantised("ground.grid", ground.grid, PLACE_SCALE)] if ground.grid.size else []
        return data, relief

    def _rotations(self, signals: Signals) -> Iterator[Packed]:
        names = ("qw", "qx", "qy", "qz")
        turns = continuous(np.stack([quantity(signals, name, self._links).T for name in names], axis=2))
        for k, name in enumerate(names):
            yield quantised(name, turns[:, :, k].T, QUATERNION_SCALE)
