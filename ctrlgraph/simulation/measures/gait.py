"""Measures of gaits: steps and strides. The decorator of a measure states its unit."""

from __future__ import annotations

import itertools

import numpy as np

from ctrlgraph.simulation.measures.base_motion import BaseMotion, Floats
from ctrlgraph.simulation.measures.planar_motion import Motion
from ctrlgraph.simulation.measures.registry import also_in_space, register

# Mean step length up to which the character steps on the spot, m: the lengths of such steps are not compared.
_LEAST_STEP = 0.1


@also_in_space
@register(unit="1", sampled="course", needs={"feet": 2})
def steps(motion: BaseMotion) -> float:
    """Return the number of steps: strikes of a foot after at least 0.05 s off the ground; consecutive strikes of the
    same foot count as one.
    """
    return float(len(_steps(motion)))


@also_in_space
@register(unit="1/s", sampled="course", needs={"feet": 2})
def cadence(motion: BaseMotion) -> float:
    """Return the number of steps per second."""
    return steps(motion) / motion.duration if motion.duration > 0 else 0.0


@also_in_space
@register(unit="m", sampled="course", needs={"feet": 1}, scales=True)
def stride_length(motion: BaseMotion) -> float:
    """Return the mean distance of a foot from one strike to the next, forward positive; 0 without a complete stride."""
    ways = [motion.advance(foot, a, b) for foot, a, b in _strides(motion)]
    return float(np.mean(ways)) if ways else 0.0


@also_in_space
@register(unit="1/s", sampled="course", needs={"feet": 1})
def stride_frequency(motion: BaseMotion) -> float:
    """Return the number of strides per second: the inverse of the mean time between two strikes of a foot; 0 without a
    complete stride.
    """
    time = motion.trace.time
    times = [time[b] - time[a] for _, a, b in _strides(motion)]
    return 1.0 / float(np.mean(times)) if times else 0.0


@register(unit="1", sampled="course", needs={"feet": 2})
def symmetry_index(motion: Motion) -> float:
    """Return the asymmetry of step times or of step lengths, whichever is larger: |right - left| / mean; lengths are
    ignored if their mean is at most 0.1 m.

    The index is that of Robinson, Herzog and Nigg, J. Manipulative Physiol. Ther. 10 (1987) 172-176. It is 0 for equal
    steps, and if the right or the left foot makes no step. Feet that are not a pair are ignored.
    """
    sides = {foot: side for pair in motion.character.roles.link_pairs for side, foot in enumerate(pair)}
    taken, trace = _steps(motion), motion.trace
    found: list[tuple[list[float], list[float]]] = [([], []), ([], [])]
    for (before, other), (at, foot) in itertools.pairwise(taken):
        if sides.get(foot, -1) + sides.get(other, -1) == 1:
            times, lengths = found[sides[foot]]
            times.append(float(trace.time[at] - trace.time[before]))
            lengths.append(float(np.subtract(*motion.forward([foot, other])[at])))
    (right_times, right_lengths), (left_times, left_lengths) = found
    if not right_times or not left_times:
        return 0.0
    return max(_index(right_times, left_times, 0.0), _index(right_lengths, left_lengths, _LEAST_STEP))


@register(unit="m", sampled="course", needs={"feet": 1}, scales=True)
def max_swing_clearance(motion: Motion) -> float:
    """Return the greatest height of a foot's lowest point above the higher of the grounds on which its swing begins and
    ends, 0 or more; 0 without a swing.
    """
    highest = 0.0
    for foot, swings in motion.swings("feet").items():
        ground = motion.terrain.heights(motion.trace.position[:, foot, 0])
        lowest = motion.clearances(foot) + ground
        for start, end in swings:
            highest = max(highest, float(lowest[start:end].max() - max(ground[max(start - 1, 0)], ground[end])))
    return highest


@register(unit="rad", sampled="course", needs={"shins": 1, "feet": 1})
def knee_swing(motion: Motion) -> float:
    """Return the greatest flexion of the knee (the joint above a shin) during a swing of the foot below it, averaged
    over all swings; 0 without a swing.
    """
    peaks = [flexion[start:end].max() for flexion, swings in _knees(motion) for start, end in swings]
    return float(np.mean(peaks)) if peaks else 0.0


@register(unit="rad", sampled="course", needs={"shins": 1, "feet": 1})
def knee_strike(motion: Motion) -> float:
    """Return the flexion of the knee (the joint above a shin) at a strike of the foot below it, averaged over all
    strikes; 0 without a strike.
    """
    found = [flexion[end] for flexion, swings in _knees(motion) for _, end in swings]
    return float(np.mean(found)) if found else 0.0


def _steps(motion: BaseMotion) -> list[tuple[int, int]]:
    """Return the steps: for each, the index of the sample of the foot's strike, and the index of the foot's link."""
    strikes = sorted((end, foot) for foot, swings in motion.strikes.items() for _, end in swings)
    return [strike for i, strike in enumerate(strikes) if i == 0 or strike[1] != strikes[i - 1][1]]


def _strides(motion: BaseMotion) -> list[tuple[int, int, int]]:
    """Return the strides: for each, the index of the foot's link, and the samples of its two consecutive strikes."""
    return [(foot, a, b) for foot, swings in motion.strikes.items() for (_, a), (_, b) in itertools.pairwise(swings)]


def _index(right: list[float], left: list[float], least: float) -> float:
    """Return the symmetry index: the difference between the means of right and left steps, divided by the common mean.

    Args:
        right: times or lengths of the right steps.
        left: times or lengths of the left steps.
        least: value of the common mean up to which the result is 0.
    """
    one, other = float(np.mean(right)), float(np.mean(left))
    mean = (abs(one) + abs(other)) / 2
    return abs(one - other) / mean if mean > least else 0.0


def _knees(motion: Motion) -> list[tuple[Floats, list[tuple[int, int]]]]:
    """Return for each knee its flexion in n samples, (n,), rad, and the swings of the feet below the knee.

    A swing is given by two samples: the first one off the ground, and the strike (see `Motion.swings`).
    """
    side, found = motion.character.side, []
    for knee in motion.character.knees:
        swings = [s for foot, own in motion.strikes.items() if side[knee, foot] > 0 for s in own]
        found.append((motion.flexion(knee), swings))
    return found
