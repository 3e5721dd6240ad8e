"""Choice of key poses: the poses of a recorded motion that a filmstrip shows, and their captions.

Key poses are the poses at the starts of nodes and phases, at lift-off, apex and landing of a flight, and at the first
ground contact of each limb. Where the body moves much between two of these poses, intermediate poses are added.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from ctrlgraph.character.model import Character
from ctrlgraph.pictures.style import FloatArray, Label
from ctrlgraph.simulation.recording.base_trace import BaseTrace
from ctrlgraph.simulation.recording.planar_trace import Trace
from ctrlgraph.simulation.recording.spatial_trace import SpatialTrace

Motion = Trace | SpatialTrace
"""Recorded motion in the plane or in space."""

AT_ONCE = 0.05
"""Time within which key poses are merged into one, s."""
STILL = 0.06
"""Maximum displacement of the links while the body counts as resting, m."""
BETWEEN = 0.3
"""Displacement between two intermediate poses, averaged over the links, m."""
MIN_INTERVAL_S = 0.12
"""Minimum time between two intermediate poses, s."""
STRIDE_STEP = 0.625
"""Time between intermediate poses of a periodic motion, as a fraction of its period. Half a period would show the same
two poses again and again. With an eighth more, eight pictures show the whole cycle.
"""
MIN_CYCLES = 4
"""Minimum number of cycles of a periodic motion."""
REPETITION = 0.25
"""Maximum difference of postures one period apart, as a fraction of the mean difference of postures."""
MIN_FLIGHT_S = 0.08
"""Minimum duration of a flight that gets key poses, s. Shorter flights are parts of ordinary steps."""
MIN_TOUCH_S = 0.05
"""Minimum duration of a ground contact that gets a key pose, s."""
MAX_POSES = 48
"""Maximum number of poses in a filmstrip. More would be unreadable."""
MAX_MOTION_S = 120.0
"""Maximum duration from which key poses are chosen, s. What a longer motion does afterwards is ignored."""

# Why a key pose is shown, in increasing order of importance.
_INTERMEDIATE, _LANDMARK, _PHASE, _END, _NODE = range(5)


@dataclass(frozen=True, slots=True)
class KeyPose:
    """A pose of a recorded motion that a filmstrip shows."""

    sample: int
    """Index of the pose in the samples of the trace."""
    captions: tuple[str, ...] = ()
    """Captions, for example "lift-off". Intermediate poses have none."""
    until: float = 0.0
    """Time until which the body rests in the pose, s. If the body does not rest, the time of the pose."""
    rank: int = _INTERMEDIATE
    """Why the pose is shown, in increasing order of importance: `_INTERMEDIATE`, `_LANDMARK` (flight or contact),
    `_PHASE` (start of a phase), `_END` (start or end of the motion) or `_NODE` (start of a node).
    """


def key_poses(
    trace: Motion,
    character: Character,
    *,
    labels: Sequence[Label] = (),
    phases: Sequence[Label] = (),
    events: Sequence[Label] = (),
) -> list[KeyPose]:
    """Choose at most `MAX_POSES` key poses of a motion, and return them in order of time.

    Args:
        trace: Recorded motion with at least one sample. Only its first `MAX_MOTION_S` seconds are used.
        character: Character that moves.
        labels: Start (s) and name of each node.
        phases: Start (s) and caption of each phase. If empty, phases in the plane are read from the trace and get no
            captions.
        events: Time (s) and caption of other events, such as pushes.
    """
    trace = trace.between(float(trace.time[0]), float(trace.time[0]) + MAX_MOTION_S)
    start, end = float(trace.time[0]), float(trace.time[-1])
    known = list(_events(trace, character, labels, phases))
    known += [
        KeyPose(nearest(trace, np.array([time]))[0], (caption,), rank=_LANDMARK)
        for time, caption in events
        if start - 1e-9 <= time <= end
    ]
    known.sort(key=lambda pose: (pose.sample, -pose.rank))
    poses = list(_with_intermediate(trace, list(_merged_events(trace, known))))
    return _at_most(trace, _without_rests(trace, poses), MAX_POSES)


def nearest(trace: BaseTrace, times: FloatArray) -> list[int]:
    """Return the indices of the samples nearest to the given times, in increasing order and without repetitions.

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


