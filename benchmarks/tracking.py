"""Run the experiments of phase-indexed tracking and print their tables.

    python benchmarks/tracking.py walk [--seconds 60]
    python benchmarks/tracking.py pushes --force 350 [--phases 20] [--trials 5] [--seed 126001]
    python benchmarks/tracking.py slopes [--least -18] [--most 10]
    python benchmarks/tracking.py limits
    python benchmarks/tracking.py ranges
    python benchmarks/tracking.py tick

--project is tracking (the biped with feet) or five-link, --file its tracking file, --engine and --step the world.
A gait starts on its reference motion and walks for five seconds. Then a push of 0.1 s acts on the trunk at a phase of
its cycle (in the 0.2 s before, trials are perturbed by torques of 2 % of their limits and a push of 2 % of the weight),
or nothing, on slopes. benchmarks/gait_pushes.py classifies the outcome.
"""

from __future__ import annotations

import argparse
import time
from collections import Counter
from pathlib import Path

import numpy as np

from benchmarks.gait_pushes import Aftermath, push_limits, push_table, pushed, steady_gait, walks
from ctrlgraph.control.tracking.tracking import Tracking
from ctrlgraph.control.tracking.tracking_kind import KIND
from ctrlgraph.engine.world_settings import WorldSettings
from ctrlgraph.errors import SimulationError
from ctrlgraph.project.project import Project
from ctrlgraph.robustness.gaits.planar_surface_start import begin_on_surface
from ctrlgraph.simulation.simulation import Simulation
from ctrlgraph.terrain.words import parse

ROOT = Path(__file__).resolve().parents[1]
RATES = {"tracking": 1.02, "five-link": 1.35}
"""Rate of theta at the beginning of a step, rad/s."""

LETTERS = {Aftermath.FALLEN: "F", Aftermath.ROCKING: "R", Aftermath.STEPPING: "S", Aftermath.WALKING: "W"}

TABLE_1 = {"eps": (0.001, 0.49), "k_s": (0.01, 10_000)}
"""Ranges of the source's table 1 with recovery from -50 N."""


