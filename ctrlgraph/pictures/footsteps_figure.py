"""A figure of a planned motion from above: footprints, support polygons, centre of mass and centre of pressure."""

from __future__ import annotations

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Polygon

from ctrlgraph.footsteps.robots import LeggedRobot
from ctrlgraph.footsteps.survey import PlannedMotion, place_contacts, support_polygon
from ctrlgraph.pictures.style import FAR, GROUND, GROUND_LINE, INK, MUTED, NEAR, PAPER, TRAIL

POLYGON_EVERY_S = 1.0
"""Time between two support polygons, s."""


def footsteps_figure(robot: LeggedRobot, motion: PlannedMotion, tick: float, title: str) -> Figure:
    """Draw a planned motion from above.

    Args:
        robot: Robot.
        motion: Planned motion.
        tick: Duration of a tick, s.
        title: Title of the figure.
    """
    canvas = Figure(figsize=(9.0, 6.0), facecolor=PAPER, layout="constrained")  # inches
    place = canvas.subplots()
    every = max(1, round(POLYGON_EVERY_S / tick))
    for i in range(0, len(motion.ground), every):
        polygon = support_polygon(robot, motion.poses[i], motion.ground[i])
        label = f"support, every {every * tick:g} s" if i == 0 else None
        if len(polygon) > 2:
            place.add_patch(Polygon(polygon, facecolor=GROUND, edgecolor=GROUND_LINE, linewidth=0.6, label=label))
    _draw_footprints(place, robot, motion)
    place.plot(*motion.mass.T, color=TRAIL, linewidth=1.6, label="centre of mass")
    place.plot(*motion.pressure.T, color=INK, linewidth=0.7, label="centre of pressure")
    outside = motion.pressure[motion.outside > 0.0]
    if len(outside):
        place.plot(*outside.T, linestyle="none", marker="x", markersize=4, color=MUTED, label="outside its support")
    place.plot(*motion.mass[0], marker="o", color=TRAIL, markersize=5, label="start")
    place.set(xlabel="x, m", ylabel="y, m", aspect="equal", title=title)
    place.autoscale_view()
    place.legend(frameon=False, fontsize=8)
    return canvas


def _draw_footprints(place: Axes, robot: LeggedRobot, motion: PlannedMotion) -> None:
    """Draw the place of each ground contact: feet of the right side dark, of the left side bright."""
    for foot, i in motion.landings:
        points = place_contacts(robot, motion.poses[i, foot])
        colour = NEAR if robot.hips_m[foot][1] < 0 else FAR
        place.add_patch(Polygon(points, facecolor=colour, edgecolor=NEAR, linewidth=0.5, alpha=0.8))
