"""Torques of joints at their stops, which are passive, and the depth of contact circles in the ground."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from benchmarks.inverse_dynamics import Recording, carried
from ctrlgraph.kernels.arrays import Floats
from ctrlgraph.kernels.planar.arrays import body_arrays

AT_STOP = 1e-3  # rad: a joint is at its stop within this distance of its limit
STOP_S = 0.1


def greatest_mean(values: Floats, seconds: float, dt: float) -> float:
    """Return the largest mean of values (n,) over a window; over all of them if there are fewer."""
    width = max(1, round(seconds / dt))
    total = np.concatenate(([0.0], np.cumsum(values)))
    if len(values) <= width:
        return float(total[-1] / max(len(values), 1))
    return float((total[width:] - total[:-width]).max() / width)


def limit_shares(recording: Recording, torques: Floats) -> tuple[Floats, Floats]:
    """Return the torques (n, J) as fractions of the hard limit of their direction, (n, J), and where a stop may act.

    A stop pushes the joint away from the limit only. All other torque is the motor's.
    """
    body, angle = body_arrays(recording.character), recording.links[:-1, :, 2]
    joint = angle[:, body.child] - angle[:, body.parent]
    lower, upper = body.torque[:, 1].T
    limits = np.where(torques < 0.0, -lower, upper)
    shares = np.divide(np.abs(torques), limits, out=np.zeros_like(torques), where=limits > 0.0)
    at_lower, at_upper = joint <= body.limits[:, 0] + AT_STOP, joint >= body.limits[:, 1] - AT_STOP
    return shares, (at_lower & (torques > 0.0)) | (at_upper & (torques < 0.0))


def motor_share(recording: Recording, torques: Floats) -> tuple[float, str]:
    """Return the largest fraction of its hard limit that a motor produced away from stops, and the joint."""
    shares, stopped = limit_shares(recording, torques)
    worst = np.where(stopped, 0.0, shares).max(axis=0)
    return float(worst.max()), recording.character.joints[int(worst.argmax())].name


def stop_shares(recording: Recording, torques: Floats, seconds: float = STOP_S) -> dict[str, float]:
    """Return the load of each joint that reaches its stop, as a fraction of its hard limit.

    It is the largest mean over the window of the torque of motor and stop away from the stop.
    """
    shares, stopped = limit_shares(recording, torques)
    joints, at_stops = recording.character.joints, np.where(stopped, shares, 0.0).T
    means = {j.name: greatest_mean(each, seconds, recording.dt) for j, each in zip(joints, at_stops, strict=True)}
    return {name: mean for name, mean in means.items() if mean > 0.0}


def stop_cells(stops: Mapping[str, float]) -> tuple[str, str]:
    """Return the cells of the table for percentages by joint: the largest value and its joint.

    If several joints exceed 100, all of these are listed.
    """
    if not stops:
        return "-", "-"
    ranked = sorted(stops, key=lambda name: -stops[name])
    beyond = [f"{name} {stops[name]:.0f}" for name in ranked if stops[name] > 100.0]
    return f"{stops[ranked[0]]:.0f}", ", ".join(beyond) if len(beyond) > 1 else ranked[0]


def depth(recording: Recording) -> float:
    """Return the depth of the deepest contact circle in the ground, m; 0 if there is none.

    It is geometric: the radius minus the distance of the circle's centre from the polyline, or plus that distance if
    the centre is below the ground.
    """
    ground, deepest = recording.ground, 0.0
    starts, ways = ground[:-1], np.diff(ground, axis=0)
    lengths = (ways**2).sum(axis=1)
    for i, link in enumerate(recording.character.links):
        for circle in link.contacts:
            at = np.array([[circle.x, circle.y]])
            centre = recording.links[:, i, :2] + carried(at, recording.links[:, [i], 2])[:, 0]
            squared = np.full(len(centre), np.inf)
            for start, way, length in zip(starts, ways, lengths, strict=True):
                share = np.clip(((centre - start) @ way) / max(length, 1e-12), 0.0, 1.0)
                squared = np.minimum(squared, ((start + share[:, None] * way - centre) ** 2).sum(axis=1))
            above = centre[:, 1] >= np.interp(centre[:, 0], ground[:, 0], ground[:, 1])
            deepest = max(deepest, float((circle.radius - np.where(above, 1.0, -1.0) * np.sqrt(squared)).max()))
    return deepest
