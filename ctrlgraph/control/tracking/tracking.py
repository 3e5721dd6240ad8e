"""Tracking controllers: the contents of a tracking file, and the vector of its numbers that searches can change."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
from pydantic import ValidationError

from ctrlgraph.character.planar_model import PlanarCharacter
from ctrlgraph.control.controller import Place
from ctrlgraph.control.controller_file import checked_constants
from ctrlgraph.control.parameters import Parameter
from ctrlgraph.control.tracking.schema import ConstantEntry, PolicyEntry, TrackingEntry
from ctrlgraph.errors import SimulationError, Span
from ctrlgraph.kernels.arrays import Floats

Location = tuple[str | int, ...]

FORCES = ("force x", "force y")
"""Names of rows that track a component of the ground force, N, instead of an angle: along the ground, normal to it."""


@dataclass(frozen=True)
class Tracking:
    """A controller that follows a motion by the phase variable theta instead of time, as read from a tracking file.

    Theta is a quantity of the state that increases during the motion. Feedback keeps the tracked quantities q (joint
    angles, link angles or force components) near their values c(theta) in the motion, which are splines.

    >>> from ctrlgraph import Project
    >>> from ctrlgraph.project.shipped import copy_project
    >>> _ = copy_project(Path("walker"), "tracking")
    >>> project = Project(Path("walker"))
    >>> walk = project.read_controller("tracking", Path("walker/tracking/walk.yaml"))
    >>> walk.parameters[0].id, float(walk.constants[0])
    ('walk.yaml/gains/eps', 0.1)
    """

    kind: ClassVar[str] = "tracking"

    name: str
    """Name of the controller: the name of the tracking file without suffix."""
    path: str
    """Path of the tracking file."""
    entry: TrackingEntry
    """Contents of the file, with the numbers as written there."""
    character: PlanarCharacter = field(repr=False)
    """Character whose masses and lengths the controller uses."""
    places: tuple[Place, ...] = ()
    """Position of each stage in the file."""
    constants: Floats = field(default_factory=lambda: np.zeros(0))
    """(P,) values of the parameters, which replace the numbers of `entry`."""
    mirrored: bool = False
    """Whether right and left are exchanged."""
    number_spans: Mapping[Location, Span | None] = field(default_factory=dict, repr=False)
    """Position of each number in the file (None: unknown), by the YAML keys and indices that lead to the number."""

    @cached_property
    def _numbers(self) -> tuple[tuple[Location, Parameter], ...]:
        spans = self.number_spans
        return tuple((location, number.placed(spans.get(location))) for location, number in _numbers(self))

    @property
    def parameters(self) -> tuple[Parameter, ...]:
        """Return descriptions of the P numbers that searches can change, with ids such as `walk.yaml/gains/eps`."""
        return tuple(parameter for _, parameter in self._numbers)

    def with_constants(self, constants: Floats) -> Tracking:
        """Return the same controller with other values (P,) of the parameters, in the order of `parameters`.

        Raises:
            ValueError: the number of values is not P.
        """
        changed = replace(self, constants=checked_constants(self, constants))
        changed.__dict__["_numbers"] = self._numbers  # a search needs them for every candidate
        return changed

    def resolved(self) -> TrackingEntry:
        """Return the contents of the tracking file with the numbers replaced by `constants`.

        Raises:
            SimulationError: a constant is outside the range that its field in the file allows.
        """
        plain = self.entry.model_dump(mode="json", by_alias=True)
        for (location, _), value in zip(self._numbers, self.constants.tolist(), strict=True):
            _owner(plain, location)[location[-1]] = value
        try:
            return TrackingEntry.model_validate(plain)
        except ValidationError as error:
            fault = error.errors(include_url=False)[0]
            where = "/".join(map(str, fault["loc"]))
            raise SimulationError(
                f"{self.name} cannot run with this value of the constant {where}: {fault['msg'].lower()}"
            ) from None

    @cached_property
    def digest(self) -> str:
        """Return the hash of everything that affects the motion, and of the name, which the parameters' ids contain."""
        plain = self.entry.model_dump(mode="json", by_alias=True)
        text = json.dumps([self.name, plain, self.constants.tolist(), self.mirrored, self.character.digest])
        return hashlib.sha256(text.encode()).hexdigest()[:16]

    def place(self, stage: int) -> Place | None:
        """Return where the file defines the stage with this index, or None if that is unknown."""
        return self.places[stage] if stage < len(self.places) else None


