"""Planar poses as root position and joint angles, for programs in which joints cannot come apart.

The joints of an engine give way by fractions of a millimetre, and these errors add up along a chain. Therefore an exact
tree of links is fitted to each sample. The fit minimizes the distances of the links' centres of mass and joints from
the recorded ones. The angles stay near the recorded angles.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ctrlgraph.character.model import Character
from ctrlgraph.errors import CtrlGraphError
from ctrlgraph.kernels.planar.arrays import Floats
from ctrlgraph.simulation.signals import Signals

ANGLE_WEIGHT = 0.03
"""Weight of an angle error, m per rad."""

_PASSES = 4
_SMALL = 1e-7  # m; keeps all weights above 0
_AT_ONCE = 500  # poses, of some 30 kB each


@dataclass(frozen=True)
class TreePoses:
    """Poses of a tree of links at n times."""

    time: Floats
    """(n,) s."""
    place: Floats
    """(n, 2) centre of mass of the root link, m."""
    rotation: Floats
    """(n, L) angle of each link, rad, clockwise."""
    joint: Floats
    """(n, J) joint angles, rad."""


def tree_poses(signals: Signals, character: Character, at: Floats) -> TreePoses:
    """Return the poses of a recorded motion at times `at` (n,), s, with linear interpolation.

    >>> from ctrlgraph import Project, Simulation
    >>> from ctrlgraph.export.planar_poses import tree_poses
    >>> from ctrlgraph.simulation.signals import SignalRecorder
    >>> project = Project.find()
    >>> with Simulation(project.character) as simulation:
    ...     recorder = SignalRecorder(simulation)
    ...     _ = simulation.run(project.controller("stand"), timeout=0.1)
    >>> tree_poses(recorder.signals(), project.character, np.array([0.0, 0.05])).place.shape
    (2, 2)
    """
    names = [link.name for link in character.links]
    tree, laid = _Tree(character), []
    for some in np.array_split(at, len(at) // _AT_ONCE + 1):
        columns = [[sampled(signals, f"{axis}.{name}", some) for name in names] for axis in "xy"]
        turned = np.stack([sampled(signals, f"rotation.{name}", some) for name in names], axis=1)
        laid.append(_fit(tree, np.stack(columns).transpose(2, 1, 0), turned, character.root))
    place, rotation = (np.concatenate(parts) for parts in zip(*laid, strict=True))
    parents, children = ([getattr(joint, end) for joint in character.joints] for end in ("parent", "child"))
    return TreePoses(at, place, rotation, rotation[:, children] - rotation[:, parents])


def frame_times(signals: Signals, rate: float) -> Floats:
    """Return times (n,) from the first sample to the last, 1 / rate s apart.

    Raises:
        CtrlGraphError: the motion is shorter than a frame.
    """
    time = signals.columns["time"]
    n = int((time[-1] - time[0]) * rate + 1e-6) + 1
    if n < 2:
        raise CtrlGraphError("the motion is shorter than a frame")
    return np.asarray(time[0] + np.arange(n) / rate)


def sampled(signals: Signals, name: str, at: Floats) -> Floats:
    """Return a column at other times, with linear interpolation."""
    return np.asarray(np.interp(at, signals.columns["time"], signals.columns[name]))


def _fit(tree: _Tree, centre: Floats, turned: Floats, root: int) -> tuple[Floats, Floats]:
    """Return the root positions (n, 2) and link rotations (n, L) that minimize the maximum distance.

    Lawson's algorithm (1961): repeated least squares with weights that grow with the distances.
    """
    place, rotation, wanted = centre[:, root].copy(), turned.copy(), tree.points(centre, turned)
    weights = np.ones(wanted.shape[:2])
    for _ in range(_PASSES):
        centres, turning = tree.centres(place, rotation)
        off, moving = wanted - tree.points(centres, rotation), tree.points_turning(turning, rotation)
        step = _nearest(off, turned - rotation, moving, weights)
        place, rotation = place + step[:, :2], rotation + step[:, 2:]
        left = np.linalg.norm(wanted - tree.points(tree.centres(place, rotation)[0], rotation), axis=2)
        weights = weights * (left + _SMALL)
        weights /= weights.mean(axis=1, keepdims=True)
    return place, rotation


class _Tree:
    """Exact tree of a character's links."""

    def __init__(self, character: Character) -> None:
        self._n = len(character.links)
        self._steps = []
        points = [(i, (0.0, 0.0)) for i in range(self._n)]
        waiting = [character.root]
        while waiting:
            parent = waiting.pop()
            for joint in (joint for joint in character.joints if joint.parent == parent):
                one, other = character.links[parent], character.links[joint.child]
                ends = (joint.x - one.x, joint.y - one.y), (joint.x - other.x, joint.y - other.y)
                self._steps.append((parent, joint.child, *ends))
                points += [(parent, ends[0]), (joint.child, ends[1])]
                waiting.append(joint.child)
        self._link, self._offset = [link for link, _ in points], np.array([offset for _, offset in points])

    def centres(self, place: Floats, rotation: Floats) -> tuple[Floats, Floats]:
        """Return the links' centres (n, L, 2) and their derivatives with respect to the rotations (n, L, 2, L)."""
        n = len(place)
        centre, turning = np.repeat(place[:, None], self._n, axis=1), np.zeros((n, self._n, 2, self._n))
        cosine, sine = np.cos(rotation), np.sin(rotation)
        for parent, child, here, there in self._steps:
            centre[:, child], turning[:, child] = centre[:, parent], turning[:, parent]
            for link, (x, y), sign in ((parent, here, 1.0), (child, there, -1.0)):
                arm = np.stack([x * cosine[:, link] + y * sine[:, link], y * cosine[:, link] - x * sine[:, link]], 1)
                centre[:, child] += sign * arm
                turning[:, child, :, link] += sign * np.stack([arm[:, 1], -arm[:, 0]], axis=1)
        return centre, turning

    def points(self, centre: Floats, rotation: Floats) -> Floats:
        """Return centres and joints of the links (n, P, 2), each joint once for each of its two links."""
        return centre[:, self._link] + self._arms(rotation)

    def points_turning(self, turning: Floats, rotation: Floats) -> Floats:
        """Return the derivatives of these points with respect to each rotation (n, P, 2, L)."""
        arm, own = self._arms(rotation), turning[:, self._link]
        every = np.arange(len(self._link))
        own[:, every, 0, self._link] += arm[:, :, 1]
        own[:, every, 1, self._link] -= arm[:, :, 0]
        return own

    def _arms(self, rotation: Floats) -> Floats:
        cosine, sine = np.cos(rotation[:, self._link]), np.sin(rotation[:, self._link])
        x, y = self._offset.T
        return np.stack([x * cosine + y * sine, y * cosine - x * sine], axis=2)


def _nearest(off: Floats, turned: Floats, turning: Floats, weights: Floats) -> Floats:
    """Return the Gauss-Newton step of the root's position and the rotations (n, 2 + L)."""
    (n, points), links = off.shape[:2], turned.shape[1]
    moving = np.zeros((n, points, 2, 2 + links))
    moving[:, :, 0, 0] = moving[:, :, 1, 1] = 1.0
    moving[..., 2:] = turning
    rows = moving.reshape(n, 2 * points, 2 + links)
    weighted = rows.transpose(0, 2, 1) * np.repeat(weights, 2, axis=1)[:, None]
    normal = weighted @ rows
    wanted = (weighted @ off.reshape(n, 2 * points, 1))[:, :, 0]
    angles = np.arange(2, 2 + links)
    normal[:, angles, angles] += ANGLE_WEIGHT**2
    wanted[:, 2:] += ANGLE_WEIGHT**2 * turned
    return np.asarray(np.linalg.solve(normal, wanted[:, :, None])[:, :, 0])
