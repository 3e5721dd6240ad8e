"""Ties: literals that are one unknown, because left and right have the same number there.

Two numbers are tied where they are equal now and their uses mirror each other: in one phase, or, in a script whose
second half mirrors its first, half a cycle apart. So a search has half the parameters, and a motion that is
symmetric stays so.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ctrlgraph.character.model import Character
    from ctrlgraph.optimization.search_parameter import SearchParameter

_NAME = re.compile(r"(?<= )\w+")  # whatever stands behind the keyword

ByUse = Mapping[tuple[str, int | None, str], list[int]]
"""Numbers of parameters by their literals' file, phase and role."""


def tied(items: list[SearchParameter], character: Character) -> list[SearchParameter]:
    """Return the parameters with those merged that are tied, in the order of each one's first literal."""

    def mirrored(role: str) -> str:
        return mirrored_role(role, character)

    by_use: dict[tuple[str, int | None, str], list[int]] = {}
    for number, item in enumerate(items):
        by_use.setdefault((item.parameters[0].path, item.phase, item.role), []).append(number)
    partner = _half_cycle(items, by_use, mirrored)
    group = list(range(len(items)))  # each one's group, by the number of its first member
    for number, item in enumerate(items):
        for phase in dict.fromkeys((item.phase, partner.get(item.phase, item.phase))):
            twin = _twin(number, items, by_use.get((item.parameters[0].path, phase, mirrored(item.role)), []))
            if twin is not None and _overlap([items[i] for i in _members(group, number, twin)]):
                first = min(group[number], group[twin])
                group = [first if g in (group[number], group[twin]) else g for g in group]
    return [_merged([items[i] for i in _members(group, number)]) for number in dict.fromkeys(group)]


def _members(group: list[int], *numbers: int) -> list[int]:
    """All members of the groups of these parameters."""
    wanted = {group[number] for number in numbers}
    return [i for i, g in enumerate(group) if g in wanted]


def _twin(number: int, items: list[SearchParameter], candidates: list[int]) -> int | None:
    """The one counterpart, if its value is equal; where a role tells no side, the other of two (a force by each
    ankle)."""
    others = [c for c in candidates if c != number]
    return others[0] if len(others) == 1 and items[others[0]].value == items[number].value else None


def _overlap(items: Iterable[SearchParameter]) -> bool:
    """Whether their ranges leave something to be searched."""
    ranges = [(item.low, item.high) for item in items]
    return max(low for low, _ in ranges) < min(high for _, high in ranges)


def _merged(items: list[SearchParameter]) -> SearchParameter:
    """One unknown for all of them: within the range of each, by the smallest spread."""
    return replace(
        items[0],
        parameters=tuple(dict.fromkeys(parameter for item in items for parameter in item.parameters)),
        low=max(item.low for item in items),
        high=min(item.high for item in items),
        spread=min(item.spread for item in items),
    )


def mirrored_role(role: str, character: Character) -> str:
    """Return a role ("POSE rKnee angle") with left and right exchanged, by the character's pairs."""
    return _NAME.sub(lambda found: character.mirrored.get(found[0], found[0]), role)


def _half_cycle(
    items: list[SearchParameter], by_use: ByUse, mirrored: Callable[[str], str]
) -> dict[int | None, int | None]:
    """Each phase's counterpart half a cycle later or earlier, where the halves mirror each other number by number."""
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
        # a half may set targets that the other leaves as they are, but what both set is the same
        if other and [items[i].value for i in other] != [items[i].value for i in found]:
            return {}
    return partner if sided else {}
