"""The limits of every shipped motion as they stand, as one table.

    python benchmarks/limits.py [--jobs N] [--seed S]

Slope, start-state noise, friction and body mass for every node, and the largest push on the upper torso
for 0.1 s at each of 20 phases, forward and backward, all by bisection. Nothing is drawn at random except
the noise, for which a value holds if 9 of 10 trials do. What holds is what `ctrlgraph robustness` means
by it: the node's own conditions, and the nearest static pose after it.
"""

from __future__ import annotations

import argparse
import sys
import time

from ctrlgraph.project import Project
from ctrlgraph.robustness.crew import Crew, hired
from ctrlgraph.robustness.limit import LimitResult, find_limits
from ctrlgraph.robustness.perturbation import Perturbations
from ctrlgraph.robustness.scenario import Limit, Scenario
from ctrlgraph.robustness.sweep import new_sweeps, run_sweeps
from ctrlgraph.robustness.table import SweepStore

PHASES = [round(0.05 * i, 2) for i in range(20)]


class Bench:
    """One project, store and crew for all searches; counts the trials."""

    def __init__(self, project: Project, store: SweepStore, crew: Crew, seed: int) -> None:
        self.project, self.store, self.crew, self.seed = project, store, crew, seed
        self.targets = tuple(project.graph.nodes)
        self.trials = 0

    def _sweeps(self, scenario: Scenario) -> list:
        sweeps = new_sweeps(self.project, scenario, seed=self.seed, command="python benchmarks/limits.py")
        for sweep in sweeps:
            self.store.begin(sweep)
        return sweeps

    def limits(self, axis: str, step: float, trials: int = 1, **fixed: float) -> dict[tuple[str, int], LimitResult]:
        """The limit of each node in both directions."""
        scenario = Scenario(
            targets=self.targets,
            limit=Limit(axis, step),
            fixed=Perturbations().with_values(fixed.items()),
            trials=trials,
        )
        sweeps = self._sweeps(scenario)
        results = find_limits(self.project, self.store, sweeps, self.crew)
        self.trials += sum(len(self.store.trials(sweep.id)) for sweep in sweeps)
        return {(result.target, result.direction): result for result in results}

    def points(self, axis: str, values: tuple[float, ...]) -> dict[str, list[bool]]:
        """Whether each node holds at each value."""
        scenario = Scenario(targets=self.targets, axes=((axis, values),), trials=1)
        results = run_sweeps(self.project, self.store, self._sweeps(scenario), self.crew)
        self.trials += sum(len(result.trials) for result in results)
        held = {}
        for result in results:
            by_value = {dict(trial.point)[axis]: trial.followed for trial in result.trials}
            held[result.sweep.target] = [by_value[value] for value in values]
        return held


def shown(limits: dict[tuple[str, int], LimitResult], node: str) -> str:
    """`-3 to 5`: the largest perturbations that hold."""
    ends = [limits.get((node, direction)) for direction in (-1, 1)]
    known = [end for end in ends if end is not None]
    if any(end.holds is None for end in known):
        return "none"
    return " to ".join(f"{end.holds:g}" for end in known)


def pushes(bench: Bench) -> dict[str, dict[int, list[float | None]]]:
    """The largest push that holds at each phase, by node and direction."""
    found: dict[str, dict[int, list[float | None]]] = {node: {1: [], -1: []} for node in bench.targets}
    for phase in PHASES:
        began = time.perf_counter()
        for (node, direction), result in bench.limits("push", 50.0, phase=phase).items():
            found[node][direction].append(result.holds)
        print(f"phase {phase:g}: {time.perf_counter() - began:.0f} s", file=sys.stderr)
    return found


def print_table(bench: Bench, with_pushes: bool) -> None:
    slopes, noise = bench.limits("slope", 0.5), bench.limits("noise", 0.02, trials=10)
    friction, mass = bench.points("friction", (0.5, 2.0)), bench.points("mass", (0.8, 1.2))
    pushed = pushes(bench) if with_pushes else {}
    print("| node | slope, deg | noise | friction x0.5, x2 | mass x0.8, x1.2 | push forward, N | push backward, N |")
    print("| --- | --- | --- | --- | --- | --- | --- |")
    marks = {True: "yes", False: "no"}
    for node in bench.targets:
        columns = [shown(slopes, node), shown(noise, node)]
        columns += [", ".join(marks[held] for held in table[node]) for table in (friction, mass)]
        for direction in (1, -1):
            sizes = sorted(abs(size or 0.0) for size in pushed.get(node, {}).get(direction, []))
            middle = sizes[len(sizes) // 2] if sizes else 0.0
            columns.append(f"{sizes[0]:g} ({middle:g}, {sizes[-1]:g})" if sizes else "")
        print(f"| {node} | " + " | ".join(columns) + " |")
    for node, directions in pushed.items():
        for direction, sizes_at in directions.items():
            way = "forward" if direction > 0 else "backward"
            print(f"{node}, {way}, at phases 0 to 0.95: {', '.join(f'{size or 0:g}' for size in sizes_at)}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--seed", type=int, default=9100)
    parser.add_argument("--no-pushes", action="store_true", help="leave out the longest part")
    options = parser.parse_args()
    project = Project.find()
    began = time.perf_counter()
    with SweepStore.open(project.runs_directory) as store, hired(options.jobs) as crew:
        bench = Bench(project, store, crew, options.seed)
        print_table(bench, not options.no_pushes)
        print(f"{bench.trials} trials in {time.perf_counter() - began:.0f} s", file=sys.stderr)


if __name__ == "__main__":
    main()