def new_tracking(
    name: str,
    entry: TrackingEntry,
    character: PlanarCharacter,
    path: str = "",
    lines: Sequence[int] = (),
    span_of: Callable[[Location], Span | None] = lambda _: None,
) -> Tracking:
    """Return the tracking controller with the given contents of a tracking file, which must have been checked.

    Args:
        name: name of the controller.
        entry: contents of the tracking file.
        character: character whose masses and lengths the controller uses.
        path: path of the file, for messages.
        lines: line numbers of the stages in the file, from 1; empty if unknown.
        span_of: function that returns the position of a number in the file, or None if it is unknown. It is called with
            the YAML keys and indices that lead to the number.
    """
    places = tuple(Place(path, name, line, 1) for line in lines) or (Place(path, name, 1, 1),) * len(entry.stages)
    bare = Tracking(name, path, entry, character, places)
    locations = [location for location, _ in _numbers(bare)]
    plain = entry.model_dump(mode="json", by_alias=True)
    values = np.array([_owner(plain, location)[location[-1]] for location in locations], dtype=np.float64)
    return replace(bare, constants=values, number_spans={location: span_of(location) for location in locations})


def _owner(plain: Any, location: Location) -> Any:
    """Return the mapping or list in `plain` that directly contains the value at `location`.

    Args:
        plain: JSON data: nested mappings and lists.
        location: keys and indices that lead to the value.
    """
    for step in location[:-1]:
        plain = plain[step]
    return plain


def with_constant_policy(tracking: Tracking, at: float) -> Tracking:
    """Return a controller in which the ground force acts at the same point in all stages, otherwise like `tracking`.

    Args:
        tracking: the controller to change.
        at: point of the ground force, m ahead of the ankle.
    """
    policy = PolicyEntry(constant=ConstantEntry(at=at))
    entry = tracking.resolved()
    stages = [stage.model_copy(update={"policy": None}) for stage in entry.stages]
    return new_tracking(
        tracking.name,
        entry.model_copy(update={"policy": policy, "stages": stages}),
        tracking.character,
        tracking.path,
        [place.line for place in tracking.places],
    )


def _numbers(tracking: Tracking) -> Iterator[tuple[Location, Parameter]]:
    """Yield location (YAML keys and indices) and parameter of each number of the file that a search can change."""
    entry = tracking.entry
    file = Path(tracking.path or tracking.name).name

    def number(
        location: Location, path: str, role: str, quantity: str, low: float | None = None, high: float | None = None
    ) -> tuple[Location, Parameter]:
        stage = int(location[1]) if location[0] == "stages" else None
        line = tracking.places[stage or 0].line
        return location, Parameter(f"{file}/{path}", role, quantity, stage, low, high, tracking.path, line)

    yield number(("gains", "eps"), "gains/eps", "eps", "time", 1e-3, 0.5)
    yield number(("gains", "k_s"), "gains/k_s", "k_s", "gain", 0.01, 1e4)
    if entry.gains.k_d is not None:
        yield number(("gains", "k_d"), "gains/k_d", "k_d", "gain", 0.01, 1e4)
    yield number(("ground", "lean"), "ground/lean", "lean", "lean", -2.0, 2.0)
    owners: list[tuple[Location, str, PolicyEntry | None]] = [(("policy",), "policy", entry.policy)]
    owners += [(("stages", i, "policy"), f"{stage.name}/policy", stage.policy) for i, stage in enumerate(entry.stages)]
    for at, path, policy in owners:
        if policy is not None and policy.constant is not None:
            yield number((*at, "constant", "at"), f"{path}/at", "fri", "length")
        if policy is not None and policy.integral is not None:
            at = (*at, "integral")
            yield number((*at, "at"), f"{path}/at", "fri", "length")
            yield number((*at, "gain"), f"{path}/gain", "integral gain", "gain", 0.01, 20.0)
            if policy.integral.proportional:
                yield number((*at, "proportional"), f"{path}/proportional", "proportional gain", "gain", 0.001, 5.0)
            for k in range(len(policy.integral.rate)):
                yield number((*at, "rate", k), f"{path}/rate/{k}", f"rate {k}", "phase_rate")
    of_phase = "angle" if entry.phase.angle is not None else "length"
    for i, stage in enumerate(entry.stages):
        at, name = ("stages", i), stage.name
        for k, end in enumerate(("from", "to")):
            yield number((*at, "theta", k), f"{name}/theta/{end}", f"theta {end}", of_phase)
        if stage.ends.theta is not None:
            yield number((*at, "ends", "theta"), f"{name}/ends/theta", "theta_s", of_phase)
        if stage.ends.rate is not None:
            yield number((*at, "ends", "rate"), f"{name}/ends/rate", "rate_s", "phase_rate")
        for row, coefficients in stage.track.items():
            quantity = "force" if row in FORCES else "angle"
            for k in range(len(coefficients)):
                yield number((*at, "track", row, k), f"{name}/{row}/{k}", f"c {row} {k}", quantity)
