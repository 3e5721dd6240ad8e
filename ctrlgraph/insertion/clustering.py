"""What a candidate's ends are like: runs that end alike, and which of them are meant."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from ctrlgraph.experiments.evaluation_plan import is_cyclic
from ctrlgraph.graph.conditions import FALLEN_COM_HEIGHT, FALLEN_TORSO
from ctrlgraph.insertion.probe import CARRIERS, FEET, HANDS, KNEES, OTHER, SEAT, START, TRUNK, Posture, TerminalState

if TYPE_CHECKING:
    from ctrlgraph.graph.model import ControllerGraph, Node

REST = 0.15
"""A centre of mass slower than this is at rest, m/s."""

_TORSO, _HEIGHT, _JOINTS = 0.5, 0.12, 0.5
"""How far (rad, m, rad) an end may be from a pose that it is like; the joints' angles in the root mean square."""

_CORE_TORSO, _CORE_HEIGHT = 0.3, 0.08
"""How far (rad, m) an end may be from the median of its group to be one of those that the group is known by."""

_OVER = 2.4  # rad: a trunk that is turned further stands on its head
_PACE = 0.1  # m/s: a gait that is slower goes nowhere


@dataclass(frozen=True)
class Cluster:
    """Runs that ended alike. label: in words; pose: the static pose that their ends are like, where there is one."""

    label: str
    pose: str | None
    endings: tuple[TerminalState, ...]

    @property
    def sources(self) -> tuple[str, ...]:
        """Return the nodes after which it ended so, START among them, each once."""
        return tuple(dict.fromkeys(ending.source for ending in self.endings))

    @property
    def core(self) -> tuple[TerminalState, ...]:
        """Return the endings near the middle of the group: what it has in common is theirs."""
        torso = _middle([ending.measures["torso"] for ending in self.endings])
        height = float(np.median([ending.measures["com_height"] for ending in self.endings]))
        rests = np.median([ending.measures["com_speed"] for ending in self.endings]) <= REST
        near = [
            ending
            for ending in self.endings
            if abs(math.remainder(ending.measures["torso"] - torso, math.tau)) <= _CORE_TORSO
            and abs(ending.measures["com_height"] - height) <= _CORE_HEIGHT
            and (not rests or ending.measures["com_speed"] <= REST)
        ]
        return tuple(near) or self.endings


def _middle(angles: Sequence[float]) -> float:
    """The angle that is nearest to all: a median on the circle, where 3.1 and -3.1 are neighbours."""
    return min(angles, key=lambda angle: sum(abs(math.remainder(angle - other, math.tau)) for other in angles))


def poses_of(graph: ControllerGraph, found: Iterable[TerminalState]) -> dict[str, list[Posture]]:
    """Return the postures in which the static poses end, by name."""
    poses: dict[str, list[Posture]] = {}
    for ending in found:
        if ending.source and ending.entry is not None and graph.node(ending.source).is_static:
            poses.setdefault(ending.source, []).append(ending.entry)
    return poses


def like(end: Posture, poses: Mapping[str, Sequence[Posture]]) -> str | None:
    """Return the static pose whose posture is nearest to an end, None where none is near."""
    near: list[tuple[float, str]] = []
    for name, known in poses.items():
        for pose in known:
            torso = abs(math.remainder(end.torso - pose.torso, math.tau)) / _TORSO
            height = abs(end.com_height - pose.com_height) / _HEIGHT
            joints = _apart(end, pose) / _JOINTS
            if max(torso, height, joints) <= 1.0:
                near.append((torso + height + joints, name))
    return min(near)[1] if near else None


def groups(node: Node, found: Iterable[TerminalState], poses: Mapping[str, Sequence[Posture]]) -> list[Cluster]:
    """Return the runs that completed, by what their ends are like, first the ones that are meant in all likelihood.

    Ends are alike that are like the same static pose; else those that the same links carry, with the trunk and the
    height near one another. Which end is meant cannot be known. Of a gait it is one that goes somewhere. To lie may be
    a fall (see `_may_be_fall`), and to end otherwise is no accident. Then one like a static pose is meant before
    others, an upright trunk before others, the end after most nodes, and one that is reached from the start pose.
    """
    gathered: dict[tuple[str | None, str, bool], list[TerminalState]] = {}
    for ending in found:
        if ending.completed and ending.end is not None:
            pose = None if is_cyclic(node) else like(ending.end, poses)
            goes = is_cyclic(node) and abs(ending.measures["speed"]) >= _PACE
            # a gait ends on one foot, on the other, or in the air
            apart = "" if pose is not None else str(is_low(ending.end)) if goes else support(ending.end)
            gathered.setdefault((pose, apart, goes), []).append(ending)
    made: list[_Candidate] = []
    for (pose, _, goes), mine in gathered.items():
        for alike in [mine] if pose or goes else _alike(mine):
            group = Cluster("", pose, tuple(alike))
            end = group.core[0].end if pose is None else poses[pose][0]
            assert end is not None
            label = pose or (f"going, {posture_text(replace(end, carriers=None))}" if goes else posture_text(end))
            made.append(_Candidate(replace(group, label=label), goes, end, support(end) == LYING))
    if not made:
        return []
    meant = min(made, key=lambda c: (is_cyclic(node) and not c.goes, _may_be_fall(c, made), *c.rank))
    others = sorted((c for c in made if c is not meant), key=lambda c: (c.rank[0], c.lies, *c.rank))
    return [candidate.group for candidate in (meant, *others)]


