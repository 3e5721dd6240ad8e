"""Registry of measures: functions that compute a quantity of a motion, with their units and the roles they need."""

from __future__ import annotations

import inspect
import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal, TypeVar

from ctrlgraph.character.spatial_model import SPATIAL
from ctrlgraph.errors import CtrlGraphError, printable

if TYPE_CHECKING:
    from types import ModuleType

    import numpy as np
    from numpy.typing import NDArray

    from ctrlgraph.character.model import Character
    from ctrlgraph.registry import Registry
    from ctrlgraph.simulation.measures.planar_motion import Motion
    from ctrlgraph.simulation.measures.spatial_motion import SpatialMotion

Sampled = Literal["end", "course"]
"""Whether a measure describes the end of a motion or its whole course."""

NEEDED_ROLES = ("head", "axial", "feet", "hands", "shins")
"""Roles of links that a measure can need. Every character has a root and a trunk, so they need not be listed."""

NEEDED_IN_SPACE = (*NEEDED_ROLES, "legs")
"""Roles that a measure in space can need."""

_NAME = re.compile(r"[a-z][a-z0-9_]*")

Planar = TypeVar("Planar", bound="Callable[[Motion], float]")
Spatial = TypeVar("Spatial", bound="Callable[[SpatialMotion], float]")


@dataclass(frozen=True, slots=True)
class Measure:
    """A quantity of a recorded motion, such as its mean speed: the function that computes it, and its unit."""

    name: str
    description: str
    """Description of the measure, as a noun phrase."""
    compute: Callable[[Motion], float] | None
    """Function that returns the value for a planar motion; None for a measure that exists only in space."""
    unit: str
    """SI unit; "1" for none."""
    needs: Mapping[str, int]
    """Minimum number of links with each role that the character must have, such as {"feet": 2}."""
    sampled: Sampled
    """Whether the measure describes the end of a motion or its whole course."""
    scales: bool = False
    """Whether the measure is a length, so that its ranges are scaled with the size of the character."""
    course: Callable[[Motion], NDArray[np.float64]] | None = None
    """Function that returns the measure's value in each sample, (n,), for a measure that can be a bound; else None."""
    circular: bool = False
    """Whether the measure is an angle on the circle, so that 3.2 and 3.2 - 2 pi are equal (see `ranges.arc`)."""
    exertions: bool = False
    """Whether the measure needs forces and work, which traces from files lack; without them, its value is NaN."""
    in_space: Callable[[SpatialMotion], float] | None = None
    """Function that returns the value for a motion in space; None for a measure that exists only in the plane."""
    course_in_space: Callable[[SpatialMotion], NDArray[np.float64]] | None = None
    """Function that returns the values in each sample of a motion in space, (n,), for a bound in space; else None."""

    @property
    def moves(self) -> str:
        """Return for which motions the measure exists: "plane", "space" or "both"."""
        return "space" if self.compute is None else "plane" if self.in_space is None else "both"

    @property
    def is_bound(self) -> bool:
        """Return whether the measure can be a bound."""
        return self.course is not None or self.course_in_space is not None

    def exists_for(self, character: Character) -> bool:
        """Return whether the measure exists for the motions of a character, which may still lack roles."""
        return (self.in_space if character.morphology == SPATIAL else self.compute) is not None

    def values(self, motion: Motion | SpatialMotion) -> Sequence[float] | NDArray[np.float64]:
        """Return the values in all samples of a motion, (n,); empty for a measure that cannot be a bound."""
        course: Any = self.course_in_space if motion.character.morphology == SPATIAL else self.course
        return () if course is None else course(motion)

    def __call__(self, motion: Motion | SpatialMotion) -> float:
        """Return the value of the measure for a motion.

        Raises:
            CtrlGraphError: the measure belongs to a package, and its function has raised an exception.
        """
        if self.exertions and not motion.trace.has_exertions:
            return math.nan
        compute: Any = self.in_space if motion.character.morphology == SPATIAL else self.compute
        try:
            return float(compute(motion))
        except Exception as error:
            if compute.__module__.startswith("ctrlgraph."):
                raise
            reason = printable(f"{type(error).__name__}: {error}")
            raise CtrlGraphError(
                f"the measure '{self.name}' of a package has raised an error, so correct or uninstall the package"
                f" ({reason})"
            ) from error

    @property
    def label(self) -> str:
        """Return the description with the unit, if there is one."""
        return self.description if self.unit == "1" else f"{self.description}, {self.unit}"

    @property
    def needed(self) -> str:
        """Return the links that the character must have, as text such as "hands, feet" or "2 feet"; empty for none."""
        return ", ".join(
            _WORDS.get(role, role) if least == 1 else f"{least} {role}" for role, least in self.needs.items()
        )

    def missing(self, character: Character) -> list[str]:
        """Return what the character lacks for this measure, such as ["no hands", "1 of 2 feet"].

        If the measure does not exist for the character's motions, return one text such as "is spatial".
        """
        if not self.exists_for(character):
            return [f"is {character.morphology}"]
        missing = []
        for role, least in self.needs.items():
            count = len(character.roles.of(role)) if hasattr(character.roles, role) else 0
            if count < least:
                missing.append(f"{count} of {least} {role}" if count else f"no {_WORDS.get(role, role)}")
        return missing

    def as_dict(self) -> dict[str, object]:
        """Return the measure as JSON data."""
        return {
            "name": self.name,
            "unit": self.unit,
            "description": self.description,
            "needs": dict(self.needs),
            "sampled": self.sampled,
            "scales": self.scales,
            "bound": self.is_bound,
            "plane": self.compute is not None,
            "space": self.in_space is not None,
            "circular": self.circular,
        }


