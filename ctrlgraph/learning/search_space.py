"""Search spaces: the parameters of scripts that a search may change, with their ranges and prior scales.

As in Firmin 2014, section 6.2.1, all numbers of the chosen phases are parameters (angles, gains, times, tolerances,
feedback gains, forces). Integers and names are not parameters, and the structure of a script is fixed.

A search changes coordinates x instead of values. x = 0 is the original value of a parameter, and the unit of x is its
prior scale (the step size at the start of a search). For most parameters, such as angles and speeds, value = original +
scale x. For gains, times and tolerances, value = original exp(scale x), which preserves their sign.

A parameter of the left side and one of the right side share one coordinate if their values are equal and they have
mirrored roles, in the same phase or in phases half a cycle apart (symmetry constraints). This halves the search space
and keeps symmetric motions symmetric.
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
    """The search space is empty, because the request lets no constant of a controller change."""


Values = Mapping[str, float]
"""Values of parameters by parameter id."""

ByPart = Mapping[str, Values]
"""Values of parameters by the part of a transition ("source", "bridge", "target"), then by parameter id. If nodes are
tuned instead of a transition, the only part is "".
"""

REACH = 6.0
"""Maximum distance from the original value in prior scales, for parameters without a range in the script."""


@dataclass(frozen=True, slots=True)
class Prior:
    """Rule for the prior scale (step size at the start of a search) of parameters of one quantity, such as angles.

    It is max(share |value|, least) for a parameter with this value, or `share` if the scale is logarithmic.
    """

    share: float
    """Prior scale as a fraction of the absolute value."""
    least: float
    """Minimum of the prior scale, in the unit of the quantity."""
    multiplies: bool = False
    """True for a logarithmic scale: value = original exp(scale x)."""


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
    "rate": Prior(0.15, 0.1),
    "share": Prior(0.0, 0.05),
    "weight": Prior(1.0, 1.0, multiplies=True),
}
"""Prior scales by quantity (`Parameter.quantity`). Other quantities never change: counts belong to the structure of a
script, torque limits to the body.
"""


@dataclass(frozen=True)
class SearchSpace:
    """The n parameters that a search may change. A candidate is a point x, (n,), with one coordinate for each."""

    items: tuple[SearchParameter, ...]
    """Parameters in the order of the coordinates."""

    def __len__(self) -> int:
        return len(self.items)

    def values(self, x: Sequence[float] | FloatArray) -> dict[str, dict[str, float]]:
        """Return the values of all parameters of a candidate with the coordinates x, (n,).

        Keys are the part of a transition ("source", "bridge", "target"; "" for tuned nodes), then the parameter id.
        """
        by_part: dict[str, dict[str, float]] = {}
        for unknown, coordinate in zip(self.items, x, strict=True):
            value = unknown.at(float(coordinate))
            by_part.setdefault(unknown.part, {}).update(dict.fromkeys(unknown.ids, value))
        return by_part

    def of_part(self, part: str) -> SearchSpace:
        """Return a copy whose parameters belong to the given part of a transition ("source", "bridge", "target")."""
        return SearchSpace(tuple(replace(item, part=part) for item in self.items))

    @property
    def bounds(self) -> tuple[FloatArray, FloatArray]:
        """Lower and upper bounds of the n coordinates, two arrays of the shape (n,)."""
        ends = [sorted((u.coordinate(u.low), u.coordinate(u.high))) for u in self.items]
        return np.array([low for low, _ in ends]), np.array([high for _, high in ends])


def changed(program: Controller, values: Values) -> Controller:
    """Return a copy of a program in which some parameters have new values.

    Args:
        program: Program to copy.
        values: New values by parameter id (`Parameter.own_id`). Ids that the program does not have are ignored.
    """
    constants = program.constants.copy()
    for i, parameter in enumerate(program.parameters):
        constants[i] = values.get(parameter.own_id, constants[i])
    return program.with_constants(constants)


def may_change(parameter: Parameter, kinds: Collection[str], *, exits: bool = False) -> bool:
    """Return True if a search may change a parameter, given its quantity and whether it belongs to a safety exit.

    Args:
        parameter: Parameter of a program.
        kinds: Quantities that the search may change, keys of `PRIORS`.
        exits: True also allows parameters of safety exits (transitions after a fall or a time limit).
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
    """Return the search space of a program: the parameters that may change, with their ranges and prior scales.

    Args:
        program: Program with the parameters.
        character: Character that runs the program.
        chosen: Returns True for each parameter that may change.
        quantities: Quantities that may change, keys of `PRIORS`.
        tied: True: corresponding parameters of the left and the right side have equal values.
        exits: True also allows parameters of safety exits (transitions after a fall or a time limit).
        moved: Ids of parameters of safety exits that may change even if `exits` is False.

    Raises:
        NothingToChange: No parameter may change.
    """
    kinds = set(quantities)
    items = []
    for parameter, value in zip(program.parameters, program.constants.tolist(), strict=True):
        if may_change(parameter, kinds, exits=exits or parameter.own_id in moved) and chosen(parameter):
            items.append(_unknown(parameter, value, character))
    merged = merge_symmetric(items, character) if tied else items
    if not merged:
        what = "constant" if kinds >= PRIORS.keys() else f"constant of the kinds {', '.join(sorted(kinds))}"
        raise NothingToChange(f"{program.name} has no {what} that the search may change: choose other constants")
    return SearchSpace(tuple(merged))


