"""The key poses of a motion: the samples of a trace that a filmstrip shows, and their captions.

Key poses are the starts of nodes and phases, lift-off, apex and landing, the first ground contact of each limb, and
intermediate poses where the body moves much between these.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from ctrlgraph.character.model import Character
from ctrlgraph.pictures.planar.figure import Label
from ctrlgraph.pictures.style import FloatArray
from ctrlgraph.simulation.planar_trace import Trace

AT_ONCE = 0.05
"""Time within which events are merged into one pose, s."""
STILL = 0.06
"""Maximum displacement of the links while the body counts as resting, m."""
BETWEEN = 0.3
"""Mean displacement of the links between two intermediate poses, m."""
MIN_INTERVAL_S = 0.12
"""Minimum time between two intermediate poses, s."""
MIN_FLIGHT_S = 0.08
"""Minimum duration of a flight with captions, s. Shorter flights belong to steps."""
MIN_TOUCH_S = 0.05
"""Minimum duration of a ground contact with a caption, s."""
MAX_POSES = 48
"""Maximum number of poses of a readable filmstrip."""
MAX_MOTION_S = 120.0
"""Duration of the beginning of a motion from which poses are chosen, s."""

# Reasons for a pose, least important first.
_INTERMEDIATE, _LANDMARK, _PHASE, _END, _NODE = range(5)


@dataclass(frozen=True, slots=True)
class KeyPose:
    """A pose to show."""

    sample: int
    """Index of the pose's sample in the trace."""
    captions: tuple[str, ...] = ()
    """Captions, for example "lift-off". Intermediate poses have none."""
    until: float = 0.0
    """Time until which the body rests in the pose, s. Without a rest, the time of the pose."""
    rank: int = _INTERMEDIATE
    """Importance: `_INTERMEDIATE`, `_LANDMARK`, `_PHASE`, `_END` or `_NODE`, in increasing order."""


def key_poses(
    trace: Trace, character: Character, *, labels: Sequence[Label] = (), phases: Sequence[Label] = ()
) -> list[KeyPose]:
    """Return the key poses of a motion in order, at most `MAX_POSES`.

    Args:
        trace: Recorded motion with at least one sample. Only its first `MAX_MOTION_S` are used.
        character: Character that moves.
        labels: Start (s) and name of each node.
        phases: Start (s) and caption of each phase. Default: the phases in the trace, without captions.
    """
    trace = trace.between(float(trace.time[0]), float(trace.time[0]) + MAX_MOTION_S)
    known = sorted(_events(trace, character, labels, phases), key=lambda pose: (pose.sample, -pose.rank))
    poses = list(_with_intermediate(trace, list(_merged_events(trace, known))))
    return _at_most(trace, _without_rests(trace, poses), MAX_POSES)


def nearest(trace: Trace, times: FloatArray) -> list[int]:
    """Return the indices of the samples nearest to the given times, in order and without repetitions.

    Args:
        trace: Recorded motion.
        times: Times, s.
    """
    if len(trace) == 1:
        return [0]
    after = np.clip(np.searchsorted(trace.time, times - 1e-9), 1, len(trace) - 1)
    nearer = times - trace.time[after - 1] < trace.time[after] - times
    samples: list[int] = np.unique(np.where(nearer, after - 1, after)).tolist()
    return samples


def _events(trace: Trace, character: Character, labels: Sequence[Label], phases: Sequence[Label]) -> Iterator[KeyPose]:
    """Yield a pose for each event: start, end, nodes, phases, flights and ground contacts, not sorted by time."""
    start, end = float(trace.time[0]), float(trace.time[-1])

    def at(time: float) -> int:
        return nearest(trace, np.array([time]))[0]

    yield KeyPose(0, rank=_END)
    yield KeyPose(len(trace) - 1, rank=_END)
    yield from (KeyPose(at(time), rank=_NODE) for time, _ in labels if start - 1e-9 <= time <= end)
    if phases:
        began = [caption for time, caption in phases if time <= start + 1e-9][-1:]
        yield from (KeyPose(0, (caption,), rank=_PHASE) for caption in began)
        yield from (
            KeyPose(at(time), (caption,), rank=_PHASE) for time, caption in phases if start + 1e-9 < time <= end
        )
    else:
        changes = np.flatnonzero(np.diff(trace.phase)) + 1
        yield from (KeyPose(i, rank=_PHASE) for i in changes.tolist())
    yield from _flights(trace)
    yield from _touches(trace, character)


def _flights(trace: Trace) -> Iterator[KeyPose]:
    """Yield the poses of lift-off, apex and landing of each flight."""
    grounded = trace.contact.any(axis=1)
    if not grounded.any():  # the body never touches the ground
        return
    edges = np.flatnonzero(np.diff(np.concatenate([[True], grounded, [True]]).astype(int)))
    for first, landed in zip(edges[::2].tolist(), edges[1::2].tolist(), strict=True):
        last = min(landed, len(trace) - 1)
        if trace.time[last] - trace.time[first] < MIN_FLIGHT_S:
            continue
        if first > 0:
            yield KeyPose(first - 1, ("lift-off",), rank=_LANDMARK)
        top = first + int(np.argmax(trace.com[first : last + 1, 1]))
        if first < top < last:
            yield KeyPose(top, ("apex",), rank=_LANDMARK)
        if landed < len(trace):
            yield KeyPose(landed, ("landing",), rank=_LANDMARK)


