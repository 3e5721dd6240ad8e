"""Unknowns: the numbers of scripts that a search may change, with their ranges and their spreads.

As in Firmin 2014, section 6.2.1, all numbers of the chosen phases are unknown (angles, gains, times,
tolerances, feedback gains, forces); whole numbers, names and structure stay. A search moves in
coordinates x in which one unit is an unknown's spread: value = present + spread x for angles, speeds and
the like, value = present exp(spread x) for gains, times and tolerances, which keep their sign.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ctrlgraph.control.program import ConstantSource, Program
from ctrlgraph.errors import CtrlGraphError

if TYPE_CHECKING:
    from ctrlgraph.character.model import Character

FloatArray = NDArray[np.float64]

Place = tuple[str, int, int]
"""A literal: its file, line and column; an argument given from outside has line 0 and its number as column."""

Values = Mapping[Place, float]

REACH = 6.0
"""How many spreads an unknown may go from its present value, where no inline range says otherwise."""


DIGITS = 4
"""Significant digits of a number that a search has found: what is tried is what is written."""


@dataclass(frozen=True, slots=True)
class Prior:
    """How far the numbers of a kind usually are from where they should be.

    share: of the value's size; least: in the kind's unit, for values near zero; multiplies: the spread is a factor.
    """

    share: float
    least: float
    multiplies: bool = False


PRIORS: dict[str, Prior] = {
    "angle": Prior(0.0, 0.12),
    "kp": Prior(0.15, 10.0, multiplies=True),
    "kd": Prior(0.15, 1.0, multiplies=True),
    "time": Prior(0.15, 0.02, multiplies=True),
    "tolerance": Prior(0.15, 0.01, multiplies=True),
    "cd": Prior(0.15, 0.1),
    "cv": Prior(0.15, 0.05),
    "force": Prior(0.15, 20.0),
    "length": Prior(0.15, 0.02),
    "speed": Prior(0.15, 0.1),
    "argument": Prior(0.15, 0.05),
}
"""By quantity. What is not here is no unknown: counts are structure, and torque limits are the body's."""

_MIRRORED = re.compile(r"\b([rl])(?=[A-Z])")


@dataclass(frozen=True, slots=True)
class Unknown:
    """One number that a search may change; all literals at `places` get its value.

    part: which of a transition's controllers it belongs to ("source", "bridge", "target"); "" is every controller
    that the literal occurs in.
    """

    places: tuple[Place, ...]
    role: str
    quantity: str
    phase: int | None
    value: float
    low: float
    high: float
    spread: float
    multiplies: bool
    part: str = ""

    def at(self, x: float) -> float:
        """The value at a coordinate, within the range, with as many digits as are written down."""
        if x == 0.0:
            return self.value
        value = self.value * math.exp(self.spread * x) if self.multiplies else self.value + self.spread * x
        return min(max(float(f"{value:.{DIGITS}g}"), self.low), self.high)

    def coordinate(self, value: float) -> float:
        """The coordinate of a value."""
        if self.multiplies:
            return math.log(value / self.value) / self.spread
        return (value - self.value) / self.spread


@dataclass(frozen=True)
class Unknowns:
    """What a search changes: n unknowns, and their values at a point x (n,)."""

    items: tuple[Unknown, ...]

    def __len__(self) -> int:
        return len(self.items)

    def values(self, x: Sequence[float] | FloatArray) -> dict[str, dict[Place, float]]:
        """By part, the value of every literal at x."""
        by_part: dict[str, dict[Place, float]] = {}
        for unknown, coordinate in zip(self.items, x, strict=True):
            value = unknown.at(float(coordinate))
            by_part.setdefault(unknown.part, {}).update(dict.fromkeys(unknown.places, value))
        return by_part

    def of_part(self, part: str) -> Unknowns:
        """The same, as those of one of a transition's controllers."""
        return Unknowns(tuple(replace(item, part=part) for item in self.items))

    @property
    def bounds(self) -> tuple[FloatArray, FloatArray]:
        """The box of coordinates (n,), (n,) in which every value is within its range."""
        ends = [sorted((u.coordinate(u.low), u.coordinate(u.high))) for u in self.items]
        return np.array([low for low, _ in ends]), np.array([high for _, high in ends])


def place_of(source: ConstantSource, index: int) -> Place:
    """Where constant number `index` of a program stands."""
    return (source.path, source.line, source.column) if source.line else (source.path, 0, index)


def changed(program: Program, values: Values) -> Program:
    """The program with the values of those of its literals that are given."""
    constants = program.constants.copy()
    for i, source in enumerate(program.sources):
        constants[i] = values.get(place_of(source, i), constants[i])
    return program.with_constants(constants)


