"""The phases of a recorded motion: when each began, and what its author calls it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ctrlgraph.control.controller import Controller, Place
from ctrlgraph.control.kinds import CONTROLLER_KINDS
from ctrlgraph.simulation.trace import Trace

COMMENT = "#"
"""Begins what an author says of a phase, in the line in which it begins."""


@dataclass(frozen=True, slots=True)
class PhaseStart:
    """The beginning of a phase: when (s, on the trace's clock), its number as its author counts, its place, and whether
    it is in a script that the controller calls."""

    time: float
    number: int | None
    place: Place | None
    called: bool = False

    @property
    def caption(self) -> str:
        """Return its number, and what its author says of it: "1 throw the feet up"; "phase 4" where that is nothing."""
        number = "" if self.number is None else str(self.number)
        if self.place is not None and self.called:
            return f"{self.place.script.replace('_', ' ')} {number}".strip()
        said = "" if self.place is None else self.place.text.partition(COMMENT)[2].strip()
        return f"{number} {said}".strip() if said else f"phase {number}".strip()


def phase_starts(trace: Trace, controller: Controller) -> tuple[PhaseStart, ...]:
    """Return the beginnings of the phases of a motion, in their order.

    Args:
        trace: of one rollout of the controller.

    Returns:
        None at all where controllers of its kind have no phases that a place can be told of.

    >>> from ctrlgraph import Project, Simulation
    >>> from ctrlgraph.simulation.phases import phase_starts
    >>> project = Project.find()
    >>> with Simulation(project.character) as simulation:
    ...     _ = simulation.run(project.controller("squat"), timeout=1)
    ...     first = phase_starts(simulation.last_trace, project.controller("squat"))[0]
    >>> first.time, first.number
    (0.0, 0)
    """
    of = CONTROLLER_KINDS[controller.kind].phase_place
    if of is None or len(trace) == 0:
        return ()
    begins = np.flatnonzero(np.diff(trace.phase, prepend=trace.phase[0] - 1))
    if len(trace) > 1:
        begins = begins[begins < len(trace) - 1]  # it has left its last phase, and nobody moved any more
    found = []
    for i in begins.tolist():
        number, place = of(controller, int(trace.phase[i]))
        called = place is not None and place.path != controller.path
        found.append(PhaseStart(float(trace.time[i]), number, place, called))
    return tuple(found)
