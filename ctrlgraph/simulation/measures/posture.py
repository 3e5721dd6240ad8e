"""Measures of posture over the course of a motion: trunk, limbs, rest. The decorator of a measure states its unit."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from ctrlgraph.simulation.measures.base_motion import BaseMotion, Floats, Mask, longest_run, wrapped
from ctrlgraph.simulation.measures.planar_motion import Motion
from ctrlgraph.simulation.measures.registry import also_in_space, register

# A character is at rest below this speed of the centre of mass, m/s, and this angular velocity of every joint, rad/s.
_REST_SPEED, _REST_RATE = 0.1, 0.5

_LATE = 1.0
"""Length of the window at the end in which some postures are measured, s."""

_LANDING = 0.5
"""Length of the window after a flight in which the knees bend at landing, s."""

_LEAST_SWING_ANGLE = 0.05
"""Maximum standard deviation of the swing angle of limbs that count as not swinging, rad.

It is compared with the geometric mean of the standard deviations of arms and legs.
"""


@register(unit="rad", sampled="course", circular=True)
def trunk_lean(motion: Motion) -> float:
    """Return the mean angle of the trunk, forward positive, wrapped to (-pi, pi]."""
    angle = motion.trunk_angle
    return math.atan2(float(np.sin(angle).mean()), float(np.cos(angle).mean()))


@register(unit="rad", sampled="course", circular=True)
def pelvis_tilt(motion: Motion) -> float:
    """Return the mean angle of the root (the humanoid's pelvis), forward positive, wrapped to (-pi, pi]."""
    angle = motion.rotation([motion.character.root])
    return math.atan2(float(np.sin(angle).mean()), float(np.cos(angle).mean()))


@register(unit="rad", sampled="course", needs={"shins": 1})
def hip_extension(motion: Motion) -> float:
    """Return the greatest extension of the hips (the joints above the thighs), mean of all hips."""
    hips = motion.character.hips
    return float(np.mean([-motion.flexion(hip).min() for hip in hips])) if hips else 0.0


@register(unit="rad", sampled="course", needs={"feet": 1})
def foot_pitch(motion: Motion) -> float:
    """Return the mean angle of the feet to the ground below them while they touch it, toes down positive; 0 if they
    never touch it.
    """
    feet = motion.links("feet")
    touching = motion.trace.contact[:, feet]
    pitch = wrapped(motion.rotation(feet) - motion.ground_angle(motion.forward(feet)))
    return float(np.mean(pitch[touching])) if touching.any() else 0.0


@also_in_space
@register(unit="m", sampled="course", needs={"feet": 2}, scales=True)
def foot_height(motion: BaseMotion) -> float:
    """Return the greatest height of a foot's centre above the ground below it while another foot touches the ground."""
    feet = motion.links("feet")
    touching = motion.trace.contact[:, feet]
    others = touching.sum(axis=1, keepdims=True) > touching
    return float(np.max(motion.link_heights(feet), where=others, initial=0.0))


@also_in_space
@register(unit="m", sampled="course", needs={"feet": 1}, scales=True)
def max_foot_clearance(motion: BaseMotion) -> float:
    """Return the greatest height of a foot's lowest point above the ground below it, 0 or more."""
    return max(0.0, *(float(motion.clearances(foot).max()) for foot in motion.links("feet")))


@also_in_space
@register(unit="s", sampled="course")
def inverted(motion: BaseMotion) -> float:
    """Return the longest time with the trunk within 0.6 rad of upside down."""
    return motion.lasting(longest_run(motion.upside_down))


@register(unit="rad", sampled="course", needs={"hands": 1})
def arm_range(motion: Motion) -> float:
    """Return the range of the joint angle between trunk and arm, mean of all arms."""
    shoulders = motion.character.shoulders
    return float(np.mean([np.ptp(motion.joint_angle(j)) for j in shoulders])) if shoulders else 0.0


@register(unit="rad", sampled="course", needs={"hands": 2})
def max_arm_difference(motion: Motion) -> float:
    """Return the greatest difference between the flexion of the right and of the left shoulder."""
    shoulders = set(motion.character.shoulders)
    pairs = [pair for pair in motion.character.roles.joint_pairs if set(pair) <= shoulders]
    return max(
        (float(np.abs(motion.flexion(right) - motion.flexion(left)).max()) for right, left in pairs), default=0.0
    )


@register(unit="rad", sampled="course", needs={"hands": 1})
def elbow_range(motion: Motion) -> float:
    """Return the range of the elbow's flexion, of the elbow that moves most."""
    return max((float(np.ptp(motion.flexion(elbow))) for elbow in motion.character.elbows), default=0.0)


@register(unit="rad", sampled="course", needs={"hands": 1})
def arm_swing(motion: Motion) -> float:
    """Return the range of the shoulder's flexion in the last second, of the arm that swings least."""
    return min((float(np.ptp(_late(motion, motion.flexion(j)))) for j in motion.character.shoulders), default=0.0)


@register(unit="rad", sampled="course", needs={"hands": 1})
def arm_flexion(motion: Motion) -> float:
    """Return the mean flexion of the shoulders in the last second: 0 with hanging arms, positive with raised arms."""
    return _mean_flexion(motion, motion.character.shoulders)


@register(unit="rad", sampled="course", needs={"hands": 1})
def elbow_flexion(motion: Motion) -> float:
    """Return the mean flexion of the elbows in the last second."""
    return _mean_flexion(motion, motion.character.elbows)


@register(unit="rad", sampled="course", needs={"hands": 2})
def arm_asymmetry(motion: Motion) -> float:
    """Return the greater of the differences between right and left of the mean flexion in the last second, of shoulders
    and of elbows.
    """
    arms = {*motion.character.shoulders, *motion.character.elbows}
    return max(
        (
            abs(_late_mean(motion, motion.flexion(right) - motion.flexion(left)))
            for right, left in motion.character.roles.joint_pairs
            if {right, left} <= arms
        ),
        default=0.0,
    )


@register(unit="rad", sampled="course", needs={"head": 1})
def head_tilt(motion: Motion) -> float:
    """Return the mean angle of the head relative to the trunk in the last second, forward positive."""
    return _late_mean(motion, _head_angle(motion))


@register(unit="rad", sampled="course", needs={"head": 1})
def head_range(motion: Motion) -> float:
    """Return the range of the angle of the head relative to the trunk."""
    return float(np.ptp(_head_angle(motion)))


@register(unit="rad", sampled="course")
def trunk_flexion(motion: Motion) -> float:
    """Return the mean angle of the trunk relative to the root (the humanoid's pelvis) in the last second, forward
    positive.
    """
    return _late_mean(motion, np.subtract(*motion.rotation([motion.character.trunk, motion.character.root]).T))


@register(unit="rad", sampled="course", needs={"shins": 1})
def mean_knee_flexion(motion: Motion) -> float:
    """Return the mean flexion of the knees (the joints above the shins) in the last second."""
    return _mean_flexion(motion, motion.character.knees)


@register(unit="1", sampled="course", needs={"hands": 2, "shins": 2})
def arm_leg_phase(motion: Motion) -> float:
    """Return the correlation of arm and leg swing (right minus left flexion of shoulders and of hips): -1 if each arm
    swings with the opposite leg, 1 if with the leg of its side; 0 if both arms or both legs move together.
    """
    pairs = motion.character.roles.joint_pairs
    arms, legs = (
        [pair for pair in pairs if set(pair) <= set(joints)]
        for joints in (motion.character.shoulders, motion.character.hips)
    )
    if not arms or not legs:
        return 0.0
    swings = [motion.flexion(right) - motion.flexion(left) for right, left in (arms[0], legs[0])]
    one, other = (swing - swing.mean() for swing in swings)
    scale = float(np.sqrt((one**2).mean() * (other**2).mean()))
    return float((one * other).mean()) / scale if scale > _LEAST_SWING_ANGLE**2 else 0.0


def _head_angle(motion: Motion) -> Floats:
    """Return the angle of the head relative to the trunk, (n,), forward positive, rad."""
    return np.asarray(np.subtract(*motion.rotation([*motion.links("head"), motion.character.trunk]).T))


def _mean_flexion(motion: Motion, joints: Sequence[int]) -> float:
    return float(np.mean([_late_mean(motion, motion.flexion(joint)) for joint in joints])) if joints else 0.0


def _late_mean(motion: Motion, values: Floats) -> float:
    """Return the mean of the values of a quantity in n samples, (n,), over the last second of the motion."""
    return float(np.mean(_late(motion, values)))


def _late(motion: Motion, values: Floats) -> Floats:
    """Return the values of a quantity in n samples, (n,), in the last second of the motion."""
    time = motion.trace.time
    return np.asarray(values[time >= time[-1] - _LATE])


@also_in_space
@register(unit="m", sampled="course")
def apex(motion: BaseMotion) -> float:
    """Return the rise of the centre of mass from take-off to the highest point of the longest flight."""
    start, end = motion.flight
    if end <= start:
        return 0.0
    height = motion.trace.com_height[max(start - 1, 0) : end]
    return float(height.max() - height[0])


@register(unit="m", sampled="course", needs={"feet": 2}, scales=True)
def flight_feet_distance(motion: Motion) -> float:
    """Return the greatest distance between the centres of the first and the last foot during the longest flight."""
    start, end = motion.flight
    first, *_, last = motion.links("feet")
    apart = motion.trace.position[start:end, last] - motion.trace.position[start:end, first]
    return float(np.hypot(*apart.T).max(initial=0.0))


@register(unit="rad", sampled="course", needs={"shins": 1})
def landing_knee_flexion(motion: Motion) -> float:
    """Return the greatest mean flexion of the knees (the joints above the shins) in the 0.5 s after the longest flight;
    0 without a flight.
    """
    start, end = motion.flight
    time, knees = motion.trace.time, motion.character.knees
    if end <= start or not knees:
        return 0.0
    after = (time >= time[end - 1]) & (time <= time[end - 1] + _LANDING)
    return float(np.mean([motion.flexion(knee)[after] for knee in knees], axis=0).max())


@also_in_space
@register(unit="s", sampled="end")
def settle(motion: BaseMotion) -> float:
    """Return the time at rest before the end: the centre of mass is slower than 0.1 m/s, and every joint is slower than
    0.5 rad/s.
    """
    time, moving = motion.trace.time, np.flatnonzero(_moves(motion))
    return float(time[-1] - time[moving[-1] + 1 if moving.size else 0])


@also_in_space
@register(unit="s", sampled="course")
def pause(motion: BaseMotion) -> float:
    """Return the longest time at rest, as in `settle`, before the last movement."""
    time, moving = motion.trace.time, np.flatnonzero(_moves(motion))
    starts = np.concatenate(([0], moving + 1))[: moving.size]
    return float((time[moving] - time[starts]).max(initial=0.0))


def _moves(motion: BaseMotion) -> Mask:
    """Return, for each interval between two samples (n - 1,), whether the character is not at rest."""
    rates = np.abs(np.diff(motion.joint_angles, axis=0)) / np.diff(motion.trace.time)[:, None]
    return np.asarray((rates > _REST_RATE).any(axis=1) | (motion.com_speed[1:] > _REST_SPEED))
