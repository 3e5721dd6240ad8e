"""Clusters of the states in which a new script ends, and the choice of the end that its author probably intends."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from ctrlgraph.control.falls import FALLEN_TORSO, has_fallen, is_tilted
from ctrlgraph.insertion.probe import CARRIERS, FEET, HANDS, KNEES, OTHER, SEAT, START, TRUNK, Posture, TerminalState
from ctrlgraph.robustness.evaluation_plan import is_cyclic

if TYPE_CHECKING:
    from ctrlgraph.graph.model import ControllerGraph, Node

REST = 0.15
"""Maximum speed of the centre of mass at which a character counts as at rest, m/s."""

_TORSO, _HEIGHT, _JOINTS = 0.5, 0.12, 0.5
"""Maximum differences between two similar postures: of the trunk angle (rad), of the height of the centre of mass (m),
and of the joint angles (root mean square, rad).
"""

_CORE_TORSO, _CORE_HEIGHT = 0.3, 0.08
"""Maximum differences between a state in the core of a cluster and the cluster's median: of the trunk angle (rad), and
of the height of the centre of mass (m).
"""

_OVER = 2.4  # rotation of the trunk beyond which it is upside down, rad
_PACE = 0.1  # minimum speed of a gait, m/s


@dataclass(frozen=True)
class Cluster:
    """Probe rollouts (single runs of a candidate after different nodes) that end in similar states."""

    label: str
    """Name of the static pose that the terminal states resemble, or a description of the posture."""
    pose: str | None
    """Name of the static pose that the terminal states resemble. None: they resemble no static pose."""
    endings: tuple[TerminalState, ...]
    """Terminal states of the rollouts."""

    @property
    def sources(self) -> tuple[str, ...]:
        """Names of the nodes before the candidate in these rollouts, without duplicates; START for the start pose."""
        return tuple(dict.fromkeys(ending.source for ending in self.endings))

    @property
    def core(self) -> tuple[TerminalState, ...]:
        """Terminal states near the median of the cluster, from which fields of a node are proposed.

        If the median is at rest, states that move are left out. If no state is near the median, the core is the whole
        cluster.
        """
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
    """Return the median of angles on the circle: the angle with the smallest sum of distances to all angles, rad."""
    return min(angles, key=lambda angle: sum(abs(math.remainder(angle - other, math.tau)) for other in angles))


def poses_of(graph: ControllerGraph, found: Iterable[TerminalState]) -> dict[str, list[Posture]]:
    """Return postures of each static pose by name of its node: the postures in which the candidate started after it.

    Args:
        graph: Graph with the static poses.
        found: Results of the candidate's probe rollouts after the nodes of the graph.
    """
    poses: dict[str, list[Posture]] = {}
    for ending in found:
        if ending.source and ending.entry is not None and graph.node(ending.source).is_static:
            poses.setdefault(ending.source, []).append(ending.entry)
    return poses


def nearest_pose(end: Posture, poses: Mapping[str, Sequence[Posture]]) -> str | None:
    """Return the name of the static pose that a posture resembles most, or None if it resembles none.

    Two postures resemble each other if their trunk angles, heights and joint angles differ by at most `_TORSO`,
    `_HEIGHT` and `_JOINTS`.

    Args:
        end: Posture at the end of a rollout.
        poses: Postures of each static pose, by name of the node.
    """
    near: list[tuple[float, str]] = []
    for name, known in poses.items():
        for pose in known:
            torso = abs(math.remainder(end.torso - pose.torso, math.tau)) / _TORSO
            height = abs(end.com_height - pose.com_height) / _HEIGHT
            joints = _apart(end, pose) / _JOINTS
            if max(torso, height, joints) <= 1.0:
                near.append((torso + height + joints, name))
    return min(near)[1] if near else None


def clusters(node: Node, found: Iterable[TerminalState], poses: Mapping[str, Sequence[Posture]]) -> list[Cluster]:
    """Group probe rollouts that completed by similar terminal states, and return the probably intended group first.

    The terminal states of a cluster resemble the same static pose, or the same parts of the body support the character
    and trunk angle and height are similar. For a gait, states that move and states at rest are in different clusters.

    The script does not tell which end is intended. The first cluster is chosen by these criteria, in this order: the
    character moves, if the node is a gait; it has not fallen (see `_may_be_fall`); it resembles a static pose, or
    moves; the trunk is upright; the number of different nodes before these rollouts is largest; a rollout from the
    start pose is in the cluster.

    Args:
        node: The candidate node.
        found: Terminal states of the probe rollouts.
        poses: Postures of each static pose, by name of the node.
    """
    gathered: dict[tuple[str | None, str, bool], list[TerminalState]] = {}
    for ending in found:
        if ending.completed and ending.end is not None:
            pose = None if is_cyclic(node) else nearest_pose(ending.end, poses)
            goes = is_cyclic(node) and abs(ending.measures["speed"]) >= _PACE
            # a gait may end on either foot or in the air
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
    """A cluster with the features that decide whether it is the intended end of a script."""

    group: Cluster
    """The cluster."""
    goes: bool
    """True: the candidate node is a gait, and the character moves."""
    end: Posture
    """Posture that represents the cluster."""
    lies: bool
    """True: the character lies on the ground."""

    @property
    def rank(self) -> tuple[bool, bool, int, bool, str]:
        """Sorting key of the cluster by the last four criteria of `clusters`. The smallest key is best."""
        group = self.group
        tilted = any(ending.end is not None and is_tilted(ending.end.torso) for ending in group.core)
        strange = group.pose is None and not self.goes
        return (strange, tilted, -len(group.sources), START not in group.sources, group.label)


def _may_be_fall(candidate: _Candidate, made: Sequence[_Candidate]) -> bool:
    """Return True if the character lies on the ground at the end of a cluster's rollouts, probably because of a fall.

    A lying posture that resembles no static pose is always taken for a fall. A lying posture that resembles a static
    pose is taken for a fall if there is a cluster in which the character does not lie, and one of these holds: this
    other cluster resembles a static pose; its rollouts follow at least as many nodes; or its joint angles are similar,
    since a falling body keeps the commanded joint angles.

    Args:
        candidate: The cluster to judge.
        made: All clusters.
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
    """Return the root mean square of the differences of the joint angles of two postures, rad."""
    return float(np.sqrt(np.mean(np.subtract(one.joints, other.joints) ** 2)))


