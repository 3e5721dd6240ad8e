"""Outcomes of rollouts, for all layers above simulation."""

from __future__ import annotations

import enum
from dataclasses import dataclass, field

from ctrlgraph.control.controller import Departure, Place
from ctrlgraph.errors import near_names, quoted


class Status(enum.StrEnum):
    """How a controller ended.

    `Conclusion` distinguishes completed runs with and without conditions.
    """

    COMPLETED = "completed"
    """It ran to its end, and its success conditions, if any, are fulfilled."""
    FAILED = "failed"
    """A condition is not fulfilled at the end, a bound was left, or the controller ended by `to(fail)`."""
    TIMEOUT = "timeout"
    """It did not end in time."""
    DIVERGED = "diverged"
    """The state became impossible: not finite, or too fast."""


class Conclusion(enum.StrEnum):
    """Meaning of an outcome: `Status`, but completed runs with and without conditions are distinguished."""

    SUCCESS = "success"
    """It had conditions, and they are fulfilled."""
    FELL = "fell"
    """It had no conditions and left through a fall exit."""
    ENDED = "ended"
    """It had no conditions and ended in another way."""
    FAILED = "failed"
    TIMEOUT = "timeout"
    DIVERGED = "diverged"


class MeasureValues(dict[str, float]):
    """Values by the names of measures. The `KeyError` for an unknown name contains a suggestion."""

    def __missing__(self, name: str) -> float:
        raise KeyError(f"there is no measure {quoted(name)} {near_names(name, self, 'measures')}")


@dataclass(frozen=True, slots=True)
class Outcome:
    """Result of one controller.

    >>> from ctrlgraph import Project, Simulation
    >>> project = Project.find()
    >>> with Simulation(project.character) as simulation:
    ...     outcome = simulation.run(project.controller("stand"), timeout=5, success={"torso": (-0.3, 0.3)})
    >>> outcome.succeeded, abs(outcome.measures["torso"]) < 0.3
    (True, True)
    """

    status: Status
    reason: str
    """Condition that is not fulfilled ("torso 1.32 is above 1.0"); empty on success."""
    phase: int | None
    """Phase at the end, numbered as in its file."""
    place: Place | None
    """Place of the phase or transition at the end."""
    simulated_s: float
    """Simulated time, s."""
    wall_s: float
    """Wall time, s."""
    energy_j: float
    """Energy spent by the joints, J."""
    entry_digest: str
    """Digest of the state at the beginning."""
    engine_messages: int = 0
    """Number of messages of the engine."""
    measures: dict[str, float] = field(default_factory=dict)
    """Measures (`ctrlgraph.simulation.measures`) at the end and over the course."""
    effort: float = 0.0
    """Integral of all squared joint torques, (N m)^2 s."""
    saturation: float = 0.0
    """Share of the joints' time at a torque limit, 0 to 1."""
    departure: Departure | None = None
    """Transition through which it ended; after a timeout, the one through which it would end in the present state."""
    judged: bool = True
    """Whether it had success conditions."""
    compilation_s: float = 0.0
    """Wall time spent compiling, part of `wall_s`, s."""

    @property
    def succeeded(self) -> bool:
        """Return whether it completed; `conclusion` states whether it had conditions."""
        return self.status is Status.COMPLETED

    @property
    def fell(self) -> bool:
        """Return whether it ended through a fall exit, regardless of its conditions."""
        return self.departure is not None and self.departure.fell

    @property
    def conclusion(self) -> Conclusion:
        """Return the meaning of the outcome.

        >>> from ctrlgraph.simulation.outcome import Outcome, Status
        >>> Outcome(Status.COMPLETED, "", 0, None, 1.0, 0.1, 0.0, "", judged=False).conclusion.value
        'ended'
        """
        if self.fell and not self.judged and self.status in (Status.COMPLETED, Status.FAILED):
            return Conclusion.FELL
        if self.status is not Status.COMPLETED:
            return Conclusion(self.status.value)
        return Conclusion.SUCCESS if self.judged else Conclusion.ENDED
