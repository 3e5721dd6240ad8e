"""Measures of a motion's end: posture, heights and contacts. The decorator of a measure states its unit."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ctrlgraph.simulation.measures.base_motion import BaseMotion, wrapped
from ctrlgraph.simulation.measures.planar_motion import Motion
from ctrlgraph.simulation.measures.registry import also_in_space, register, register_in_space


@register(unit="rad", sampled="end", course=lambda motion: wrapped(motion.trunk_angle), circular=True)
def torso(motion: Motion) -> float:
    """Return the global angle of the trunk at the end, wrapped to (-pi, pi]."""
    return float(wrapped(motion.trunk_angle[-1:])[0])


@register(unit="rad", sampled="end", circular=True)
def pelvis(motion: Motion) -> float:
    """Return the global angle of the root (the humanoid's pelvis) at the end, wrapped to (-pi, pi]."""
    return float(wrapped(motion.rotation([motion.character.root])[-1])[0])


@register_in_space(unit="m", sampled="end", course=lambda motion: motion.height)
@register(unit="m", sampled="end", scales=True, course=lambda motion: motion.height)
def com_height(motion: BaseMotion) -> float:
    """Return the height of the centre of mass above the terrain below it at the end."""
    return float(motion.height[-1])


@also_in_space
@register(unit="m/s", sampled="end")
def com_speed(motion: BaseMotion) -> float:
    """Return the speed of the centre of mass at the end."""
    return float(motion.com_speed[-1])


@also_in_space
@register(unit="m", sampled="end", needs={"head": 1}, scales=True)
def head_height(motion: BaseMotion) -> float:
    """Return the height of the head's centre above the terrain below it at the end."""
    return float(motion.link_heights(motion.links("head"))[-1, 0])


@register(unit="m", sampled="end", needs={"feet": 2}, scales=True)
def feet_distance(motion: Motion) -> float:
    """Return the horizontal distance between the outermost feet at the end."""
    return float(np.ptp(motion.forward(motion.links("feet"))[-1]))


@register(unit="rad", sampled="end", needs={"shins": 1})
def knee_flexion(motion: Motion) -> float:
    """Return the mean flexion of the knees (the joints above the shins) at the end."""
    return _flexion(motion, motion.character.knees)


@register(unit="rad", sampled="end", needs={"shins": 1})
def hip_flexion(motion: Motion) -> float:
    """Return the mean flexion of the hips (the joints above the thighs) at the end."""
    return _flexion(motion, motion.character.hips)


def _flexion(motion: Motion, joints: Sequence[int]) -> float:
    return float(np.mean([motion.flexion(joint)[-1] for joint in joints])) if joints else 0.0


@also_in_space
@register(unit="1", sampled="end", needs={"feet": 1})
def feet_contact(motion: BaseMotion) -> float:
    """Return the number of feet in contact at the end.

    A foot counts if it touches the ground in most samples of the last 0.05 s, because a standing foot can lose contact
    for a single time step.
    """
    return motion.touching_at_end("feet")


@also_in_space
@register(unit="1", sampled="end", needs={"hands": 1})
def hands_contact(motion: BaseMotion) -> float:
    """Return the number of hands in contact at the end."""
    return motion.touching_at_end("hands")


@also_in_space
@register(unit="1", sampled="end", needs={"shins": 1})
def shins_contact(motion: BaseMotion) -> float:
    """Return the number of shins in contact at the end."""
    return motion.touching_at_end("shins")