def joined(parts: Iterable[SearchSpace]) -> SearchSpace:
    """Join several search spaces to one that has all their parameters.

    If a parameter (same part and id) is in two search spaces, only its first occurrence is kept.

    Args:
        parts: Search spaces to join.

    Raises:
        CtrlGraphError: Two different files have parameters with the same id, because the scripts have the same name.
    """
    seen: dict[tuple[str, str], str] = {}
    items = []
    for part in parts:
        for item in part.items:
            for parameter in item.parameters:
                if seen.get((item.part, parameter.id), parameter.path) != parameter.path:
                    name = parameter.id.partition("/")[0]
                    raise CtrlGraphError(f"two scripts have the name {name}: rename one to search both together")
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
    """Return the search range (low, high) that the script gives for a parameter, extended to contain the value.

    The result is None if the script gives no range.
    """
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
    """Limit the search range of a target angle to the range of its joint. Ranges of other parameters are unchanged.

    Args:
        parameter: Parameter. Target angles are those of POSE and LIPOSE.
        value: Original value, which the result contains.
        low: Lower end of the search range.
        high: Upper end of the search range.
        character: Character with the joint.
    """
    words = parameter.role.split()
    joint = character.joint_index(words[1]) if len(words) == 3 and words[0] in ("POSE", "LIPOSE") else None
    if joint is None:
        return low, high
    limits = character.joints[joint]
    return max(low, min(limits.lower, value)), min(high, max(limits.upper, value))


DIGITS = 4
"""Number of significant digits of values in a search. Values are rounded before the evaluation, so that the values in
written files give the same result.
"""


