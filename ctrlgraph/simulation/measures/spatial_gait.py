"""Measures of the gaits of quadrupeds: duty factor and relative phases of the feet, and the names of gaits.

A phase is the time between the strikes of two feet, as an angle: a stride is a whole turn. Hildebrand describes a
symmetrical gait by two numbers: the duty factor, and the phase between the hind and the front foot of a side, which is
`ipsilateral_phase` here and a percentage of the stride there (M. Hildebrand, Symmetrical gaits of horses, Science 150,
1965, 701-708). Asymmetrical gaits differ in the phases within the pairs of front and of hind feet (M. Hildebrand,
Analysis of asymmetrical gaits, Journal of Mammalogy 58, 1977, 131-156).
"""

from __future__ import annotations

import cmath
import itertools
import math
from collections.abc import Sequence

import numpy as np

from ctrlgraph.simulation.measures.base_motion import BaseMotion, wrapped
from ctrlgraph.simulation.measures.registry import register_in_space
from ctrlgraph.simulation.measures.spatial_motion import SpatialMotion

UNKNOWN = "unknown"

GAITS = ("walk", "amble", "trot", "pace", "bound", "half-bound", "transverse gallop", "rotary gallop", "pronk", UNKNOWN)
"""Names of gaits that `classify_gait` returns."""

TOGETHER = 1.0 / 16.0
"""Maximum time between the strikes of two feet that strike together, as a share of the stride."""

NEAR = 1.0 / 8.0
"""Maximum deviation of a phase from that of a named gait, as a share of the stride: the phases of pace, walk and trot
are a quarter of a stride apart."""

STEADY = 0.8
"""Minimum length of the mean of the phase's unit vectors over all strides. It is 1 if all strides are equal."""

SAME_RATE = 1.2
"""Maximum ratio of the stride times of two feet in a gait."""
_CANCELLED = 1e-6
"""Length of a mean phase, as a complex number, up to which it has no direction."""


@register_in_space(unit="1", sampled="course", needs={"feet": 1})
def duty_factor(motion: SpatialMotion) -> float:
    """Return the share of the stride in which a foot is on the ground, mean of all feet.

    A foot that makes no complete stride counts with the share of the whole motion in which it is in contact.
    """
    return float(np.mean([_duty(motion, foot) for foot in motion.links("feet")]))


@register_in_space(unit="rad", sampled="course", needs={"legs": 4}, circular=True)
def ipsilateral_phase(motion: SpatialMotion) -> float:
    """Return the mean phase by which a front foot strikes after the hind foot of its side, wrapped to (-pi, pi]: near 0
    in a pace, pi in a trot, pi/2 in a walk with lateral sequence; NaN without complete strides.
    """
    front_left, front_right, hind_left, hind_right = _corners(motion)
    return _angle(_lag(motion, [(front_left, hind_left), (front_right, hind_right)]))


@register_in_space(unit="rad", sampled="course", needs={"legs": 4}, circular=True)
def diagonal_phase(motion: SpatialMotion) -> float:
    """Return the mean phase by which a front foot strikes after the hind foot of the other side, wrapped to (-pi, pi]:
    near 0 in a trot, pi in a pace, -pi/2 in a walk with lateral sequence; NaN without complete strides.
    """
    front_left, front_right, hind_left, hind_right = _corners(motion)
    return _angle(_lag(motion, [(front_left, hind_right), (front_right, hind_left)]))


@register_in_space(unit="rad", sampled="course", needs={"legs": 4}, circular=True)
def front_phase(motion: SpatialMotion) -> float:
    """Return the mean phase by which the left front foot strikes after the right one, wrapped to (-pi, pi]: near pi in
    symmetrical gaits, 0 in a bound; NaN without complete strides.
    """
    left, right, _, _ = _corners(motion)
    return _angle(_pair_lag(motion, left, right))


@register_in_space(unit="rad", sampled="course", needs={"legs": 4}, circular=True)
def hind_phase(motion: SpatialMotion) -> float:
    """Return the mean phase by which the left hind foot strikes after the right one, wrapped to (-pi, pi]: near pi in
    symmetrical gaits, 0 in a bound; NaN without complete strides.
    """
    _, _, left, right = _corners(motion)
    return _angle(_pair_lag(motion, left, right))


def footfall_sequence(motion: SpatialMotion) -> tuple[tuple[str, ...], ...]:
    """Return the order in which the feet strike in a stride, from the left hind foot on: names of legs.

    Feet that strike together (see `TOGETHER`) are one element of the sequence. The sequence is empty if the character
    does not have four legs, or if the strides are not alike.
    """
    legs = motion.character.roles.legs
    if len(legs) != 4 or not _is_periodic(motion):
        return ()
    first = legs[2]
    phase = {leg.name: _share(_lag(motion, [(leg.foot, first.foot)])) for leg in legs if leg is not first}
    phase = {first.name: 0.0} | {name: (each + TOGETHER) % 1.0 - TOGETHER for name, each in phase.items()}
    order = sorted(phase, key=lambda name: phase[name])
    groups = [[order[0]]]
    for before, name in itertools.pairwise(order):
        if phase[name] - phase[before] > TOGETHER:
            groups.append([])
        groups[-1].append(name)
    return tuple(tuple(group) for group in groups)


