"""What came of running one controller: the record that every layer above simulation reads."""

from __future__ import annotations

import enum
from dataclasses import dataclass, field

from ctrlgraph.control.controller import Departure, Place


class Status(enum.StrEnum):
    """How a controller ended.

    COMPLETED: it ended by itself and its success conditions hold, so far as it has any (`Conclusion`
    tells these apart). FAILED: it ended by itself, or
    was stopped, because a condition does not hold, or left as failed (`to(fail)`). TIMEOUT: it did not end in its time.
    DIVERGED: the state became impossible (not finite, or faster than any body can be).
    """

    COMPLETED = "completed"
    FAILED = "failed"
    TIMEOUT = "timeout"
    DIVERGED = "diverged"


class Conclusion(enum.StrEnum):
    """What an outcome means: `Status`, with a completed run told apart by whether anything says that it succeeded.

    SUCCESS: its conditions hold. FELL: it had none and left through a fall exit. ENDED: it had none and left
    otherwise. FAILED, TIMEOUT and DIVERGED are those of `Status`.
    """

    SUCCESS = "success"
    FELL = "fell"
    ENDED = "ended"
    FAILED = "failed"
    TIMEOUT = "timeout"
    DIVERGED = "diverged"


@dataclass(frozen=True, slots=True)
class Outcome:
    """The result of one controller; SI units.

    `reason` names the condition that does not hold ("torso 1.32 is above 1.0"), empty on success;
    `place` is the transition's or phase's place in the text where the controller was at the end;
    `measures` are the quantities of `ctrlgraph.simulation.measures` at the end and over the course; `effort` is the
    integral of all squared joint torques, (N m)2 s, `saturation` the share of the joints' time at a torque limit;
    `departure` is the transition through which it left (after a timeout: through which it would leave now), None where
    there is none; `judged` says that there were conditions to succeed by;
    `compiling_s` is how much of the wall time `wall_s` went into compiling the loop, as it does in a first run.

    >>> from ctrlgraph import Project, Simulation
    >>> project = Project.find()
    >>> with Simulation(project.character) as simulation:
    ...     outcome = simulation.run(project.controller("stand"), timeout=5, success={"torso": (-0.3, 0.3)})
    >>> outcome.succeeded, abs(outcome.measures["torso"]) < 0.3
    (True, True)
    """

    status: Status
    reason: str
    phase: int | None
    place: Place | None
    simulated_s: float
    wall_s: float
    energy_j: float
    entry_digest: str
    engine_messages: int = 0
    measures: dict[str, float] = field(default_factory=dict)
    effort: float = 0.0
    saturation: float = 0.0
    departure: Departure | None = None
    judged: bool = True
    compiling_s: float = 0.0

    @property
    def succeeded(self) -> bool:
        """Tell whether it ended by itself and the conditions that it had hold; without any, see `conclusion`."""
        return self.status is Status.COMPLETED

    @property
    def fell(self) -> bool:
        """Tell whether it left through a fall exit, whatever its conditions say."""
        return self.departure is not None and self.departure.fell

    @property
    def conclusion(self) -> Conclusion:
        """Return what the outcome means.

        >>> from ctrlgraph.simulation import Outcome, Status
        >>> Outcome(Status.COMPLETED, "", 0, None, 1.0, 0.1, 0.0, "", judged=False).conclusion.value
        'ended'
        """
        if self.fell and not self.judged and self.status in (Status.COMPLETED, Status.FAILED):
            return Conclusion.FELL
        if self.status is not Status.COMPLETED:
            return Conclusion(self.status.value)
        return Conclusion.SUCCESS if self.judged else Conclusion.ENDED
