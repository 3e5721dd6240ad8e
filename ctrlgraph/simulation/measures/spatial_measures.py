"""Measures of motions in space. The decorator of a measure states its unit."""

from __future__ import annotations

import numpy as np

from ctrlgraph.simulation.measures.registry import register_in_space
from ctrlgraph.simulation.measures.spatial_motion import SpatialMotion


@register_in_space(unit="rad", sampled="end", bound=True)
def tilt(motion: SpatialMotion) -> float:
    """Return the angle between the trunk's upward axis and the vertical."""
    return float(motion.tilt[-1])


@register_in_space(unit="m", sampled="end", bound=True)
def com_height(motion: SpatialMotion) -> float:
    """Return the height of the centre of mass above the terrain without gaps and hurdles."""
    return float(motion.height[-1])


@register_in_space(unit="m/s", sampled="end")
def com_speed(motion: SpatialMotion) -> float:
    """Return the speed of the centre of mass."""
    return float(motion.com_speed[-1])


@register_in_space(unit="s", sampled="course")
def duration(motion: SpatialMotion) -> float:
    """Return the simulated duration of the motion."""
    return motion.duration


@register_in_space(unit="m", sampled="course")
def distance(motion: SpatialMotion) -> float:
    """Return the horizontal displacement of the centre of mass from start to end, along the heading at the start."""
    ahead = np.array([np.cos(motion.heading[0]), np.sin(motion.heading[0])])
    return float((motion.trace.com[-1, :2] - motion.trace.com[0, :2]) @ ahead)


@register_in_space(unit="m/s", sampled="course")
def speed(motion: SpatialMotion) -> float:
    """Return the mean forward speed: distance divided by duration."""
    return distance(motion) / motion.duration if motion.duration > 0 else 0.0
