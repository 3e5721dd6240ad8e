"""Measures of gaits: what feet do one after another."""

from __future__ import annotations

from ctrlgraph.simulation.measures.motion import Mask, Motion, runs
from ctrlgraph.simulation.measures.registry import register

# A foot that is off the ground for less has bounced or scraped, and not stepped, s.
_LEAST_SWING = 0.05


@register(unit="1", sampled="course", needs={"feet": 2})
def steps(motion: Motion) -> float:
    """Return the number of steps: strikes of another foot than the last one, after 0.05 s or more off the ground."""
    strikes = sorted((time, foot) for foot in motion.links("feet") for time in _strikes(motion, foot))
    feet = [foot for _, foot in strikes]
    return float(sum(i == 0 or foot != feet[i - 1] for i, foot in enumerate(feet)))


@register(unit="1/s", sampled="course", needs={"feet": 2})
def cadence(motion: Motion) -> float:
    """Return the steps over the duration."""
    return steps(motion) / motion.duration if motion.duration > 0 else 0.0


def _strikes(motion: Motion, foot: int) -> list[float]:
    """The times at which a foot comes down; where it stands at the beginning it has not come down."""
    time = motion.trace.time
    swings = [run for run in runs(_off(motion, foot)) if run[1] < len(time)]
    return [float(time[end]) for start, end in swings if time[end] - time[max(start - 1, 0)] >= _LEAST_SWING]


def _off(motion: Motion, foot: int) -> Mask:
    return ~motion.trace.contact[:, foot]