@dataclass(frozen=True, slots=True)
class SearchParameter:
    """One coordinate of a search space: a parameter, or several with one value because left and right are equal."""

    parameters: tuple[Parameter, ...]
    """Parameters of programs to which the coordinate gives its value."""
    role: str
    """Use of the first parameter, such as "POSE rKnee kp"."""
    quantity: str
    """Quantity of the parameters, a key of `PRIORS`."""
    phase: int | None
    """Phase of the first parameter in its script."""
    value: float
    """Original value, in the unit of the quantity."""
    low: float
    """Minimum value."""
    high: float
    """Maximum value."""
    spread: float
    """Prior scale: change of the value, or of its logarithm, for x = 1."""
    multiplies: bool
    """True for a logarithmic scale: value = original exp(scale x). False: value = original + scale x."""
    part: str = ""
    """Part of a transition to which the value applies ("source", "bridge", "target"). "": all controllers that have the
    parameter.
    """

    @property
    def ids(self) -> tuple[str, ...]:
        """Ids of the parameters of programs to which this coordinate of the search space gives a value."""
        return tuple(parameter.id for parameter in self.parameters)

    def at(self, x: float) -> float:
        """Return the parameter's value at the coordinate x, rounded to `DIGITS` digits and limited to the range."""
        if x == 0.0:
            return self.value
        value = self.value * math.exp(self.spread * x) if self.multiplies else self.value + self.spread * x
        return min(max(float(f"{value:.{DIGITS}g}"), self.low), self.high)

    def coordinate(self, value: float) -> float:
        """Return the coordinate x at which the parameter has a value."""
        if self.multiplies:
            return math.log(value / self.value) / self.spread
        return (value - self.value) / self.spread


_NAME = re.compile(r"(?<= )\w+")  # the word after the keyword

ByUse = Mapping[tuple[str, int | None, str], list[int]]
"""Indices in a list of parameters, by (file, phase, role) of the parameters."""


def merge_symmetric(items: list[SearchParameter], character: Character) -> list[SearchParameter]:
    """Merge each parameter of the left side with its counterpart of the right side, so that both have one coordinate.

    Parameters without a counterpart are unchanged. The order is that of the first parameter of each merged group.

    Args:
        items: Parameters, each with its own coordinate.
        character: Character with the left and right links and joints.
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
    """Return the indices of all parameters that are in the same group as one of the given parameters.

    Args:
        group: Number of the group of each parameter.
        numbers: Indices of the given parameters.
    """
    wanted = {group[number] for number in numbers}
    return [i for i, g in enumerate(group) if g in wanted]


def _twin(number: int, items: list[SearchParameter], candidates: list[int]) -> int | None:
    """Return the index of a parameter's counterpart on the other side, or None if it has none.

    It has one if exactly one other parameter has the mirrored role, and its value is equal.

    Args:
        number: Index of the parameter.
        items: All parameters.
        candidates: Indices of the parameters with the mirrored role. A role without a side, such as a force that each
            ankle applies, is its own mirrored role, so that `number` may be among them.
    """
    others = [c for c in candidates if c != number]
    return others[0] if len(others) == 1 and items[others[0]].value == items[number].value else None


def _overlap(items: Iterable[SearchParameter]) -> bool:
    """Return True if some values are within the ranges of all parameters."""
    ranges = [(item.low, item.high) for item in items]
    return max(low for low, _ in ranges) < min(high for _, high in ranges)


def _merged(items: list[SearchParameter]) -> SearchParameter:
    """Merge parameters into one, with the intersection of their ranges and the smallest of their prior scales."""
    return replace(
        items[0],
        parameters=tuple(dict.fromkeys(parameter for item in items for parameter in item.parameters)),
        low=max(item.low for item in items),
        high=min(item.high for item in items),
        spread=min(item.spread for item in items),
    )


def mirrored_role(role: str, character: Character) -> str:
    """Return the role of a parameter with left and right exchanged ("POSE lKnee angle" for "POSE rKnee angle").

    Args:
        role: Role of a parameter (`Parameter.role`).
        character: Character with the left and right links and joints.
    """
    return _NAME.sub(lambda found: character.mirrored.get(found[0], found[0]), role)


def _half_cycle(
    items: list[SearchParameter], by_use: ByUse, mirrored: Callable[[str], str]
) -> dict[int | None, int | None]:
    """Return, by phase of a script, the phase half a cycle later, or {} if the halves of the cycle are not symmetric.

    The halves are symmetric if parameters of mirrored roles have equal values. One half may lack some of them.

    Args:
        items: All parameters.
        by_use: Indices of the parameters by (file, phase, role).
        mirrored: Returns a role with left and right exchanged.
    """
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
