"""Pydantic models of tracking files; docs/reference/tracking.md describes the fields."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from ctrlgraph.bounds import MAX_LINKS
from ctrlgraph.control.controller_file import Entry, Name, Switch

MAX_STAGES = 16
MAX_DEGREE = 9
MAX_PIECES = 64
MAX_COEFFICIENTS = MAX_PIECES + MAX_DEGREE
MAX_TABLE = 400
"""Maximum number of rows and columns of a policy's table."""
MAX_NUMBER = 1e6
MAX_CONTACTS = 2
"""Maximum number of feet on the ground in a stage."""

Number = Annotated[float, Field(strict=True, allow_inf_nan=False, ge=-MAX_NUMBER, le=MAX_NUMBER)]
Angle = Annotated[float, Field(strict=True, allow_inf_nan=False, ge=-100, le=100)]
Coefficients = Annotated[list[Number], Field(min_length=1, max_length=MAX_COEFFICIENTS)]
Range = tuple[Number, Number]
Seconds = Annotated[float, Field(strict=True, allow_inf_nan=False, ge=0, le=10)]
Length = Annotated[float, Field(strict=True, allow_inf_nan=False, ge=-10, le=10)]
ContactKind = Literal["flat", "toe", "heel", "point"]


class LineEntry(Entry):
    """A vector between two points: joints, or links in place of their lowest contact circle."""

    start: Name = Field(alias="from")
    end: Name = Field(alias="to")


class PhaseEntry(Entry):
    """The phase variable."""

    angle: LineEntry | None = None
    ahead: Annotated[list[Name], Field(min_length=1, max_length=MAX_CONTACTS)] | None = None


class FeedbackEntry(Entry):
    """Gains of the constraints: y'' = -(k_s / eps^2) y - (k_d / eps) y', k_d = 2 sqrt(k_s) by default."""

    eps: Annotated[float, Field(strict=True, ge=1e-4, le=10)] = 0.1
    k_s: Annotated[float, Field(strict=True, ge=1e-4, le=1e6)] = 10.0
    k_d: Annotated[float, Field(strict=True, ge=1e-4, le=1e6)] | None = None


class AssumedGroundEntry(Entry):
    """Properties of the ground that the controller assumes."""

    friction: Annotated[float, Field(strict=True, gt=0, le=10)] = 0.9
    margin: Annotated[float, Field(strict=True, ge=0, le=1)] = 0.015
    least_force: Annotated[float, Field(strict=True, ge=0, le=1e4)] = 20.0
    lean: Annotated[float, Field(strict=True, ge=-10, le=10)] = 0.0


class SwitchEntry(Entry):
    """When a contact ends a stage, and the treatment of the time just after it."""

    after: Seconds = 0.08
    feet_apart: Annotated[float, Field(strict=True, ge=0, le=10)] = 0.1
    impact: Seconds = 0.02
    backward: Annotated[float, Field(strict=True, allow_inf_nan=False, ge=-100, le=0)] = -0.5
    level: Annotated[float, Field(strict=True, allow_inf_nan=False, gt=0, le=4)] = 4.0


class ConstantEntry(Entry):
    """A constant foot rotation indicator."""

    at: Length


class IntegralEntry(Entry):
    """A foot rotation indicator with integral feedback of the phase's rate."""

    at: Length
    gain: Annotated[float, Field(strict=True, ge=0, le=1e3)]
    rate: Annotated[list[Number], Field(min_length=1, max_length=MAX_DEGREE + 1)]
    proportional: Annotated[float, Field(strict=True, ge=0, le=1e3)] = 0.0


class TableEntry(Entry):
    """A foot rotation indicator from a table over the phase and its rate.

    If `file` is given, it has the other fields.
    """

    file: Name | None = None
    theta: Range | None = None
    rate: Range | None = None
    at: (
        Annotated[
            list[Annotated[list[Length], Field(min_length=2, max_length=MAX_TABLE)]],
            Field(min_length=2, max_length=MAX_TABLE),
        ]
        | None
    ) = None


class PolicyEntry(Entry):
    """The foot rotation indicator, with exactly one of these fields."""

    constant: ConstantEntry | None = None
    integral: IntegralEntry | None = None
    table: TableEntry | None = None


class EndsEntry(Entry):
    """Condition that ends a stage: theta or its rate reaches a value, or a link touches or leaves the ground."""

    theta: Number | None = None
    rate: Number | None = None
    contact: Name | None = None
    leaves: Name | None = None


class StageEntry(Entry):
    """A stage: standing feet, tracked rows over a range of the phase, and its end."""

    name: Name
    theta: Range
    contacts: Annotated[dict[Name, ContactKind], Field(max_length=MAX_CONTACTS)] = Field(default_factory=dict)
    track: Annotated[dict[Name, Coefficients], Field(max_length=MAX_LINKS + 3)]
    ends: EndsEntry
    policy: PolicyEntry | None = None


class TrackingEntry(Entry):
    """A tracking file."""

    phase: PhaseEntry
    swaps: Switch = False
    degree: Annotated[int, Field(strict=True, ge=1, le=MAX_DEGREE)] = 6
    gains: FeedbackEntry = FeedbackEntry()
    ground: AssumedGroundEntry = AssumedGroundEntry()
    switch: SwitchEntry = SwitchEntry()
    policy: PolicyEntry | None = None
    stages: Annotated[list[StageEntry], Field(min_length=1, max_length=MAX_STAGES)]
