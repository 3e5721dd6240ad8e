"""Planar poses as the position of the root link and joint angles, for programs whose joints cannot separate.

In a simulation, the two links of a joint separate by fractions of a millimetre, and these errors add up along a chain
of links. Therefore a tree of links with exact joints is fitted to each pose. The fit minimizes the maximum distance of
the links' centres of mass and joints from their recorded positions, and keeps the angles near the recorded angles.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ctrlgraph.character.planar_model import PlanarCharacter
from ctrlgraph.export.frames import sampled
from ctrlgraph.kernels.arrays import Floats
from ctrlgraph.simulation.signals.recorded_signals import Signals

ANGLE_WEIGHT = 0.03
"""Position error, m, that counts as much in the fit as an angle error of 1 rad."""

_PASSES = 4
_SMALL = 1e-7  # m; keeps all weights above 0
_AT_ONCE = 500  # poses, of some 30 kB each


@dataclass(frozen=True)
class TreePoses:
    """Poses of a character with L links and J joints at n times, in which the links meet exactly at the joints."""

    time: Floats
    """(n,) time of each pose, s."""
    place: Floats
    """(n, 2) world position (x, y) of the root link's centre of mass, m."""
    rotation: Floats
    """(n, L) angle of each link from the reference pose, clockwise, rad."""
    joint: Floats
    """(n, J) joint angles: rotation of the child link minus rotation of the parent link, rad."""


def tree_poses(signals: Signals, character: PlanarCharacter, at: Floats) -> TreePoses:
    """Return the poses of a recorded motion at given times, with links that meet exactly at the joints.

    The motion is interpolated linearly between its samples.

    Args:
        signals: Recorded signals of the motion.
        character: The character that moves.
        at: Times (n,) of the poses, s.

    >>> from ctrlgraph import Project, Simulation
    >>> from ctrlgraph.export.planar_poses import tree_poses
    >>> from ctrlgraph.simulation.signals.recorded_signals import SignalRecorder
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


def _fit(tree: _Tree, centre: Floats, turned: Floats, root: int) -> tuple[Floats, Floats]:
    """Fit poses whose links meet exactly at the joints to n recorded poses.

    The maximum distance of centres of mass and joints from their recorded positions is minimized by Lawson's algorithm
    (1961): repeated least squares with weights that grow with the distances.

    Args:
        tree: Kinematics of the character with exact joints.
        centre: Recorded centres of mass of the links (n, L, 2), m.
        turned: Recorded rotations of the links (n, L), rad.
        root: Index of the root link.

    Returns:
        World positions of the root link's centre of mass (n, 2), m, and rotations of the links (n, L), rad.
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
    """Kinematics of a character whose L links meet exactly at the joints.

    It has P points: the centre of mass of each link, and each joint twice, as a point of its parent and of its child
    link.
    """

    def __init__(self, character: PlanarCharacter) -> None:
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
        """Return the links' centres of mass (n, L, 2), m, and their derivatives by the rotations (n, L, 2, L), m/rad.

        Args:
            place: World positions of the root link's centre of mass (n, 2), m.
            rotation: Rotations of the links (n, L), rad.
        """
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
        """Return the world positions of the P points in n poses, (n, P, 2), m.

        Args:
            centre: Centres of mass of the links (n, L, 2), m.
            rotation: Rotations of the links (n, L), rad.
        """
        return centre[:, self._link] + self._arms(rotation)

    def points_turning(self, turning: Floats, rotation: Floats) -> Floats:
        """Return the derivatives of the P points' positions with respect to each link's rotation, (n, P, 2, L), m/rad.

        Args:
            turning: Derivatives of the centres of mass by the rotations (n, L, 2, L), as `centres` returns them.
            rotation: Rotations of the links (n, L), rad.
        """
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
    """Return changes of n fitted poses that reduce the errors (a Gauss-Newton step), (n, 2 + L).

    A change consists of those of the root link's position, m, and of the L links' rotations, rad.

    Args:
        off: Recorded minus fitted positions of P points (n, P, 2), m.
        turned: Recorded minus fitted rotations (n, L), rad.
        turning: Derivatives of the points' positions by the rotations (n, P, 2, L), m/rad.
        weights: Weights of the points' errors (n, P).
    """
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
