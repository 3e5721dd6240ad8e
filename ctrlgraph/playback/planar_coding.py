"""Encoding of planar motions for a browser: outlines of the links, the ground as a polyline, and rotations."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ctrlgraph.character.planar_model import PlanarCharacter
from ctrlgraph.pictures.planar.figure import Figure
from ctrlgraph.playback.coding import Coding, quantity
from ctrlgraph.playback.message import Packed, quantised
from ctrlgraph.simulation.signals.planar_signals import PLANAR_QUANTITIES
from ctrlgraph.simulation.signals.recorded_signals import Signals
from ctrlgraph.terrain.terrain import Terrain

ROTATION_SCALE = 1e-5
"""Resolution of a link's rotation, rad. Rotations are 32-bit integers because they include whole turns."""

_DIGITS = 4
"""Number of decimal places of the links' outlines, which are in m."""


class PlanarCoding(Coding):
    """Encoder of the motions of a planar character."""

    AXES, QUANTITIES = "xy", PLANAR_QUANTITIES

    def __init__(self, character: PlanarCharacter) -> None:
        super().__init__(character)
        self._character = character

    def body(self) -> tuple[dict[str, Any], list[Packed]]:
        """Return the body as JSON data with these keys, without arrays.

        - `name`: name of the character
        - `dimensions`: 2
        - `links`: list of links, each with `name`, `mass` (kg), `at` (x and y of the centre of mass in the reference
          pose, m) and `outline` (corners x and y in the frame of the link, m)
        - `limbs`: list of limbs in drawing order, far side first, each with `links` (indices) and `side` (-1 far, 0
          trunk, 1 near)
        - `joints`: list of joints, each with `name`, `parent` and `child` (indices of links) and `at` (x and y in the
          reference pose, m)
        - `root`: index of the root link
        - `feet`: indices of the links that are feet
        """
        character = self._character
        figure = Figure.of(character)
        outlines = [outline.round(_DIGITS).tolist() for outline in figure.outlines]
        data = {
            "name": character.name,
            "dimensions": 2,
            "root": character.root,
            "feet": list(character.roles.feet),
            "links": [
                {"name": link.name, "mass": link.mass, "at": [link.x, link.y], "outline": outline}
                for link, outline in zip(character.links, outlines, strict=True)
            ],
            "limbs": [
                {"links": list(limb), "side": side} for limb, side in zip(figure.limbs, figure.sides, strict=True)
            ],
            "joints": [
                {"name": joint.name, "parent": joint.parent, "child": joint.child, "at": [joint.x, joint.y]}
                for joint in character.joints
            ],
        }
        return data, []

    def ground(self, terrain: Terrain | None) -> tuple[dict[str, Any] | None, list[Packed]]:
        """Return a terrain as JSON data, without arrays; None for level ground.

        The keys are `x` and `y` (lists of the coordinates of the surface's corners, m), `friction` (coefficient), and
        `obstacles` (list of obstacles, each with `kind`, and `start`, `end` and `size` in m). Beyond the first and last
        corner, the surface continues with the slope of its first and last segment.
        """
        if terrain is None:
            return None, []
        data = {
            "x": terrain.x.tolist(),
            "y": terrain.y.tolist(),
            "friction": terrain.friction,
            "obstacles": [
                {"kind": str(each.kind), "start": each.start, "end": each.end, "size": each.size}
                for each in terrain.obstacles
            ],
        }
        return data, []

    def _rotations(self, signals: Signals) -> Iterator[Packed]:
        yield quantised("rotation", quantity(signals, "rotation", self._links), ROTATION_SCALE, "int32")
