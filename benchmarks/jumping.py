"""Measure the broad jump of projects/tracking, and search its motion again.

    python benchmarks/jumping.py endless [--cycles 100] [--starts 5] [--seed 129120]
    python benchmarks/jumping.py basin [--cycles 15] [--starts 3] [--seed 129140] [--engine ode]
    python benchmarks/jumping.py motion [--candidates 300] [--spread 0.5] [--seed 129100]

--file is the tracking file (jump.yaml of the project). `endless`: perturbed starts near --rate, on both engines, level
and 3 degrees uphill, with steps of 2 and 1 ms. `basin`: starts over a grid of rates, slopes and perturbations, with the
file's policy and with a fixed centre of pressure. `motion`: the coefficients are perturbed by the fraction --spread of
the search's prior scale and found again by CMA-ES with a fixed centre of pressure; the result is written to --output.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np

from ctrlgraph.control.tracking.tracking import Tracking, with_constant_policy
from ctrlgraph.control.tracking.tracking_file import read_tracking
from ctrlgraph.engine.world_settings import WorldSettings
from ctrlgraph.errors import CtrlGraphError, SimulationError
from ctrlgraph.learning.cmaes import make_optimizer
from ctrlgraph.learning.search_space import changed, search_space
from ctrlgraph.learning.tuning import rewritten
from ctrlgraph.project.project import Project
from ctrlgraph.robustness.gaits.planar_surface_start import Surface
from ctrlgraph.robustness.gaits.return_map import CyclesRun, return_map, run_cycles
from ctrlgraph.simulation.simulation import Simulation
from ctrlgraph.terrain.words import parse

PROJECT = Path(__file__).resolve().parents[1] / "projects" / "tracking"
CONSTANTS = (0.0, 0.025, 0.06)
"""Fixed centres of pressure, m before the ankle."""
RATES = (0.7, 0.85, 1.0, 1.15, 1.3, 1.45)
"""Rates at the starts, m/s."""
SLOPES = (-3.0, 0.0, 3.0, 5.0)
NOISE_FACTORS = (0.5, 1.0, 2.0)
"""Scales of the perturbation of `run_cycles`."""
NEW = (-0.2, 0.0, 0.2, 0.35)
"""Differences from the desired rate with which candidates of a motion begin, m/s."""


def main() -> None:
    """Run the requested experiment and print its table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["endless", "basin", "motion"])
    parser.add_argument("--file", type=Path, default=PROJECT / "tracking" / "jump.yaml")
    parser.add_argument("--engine", default="ode")
    parser.add_argument("--rate", type=float, default=0.98)
    parser.add_argument("--cycles", type=int, default=None)
    parser.add_argument("--starts", type=int, default=None)
    parser.add_argument("--seed", type=int, default=129120)
    parser.add_argument("--candidates", type=int, default=300)
    parser.add_argument("--spread", type=float, default=0.5)
    parser.add_argument("--output", type=Path, default=Path("jump-found.yaml"))
    asked = parser.parse_args()
    globals()[f"show_{asked.what}"](asked)


def runs_of(
    tracking: Tracking,
    asked: argparse.Namespace,
    *,
    slope: float = 0.0,
    rate: float | None = None,
    noise: float = 1.0,
    engine: str | None = None,
    step: float = 0.002,
) -> list[CyclesRun]:
    """Return the results of perturbed starts; the i-th start of a seed is the same in all worlds."""
    ground = parse(f"slope={slope:g}") if slope else None
    engine, surface = engine or asked.engine, Surface(tracking)
    found = []
    for i in range(asked.starts):
        settings = WorldSettings(dt=step)
        with Simulation(tracking.character, ground, engine=engine, settings=settings, keep_trace=False) as simulation:
            found.append(
                run_cycles(
                    tracking,
                    rate or asked.rate,
                    asked.cycles,
                    rng=np.random.default_rng([asked.seed, i]),
                    noise=noise,
                    surface=surface,
                    simulation=simulation,
                )
            )
    return found


def show_endless(asked: argparse.Namespace) -> None:
    """Return how many starts complete this number of jumps."""
    asked.cycles, asked.starts = asked.cycles or 100, asked.starts or 5
    tracking = Project(PROJECT).read_controller("tracking", asked.file)
    assert isinstance(tracking, Tracking)
    print(f"| engine | step, ms | slope | starts with {asked.cycles} jumps | m/s at the end | jumps of the others |")
    print("| --- | --- | --- | --- | --- | --- |")
    for engine in ("ode", "mujoco"):
        for step in (0.002, 0.001):
            for slope in (0.0, 3.0):
                found = runs_of(tracking, asked, slope=slope, engine=engine, step=step)
                held = [run for run in found if run.cycles == asked.cycles]
                ends = [f"{float(np.mean(run.rates[-10:])):.2f}" for run in held]
                others = [str(run.cycles) for run in found if run.cycles < asked.cycles]
                print(
                    f"| {engine} | {1000 * step:g} | {slope:+g}° | {len(held)} of {len(found)} |"
                    f" {', '.join(sorted(set(ends))) or '-'} | {', '.join(others) or '-'} |",
                    flush=True,
                )


