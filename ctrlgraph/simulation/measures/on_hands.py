"""Measures of motions on the hands: legs, landing, steps of the hands. The decorator of a measure states its unit."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ctrlgraph.simulation.measures.base_motion import runs, wrapped
from ctrlgraph.simulation.measures.planar_motion import Motion
from ctrlgraph.simulation.measures.registry import register

_UPRIGHT = 0.4
"""Maximum angle between an upright trunk and the vertical, rad."""

_LEAST_UPRIGHT = 0.2
"""Minimum time for which the trunk is upright, s. A trunk that swings through the vertical is so for less time."""


@register(unit="rad", sampled="course", needs={"shins": 2, "feet": 1})
def leg_split(motion: Motion) -> float:
    """Return the least angle between the outermost thighs (links above the shins) while the trunk is within 0.6 rad of
    upside down and no foot is in contact; 0 if this never happens.
    """
    joints = motion.character.joints
    thighs = sorted({joints[knee].parent for knee in motion.character.knees})
    apart = np.ptp(motion.rotation(thighs), axis=1)[motion.upside_down & motion.feet_off]
    return float(apart.min()) if apart.size else 0.0


@register(unit="s", sampled="course", needs={"hands": 1, "feet": 2})
def landing_interval(motion: Motion) -> float:
    """Return the time between the landings of the first and the last foot after the longest time on the hands; a foot
    that does not land counts as landing at the end.
    """
    start, end = motion.on_hands()
    if end <= start:
        return 0.0
    after = motion.trace.contact[end - 1 :, motion.links("feet")]
    time = motion.trace.time[end - 1 :]
    down = [time[np.argmax(touching)] if touching.any() else time[-1] for touching in after.T]
    return float(max(down) - min(down))


@register(unit="m", sampled="course", needs={"hands": 1, "feet": 2}, scales=True)
def landing_step(motion: Motion) -> float:
    """Return the distance by which the last foot lands ahead of the first one after the longest time on the hands,
    forward positive; 0 if a foot does not land.
    """
    start, end = motion.on_hands()
    if end <= start:
        return 0.0
    feet = motion.links("feet")
    after = motion.trace.contact[end - 1 :, feet]
    if not after.any(axis=0).all():
        return 0.0
    down = np.argmax(after, axis=0)
    first, last = int(down.argmin()), int(down.argmax())
    x = motion.forward(feet)[end - 1 + int(down.max())]
    return float(x[last] - x[first])


@register(unit="s", sampled="course", needs={"hands": 1, "feet": 1})
def landing_to_upright(motion: Motion) -> float:
    """Return the time from the landing of the first foot after the longest time on the hands until the trunk is within
    0.4 rad of upright for at least 0.2 s; until the end if it never is.
    """
    start, end = motion.on_hands()
    if end <= start:
        return 0.0
    landed = end - 1 + int(np.argmax(~motion.feet_off[end - 1 :]))
    return float(motion.trace.time[_upright_from(motion, landed)] - motion.trace.time[landed])


@register(unit="rad", sampled="course", needs={"hands": 1, "feet": 1})
def rising_arm_flexion(motion: Motion) -> float:
    """Return the mean flexion of the less raised shoulder from the end of the longest time on the hands until the trunk
    is upright as in `landing_to_upright`; 0 without such a time.
    """
    return min(_means_rising(motion, motion.character.shoulders), default=0.0)


@register(unit="rad", sampled="course", needs={"hands": 1, "feet": 1})
def rising_elbow_flexion(motion: Motion) -> float:
    """Return the mean flexion of the more bent elbow in the time of `rising_arm_flexion`; 0 without such a time."""
    return max(_means_rising(motion, motion.character.elbows), default=0.0)


@register(unit="rad", sampled="course", needs={"hands": 1, "shins": 1, "feet": 1})
def rising_knee_flexion(motion: Motion) -> float:
    """Return the mean flexion of the less bent knee (the joint above a shin) in the time of `rising_arm_flexion`; 0
    without such a time.
    """
    return min(_means_rising(motion, motion.character.knees), default=0.0)


@register(unit="rad", sampled="course", needs={"hands": 1, "feet": 1})
def hands_elbow_flexion(motion: Motion) -> float:
    """Return the mean flexion of the more bent elbow during the longest time on the hands; 0 without such a time."""
    return max(_means_on_hands(motion, motion.character.elbows), default=0.0)


@register(unit="rad", sampled="course", needs={"hands": 1, "feet": 1})
def hands_shoulder_flexion(motion: Motion) -> float:
    """Return the mean flexion of the less raised shoulder during the longest time on the hands, pi if the arms continue
    the trunk; 0 without such a time.
    """
    return min(_means_on_hands(motion, motion.character.shoulders), default=0.0)


@register(unit="rad", sampled="course", needs={"hands": 1, "shins": 1, "feet": 1})
def hands_knee_flexion(motion: Motion) -> float:
    """Return the mean flexion of the more bent knee (the joint above a shin) during the longest time on the hands; 0
    without such a time.
    """
    return max(_means_on_hands(motion, motion.character.knees), default=0.0)


@register(unit="1", sampled="course", needs={"hands": 2, "feet": 1})
def hands_steps(motion: Motion) -> float:
    """Return the number of steps of the hands: strikes of a hand after at least 0.05 s off the ground, with no foot in
    contact; consecutive strikes of the same hand count as one.
    """
    strikes = sorted(
        (end, hand) for hand, swings in motion.swings("hands").items() for _, end in swings if motion.feet_off[end]
    )
    return float(sum(i == 0 or hand != strikes[i - 1][1] for i, (_, hand) in enumerate(strikes)))


def _upright_from(motion: Motion, first: int) -> int:
    """Return the first sample from `first` on from which the trunk is within 0.4 rad of upright for at least 0.2 s; the
    last sample if there is none.
    """
    time = motion.trace.time[first:]
    upright = np.abs(wrapped(motion.trunk_angle[first:])) <= _UPRIGHT
    return first + next((a for a, b in runs(upright) if time[b - 1] - time[a] >= _LEAST_UPRIGHT), len(time) - 1)


def _means_on_hands(motion: Motion, joints: Sequence[int]) -> list[float]:
    """Return the mean flexion of each joint during the longest time on the hands; empty without such a time."""
    return _means(motion, joints, *motion.on_hands())


def _means_rising(motion: Motion, joints: Sequence[int]) -> list[float]:
    """Return the mean flexion of each joint from the end of the longest time on the hands until the trunk is upright;
    empty without such a time.
    """
    start, end = motion.on_hands()
    return _means(motion, joints, end - 1, _upright_from(motion, end - 1) + 1) if end > start else []


def _means(motion: Motion, joints: Sequence[int], start: int, end: int) -> list[float]:
    """Return the mean flexion of each joint in the samples from `start` to before `end`; empty if there are none."""
    return [float(motion.flexion(joint)[start:end].mean()) for joint in joints] if end > start else []
