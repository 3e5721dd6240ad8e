"""Write docs/results/footsteps.md: plans of the four robots by each solver on held-out command sequences.

    python benchmarks/footsteps.py [--seeds N] [--seconds S] [-o FILE]

The seeds of the sequences begin at `FIRST_SEED`; the settings were chosen with seeds below 100. The table
of quadratic programs also needs the packages osqp and clarabel; without them it is left out.
"""

from __future__ import annotations

import argparse
import importlib.util
import math
import multiprocessing
import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.result_header import ROOT, header
from ctrlgraph.footsteps.baselines import SOLVERS, QuadraticPlanner, QuadraticProblem
from ctrlgraph.footsteps.commands import random_commands
from ctrlgraph.footsteps.planner import FootstepPlanner
from ctrlgraph.footsteps.posing import pose_motion
from ctrlgraph.footsteps.robots import ROBOTS, LeggedRobot
from ctrlgraph.footsteps.survey import PlanSurvey, hull_distance, survey
from ctrlgraph.kernels.footsteps.footstep_arrays import FIXED, FREE

PAGE = ROOT / "docs/results/footsteps.md"
FIRST_SEED = 2000
FRAME_MS = 1000.0 / 60.0
PUSH_MPS = 0.4
LOST_M, LOST_S = 0.01, 0.1
"""A push counts as lost if the centre of pressure is farther outside the hull, m, for longer, s, in the next 3 s."""
CHANGED_M = 1e-4
"""Change of a step that counts as one, m or s."""
BUSY_PROCESSES = 4
"""Number of processes that compute without pause while updates under load are timed."""
BUSY_SEEDS = 10
"""Number of sequences that are timed under load."""


def all_surveys(robot: LeggedRobot, solver: str, seeds: range, seconds: float) -> list[PlanSurvey]:
    """Return the measures of each seed's sequence."""
    found = []
    for seed in seeds:
        planner = SOLVERS[solver](robot)
        found.append(survey(planner, random_commands(robot, seed, seconds, planner.settings.tick_s))[0])
    print(f"{robot.name} {solver}", file=sys.stderr, flush=True)
    return found


def plan_row(robot: LeggedRobot, solver: str, found: list[PlanSurvey]) -> str:
    """Return a row of the table of plans."""

    def most(name: str) -> float:
        return max(getattr(each, name) for each in found)

    inside = np.array([each.inside_hull for each in found])
    return (
        f"| {robot.name} | {solver} | {inside.mean():.4f} | {inside.min():.3f} | {1000 * most('outside_m'):.0f} "
        f"| {100 * most('reach'):.0f} % | {most('swing_mps'):.2f} | {most('slide_mm'):.2f} "
        f"| {sum(each.distance_m for each in found) / len(found):.1f} |\n"
    )


def reversal_commands(robot: LeggedRobot, seed: int, tick: float) -> NDArray[np.float64]:
    """Return commands with a half circle at twice the usual turning velocity, and then a reversed velocity."""
    rng = np.random.default_rng(seed)
    speed, side = rng.uniform(0.6, 1.0) * robot.speed_mps, rng.choice([-1.0, 1.0])
    straight, half = rng.uniform(1.5, 3.0), math.pi / robot.turning_radps
    parts = [
        ((speed, 0.0, 0.0), straight),
        ((speed, 0.0, 2.0 * side * robot.turning_radps), half),
        ((speed, 0.0, -2.0 * side * robot.turning_radps), half),
        ((speed, 0.0, 0.0), straight),
        ((-speed, 0.0, 0.0), 3.0),
    ]
    return np.concatenate([np.tile(command, (round(seconds / tick), 1)) for command, seconds in parts])


def legs_row(robot: LeggedRobot, seeds: range, seconds: float) -> str:
    """Return a row of the table of legs: the longest in random commands and in reversals, and errors of the feet."""
    reach, error = np.zeros(2), np.zeros(2)
    for seed in seeds:
        planner = FootstepPlanner(robot)
        tick = planner.settings.tick_s
        for k, commands in enumerate(
            (random_commands(robot, seed, seconds, tick), reversal_commands(robot, seed, tick))
        ):
            posed = pose_motion(robot, survey(FootstepPlanner(robot), commands)[1])
            reach[k], error[k] = max(reach[k], posed.reaches.max()), max(error[k], posed.errors.max())
    print(f"{robot.name} legs", file=sys.stderr, flush=True)
    return (
        f"| {robot.name} | {100 * reach[0]:.1f} % | {100 * reach[1]:.1f} % | {1000 * error[0]:.2f} "
        f"| {1000 * error[1]:.2f} |\n"
    )


def compute_forever() -> None:
    """Compute without pause."""
    while True:
        math.sqrt(2.0)


