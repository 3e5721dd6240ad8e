"""Measures of a planned motion: ticks with the centre of pressure in the hull of the feet, reach, speeds, times."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ctrlgraph.footsteps.planner import FootstepPlanner
from ctrlgraph.footsteps.robots import LeggedRobot
from ctrlgraph.kernels.footsteps.footstep_hull import convex_hull, distance_outside

ROUNDING_M = 1e-9
"""Distance outside the hull that counts as rounding, m."""


@dataclass(frozen=True, slots=True)
class PlanSurvey:
    """Measures of a planned motion. Times of updates are CPU times."""

    ticks: int
    inside_hull: float
    """Fraction of ticks in which the centre of pressure is inside the true hull of the feet on the ground."""
    outside_m: float
    """Largest distance of the centre of pressure from the hull, m."""
    reach: float
    """Largest distance of a foot on the ground from its hip, as a fraction of the robot's reach."""
    swing_mps: float
    """Largest speed of a foot, m/s."""
    slide_mm: float
    """Largest way of a foot from the first to the last tick of a ground contact, mm."""
    steps: int
    """Number of touch-downs."""
    distance_m: float
    """Length of the path of the centre of mass, m."""
    speed_error_mps: float
    """Mean difference of the velocity of the centre of mass from the command, m/s."""
    update_p50_ms: float
    """Median CPU time of an update, ms."""
    update_p99_ms: float
    """99th percentile of the CPU time of an update, ms."""
    update_most_ms: float
    """Largest CPU time of an update, ms."""

    def as_dict(self) -> dict[str, Any]:
        """Return the measures for JSON, with the times of updates in one object."""
        values = asdict(self)
        times = {name: values.pop(f"update_{name}_ms") for name in ("p50", "p99", "most")}
        return values | {"update_ms": times}


@dataclass(frozen=True, slots=True)
class PlannedMotion:
    """A planned motion, one row for each tick."""

    pressure: NDArray[np.float64]
    """Centre of pressure (n, 2), m."""
    mass: NDArray[np.float64]
    """Centre of mass (n, 2), m."""
    height: NDArray[np.float64]
    """Height of the centre of mass (n,), m."""
    lean: NDArray[np.float64]
    """Angle of the pendulum along x and y (n, 2), rad."""
    heading: NDArray[np.float64]
    """Heading (n,), rad."""
    poses: NDArray[np.float64]
    """Position and angle of each foot (n, F, 3)."""
    lift: NDArray[np.float64]
    """Height of each foot above the ground (n, F), m."""
    ground: NDArray[np.bool_]
    """Whether each foot is on the ground (n, F)."""
    outside: NDArray[np.float64]
    """Distance of the centre of pressure from the hull of the feet on the ground (n,), m; infinite in flight."""
    command: NDArray[np.float64]
    """Command (n, 3): forward and to the left, m/s, and turning, rad/s."""
    update_ms: NDArray[np.float64]
    """CPU time of each update (n,), ms."""

    @property
    def landings(self) -> list[tuple[int, int]]:
        """Return foot and first tick of each ground contact, in the order of time."""
        before = np.vstack([np.zeros_like(self.ground[:1]), self.ground[:-1]])
        return [(int(foot), int(i)) for i, foot in np.argwhere(self.ground & ~before)]


