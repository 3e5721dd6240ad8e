"""What an agent is told: numbers that have a name and bounds."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from gymnasium.spaces import Box
from numpy.typing import NDArray

from ctrlgraph.experiments.basins.features import feature_names, features
from ctrlgraph.terrain.obstacles import ObstacleKind
from ctrlgraph.terrain.profile import SIGHT, TerrainPreview

if TYPE_CHECKING:
    from ctrlgraph.character.model import Character
    from ctrlgraph.simulation.simulation import Simulation

Observation = NDArray[np.float32]

GROUND = ("slope", "rise", *(f"{kind} ahead" for kind in ObstacleKind), "distance", "size")
"""Of the ground: its slope here (degrees), how high it rises within a stride (m), which obstacle is next, how far it is
(m; `SIGHT` where none is in sight) and its height or width (m)."""

BOUNDS: dict[str, tuple[float, float]] = {
    "at": (0.0, 1.0),
    "angle": (-100.0, 100.0),
    "velocity": (-1000.0, 1000.0),
    "root cosine": (-1.0, 1.0),
    "root sine": (-1.0, 1.0),
    "root spin": (-1000.0, 1000.0),
    "com vx": (-100.0, 100.0),
    "com vy": (-100.0, 100.0),
    "com height": (-100.0, 100.0),
    "com ahead of contacts": (-10.0, 10.0),
    "contact": (0.0, 1.0),
    "target": (-100.0, 100.0),
    "slope": (-90.0, 90.0),
    "rise": (0.0, 10.0),
    **{f"{kind} ahead": (0.0, 1.0) for kind in ObstacleKind},
    "distance": (0.0, SIGHT),
    "size": (0.0, 10.0),
}
"""Of a quantity, or of the first word of its name. What is beyond is told as the bound."""


def state_names(character: Character) -> tuple[str, ...]:
    """Return what the numbers of `state_of` are: the body's features, then `GROUND`."""
    return (*feature_names(character), *GROUND)


def state_of(simulation: Simulation) -> list[float]:
    """Return the body's state, which does not depend on where in the world it is, and the ground ahead."""
    kinematics = simulation.snapshot().kinematics
    body = features(kinematics, simulation.character, simulation.terrain)
    return [*body.tolist(), *_ground(simulation.preview)]


def _ground(preview: TerrainPreview) -> list[float]:
    ahead = preview.ahead
    kinds = [0.0 if ahead is None else float(ahead.kind is kind) for kind in ObstacleKind]
    near = (SIGHT, 0.0) if ahead is None else (ahead.distance, ahead.size)
    return [preview.slope, preview.obstacle, *kinds, *near]


def space_of(names: Sequence[str]) -> Box:
    """Return the space of observations whose numbers have these names."""
    bounds = np.array([BOUNDS.get(name) or BOUNDS[name.partition(" ")[0]] for name in names], np.float32)
    return Box(bounds[:, 0], bounds[:, 1], dtype=np.float32)


def within(space: Box, numbers: Sequence[float]) -> Observation:
    """Return an observation of the space; what is no number (a motion that has diverged) is 0."""
    told = np.nan_to_num(np.array(numbers, np.float64), nan=0.0, posinf=1e9, neginf=-1e9)
    return np.clip(told, space.low, space.high).astype(np.float32)