@contextmanager
def busy_processes() -> Iterator[None]:
    """Run `BUSY_PROCESSES` processes that compute without pause."""
    processes = [multiprocessing.Process(target=compute_forever, daemon=True) for _ in range(BUSY_PROCESSES)]
    for each in processes:
        each.start()
    try:
        yield
    finally:
        for each in processes:
            each.terminate()
            each.join()


def time_row(robot: LeggedRobot, solver: str, found: list[PlanSurvey]) -> str:
    """Return a row of the table of CPU times."""
    p50 = np.median([each.update_p50_ms for each in found])
    p99 = np.array([each.update_p99_ms for each in found])
    most = max(each.update_most_ms for each in found)
    missed = sum(each.update_most_ms > FRAME_MS for each in found)
    return (
        f"| {robot.name} | {solver} | {p50:.2f} | {np.median(p99):.2f} | {p99.min():.2f} | {most:.1f} "
        f"| {100 * np.median(p99) / FRAME_MS:.1f} % | {missed} |\n"
    )


def steps_of(planner: FootstepPlanner) -> NDArray[np.float64]:
    """Return places and times of the planned steps that are not fixed."""
    free = planner.state.status != FIXED
    times = (planner.state.middle + planner.state.offset[:, :, 3])[free]
    return np.column_stack([planner.work.pose[free], times])


def walking(robot: LeggedRobot, solver: str, seconds: float, speed: float) -> FootstepPlanner:
    """Return a planner after some seconds of walking."""
    planner = SOLVERS[solver](robot)
    for _ in range(round(seconds / planner.settings.tick_s)):
        planner.update((speed, 0.0, 0.0))
    return planner


def updates_until_changed(
    robot: LeggedRobot, solver: str, seconds: float, speed: float, change: Callable[[FootstepPlanner], float]
) -> int:
    """Return the number of updates after a change until a step differs from the plan without the change.

    Args:
        robot: Robot.
        solver: Name of the solver.
        seconds: Time of the change, s.
        speed: Speed before the change, m/s.
        change: Changes a planner, and returns the speed after the change, m/s.
    """
    one, other = walking(robot, solver, seconds, speed), walking(robot, solver, seconds, speed)
    commanded = change(one)
    for i in range(1, 100):
        one.update((commanded, 0.0, 0.0))
        other.update((speed, 0.0, 0.0))
        mine, theirs = steps_of(one), steps_of(other)
        if mine.shape != theirs.shape or np.abs(mine - theirs).max() > CHANGED_M:
            return i
    return 100


def vanish(planner: FootstepPlanner) -> float:
    """Make the place of the next free step unsafe."""
    state = planner.state
    free = np.where(state.status == FREE, state.middle, math.inf)
    foot, step = np.unravel_index(np.argmin(free), free.shape)
    x, y = planner.work.pose[foot, step, :2]
    planner.unsafe = np.array([[x + 0.01, y, 0.08, 5.0]])
    return 0.6 * planner.robot.speed_mps


def reaction_row(robot: LeggedRobot, solver: str, trials: int) -> str:
    """Return a row of the table of reactions: largest number of updates until a step changes, and lost pushes."""
    rng, speed = np.random.default_rng(FIRST_SEED), 0.6 * robot.speed_mps
    times = rng.uniform(2.0, 4.0, trials)
    angles = rng.uniform(0.0, 2.0 * math.pi, trials)

    def pushed(angle: float) -> Callable[[FootstepPlanner], float]:
        def push(planner: FootstepPlanner) -> float:
            planner.push((PUSH_MPS * math.cos(angle), PUSH_MPS * math.sin(angle)))
            return speed

        return push

    few = slice(0, min(20, trials))
    reversal = max(updates_until_changed(robot, solver, t, speed, lambda _: -speed) for t in times[few])
    hole = max(updates_until_changed(robot, solver, t, speed, vanish) for t in times[few]) if solver == "descent" else 0
    push = max(
        updates_until_changed(robot, solver, t, speed, pushed(a)) for t, a in zip(times[few], angles[few], strict=True)
    )
    lost = left = 0
    for t, a in zip(times, angles, strict=True):
        planner = walking(robot, solver, t, speed)
        pushed(a)(planner)
        outside = []
        for _ in range(round(3.0 / planner.settings.tick_s)):
            planner.update((speed, 0.0, 0.0))
            outside.append(hull_distance(planner))
        lost += sum(each > LOST_M for each in outside) * planner.settings.tick_s > LOST_S
        left += max(outside) > LOST_M
    print(f"{robot.name} {solver} pushes", file=sys.stderr, flush=True)
    hole_text = str(hole) if hole else "-"
    return f"| {robot.name} | {solver} | {reversal} | {hole_text} | {push} | {left} | {lost} of {trials} |\n"


