"""Phases of a recorded motion: when each began, and its caption."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ctrlgraph.control.controller import Controller, Place
from ctrlgraph.control.kinds import CONTROLLER_KINDS
from ctrlgraph.simulation.planar_trace import Trace

COMMENT = "#"
"""Beginning of the author's comment on a phase, in the line where the phase begins."""


@dataclass(frozen=True, slots=True)
class PhaseStart:
    """Beginning of a phase."""

    time: float
    """Time on the clock of the trace, s."""
    number: int | None
    """Number as in its file."""
    place: Place | None
    called: bool = False
    """Whether the phase is in a script that the controller calls."""

    @property
    def caption(self) -> str:
        """Return number and comment, such as "1 throw the feet up"; "phase 4" without a comment."""
        number = "" if self.number is None else str(self.number)
        if self.place is not None and self.called:
            return f"{self.place.script.replace('_', ' ')} {number}".strip()
        comment = "" if self.place is None else self.place.text.partition(COMMENT)[2].strip()
        return f"{number} {comment}".strip() if comment else f"phase {number}".strip()


def phase_starts(trace: Trace, controller: Controller) -> tuple[PhaseStart, ...]:
    """Return the beginnings of the phases of a motion, in their order.

    Args:
        trace: trace of one rollout of the controller.
        controller: the controller.

    Returns:
        The beginnings; empty for kinds of controllers without a place for each phase.

    >>> from ctrlgraph import Project, Simulation
    >>> from ctrlgraph.simulation.phases import phase_starts
    >>> project = Project.find()
    >>> with Simulation(project.character) as simulation:
    ...     _ = simulation.run(project.controller("squat"), timeout=1)
    ...     first = phase_starts(simulation.last_trace, project.controller("squat"))[0]
    >>> first.time, first.number
    (0.0, 0)
    """
    kind = CONTROLLER_KINDS[controller.kind]
    if len(trace) == 0:
        return ()
    begins = np.flatnonzero(np.diff(trace.phase, prepend=trace.phase[0] - 1))
    if len(trace) > 1:
        begins = begins[begins < len(trace) - 1]  # no motion follows the last phase
    found = []
    for i in begins.tolist():
        number, place = kind.place_of_phase(controller, int(trace.phase[i]))
        if number is None and place is None:  # a kind without phases
            continue
        called = place is not None and place.path != controller.path
        found.append(PhaseStart(float(trace.time[i]), number, place, called))
    return tuple(found)