def _events(trace: Motion, character: Character, labels: Sequence[Label], phases: Sequence[Label]) -> Iterator[KeyPose]:
    """Yield a key pose for each event of a motion, not sorted by time.

    The events are the start and end of the motion, starts of nodes and phases, flights, and first ground contacts.
    """
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
    elif isinstance(trace, Trace):  # in space, the phases of gaits are swings, and would show the same pose each time
        changes = np.flatnonzero(np.diff(trace.phase)) + 1
        yield from (KeyPose(i, rank=_PHASE) for i in changes.tolist())
    yield from _flights(trace)
    yield from _touches(trace, character)


def _flights(trace: Motion) -> Iterator[KeyPose]:
    """Yield the key poses at lift-off, apex and landing of each flight."""
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
        top = first + int(np.argmax(trace.com_height[first : last + 1]))
        if first < top < last:
            yield KeyPose(top, ("apex",), rank=_LANDMARK)
        if landed < len(trace):
            yield KeyPose(landed, ("landing",), rank=_LANDMARK)


def _touches(trace: Motion, character: Character) -> Iterator[KeyPose]:
    """Yield a key pose at the first ground contact of the hands, feet, shins, head and trunk.

    Limbs that touch the ground at the start of the motion are omitted.
    """
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
    """Return the indices of the links of each limb, by the caption of its ground contact, such as "hands touch"."""
    roles = character.roles
    return {
        "hands touch": list(roles.hands),
        "feet touch": list(roles.feet),
        "shins touch": list(roles.shins),
        "head touches": [] if roles.head is None else [roles.head],
        "trunk touches": [link for link in roles.axial if link != roles.head],
    }


def _merged_events(trace: Motion, poses: Sequence[KeyPose]) -> Iterator[KeyPose]:
    """Merge key poses that are at most `AT_ONCE` seconds apart: keep the most important, with the captions of all.

    Args:
        trace: Recorded motion.
        poses: Key poses, sorted by time.
    """
    group: list[KeyPose] = []
    for pose in poses:
        if group and trace.time[pose.sample] - trace.time[group[0].sample] > AT_ONCE:
            yield _merged(trace, group)
            group = []
        group.append(pose)
    yield _merged(trace, group)


def _merged(trace: Motion, group: Sequence[KeyPose]) -> KeyPose:
    main = max(group, key=lambda pose: pose.rank)
    # phases before landmarks
    captions = [caption for pose in sorted(group, key=lambda pose: -pose.rank) for caption in pose.captions]
    time = float(trace.time[main.sample])
    return replace(main, captions=tuple(dict.fromkeys(captions)), until=time)


def _with_intermediate(trace: Motion, poses: Sequence[KeyPose]) -> Iterator[KeyPose]:
    """Yield the given key poses, and intermediate poses between two of them if the body moves much.

    The displacement of the links, averaged over the links, is the same between consecutive intermediate poses. In a
    periodic motion, the time between them is the same if half a period or more would pass between two poses.
    """
    posture = _postures(trace)
    steps = np.linalg.norm(np.diff(posture, axis=0), axis=-1).mean(axis=1)
    length = np.concatenate([[0.0], np.cumsum(steps)])
    for pose, following in pairwise(poses):
        yield pose
        first, last = pose.sample, following.sample
        seconds = float(trace.time[last] - trace.time[first])
        count = min(int((length[last] - length[first]) / BETWEEN), int(seconds / MIN_INTERVAL_S)) - 1
        if count > 0:
            samples = np.searchsorted(length, np.linspace(length[first], length[last], count + 2)[1:-1])
            period = _period(posture[first : last + 1])
            if period is not None and (last - first) / (count + 1) > 0.4 * period:
                samples = np.round(np.arange(first, last, STRIDE_STEP * period)).astype(int)
            for i in np.unique(samples).tolist():
                if first < i < last:
                    yield KeyPose(i, until=float(trace.time[i]))
    yield poses[-1]


