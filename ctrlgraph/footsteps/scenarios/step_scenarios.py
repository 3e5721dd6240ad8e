"""Scenarios of the steps: activation, the pattern of a gait, separation of feet, and unsafe places."""

from __future__ import annotations

import math

import numpy as np

from ctrlgraph.footsteps.model import PlanSettings
from ctrlgraph.footsteps.planner import FootstepPlanner
from ctrlgraph.footsteps.robots import ROBOTS, LeggedRobot
from ctrlgraph.footsteps.scenarios.scenario import Curve, HeatMap, Outline, Panel, Points, ScenarioResult
from ctrlgraph.footsteps.survey import PlannedMotion, place_contacts, survey
from ctrlgraph.kernels.footsteps.footstep_arrays import HALF, TIME, X, Y
from ctrlgraph.kernels.footsteps.receding import prepare
from ctrlgraph.kernels.footsteps.support import activation, energy

SOURCE_RELEVANCE = 0.25
"""Duration of the second term of the source's weight (4.1), as a fraction of a cycle."""
GRID_CELLS = 61
"""Cells of a heat map along an axis."""


def step_weight() -> ScenarioResult:
    """Compute the activation of a foot around a ground contact, beside the weight of the source."""
    planner = FootstepPlanner(ROBOTS["biped"])
    feet, robot = planner.feet, planner.robot
    half = 0.5 * robot.duty * robot.period_s
    times = np.linspace(-0.5 * robot.period_s, 0.5 * robot.period_s, 401)
    active = np.array([activation(feet, float(t), half - feet.margin) for t in times])
    source = 1.0 / (1.0 + np.exp((times**2 - half**2) * feet.steepness))
    source += 1.0 / (1.0 + np.exp((times / (SOURCE_RELEVANCE * robot.period_s)) ** 2))
    on_ground = np.abs(times) <= half
    contact = np.array([[-half, 0.0], [half, 0.0], [half, 1.5], [-half, 1.5]])
    return ScenarioResult(
        (
            Panel(
                "one step",
                "time from the middle of the contact, s",
                "weight",
                (
                    Curve(np.column_stack([times, active]), "support", "activation"),
                    Curve(np.column_stack([times, source]), "base", "weight of the source (4.1)", "--"),
                ),
                (Outline(contact, "hull", "on the ground"),),
            ),
        ),
        {
            "middle": float(active[len(times) // 2]),
            "half_active_s": float(np.abs(times[active >= 0.5]).max()),
            "half_contact_s": half,
            "in_the_air": float(active[~on_ground].max()),
            "source_in_the_air": float(source[~on_ground].max()),
        },
    )


def foot_activations(planner: FootstepPlanner) -> Points:
    """Return the activation of each foot now (F,)."""
    state, feet = planner.state, planner.feet
    middle = state.middle[:, 0] + state.offset[:, 0, TIME]
    half = state.half[:, 0] + state.offset[:, 0, HALF] - feet.margin
    late = state.clock[0] - middle
    return np.array([activation(feet, float(t), float(h)) for t, h in zip(late, half, strict=True)])


def drawn_footprints(robot: LeggedRobot, motion: PlannedMotion) -> tuple[Outline, ...]:
    """Return the footprints of a motion."""
    return tuple(
        Outline(
            place_contacts(robot, motion.poses[i, foot]),
            "left" if robot.hips_m[foot][1] > 0 else "right",
            ("left", "right")[foot] + " foot" if i == 0 and foot < 2 else "",
        )
        for foot, i in motion.landings
    )


def pattern() -> ScenarioResult:
    """Let a quadruped trot, and show its footprints above the activations of its feet."""
    planner = FootstepPlanner(ROBOTS["quadruped"])
    robot, tick = planner.robot, planner.settings.tick_s
    commands = np.tile((0.6, 0.0, 0.0), (round(3.0 / tick), 1))
    active: list[Points] = []
    _, motion = survey(planner, commands, lambda _: active.append(foot_activations(planner)))
    weights, times = np.array(active), tick * np.arange(1, len(active) + 1)
    names = ("front left", "front right", "hind left", "hind right")
    lines = tuple(
        Curve(
            np.column_stack([times, weights[:, foot] + 1.2 * (3 - foot)]),
            "left" if robot.hips_m[foot][1] > 0 else "right",
            name,
        )
        for foot, name in enumerate(names)
    )
    walking = times > 1.0
    begins = [i for _, i in motion.landings if times[i] > 1.0]
    return ScenarioResult(
        (
            Panel(
                "footprints from above",
                "x, m",
                "y, m",
                (Curve(motion.mass, "mass", "centre of mass"),),
                drawn_footprints(robot, motion),
                is_map=True,
            ),
            Panel("activation of each foot", "time, s", "activation, each foot above the next", lines),
        ),
        {
            "contacts_per_cycle": len(begins) / len(names) / (2.0 / robot.period_s),
            "least_active": float(weights.sum(axis=1)[walking].min()),
            "in_the_air": float(np.where(motion.ground, 0.0, weights).max()),
        },
    )


def separation() -> ScenarioResult:
    """Move a step over the ground, and compute its separation from the steps of the other feet."""
    panels: list[Panel] = []
    measures: dict[str, float] = {}
    for name in ("biped", "quadruped"):
        only = PlanSettings(
            support=0.0, place=0.0, turn=0.0, shift=0.0, stretch=0.0, share=0.0, separation=1.0, unsafety=0.0
        )
        planner = FootstepPlanner(ROBOTS[name], only)
        state, work, hips = planner.state, planner.work, np.array(planner.robot.hips_m)
        prepare(planner.pendulum, planner.feet, state, planner.target, work)

        def value(x: float, y: float, planner: FootstepPlanner = planner, hips: Points = hips) -> float:
            state = planner.state
            state.offset[0, 1, [X, Y]] = (x - hips[0, 0], y - hips[0, 1])
            return energy(
                planner.pendulum, planner.feet, planner.unsafe, state, state.force, state.share, state.offset,
                planner.work, False,
            )  # fmt: skip

        span = 2.5 * float(np.abs(hips).max())
        cells = np.linspace(-span, span, GRID_CELLS)
        values = np.array([[value(x, y) for x in cells] for y in cells])
        least = values.min()
        panels.append(
            Panel(
                name,
                "x, m",
                "y, m",
                (
                    Curve(hips[1:], "base", "other feet", ""),
                    Curve(hips[:1], "pressure", "reference of the moved foot", ""),
                ),
                heat=HeatMap(
                    np.log10(values - least + 1e-3), (-span, span, -span, span), "logarithm (base 10) of the separation"
                ),
                is_map=True,
            )
        )
        other = hips[1]
        across = 2.0 * other - hips[0]
        measures |= {
            f"{name}_reference": value(*hips[0]) - least,
            f"{name}_on_the_other_foot": value(*other) - least,
            f"{name}_crossed": value(*across) - least,
        }
    return ScenarioResult(tuple(panels), measures)


BUMPS = ((1.0, 0.08, 5.0), (2.0, 0.1, 5.0), (2.9, 0.1, 5.0))
"""Unsafe places on the way of the biped: distance, m, radius, m, and height. Each is on a footprint of the plan without
them."""


def unsafe_places() -> ScenarioResult:
    """Let a biped walk over unsafe places that are on the footprints of the same walk without them."""
    robot = ROBOTS["biped"]
    blind = FootstepPlanner(robot)
    commands = np.tile((0.6, 0.0, 0.0), (round(6.0 / blind.settings.tick_s), 1))
    _, free = survey(blind, commands)
    places = np.array([free.poses[i, foot, :2] for foot, i in free.landings])
    bumps = np.array(
        [
            (*places[int(np.argmin(np.abs(places[:, 0] - distance)))], radius, height)
            for distance, radius, height in BUMPS
        ]
    )
    planner = FootstepPlanner(robot, unsafe=[tuple(each) for each in bumps.tolist()])
    found, motion = survey(planner, commands)
    chosen = np.array([motion.poses[i, foot, :2] for foot, i in motion.landings])
    length, width = np.ptp(np.array(robot.contact_m), axis=0)
    across = np.stack(np.meshgrid(np.linspace(-0.5, 0.5, 23) * length, np.linspace(-0.5, 0.5, 10) * width), axis=-1)
    below = [
        across @ np.array([[math.cos(angle), math.sin(angle)], [-math.sin(angle), math.cos(angle)]]) + (x, y)
        for x, y, angle in (motion.poses[i, foot] for foot, i in motion.landings)
    ]
    xs, ys = np.linspace(-0.3, 3.7, 4 * GRID_CELLS), np.linspace(-0.5, 0.5, GRID_CELLS)
    grid = np.stack(np.meshgrid(xs, ys), axis=-1)
    left, right = (np.array([motion.poses[i, k, :2] for k, i in motion.landings if k == foot]) for foot in (0, 1))
    apart = np.linalg.norm(left[:, None] - right[None], axis=2).min()
    drawn = drawn_footprints(robot, motion)
    before = tuple(Outline(each.corners, "other", filled=False) for each in drawn_footprints(robot, free))
    return ScenarioResult(
        (
            Panel(
                "footprints with and (outlines) without unsafe places",
                "x, m",
                "y, m",
                (Curve(motion.mass, "mass", "centre of mass"),),
                before + drawn,
                HeatMap(_unsafety(bumps, grid), (xs[0], xs[-1], ys[0], ys[-1]), "unsafety"),
                is_map=True,
            ),
        ),
        {
            "unsafety_without": float(_unsafety(bumps, places).mean()),
            "unsafety_with": float(_unsafety(bumps, chosen).mean()),
            "most_without": float(_unsafety(bumps, places).max()),
            "most_with": float(_unsafety(bumps, chosen).max()),
            "most_below_soles": float(_unsafety(bumps, np.array(below)).max()),
            "feet_apart_m": float(apart),
            "inside_hull": found.inside_hull,
        },
    )


def _unsafety(bumps: Points, places: Points) -> Points:
    """Return the unsafety of places (..., 2)."""
    square = ((places[..., None, :] - bumps[:, :2]) ** 2).sum(axis=-1)
    return np.asarray((bumps[:, 3] * np.exp(-0.5 * square / bumps[:, 2] ** 2)).sum(axis=-1))
