"""Measures of support: ground forces, sliding, loads on links. The decorator of a measure states its unit."""

from __future__ import annotations

import math

import numpy as np

from ctrlgraph.simulation.measures.base_motion import BaseMotion, longest_run
from ctrlgraph.simulation.measures.registry import also_in_space, register

# Length of the window at the end over which loads are averaged, s.
_LOAD_S = 0.2


@also_in_space
@register(unit="1", sampled="course", exertions=True)
def impact(motion: BaseMotion) -> float:
    """Return the greatest vertical ground force in body weights, as a moving average over 0.01 s."""
    weight = motion.character.mass * motion.gravity
    if weight <= 0.0:
        return math.nan
    return float(motion.trace.mean_peak[1:, 0].max(initial=0.0)) / weight


@also_in_space
@register(unit="m", sampled="course", exertions=True)
def slip(motion: BaseMotion) -> float:
    """Return the greatest distance that a link slides along the ground under load without losing contact."""
    return _slip(motion, list(range(len(motion.character.links))))


@also_in_space
@register(unit="m", sampled="course", needs={"feet": 1}, exertions=True)
def feet_slip(motion: BaseMotion) -> float:
    """Return the greatest distance that a foot slides along the ground under load without losing contact."""
    return _slip(motion, motion.links("feet"))


def _slip(motion: BaseMotion, links: list[int]) -> float:
    way = np.cumsum(motion.trace.slip[1:, links], axis=0)
    lifted = ~motion.trace.impulse[1:, links].any(axis=2)
    before = np.maximum.accumulate(np.where(lifted, way, 0.0), axis=0)
    return float((way - before).max(initial=0.0))


@also_in_space
@register(unit="1", sampled="end", needs={"feet": 1}, exertions=True)
def feet_load(motion: BaseMotion) -> float:
    """Return the share of the ground's vertical force that the feet carry in the last 0.2 s, 0 to 1."""
    return motion.load(motion.links("feet"), _LOAD_S)


@also_in_space
@register(unit="1", sampled="end", needs={"hands": 1}, exertions=True)
def hands_load(motion: BaseMotion) -> float:
    """Return the share of the ground's vertical force that the hands carry in the last 0.2 s, 0 to 1."""
    return motion.load(motion.links("hands"), _LOAD_S)


@also_in_space
@register(unit="1", sampled="end", needs={"shins": 1}, exertions=True)
def shins_load(motion: BaseMotion) -> float:
    """Return the share of the ground's vertical force that the shins carry in the last 0.2 s, 0 to 1."""
    return motion.load(motion.links("shins"), _LOAD_S)


@also_in_space
@register(unit="1", sampled="end", needs={"axial": 1}, exertions=True)
def trunk_load(motion: BaseMotion) -> float:
    """Return the share of the ground's vertical force that axial links other than the head carry in the last 0.2 s,
    0 to 1.
    """
    head = motion.links("head")
    return motion.load([link for link in motion.links("axial") if link not in head], _LOAD_S)


@also_in_space
@register(unit="1", sampled="course", needs={"shins": 1})
def shins_share(motion: BaseMotion) -> float:
    """Return the share of the time with a shin in contact, 0 to 1."""
    return float(motion.touches("shins").mean())


@also_in_space
@register(unit="1", sampled="course", needs={"feet": 2})
def double_support(motion: BaseMotion) -> float:
    """Return the share of the time with two feet or more in contact, 0 to 1."""
    return float((motion.trace.contact[:, motion.links("feet")].sum(axis=1) >= 2).mean())


@also_in_space
@register(unit="s", sampled="course", needs={"feet": 1})
def single_support(motion: BaseMotion) -> float:
    """Return the longest time with one foot and no other link in contact."""
    one = motion.trace.contact.sum(axis=1) == 1
    return motion.lasting(longest_run(one & motion.touches("feet")))
