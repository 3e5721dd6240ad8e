"""Measures of balance on one foot: trunk, standing leg, raised leg. The decorator of a measure states its unit.

They are means over the middle half of the longest single support, in which the other leg has been raised and is not yet
lowered. They are 0 if the character never stands on a single foot.
"""

from __future__ import annotations

from collections.abc import Iterable

from ctrlgraph.simulation.measures.base_motion import Floats, wrapped
from ctrlgraph.simulation.measures.planar_motion import Motion
from ctrlgraph.simulation.measures.registry import register


@register(unit="rad", sampled="course", needs={"feet": 2})
def stance_trunk_lean(motion: Motion) -> float:
    """Return the mean angle of the trunk, forward positive, in the middle half of the longest single support."""
    return _mean_on_one_foot(motion, [wrapped(motion.trunk_angle)])


@register(unit="rad", sampled="course", needs={"shins": 2, "feet": 2})
def stance_knee_flexion(motion: Motion) -> float:
    """Return the mean flexion of the knee of the standing leg in the middle half of the longest single support."""
    return _mean_on_one_foot(motion, _flexions(motion, motion.character.knees, standing=True))


@register(unit="rad", sampled="course", needs={"shins": 2, "feet": 2})
def raised_hip_flexion(motion: Motion) -> float:
    """Return the mean flexion of the hip of the raised leg in the middle half of the longest single support."""
    return _mean_on_one_foot(motion, _flexions(motion, motion.character.hips, standing=False))


@register(unit="rad", sampled="course", needs={"shins": 2, "feet": 2})
def raised_knee_flexion(motion: Motion) -> float:
    """Return the mean flexion of the knee of the raised leg in the middle half of the longest single support."""
    return _mean_on_one_foot(motion, _flexions(motion, motion.character.knees, standing=False))


@register(unit="rad", sampled="course", needs={"feet": 2})
def raised_foot_pitch(motion: Motion) -> float:
    """Return the mean angle of the raised foot to the horizontal, toes down positive, in the middle half of the longest
    single support.
    """
    raised = [foot for foot in motion.links("feet") if foot != motion.on_one_foot[1]]
    return _mean_on_one_foot(motion, wrapped(motion.rotation(raised)).T)


def _flexions(motion: Motion, joints: Iterable[int], *, standing: bool) -> list[Floats]:
    """Return the flexions (n,) of those of some joints (given by their indices) that belong to the standing leg, or of
    those that do not.
    """
    side, foot = motion.character.side, motion.on_one_foot[1]
    return [motion.flexion(joint) for joint in joints if (side[joint, foot] > 0) == standing]


def _mean_on_one_foot(motion: Motion, values: Iterable[Floats]) -> float:
    """Return the mean of some quantities (n,) in the middle half of the longest single support; 0 without one."""
    (start, end), _ = motion.on_one_foot
    means = [float(each[start:end].mean()) for each in values] if end > start else []
    return sum(means) / len(means) if means else 0.0