def show_basin(asked: argparse.Namespace) -> None:
    """Print the rates, slopes and perturbations from which the policies continue."""
    asked.cycles, asked.starts = asked.cycles or 15, asked.starts or 3
    project = Project(PROJECT)
    own = project.read_controller("tracking", asked.file)
    assert isinstance(own, Tracking)
    motion = read_tracking(asked.file, project.character, policies=False)
    policies = {"its policy": own} | {f"{at:g} m": with_constant_policy(motion, at) for at in CONSTANTS}
    print(f"Starts of {asked.starts} with {asked.cycles} jumps on {asked.engine}, seed {asked.seed}.\n")
    print(f"| slope | m/s at the start | {' | '.join(policies)} |\n| --- | --- |{' --- |' * len(policies)}")
    for slope in SLOPES:
        for rate in RATES:
            held = [counted(each, asked, slope=slope, rate=rate, noise=0.5) for each in policies.values()]
            print(f"| {slope:+g}° | {rate:g} | {' | '.join(held)} |", flush=True)
    print(f"\n| slope | noise | {' | '.join(policies)} |\n| --- | --- |{' --- |' * len(policies)}")
    for slope in (0.0, 3.0):
        for noise in NOISE_FACTORS:
            held = [counted(each, asked, slope=slope, rate=asked.rate, noise=noise) for each in policies.values()]
            print(f"| {slope:+g}° | {noise:g} | {' | '.join(held)} |", flush=True)
    print(f"\n| slope | fixed point, m/s, and slope of the map | {' | '.join(policies)} |")
    print(f"| --- | --- |{' --- |' * len(policies)}")
    for slope in SLOPES:
        ground = parse(f"slope={slope:g}") if slope else None
        rates = np.linspace(0.7, 1.5, 13).tolist()
        maps = [return_map(each, rates, terrain=ground, engine=asked.engine) for each in policies.values()]
        cells = ["; ".join(f"{at:.2f}, {rise:.2f}" for at, rise in each.fixed_points()) or "none" for each in maps]
        print(f"| {slope:+g}° | | {' | '.join(cells)} |", flush=True)


def counted(tracking: Tracking, asked: argparse.Namespace, *, slope: float, rate: float, noise: float) -> str:
    """Return the number of starts that continue, as a cell."""
    found = runs_of(tracking, asked, slope=slope, rate=rate, noise=noise)
    return str(sum(run.cycles == asked.cycles for run in found))


def show_motion(asked: argparse.Namespace) -> None:
    """Search the coefficients."""
    project = Project(PROJECT)
    tracking = with_constant_policy(read_tracking(asked.file, project.character, policies=False), 0.025)
    written = read_tracking(asked.file, project.character, policies=False)
    rows = {p.id for p in tracking.parameters if p.id.count("/") == 3 and "theta" not in p.id}
    space = search_space(written, project.character, chosen=lambda p: p.id in rows)
    rng = np.random.default_rng(asked.seed)
    x0 = asked.spread * rng.standard_normal(len(space))
    level, uphill = (Simulation(project.character, ground, keep_trace=False) for ground in (None, parse("slope=3")))

    def cost(x: np.ndarray) -> float:
        candidate = changed(tracking, space.values(x).get("", {}))
        return motion_cost(candidate, asked.rate, level, uphill)

    search = make_optimizer("cma", x0, sigma=0.3, bounds=space.bounds, seed=asked.seed)
    print(f"{len(space)} numbers, thrown off by {asked.spread:g}: {cost(x0):.2f}; as shipped {cost(0.0 * x0):.2f}")
    while search.evaluations < asked.candidates and search.stop is None:
        candidates = search.ask()
        search.tell([cost(x) for x in candidates])
        print(f"{search.evaluations} candidates: {search.best_cost:.2f}", flush=True)
    [text] = rewritten(space, search.best_x).values()
    asked.output.write_text(text)
    print(f"written: {asked.output}; its policy is still to be found: ctrlgraph experiment phase-policy {asked.output}")


def motion_cost(tracking: Tracking, rate: float, level: Simulation, uphill: Simulation) -> float:
    """Return the cost of a motion: missing jumps and changes of the rate, with a fixed centre of pressure."""
    lacking = 0.0
    try:
        surface = Surface(tracking)
    except (CtrlGraphError, SimulationError):
        return 100.0
    for beside, simulation in [*((each, level) for each in NEW), (0.0, uphill)]:
        try:
            run = run_cycles(tracking, rate + beside, 3, surface=surface, simulation=simulation)
        except (CtrlGraphError, SimulationError):
            lacking += 6.0
            continue
        lacking += 2.0 * (3 - run.cycles) + 4.0 * abs(run.rates[-1] - rate) + 0.3 * abs(run.seconds / 3 - 0.66)
    return lacking


if __name__ == "__main__":
    main()
