"""Scenarios of the support: an update of the plan, the polygon of shares, a push, and a command that is too fast."""

from __future__ import annotations

import math

import numpy as np

from ctrlgraph.footsteps.planner import URGENT_ITERATIONS, FootstepPlanner
from ctrlgraph.footsteps.robots import ROBOTS
from ctrlgraph.footsteps.scenarios.scenario import Curve, HeatMap, Outline, Panel, Points, ScenarioResult, walk
from ctrlgraph.footsteps.scenarios.step_scenarios import drawn_footprints, foot_activations
from ctrlgraph.footsteps.survey import hull_distance, place_contacts, support_polygon, survey
from ctrlgraph.kernels.footsteps.descent import descend
from ctrlgraph.kernels.footsteps.footstep_arrays import FIXED, MEAN_SHARE, MOST_SHARE, SHARE, SUPPORT, X, Y
from ctrlgraph.kernels.footsteps.footstep_hull import distance_outside
from ctrlgraph.kernels.footsteps.receding import prepare

PUSH_MPS = 0.4
"""Change of velocity by a push, m/s."""


def update() -> ScenarioResult:
    """Push a walking biped, and compare its plan before and after the descent."""
    planner = FootstepPlanner(ROBOTS["biped"])
    walk(planner, (0.5, 0.0, 0.0), 2.4)
    state, work = planner.state, planner.work
    planner.push((0.0, -PUSH_MPS))
    prepare(planner.pendulum, planner.feet, state, planner.target, work)
    variables = (state.force, state.share, state.offset)
    before = [each.copy() for each in variables]
    panels, energies, apart = [], [], []
    for title, iterations in (("before the update", 0), ("after it", URGENT_ITERATIONS)):
        energies.append(descend(planner.pendulum, planner.feet, planner.unsafe, state, work, iterations))
        pressure, support = work.states[1:, :, 0].copy(), work.support[1:].copy()
        apart.append(math.sqrt(float(np.nanmean(((pressure - support) ** 2).sum(axis=1)))))
        steps = tuple(
            Outline(
                place_contacts(planner.robot, work.pose[foot, step]),
                "left" if foot == 0 else "right",
                filled=bool(state.status[foot, step] == FIXED),
            )
            for foot in range(2)
            for step in range(3)
        )
        curves = (Curve(pressure, "pressure", "centre of pressure"), Curve(support, "support", "support point", "--"))
        panels.append(Panel(title, "x, m", "y, m", curves, steps, is_map=True))
    changed = [float(np.abs(now - then).max()) for now, then in zip(variables, before, strict=True)]
    moved = (state.offset - before[2])[:, :, [X, Y]]
    return ScenarioResult(
        tuple(panels),
        {
            "energy_before": float(energies[0]),
            "energy_after": float(energies[1]),
            "apart_before_mm": 1000.0 * apart[0],
            "apart_after_mm": 1000.0 * apart[1],
            "force_change_mps2": changed[0],
            "share_change": changed[1],
            "step_change_mm": 1000.0 * float(np.linalg.norm(moved, axis=2).max()),
        },
    )


CELLS = 41
"""Cells of a heat map along the shorter axis."""
DESCENTS = 400
"""Iterations of the shares of a cell."""


def nearest_support(points: Points, active: Points, places: Points, planner: FootstepPlanner) -> Points:
    """Return the support point nearest to each place that shares can give, with their weight in the energy (n, 2).

    Args:
        points: Contact points (K, 2), m.
        active: Activation of each contact point (K,).
        places: Places (n, 2), m.
        planner: Planner, for the weights of its energy.
    """
    pull, damping = planner.feet.weight[[SUPPORT, SHARE]]
    shares = np.full((len(places), len(points)), MEAN_SHARE)
    support = np.zeros_like(places)
    for _ in range(DESCENTS):
        load = shares @ active
        support = (shares * active) @ points / load[:, None]
        arms = (active / load[:, None])[:, :, None] * (points[None] - support[:, None])
        slope = 2.0 * pull * np.einsum("nk,njk->nj", support - places, arms) + 2.0 * damping * (shares - MEAN_SHARE)
        bound = 2.0 * pull * (arms**2).sum(axis=(1, 2)) + 2.0 * damping
        shares = np.clip(shares - slope / bound[:, None], 0.0, MOST_SHARE)
    return support


