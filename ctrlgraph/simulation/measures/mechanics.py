"""Measures of the body as a mechanism: energy, joint limits, heights. The decorator of a measure states its unit."""

from __future__ import annotations

import numpy as np

from ctrlgraph.simulation.measures.base_motion import BaseMotion
from ctrlgraph.simulation.measures.planar_motion import Motion
from ctrlgraph.simulation.measures.registry import also_in_space, register


@register(unit="J", sampled="course")
def energy_rise(motion: Motion) -> float:
    """Return the greatest rise of the mechanical energy, kinetic and potential, above its previous minimum.

    It is 0 for a body without motors and springs.
    """
    energy = motion.energy
    return float((energy - np.minimum.accumulate(energy)).max(initial=0.0))


@also_in_space
@register(unit="rad", sampled="course")
def limit_excess(motion: BaseMotion) -> float:
    """Return the greatest angle by which a joint was beyond its limits."""
    angles = motion.joint_angles
    lower = np.array([joint.lower for joint in motion.character.joints])
    upper = np.array([joint.upper for joint in motion.character.joints])
    return float(np.maximum(lower - angles, angles - upper).max(initial=0.0))


@also_in_space
@register(unit="m", sampled="end", scales=True)
def highest_link(motion: BaseMotion) -> float:
    """Return the greatest height of a link's centre of mass above the terrain below it at the end."""
    return float(motion.link_heights(range(len(motion.character.links)))[-1].max())
