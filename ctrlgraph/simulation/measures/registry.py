"""The registry of measures: each is a function of a motion, registered with its unit and the roles that it needs."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

from ctrlgraph.errors import CtrlGraphError, printable

if TYPE_CHECKING:
    from types import ModuleType

    import numpy as np
    from numpy.typing import NDArray

    from ctrlgraph.character.model import Character
    from ctrlgraph.registry import Registry
    from ctrlgraph.simulation.measures.motion import Motion

Sampled = Literal["end", "course"]

NEEDED_ROLES = ("head", "axial", "feet", "hands", "shins")
"""The roles that a measure can need. Every character has a root and a trunk."""

_NAME = re.compile(r"[a-z][a-z0-9_]*")


@dataclass(frozen=True, slots=True)
class Measure:
    """A quantity of a motion.

    compute: its function. unit: SI, "1" where it has none. needs: how many links of a role the character must have.
    sampled: at the motion's end or over its course. scales: it is a length that grows with the body, as ranges of it
    do. course: of one that can be a bound, watched in every tick, its values (n,) in all samples. circular: an angle on
    the circle, of which conditions take 3.2 and 3.2 - 2 pi for the same (`conditions.arc`).
    """

    name: str
    description: str
    compute: Callable[[Motion], float]
    unit: str
    needs: Mapping[str, int]
    sampled: Sampled
    scales: bool = False
    course: Callable[[Motion], NDArray[np.float64]] | None = None
    circular: bool = False

    def __call__(self, motion: Motion) -> float:
        """
        Raises:
            CtrlGraphError: a package's measure cannot measure this motion.
        """
        try:
            return float(self.compute(motion))
        except Exception as error:
            if self.compute.__module__.startswith("ctrlgraph."):
                raise
            said = printable(f"{type(error).__name__}: {error}")
            raise CtrlGraphError(f"the measure '{self.name}' of a package fails ({said})") from error

    @property
    def watched(self) -> bool:
        """Tell whether it can be a bound."""
        return self.course is not None

    @property
    def label(self) -> str:
        """Return the description with the unit, where it has one."""
        return self.description if self.unit == "1" else f"{self.description}, {self.unit}"

    @property
    def needed(self) -> str:
        """Return the roles that it needs in words: "hands, feet", "2 feet"."""
        return ", ".join(
            _WORDS.get(role, role) if least == 1 else f"{least} {role}" for role, least in self.needs.items()
        )

    def missing(self, character: Character) -> list[str]:
        """Return what the character lacks for it, each as in "no hands" or "1 of 2 feet"; empty where it has all."""
        missing = []
        for role, least in self.needs.items():
            count = len(character.roles.of(role))
            if count < least:
                missing.append(f"{count} of {least} {role}" if count else f"no {_WORDS.get(role, role)}")
        return missing

    def as_dict(self) -> dict[str, object]:
        """Return it as plain data."""
        return {
            "name": self.name,
            "unit": self.unit,
            "description": self.description,
            "needs": dict(self.needs),
            "sampled": self.sampled,
            "scales": self.scales,
            "bound": self.watched,
            "circular": self.circular,
        }


_WORDS = {"axial": "axial links"}


class Measures(Mapping[str, Measure]):
    """All measures by name: ours, then those of installed packages.

    A package names a module of its own by an entry point of the group `ctrlgraph.measures`; the module registers its
    measures with `register`, and is imported when the measures are first looked at. `broken` tells what is wrong with
    those that cannot be.
    """

    def __init__(self) -> None:
        self.broken: dict[str, str] = {}
        self._own: dict[str, Measure] = {}
        self._packages: Registry[ModuleType] | None = None

    def add(self, measure: Measure) -> None:
        """
        Raises:
            CtrlGraphError: the name is taken.
        """
        if measure.name in self._own:
            raise CtrlGraphError(f"there is a measure '{measure.name}' already")
        self._own[measure.name] = measure

    def watch(self, name: str, course: Callable[[Motion], NDArray[np.float64]]) -> None:
        """Let a measure be a bound; `course` gives its values in all samples."""
        self._own[name] = replace(self._own[name], course=course)

    def bounds(self) -> dict[str, Measure]:
        """Return those of ours that can be bounds."""
        return {name: measure for name, measure in self._own.items() if measure.watched}

    def discard(self, name: str) -> None:
        """Withdraw a measure."""
        del self._own[name]

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
                except CtrlGraphError as error:  # whoever speaks of its measures is told that there are none
                    self.broken[name] = str(error)
        return self._own


MEASURES = Measures()


def register(
    *,
    unit: str,
    sampled: Sampled,
    needs: Mapping[str, int] | None = None,
    scales: bool = False,
    circular: bool = False,
) -> Callable[[Callable[[Motion], float]], Callable[[Motion], float]]:
    """Return a decorator that makes a function of a motion a measure of the function's name; fields as of `Measure`.

    The function's docstring begins with "Return the", and its first paragraph is what people are told of the measure.

    Raises:
        CtrlGraphError: the name is taken or no name, it has no such docstring, or needs what is no role.
    """

    def registered(compute: Callable[[Motion], float]) -> Callable[[Motion], float]:
        name = compute.__name__
        text = " ".join(inspect.cleandoc(compute.__doc__ or "").partition("\n\n")[0].split())
        if not _NAME.fullmatch(name):
            raise CtrlGraphError(f"'{name}' is no name of a measure: it has small letters, digits and _")
        if not text.startswith("Return the "):
            raise CtrlGraphError(f"the docstring of the measure '{name}' must begin with 'Return the'")
        if not all(type(least) is int and least > 0 for least in (needs or {}).values()):
            raise CtrlGraphError(f"the measure '{name}' needs whole numbers of links by role")
        unknown = [role for role in needs or {} if role not in NEEDED_ROLES]
        if unknown:
            raise CtrlGraphError(
                f"the measure '{name}' needs '{unknown[0]}', which is none of {', '.join(NEEDED_ROLES)}"
            )
        description = text.removeprefix("Return the ").rstrip(".")
        MEASURES.add(Measure(name, description, compute, unit, dict(needs or {}), sampled, scales, None, circular))
        return compute

    return registered


def watched(
    course: Callable[[Motion], NDArray[np.float64]],
) -> Callable[[Callable[[Motion], float]], Callable[[Motion], float]]:
    """Return a decorator that lets a registered measure be a bound: the compiled loop watches it.

    course: its values (n,) in all samples of a motion.
    """

    def made(compute: Callable[[Motion], float]) -> Callable[[Motion], float]:
        MEASURES.watch(compute.__name__, course)
        return compute

    return made


def lacking(names: Iterable[str], character: Character) -> dict[str, str]:
    """Return, of the measures of these names, those that the character cannot have, each with why in a sentence."""
    found = {}
    for name in names:
        missing = MEASURES[name].missing(character) if name in MEASURES else []
        if missing:
            found[name] = f"'{name}' cannot be measured: the character {character.name} has {' and '.join(missing)}"
    return found


HOW_TO_STATE = "its file states them under 'roles'"
"""What to do about a role that is missing."""


def require(names: Iterable[str], character: Character) -> None:
    """
    Raises:
        CtrlGraphError: the character lacks what one of these measures needs.
    """
    for sentence in lacking(names, character).values():
        raise CtrlGraphError(f"{sentence} ({HOW_TO_STATE})")