def _alike(found: Sequence[TerminalState]) -> list[list[TerminalState]]:
    """Split terminal states into groups so that states with similar trunk angle and height are in the same group."""
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
    """Return how a body is supported: `LYING`, `SEATED`, `KNEELING`, `ON_HANDS`, `STANDING` or `IN_THE_AIR`.

    Of the parts that touch the ground, the first in the order trunk, seat, knees, hands, feet decides. A body whose
    trunk touches the ground is lying, or seated if the trunk is upright. If it is unknown which parts touch the ground,
    trunk angle and height decide between lying and standing.

    Args:
        end: Posture of the body.
    """
    if end.carriers == ():
        return IN_THE_AIR
    carriers = end.carriers or ()
    if TRUNK in carriers:
        return LYING if is_tilted(end.torso) else SEATED
    found = next((rest for carrier, rest in _RESTING.items() if carrier in carriers), None)
    return found or (LYING if is_low(end) else STANDING)


def posture_text(end: Posture) -> str:
    """Return a short description of a posture, such as "upright, on seat and feet" or "on the ground, face down"."""
    rests = support(end)
    if rests == LYING:
        return f"on the ground, face {'down' if end.torso >= 0.0 else 'up'}"
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
    """Return True if the body has fallen, as the condition `when: fallen` of corrective edges defines it."""
    return has_fallen(end.torso, end.com_height)
