"""The key poses of a motion: which of its samples a strip of figures shows, and what each of them is.

They are where nodes and phases begin, where the body leaves the ground, is highest and comes down, where a limb touches
the ground for the first time, and, between these, as many as the body moves. Nothing is drawn here.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from ctrlgraph.character.model import Character
from ctrlgraph.errors import CtrlGraphError
from ctrlgraph.simulation.trace import Trace

FloatArray = NDArray[np.float64]
Label = tuple[float, str]  # when something begins, in s, and its name

AT_ONCE = 0.05  # s: what begins within this is one pose
STILL = 0.06  # m: a body of which no link has moved farther is drawn once
BETWEEN = 0.3  # m that the links move, in the mean, from one pose to the next
LEAST_S = 0.12  # s between two poses that are there for no other reason than that the body moves
FLIGHT_S = 0.08  # s: a shorter one is a step's
TOUCH_S = 0.05  # s: a shorter touch is none
MOST = 48
"""So many poses are chosen at most: a strip that can still be read."""
LONGEST_S = 120.0
"""Of a longer motion the poses of so many seconds are chosen."""
MOST_ASKED = 240
"""So many poses may be asked for by their distance in time."""

# What a pose is there for, the least first.
_PASSING, _LANDMARK, _PHASE, _END, _NODE = range(5)


@dataclass(frozen=True, slots=True)
class KeyPose:
    """A pose that is shown: its sample in the trace, what it is ("lift-off", "1 throw the feet up"; nothing where the
    body only moves on), and until when the body stayed in it, s."""

    sample: int
    captions: tuple[str, ...] = ()
    until: float = 0.0
    rank: int = _PASSING


def key_poses(
    trace: Trace,
    character: Character,
    *,
    labels: Sequence[Label] = (),
    phases: Sequence[Label] = (),
    moving: bool = True,
) -> list[KeyPose]:
    """Return the poses that tell a motion, in their order, `MOST` at most.

    Args:
        trace: n >= 1 samples; of one longer than `LONGEST_S`, its beginning is told.
        labels: when each node began, and its name; phases: when each phase began, and its caption. Without them, phases
            are those of the trace, and have no captions.
        moving: whether there are poses between those that have a name, as many as the body moves.
    """
    trace = trace.between(float(trace.time[0]), float(trace.time[0]) + LONGEST_S)
    known = sorted(_named(trace, character, labels, phases), key=lambda pose: (pose.sample, -pose.rank))
    poses = list(_at_once(trace, known))
    if moving:
        poses = list(_with_passing(trace, poses))
    return _at_most(trace, _without_rests(trace, poses), MOST)


def evenly(trace: Trace, seconds: float, *, phases: Sequence[Label] = ()) -> list[KeyPose]:
    """Return poses that are so many seconds apart, each with the phase that began since the one before it; a pose that
    no longer changes is there once.

    Raises:
        CtrlGraphError: they are more than `MOST_ASKED`.
    """
    start, end = float(trace.time[0]), float(trace.time[-1])
    number = int((end - start) / seconds + 1e-9) + 1
    if number > MOST_ASKED:
        enough = np.ceil((end - start) / (MOST_ASKED - 1) * 100) / 100
        raise CtrlGraphError(
            f"one figure every {seconds:g} s would be {number:,} figures of {end - start:.1f} s, and {MOST_ASKED} is"
            f" the most: take {enough:g} s or more, or a part of the motion"
        )
    poses, told = [], -np.inf
    for i in nearest(trace, np.linspace(start, start + seconds * (number - 1), number)):
        now = float(trace.time[i])
        began = tuple(caption for time, caption in phases if told < time <= now + 1e-9)
        poses.append(KeyPose(i, began[-1:], now, _PHASE if began else _PASSING))
        told = now
    return _without_rests(trace, poses)


def nearest(trace: Trace, times: FloatArray) -> list[int]:
    """Return the samples nearest to times (s), each once."""
    if len(trace) == 1:
        return [0]
    after = np.clip(np.searchsorted(trace.time, times - 1e-9), 1, len(trace) - 1)
    nearer = times - trace.time[after - 1] < trace.time[after] - times
    samples: list[int] = np.unique(np.where(nearer, after - 1, after)).tolist()
    return samples


def _named(trace: Trace, character: Character, labels: Sequence[Label], phases: Sequence[Label]) -> Iterator[KeyPose]:
    """Poses that are there for a reason, in any order."""
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
    """Lift-off, apex and landing."""
    grounded = trace.contact.any(axis=1)
    if not grounded.any():  # not of a body that moves on the ground
        return
    edges = np.flatnonzero(np.diff(np.concatenate([[True], grounded, [True]]).astype(int)))
    for first, landed in zip(edges[::2].tolist(), edges[1::2].tolist(), strict=True):
        last = min(landed, len(trace) - 1)
        if trace.time[last] - trace.time[first] < FLIGHT_S:
            continue
        if first > 0:
            yield KeyPose(first - 1, ("lift-off",), rank=_LANDMARK)
        top = first + int(np.argmax(trace.com[first : last + 1, 1]))
        if first < top < last:
            yield KeyPose(top, ("apex",), rank=_LANDMARK)
        if landed < len(trace):
            yield KeyPose(landed, ("landing",), rank=_LANDMARK)


def _touches(trace: Trace, character: Character) -> Iterator[KeyPose]:
    """The first time that hands, shins and so on touch the ground, unless they do so from the beginning."""
    for name, links in _limbs(character).items():
        touching: NDArray[np.bool_] = np.any(trace.contact[:, links], axis=1)
        if touching[trace.time <= trace.time[0] + AT_ONCE].any():  # a start pose settles first
            continue
        begins = np.flatnonzero(np.diff(touching.astype(int)) == 1) + 1
        for i in begins.tolist():
            stays = touching[i : int(np.searchsorted(trace.time, trace.time[i] + TOUCH_S))]
            if stays.all():
                yield KeyPose(i, (name,), rank=_LANDMARK)
                break


def _limbs(character: Character) -> dict[str, list[int]]:
    """Links by what is said when they touch the ground; a foot that lands says nothing that the flight does not."""
    roles = character.roles
    return {
        "hands touch": list(roles.hands),
        "feet touch": list(roles.feet),
        "shins touch": list(roles.shins),
        "head touches": [] if roles.head is None else [roles.head],
        "trunk touches": [link for link in roles.axial if link != roles.head],
    }


def _at_once(trace: Trace, poses: Sequence[KeyPose]) -> Iterator[KeyPose]:
    """What begins at about the same time as one pose: the one with the highest rank, and the captions of all."""
    group: list[KeyPose] = []
    for pose in poses:
        if group and trace.time[pose.sample] - trace.time[group[0].sample] > AT_ONCE:
            yield _joined(trace, group)
            group = []
        group.append(pose)
    yield _joined(trace, group)


def _joined(trace: Trace, group: Sequence[KeyPose]) -> KeyPose:
    chief = max(group, key=lambda pose: pose.rank)
    # phases before landmarks
    captions = [caption for pose in sorted(group, key=lambda pose: -pose.rank) for caption in pose.captions]
    time = float(trace.time[chief.sample])
    return replace(chief, captions=tuple(dict.fromkeys(captions)), until=time)


def _with_passing(trace: Trace, poses: Sequence[KeyPose]) -> Iterator[KeyPose]:
    """Poses with others between them where the body moves much, at equal parts of its way."""
    way = _way(trace)
    for pose, following in pairwise(poses):
        yield pose
        first, last = pose.sample, following.sample
        seconds = float(trace.time[last] - trace.time[first])
        number = min(int((way[last] - way[first]) / BETWEEN), int(seconds / LEAST_S)) - 1
        if number > 0:
            wanted = np.linspace(way[first], way[last], number + 2)[1:-1]
            for i in np.unique(np.searchsorted(way, wanted)).tolist():
                if first < i < last:
                    yield KeyPose(i, until=float(trace.time[i]))
    yield poses[-1]


def _way(trace: Trace) -> FloatArray:
    """How far the links have moved in the mean (n,), m, apart from the body's way along the ground."""
    steps = np.diff(_posture(trace), axis=0)
    way: FloatArray = np.concatenate([[0.0], np.cumsum(np.hypot(*np.moveaxis(steps, -1, 0)).mean(axis=1))])
    return way


