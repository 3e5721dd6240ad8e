"""What may stand in a tracking file: pydantic models of its text. docs/tracking.md tells what the fields mean."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from ctrlgraph.bounds import MAX_LINKS

MAX_STAGES = 16
MAX_DEGREE = 9
MAX_PIECES = 64
MAX_COEFFICIENTS = MAX_PIECES + MAX_DEGREE
MAX_TABLE = 400
"""Values of a policy's table along either side."""
MAX_NUMBER = 1e6
MAX_CONTACTS = 2
"""Feet that a stage has on the ground."""

Name = Annotated[str, Field(strict=True, min_length=1, max_length=200)]
Number = Annotated[float, Field(strict=True, allow_inf_nan=False, ge=-MAX_NUMBER, le=MAX_NUMBER)]
Angle = Annotated[float, Field(strict=True, allow_inf_nan=False, ge=-100, le=100)]
Coefficients = Annotated[list[Number], Field(min_length=1, max_length=MAX_COEFFICIENTS)]
Range = tuple[Number, Number]
Seconds = Annotated[float, Field(strict=True, allow_inf_nan=False, ge=0, le=10)]
Length = Annotated[float, Field(strict=True, allow_inf_nan=False, ge=-10, le=10)]
ContactKind = Literal["flat", "toe", "heel", "point"]


class Entry(BaseModel):
    """What a file says, and nothing that is not listed here."""

    model_config = ConfigDict(extra="forbid", frozen=True, populate_by_name=True)


class LineEntry(Entry):
    """A vector from one point of the body to another: joints, or links that stand for their lowest contact circle."""

    start: Name = Field(alias="from")
    end: Name = Field(alias="to")


class PhaseEntry(Entry):
    """What the phase variable is."""

    angle: LineEntry | None = None
    ahead: Annotated[list[Name], Field(min_length=1, max_length=MAX_CONTACTS)] | None = None


class FeedbackEntry(Entry):
    """How hard the constraints are held: y'' = -(k_s / eps^2) y - (k_d / eps) y', k_d = 2 sqrt(k_s) by default."""

    eps: Annotated[float, Field(strict=True, ge=1e-4, le=10)] = 0.1
    k_s: Annotated[float, Field(strict=True, ge=1e-4, le=1e6)] = 10.0
    k_d: Annotated[float, Field(strict=True, ge=1e-4, le=1e6)] | None = None


class AssumedGroundEntry(Entry):
    """What the controller takes the ground for."""

    friction: Annotated[float, Field(strict=True, gt=0, le=10)] = 0.9
    margin: Annotated[float, Field(strict=True, ge=0, le=1)] = 0.015
    least_force: Annotated[float, Field(strict=True, ge=0, le=1e4)] = 20.0
    lean: Annotated[float, Field(strict=True, ge=-10, le=10)] = 0.0


class SwitchEntry(Entry):
    """When a contact counts as the end of a stage, and what is done just after one."""

    after: Seconds = 0.08
    feet_apart: Annotated[float, Field(strict=True, ge=0, le=10)] = 0.1
    impact: Seconds = 0.02
    backward: Annotated[float, Field(strict=True, allow_inf_nan=False, ge=-100, le=0)] = -0.5
    level: Annotated[float, Field(strict=True, allow_inf_nan=False, gt=0, le=4)] = 4.0


class ConstantEntry(Entry):
    """The foot rotation indicator stays where it is."""

    at: Length


class IntegralEntry(Entry):
    """The foot rotation indicator follows the integral of how much too fast the phase goes."""

    at: Length
    gain: Annotated[float, Field(strict=True, ge=0, le=1e3)]
    rate: Annotated[list[Number], Field(min_length=1, max_length=MAX_DEGREE + 1)]
    proportional: Annotated[float, Field(strict=True, ge=0, le=1e3)] = 0.0


class TableEntry(Entry):
    """The foot rotation indicator by phase and its rate, between the points of a grid; here, or in a file beside."""

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
    """Where the foot rotation indicator is: one of these."""

    constant: ConstantEntry | None = None
    integral: IntegralEntry | None = None
    table: TableEntry | None = None


class EndsEntry(Entry):
    """How a stage ends: by its phase (before that by its rate), by a link that touches the ground, or leaves it."""

    theta: Number | None = None
    rate: Number | None = None
    contact: Name | None = None
    leaves: Name | None = None


class StageEntry(Entry):
    """A stage: which feet stand and how, which rows are tracked over which range of the phase, how it ends."""

    name: Name
    theta: Range
    contacts: Annotated[dict[Name, ContactKind], Field(max_length=MAX_CONTACTS)] = {}
    track: Annotated[dict[Name, Coefficients], Field(max_length=MAX_LINKS + 3)]
    ends: EndsEntry
    policy: PolicyEntry | None = None


class TrackingEntry(Entry):
    """A tracking file."""

    phase: PhaseEntry
    swaps: Annotated[bool, Field(strict=True)] = False
    degree: Annotated[int, Field(strict=True, ge=1, le=MAX_DEGREE)] = 6
    gains: FeedbackEntry = FeedbackEntry()
    ground: AssumedGroundEntry = AssumedGroundEntry()
    switch: SwitchEntry = SwitchEntry()
    policy: PolicyEntry | None = None
    stages: Annotated[list[StageEntry], Field(min_length=1, max_length=MAX_STAGES)]