def _postures(trace: Motion) -> FloatArray:
    """Return the positions of the links (n, links, axes), m, horizontally relative to the centre of mass."""
    travel = trace.com.copy()
    travel[:, -1] = 0.0
    postures: FloatArray = trace.position - travel[:, None]
    return postures


def _period(posture: FloatArray) -> int | None:
    """Return the period of a motion in samples, or None if the motion does not repeat itself `MIN_CYCLES` times.

    Args:
        posture: Positions of the links (n, links, axes), m, at equal intervals of time.
    """
    posture = posture[len(posture) // 2 :]  # a gait needs some cycles to become regular
    longest = 2 * len(posture) // MIN_CYCLES
    difference = np.array([np.abs(posture[lag:] - posture[:-lag]).mean() for lag in range(1, longest + 1)])
    if not len(difference):
        return None
    repeated = difference < REPETITION * difference.mean()
    moved = int(np.argmin(repeated))  # at smaller lags, the body has hardly moved
    start = moved + int(np.argmax(repeated[moved:]))
    if not repeated[start]:
        return None
    end = start + int(np.argmin(np.append(repeated[start:], False)))
    return start + int(np.argmin(difference[start:end])) + 1


def _without_rests(trace: Motion, poses: Sequence[KeyPose]) -> list[KeyPose]:
    """Merge consecutive key poses between which the body rests into the first of them, with the captions of all.

    A pose at the start of a node is not merged with the pose before it.
    """
    kept: list[KeyPose] = []
    for pose in poses:
        if kept and pose.rank != _NODE and _is_resting(trace, kept[-1].sample, pose.sample):
            captions = tuple(dict.fromkeys((*kept[-1].captions, *pose.captions)))
            kept[-1] = replace(kept[-1], captions=captions, until=float(trace.time[pose.sample]))
        else:
            kept.append(pose)
    return kept


def _is_resting(trace: Motion, first: int, last: int) -> bool:
    """Return whether all links stay within `STILL` m of their positions at sample `first` until sample `last`."""
    moved = np.abs(trace.position[first : last + 1] - trace.position[first])
    return bool(moved.max(initial=0.0) <= STILL)


def _with_fewer_repeats(poses: list[KeyPose], surplus: int) -> list[KeyPose]:
    """Remove repeated key poses: those whose captions all occurred earlier in the same node, such as steps of a gait.

    The first and last pose of each node are kept. If only some repeated poses have to be removed, evenly spaced ones
    are chosen.

    Args:
        poses: Key poses in order of time.
        surplus: Number of poses to remove. If fewer poses are repeated, only these are removed.
    """
    repeats: list[int] = []
    seen: set[str] = set()
    for i, (pose, following) in enumerate(pairwise(poses)):
        if i == 0 or pose.rank == _NODE:
            seen = set()
        elif following.rank != _NODE and seen.issuperset(pose.captions):
            repeats.append(i)
        seen.update(pose.captions)
    if surplus <= 0 or not repeats:
        return poses
    chosen = np.linspace(0, len(repeats) - 1, min(surplus, len(repeats)))
    out = {repeats[round(k)] for k in chosen.tolist()}
    return [pose for i, pose in enumerate(poses) if i not in out]


def _at_most(trace: Motion, poses: list[KeyPose], limit: int) -> list[KeyPose]:
    """Reduce the number of key poses to `limit`. Poses with captions that occurred before are removed first.

    If too many poses remain, the motion is divided into `limit` equal time intervals, and only the most important pose
    of each interval is kept.
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
