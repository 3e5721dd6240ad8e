"""Measures of balance on one foot: trunk, standing leg, raised leg. The decorator of a measure states its unit.

They describe the middle third of the longest single support, in which the other leg has been raised and is not yet
lowered. They are 0 if the character never stands on a single foot.
"""

from __future__ import annotations

from collections.abc import Iterable

from ctrlgraph.simulation.measures.base_motion import Floats, wrapped
from ctrlgraph.simulation.measures.planar_motion import Motion
from ctrlgraph.simulation.measures.registry import register


@register(unit="rad", sampled="course", needs={"feet": 2})
def stance_trunk_lean(motion: Motion) -> float:
    """Return the mean angle of the trunk, forward positive, in the middle third of the longest single support."""
    return _mean_on_one_foot(motion, [wrapped(motion.trunk_angle)])


@register(unit="rad", sampled="course", needs={"shins": 2, "feet": 2})
def stance_knee_flexion(motion: Motion) -> float:
    """Return the mean flexion of the knee of the standing leg in the middle third of the longest single support."""
    side, foot = motion.character.side, motion.on_one_foot[1]
    knees = [knee for knee in motion.character.knees if side[knee, foot] > 0]
    return _mean_on_one_foot(motion, [motion.flexion(knee) for knee in knees])


@register(unit="rad", sampled="course", needs={"shins": 2, "feet": 2})
def raised_hip_flexion(motion: Motion) -> float:
    """Return the least flexion of the hip of the raised leg in the middle third of the longest single support."""
    return _least_raised(motion, motion.character.hips)


@register(unit="rad", sampled="course", needs={"shins": 2, "feet": 2})
def raised_knee_flexion(motion: Motion) -> float:
    """Return the least flexion of the knee of the raised leg in the middle third of the longest single support."""
    return _least_raised(motion, motion.character.knees)


@register(unit="rad", sampled="course", needs={"feet": 2})
def raised_foot_pitch(motion: Motion) -> float:
    """Return the mean angle of the raised foot to the horizontal, toes down positive, in the middle third of the
    longest single support.
    """
    raised = [foot for foot in motion.links("feet") if foot != motion.on_one_foot[1]]
    return _mean_on_one_foot(motion, wrapped(motion.rotation(raised)).T)


def _least_raised(motion: Motion, joints: Iterable[int]) -> float:
    """Return the least flexion of those of some joints (given by their indices) that do not belong to the standing leg,
    in the middle third of the longest single support; 0 without one.
    """
    side, ((start, end), foot) = motion.character.side, motion.on_one_foot
    raised = [motion.flexion(joint)[start:end] for joint in joints if side[joint, foot] <= 0]
    return min((float(each.min()) for each in raised if each.size), default=0.0)


def _mean_on_one_foot(motion: Motion, values: Iterable[Floats]) -> float:
    """Return the mean of some quantities (n,) in the middle third of the longest single support; 0 without one."""
    (start, end), _ = motion.on_one_foot
    means = [float(each[start:end].mean()) for each in values] if end > start else []
    return sum(means) / len(means) if means else 0.0
