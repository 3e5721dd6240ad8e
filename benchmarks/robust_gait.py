"""Search a gait of the five-link biped that withstands pushes.

    python benchmarks/robust_gait.py FILE.yaml [--from robust.yaml] [--minutes 30] [--sigma 0.15] [--seed 126400]

CMA-ES varies the gait (stride, position of the hip at the end of a step, trunk angle, slopes of the curves there,
middle of the curves; consistency with the impact determines the rest), `eps`, `k_s`, the assumed friction and two times
of the switch. A candidate walks for four seconds and is pushed on the trunk for 0.1 s: forward at eight phases with
increasing force until it fails, backward at three. The cost is the weakest phase, then the mean, then the outcome of
pushes backward. ODE at 2 ms; only the search is random. The best gait is written to FILE.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path
from typing import Any

import numpy as np
import yaml

from benchmarks.gait_pushes import Aftermath, pushed, steady_gait
from benchmarks.gait_search import DESIGN_PLACES, GaitProblem, GaitWish, periodic, tracked_gait
from ctrlgraph.control.tracking.steps import Stepper
from ctrlgraph.control.tracking.tracking import Tracking
from ctrlgraph.control.tracking.tracking_file import parse_tracking
from ctrlgraph.errors import CtrlGraphError, SimulationError
from ctrlgraph.learning.cmaes import make_optimizer
from ctrlgraph.project.project import Project
from ctrlgraph.simulation.simulation import Simulation

PROJECT = Path(__file__).resolve().parents[1] / "projects" / "five-link"
FORWARD, PHASES = (340.0, 380.0, 400.0, 420.0, 440.0, 460.0), (0.0, 0.05, 0.1, 0.15, 0.2, 0.3, 0.4, 0.45)
BACKWARD, BACK_PHASES = (-100.0, -200.0, -300.0, -500.0), (0.05, 0.25, 0.4)
WORTH = {Aftermath.WALKING: 15, Aftermath.STEPPING: 10, Aftermath.ROCKING: 5, Aftermath.FALLEN: -25}
RATES, SPEEDS = (1.35, 1.6, 1.1), (0.45, 1.2)
ROWS = ("rHip", "rKnee", "lHip", "lKnee")
SPREAD = np.array([0.04, 0.03, 0.01, 0.03, *[0.3] * 4, *[0.1] * 12, 0.3, 0.3, 0.1, 0.01, 0.03])
"""Prior scales: stride, hip ahead and height, m; trunk, rad; slopes, middle, log eps, log k_s, friction, times, s."""
NO_GAIT = -500.0
"""Value of parameters that give no gait; such a gait is never written."""
SPEED = 0.75  # m/s, a placeholder: the controller does not use it


def main() -> None:
    """Search, and write the best gait."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=Path)
    parser.add_argument("--from", dest="begin", default="walk.yaml", help="a file of the project's tracking/")
    parser.add_argument("--minutes", type=float, default=30.0)
    parser.add_argument("--sigma", type=float, default=0.15)
    parser.add_argument("--seed", type=int, default=126400)
    given = parser.parse_args()
    project = Project(PROJECT)
    walk = project.read_controller("tracking", PROJECT / "tracking" / given.begin)
    assert isinstance(walk, Tracking)
    stepper = Stepper(project.character, DESIGN_PLACES)
    start, best, ends = numbers(stepper, walk), NO_GAIT, time.monotonic() + 60 * given.minutes
    optimizer = make_optimizer("cma", np.zeros(start.size), given.sigma, seed=given.seed, max_evaluations=100_000)
    with Simulation(project.character, keep_trace=False) as simulation:
        print(f"{given.begin}: {score(simulation, walk):.0f}")
        while optimizer.stop is None and time.monotonic() < ends:
            points, found = optimizer.ask(), []
            for point in points:
                value = NO_GAIT
                try:
                    text = yaml.safe_dump(entry(stepper, start + SPREAD * point), sort_keys=False)
                    value = score(simulation, parse_tracking(text, project.character, "candidate.yaml"))
                except CtrlGraphError:
                    pass  # no initial pose, or no impact
                found.append(value)
                if value > best:
                    best = value
                    given.file.write_text(text)
            optimizer.tell(points, [-value for value in found])
            print(f"{max(found):.0f}, median {np.median(found):.0f}, best {best:.0f}", flush=True)


def numbers(stepper: Stepper, walk: Tracking) -> np.ndarray:
    """Return the vector of a file."""
    gait, entry_of = tracked_gait(walk), walk.resolved()
    stride = float(stepper.follow(periodic(stepper, gait.end, gait.middle)).swing[-1, 0, 0])
    body = GaitProblem(stepper, GaitWish(stride, SPEED)).vector(gait)[:19]
    gains, switch = entry_of.gains, entry_of.switch
    return np.array(
        [stride, *body, np.log(gains.eps), np.log(gains.k_s), entry_of.ground.friction, switch.impact, switch.after]
    )


def entry(stepper: Stepper, x: np.ndarray) -> dict[str, Any]:
    """Return the tracking file of a vector."""
    gait = GaitProblem(stepper, GaitWish(float(x[0]), SPEED)).gait(np.array([*x[1:20], 0.0]))
    steps = periodic(stepper, gait.end, gait.middle)
    track = dict(zip(ROWS, steps.coefficients.tolist(), strict=True))
    stage = {"name": "single", "theta": list(map(float, steps.theta)), "contacts": {"rShin": "point"}, "track": track}
    return {
        "phase": {"angle": {"from": "rShin", "to": "rHip"}},
        "swaps": True,
        "degree": steps.degree,
        "gains": {"eps": float(np.exp(x[20])), "k_s": float(np.exp(x[21]))},
        "ground": {"friction": float(np.clip(x[22], 0.3, 1.0))},
        "switch": {"impact": float(np.clip(x[23], 0.0, 0.06)), "after": float(np.clip(x[24], 0.02, 0.2))},
        "stages": [stage | {"ends": {"contact": "lShin"}}],
    }


def score(simulation: Simulation, walk: Tracking) -> float:
    """Return the value of a gait, N; higher is better."""
    gait = None
    for rate in RATES:
        try:
            gait = steady_gait(simulation, walk, rate, 4.0)
            break
        except SimulationError:
            continue
    if gait is None:
        return -100.0
    if not SPEEDS[0] < gait.speed < SPEEDS[1]:
        return -50.0 - 100.0 * abs(gait.speed - SPEED)
    limits = []
    for phase in PHASES:
        held = 300.0
        for force in FORWARD:
            if pushed(simulation, walk, gait, force, phase, seconds=2.6) is not Aftermath.WALKING:
                break
            held = force
        limits.append(held)
    back = sum(
        WORTH[pushed(simulation, walk, gait, force, phase, seconds=3.6)] for phase in BACK_PHASES for force in BACKWARD
    )
    return float(min(limits) + 0.3 * np.mean(limits) + 0.6 * back)


if __name__ == "__main__":
    main()