def _posture(trace: Trace) -> FloatArray:
    """Where the links are (n, L, 2), m: along the ground from the centre of mass, upward from 0."""
    return trace.position - (trace.com * [1.0, 0.0])[:, None, :]


def _without_rests(trace: Trace, poses: Sequence[KeyPose]) -> list[KeyPose]:
    """Poses of which each differs from the one before it; that one has the captions of those left out, too. Where a
    node begins there is always one."""
    kept: list[KeyPose] = []
    for pose in poses:
        if kept and pose.rank != _NODE and _rests(trace, kept[-1].sample, pose.sample):
            captions = tuple(dict.fromkeys((*kept[-1].captions, *pose.captions)))
            kept[-1] = replace(kept[-1], captions=captions, until=float(trace.time[pose.sample]))
        else:
            kept.append(pose)
    return kept


def _rests(trace: Trace, first: int, last: int) -> bool:
    """Tell whether no link goes far from where it is in one sample until another."""
    moved = np.abs(trace.position[first : last + 1] - trace.position[first])
    return bool(moved.max(initial=0.0) <= STILL)


def _with_fewer_repeats(poses: list[KeyPose], surplus: int) -> list[KeyPose]:
    """The poses without so many of those that say nothing which their node has not said before: steps on the spot
    before an obstacle, one cycle of a gait like another. They are left out evenly; a node's last pose stays."""
    repeats: list[int] = []
    said: set[str] = set()
    for i, (pose, following) in enumerate(pairwise(poses)):
        if pose.rank == _NODE:
            said = set()
        elif following.rank != _NODE and said.issuperset(pose.captions):
            repeats.append(i)
        said.update(pose.captions)
    if surplus <= 0 or not repeats:
        return poses
    chosen = np.linspace(0, len(repeats) - 1, min(surplus, len(repeats)))
    out = {repeats[round(k)] for k in chosen.tolist()}
    return [pose for i, pose in enumerate(poses) if i not in out]


def _at_most(trace: Trace, poses: list[KeyPose], most: int) -> list[KeyPose]:
    """As many poses as can be shown: without those that a node repeats, and then, of each of so many equal stretches of
    time, the one that tells most."""
    poses = _with_fewer_repeats(poses, len(poses) - most)
    if len(poses) <= most:
        return poses
    start, end = float(trace.time[0]), float(trace.time[-1])
    best: dict[int, KeyPose] = {}
    for pose in poses:
        stretch = min(int((trace.time[pose.sample] - start) / (end - start) * most), most - 1)
        if stretch not in best or pose.rank > best[stretch].rank:
            best[stretch] = pose
    return list(best.values())
