"""What a newcomer's ends are like: runs that end alike, and which of them are meant."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ctrlgraph.graph.conditions import FALLEN_COM_HEIGHT, FALLEN_TORSO
from ctrlgraph.learning.endings import START, Ending, Posture
from ctrlgraph.robustness.target import is_cyclic

if TYPE_CHECKING:
    from ctrlgraph.graph.model import ControllerGraph, Node

REST = 0.15
"""A centre of mass slower than this is at rest, m/s."""

_TORSO, _HEIGHT, _JOINTS = 0.5, 0.12, 0.5
"""How far (rad, m, rad) an end may be from a pose that it is like; the joints' angles in the root mean square."""

_CORE_TORSO, _CORE_HEIGHT = 0.3, 0.08
"""How far (rad, m) an end may be from the median of its group to be one of those that the group is known by."""

_PACE = 0.1  # m/s: a gait that is slower goes nowhere


@dataclass(frozen=True)
class Group:
    """Runs that ended alike. label: in words; pose: the static pose that their ends are like, where there is one."""

    label: str
    pose: str | None
    endings: tuple[Ending, ...]

    @property
    def sources(self) -> tuple[str, ...]:
        """The nodes after which it ended so, START among them, each once."""
        return tuple(dict.fromkeys(ending.source for ending in self.endings))

    @property
    def core(self) -> tuple[Ending, ...]:
        """The endings near the middle of the group: what it has in common is theirs."""
        torso = float(np.median([ending.measures["torso"] for ending in self.endings]))
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


def poses_of(graph: ControllerGraph, found: Iterable[Ending]) -> dict[str, list[Posture]]:
    """The postures in which the static poses end, by name."""
    poses: dict[str, list[Posture]] = {}
    for ending in found:
        if ending.source and ending.entry is not None and graph.node(ending.source).is_static:
            poses.setdefault(ending.source, []).append(ending.entry)
    return poses


def like(end: Posture, poses: Mapping[str, Sequence[Posture]]) -> str | None:
    """The static pose whose posture is nearest to an end, None where none is near."""
    near: list[tuple[float, str]] = []
    for name, known in poses.items():
        for pose in known:
            torso = abs(math.remainder(end.torso - pose.torso, math.tau)) / _TORSO
            height = abs(end.com_height - pose.com_height) / _HEIGHT
            joints = float(np.sqrt(np.mean(np.subtract(end.joints, pose.joints) ** 2))) / _JOINTS
            if max(torso, height, joints) <= 1.0:
                near.append((torso + height + joints, name))
    return min(near)[1] if near else None


def groups(node: Node, found: Iterable[Ending], poses: Mapping[str, Sequence[Posture]]) -> list[Group]:
    """The runs that completed, by what their ends are like, first the ones that are meant in all likelihood.

    Which end is meant cannot be known. Of a gait it is one that goes somewhere; else one like a static pose. To end
    upright is no accident, to end on the ground may be a fall. Of what is left, the end after most nodes is taken,
    then one that is reached from the start pose.
    """
    gathered: dict[tuple[bool, bool, str, str | None], list[Ending]] = {}
    for ending in found:
        if ending.completed and ending.end is not None:
            pose = None if is_cyclic(node) else like(ending.end, poses)
            goes = is_cyclic(node) and abs(ending.measures["speed"]) >= _PACE
            low = is_low(ending.end if pose is None else poses[pose][0])
            label = pose or f"{'going, ' if goes else ''}{_side(ending.end) if low else 'upright'}"
            gathered.setdefault((pose is None and not goes, low, label, pose), []).append(ending)
    made = [(strange, low, Group(label, pose, tuple(mine))) for (strange, low, label, pose), mine in gathered.items()]
    made.sort(key=lambda m: (m[0], m[1], -len(m[2].sources), START not in m[2].sources, m[2].label))
    return [group for _, _, group in made]


def is_low(end: Posture) -> bool:
    """Whether the body is on the ground: what a corrective edge's `when` calls fallen."""
    return abs(end.torso) >= FALLEN_TORSO or end.com_height < FALLEN_COM_HEIGHT


def _side(end: Posture) -> str:
    return "on the ground, face down" if end.torso >= 0.0 else "on the ground, face up"