def unknowns(
    program: Program,
    character: Character,
    *,
    chosen: Callable[[ConstantSource], bool] = lambda _: True,
    quantities: Iterable[str] = PRIORS,
    tied: bool = True,
) -> Unknowns:
    """The unknowns among a program's constants.

    Args:
        chosen: whether a constant may change (its file, its phase, its role).
        quantities: kinds that may change.
        tied: left and right have one value where they have it now: in the same phase, or, in a script whose
            second half mirrors its first, half a cycle apart.

    Raises:
        CtrlGraphError: nothing is left to change.
    """
    kinds = set(quantities)
    items = []
    for i, source in enumerate(program.sources):
        if source.quantity in kinds and source.quantity in PRIORS and chosen(source):
            items.append(_unknown(source, i, float(program.constants[i]), character))
    merged = _tied(items) if tied else items
    if not merged:
        raise CtrlGraphError(f"there is nothing to change in {program.name}: no constant is of the chosen kinds")
    return Unknowns(tuple(merged))


def joined(parts: Iterable[Unknowns]) -> Unknowns:
    """The unknowns of several programs; a literal that they share counts once in each part."""
    seen: set[tuple[str, Place]] = set()
    items = []
    for part in parts:
        for item in part.items:
            keys = {(item.part, place) for place in item.places}
            if not seen & keys:
                items.append(item)
                seen |= keys
    return Unknowns(tuple(items))


def _unknown(source: ConstantSource, index: int, value: float, character: Character) -> Unknown:
    prior = PRIORS[source.quantity]
    multiplies = prior.multiplies and value != 0.0
    spread = prior.share if multiplies else max(prior.share * abs(value), prior.least)
    low, high = _range(value, spread, multiplies)
    if source.low is not None and source.high is not None:
        low, high = source.low, source.high
        if not multiplies:
            spread = min(spread, (high - low) / REACH)
    elif source.quantity == "angle":
        low, high = _within_limits(source, value, low, high, character)
    if prior.multiplies and value == 0.0:
        low = 0.0
    return Unknown(
        places=(place_of(source, index),),
        role=source.role,
        quantity=source.quantity,
        phase=source.phase,
        value=value,
        low=min(low, value),
        high=max(high, value),
        spread=spread,
        multiplies=multiplies,
    )


def _range(value: float, spread: float, multiplies: bool) -> tuple[float, float]:
    if multiplies:
        ends = value * math.exp(-REACH * spread), value * math.exp(REACH * spread)
        return min(ends), max(ends)
    return value - REACH * spread, value + REACH * spread


def _within_limits(
    source: ConstantSource, value: float, low: float, high: float, character: Character
) -> tuple[float, float]:
    """A POSE beyond its joint's stop is no other target: the range ends at the limits."""
    words = source.role.split()
    joint = character.joint_index(words[1]) if len(words) == 3 and words[0] in ("POSE", "LIPOSE") else None
    if joint is None:
        return low, high
    limits = character.joints[joint]
    return max(low, min(limits.lower, value)), min(high, max(limits.upper, value))


def _tied(items: list[Unknown]) -> list[Unknown]:
    phases = sorted({u.phase for u in items if u.phase is not None})
    by_key: dict[tuple[str, int | None, str], list[Unknown]] = {}
    for item in items:
        by_key.setdefault((item.places[0][0], item.phase, item.role), []).append(item)
    shift = _half_cycle(phases, by_key)
    merged: list[Unknown] = []
    taken: set[Place] = set()
    for item in items:
        if item.places[0] in taken:
            continue
        twins = [item]
        for phase in {item.phase, shift.get(item.phase, item.phase)}:
            twins += _twins(item, by_key.get((item.places[0][0], phase, _mirror(item.role)), []))
        twins = [t for t in twins if t is item or t.places[0] not in taken]
        taken.update(t.places[0] for t in twins)
        merged.append(replace(item, places=tuple(dict.fromkeys(p for t in twins for p in t.places))))
    return merged


def _twins(item: Unknown, candidates: list[Unknown]) -> list[Unknown]:
    """The one counterpart of equal value; where a role tells no side, the other of two (a force by each ankle)."""
    others = [c for c in candidates if c is not item]
    return [c for c in others if c.value == item.value] if len(others) == 1 else []


def _mirror(role: str) -> str:
    return _MIRRORED.sub(lambda m: "l" if m[1] == "r" else "r", role)


def _half_cycle(
    phases: list[int], by_key: Mapping[tuple[str, int | None, str], list[Unknown]]
) -> dict[int | None, int | None]:
    """Each phase's counterpart half a cycle later or earlier, where the halves mirror each other number by number."""
    half = len(phases) // 2
    if len(phases) < 2 or len(phases) % 2 or phases != list(range(len(phases))):
        return {}
    partner: dict[int | None, int | None] = {p: (p + half) % len(phases) for p in phases}
    sided = False
    for (path, phase, role), found in by_key.items():
        if phase is None or _mirror(role) == role:
            continue
        sided = True
        other = by_key.get((path, partner[phase], _mirror(role)), [])
        # a half may set targets that the other leaves as they are, but what both set is the same
        if other and [u.value for u in other] != [u.value for u in found]:
            return {}
    return partner if sided else {}
