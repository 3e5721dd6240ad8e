"""What came of running one controller: the record that every layer above simulation reads."""

from __future__ import annotations

import enum
from dataclasses import dataclass, field

from ctrlgraph.control.program import Place


class Status(enum.StrEnum):
    """How a controller ended.

    COMPLETED: it ended by itself and its success conditions hold. FAILED: it ended by itself, or
    was stopped, because a condition does not hold. TIMEOUT: it did not end in its time.
    DIVERGED: the state became impossible (not finite, or faster than any body can be).
    """

    COMPLETED = "completed"
    FAILED = "failed"
    TIMEOUT = "timeout"
    DIVERGED = "diverged"


@dataclass(frozen=True, slots=True)
class Outcome:
    """The result of one controller; SI units.

    `reason` names the condition that does not hold ("torso 1.32 is above 1.0"), empty on success;
    `place` is the transition's or phase's place in the text where the controller was at the end;
    `measures` are the quantities of `ctrlgraph.measures` at the end and over the course; `effort` is the
    integral of all squared joint torques, (N m)2 s, `saturation` the share of the joints' time at a torque limit.
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

    @property
    def succeeded(self) -> bool:
        return self.status is Status.COMPLETED
