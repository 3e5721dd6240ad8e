"""Measures of posture over the course: trunk, feet, arms, rest."""

from __future__ import annotations

import math

import numpy as np

from ctrlgraph.simulation.measures.planar_motion import Motion, longest_run, wrapped
from ctrlgraph.simulation.measures.registry import register

# Maximum speed and joint rate at rest, m/s and rad/s.
_REST_SPEED, _REST_RATE = 0.1, 0.5


@register(unit="rad", sampled="course", circular=True)
def trunk_lean(motion: Motion) -> float:
    """Return the mean angle of the trunk, forward positive, wrapped to (-pi, pi]."""
    angle = motion.trunk_angle
    return math.atan2(float(np.sin(angle).mean()), float(np.cos(angle).mean()))


@register(unit="rad", sampled="course", needs={"feet": 1})
def foot_pitch(motion: Motion) -> float:
    """Return the mean angle of the feet to the horizontal while they touch the ground, toes down positive; 0 if they
    never touch it.
    """
    feet = motion.links("feet")
    touching = motion.trace.contact[:, feet]
    return float(np.mean(wrapped(motion.rotation(feet))[touching])) if touching.any() else 0.0


@register(unit="m", sampled="course", needs={"feet": 2}, scales=True)
def foot_height(motion: Motion) -> float:
    """Return the greatest height of a foot's centre above the ground below it while another foot touches the ground."""
    feet = motion.links("feet")
    touching = motion.trace.contact[:, feet]
    others = touching.sum(axis=1, keepdims=True) > touching
    return float(np.max(motion.link_heights(feet), where=others, initial=0.0))


@register(unit="s", sampled="course")
def inverted(motion: Motion) -> float:
    """Return the longest time with the trunk within 0.6 rad of upside down."""
    return motion.lasting(longest_run(motion.upside_down))


@register(unit="rad", sampled="course", needs={"hands": 1})
def arm_range(motion: Motion) -> float:
    """Return the range of the joint angle between trunk and arm, mean of all arms."""
    character, trunk = motion.character, motion.character.trunk
    side = character.side
    shoulders = {
        j
        for hand in motion.links("hands")
        for j, joint in enumerate(character.joints)
        if trunk in (joint.parent, joint.child) and side[j, hand] != side[j, trunk]
    }
    return float(np.mean([np.ptp(motion.joint_angle(j)) for j in shoulders])) if shoulders else 0.0


@register(unit="m", sampled="course")
def apex(motion: Motion) -> float:
    """Return the greatest height of the centre of mass in the longest flight above its height at take-off."""
    start, end = motion.flight
    if end <= start:
        return 0.0
    height = motion.trace.com_height[max(start - 1, 0) : end]
    return float(height.max() - height[0])


@register(unit="s", sampled="end")
def settle(motion: Motion) -> float:
    """Return the time at rest before the end: the centre of mass is slower than 0.1 m/s, and every joint is slower than
    0.5 rad/s.
    """
    trace = motion.trace
    if len(trace) < 2:
        return 0.0
    rates = np.abs(np.diff(trace.joint_angles(motion.character), axis=0)) / np.diff(trace.time)[:, None]
    moves = (rates > _REST_RATE).any(axis=1) | (motion.com_speed[1:] > _REST_SPEED)
    last = np.flatnonzero(moves)
    return float(trace.time[-1] - trace.time[last[-1] + 1 if last.size else 0])
