"""Scenarios of the pendulum: contraction, and the base that carries its response."""

from __future__ import annotations

import math

import numpy as np

from ctrlgraph.footsteps.model import PlanSettings
from ctrlgraph.footsteps.planner import FootstepPlanner
from ctrlgraph.footsteps.robots import ROBOTS
from ctrlgraph.footsteps.scenarios.scenario import Curve, Panel, Points, Role, ScenarioResult, walk
from ctrlgraph.kernels.footsteps.pendulum import move_pendulum
from ctrlgraph.kernels.footsteps.receding import prepare

SWAY_HZ, SWAY_MPS2 = 0.5, 3.0
"""Frequency and amplitude of the force that sways the pendulum."""
ROD_EVERY = 10
"""Ticks between two drawn pendulums."""

BASE_COMMANDS: dict[str, tuple[tuple[float, float, float], Role]] = {
    "onward": ((0.5, 0.0, 0.0), "pressure"),
    "to the left": ((0.5, 0.0, 0.8), "mass"),
    "backward": ((-0.3, 0.0, 0.0), "base"),
}
"""Commands of the bases that carry the same response, and their roles in the drawing."""


def contraction() -> ScenarioResult:
    """Sway a pendulum with and without the vertical force that follows from a force at an angle."""
    planner = FootstepPlanner(ROBOTS["biped"], PlanSettings(horizon_s=4.0))
    state, work, tick = planner.state, planner.work, planner.settings.tick_s
    prepare(planner.pendulum, planner.feet, state, planner.target, work)
    times = tick * np.arange(len(work.heights))
    state.force[:, 1] = SWAY_MPS2 * np.sin(2.0 * math.pi * SWAY_HZ * times[:-1])
    heights = {}
    for factor in (0.0, planner.pendulum.contraction):
        move_pendulum(planner.pendulum._replace(contraction=factor), state, state.force, work)
        heights[factor] = work.heights[:, 0].copy()
    without, height = heights.values()
    pressure = work.states[:, 1, 0]
    mass = pressure - planner.robot.height_m * work.states[:, 1, 2]
    half = len(times) // 2  # from here on the sway is periodic
    rods = [
        Curve(np.array([[pressure[i], 0.0], [mass[i], height[i]]]), "other", "pendulum" if i == half else "")
        for i in range(half, len(times), ROD_EVERY)
    ]
    path = Curve(np.column_stack([mass, height])[half:], "mass", "centre of mass")
    curves = (
        Curve(np.column_stack([times, height]), "mass", "with contraction"),
        Curve(np.column_stack([times, without]), "base", "without", "--"),
    )
    return ScenarioResult(
        (
            Panel("from behind", "y, m", "height, m", (*rods, path), is_map=True),
            Panel("height of the centre of mass", "time, s", "height, m", curves),
        ),
        {
            "contraction_mm": 1000.0 * float(planner.robot.height_m - height.min()),
            "without_mm": 1000.0 * float(planner.robot.height_m - without.min()),
            "contractions_per_sway": _frequency(height[half:], tick) / _frequency(mass[half:], tick),
        },
    )


def _frequency(values: Points, tick: float) -> float:
    """Return the frequency of the strongest oscillation, 1/s."""
    spectrum = np.abs(np.fft.rfft(values - values.mean()))
    return float(np.fft.rfftfreq(len(values), tick)[int(np.argmax(spectrum))])


def base() -> ScenarioResult:
    """Carry the same response to the feet by the bases of three commands."""
    planner = FootstepPlanner(ROBOTS["biped"])
    walk(planner, (0.5, 0.0, 0.0), 2.4)
    work, times = planner.work, planner.settings.tick_s * np.arange(len(planner.work.states))
    paths, responses, local = [], [], []
    for name, (command, role) in BASE_COMMANDS.items():
        copy = FootstepPlanner(planner.robot)
        for mine, its in zip(copy.state, planner.state, strict=True):
            mine[...] = its
        prepare(copy.pendulum, copy.feet, copy.state, np.array(command), work)
        move_pendulum(copy.pendulum, copy.state, copy.state.force, work)
        begin, own, heading = (
            work.base[: len(times), :, 0].copy(),
            work.states[:, :, 0].copy(),
            work.heading[: len(times)],
        )
        paths += [Curve(begin, role, f"base: {name}", "--"), Curve(own, role, "pendulum")]
        c, s = np.cos(heading), np.sin(heading)
        x, y = (own - begin).T
        local.append(np.column_stack([c * x + s * y, c * y - s * x]))
        responses.append(Curve(np.column_stack([times, local[-1][:, 1]]), role, name))
    largest = float(np.abs(local[0]).max())
    difference = max(float(np.abs(each - local[0]).max()) for each in local[1:])
    return ScenarioResult(
        (
            Panel("three commands, the same forces", "x, m", "y, m", tuple(paths), is_map=True),
            Panel("pendulum beside its base", "time, s", "to the left, m", tuple(responses)),
        ),
        {
            "response_mm": 1000.0 * largest,
            "difference_mm": 1000.0 * difference,
            "bases_apart_mm": 1000.0 * float(np.linalg.norm(paths[0].points[-1] - paths[4].points[-1])),
        },
    )
