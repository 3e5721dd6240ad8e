"""Schema of files about spatial characters: pydantic models of their contents."""

from __future__ import annotations

import math
from typing import Annotated, Literal

from pydantic import AfterValidator, Field, PlainValidator, TypeAdapter

from ctrlgraph.bounds import MAX_CONTACTS, MAX_LINKS
from ctrlgraph.character.model import TorqueRange
from ctrlgraph.character.schema import (
    MOST,
    MOST_PASSIVE,
    NOT_BOOLEAN,
    Angle,
    Finite,
    GainsEntry,
    JointSpeed,
    Name,
    Names,
    Pair,
    Positive,
    RiseTime,
    RolesEntry,
    SidecarEntry,
    StrictEntry,
    Torque,
)
from ctrlgraph.character.spatial_model import UNROTATED

MAX_LEGS = 20
"""Maximum number of legs of a character."""

MAX_POSES = 1000
"""Maximum number of named poses of a character."""

MOST_HINGES = 3
"""Maximum number of hinges between a link and its parent."""

SATURATING_ERROR = 0.25
"""Deviation of a joint's angle from its target at which the default PD gains reach the torque limit, rad."""

DAMPING_TIME = 0.05
"""Ratio kd / kp of the default PD gains, s."""

_LEAST_LENGTH = 1e-6


def default_gains(hard: TorqueRange) -> GainsEntry:
    """Return the PD gains of a joint for which a file states none; they suit its hard torque limit."""
    kp = min(hard.upper, -hard.lower) / SATURATING_ERROR
    return GainsEntry(kp=kp, kd=DAMPING_TIME * kp)


def _unit(values: tuple[float, ...]) -> tuple[float, ...]:
    length = math.hypot(*values)
    if length < _LEAST_LENGTH:
        raise ValueError("must not be zero")
    return tuple(value / length for value in values)


Vector3 = tuple[Finite, Finite, Finite]
Axis = Annotated[tuple[Finite, Finite, Finite], AfterValidator(_unit)]
Rotation = Annotated[tuple[Finite, Finite, Finite, Finite], AfterValidator(_unit)]
Share = Annotated[float, Field(ge=0, le=1), NOT_BOOLEAN]
Passive = Annotated[float, Field(ge=0, le=MOST_PASSIVE, allow_inf_nan=False), NOT_BOOLEAN]
Moment = Annotated[float, Field(ge=-MOST, le=MOST, allow_inf_nan=False), NOT_BOOLEAN]

SIZES = {"sphere": 1, "capsule": 2, "cylinder": 2, "box": 3, "ellipsoid": 3}
"""Number of sizes of a shape, by its kind."""


class ShapeEntry(StrictEntry):
    """A shape of a link: kind, sizes, m, and its pose in the frame of the link.

    The sizes are those of MuJoCo: radius; radius and half the length; or three half-sizes. The axis of a capsule or
    cylinder is z.
    """

    kind: Literal["sphere", "capsule", "cylinder", "box", "ellipsoid"]
    size: Annotated[list[Positive], Field(min_length=1, max_length=3)]
    at: Vector3 = (0.0, 0.0, 0.0)
    orientation: Rotation = UNROTATED
    collides: bool = True
    color: tuple[Share, Share, Share, Share] | None = None


class SpatialLinkEntry(StrictEntry):
    """A link of a spatial character.

    `at` and `orientation` are the pose of its frame in the world, in the reference pose. The centre of mass `com`, m,
    and the inertia `inertia` [xx, yy, zz, xy, xz, yz] about it, kg m^2, are in this frame. Without `inertia`, both
    follow from the shapes, with a uniform density: that of the file, kg/m^3, or that which gives `mass`, kg.
    """

    at: Vector3
    orientation: Rotation = UNROTATED
    mass: Positive | None = None
    density: Positive | None = None
    com: Vector3 | None = None
    inertia: tuple[Moment, Moment, Moment, Moment, Moment, Moment] | None = None
    shapes: Annotated[list[ShapeEntry], Field(max_length=MAX_CONTACTS)] = []
    aliases: Names = []


Limits = tuple[Angle, Angle]

_ONE_AXIS = TypeAdapter[Limits](Limits)
_AXES = TypeAdapter[list[Limits]](Annotated[list[Limits], Field(max_length=MOST_HINGES)])


def _limits(value: object) -> Limits | list[Limits]:
    """Validate the limits of a joint: one pair, or a list of pairs. The errors are those of the form that is meant."""
    is_list = isinstance(value, list) and any(isinstance(each, list) for each in value)
    return _AXES.validate_python(value) if is_list else _ONE_AXIS.validate_python(value)


class SpatialJointEntry(StrictEntry):
    """A joint of a spatial character: a hinge with one axis, a universal joint with two, or a ball joint with three.

    `at` and the axes are in the world, in the reference pose. A ball joint turns about the axes x, y and z of the
    child's frame.
    """

    kind: Literal["hinge", "universal", "ball"] = "hinge"
    parent: str
    child: str
    at: Vector3
    axis: Axis | None = None
    axes: tuple[Axis, Axis] | None = None
    limits: Annotated[Limits | list[Limits], PlainValidator(_limits)]
    torque: Torque | None = None
    gains: GainsEntry | None = None
    stiffness: Passive = 0.0
    spring_angle: Angle = 0.0
    damping: Passive = 0.0
    armature: Passive = 0.0
    friction_loss: Passive = 0.0
    max_speed: JointSpeed | None = None
    rise_time: RiseTime = 0.0
    aliases: Names = []


class PoseEntry(StrictEntry):
    """A named pose: the pose of the root's frame in the world, and angles of joints, rad."""

    at: Vector3 | None = None
    orientation: Rotation | None = None
    angles: Annotated[dict[Name, Angle], Field(max_length=3 * MAX_LINKS)] = {}


class LegEntry(StrictEntry):
    """A leg: names of its joints, from the trunk outward, and of its foot."""

    name: Name
    hip: Annotated[Names, Field(min_length=1)]
    knee: Name
    ankles: Names = []
    foot: Name


class SpatialRolesEntry(RolesEntry):
    """Field `roles` of a file about a spatial character."""

    legs: Annotated[list[LegEntry], Field(max_length=MAX_LEGS)] = []
    spine: Names = []
    neck: Names = []
    tail: Names = []


class SpatialSidecarEntry(SidecarEntry):
    """Contents of the file of roles next to a MuJoCo model of a spatial character."""

    roles: SpatialRolesEntry = SpatialRolesEntry()


class SpatialCharacterEntry(StrictEntry):
    """Contents of a YAML file of a spatial character."""

    name: Name
    planar: bool
    floating: bool = True
    gains: GainsEntry | None = None
    links: Annotated[dict[Name, SpatialLinkEntry], Field(min_length=2, max_length=MAX_LINKS)]
    joints: Annotated[dict[Name, SpatialJointEntry], Field(min_length=1, max_length=3 * MAX_LINKS)]
    aliases: Annotated[dict[Name, str], Field(max_length=MAX_LINKS)] = {}
    roles: SpatialRolesEntry = SpatialRolesEntry()
    pairs: Annotated[list[Pair], Field(max_length=2 * MAX_LINKS)] = []
    poses: Annotated[dict[Name, PoseEntry], Field(max_length=MAX_POSES)] = {}
    excludes: Annotated[list[tuple[str, str]], Field(max_length=MAX_LINKS * MAX_LINKS)] = []
