"""Observations that a Gymnasium environment gives to an agent: vectors of named, bounded numbers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from gymnasium.spaces import Box
from numpy.typing import NDArray

from ctrlgraph.kernels.observation import write_observation
from ctrlgraph.robustness.basins.features import feature_names, feature_writer
from ctrlgraph.terrain.obstacles import ObstacleKind
from ctrlgraph.terrain.terrain import SIGHT, TerrainPreview

if TYPE_CHECKING:
    from ctrlgraph.character.model import Character
    from ctrlgraph.simulation.simulation import Simulation

Observation = NDArray[np.float32]

GROUND = ("slope", "rise", *(f"{kind} ahead" for kind in ObstacleKind), "distance", "size")
"""Names of the elements that describe the ground: slope at the character (degrees), height of the ground ahead above
the line of this slope (m), 1 for the kind of the next obstacle and 0 for other kinds, distance of this obstacle (m;
`SIGHT` if none is in sight), and its size (width of a gap, else height, m)."""

QUANTITIES: dict[str, tuple[float, float, float, float]] = {
    "at": (0.0, 1.0, 0.0, 1.0),
    "angle": (-100.0, 100.0, 0.0, 1.0),
    "velocity": (-1000.0, 1000.0, 0.0, 10.0),
    "root cosine": (-1.0, 1.0, 0.0, 1.0),
    "root sine": (-1.0, 1.0, 0.0, 1.0),
    "root spin": (-1000.0, 1000.0, 0.0, 10.0),
    "up": (-1.0, 1.0, 0.0, 1.0),
    "spin": (-1000.0, 1000.0, 0.0, 10.0),
    "com vx": (-100.0, 100.0, 0.0, 2.0),
    "com vy": (-100.0, 100.0, 0.0, 2.0),
    "com vz": (-100.0, 100.0, 0.0, 2.0),
    "com height": (-100.0, 100.0, 1.0, 1.0),
    "com ahead of contacts": (-10.0, 10.0, 0.0, 0.5),
    "com left of contacts": (-10.0, 10.0, 0.0, 0.5),
    "contact": (0.0, 1.0, 0.0, 1.0),
    "target": (-100.0, 100.0, 0.0, 1.0),
    "slope": (-90.0, 90.0, 0.0, 30.0),
    "rise": (0.0, 10.0, 0.0, 0.5),
    **{f"{kind} ahead": (0.0, 1.0, 0.0, 1.0) for kind in ObstacleKind},
    "distance": (0.0, SIGHT, 0.0, SIGHT),
    "size": (0.0, 10.0, 0.0, 1.0),
}
"""Low bound, high bound, centre and unit of each quantity, by its name or the first word of its name.

A plain observation is clipped to the bounds. A scaled observation is (quantity - centre) / unit. Angles and targets are
scaled by the limits of their joint instead, so that the limits become -1 and 1 as in actions."""

MOST_SCALED = 10.0
"""Magnitude to which scaled numbers are clipped. They are usually between -1 and 1."""


class Observer:
    """Builder of observations, which are vectors of numbers for an agent.

    The elements are those of `before`, the state of the body (as in `ctrlgraph.robustness.basins.features`), the ground
    (as in `GROUND`), and those of `after`.

    Args:
        character: the observed character.
        before: names of the first elements. The caller writes their values to the array `self.before`.
        after: names of the last elements. The caller writes their values to the array `self.after`.
        scaled: whether observations are scaled to about -1 to 1 (`QUANTITIES`).

    Attributes:
        names: names of all elements, in order.
        space: observation space with the bounds of all elements.
    """

    def __init__(
        self, character: Character, *, before: Sequence[str] = (), after: Sequence[str] = (), scaled: bool = False
    ) -> None:
        body = feature_names(character)
        self.names = (*before, *body, *GROUND, *after)
        self._write = feature_writer(character)
        self._numbers = np.zeros(len(self.names))
        ends = np.cumsum([len(before), len(body), len(GROUND)])
        self.before, self._body, self._ground, self.after = np.split(self._numbers, ends)
        self._preview: TerrainPreview | None = None
        if scaled:
            self._centre, self._unit = np.array([_scale(character, name) for name in self.names]).T.copy()
            self._bounds = np.full((2, len(self.names)), [[-MOST_SCALED], [MOST_SCALED]], np.float32)
        else:
            self._centre, self._unit = np.zeros(len(self.names)), np.ones(len(self.names))
            self._bounds = np.array([_quantity(name)[:2] for name in self.names], np.float32).T.copy()
        self.space = Box(self._bounds[0], self._bounds[1], dtype=np.float32)

    def observe(self, simulation: Simulation) -> Observation:
        """Return an observation of a simulation's current state, clipped to `space`. NaN elements become 0."""
        self._write(simulation.kinematics, simulation.terrain, self._body)
        preview = simulation.preview
        if preview is not self._preview:  # on straight ground the preview never changes
            self._preview, self._ground[:] = preview, _ground_numbers(preview)
        observation = np.empty(len(self.names), np.float32)
        write_observation(self._numbers, self._centre, self._unit, self._bounds, observation)
        return observation


def _ground_numbers(preview: TerrainPreview) -> list[float]:
    ahead = preview.ahead
    kinds = [0.0 if ahead is None else float(ahead.kind is kind) for kind in ObstacleKind]
    near = (SIGHT, 0.0) if ahead is None else (ahead.distance, ahead.size)
    return [preview.slope, preview.obstacle, *kinds, *near]


def _quantity(name: str) -> tuple[float, float, float, float]:
    return QUANTITIES.get(name) or QUANTITIES[name.partition(" ")[0]]


def _scale(character: Character, name: str) -> tuple[float, float]:
    """Return the centre and the unit of an element: a scaled observation has (value - centre) / unit.

    Args:
        character: the observed character.
        name: name of the element, such as "angle rKnee".
    """
    word, _, of = name.partition(" ")
    if word not in ("angle", "target"):
        return _quantity(name)[2:]
    joint = character.joints[character.joint_names.index(of)]
    return (joint.lower + joint.upper) / 2, (joint.upper - joint.lower) / 2
