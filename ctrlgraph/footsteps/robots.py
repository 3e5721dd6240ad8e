"""The robots of the source: a table, a quadruped, a biped and a crawler with six legs.

The source names the robots and draws them without dimensions; these are chosen to match its drawings.
"""

from __future__ import annotations

import math
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class LeggedRobot:
    """Dimensions and gait of a robot for footstep planning."""

    name: str
    mass_kg: float
    height_m: float
    """Height of the centre of mass, which is the length of the pendulum, m."""
    hips_m: tuple[tuple[float, float], ...]
    """Reference position of each foot: x forward and y left of the centre of mass, m."""
    contact_m: tuple[tuple[float, float], ...]
    """Contact points of a foot in its frame, m."""
    period_s: float
    """Duration of a gait cycle, s."""
    duty: float
    """Share of a cycle in which a foot is on the ground."""
    phases: tuple[float, ...]
    """Time at which the ground contact of each foot begins, as a fraction of a cycle."""
    margin_s: float
    """Time after touch-down and before lift-off in which a foot carries no load in the plan, s."""
    speed_mps: float
    """Usual largest speed, m/s."""
    turning_radps: float
    """Usual largest turning velocity, rad/s."""
    box_m: tuple[float, float, float]
    """Largest offset of a step from its hip: forward or backward, outward, inward, m."""
    reach_m: float
    """Largest horizontal distance of a foot from its hip, m."""


def _rectangle(length: float, width: float) -> tuple[tuple[float, float], ...]:
    x, y = 0.5 * length, 0.5 * width
    return ((x, y), (x, -y), (-x, -y), (-x, y))


def _triangle(radius: float) -> tuple[tuple[float, float], ...]:
    return tuple((radius * math.cos(a), radius * math.sin(a)) for a in (0.0, 2 * math.pi / 3, 4 * math.pi / 3))


ROBOTS = {
    "table": LeggedRobot(
        name="table",
        mass_kg=30.0,
        height_m=0.6,
        hips_m=((0.35, 0.3), (0.35, -0.3), (-0.35, 0.3), (-0.35, -0.3)),
        contact_m=_triangle(0.03),
        period_s=1.2,
        duty=0.78,
        phases=(0.25, 0.75, 0.0, 0.5),
        margin_s=0.04,
        speed_mps=0.35,
        turning_radps=0.5,
        box_m=(0.2, 0.15, 0.15),
        reach_m=0.4,
    ),
    "quadruped": LeggedRobot(
        name="quadruped",
        mass_kg=30.0,
        height_m=0.5,
        hips_m=((0.3, 0.18), (0.3, -0.18), (-0.3, 0.18), (-0.3, -0.18)),
        contact_m=_triangle(0.025),
        period_s=0.5,
        duty=0.58,
        phases=(0.0, 0.5, 0.5, 0.0),
        margin_s=0.03,
        speed_mps=0.8,
        turning_radps=1.0,
        box_m=(0.15, 0.1, 0.08),
        reach_m=0.35,
    ),
    "biped": LeggedRobot(
        name="biped",
        mass_kg=50.0,
        height_m=0.9,
        hips_m=((0.0, 0.1), (0.0, -0.1)),
        contact_m=_rectangle(0.22, 0.09),
        period_s=0.8,
        duty=0.62,
        phases=(0.0, 0.5),
        margin_s=0.04,
        speed_mps=0.8,
        turning_radps=0.8,
        box_m=(0.25, 0.08, 0.1),
        reach_m=0.55,
    ),
    "crawler": LeggedRobot(
        name="crawler",
        mass_kg=20.0,
        height_m=0.35,
        hips_m=((0.35, 0.28), (0.35, -0.28), (0.0, 0.33), (0.0, -0.33), (-0.35, 0.28), (-0.35, -0.28)),
        contact_m=_triangle(0.02),
        period_s=0.8,
        duty=0.58,
        phases=(0.0, 0.5, 0.5, 0.0, 0.0, 0.5),
        margin_s=0.03,
        speed_mps=0.4,
        turning_radps=0.7,
        box_m=(0.12, 0.1, 0.1),
        reach_m=0.25,
    ),
}
"""The robots by name."""