def fast_row(robot: LeggedRobot, solver: str) -> str:
    """Return a row of the table of commands at twice the feasible speed."""
    planner = SOLVERS[solver](robot)
    planner.update((100.0, 0.0, 0.0))
    feasible = float(planner.target[0])
    commands = np.tile((2.0 * feasible, 0.0, 0.0), (round(20.0 / planner.settings.tick_s), 1))
    found, motion = survey(SOLVERS[solver](robot), commands)
    speed = np.linalg.norm(motion.mass[-1] - motion.mass[-501]) / 10.0
    return (
        f"| {robot.name} | {solver} | {2 * feasible:.2f} | {speed:.2f} | {found.inside_hull:.4f} "
        f"| {100 * found.reach:.0f} % | {found.swing_mps:.2f} |\n"
    )


def solver_times(problems: list[QuadraticProblem]) -> dict[str, tuple[float, float]]:
    """Return median and 99th percentile of the CPU time of each solver, ms: its set-up and its solution.

    Where a solver has no soft constraints, each row gets a variable for its violation.
    """
    import clarabel
    import daqp
    import osqp
    import scipy.sparse as sp

    def widened(p: QuadraticProblem) -> tuple[Any, NDArray[np.float64], Any, NDArray[np.float64], NDArray[np.float64]]:
        n, m = len(p.diagonal), len(p.limits)
        hessian = sp.diags(np.concatenate([p.diagonal, np.full(m, 1e3)]), format="csc")
        rows = sp.bmat([[sp.eye(n), None], [sp.csc_matrix(p.rows), -sp.eye(m)]], format="csc")
        low = np.concatenate([p.lower, np.full(m, -1e30)])
        return hessian, np.concatenate([p.linear, np.zeros(m)]), rows, low, np.concatenate([p.upper, p.limits])

    def by_daqp(p: QuadraticProblem) -> Callable[[], object]:
        n, m = len(p.diagonal), len(p.limits)
        sense = np.zeros(n + m, dtype=np.int32)
        sense[n:] = 8
        hessian, upper = np.diag(p.diagonal), np.concatenate([p.upper, p.limits])
        lower = np.concatenate([p.lower, np.full(m, -1e30)])
        return lambda: daqp.solve(hessian, p.linear, p.rows, upper, lower, sense)

    def by_osqp(p: QuadraticProblem) -> Callable[[], object]:
        hessian, linear, rows, low, high = widened(p)

        def run() -> object:
            solver = osqp.OSQP()
            solver.setup(hessian, linear, rows, low, high, verbose=False, eps_abs=1e-4, eps_rel=1e-4)
            return solver.solve()

        return run

    def by_clarabel(p: QuadraticProblem) -> Callable[[], object]:
        hessian, linear, rows, low, high = widened(p)
        above, below = high < 1e29, low > -1e29
        stacked = sp.vstack([rows[above], -rows[below]], format="csc")
        bounds = np.concatenate([high[above], -low[below]])
        options = clarabel.DefaultSettings()
        options.verbose = False
        cones = [clarabel.NonnegativeConeT(len(bounds))]
        return lambda: clarabel.DefaultSolver(hessian, linear, stacked, bounds, cones, options).solve()

    found = {}
    for name, made in {"daqp": by_daqp, "osqp": by_osqp, "clarabel": by_clarabel}.items():
        times = []
        for problem in problems:
            run = made(problem)
            least = math.inf
            for _ in range(3):
                began = time.thread_time_ns()
                run()
                least = min(least, (time.thread_time_ns() - began) * 1e-6)
            times.append(least)
        found[name] = (float(np.percentile(times, 50)), float(np.percentile(times, 99)))
    return found


def solver_table() -> str:
    """Return the table of solvers of quadratic programs; empty if one is not installed."""
    if any(importlib.util.find_spec(name) is None for name in ("osqp", "clarabel")):
        return ""
    lines = "| robot | solver | p50 ms | p99 ms |\n| --- | --- | --- | --- |\n"
    for robot in ROBOTS.values():
        planner = QuadraticPlanner(robot)
        problems = []
        for i, command in enumerate(random_commands(robot, FIRST_SEED, 20.0, planner.settings.tick_s)):
            planner.update((float(command[0]), float(command[1]), float(command[2])))
            if i % 10 == 5 and not planner.is_standing:
                problem = planner.problem()
                problems.append(
                    QuadraticProblem(
                        problem.diagonal,
                        problem.linear,
                        problem.lower,
                        problem.upper,
                        problem.rows.copy(),
                        problem.limits.copy(),
                    )
                )
        for name, (p50, p99) in solver_times(problems).items():
            lines += f"| {robot.name} | {name} | {p50:.2f} | {p99:.2f} |\n"
        print(f"{robot.name} solvers", file=sys.stderr, flush=True)
    return (
        "## Solvers of the quadratic program\n\nCPU time of set-up and solution of the same problems, the least of "
        f"three, one problem every 0.2 s of seed {FIRST_SEED}.\n\n{lines}\n"
    )