def main() -> None:
    """Run the requested experiment and print its table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["walk", "pushes", "slopes", "limits", "ranges", "tick"])
    parser.add_argument("--project", default="tracking", choices=sorted(RATES))
    parser.add_argument("--file", default="walk.yaml")
    parser.add_argument("--engine", default="ode")
    parser.add_argument("--step", type=float, default=0.002)
    parser.add_argument("--force", type=float, default=350.0)
    parser.add_argument("--phases", type=int, default=20)
    parser.add_argument("--trials", type=int, default=5)
    parser.add_argument("--seed", type=int, default=126001)
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--least", type=float, default=-18.0)
    parser.add_argument("--most", type=float, default=10.0)
    asked = parser.parse_args()
    project = Project(ROOT / "projects" / asked.project)
    tracking = project.read_controller("tracking", project.directory / "tracking" / asked.file)
    assert isinstance(tracking, Tracking)
    globals()[f"show_{asked.what}"](project, tracking, asked)


def world(project: Project, asked: argparse.Namespace, terrain: str = "flat") -> Simulation:
    """Open the requested simulation."""
    ground = parse(terrain)
    return Simulation(
        project.character,
        ground,
        engine=asked.engine,
        settings=WorldSettings(dt=asked.step),
        sample_rate=500.0,
        keep_trace=False,
    )


def show_walk(project: Project, tracking: Tracking, asked: argparse.Namespace) -> None:
    """Print distance and speed of simulation on both engines and at two time steps."""
    print("| engine | step, ms | metres | simulated s per wall s |")
    print("| --- | --- | --- | --- |")
    for engine in ("ode", "mujoco"):
        for step in (0.002, 0.001):
            asked.engine, asked.step = engine, step
            with world(project, asked) as simulation:
                walks(simulation, tracking, RATES[asked.project], 0.1)  # compile
                began = time.perf_counter()
                far = walks(simulation, tracking, RATES[asked.project], asked.seconds)
                ratio = asked.seconds / (time.perf_counter() - began)
                print(f"| {engine} | {1000 * step:g} | {'falls' if far is None else f'{far:.1f}'} | {ratio:.0f} |")


def show_pushes(project: Project, tracking: Tracking, asked: argparse.Namespace) -> None:
    """Print the outcomes of pushes at every phase in both directions."""
    phases = [i / asked.phases for i in range(asked.phases)]
    seeds = [asked.seed + k for k in range(asked.trials)]
    with world(project, asked) as simulation:
        gait = steady_gait(simulation, tracking, RATES[asked.project])
        print(f"{asked.engine}, {1000 * asked.step:g} ms: {gait.speed:.3f} m/s, a cycle of {gait.period:.3f} s")
        for force in (asked.force, -asked.force):
            letters: dict[float, str] = {}
            counts: Counter[str] = Counter()
            for phase, _, outcome in push_table(simulation, tracking, gait, force, phases, seeds):
                letters[phase] = letters.get(phase, "") + LETTERS[outcome]
                counts[str(outcome)] += 1
            print(f"{force:+g} N: " + ", ".join(f"{name} {count}" for name, count in counts.most_common()))
            print("    " + " ".join(letters.values()), flush=True)


def show_slopes(project: Project, tracking: Tracking, asked: argparse.Namespace) -> None:
    """Print the distance in 20 s on slopes, from a start on the reference motion."""
    print("| slope, deg | metres in 20 s |\n| --- | --- |")
    for slope in np.arange(asked.least, asked.most + 0.5):
        with world(project, asked, f"slope={slope:g}") as simulation:
            try:
                far = walks(simulation, tracking, RATES[asked.project], 20.0)
            except SimulationError:
                far = None
            print(f"| {slope:g} | {'falls' if far is None else f'{far:.1f}'} |", flush=True)


def show_limits(project: Project, tracking: Tracking, asked: argparse.Namespace) -> None:
    """Print the strongest pushes in the middle of a step without a fall, on both engines and at two time steps."""
    print(
        "| engine | step, ms | backward, N | forward, N | backward, walking again, N |\n| --- | --- | --- | --- | --- |"
    )
    for engine in ("ode", "mujoco"):
        for step in (0.002, 0.001):
            asked.engine, asked.step = engine, step
            with world(project, asked) as simulation:
                gait = steady_gait(simulation, tracking, RATES[asked.project])
                back, forth = push_limits(simulation, tracking, gait, 0.25)
                again = 0
                while pushed(simulation, tracking, gait, again - 10, 0.25) is Aftermath.WALKING:
                    again -= 10
                print(f"| {engine} | {1000 * step:g} | {back:g} | {forth:g} | {again:g} |", flush=True)


def show_ranges(project: Project, tracking: Tracking, asked: argparse.Namespace) -> None:
    """Print the ranges of eps and k_s with recovery from -50 N, the other unchanged (the source's table 1)."""
    names = [parameter.role for parameter in tracking.parameters]
    print("| parameter | value | recovers at | the source |\n| --- | --- | --- | --- |")
    for name, source in TABLE_1.items():
        held, place = [], names.index(name)
        tried = np.geomspace(source[0] / 10, source[1] * 10, 40 if name == "k_s" else 34)
        with world(project, asked) as simulation:
            for value in tried:
                constants = tracking.constants.copy()
                constants[place] = value
                changed = tracking.with_constants(constants)
                try:
                    gait = steady_gait(simulation, changed, RATES[asked.project])
                except SimulationError:
                    continue
                if pushed(simulation, changed, gait, -50.0, 0.25) is Aftermath.WALKING:
                    held.append(float(value))
        range_text = f"{min(held):.3g} to {max(held):.3g}, {len(held)} of {len(tried)} tried" if held else "nowhere"
        print(f"| {name} | {tracking.constants[place]:g} | {range_text} | {source[0]:g} to {source[1]:g} |", flush=True)


def show_tick(project: Project, tracking: Tracking, asked: argparse.Namespace) -> None:
    """Print the cost of a step of the whole loop, and the share of the tick."""
    with world(project, asked) as simulation:
        walks(simulation, tracking, RATES[asked.project], 0.1)
        began = time.perf_counter()
        walks(simulation, tracking, RATES[asked.project], 60.0)
        whole = (time.perf_counter() - began) / (60.0 / asked.step)
        begin_on_surface(simulation, tracking, RATES[asked.project])
        simulation.run(tracking, cycles=100, timeout=1.0)
        state, kin, motors = simulation._state, simulation._kin, simulation._motors
        data = KIND.new_data(tracking)
        ticks = 20_000
        began = time.perf_counter()
        for _ in range(ticks):  # called from Python: its overhead is measured with a tick of a finished controller
            KIND.kernels.tick(simulation._body, kin, data, state, motors, simulation.time)
        running = time.perf_counter() - began
        state.counters[0] = 1
        began = time.perf_counter()
        for _ in range(ticks):
            KIND.kernels.tick(simulation._body, kin, data, state, motors, simulation.time)
        tick = (running - (time.perf_counter() - began)) / ticks
    print(f"{asked.project} on {asked.engine}: a step {1e6 * whole:.1f} us, of which the tick {1e6 * tick:.1f} us")


if __name__ == "__main__":
    main()
