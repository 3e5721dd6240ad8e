"""Search spaces: the parameters of scripts that a search may change, with their ranges and prior scales.

As in Firmin 2014, section 6.2.1, all numbers of the chosen phases are parameters (angles, gains, times, tolerances,
feedback gains, forces). Integers and names are not parameters, and the structure is fixed. The unit of a coordinate x
is the prior scale of a parameter. For angles and speeds, value = present + scale x. For gains, times and tolerances,
value = present exp(scale x), which preserves their sign.

A parameter of the left side and one of the right side share one coordinate if their values are equal and their uses
mirror each other, in one phase or half a cycle apart (symmetry constraints). This halves the search space and
preserves symmetric motions.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ctrlgraph.control.controller import Controller
from ctrlgraph.control.parameters import Parameter
from ctrlgraph.errors import CtrlGraphError

if TYPE_CHECKING:
    from ctrlgraph.character.model import Character

FloatArray = NDArray[np.float64]


class NothingToChange(CtrlGraphError):
    """No number of a controller may change."""


Values = Mapping[str, float]
"""Values of parameters by id."""

ByPart = Mapping[str, Values]
"""Values by the part of a transition ("source", "bridge", "target"). The part of tuned scripts is ""."""

REACH = 6.0
"""Maximum distance from the present value in prior scales, for parameters without a range in the script."""


@dataclass(frozen=True, slots=True)
class Prior:
    """Prior scale of a quantity."""

    share: float
    """Fraction of the absolute value."""
    least: float
    """Minimum, in the unit of the quantity, for values near zero."""
    multiplies: bool = False
    """True if the scale is a factor."""


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
    "gain": Prior(0.15, 0.05, multiplies=True),
    "lean": Prior(0.0, 0.1),
    "phase_rate": Prior(0.15, 0.05),
    "weight": Prior(1.0, 1.0, multiplies=True),
}
"""Prior scales by quantity. Counts belong to the structure and torque limits to the body, so neither is one."""


@dataclass(frozen=True)
class SearchSpace:
    """Parameters of a search, and their values at a point x, (n,)."""

    items: tuple[SearchParameter, ...]

    def __len__(self) -> int:
        return len(self.items)

    def values(self, x: Sequence[float] | FloatArray) -> dict[str, dict[str, float]]:
        """Return the values at x by part and parameter id."""
        by_part: dict[str, dict[str, float]] = {}
        for unknown, coordinate in zip(self.items, x, strict=True):
            value = unknown.at(float(coordinate))
            by_part.setdefault(unknown.part, {}).update(dict.fromkeys(unknown.ids, value))
        return by_part

    def of_part(self, part: str) -> SearchSpace:
        """Return the search space with all parameters in one part of a transition."""
        return SearchSpace(tuple(replace(item, part=part) for item in self.items))

    @property
    def bounds(self) -> tuple[FloatArray, FloatArray]:
        """Bounds of the coordinates, (n,) each."""
        ends = [sorted((u.coordinate(u.low), u.coordinate(u.high))) for u in self.items]
        return np.array([low for low, _ in ends]), np.array([high for _, high in ends])


def changed(program: Controller, values: Values) -> Controller:
    """Return a program with other values of some of its parameters, in all its links.

    Args:
        program: Program to change.
        values: Values by parameter id.
    """
    constants = program.constants.copy()
    for i, parameter in enumerate(program.parameters):
        constants[i] = values.get(parameter.own_id, constants[i])
    return program.with_constants(constants)


def may_change(parameter: Parameter, kinds: Collection[str], *, exits: bool = False) -> bool:
    """Return True if a search may change a parameter.

    Args:
        parameter: Parameter of a program.
        kinds: Quantities of the search.
        exits: True allows parameters of safety exits.
    """
    return parameter.quantity in kinds and parameter.quantity in PRIORS and (exits or not parameter.safety)


def search_space(
    program: Controller,
    character: Character,
    *,
    chosen: Callable[[Parameter], bool] = lambda _: True,
    quantities: Iterable[str] = PRIORS,
    tied: bool = True,
    exits: bool = False,
    moved: Collection[str] = (),
) -> SearchSpace:
    """Return the search space of a program.

    Args:
        program: Program with the parameters.
        character: Character of the program.
        chosen: Returns True for parameters that may change.
        quantities: Quantities that may change.
        tied: True applies symmetry constraints.
        exits: True allows parameters of safety exits (`Parameter.safety`).
        moved: Ids of parameters of safety exits that may always change.

    Raises:
        CtrlGraphError: The search space is empty.
    """
    kinds = set(quantities)
    items = []
    for parameter, value in zip(program.parameters, program.constants.tolist(), strict=True):
        if may_change(parameter, kinds, exits=exits or parameter.own_id in moved) and chosen(parameter):
            items.append(_unknown(parameter, value, character))
    merged = merge_symmetric(items, character) if tied else items
    if not merged:
        what = "constant" if kinds >= PRIORS.keys() else f"constant of the kinds {', '.join(sorted(kinds))}"
        raise NothingToChange(f"there is nothing to change in {program.name}: no {what} may change")
    return SearchSpace(tuple(merged))


def joined(parts: Iterable[SearchSpace]) -> SearchSpace:
    """Return the search space of several programs. A parameter of several programs counts once in each part.

    Raises:
        CtrlGraphError: Two scripts of one name have parameters of the same id.
    """
    seen: dict[tuple[str, str], str] = {}
    items = []
    for part in parts:
        for item in part.items:
            for parameter in item.parameters:
                if seen.get((item.part, parameter.id), parameter.path) != parameter.path:
                    name = parameter.id.partition("/")[0]
                    raise CtrlGraphError(f"two scripts are called {name}: they cannot be searched together")
            own = tuple(parameter for parameter in item.parameters if (item.part, parameter.id) not in seen)
            if own:
                items.append(replace(item, parameters=own))
                seen |= {(item.part, parameter.id): parameter.path for parameter in own}
    return SearchSpace(tuple(items))


def _unknown(parameter: Parameter, value: float, character: Character) -> SearchParameter:
    prior, inline = PRIORS[parameter.quantity], _inline(parameter, value)
    # a factor cannot change the sign, so a range that includes 0 needs a sum
    multiplies = prior.multiplies and value != 0.0 and (inline is None or inline[0] * inline[1] > 0.0)
    spread = prior.share if multiplies else max(prior.share * abs(value), prior.least)
    if inline is not None:
        low, high = inline
        width = math.log(high / low) if multiplies else high - low
        spread = min(spread, abs(width) / REACH)
    else:
        low, high = _range(value, spread, multiplies)
        if parameter.quantity == "angle":
            low, high = _within_limits(parameter, value, low, high, character)
        elif prior.multiplies and value == 0.0:
            low = 0.0  # gains, times and tolerances are not negative
    return SearchParameter(
        parameters=(parameter,),
        role=parameter.role,
        quantity=parameter.quantity,
        phase=parameter.phase,
        value=value,
        low=low,
        high=high,
        spread=spread,
        multiplies=multiplies,
    )


def _inline(parameter: Parameter, value: float) -> tuple[float, float] | None:
    """Return the range of the script, extended to the present value."""
    if parameter.low is None or parameter.high is None:
        return None
    return min(parameter.low, value), max(parameter.high, value)


def _range(value: float, spread: float, multiplies: bool) -> tuple[float, float]:
    if multiplies:
        ends = value * math.exp(-REACH * spread), value * math.exp(REACH * spread)
        return min(ends), max(ends)
    return value - REACH * spread, value + REACH * spread


def _within_limits(
    parameter: Parameter, value: float, low: float, high: float, character: Character
) -> tuple[float, float]:
    """Return a range limited to the range of the joint of a POSE."""
    words = parameter.role.split()
    joint = character.joint_index(words[1]) if len(words) == 3 and words[0] in ("POSE", "LIPOSE") else None
    if joint is None:
        return low, high
    limits = character.joints[joint]
    return max(low, min(limits.lower, value)), min(high, max(limits.upper, value))


DIGITS = 4
"""Significant digits of the values of a search. Values are rounded before evaluation, so that written files give the
same result.
"""


@dataclass(frozen=True, slots=True)
class SearchParameter:
    """A number that a search may change, shared by parameters with symmetry constraints."""

    parameters: tuple[Parameter, ...]
    """Parameters of the programs with this value."""
    role: str
    quantity: str
    phase: int | None
    value: float
    low: float
    high: float
    spread: float
    """Prior scale."""
    multiplies: bool
    """True if the prior scale is a factor."""
    part: str = ""
    """Part of a transition ("source", "bridge", "target"), or "" for all controllers with the parameter."""

    @property
    def ids(self) -> tuple[str, ...]:
        """Ids of the parameters."""
        return tuple(parameter.id for parameter in self.parameters)

    def at(self, x: float) -> float:
        """Return the value at a coordinate, within the range and rounded to `DIGITS`."""
        if x == 0.0:
            return self.value
        value = self.value * math.exp(self.spread * x) if self.multiplies else self.value + self.spread * x
        return min(max(float(f"{value:.{DIGITS}g}"), self.low), self.high)

    def coordinate(self, value: float) -> float:
        """Return the coordinate of a value."""
        if self.multiplies:
            return math.log(value / self.value) / self.spread
        return (value - self.value) / self.spread


_NAME = re.compile(r"(?<= )\w+")  # the word after the keyword

ByUse = Mapping[tuple[str, int | None, str], list[int]]
"""Indices of parameters by their file, phase and role."""


def merge_symmetric(items: list[SearchParameter], character: Character) -> list[SearchParameter]:
    """Return the parameters with symmetric ones merged, in the order of each one's first use.

    Args:
        items: Parameters without symmetry constraints.
        character: Character with the pairs of links and joints.
    """

    def mirrored(role: str) -> str:
        return mirrored_role(role, character)

    by_use: dict[tuple[str, int | None, str], list[int]] = {}
    for number, item in enumerate(items):
        by_use.setdefault((item.parameters[0].path, item.phase, item.role), []).append(number)
    partner = _half_cycle(items, by_use, mirrored)
    group = list(range(len(items)))  # index of the first member of each one's group
    for number, item in enumerate(items):
        for phase in dict.fromkeys((item.phase, partner.get(item.phase, item.phase))):
            twin = _twin(number, items, by_use.get((item.parameters[0].path, phase, mirrored(item.role)), []))
            if twin is not None and _overlap([items[i] for i in _members(group, number, twin)]):
                first = min(group[number], group[twin])
                group = [first if g in (group[number], group[twin]) else g for g in group]
    return [_merged([items[i] for i in _members(group, number)]) for number in dict.fromkeys(group)]


def _members(group: list[int], *numbers: int) -> list[int]:
    """Return all members of the groups of some parameters."""
    wanted = {group[number] for number in numbers}
    return [i for i, g in enumerate(group) if g in wanted]


def _twin(number: int, items: list[SearchParameter], candidates: list[int]) -> int | None:
    """Return the only counterpart if its value is equal. A role without a side (a force by each ankle) is its own
    counterpart.
    """
    others = [c for c in candidates if c != number]
    return others[0] if len(others) == 1 and items[others[0]].value == items[number].value else None


def _overlap(items: Iterable[SearchParameter]) -> bool:
    """Return True if the ranges overlap."""
    ranges = [(item.low, item.high) for item in items]
    return max(low for low, _ in ranges) < min(high for _, high in ranges)


def _merged(items: list[SearchParameter]) -> SearchParameter:
    """Return one parameter for all, with the intersection of their ranges and the smallest prior scale."""
    return replace(
        items[0],
        parameters=tuple(dict.fromkeys(parameter for item in items for parameter in item.parameters)),
        low=max(item.low for item in items),
        high=min(item.high for item in items),
        spread=min(item.spread for item in items),
    )


def mirrored_role(role: str, character: Character) -> str:
    """Return a role ("POSE rKnee angle") with left and right exchanged.

    Args:
        role: Role of a parameter.
        character: Character with the pairs of links and joints.
    """
    return _NAME.sub(lambda found: character.mirrored.get(found[0], found[0]), role)


def _half_cycle(
    items: list[SearchParameter], by_use: ByUse, mirrored: Callable[[str], str]
) -> dict[int | None, int | None]:
    """Return each phase's counterpart half a cycle apart, if the halves mirror each other number by number."""
    phases = sorted({item.phase for item in items if item.phase is not None})
    if len(phases) < 2 or len(phases) % 2 or phases != list(range(len(phases))):
        return {}
    partner: dict[int | None, int | None] = {p: (p + len(phases) // 2) % len(phases) for p in phases}
    sided = False
    for (path, phase, role), found in by_use.items():
        if phase is None or mirrored(role) == role:
            continue
        sided = True
        other = by_use.get((path, partner[phase], mirrored(role)), [])
        # one half may set fewer targets, but targets of both halves must be equal
        if other and [items[i].value for i in other] != [items[i].value for i in found]:
            return {}
    return partner if sided else {}
