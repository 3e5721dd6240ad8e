"""Pydantic models of tracking files; docs/reference/tracking.md describes the fields."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from ctrlgraph.bounds import MAX_LINKS
from ctrlgraph.control.controller_file import Entry, Name, Switch

MAX_STAGES = 16
MAX_DEGREE = 9
"""Maximum degree of the splines of a tracking file."""
MAX_PIECES = 64
"""Maximum number of polynomial pieces of a spline."""
MAX_COEFFICIENTS = MAX_PIECES + MAX_DEGREE
MAX_TABLE = 400
"""Maximum number of rows and of columns of a policy's table."""
MAX_NUMBER = 1e6
"""Maximum absolute value of a number without a narrower range."""
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
    """A line between two points. A joint's name means the joint, and a link's name the middle of the link's sole."""

    start: Name = Field(alias="from")
    end: Name = Field(alias="to")


class PhaseEntry(Entry):
    """The phase variable theta, with exactly one of these fields.

    `angle` is the line whose clockwise angle from the vertical is theta. `ahead` names the feet; theta is the distance
    of the centre of mass ahead of the middle of their soles.
    """

    angle: LineEntry | None = None
    ahead: Annotated[list[Name], Field(min_length=1, max_length=MAX_CONTACTS)] | None = None


class FeedbackEntry(Entry):
    """Gains for the tracking error y: y'' = -(k_s / eps^2) y - (k_d / eps) y'; `k_d` is 2 sqrt(k_s) by default."""

    eps: Annotated[float, Field(strict=True, ge=1e-4, le=10)] = 0.1
    k_s: Annotated[float, Field(strict=True, ge=1e-4, le=1e6)] = 10.0
    k_d: Annotated[float, Field(strict=True, ge=1e-4, le=1e6)] | None = None


class AssumedGroundEntry(Entry):
    """Properties of the ground that the controller assumes. `lean` shifts the ranges of theta on a slope."""

    friction: Annotated[float, Field(strict=True, gt=0, le=10)] = 0.9
    margin: Annotated[float, Field(strict=True, ge=0, le=1)] = 0.015
    least_force: Annotated[float, Field(strict=True, ge=0, le=1e4)] = 20.0
    lean: Annotated[float, Field(strict=True, ge=-10, le=10)] = 0.0


class SwitchEntry(Entry):
    """Conditions for a contact to end a stage; `impact`: time for which predicted velocities are used after it, s."""

    after: Seconds = 0.08
    feet_apart: Annotated[float, Field(strict=True, ge=0, le=10)] = 0.1
    impact: Seconds = 0.02
    backward: Annotated[float, Field(strict=True, allow_inf_nan=False, ge=-100, le=0)] = -0.5
    level: Annotated[float, Field(strict=True, allow_inf_nan=False, gt=0, le=4)] = 4.0


class ConstantEntry(Entry):
    """A constant point of the ground force, `at` m ahead of the ankle."""

    at: Length


class IntegralEntry(Entry):
    """PI control of theta' by the point of the ground force. `rate` is the desired theta' as a Bezier curve."""

    at: Length
    gain: Annotated[float, Field(strict=True, ge=0, le=1e3)]
    rate: Annotated[list[Number], Field(min_length=1, max_length=MAX_DEGREE + 1)]
    proportional: Annotated[float, Field(strict=True, ge=0, le=1e3)] = 0.0


class TableEntry(Entry):
    """The point of the ground force from a table over theta and theta'.

    Tracking files give only `file`, an archive with the table. The other fields are filled when that file is read:
    ranges of theta and theta', and the points, m ahead of the ankle.
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
    """Policy that chooses the point of the sole at which the ground force acts, with exactly one of these fields."""

    constant: ConstantEntry | None = None
    integral: IntegralEntry | None = None
    table: TableEntry | None = None


class EndsEntry(Entry):
    """The end of a stage, with exactly one of `theta`, `contact` and `leaves`.

    The stage ends when theta exceeds `theta`, or when the link `contact` touches the ground, or when the link `leaves`
    leaves the ground. With `theta`, `rate` is optional: the stage also ends when theta' reaches `rate`.
    """

    theta: Number | None = None
    rate: Number | None = None
    contact: Name | None = None
    leaves: Name | None = None


class StageEntry(Entry):
    """A stage: standing feet (`contacts`), splines of the tracked rows (`track`) over a range of theta, and the end."""

    name: Name
    theta: Range
    contacts: Annotated[dict[Name, ContactKind], Field(max_length=MAX_CONTACTS)] = Field(default_factory=dict)
    track: Annotated[dict[Name, Coefficients], Field(max_length=MAX_LINKS + 3)]
    ends: EndsEntry
    policy: PolicyEntry | None = None


class TrackingEntry(Entry):
    """A tracking file: definition of theta, gains, assumed ground, policy and stages."""

    phase: PhaseEntry
    swaps: Switch = False
    degree: Annotated[int, Field(strict=True, ge=1, le=MAX_DEGREE)] = 6
    gains: FeedbackEntry = FeedbackEntry()
    ground: AssumedGroundEntry = AssumedGroundEntry()
    switch: SwitchEntry = SwitchEntry()
    policy: PolicyEntry | None = None
    stages: Annotated[list[StageEntry], Field(min_length=1, max_length=MAX_STAGES)]