def classify_gait(motion: SpatialMotion) -> str:
    """Return the name of a quadruped's gait, one of `GAITS`, from the contacts of its feet.

    A gait is symmetrical if both feet of each pair strike half a stride apart. It is then the nearest of trot, pace and
    a gait in which the feet strike one by one: a walk if the duty factor is at least 0.5, else an amble. In other gaits
    the feet of a pair strike together or shortly after each other: both pairs together in a bound (or pronk, if all
    four are together), only one in a half-bound, none in a gallop. A gallop is transverse if left and right follow in
    the same order in both pairs, else rotary.

    The gait is unknown if the character does not have four legs, the strides are not alike, or no name fits.
    """
    if len(motion.character.roles.legs) != 4 or not _is_periodic(motion):
        return UNKNOWN
    front_left, front_right, hind_left, hind_right = _corners(motion)
    front, hind = (_share(_pair_lag(motion, *pair)) for pair in ((front_left, front_right), (hind_left, hind_right)))
    side = _share(_lag(motion, [(front_left, hind_left), (front_right, hind_right)]))
    symmetrical = [_apart(lag, 0.5) <= NEAR for lag in (front, hind)]
    if all(symmetrical):
        return _symmetrical_gait(side, duty_factor(motion))
    if any(symmetrical):
        return UNKNOWN
    together = [_apart(lag, 0.0) <= TOGETHER for lag in (front, hind)]
    if all(together):
        return "pronk" if _apart(side, 0.0) <= NEAR else "bound"
    if any(together):
        return "half-bound"
    return "transverse gallop" if (front < 0.5) == (hind < 0.5) else "rotary gallop"


def _symmetrical_gait(side: float, duty: float) -> str:
    """Return the name of a symmetrical gait.

    Args:
        side: phase of a front foot after the hind foot of its side, as a share of the stride.
        duty: duty factor.
    """
    if _apart(side, 0.5) <= NEAR:
        return "trot"
    if _apart(side, 0.0) <= NEAR:
        return "pace"
    return "walk" if duty >= 0.5 else "amble"


def _corners(motion: SpatialMotion) -> tuple[int, int, int, int]:
    """Return the feet of the first and the last pair of legs: front left, front right, hind left, hind right."""
    legs = motion.character.roles.legs
    front_left, front_right, hind_left, hind_right = (leg.foot for leg in (*legs[:2], *legs[-2:]))
    return front_left, front_right, hind_left, hind_right


def _is_periodic(motion: SpatialMotion) -> bool:
    """Return whether the four feet have the same stride time, and the same phases in all strides."""
    front_left, front_right, hind_left, hind_right = feet = _corners(motion)
    times = [_strike_times(motion, foot) for foot in feet]
    if any(len(each) < 2 for each in times):
        return False
    strides = [(each[-1] - each[0]) / (len(each) - 1) for each in times]
    around = ((front_left, front_right), (hind_left, hind_right), (front_left, hind_left), (front_right, hind_right))
    return max(strides) <= SAME_RATE * min(strides) and all(abs(_lag(motion, [pair])) >= STEADY for pair in around)


def _strike_times(motion: BaseMotion, foot: int) -> list[float]:
    """Return the times at which a foot strikes the ground after a swing, s."""
    return [float(motion.trace.time[end]) for _, end in motion.strikes.get(foot, [])]


def _duty(motion: BaseMotion, foot: int) -> float:
    """Return the share of the complete strides of a foot in which it is on the ground.

    Short losses of contact are not swings, and count as contact. Without a complete stride, it is the share of the
    samples with contact.
    """
    time, swings = motion.trace.time, motion.strikes[foot]
    if len(swings) < 2:
        return float(motion.trace.contact[:, foot].mean())
    off = sum(time[end] - time[start] for start, end in swings[1:])
    return 1.0 - float(off) / float(time[swings[-1][1]] - time[swings[0][1]])


def _lag(motion: BaseMotion, pairs: Sequence[tuple[int, int]]) -> complex:
    """Return the mean phase of strikes, as a complex number of at most unit length; 0 without complete strides.

    Each strike of the first foot of a pair has a phase within the stride of the second foot in which it happens.

    Args:
        motion: the motion.
        pairs: links of feet; the mean is over all strikes of all pairs.
    """
    found = []
    for foot, other in pairs:
        strikes = _strike_times(motion, foot)
        for start, end in itertools.pairwise(_strike_times(motion, other)):
            found += [(time - start) / (end - start) for time in strikes if start <= time < end]
    return complex(np.exp(2j * np.pi * np.array(found)).mean()) if found else 0j


def _pair_lag(motion: BaseMotion, left: int, right: int) -> complex:
    """Return the mean phase of a left foot after the right one, which is the negative one of right after left.

    Args:
        motion: the motion.
        left: link of the left foot.
        right: link of the right foot.
    """
    return (_lag(motion, [(left, right)]) + _lag(motion, [(right, left)]).conjugate()) / 2


def _angle(lag: complex) -> float:
    """Return a phase wrapped to (-pi, pi]; NaN without complete strides, or if the phases cancel each other."""
    return float(wrapped(np.array(cmath.phase(lag)))) if abs(lag) > _CANCELLED else math.nan


def _share(lag: complex) -> float:
    """Return a phase as a share of the stride, 0 to 1."""
    return cmath.phase(lag) / math.tau % 1.0


def _apart(phase: float, other: float) -> float:
    """Return the distance of two phases on the circle, all as shares of the stride."""
    return abs((phase - other + 0.5) % 1.0 - 0.5)