@dataclass(frozen=True)
class _Candidate:
    """A group that may be what is meant: whether it goes somewhere, a posture of its end, and whether it lies."""

    group: Cluster
    goes: bool
    end: Posture
    lies: bool

    @property
    def rank(self) -> tuple[bool, bool, int, bool, str]:
        group = self.group
        tilted = any(ending.end is not None and abs(ending.end.torso) >= FALLEN_TORSO for ending in group.core)
        strange = group.pose is None and not self.goes
        return (strange, tilted, -len(group.sources), START not in group.sources, group.label)


def _may_be_fall(candidate: _Candidate, made: Sequence[_Candidate]) -> bool:
    """Whether a group lies, and the script may have been meant to end otherwise.

    Where it is like a static pose, it is taken to lie down on purpose if it does so more often than it ends in any
    other way, and if its joints are then elsewhere: who falls keeps the posture that the script commands. What is like
    another static pose and does not lie counts for more than that.
    """
    if not candidate.lies or candidate.group.pose is None:
        return candidate.lies
    return any(
        other.group.pose is not None
        or len(other.group.sources) >= len(candidate.group.sources)
        or _apart(other.end, candidate.end) <= _JOINTS
        for other in made
        if not other.lies
    )


def _apart(one: Posture, other: Posture) -> float:
    """How far the joints of two postures are apart, rad in the root mean square."""
    return float(np.sqrt(np.mean(np.subtract(one.joints, other.joints) ** 2)))


def _alike(found: Sequence[TerminalState]) -> list[list[TerminalState]]:
    """Split ends where neither trunk nor height comes near: each is near another one of its part."""
    parts: list[list[TerminalState]] = []
    for ending in found:
        touched = [part for part in parts if any(_near(ending, other) for other in part)]
        parts = [part for part in parts if part not in touched] + [[*(e for part in touched for e in part), ending]]
    return parts


def _near(one: TerminalState, other: TerminalState) -> bool:
    turn = abs(math.remainder(one.measures["torso"] - other.measures["torso"], math.tau))
    return turn <= _TORSO and abs(one.measures["com_height"] - other.measures["com_height"]) <= _HEIGHT


LYING, SEATED, KNEELING, ON_HANDS, STANDING, IN_THE_AIR = "lying", "seated", "kneeling", "on hands", "standing", "air"

_RESTING = {SEAT: SEATED, KNEES: KNEELING, HANDS: ON_HANDS, FEET: STANDING}


def support(end: Posture) -> str:
    """Return what the character rests on, the lowest part of the body that does: from `LYING`, the trunk, to its feet.

    A trunk that is upright sits, also where its lower end touches the ground. Where it is not known what carries, or
    links do that have no role, the posture says whether it lies.
    """
    if end.carriers == ():
        return IN_THE_AIR
    carriers = end.carriers or ()
    if TRUNK in carriers:
        return LYING if abs(end.torso) >= FALLEN_TORSO else SEATED
    found = next((rest for carrier, rest in _RESTING.items() if carrier in carriers), None)
    return found or (LYING if is_low(end) else STANDING)


def posture_text(end: Posture) -> str:
    """Return a posture in a few words: "upright, on seat and feet", "on the ground, face down"."""
    rests = support(end)
    if rests == LYING:
        return _side(end)
    turned = abs(end.torso)
    bent = "forward" if end.torso >= 0.0 else "backward"
    trunk = "upright" if turned < FALLEN_TORSO else f"bent {bent}" if turned < _OVER else "upside down"
    if rests == IN_THE_AIR:
        return f"{trunk}, in the air"
    parts = [name for name in CARRIERS if name != OTHER and name in (end.carriers or ())]
    return trunk if parts in ([], ["feet"]) else f"{trunk}, on {_listed(parts)}"


def _listed(words: Sequence[str]) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"


def is_low(end: Posture) -> bool:
    """Tell whether the body is on the ground: what a corrective edge's `when` calls fallen."""
    return abs(end.torso) >= FALLEN_TORSO or end.com_height < FALLEN_COM_HEIGHT


def _side(end: Posture) -> str:
    return "on the ground, face down" if end.torso >= 0.0 else "on the ground, face up"
