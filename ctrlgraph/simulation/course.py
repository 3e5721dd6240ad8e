"""The course of a rollout: which transitions led through it, and when its conditions held."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ctrlgraph.control.controller import Departure, Place
from ctrlgraph.kernels.arrays import body_arrays
from ctrlgraph.simulation import measures
from ctrlgraph.simulation.measures import Conditions, overshoot
from ctrlgraph.simulation.moment import Moment
from ctrlgraph.simulation.simulation import Simulation
from ctrlgraph.simulation.trace import Trace

LOOKS = 80
"""So often is asked, over the course of a rollout, what would be measured if it ended there."""


@dataclass(frozen=True, slots=True)
class Passage:
    """A change of phase: when (s), from which phase to which, and the condition that led there, with its place.

    Phases are numbered as their files do it; `phase_place` is that of the one that begins, None at the end.
    """

    time: float
    before: int | None
    phase: int | None
    phase_place: Place | None
    condition: str
    place: Place | None

    def as_dict(self) -> dict[str, Any]:
        return {
            "time": self.time,
            "from": self.before,
            "to": self.phase,
            "to_place": self.phase_place and self.phase_place.as_dict(),
            "condition": self.condition,
            "place": self.place and self.place.as_dict(),
        }


@dataclass(frozen=True, slots=True)
class ConditionCourse:
    """A condition over time: `values` (n,) are what its measure would have been, had it ended at `times` (s)."""

    name: str
    wanted: tuple[float, float]
    times: tuple[float, ...]
    values: tuple[float, ...]

    @property
    def held(self) -> tuple[tuple[float, float], ...]:
        """Return from when to when it held, s."""
        spans: list[list[float]] = []
        for i, (time, value) in enumerate(zip(self.times, self.values, strict=True)):
            if overshoot(self.name, value, *self.wanted) != 0.0:
                continue
            if i > 0 and spans and spans[-1][1] == self.times[i - 1]:
                spans[-1][1] = time
            else:
                spans.append([time, time])
        return tuple((start, end) for start, end in spans)

    def sentence(self) -> str:
        """Return when it held, and where it was lost."""
        spans = self.held
        if not spans:
            return "never held"
        if len(spans) > 3:
            told = f"held in {len(spans)} stretches, from {spans[0][0]:.2f} s on"
        else:
            told = "held " + ", ".join(f"{a:.2f}-{b:.2f} s" if b > a else f"at {a:.2f} s" for a, b in spans)
        if spans[-1][1] == self.times[-1]:
            return "held all the time" if spans[0][0] == self.times[0] and len(spans) == 1 else told
        return f"{told}; lost after {spans[-1][1]:.2f} s"

    def as_dict(self) -> dict[str, Any]:
        return {
            "wanted": list(self.wanted),
            "times": list(self.times),
            "values": list(self.values),
            "held": [list(span) for span in self.held],
        }


class PassageRecorder:
    """Watches every step of a simulation, and keeps the changes of phase.

    awaited: the conditions that the last phase waited for when it was over, with the numbers that they had.
    """

    def __init__(self, simulation: Simulation) -> None:
        self._character, self._body = simulation.character, body_arrays(simulation.character)
        self._began = simulation.time
        self._before: Moment | None = None
        self.passages: list[Passage] = []
        self.awaited: tuple[Departure, ...] = ()
        simulation.watch(self._take, simulation.settings.dt)

    def _take(self, moment: Moment) -> None:
        before, self._before = self._before, moment
        kind, rollout = moment.execution.kind, moment.execution.rollout
        if moment.last and kind.awaited is not None:
            self.awaited = kind.awaited(rollout.controller, self._character, moment.execution.data, moment.state)
        if before is None or kind.fired is None:
            return
        now = (self._character, self._body, moment.kinematics, moment.execution.data, before.state, moment.time)
        found = kind.fired(rollout.controller, *now)
        if found is None:
            return
        ends = moment.last
        self.passages.append(
            Passage(
                time=round(moment.time - self._began, 9),
                before=before.phase,
                phase=None if ends else moment.phase,
                phase_place=None if ends else moment.place,
                condition=found.condition,
                place=found.place,
            )
        )


def conditions_over_time(
    trace: Trace, rollout_conditions: Conditions, simulation: Simulation, looks: int = LOOKS
) -> tuple[ConditionCourse, ...]:
    """Return each condition over the course of a rollout: what it would have measured, had it ended there.

    Args:
        trace: of the rollout; its clock is put back to 0.
        rollout_conditions: what it is judged by.
        simulation: in which it ran.
    """
    where = np.unique(np.linspace(1, len(trace), min(looks, len(trace))).astype(int)).tolist()
    values = list(_measured(trace, where, simulation))
    times = tuple(float(trace.time[n - 1] - trace.time[0]) for n in where)
    return tuple(
        ConditionCourse(name, (low, high), times, tuple(found.get(name, float("nan")) for found in values))
        for name, (low, high) in rollout_conditions.items()
    )


def _measured(trace: Trace, where: Sequence[int], simulation: Simulation) -> Iterator[dict[str, float]]:
    character, terrain, gravity = simulation.character, simulation.terrain, simulation.settings.gravity
    for n in where:
        yield measures.measure(trace.rows(slice(0, n)), character, terrain, gravity)
