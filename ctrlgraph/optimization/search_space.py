"""Search spaces: the numbers of scripts that a search may change, with their ranges and their spreads.

As in Firmin 2014, section 6.2.1, all numbers of the chosen phases are unknown (angles, gains, times,
tolerances, feedback gains, forces); whole numbers, names and structure stay. A search moves in
coordinates x in which one unit is an unknown's spread: value = present + spread x for angles, speeds and
the like, value = present exp(spread x) for gains, times and tolerances, which keep their sign.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ctrlgraph.control.controller import Controller
from ctrlgraph.control.parameters import Parameter
from ctrlgraph.errors import CtrlGraphError
from ctrlgraph.optimization.search_parameter import SearchParameter
from ctrlgraph.optimization.symmetry import tied as ties

if TYPE_CHECKING:
    from ctrlgraph.character.model import Character

FloatArray = NDArray[np.float64]

Values = Mapping[str, float]
"""Values of parameters by id."""

ByPart = Mapping[str, Values]
"""Values by the part of a transition ("source", "bridge", "target"), or "" for scripts that are tuned."""

REACH = 6.0
"""How many spreads an unknown may go from its present value, where no inline range says otherwise."""


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
    "gain": Prior(0.15, 0.05, multiplies=True),
    "lean": Prior(0.0, 0.1),
    "phase_rate": Prior(0.15, 0.05),
    "weight": Prior(1.0, 1.0, multiplies=True),
}
"""By quantity. What is not here is no unknown: counts are structure, and torque limits are the body's."""


@dataclass(frozen=True)
class SearchSpace:
    """What a search changes: n parameters, and their values at a point x (n,)."""

    items: tuple[SearchParameter, ...]

    def __len__(self) -> int:
        return len(self.items)

    def values(self, x: Sequence[float] | FloatArray) -> dict[str, dict[str, float]]:
        """By part, the value of every parameter at x, by id."""
        by_part: dict[str, dict[str, float]] = {}
        for unknown, coordinate in zip(self.items, x, strict=True):
            value = unknown.at(float(coordinate))
            by_part.setdefault(unknown.part, {}).update(dict.fromkeys(unknown.ids, value))
        return by_part

    def of_part(self, part: str) -> SearchSpace:
        """Return the same, as those of one of a transition's controllers."""
        return SearchSpace(tuple(replace(item, part=part) for item in self.items))

    @property
    def bounds(self) -> tuple[FloatArray, FloatArray]:
        """Return the box of coordinates (n,), (n,) in which every value is within its range."""
        ends = [sorted((u.coordinate(u.low), u.coordinate(u.high))) for u in self.items]
        return np.array([low for low, _ in ends]), np.array([high for _, high in ends])


def changed(program: Controller, values: Values) -> Controller:
    """Return the program with the values of those of its parameters that are given, in all its parts where it is
    joined of several."""
    constants = program.constants.copy()
    for i, parameter in enumerate(program.parameters):
        constants[i] = values.get(parameter.own_id, constants[i])
    return program.with_constants(constants)


def may_change(parameter: Parameter, kinds: Collection[str], *, exits: bool = False) -> bool:
    """Tell whether a search over these kinds may change a parameter; with `exits`, also one of a safety exit."""
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
    """Return the parameters among a program's constants.

    Args:
        chosen: whether a constant may change (its file, its phase, its role).
        quantities: kinds that may change.
        tied: left and right have one value where they have it now (see `optimization.symmetry`).
        exits: also the numbers of safety exits (`Parameter.safety`).
        moved: ids of those among them that may change whatever `exits` says.

    Raises:
        CtrlGraphError: nothing is left to change.
    """
    kinds = set(quantities)
    items = []
    for parameter, value in zip(program.parameters, program.constants.tolist(), strict=True):
        if may_change(parameter, kinds, exits=exits or parameter.own_id in moved) and chosen(parameter):
            items.append(_unknown(parameter, value, character))
    merged = ties(items, character) if tied else items
    if not merged:
        what = "constant" if kinds >= PRIORS.keys() else f"constant of the kinds {', '.join(sorted(kinds))}"
        raise CtrlGraphError(f"there is nothing to change in {program.name}: no {what} may change")
    return SearchSpace(tuple(merged))


def joined(parts: Iterable[SearchSpace]) -> SearchSpace:
    """Return the parameters of several programs; a parameter that they share counts once in each part.

    Raises:
        CtrlGraphError: two scripts of one name have parameters of the same id.
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
    # a factor never leaves its side of zero: where the author's range does, it is a sum
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
    """The author's range, as wide as it must be to hold the present value."""
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
    """A POSE beyond its joint's stop is no other target: the range ends at the limits."""
    words = parameter.role.split()
    joint = character.joint_index(words[1]) if len(words) == 3 and words[0] in ("POSE", "LIPOSE") else None
    if joint is None:
        return low, high
    limits = character.joints[joint]
    return max(low, min(limits.lower, value)), min(high, max(limits.upper, value))