def place_contacts(robot: LeggedRobot, pose: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the contact points (C, 2) of a foot with a position and an angle (3,), m."""
    c, s = math.cos(pose[2]), math.sin(pose[2])
    return np.asarray(np.array(robot.contact_m) @ np.array([[c, s], [-s, c]]) + pose[:2])


def support_polygon(robot: LeggedRobot, poses: NDArray[np.float64], ground: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Return the corners (n, 2) of the convex hull of the feet on the ground, anticlockwise, m; none in flight.

    Args:
        robot: Robot.
        poses: Position and angle of each foot (F, 3).
        ground: Whether each foot is on the ground (F,).
    """
    points = [place_contacts(robot, poses[foot]) for foot in np.flatnonzero(ground)]
    if not points:
        return np.zeros((0, 2))
    stacked = np.concatenate(points)
    hull = np.zeros((2 * len(stacked), 2))
    return hull[: convex_hull(stacked, len(stacked), hull)]


def hull_distance(planner: FootstepPlanner) -> float:
    """Return the distance of the centre of pressure from the hull of the feet on the ground, m; 0 inside."""
    polygon = support_polygon(planner.robot, planner.foot_pose, planner.on_ground == 1)
    x, y = planner.centre_of_pressure
    return float(distance_outside(polygon, len(polygon), x, y))


def survey(
    planner: FootstepPlanner,
    commands: Iterable[Sequence[float] | NDArray[np.float64]],
    on_tick: Callable[[int], None] | None = None,
) -> tuple[PlanSurvey, PlannedMotion]:
    """Let a planner follow commands, and measure the planned motion.

    Args:
        planner: Planner at its start.
        commands: Command of each tick (n, 3). It can be an iterator that depends on the planner after each tick.
        on_tick: Called after each tick with the number of ticks so far.
    """
    type(planner)(planner.robot, planner.settings).update((0.0, 0.0, 0.0))  # compile before times are measured
    rows: list[tuple[Any, ...]] = []
    for command in commands:
        forward, left, turn = (float(value) for value in command)
        planner.update((forward, left, turn))
        c, s = math.cos(planner.heading), math.sin(planner.heading)
        wanted = np.array([c * forward - s * left, s * forward + c * left])
        row = (
            planner.centre_of_pressure,
            planner.centre_of_mass,
            planner.lean,
            planner.heading,
            planner.foot_pose.copy(),
            planner.foot_height.copy(),
            planner.on_ground == 1,
            hull_distance(planner),
            planner.update_ms,
            float(np.linalg.norm(planner.velocity - wanted)),
            (forward, left, turn),
        )
        rows.append(row)
        if on_tick is not None:
            on_tick(len(rows))
    columns = (np.array(column) for column in zip(*rows, strict=True))
    pressure, mass, lean, heading, poses, lift, ground, outside, times, errors, commanded = columns
    motion = PlannedMotion(
        pressure=pressure,
        mass=mass[:, :2],
        height=mass[:, 2],
        lean=lean,
        heading=heading,
        poses=poses,
        lift=lift,
        ground=ground,
        outside=outside,
        command=commanded,
        update_ms=times,
    )
    tick = planner.settings.tick_s
    found = PlanSurvey(
        ticks=len(rows),
        inside_hull=float(np.mean(outside <= ROUNDING_M)),
        outside_m=float(outside.max()),
        reach=_reach(planner, motion),
        swing_mps=float(np.linalg.norm(np.diff(poses[:, :, :2], axis=0), axis=2).max(initial=0.0)) / tick,
        slide_mm=1000.0 * _slide(motion),
        steps=int(np.sum(ground[1:] & ~ground[:-1])),
        distance_m=float(np.linalg.norm(np.diff(motion.mass, axis=0), axis=1).sum()),
        speed_error_mps=float(errors.mean()),
        update_p50_ms=float(np.percentile(times, 50)),
        update_p99_ms=float(np.percentile(times, 99)),
        update_most_ms=float(times.max()),
    )
    return found, motion


def _reach(planner: FootstepPlanner, motion: PlannedMotion) -> float:
    """Return the largest distance of a foot on the ground from its hip, as a fraction of the robot's reach."""
    c, s = np.cos(motion.heading)[:, None], np.sin(motion.heading)[:, None]
    x, y = np.array(planner.robot.hips_m).T
    hips = motion.mass[:, None, :] + np.stack([c * x - s * y, s * x + c * y], axis=2)
    distance = np.linalg.norm(motion.poses[:, :, :2] - hips, axis=2)
    return float(distance[motion.ground].max(initial=0.0) / planner.robot.reach_m)


def _slide(motion: PlannedMotion) -> float:
    """Return the largest way of a foot during one ground contact, m."""
    farthest = 0.0
    for foot in range(motion.ground.shape[1]):
        first = None
        for place, ground in zip(motion.poses[:, foot, :2], motion.ground[:, foot], strict=True):
            first = (place if first is None else first) if ground else None
            if first is not None:
                farthest = max(farthest, float(np.linalg.norm(place - first)))
    return farthest
