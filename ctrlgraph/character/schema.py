"""Schema of character files and files of roles: pydantic models of their contents.

The models check each value of a file. Other modules check names and convert the contents to a `Character`.
"""

from __future__ import annotations

from typing import Annotated, Protocol, cast

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    TypeAdapter,
    ValidatorFunctionWrapHandler,
    WrapValidator,
)

from ctrlgraph.bounds import MAX_CONTACTS, MAX_LINKS, name_fault
from ctrlgraph.character.model import TorqueRange

ROLE_FIELDS = ("roles", "pairs")
"""The fields of a character file that say what links and joints are (foot, left and right), not how they move."""

LEAST = 1e-4
"""Minimum magnitude of masses, kg, sizes, m, and torque limits, N m.

Smaller values are not physical, and the engine divides by these numbers.
"""
MOST = 1e4
"""Maximum magnitude of masses, kg, sizes, m, and torque limits, N m."""
LARGEST_RADIUS = 10.0
"""Maximum radius of a contact circle, m."""
FARTHEST = 100.0
"""Maximum magnitude of a coordinate, m.

Centres of mass and joints are measured from the origin, contact circles from the centre of mass of their link.
"""
WIDEST_ANGLE = 7.0
"""Maximum magnitude of a joint's angle limits, rad."""
LOWEST_MAX_SPEED = 1.0
"""Minimum of `max_speed` of a joint, rad/s."""
HIGHEST_MAX_SPEED = 1000.0
"""Maximum of `max_speed` of a joint, rad/s."""
LONGEST_RISE = 1.0
"""Maximum of `rise_time` of a joint, s."""
MOST_PASSIVE = 1e6
"""Maximum stiffness, N m/rad, damping, N m s/rad, armature, kg m^2, and dry friction, N m, of a joint in space."""


def _not_tiny(value: float) -> float:
    if abs(value) < LEAST:
        least = f"at least {LEAST:g}" if value >= 0.0 else f"at most {-LEAST:g}"
        raise ValueError(f"must be {least}, not {value:g}")
    return value


def _not_boolean(value: object) -> object:
    if isinstance(value, bool):
        raise ValueError(f"must be a number, not {str(value).lower()}")
    return value


NOT_BOOLEAN = BeforeValidator(_not_boolean)
"""Validator of numbers, since pydantic converts true to 1."""


def _named(value: object) -> object:
    fault = name_fault(value) if isinstance(value, str) else None
    if fault is not None:
        raise ValueError(fault)
    return value


Name = Annotated[str, BeforeValidator(_named)]
Names = Annotated[list[Name], Field(max_length=MAX_LINKS)]
Positive = Annotated[float, Field(gt=0, le=MOST, allow_inf_nan=False), AfterValidator(_not_tiny), NOT_BOOLEAN]
Negative = Annotated[float, Field(lt=0, ge=-MOST, allow_inf_nan=False), AfterValidator(_not_tiny), NOT_BOOLEAN]
Radius = Annotated[float, Field(gt=0, le=LARGEST_RADIUS), AfterValidator(_not_tiny), NOT_BOOLEAN]
Gain = Annotated[float, Field(ge=0, le=1e6, allow_inf_nan=False), NOT_BOOLEAN]
JointSpeed = Annotated[float, Field(ge=LOWEST_MAX_SPEED, le=HIGHEST_MAX_SPEED, allow_inf_nan=False), NOT_BOOLEAN]
RiseTime = Annotated[float, Field(ge=0, le=LONGEST_RISE, allow_inf_nan=False), NOT_BOOLEAN]
Finite = Annotated[float, Field(allow_inf_nan=False, ge=-FARTHEST, le=FARTHEST), NOT_BOOLEAN]
Angle = Annotated[float, Field(allow_inf_nan=False, ge=-WIDEST_ANGLE, le=WIDEST_ANGLE), NOT_BOOLEAN]


class StrictEntry(BaseModel):
    """Base class of the parts of a file. Unknown fields are errors."""

    model_config = ConfigDict(extra="forbid", strict=False)


class GainsEntry(StrictEntry):
    """Default PD gains of a joint: `kp` in N m/rad, `kd` in N m s/rad."""

    kp: Gain = 300.0
    kd: Gain = 45.0


class LinkEntry(StrictEntry):
    """A link in a character file: mass, kg, `size` [height, width], m, and centre of mass `at` [x, y], m.

    Positions are those in the reference pose. Each of `contacts` is a circle [x, y, radius], m, that can touch the
    ground, with its centre relative to the centre of mass of the link.
    """

    mass: Positive
    size: tuple[Positive, Positive]
    at: tuple[Finite, Finite]
    contacts: Annotated[list[tuple[Finite, Finite, Radius]], Field(max_length=MAX_CONTACTS)] = []
    aliases: Names = []


