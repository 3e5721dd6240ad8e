"""Clusters of a candidate's terminal states, and the choice of the one that its author probably intends."""

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
"""Speed of the centre of mass below which a state is at rest, m/s."""

_TORSO, _HEIGHT, _JOINTS = 0.5, 0.12, 0.5
"""Maximum distances of a terminal state from a static pose that it resembles: trunk angle (rad), height (m), root mean
square of the joint angles (rad).
"""

_CORE_TORSO, _CORE_HEIGHT = 0.3, 0.08
"""Maximum distances of a state in the core from the median of its cluster: trunk angle (rad), height (m)."""

_OVER = 2.4  # rotation of the trunk beyond which it is upside down, rad
_PACE = 0.1  # minimum speed of a gait, m/s


@dataclass(frozen=True)
class Cluster:
    """Runs with similar terminal states."""

    label: str
    """Description of the posture."""
    pose: str | None
    """Static pose that they resemble, if there is one."""
    endings: tuple[TerminalState, ...]

    @property
    def sources(self) -> tuple[str, ...]:
        """Return the nodes after which these runs began, including START, without duplicates."""
        return tuple(dict.fromkeys(ending.source for ending in self.endings))

    @property
    def core(self) -> tuple[TerminalState, ...]:
        """Terminal states near the middle of the cluster."""
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
    """Return the median of angles on the circle."""
    return min(angles, key=lambda angle: sum(abs(math.remainder(angle - other, math.tau)) for other in angles))


def poses_of(graph: ControllerGraph, found: Iterable[TerminalState]) -> dict[str, list[Posture]]:
    """Return the final postures of the static poses, by name.

    Args:
        graph: Graph with the static poses.
        found: Terminal states of the nodes.
    """
    poses: dict[str, list[Posture]] = {}
    for ending in found:
        if ending.source and ending.entry is not None and graph.node(ending.source).is_static:
            poses.setdefault(ending.source, []).append(ending.entry)
    return poses


def nearest_pose(end: Posture, poses: Mapping[str, Sequence[Posture]]) -> str | None:
    """Return the static pose whose posture is nearest to a terminal state, or None if none is near.

    Args:
        end: Posture of the terminal state.
        poses: Postures of the static poses.
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
    """Return clusters of the completed runs, the one that is probably meant first.

    A cluster consists of ends that resemble the same static pose, or that are supported by the same links with similar
    trunk angle and height. The meant end is unknown. A gait has to move. Lying may be a fall (see `_may_be_fall`),
    other ends are no accident. Then ends that resemble a static pose come first, then upright ones, those after most
    nodes, and those from the start pose.

    Args:
        node: The candidate.
        found: Terminal states.
        poses: Postures of the static poses.
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
    """A cluster that may be meant: whether it moves, its posture, and whether it lies."""

    group: Cluster
    goes: bool
    end: Posture
    lies: bool

    @property
    def rank(self) -> tuple[bool, bool, int, bool, str]:
        group = self.group
        tilted = any(ending.end is not None and is_tilted(ending.end.torso) for ending in group.core)
        strange = group.pose is None and not self.goes
        return (strange, tilted, -len(group.sources), START not in group.sources, group.label)


def _may_be_fall(candidate: _Candidate, made: Sequence[_Candidate]) -> bool:
    """Return whether a cluster lies although the script may have been meant to end otherwise.

    A cluster that resembles a static pose counts as lying on purpose if it is the most frequent end and its joints
    differ from those of the other ends: after a fall they keep the commanded posture. A cluster that resembles another
    static pose and does not lie has priority.
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
    """Return the root mean square of the differences of joint angles, rad."""
    return float(np.sqrt(np.mean(np.subtract(one.joints, other.joints) ** 2)))


def _alike(found: Sequence[TerminalState]) -> list[list[TerminalState]]:
    """Split terminal states into groups with similar trunk angle and height."""
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
    """Return how the body is supported; its lowest supporting part decides.

    An upright trunk sits, even if its lower end touches the ground. With unknown supports, the posture
    decides whether it lies.
    """
    if end.carriers == ():
        return IN_THE_AIR
    carriers = end.carriers or ()
    if TRUNK in carriers:
        return LYING if is_tilted(end.torso) else SEATED
    found = next((rest for carrier, rest in _RESTING.items() if carrier in carriers), None)
    return found or (LYING if is_low(end) else STANDING)


def posture_text(end: Posture) -> str:
    """Return a short description of a posture: "upright, on seat and feet", "on the ground, face down"."""
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
    """Return True if the body is on the ground, which `when: fallen` of a corrective edge means."""
    return has_fallen(end.torso, end.com_height)


def _side(end: Posture) -> str:
    return "on the ground, face down" if end.torso >= 0.0 else "on the ground, face up"
