"""The limits of every shipped motion as they stand, as one table.

    python benchmarks/limits.py [NODE]... [--jobs N] [--seed S] [--no-pushes]

Slope, start-state noise, friction and body mass for every node, and the largest push on the upper torso
for 0.1 s at each of 20 phases, forward and backward. Limits are found by bisection and confirmed by eight
values below them (`ctrlgraph robustness --limit AXIS --confirm 8`). Nothing is drawn at random except the
noise, for which a value holds if 9 of 10 trials do. What holds is what `ctrlgraph robustness` means by it:
the node's own conditions, and the nearest static pose after it. A node whose shortest way leads through a stunt is
entered by an ordinary way (`lie_back->supine->sit_up`). A node's rows are printed when it is done:
its row of the table, then its pushes phase by phase, for a second table.
"""

from __future__ import annotations

import argparse
import sys
import time

from benchmarks.ordinary_ways import ordinary_target
from ctrlgraph.experiments.perturbation import Perturbations
from ctrlgraph.experiments.sweeps.limit import LimitResult, find_limits
from ctrlgraph.experiments.sweeps.scenario import Limit, Scenario
from ctrlgraph.experiments.sweeps.sweep import new_sweeps, run_sweeps
from ctrlgraph.experiments.sweeps.sweep_log import Sweep, SweepStore
from ctrlgraph.experiments.worker_pool import WorkerPool, open_pool
from ctrlgraph.project.project import Project

PHASES = [round(0.05 * i, 2) for i in range(20)]
CONFIRM = 8
HEAD = "| node | slope, deg | noise | friction x0.5, x2 | mass x0.8, x1.2 | push forward, N | push backward, N |"


class Bench:
    """One project, store and pool for all searches; counts the trials."""

    def __init__(self, project: Project, store: SweepStore, pool: WorkerPool, seed: int) -> None:
        self.project, self.store, self.pool, self.seed = project, store, pool, seed
        self.trials = 0

    def limits(self, target: str, axis: str, step: float, *, trials: int = 1) -> dict[int, LimitResult]:
        """The limit in each direction (1 and -1)."""
        asked = [Scenario(targets=(target,), limit=Limit(axis, step, CONFIRM), trials=trials)]
        return {result.direction: result for result in self._found(asked)}

    def pushes(self, target: str) -> dict[int, list[float]]:
        """The largest push that holds at each phase, N, forward and backward; 0 where none does."""
        asked = [
            Scenario(targets=(target,), limit=Limit("push", 50.0, CONFIRM), fixed=Perturbations(phase=phase))
            for phase in PHASES
        ]
        found: dict[int, list[float]] = {1: [], -1: []}
        for result in self._found(asked):
            found[result.direction].append(abs(result.holds or 0.0))
        return found

    def points(self, target: str, axis: str, values: tuple[float, ...]) -> list[bool]:
        """Return whether the target holds at each value."""
        sweeps = self._begun([Scenario(targets=(target,), axes=((axis, values),), trials=1)])
        (result,) = run_sweeps(self.project, self.store, sweeps, self.pool)
        self.trials += len(result.trials)
        by_value = {dict(trial.point)[axis]: trial.recovered for trial in result.trials}
        return [by_value[value] for value in values]

    def _found(self, asked: list[Scenario]) -> list[LimitResult]:
        sweeps = self._begun(asked)
        results = find_limits(self.project, self.store, sweeps, self.pool)
        self.trials += sum(len(self.store.trials(sweep.id)) for sweep in sweeps)
        return results

    def _begun(self, asked: list[Scenario]) -> list[Sweep]:
        command = "python benchmarks/limits.py"
        sweeps = [new_sweeps(self.project, question, seed=self.seed, command=command)[0] for question in asked]
        for sweep in sweeps:
            self.store.begin(sweep)
        return sweeps


def shown(limits: dict[int, LimitResult]) -> str:
    """`-3 to 5`: the largest perturbations that hold."""
    known = [limits[direction].holds for direction in (-1, 1) if direction in limits]
    return "none" if None in known else " to ".join(f"{value:g}" for value in known)


def spread(sizes: list[float]) -> str:
    """The smallest of some pushes, with the median and the largest in brackets."""
    ordered = sorted(sizes)
    return f"{ordered[0]:g} ({ordered[len(ordered) // 2]:g}, {ordered[-1]:g})"


def print_node(bench: Bench, node: str, with_pushes: bool) -> None:
    began, before = time.perf_counter(), bench.trials
    target = ordinary_target(bench.project.graph, node)
    marks = {True: "yes", False: "no"}
    columns = [shown(bench.limits(target, "slope", 0.5)), shown(bench.limits(target, "noise", 0.02, trials=10))]
    for axis, values in (("friction", (0.5, 2.0)), ("mass", (0.8, 1.2))):
        columns.append(", ".join(marks[held] for held in bench.points(target, axis, values)))
    pushed = bench.pushes(target) if with_pushes else {}
    columns += [spread(pushed[direction]) if pushed else "" for direction in (1, -1)]
    print(f"| {node} | " + " | ".join(columns) + " |")
    for direction, sizes in pushed.items():
        way = "forward" if direction > 0 else "backward"
        print(f"| {node}, {way} | " + " | ".join(f"{size:g}" for size in sizes) + " |", flush=True)
    print(f"{node}: {bench.trials - before} trials, {time.perf_counter() - began:.0f} s", file=sys.stderr, flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("nodes", nargs="*", metavar="NODE", help="all nodes without one")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--seed", type=int, default=9100)
    parser.add_argument("--no-pushes", action="store_true", help="leave out the longest part")
    options = parser.parse_args()
    project = Project.find()
    print(HEAD)
    with SweepStore.open(project.runs_directory) as store, open_pool(options.jobs) as pool:
        bench = Bench(project, store, pool, options.seed)
        for node in options.nodes or project.graph.nodes:
            print_node(bench, node, not options.no_pushes)


if __name__ == "__main__":
    main()
