"""Pydantic models of tracking files, which describe a controller that follows a motion by its phase variable theta."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from ctrlgraph.bounds import MAX_LINKS
from ctrlgraph.control.controller_file import Entry, Name, Switch

MAX_STAGES = 16
"""Maximum number of stages of a tracking file."""
MAX_DEGREE = 9
"""Maximum degree of the splines of a tracking file."""
MAX_PIECES = 64
"""Maximum number of polynomial pieces of a spline."""
MAX_COEFFICIENTS = MAX_PIECES + MAX_DEGREE
MAX_TABLE = 400
"""Maximum number of values of theta, and of its rate, in the table of a policy."""
MAX_NUMBER = 1e6
"""Maximum magnitude of a number in a tracking file, unless the number has a narrower range."""
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
    """A line between two points of the character. The name of a link means the middle of its sole."""

    start: Name = Field(alias="from")
    """Name of the joint or link at which the line begins."""
    end: Name = Field(alias="to")
    """Name of the joint or link at which the line ends."""


class PhaseEntry(Entry):
    """Definition of the phase variable theta: exactly one of the two fields must be given."""

    angle: LineEntry | None = None
    """Line whose clockwise angle from the vertical is theta, rad."""
    ahead: Annotated[list[Name], Field(min_length=1, max_length=MAX_CONTACTS)] | None = None
    """Names of the feet: theta is the distance of the centre of mass ahead of the middle of their soles, m."""


class FeedbackEntry(Entry):
    """Gains of the feedback of a tracking error y: y'' = -(k_s / eps^2) y - (k_d / eps) y'."""

    eps: Annotated[float, Field(strict=True, ge=1e-4, le=10)] = 0.1
    """Time scale of the feedback, s."""
    k_s: Annotated[float, Field(strict=True, ge=1e-4, le=1e6)] = 10.0
    """Gain of the error, without unit."""
    k_d: Annotated[float, Field(strict=True, ge=1e-4, le=1e6)] | None = None
    """Gain of the error's rate, without unit. None means 2 sqrt(k_s), which is critical damping."""


class AssumedGroundEntry(Entry):
    """Assumptions of the controller about the contact with the ground."""

    friction: Annotated[float, Field(strict=True, gt=0, le=10)] = 0.9
    """Coefficient of friction."""
    margin: Annotated[float, Field(strict=True, ge=0, le=1)] = 0.015
    """Minimum distance of the ground force from heel and toe, m."""
    least_force: Annotated[float, Field(strict=True, ge=0, le=1e4)] = 20.0
    """Minimum normal force of the ground on the standing feet, N."""
    lean: Annotated[float, Field(strict=True, ge=-10, le=10)] = 0.0
    """Shift of theta's ranges per rad of the ground's slope."""


class SwitchEntry(Entry):
    """Conditions under which a landing ends a stage, and the treatment of the time just after a landing."""

    after: Seconds = 0.08
    """Minimum time from the beginning of a stage until a contact can end it, s."""
    feet_apart: Annotated[float, Field(strict=True, ge=0, le=10)] = 0.1
    """Minimum horizontal distance between the feet at a landing that ends a stage, m."""
    impact: Seconds = 0.02
    """Time after a landing for which the controller uses the velocities that the impact map predicts, s."""
    backward: Annotated[float, Field(strict=True, allow_inf_nan=False, ge=-100, le=0)] = -0.5
    """Rate of theta below which a foot that lands behind the other one counts as a step backward, 1/s."""
    level: Annotated[float, Field(strict=True, allow_inf_nan=False, gt=0, le=4)] = 4.0
    """Maximum angle between sole and ground at a landing that ends a stage, rad."""


class ConstantEntry(Entry):
    """Policy by which the ground force acts at a constant point."""

    at: Length
    """The point, m ahead of the ankle."""


