"""Registry of measures: functions of a motion, with unit and required roles."""

from __future__ import annotations

import inspect
import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from ctrlgraph.errors import CtrlGraphError, printable

if TYPE_CHECKING:
    from types import ModuleType

    import numpy as np
    from numpy.typing import NDArray

    from ctrlgraph.character.model import Character
    from ctrlgraph.registry import Registry
    from ctrlgraph.simulation.measures.planar_motion import Motion

Sampled = Literal["end", "course"]
"""Whether a measure is taken at the end of a motion or over its course."""

NEEDED_ROLES = ("head", "axial", "feet", "hands", "shins")
"""Roles that a measure can need; every character has a root and a trunk."""

_NAME = re.compile(r"[a-z][a-z0-9_]*")


@dataclass(frozen=True, slots=True)
class Measure:
    """A quantity of a motion."""

    name: str
    description: str
    compute: Callable[[Motion], float]
    unit: str
    """SI unit; "1" for none."""
    needs: Mapping[str, int]
    """Number of links that the character must have, by role."""
    sampled: Sampled
    scales: bool = False
    """Whether it is a length that grows with the body, like ranges of it."""
    course: Callable[[Motion], NDArray[np.float64]] | None = None
    """Function that returns the values (n,) in all samples; only measures with it can be bounds."""
    circular: bool = False
    """Whether it is an angle on the circle, where 3.2 and 3.2 - 2 pi are equal (`conditions.arc`)."""
    exertions: bool = False
    """Whether it needs the trace's exertions; without them it is NaN."""

    def __call__(self, motion: Motion) -> float:
        """
        Raises:
            CtrlGraphError: a package's measure cannot measure this motion.
        """
        if self.exertions and not motion.trace.has_exertions:
            return math.nan
        try:
            return float(self.compute(motion))
        except Exception as error:
            if self.compute.__module__.startswith("ctrlgraph."):
                raise
            reason = printable(f"{type(error).__name__}: {error}")
            raise CtrlGraphError(f"the measure '{self.name}' of a package fails ({reason})") from error

    @property
    def label(self) -> str:
        """Return the description with the unit, if there is one."""
        return self.description if self.unit == "1" else f"{self.description}, {self.unit}"

    @property
    def needed(self) -> str:
        """Return the required roles as text: "hands, feet" or "2 feet"."""
        return ", ".join(
            _WORDS.get(role, role) if least == 1 else f"{least} {role}" for role, least in self.needs.items()
        )

    def missing(self, character: Character) -> list[str]:
        """Return what the character lacks, such as "no hands" or "1 of 2 feet"; empty if nothing."""
        missing = []
        for role, least in self.needs.items():
            count = len(character.roles.of(role))
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
            "bound": self.course is not None,
            "circular": self.circular,
        }


_WORDS = {"axial": "axial links"}


class Measures(Mapping[str, Measure]):
    """All measures by name: ours, then those of installed packages.

    A package adds measures by an entry point of the group `ctrlgraph.measures` that names a module. The module calls
    `register`, and is imported at the first access. `broken` contains the errors of packages by name.
    """

    def __init__(self) -> None:
        self.broken: dict[str, str] = {}
        self.own: dict[str, Measure] = {}
        """The measures that are registered so far."""
        self._packages: Registry[ModuleType] | None = None

    def add(self, measure: Measure) -> None:
        """Add a measure.

        Raises:
            CtrlGraphError: the name is taken.
        """
        if measure.name in self.own:
            raise CtrlGraphError(f"there is a measure '{measure.name}' already")
        self.own[measure.name] = measure

    def discard(self, name: str) -> None:
        """Remove a measure."""
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
) -> Callable[[Callable[[Motion], float]], Callable[[Motion], float]]:
    """Return a decorator that registers a function of a motion as the measure of its name.

    The function's docstring begins with "Return the"; its first paragraph is the description of the measure.

    Args:
        unit: SI unit; "1" for none.
        sampled: whether the measure is taken at the end or over the course.
        needs: number of links that the character must have, by role.
        scales: whether the measure is a length that grows with the body.
        course: returns the values (n,) in all samples; the compiled loop can watch such a measure as a bound.
        circular: whether the measure is an angle on the circle.
        exertions: whether the measure needs the trace's exertions; without them the measure is NaN.

    Raises:
        CtrlGraphError: the name is taken or invalid, the docstring is missing, or a role is unknown.
    """

    def registered(compute: Callable[[Motion], float]) -> Callable[[Motion], float]:
        name = compute.__name__
        text = " ".join(inspect.cleandoc(compute.__doc__ or "").partition("\n\n")[0].split())
        if not _NAME.fullmatch(name):
            raise CtrlGraphError(f"'{name}' is not a valid name of a measure: use lower-case letters, digits and _")
        if not text.startswith("Return the "):
            raise CtrlGraphError(f"the docstring of the measure '{name}' must begin with 'Return the'")
        if not all(type(least) is int and least > 0 for least in (needs or {}).values()):
            raise CtrlGraphError(f"the needs of the measure '{name}' must be positive whole numbers by role")
        unknown = [role for role in needs or {} if role not in NEEDED_ROLES]
        if unknown:
            raise CtrlGraphError(
                f"the measure '{name}' needs '{unknown[0]}', which is none of {', '.join(NEEDED_ROLES)}"
            )
        description = text.removeprefix("Return the ").rstrip(".")
        flags = (scales, course, circular, exertions)
        MEASURES.add(Measure(name, description, compute, unit, dict(needs or {}), sampled, *flags))
        return compute

    return registered


def lacking(names: Iterable[str], character: Character) -> dict[str, str]:
    """Return a sentence for each of these measures that does not fit the character, by name."""
    found = {}
    for name in names:
        missing = MEASURES[name].missing(character) if name in MEASURES else []
        if missing:
            found[name] = f"'{name}' cannot be measured: the character {character.name} has {' and '.join(missing)}"
    return found


HOW_TO_STATE = "its file states them under 'roles'"
"""Hint for missing roles."""


def require(names: Iterable[str], character: Character) -> None:
    """Check that measures fit a character.

    Raises:
        CtrlGraphError: the character lacks a role that one of the measures needs.
    """
    for sentence in lacking(names, character).values():
        raise CtrlGraphError(f"{sentence} ({HOW_TO_STATE})")
