"""Measures of the joints: power, speed, torque, cost of transport. The decorator of a measure states its unit."""

from __future__ import annotations

import math

from ctrlgraph.simulation.measures.base_motion import BaseMotion
from ctrlgraph.simulation.measures.registry import also_in_space, register

# Minimum distance that divides the work in the cost of transport, m, so that the cost of standing is finite.
_LEAST_WAY = 1e-3


@also_in_space
@register(unit="W/kg", sampled="course", exertions=True)
def peak_power(motion: BaseMotion) -> float:
    """Return the greatest positive power of the joints per kg of the body, as a moving average over 0.05 s."""
    return float(motion.trace.mean_peak[1:, 1].max(initial=0.0)) / motion.character.mass


@also_in_space
@register(unit="W/kg", sampled="course", exertions=True)
def mean_power(motion: BaseMotion) -> float:
    """Return the mean positive power of the joints per kg of the body."""
    done = float(motion.trace.joint_work[1:, :, 0].sum())
    return done / motion.duration / motion.character.mass if motion.duration > 0 else 0.0


@also_in_space
@register(unit="1", sampled="course", exertions=True)
def cost_of_transport(motion: BaseMotion) -> float:
    """Return the sum of the magnitudes of positive and negative work of the joints, divided by weight and distance.

    The distance is `distance` in the plane and `path_length` in space. Less than 1 mm counts as 1 mm.
    """
    if motion.gravity <= 0:
        return math.nan
    spent = float(motion.trace.joint_work[1:].sum())
    return spent / (motion.character.mass * motion.gravity * max(motion.travelled, _LEAST_WAY))


@also_in_space
@register(unit="rad/s", sampled="course", exertions=True)
def peak_joint_speed(motion: BaseMotion) -> float:
    """Return the greatest angular velocity of a joint in any time step."""
    return float(motion.trace.joint_peak[1:, :, 0].max(initial=0.0))


@also_in_space
@register(unit="N m", sampled="course", exertions=True)
def peak_torque(motion: BaseMotion) -> float:
    """Return the greatest torque of a joint in any time step."""
    return float(motion.trace.joint_peak[1:, :, 1:].max(initial=0.0))
