"""The course of a rollout over time: when its phases changed, and when its success conditions were fulfilled."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ctrlgraph.control.controller import Departure, Instant, Place
from ctrlgraph.simulation.measures import Conditions, measures_of, overshoot
from ctrlgraph.simulation.measures.base_motion import runs
from ctrlgraph.simulation.moment import Moment
from ctrlgraph.simulation.recording.base_trace import BaseTrace
from ctrlgraph.simulation.simulation import Simulation

CONDITION_SAMPLES = 80
"""Maximum number of moments of a rollout at which success conditions are evaluated."""


@dataclass(frozen=True, slots=True)
class Passage:
    """A transition from one phase of a controller to the next. Phases are numbered as in the controller's file."""

    time: float
    """Simulated time since the beginning of the recording, s."""
    before: int | None
    """Number of the phase that ended; None if the phase has no number."""
    phase: int | None
    """Number of the phase that began; None if the rollout ended."""
    phase_place: Place | None
    """File and line of the phase that began; None if the rollout ended."""
    condition: str
    """Condition of the transition, as text."""
    place: Place | None
    """File and line of the condition."""

    def as_dict(self) -> dict[str, Any]:
        """Return the transition as JSON data."""
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
    """A success condition over the course of a rollout: the values of its measure at n times."""

    name: str
    """Name of the measure."""
    wanted: tuple[float, float]
    """Range of the measure in which the condition is fulfilled."""
    times: tuple[float, ...]
    """(n,) times since the beginning of the rollout, s."""
    values: tuple[float, ...]
    """(n,) values that the measure would have if the rollout had ended at these times."""

    @property
    def fulfilled(self) -> tuple[tuple[float, float], ...]:
        """Return the intervals (start, end) in which the condition was fulfilled, s since the rollout's beginning."""
        holds = np.array([overshoot(self.name, value, *self.wanted) == 0.0 for value in self.values], bool)
        return tuple((self.times[start], self.times[end - 1]) for start, end in runs(holds))

    def sentence(self) -> str:
        """Return when the condition was fulfilled, as text: "fulfilled 0.50-1.20 s; lost after 1.20 s"."""
        spans = self.fulfilled
        if not spans:
            return "never fulfilled"
        if len(spans) > 3:
            text = f"fulfilled in {len(spans)} stretches, from {spans[0][0]:.2f} s on"
        else:
            text = "fulfilled " + ", ".join(f"{a:.2f}-{b:.2f} s" if b > a else f"at {a:.2f} s" for a, b in spans)
        if spans[-1][1] == self.times[-1]:
            return "fulfilled all the time" if spans[0][0] == self.times[0] and len(spans) == 1 else text
        return f"{text}; lost after {spans[-1][1]:.2f} s"

    def as_dict(self) -> dict[str, Any]:
        """Return the condition over time as JSON data."""
        return {
            "wanted": list(self.wanted),
            "times": list(self.times),
            "values": list(self.values),
            "fulfilled": [list(span) for span in self.fulfilled],
        }


class PassageRecorder:
    """Recorder of the transitions between phases in a simulation. It watches every time step from its creation on.

    Attributes:
        passages: the transitions, in the order of time.
        awaited: conditions of the last phase's transitions that were not fulfilled when the rollout ended, with values.
    """

    def __init__(self, simulation: Simulation) -> None:
        self._character, self._body = simulation.character, simulation.body
        self._began = simulation.time
        self._before: Moment | None = None
        self.passages: list[Passage] = []
        self.awaited: tuple[Departure, ...] = ()
        simulation.watch(self._take, simulation.settings.dt)

    def _take(self, moment: Moment) -> None:
        before, self._before = self._before, moment
        kind, rollout = moment.execution.kind, moment.execution.rollout
        if moment.last:
            self.awaited = kind.pending_conditions(
                rollout.controller, self._character, moment.execution.data, moment.state
            )
        if before is None:
            return
        arrays = (self._body, moment.kinematics, moment.execution.data, before.state)
        found = kind.fired_transition(rollout.controller, Instant(self._character, *arrays, moment.time))
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
    trace: BaseTrace, rollout_conditions: Conditions, simulation: Simulation
) -> tuple[ConditionCourse, ...]:
    """Return the values of each success condition's measure as if the rollout had ended at each of several times.

    Args:
        trace: trace of the rollout.
        rollout_conditions: success conditions of the rollout.
        simulation: the simulation of the rollout, which provides character, terrain and gravity.
    """
    where = np.unique(np.linspace(1, len(trace), min(CONDITION_SAMPLES, len(trace))).astype(int)).tolist()
    values = [measures_of(simulation.motion(trace.rows(slice(0, n)))) for n in where]
    times = tuple(float(trace.time[n - 1] - trace.time[0]) for n in where)
    return tuple(
        ConditionCourse(name, (low, high), times, tuple(found.get(name, float("nan")) for found in values))
        for name, (low, high) in rollout_conditions.items()
    )