_WORDS = {"axial": "axial links"}


class Measures(Mapping[str, Measure]):
    """All measures by name, first from ctrlgraph and then from installed packages.

    A package adds measures by an entry point of the group `ctrlgraph.measures` that names a module. The module is
    imported when `Measures` is first read, and calls `register`.

    Attributes:
        broken: error message for each entry point whose module could not be imported, by name of the entry point.
    """

    def __init__(self) -> None:
        self.broken: dict[str, str] = {}
        self.own: dict[str, Measure] = {}
        """The measures that have been registered, by name. Reading it does not import packages."""
        self._packages: Registry[ModuleType] | None = None

    def add(self, measure: Measure) -> None:
        """Add a measure.

        Raises:
            CtrlGraphError: another measure has the same name.
        """
        if measure.name in self.own:
            raise CtrlGraphError(f"there is already a measure '{measure.name}': choose another name")
        self.own[measure.name] = measure

    def discard(self, name: str) -> None:
        """Remove the measure with this name."""
        del self.own[name]

    def __getitem__(self, name: str) -> Measure:
        return self._all()[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._all())

    def __len__(self) -> int:
        return len(self._all())

    def _all(self) -> dict[str, Measure]:
        if self._packages is None:
            from types import ModuleType

            from ctrlgraph.registry import Registry

            self._packages = packages = Registry("package of measures", "ctrlgraph.measures", ModuleType, {})
            self.broken = {}
            for name in packages.names:
                try:
                    packages[name]  # it registers its measures while it is imported
                except CtrlGraphError as error:  # using its measures is reported as an unknown name
                    self.broken[name] = str(error)
        return self.own


MEASURES = Measures()


def register(
    *,
    unit: str,
    sampled: Sampled,
    needs: Mapping[str, int] | None = None,
    scales: bool = False,
    course: Callable[[Motion], NDArray[np.float64]] | None = None,
    circular: bool = False,
    exertions: bool = False,
) -> Callable[[Planar], Planar]:
    """Return a decorator that registers a function of a planar motion as a measure.

    The measure has the name of the function. The docstring of the function must begin with "Return the". The rest of
    its first paragraph is the description of the measure.

    Args:
        unit: SI unit; "1" for none.
        sampled: "end" if the measure describes the end of a motion, "course" if it describes the whole course.
        needs: minimum number of links with each role (one of `NEEDED_ROLES`) that the character must have, such as
            {"feet": 2}; None for no links.
        scales: whether the measure is a length, so that its ranges are scaled with the size of the character.
        course: function that returns the measure's values (n,) in all n samples, for a measure that can be a bound.
        circular: whether the measure is an angle on the circle, so that 3.2 and 3.2 - 2 pi are equal.
        exertions: whether the measure needs forces and work, which traces from files lack. Without them, the value is
            NaN.

    Raises:
        CtrlGraphError: the name is invalid or taken, the docstring does not begin with "Return the", a number in
            `needs` is not a positive whole number, or a role is unknown.
    """

    def registered(compute: Planar) -> Planar:
        name, description = _described(compute, needs or {}, NEEDED_ROLES)
        flags = (scales, course, circular, exertions)
        MEASURES.add(Measure(name, description, compute, unit, dict(needs or {}), sampled, *flags))
        return compute

    return registered