def polygon() -> ScenarioResult:
    """Compare the support points that shares can give with the true hull, at four moments of a step."""
    planner = FootstepPlanner(ROBOTS["biped"])
    walk(planner, (0.4, 0.15, 0.0), 2.4)
    panels: list[Panel] = []
    errors: list[Points] = []
    outside, inner = 0.0, 0
    moments: list[str] = []
    while len(panels) < 4:
        planner.update((0.4, 0.15, 0.0))
        ground = planner.on_ground == 1
        active = np.where(ground, foot_activations(planner), 0.0)
        moment = (
            "one foot" if ground.sum() == 1 else "both feet" if active.min() > 0.9 else "a foot that arrives or leaves"
        )
        if moment in moments[-1:] or not (0.3 < active.min() < 0.7 or active.min() > 0.9 or ground.sum() == 1):
            continue
        moments.append(moment)
        hull = support_polygon(planner.robot, planner.foot_pose, ground)
        share = planner.settings.contact_share
        points = np.concatenate(
            [share * (place_contacts(planner.robot, p) - p[:2]) + p[:2] for p in planner.foot_pose[ground]]
        )
        weights = np.repeat(active[ground], len(planner.robot.contact_m))
        low, high = hull.min(axis=0) - 0.08, hull.max(axis=0) + 0.08
        step = float((high - low).min()) / CELLS
        xs, ys = (np.arange(low[k], high[k], step) for k in (0, 1))
        places = np.stack(np.meshgrid(xs, ys), axis=-1).reshape(-1, 2)
        support = nearest_support(points, weights, places, planner)
        distance = np.linalg.norm(support - places, axis=1)
        true = np.array([distance_outside(hull, len(hull), x, y) for x, y in places])
        outside = max(outside, max(float(distance_outside(hull, len(hull), x, y)) for x, y in support))
        errors.append(distance - true)
        inner = max(inner, len(points) - len(hull))
        panels.append(
            Panel(
                f"{planner.time_s:.2f} s: {moment}",
                "x, m",
                "y, m",
                (Curve(points, "pressure", "planned contact points", ""),),
                (Outline(hull, "hull", "true hull", filled=False),),
                HeatMap(1000.0 * distance.reshape(len(ys), len(xs)), (xs[0], xs[-1], ys[0], ys[-1]), "distance, mm"),
                is_map=True,
            )
        )
    whole = np.concatenate(errors)
    return ScenarioResult(
        tuple(panels),
        {
            "outside_hull_mm": 1000.0 * outside,
            "median_error_mm": 1000.0 * float(np.median(whole)),
            "largest_error_mm": 1000.0 * float(whole.max()),
            "contact_points_inside_hull": inner,
        },
    )


def pressure() -> ScenarioResult:
    """Push a biped that walks at its usual speed, and compare its centre of pressure with the support point."""
    planner = FootstepPlanner(ROBOTS["biped"])
    tick, speed = planner.settings.tick_s, planner.robot.speed_mps
    walk(planner, (speed, 0.0, 0.0), 1.6)
    path, support, outside, outlines = [], [], [], []
    pushed_at = 80
    for i in range(180):
        if i == pushed_at:
            planner.push((0.0, PUSH_MPS))
        planner.update((speed, 0.0, 0.0))
        path.append(planner.centre_of_pressure)
        support.append(planner.work.support[1].copy())
        outside.append(hull_distance(planner))
        if i % 20 == 0:
            corners = support_polygon(planner.robot, planner.foot_pose, planner.on_ground == 1)
            outlines.append(Outline(corners, "hull", "support, every 0.4 s" if i == 0 else ""))
    apart = 1000.0 * np.linalg.norm(np.array(path) - np.array(support), axis=1)
    away, times = 1000.0 * np.array(outside), tick * np.arange(len(path))
    return ScenarioResult(
        (
            Panel(
                "from above",
                "x, m",
                "y, m",
                (
                    Curve(np.array(path), "pressure", "centre of pressure"),
                    Curve(np.array(support), "support", "support point", "--"),
                    Curve(np.array(path[pushed_at : pushed_at + 1]), "base", "push to the left", ""),
                ),
                tuple(outlines),
                is_map=True,
            ),
            Panel(
                "distance",
                "time, s",
                "distance, mm",
                (
                    Curve(np.column_stack([times, apart]), "support", "from the support point"),
                    Curve(np.column_stack([times, away]), "pressure", "outside the true hull"),
                ),
            ),
        ),
        {
            "apart_before_mm": float(apart[:pushed_at].max()),
            "apart_after_mm": float(apart[pushed_at:].max()),
            "outside_before_mm": float(away[:pushed_at].max()),
            "outside_after_mm": float(away[pushed_at:].max()),
            "outside_s": tick * float(np.sum(away > 0.0)),
        },
    )


SECONDS = 5.0
"""Duration of the walk with a command that is too fast, s."""


def slowing() -> ScenarioResult:
    """Command a biped at several multiples of the speed that its steps can follow."""
    robot = ROBOTS["biped"]
    probe = FootstepPlanner(robot)
    probe.update((100.0, 0.0, 0.0))
    feasible, tick = float(probe.target[0]), probe.settings.tick_s
    rows, panels, found = [], [], None
    for multiple in (0.25, 0.5, 0.75, 1.0, 1.5, 2.0, 3.0):
        commands = np.tile((multiple * feasible, 0.0, 0.0), (round(SECONDS / tick), 1))
        measured, motion = survey(FootstepPlanner(robot), commands)
        speed = float(motion.mass[-1, 0] - motion.mass[-1 - round(2.0 / tick), 0]) / 2.0
        rows.append((multiple * feasible, speed))
        if multiple == 2.0:
            found = measured
            way = np.array([[0.0, 0.0], [multiple * feasible * SECONDS, 0.0]])
            panels.append(
                Panel(
                    "a command at twice the feasible speed",
                    "x, m",
                    "y, m",
                    (Curve(way, "base", "commanded way", "--"), Curve(motion.mass, "support", "planned way")),
                    drawn_footprints(robot, motion),
                    is_map=True,
                )
            )
            ratio = float(motion.mass[-1, 0]) / float(way[1, 0])
    assert found is not None
    speeds = np.array(rows)
    panels.append(
        Panel(
            "speed after three seconds",
            "commanded, m/s",
            "planned, m/s",
            (Curve(speeds[:, [0, 0]], "base", "as commanded", "--"), Curve(speeds, "support", "planned")),
        )
    )
    return ScenarioResult(
        tuple(panels),
        {
            "feasible_mps": feasible,
            "speed_mps": float(speeds[-2, 1]),
            "length_ratio": ratio,
            "inside_hull": found.inside_hull,
            "swing_mps": found.swing_mps,
            "reach": found.reach,
        },
    )