class IntegralEntry(Entry):
    """Policy that moves the point of the ground force forward if theta' is too high: PI control of theta'."""

    at: Length
    """The point without control error, m ahead of the ankle."""
    gain: Annotated[float, Field(strict=True, ge=0, le=1e3)]
    """Integral gain: shift of the point per integral of the error of theta'."""
    rate: Annotated[list[Number], Field(min_length=1, max_length=MAX_DEGREE + 1)]
    """Desired theta' over the stage, as the coefficients of a Bezier curve."""
    proportional: Annotated[float, Field(strict=True, ge=0, le=1e3)] = 0.0
    """Proportional gain: shift of the point per error of theta'."""


class TableEntry(Entry):
    """Policy that takes the point of the ground force from a table over theta and its rate.

    Tracking files give only `file`. The other fields are filled when the table is read from this file.
    """

    file: Name | None = None
    """Name of the .npz file with the table, in the directory of the tracking file."""
    theta: Range | None = None
    """Minimum and maximum of theta in the table."""
    rate: Range | None = None
    """Minimum and maximum of theta' in the table."""
    at: (
        Annotated[
            list[Annotated[list[Length], Field(min_length=2, max_length=MAX_TABLE)]],
            Field(min_length=2, max_length=MAX_TABLE),
        ]
        | None
    ) = None
    """Points, m ahead of the ankle: one list for each value of theta, with one point for each value of theta'."""


class PolicyEntry(Entry):
    """Rule for the point of the sole at which the ground force acts: exactly one of the fields must be given."""

    constant: ConstantEntry | None = None
    """A constant point."""
    integral: IntegralEntry | None = None
    """PI control of theta'."""
    table: TableEntry | None = None
    """A table over theta and theta'."""


class EndsEntry(Entry):
    """Event that ends a stage: exactly one of `theta`, `contact` and `leaves` must be given."""

    theta: Number | None = None
    """Value of theta above which the stage ends, rad (m if theta is a distance)."""
    rate: Number | None = None
    """Rate of theta at which the stage ends earlier, rad/s (m/s if theta is a distance). Only allowed with `theta`."""
    contact: Name | None = None
    """Name of the link that ends the stage when it touches the ground."""
    leaves: Name | None = None
    """Name of the link that ends the stage when it leaves the ground."""


class StageEntry(Entry):
    """A stage, which is a part of the motion with one set of contacts: what is tracked, and when the stage ends."""

    name: Name
    """Name of the stage."""
    theta: Range
    """Theta at the start and at the end of the splines."""
    contacts: Annotated[dict[Name, ContactKind], Field(max_length=MAX_CONTACTS)] = Field(default_factory=dict)
    """Part of the sole that touches the ground, by name of the standing link; empty in flight."""
    track: Annotated[dict[Name, Coefficients], Field(max_length=MAX_LINKS + 3)]
    """Spline coefficients of each tracked quantity, by name of the joint (rad), link (rad) or force component (N)."""
    ends: EndsEntry
    """Event that ends the stage."""
    policy: PolicyEntry | None = None
    """Rule for the point of the ground force in this stage; None means that of the file."""


class TrackingEntry(Entry):
    """Contents of a tracking file: a controller whose joint angles follow splines over the phase variable theta."""

    phase: PhaseEntry
    """Definition of theta."""
    swaps: Switch = False
    """Whether right and left are exchanged after the last stage."""
    degree: Annotated[int, Field(strict=True, ge=1, le=MAX_DEGREE)] = 6
    """Degree of the splines."""
    gains: FeedbackEntry = FeedbackEntry()
    """Gains of the tracking errors."""
    ground: AssumedGroundEntry = AssumedGroundEntry()
    """Assumptions about the ground."""
    switch: SwitchEntry = SwitchEntry()
    """Conditions for a landing to end a stage."""
    policy: PolicyEntry | None = None
    """Rule for the point of the ground force in stages without a rule of their own."""
    stages: Annotated[list[StageEntry], Field(min_length=1, max_length=MAX_STAGES)]
    """Stages in order; the first follows the last."""