def register_in_space(
    *,
    unit: str,
    sampled: Sampled,
    needs: Mapping[str, int] | None = None,
    scales: bool = False,
    course: Callable[[SpatialMotion], NDArray[np.float64]] | None = None,
    circular: bool = False,
    exertions: bool = False,
) -> Callable[[Spatial], Spatial]:
    """Return a decorator that registers a function of a motion in space as a measure.

    The name and the description of the measure are those of the function, as for `register`. A function with the name
    of a planar measure computes the same quantity in space. Then everything but `course` is that of the planar measure.

    Args:
        unit: SI unit; "1" for none.
        sampled: "end" if the measure describes the end of a motion, "course" if it describes the whole course.
        needs: minimum number of links (or legs) with each role (one of `NEEDED_IN_SPACE`) that the character must have;
            None for no links.
        scales: whether the measure is a length, so that its ranges are scaled with the size of the character.
        course: function that returns the measure's values (n,) in all n samples, for a measure that can be a bound.
        circular: whether the measure is an angle on the circle.
        exertions: whether the measure needs forces and work. Without them, the value is NaN.

    Raises:
        CtrlGraphError: as for `register`; or there is a planar measure of this name with another unit, or sampled
            otherwise.
    """

    def registered(compute: Spatial) -> Spatial:
        name, description = _described(compute, needs or {}, NEEDED_IN_SPACE)
        planar = MEASURES.own.get(name)
        if planar is None:
            fields: dict[str, Any] = {"scales": scales, "circular": circular, "exertions": exertions}
            own = Measure(name, description, None, unit, dict(needs or {}), sampled, **fields)
            MEASURES.add(replace(own, in_space=compute, course_in_space=course))
        elif planar.in_space is not None:
            raise CtrlGraphError(f"there is already a measure '{name}' in space: choose another name")
        elif (planar.unit, planar.sampled) != (unit, sampled):
            raise CtrlGraphError(
                f"the measure '{name}' in the plane has the unit '{planar.unit}' and is sampled '{planar.sampled}': "
                "use the same in space, or choose another name"
            )
        else:
            MEASURES.own[name] = replace(planar, in_space=compute, course_in_space=course)
        return compute

    return registered


def also_in_space(compute: Spatial) -> Spatial:
    """Register a function that is a planar measure as a measure in space too: it computes both from a `BaseMotion`."""
    planar = MEASURES.own[compute.__name__]
    MEASURES.own[planar.name] = replace(planar, in_space=compute)
    return compute


def _described(compute: Callable[..., float], needs: Mapping[str, int], roles: Iterable[str]) -> tuple[str, str]:
    """Return the name and the description of a measure that is to be registered.

    Args:
        compute: function of the measure.
        needs: minimum number of links with each role.
        roles: roles that can be needed.

    Raises:
        CtrlGraphError: the name, the docstring or `needs` is invalid.
    """
    name = compute.__name__
    text = " ".join(inspect.cleandoc(compute.__doc__ or "").partition("\n\n")[0].split())
    if not _NAME.fullmatch(name):
        raise CtrlGraphError(f"'{name}' is not a valid name of a measure: use lower-case letters, digits and _")
    if not text.startswith("Return the "):
        raise CtrlGraphError(f"the docstring of the measure '{name}' must begin with 'Return the'")
    if not all(type(least) is int and least > 0 for least in needs.values()):
        raise CtrlGraphError(
            f"'needs' of the measure '{name}' must map roles to positive numbers of links, such as {{'feet': 2}}"
        )
    unknown = [role for role in needs if role not in roles]
    if unknown:
        raise CtrlGraphError(f"the measure '{name}' needs the unknown role '{unknown[0]}': use {', '.join(roles)}")
    return name, text.removeprefix("Return the ").rstrip(".")


def lacking(names: Iterable[str], character: Character) -> dict[str, str]:
    """Return a message for each measure that a character cannot have, by name of the measure.

    Either the measure does not exist for motions in the plane or in space, or the character lacks links.

    Args:
        names: names of the measures to check; unknown names are skipped.
        character: the character.
    """
    found = {}
    for name in names:
        missing = MEASURES[name].missing(character) if name in MEASURES else []
        if not missing:
            continue
        reason = f"the character {character.name} has {' and '.join(missing)}"
        if not MEASURES[name].exists_for(character):
            reason = f"it exists only {_ONLY[MEASURES[name].moves]}, and the character {character.name} {missing[0]}"
        found[name] = f"'{name}' cannot be measured: {reason}"
    return found


_ONLY = {"plane": "in the plane", "space": "in space"}


def remedy(name: str, character: Character) -> str:
    """Return a hint for the user about a measure that a character cannot have.

    Args:
        name: name of the measure, one of those that `lacking` returns.
        character: the character.
    """
    if MEASURES[name].exists_for(character):
        return "add them under 'roles' in the file of the character"
    return "`ctrlgraph measures` lists the measures that the character can have"


def require(names: Iterable[str], character: Character) -> None:
    """Check that a character can have measures.

    Args:
        names: names of the measures.
        character: the character.

    Raises:
        CtrlGraphError: the character lacks a role that one of the measures needs, or the measure does not exist for
            its motions.
    """
    for name, sentence in lacking(names, character).items():
        raise CtrlGraphError(f"{sentence} ({remedy(name, character)})")