class TorqueEntry(StrictEntry):
    """Torque limits of a joint, N m: the default limit, which scripts can change, and the hard limit.

    Each limit is [anticlockwise, clockwise], a negative and a positive number.
    """

    limit: tuple[Negative, Positive]
    hard: tuple[Negative, Positive]

    @property
    def ranges(self) -> tuple[TorqueRange, TorqueRange]:
        """Return the default limit and the hard limit of the torque."""
        return TorqueRange(*self.limit), TorqueRange(*self.hard)

    def fault(self) -> str | None:
        """Return a message if the default limit exceeds the hard limit in a direction, else None."""
        limit, hard = self.ranges
        if hard.lower <= limit.lower and limit.upper <= hard.upper:
            return None
        if limit.upper > hard.upper:
            return f"the default torque limit {limit.upper:g} is above the hard limit {hard.upper:g}"
        return f"the default torque limit {limit.lower:g} is below the hard limit {hard.lower:g}"


def _torque(value: object, validated: ValidatorFunctionWrapHandler) -> TorqueEntry:
    """Validate the torque limits of a joint. The short form [default, hard] has equal limits in both directions."""
    if isinstance(value, TorqueEntry):
        return value
    if not isinstance(value, dict):
        limit, hard = _TORQUE_PAIR.validate_python(value)
        value = {"limit": (-limit, limit), "hard": (-hard, hard)}
    return cast(TorqueEntry, validated(value))


_TORQUE_PAIR = TypeAdapter[tuple[float, float]](tuple[Positive, Positive])

Torque = Annotated[TorqueEntry, WrapValidator(_torque)]


class JointEntry(StrictEntry):
    """A joint in a character file: names of its links, position, limits of its angle, rad, and of its torque, N m.

    The position `at` is [x, y] in the reference pose, m. Without `gains`, the gains of the file apply.
    """

    parent: str
    child: str
    at: tuple[Finite, Finite]
    limits: tuple[Angle, Angle]
    torque: Torque
    gains: GainsEntry | None = None
    max_speed: JointSpeed | None = None
    rise_time: RiseTime = 0.0
    aliases: Names = []


class RolesEntry(StrictEntry):
    """Field `roles` of a character file: for each role, the names of the links that have it."""

    trunk: Name | None = None
    head: Name | None = None
    axial: Names = []
    feet: Names = []
    hands: Names = []
    shins: Names = []


def _pair(value: object) -> object:
    if not isinstance(value, list) or len(value) != 2:
        raise ValueError("must be a list of two names, [right, left], such as [rThigh, lThigh]")
    return value


Pair = Annotated[tuple[Name, Name], BeforeValidator(_pair)]


class RolesSource(Protocol):
    """Contents of a file that can state roles and pairs."""

    @property
    def roles(self) -> RolesEntry:
        """Roles of links."""

    @property
    def pairs(self) -> list[tuple[str, str]]:
        """Pairs of a right and a left link or joint."""

    @property
    def model_fields_set(self) -> set[str]:
        """Names of the fields that the file contains."""


class CharacterEntry(StrictEntry):
    """Contents of a YAML file of a planar character."""

    name: Name
    planar: bool = True
    gains: GainsEntry = GainsEntry()
    links: Annotated[dict[Name, LinkEntry], Field(min_length=2, max_length=MAX_LINKS)]
    joints: Annotated[dict[Name, JointEntry], Field(min_length=1, max_length=MAX_LINKS)]
    aliases: Annotated[dict[Name, str], Field(max_length=MAX_LINKS)] = {}
    roles: RolesEntry = RolesEntry()
    pairs: Annotated[list[Pair], Field(max_length=2 * MAX_LINKS)] = []


class JointGainsEntry(GainsEntry):
    """Field `gains` of a file of roles: PD gains of all joints and, in `joints`, gains of single joints by name."""

    joints: Annotated[dict[Name, GainsEntry], Field(max_length=MAX_LINKS)] = {}


class SidecarEntry(StrictEntry):
    """Contents of the file of roles next to a MuJoCo model: data of a character that MJCF cannot contain."""

    roles: RolesEntry = RolesEntry()
    pairs: Annotated[list[Pair], Field(max_length=2 * MAX_LINKS)] = []
    aliases: Annotated[dict[Name, str], Field(max_length=MAX_LINKS)] = {}
    gains: JointGainsEntry = JointGainsEntry()
    torque: Annotated[dict[Name, Torque], Field(max_length=MAX_LINKS)] = {}

    def gains_of(self, joint: str) -> GainsEntry:
        """Return the gains of the joint with the name `joint`."""
        return self.gains.joints.get(joint, self.gains)
