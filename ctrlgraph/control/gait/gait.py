"""Gaits as controllers: when each leg swings, how fast the character moves, and the gains of the feedback."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import ClassVar

from ctrlgraph.control.controller_file import checked_constants
from ctrlgraph.control.gait.gait_plan import GaitPlannerData, PlanMode, gait_plan, planned_robot
from ctrlgraph.control.gait.gait_values import MAX_SWING, PUBLISHED_NONE, RANGES, TRAJECTORY, GaitValues, Published
from ctrlgraph.control.gait.legged_body import LeggedBody
from ctrlgraph.control.parameters import Parameter
from ctrlgraph.errors import Span
from ctrlgraph.footsteps.robots import LeggedRobot
from ctrlgraph.kernels.arrays import Floats
from ctrlgraph.kernels.footsteps.footstep_arrays import PlanState

_QUANTITIES = {
    "period": "time",
    "height": "length",
    "step_height": "length",
    "width": "length",
    "forward": "speed",
    "sideways": "speed",
    "turn": "rate",
}


@dataclass(frozen=True)
class Gait:
    """A controller that moves a spatial character with N legs by steps."""

    kind: ClassVar[str] = "gait"

    name: str
    """Name of the controller: the name of the gait file without suffix."""
    path: str
    """Path of the gait file."""
    legs: tuple[str, ...]
    """(N,) names of the legs."""
    body: LeggedBody = field(repr=False, compare=False)
    """Body of the character in its start pose."""
    constants: Floats
    """(30 + 2 N + 4 K,) the `GaitValues`; the start of each leg's swing, then its duration, fractions of the period;
    offset, rad, amplitude, rad, phase and turn, s, of each of the K trajectories.
    """
    published: Published = PUBLISHED_NONE
    """The laws of the published controller that replace those of ctrlgraph."""
    plan: PlanMode = ""
    """Whether footsteps are planned, and from which state."""
    moving: Mapping[str, int] = field(default_factory=dict)
    """Names and indices of the K joints with a trajectory."""
    spans: tuple[Span | None, ...] = ()
    """Position of each constant in the file, or None for a default."""

    @property
    def values(self) -> GaitValues:
        """Return the numbers of the gait except the times of the legs."""
        return GaitValues(*self.constants[: len(GaitValues._fields)].tolist())

    @property
    def robot(self) -> LeggedRobot:
        """Return the robot for which footsteps are planned."""
        return planned_robot(self.name, self.body, self.values, self.swings)

    @property
    def planner(self) -> tuple[GaitPlannerData, PlanState]:
        """Return the constants of the planner, and a state of its size."""
        return gait_plan(self.robot, self.values, measured=self.plan == "measured")

    @property
    def swings(self) -> Floats:
        """Return the start and the duration of each leg's swing, fractions of the period, (N, 2)."""
        first, n = len(GaitValues._fields), len(self.legs)
        return self.constants[first : first + 2 * n].reshape(2, n).T

    @property
    def trajectories(self) -> Floats:
        """Return offset, amplitude, phase and turn of the joints with a trajectory, (K, 4)."""
        return self.constants[len(GaitValues._fields) + 2 * len(self.legs) :].reshape(-1, len(TRAJECTORY))

    def with_constants(self, constants: Floats) -> Gait:
        """Return the same gait with other constants, in the order of the field `constants`.

        Raises:
            ValueError: the number of values is not that of the field.
        """
        return replace(self, constants=checked_constants(self, constants))

    @cached_property
    def parameters(self) -> tuple[Parameter, ...]:
        """Return descriptions of the constants, with ids such as `trot.yaml/height`, in the same order."""
        file = Path(self.path or self.name).name
        found = [
            Parameter(f"{file}/{name}", name.replace("_", " "), _QUANTITIES.get(name, "gain"), None, *RANGES[name])
            for name in GaitValues._fields
        ]
        for word, high in (("start", 1.0), ("duration", MAX_SWING)):
            found += [
                Parameter(f"{file}/swing/{leg}/{word}", f"{word} of the swing, {leg}", "share", None, 0.0, high)
                for leg in self.legs
            ]
        found += [
            Parameter(f"{file}/trajectories/{joint}/{name}", f"{name} of {joint}", quantity, None, low, high)
            for joint in self.moving
            for name, (quantity, low, high) in TRAJECTORY.items()
        ]
        spans = self.spans or (None,) * len(found)
        return tuple(
            replace(each, path=self.path, line=1).placed(span) for each, span in zip(found, spans, strict=True)
        )

    @cached_property
    def digest(self) -> str:
        """Return the hash of everything that affects the motion, and of the name, which the parameters' ids contain."""
        laws = [list(self.published)] if any(self.published) else []
        plan = [self.plan] if self.plan else []
        moving = [list(self.moving)] if self.moving else []
        text = json.dumps([self.name, self.constants.tolist(), *laws, *plan, *moving])
        return hashlib.sha256(text.encode()).hexdigest()[:16]
