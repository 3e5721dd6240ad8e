"""Outcomes of rollouts: status, reason, measures and counters."""

from __future__ import annotations

import enum
from dataclasses import dataclass, field

from ctrlgraph.control.controller import Departure, Place
from ctrlgraph.errors import near_names, quoted

FORWARD, BACKWARD = "forward", "backward"
"""Directions of a predicted fall (`Outcome.falling`)."""


class Status(enum.StrEnum):
    """How a rollout (one execution of a controller) ended.

    `Conclusion` also distinguishes rollouts with and without success conditions.
    """

    COMPLETED = "completed"
    """The controller ended, and all success conditions (none in some rollouts) are fulfilled."""
    FAILED = "failed"
    """A success condition is not fulfilled at the end, a measure left its bounds (the range required at all times), or
    the controller ended by the transition `to(fail)`.
    """
    TIMEOUT = "timeout"
    """The controller did not end before the timeout."""
    DIVERGED = "diverged"
    """The simulation became numerically unstable: the state is not finite, or a link is too fast or too far away."""


class Conclusion(enum.StrEnum):
    """How a rollout ended, with separate values for rollouts with and without success conditions."""

    SUCCESS = "success"
    """The rollout had success conditions or bounds, and they are fulfilled."""
    FELL = "fell"
    """The rollout had neither success conditions nor bounds, and the controller ended because of a fall."""
    ENDED = "ended"
    """The rollout had neither success conditions nor bounds, and the controller ended without a fall."""
    FAILED = "failed"
    """A success condition or bound is not fulfilled, or the controller ended by the transition `to(fail)`."""
    TIMEOUT = "timeout"
    """The controller did not end before the timeout."""
    DIVERGED = "diverged"
    """The simulation became numerically unstable."""


class MeasureValues(dict[str, float]):
    """Dictionary of the values of measures by name. The `KeyError` for an unknown name suggests a known one."""

    def __missing__(self, name: str) -> float:
        raise KeyError(f"there is no measure {quoted(name)} {near_names(name, self, 'measures')}")


@dataclass(frozen=True, slots=True)
class Outcome:
    """Result of a rollout.

    >>> from ctrlgraph import Project, Simulation
    >>> project = Project.find()
    >>> with Simulation(project.character) as simulation:
    ...     outcome = simulation.run(project.controller("stand"), timeout=5, success={"torso": (-0.3, 0.3)})
    >>> outcome.succeeded, abs(outcome.measures["torso"]) < 0.3
    (True, True)
    """

    status: Status
    """How the rollout ended."""
    reason: str
    """Why the rollout did not complete, such as "torso 1.32 is above 1.0"; empty if it completed."""
    phase: int | None
    """Phase of the controller at the end, numbered as in its file; None for a controller without phases."""
    place: Place | None
    """Line of this phase in the controller's file; None for a controller without phases."""
    simulated_s: float
    """Simulated duration, s."""
    wall_s: float
    """Duration by the wall clock, s."""
    energy_j: float
    """Energy that the joints have spent: the sum of the magnitudes of their work, J."""
    entry_digest: str
    """Hash of the state of all bodies at the beginning."""
    engine_messages: int = 0
    """Number of messages that the engine has reported during the rollout."""
    measures: dict[str, float] = field(default_factory=dict)
    """Values of all measures of the motion, by name (see `ctrlgraph.simulation.measures`)."""
    effort: float = 0.0
    """Integral of the squared torques of all joints over time, (N m)^2 s."""
    saturation: float = 0.0
    """Fraction of the time that joints were at a torque limit, mean of all joints, 0 to 1."""
    departure: Departure | None = None
    """Condition of the transition by which the controller ended; None if no transition ended it.

    After a timeout, the condition by which the controller would end in the final state; None if there is none.
    """
    judged: bool = True
    """Whether the rollout had success conditions or bounds."""
    falling: str = ""
    """Direction, "forward" or "backward", of a predicted fall that ended the rollout; empty without one."""
    compilation_s: float = 0.0
    """Part of `wall_s` that was spent compiling, s."""

    @property
    def succeeded(self) -> bool:
        """Return whether the status is COMPLETED. A rollout without success conditions can have this status as well."""
        return self.status is Status.COMPLETED

    @property
    def fell(self) -> bool:
        """Return whether the controller ended because of a fall, regardless of the success conditions."""
        return self.departure is not None and self.departure.fell

    @property
    def conclusion(self) -> Conclusion:
        """Return how the rollout ended. Without success conditions, the result is FELL or ENDED, not SUCCESS.

        >>> from ctrlgraph.simulation.outcome import Outcome, Status
        >>> Outcome(Status.COMPLETED, "", 0, None, 1.0, 0.1, 0.0, "", judged=False).conclusion.value
        'ended'
        """
        if self.fell and not self.judged and self.status in (Status.COMPLETED, Status.FAILED):
            return Conclusion.FELL
        if self.status is not Status.COMPLETED:
            return Conclusion(self.status.value)
        return Conclusion.SUCCESS if self.judged else Conclusion.ENDED
