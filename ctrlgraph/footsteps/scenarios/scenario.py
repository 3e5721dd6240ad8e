"""The result of a scenario: measures, and panels of a drawing as data."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from ctrlgraph.character.spatial_model import SpatialCharacter
from ctrlgraph.footsteps.planner import FootstepPlanner

Points = NDArray[np.float64]

Role = Literal["pressure", "mass", "support", "base", "left", "right", "hull", "other"]
"""Role of an element of a drawing, from which its colour follows."""


@dataclass(frozen=True, slots=True)
class Curve:
    """A line through points, or points alone."""

    points: Points
    """Points (n, 2)."""
    role: Role
    label: str = ""
    """Text of the legend; none if empty."""
    line: Literal["-", "--", ""] = "-"
    """Solid, dashed, or no line: points alone."""


@dataclass(frozen=True, slots=True)
class Outline:
    """A filled polygon."""

    corners: Points
    """Corners (n, 2)."""
    role: Role
    label: str = ""
    filled: bool = True


@dataclass(frozen=True, slots=True)
class HeatMap:
    """Values of a grid of places."""

    values: Points
    """Values (rows, columns), the first row at the lowest y."""
    extent: tuple[float, float, float, float]
    """Smallest and largest x, smallest and largest y."""
    label: str
    """Quantity and unit."""


@dataclass(frozen=True, slots=True)
class ShownBody:
    """A body in space."""

    character: SpatialCharacter
    pose: Points
    """Position, m, and orientation of each link (L, 7)."""
    center: tuple[float, float, float]
    """Point on the ground in the middle of the picture, m."""


@dataclass(frozen=True, slots=True)
class Panel:
    """A plot of a drawing."""

    title: str
    x: str
    """Quantity and unit of the horizontal axis."""
    y: str
    """Quantity and unit of the vertical axis."""
    curves: tuple[Curve, ...] = ()
    outlines: tuple[Outline, ...] = ()
    heat: HeatMap | None = None
    body: ShownBody | None = None
    """Body that is drawn instead of axes."""
    is_map: bool = False
    """Whether both axes are lengths, which are drawn at the same scale."""


@dataclass(frozen=True, slots=True)
class ScenarioResult:
    """Result of a scenario."""

    panels: tuple[Panel, ...]
    measures: dict[str, float]
    """Measures by name; the unit is the end of the name."""


def walk(planner: FootstepPlanner, command: tuple[float, float, float], seconds: float) -> None:
    """Let a planner follow a command.

    Args:
        planner: Planner.
        command: Velocity forward and to the left, m/s, and turning velocity, rad/s.
        seconds: Duration, s.
    """
    for _ in range(round(seconds / planner.settings.tick_s)):
        planner.update(command)