def page(seeds: range, seconds: float, pushes: int) -> str:
    """Measure everything, and return the page."""
    plans = times = busy_times = reactions = fast = legs = ""
    load = os.getloadavg()[1]
    for robot in ROBOTS.values():
        for solver in SOLVERS:
            found = all_surveys(robot, solver, seeds, seconds)
            plans += plan_row(robot, solver, found)
            times += time_row(robot, solver, found)
    with busy_processes():
        for robot in ROBOTS.values():
            for solver in SOLVERS:
                busy_times += time_row(robot, solver, all_surveys(robot, solver, seeds[:BUSY_SEEDS], seconds))
    for robot in ROBOTS.values():
        legs += legs_row(robot, seeds, seconds)
        for solver in ("descent", "qp"):
            reactions += reaction_row(robot, solver, pushes)
            fast += fast_row(robot, solver)
    columns = (
        "| robot | solver | p50 ms | p99 ms | least p99 ms | longest ms | frame | missed |\n"
        "| --- | --- | --- | --- | --- | --- | --- | --- |\n"
    )
    return (
        "# Footstep plans\n\nPlans of four robots by `ctrlgraph footsteps` ([reference](../reference/footsteps.md)). "
        "They are kinematic: nothing is simulated by an engine.\n\n"
        + header("none", f"{seeds.start} to {seeds.stop - 1}, {seconds:g} s each")
        + "\n## Plans\n\nInside: fraction of ticks with the centre of pressure in the true hull of the feet on the "
        "ground, mean and least of all sequences. The other columns are the largest of all sequences, except the "
        "distance, their mean. Outside: distance of the centre of pressure from the hull. Reach: of feet on the "
        "ground, as a fraction of the longest.\n\n"
        "| robot | solver | inside | least | outside mm | reach | swing m/s | slide mm | distance m |\n"
        f"| --- | --- | --- | --- | --- | --- | --- | --- | --- |\n{plans}\n"
        "## Legs\n\nLargest distance of hip and ankle, as a fraction of the leg, and largest distance of a contact "
        "point from its planned place, of bodies that follow the plans of `descent`. Reversals: half a circle to each "
        "side at twice the usual turning velocity, then a reversed velocity; one for each seed.\n\n"
        "| robot | leg | leg in reversals | feet mm | feet in reversals mm |\n| --- | --- | --- | --- | --- |\n"
        f"{legs}\n"
        "## Time of an update\n\nCPU time. p50 and p99 are medians over the sequences. Least p99: that of the fastest "
        "sequence. Frame: p99 as a fraction of a frame at 60 Hz. Missed: sequences with an update longer than a frame."
        f"\n\nOn {os.cpu_count()} cores, at a load of {load:.1f} from other processes:\n\n{columns}{times}\n"
        f"The first {BUSY_SEEDS} sequences, beside {BUSY_PROCESSES} processes that compute without pause:\n\n"
        f"{columns}{busy_times}\n"
        + solver_table()
        + "## Reactions\n\nLargest number of updates until a planned step changes, of 20 changes at random times: the "
        "command is reversed, the place of the next step becomes unsafe, a push changes the velocity by "
        f"{PUSH_MPS:g} m/s in a random direction. The quadratic program does not read unsafe places. A push is lost if "
        f"the centre of pressure is more than {1000 * LOST_M:g} mm outside the hull for more than {LOST_S:g} s of the "
        "next 3 s; it left the hull if it is that far outside at any time.\n\n"
        "| robot | solver | reversal | unsafe place | push | left the hull | lost |\n"
        "| --- | --- | --- | --- | --- | --- | --- |\n"
        f"{reactions}\n"
        "## Twice the feasible speed\n\nCommands forward at twice the speed that the steps can follow, for 20 s; speed "
        "is that of the last 10 s.\n\n"
        "| robot | solver | command m/s | speed m/s | inside | reach | swing m/s |\n"
        f"| --- | --- | --- | --- | --- | --- | --- |\n{fast}"
    )


def main() -> None:
    """Write the page."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", type=int, default=100, help="command sequences of each robot and solver")
    parser.add_argument("--seconds", type=float, default=20.0, help="duration of a sequence, s")
    parser.add_argument("--pushes", type=int, default=100, help="pushes of each robot and solver")
    parser.add_argument("-o", "--output", type=Path, default=PAGE)
    options = parser.parse_args()
    text = page(range(FIRST_SEED, FIRST_SEED + options.seeds), options.seconds, options.pushes)
    options.output.write_text(text, encoding="utf-8")
    print(options.output)


if __name__ == "__main__":
    main()