def _touches(trace: Trace, character: Character) -> Iterator[KeyPose]:
    """Yield the first ground contact of the hands, feet, shins, head and trunk, if they are off the ground at first."""
    for name, links in _limbs(character).items():
        touching: NDArray[np.bool_] = np.any(trace.contact[:, links], axis=1)
        if touching[trace.time <= trace.time[0] + AT_ONCE].any():  # the start pose settles at the beginning
            continue
        begins = np.flatnonzero(np.diff(touching.astype(int)) == 1) + 1
        for i in begins.tolist():
            stays = touching[i : int(np.searchsorted(trace.time, trace.time[i] + MIN_TOUCH_S))]
            if stays.all():
                yield KeyPose(i, (name,), rank=_LANDMARK)
                break


def _limbs(character: Character) -> dict[str, list[int]]:
    """Return the indices of the links of each limb, by the caption of the limb's ground contact."""
    roles = character.roles
    return {
        "hands touch": list(roles.hands),
        "feet touch": list(roles.feet),
        "shins touch": list(roles.shins),
        "head touches": [] if roles.head is None else [roles.head],
        "trunk touches": [link for link in roles.axial if link != roles.head],
    }


def _merged_events(trace: Trace, poses: Sequence[KeyPose]) -> Iterator[KeyPose]:
    """Yield one pose for each group of events within `AT_ONCE`: the most important pose, with the captions of all.

    Args:
        trace: Recorded motion.
        poses: Poses of the events, sorted by sample.
    """
    group: list[KeyPose] = []
    for pose in poses:
        if group and trace.time[pose.sample] - trace.time[group[0].sample] > AT_ONCE:
            yield _merged(trace, group)
            group = []
        group.append(pose)
    yield _merged(trace, group)


def _merged(trace: Trace, group: Sequence[KeyPose]) -> KeyPose:
    main = max(group, key=lambda pose: pose.rank)
    # phases before landmarks
    captions = [caption for pose in sorted(group, key=lambda pose: -pose.rank) for caption in pose.captions]
    time = float(trace.time[main.sample])
    return replace(main, captions=tuple(dict.fromkeys(captions)), until=time)


def _with_intermediate(trace: Trace, poses: Sequence[KeyPose]) -> Iterator[KeyPose]:
    """Yield the poses, and between them intermediate poses at equal distances along the links' movement."""
    length = _path_length(trace)
    for pose, following in pairwise(poses):
        yield pose
        first, last = pose.sample, following.sample
        seconds = float(trace.time[last] - trace.time[first])
        count = min(int((length[last] - length[first]) / BETWEEN), int(seconds / MIN_INTERVAL_S)) - 1
        if count > 0:
            targets = np.linspace(length[first], length[last], count + 2)[1:-1]
            for i in np.unique(np.searchsorted(length, targets)).tolist():
                if first < i < last:
                    yield KeyPose(i, until=float(trace.time[i]))
    yield poses[-1]


def _path_length(trace: Trace) -> FloatArray:
    """Return the mean path length of the links from the start to each sample (n,), m.

    Their positions are relative to the horizontal position of the centre of mass.
    """
    steps = np.diff(_posture(trace), axis=0)
    length: FloatArray = np.concatenate([[0.0], np.cumsum(np.hypot(*np.moveaxis(steps, -1, 0)).mean(axis=1))])
    return length


def _posture(trace: Trace) -> FloatArray:
    """Return the positions of the links (n, L, 2) relative to the horizontal position of the centre of mass, m."""
    return trace.position - (trace.com * [1.0, 0.0])[:, None, :]


def _without_rests(trace: Trace, poses: Sequence[KeyPose]) -> list[KeyPose]:
    """Merge consecutive poses between which the body rests, with their captions. The start of a node is not merged."""
    kept: list[KeyPose] = []
    for pose in poses:
        if kept and pose.rank != _NODE and _is_resting(trace, kept[-1].sample, pose.sample):
            captions = tuple(dict.fromkeys((*kept[-1].captions, *pose.captions)))
            kept[-1] = replace(kept[-1], captions=captions, until=float(trace.time[pose.sample]))
        else:
            kept.append(pose)
    return kept


def _is_resting(trace: Trace, first: int, last: int) -> bool:
    """Return whether all links stay within `STILL` of their positions at the sample `first` until the sample `last`."""
    moved = np.abs(trace.position[first : last + 1] - trace.position[first])
    return bool(moved.max(initial=0.0) <= STILL)


def _with_fewer_repeats(poses: list[KeyPose], surplus: int) -> list[KeyPose]:
    """Remove repeated poses: those whose captions all occurred earlier in the same node.

    The last pose of each node is kept. If not all repeated poses have to be removed, evenly spaced ones are chosen.

    Args:
        poses: Poses in order.
        surplus: Number of poses to remove.
    """
    repeats: list[int] = []
    seen: set[str] = set()
    for i, (pose, following) in enumerate(pairwise(poses)):
        if pose.rank == _NODE:
            seen = set()
        elif following.rank != _NODE and seen.issuperset(pose.captions):
            repeats.append(i)
        seen.update(pose.captions)
    if surplus <= 0 or not repeats:
        return poses
    chosen = np.linspace(0, len(repeats) - 1, min(surplus, len(repeats)))
    out = {repeats[round(k)] for k in chosen.tolist()}
    return [pose for i, pose in enumerate(poses) if i not in out]


def _at_most(trace: Trace, poses: list[KeyPose], limit: int) -> list[KeyPose]:
    """Return at most `limit` poses. Repeated poses are removed first.

    If too many poses remain, the motion is divided into `limit` equal time intervals. Only the most important pose of
    each interval is kept.
    """
    poses = _with_fewer_repeats(poses, len(poses) - limit)
    if len(poses) <= limit:
        return poses
    start, end = float(trace.time[0]), float(trace.time[-1])
    best: dict[int, KeyPose] = {}
    for pose in poses:
        stretch = min(int((trace.time[pose.sample] - start) / (end - start) * limit), limit - 1)
        if stretch not in best or pose.rank > best[stretch].rank:
            best[stretch] = pose
    return list(best.values())
