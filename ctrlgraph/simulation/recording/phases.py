"""Phases of a recorded motion: the time at which each phase began, and a caption for it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ctrlgraph.control.controller import Controller, Place
from ctrlgraph.control.kinds import CONTROLLER_KINDS
from ctrlgraph.simulation.recording.base_trace import BaseTrace

COMMENT = "#"
"""Character with which a comment begins in a controller's file. A comment on a phase is on the phase's first line."""


@dataclass(frozen=True, slots=True)
class PhaseStart:
    """Beginning of one phase of a controller in a recorded motion, with the phase's number and position in its file."""

    time: float
    """Time at which the phase began, on the clock of the trace, s."""
    number: int | None
    """Number of the phase in its file; None if the phase has no number."""
    place: Place | None
    """File and line of the phase; None if unknown."""
    called: bool = False
    """Whether the phase belongs to another script that the controller's script calls."""

    @property
    def caption(self) -> str:
        """Return a caption for the phase.

        The caption is the number with the comment on the phase's first line, such as "1 throw the feet up". Without a
        comment it is "phase 4". For a phase of a called script, it is the name of that script with the number.
        """
        number = "" if self.number is None else str(self.number)
        if self.place is not None and self.called:
            return f"{self.place.script.replace('_', ' ')} {number}".strip()
        comment = "" if self.place is None else self.place.text.partition(COMMENT)[2].strip()
        return f"{number} {comment}".strip() if comment else f"phase {number}".strip()


def phase_starts(trace: BaseTrace, controller: Controller) -> tuple[PhaseStart, ...]:
    """Return when each phase of the controller began in a recorded motion, in the order of time.

    Args:
        trace: trace of one rollout of the controller.
        controller: the controller that was executed.

    Returns:
        One item for each phase that began; empty for a controller kind without phases.

    >>> from ctrlgraph import Project, Simulation
    >>> from ctrlgraph.simulation.recording.phases import phase_starts
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
