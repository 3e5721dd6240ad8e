"""Measure the limits of the shipped motions and write them as a table.

    python benchmarks/limits.py [NODE]... [--axes AXIS,...] [--jobs N] [--seed S] [--page docs/results/limits.md]

For every node: slope, noise of the initial state, friction, factors of the body mass and of the torque limits, and the
push on the upper torso for 0.1 s, backward and forward, that the node takes at each of eight phases. Limits are found
by bisection and confirmed at four smaller values (`ctrlgraph robustness limit NODE AXIS --confirm 4`). Only noise is
random: a value succeeds if 9 of 10 trials do. A trial succeeds if the node's own conditions hold and the nearest
static pose is reached after it. A node whose shortest path leads through a stunt is entered by a usual path instead
(`lie_back->supine->sit_up`). The row of a node is printed, and written to the page, as soon as it is done.

`--page FILE` updates the table of a results page. A figure that differs from that of another version is followed by the
older one in brackets.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from benchmarks.result_header import header
from benchmarks.usual_targets import ordinary_target
from ctrlgraph.files import write_text
from ctrlgraph.project.project import Project
from ctrlgraph.robustness.perturbation import Perturbations
from ctrlgraph.robustness.sweeps.limit import LimitResult, find_limits
from ctrlgraph.robustness.sweeps.scenario import Limit, Scenario
from ctrlgraph.robustness.sweeps.sweep import new_sweeps
from ctrlgraph.robustness.sweeps.sweep_log import Sweep, SweepStore
from ctrlgraph.robustness.worker_pool import WorkerPool, open_pool

PHASES = [0.125 * i for i in range(8)]
CONFIRM = 4
STEPS = {"slope": 0.5, "noise": 0.02, "friction": 0.05, "mass": 0.02, "torque": 0.02}
FIGURES = {
    "slope": "slope, deg",
    "noise": "noise",
    "friction": "friction",
    "mass": "mass",
    "torque": "torque",
    "push": "push, N",
}
BEGIN, END = "<!-- written by benchmarks/limits.py -->", "<!-- up to here -->"


class Bench:
    """Project, store and worker pool of all searches; counts the trials."""

    def __init__(self, project: Project, store: SweepStore, pool: WorkerPool, seed: int) -> None:
        self.project, self.store, self.pool, self.seed = project, store, pool, seed
        self.trials = 0

    def limits(self, target: str, axis: str) -> str:
        """Return the smallest and the largest value with success, such as `-3 to 5`, or `none`."""
        trials = 10 if axis == "noise" else 1
        results = self._found([Scenario(targets=(target,), limit=Limit(axis, STEPS[axis], CONFIRM), trials=trials)])
        known = [result.succeeds for result in sorted(results, key=lambda result: result.direction)]
        return "none" if None in known else " to ".join(f"{value:g}" for value in known)

    def pushes(self, target: str) -> str:
        """Return the largest pushes, N, that succeed at all phases, backward and forward, such as `-250 to 300`."""
        results = self._found(
            [
                Scenario(targets=(target,), limit=Limit("push", 50.0, CONFIRM), fixed=Perturbations(phase=phase))
                for phase in PHASES
            ]
        )
        size = {way: min(abs(r.succeeds or 0.0) for r in results if r.direction == way) for way in (-1, 1)}
        return f"{0.0 - size[-1]:g} to {size[1]:g}"

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


def print_node(bench: Bench, node: str, axes: Sequence[str]) -> dict[str, str]:
    """Measure the limits of a node on some axes, print them as a row, and return them by axis."""
    began, before = time.perf_counter(), bench.trials
    target = ordinary_target(bench.project.graph, node)
    figures = {axis: bench.pushes(target) if axis == "push" else bench.limits(target, axis) for axis in axes}
    print(f"| {node} | " + " | ".join(figures.values()) + " |", flush=True)
    print(f"{node}: {bench.trials - before} trials, {time.perf_counter() - began:.0f} s", file=sys.stderr, flush=True)
    return figures


def updated(page: str, head: str, node: str, figures: dict[str, str]) -> str:
    """Return a results page with new figures of a node, each followed by that of another version if it differs.

    Args:
        page: The present text. Everything outside the marker lines is kept.
        head: The new header.
        node: Name of the node.
        figures: New figures of the node, by axis. The figures of other axes are kept.
    """
    before, rest = page.split(BEGIN)
    table, after = rest.split(END)
    rows: dict[str, list[str]] = {}
    for line in table.splitlines():
        name, *cells = [cell.strip() for cell in line.strip("|").split("|")]
        if line.startswith("| ") and len(cells) == len(FIGURES) and name not in ("node", "---"):
            rows[name] = cells
    cells = rows.get(node, [""] * len(FIGURES))
    rows[node] = [
        beside(figures[axis], cell) if axis in figures else cell for axis, cell in zip(FIGURES, cells, strict=True)
    ]
    lines = ["| node | " + " | ".join(FIGURES.values()) + " |", "|" + " --- |" * (1 + len(FIGURES))]
    lines += [f"| {name} | " + " | ".join(cells) + " |" for name, cells in rows.items()]
    return before + BEGIN + "\n\n" + head + "\n" + "\n".join(lines) + "\n\n" + END + after


def beside(now: str, cell: str) -> str:
    """Return the cell of a figure: the figure, and in brackets the one before it if they differ."""
    was, _, _ = cell.rstrip(")").partition(" (")
    if was == now:
        return cell
    return f"{now} ({was})" if was else now


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("nodes", nargs="*", metavar="NODE", help="all nodes without one")
    parser.add_argument("--axes", default=",".join(FIGURES), help="measure only these, such as mass,torque")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--seed", type=int, default=9100)
    parser.add_argument("--page", type=Path, help="results page whose table is updated")
    options = parser.parse_args()
    project = Project.find()
    head = header(project.engine, str(options.seed))
    with SweepStore.open(project.runs_directory) as store, open_pool(options.jobs) as pool:
        bench = Bench(project, store, pool, options.seed)
        for node in options.nodes or project.graph.nodes:
            figures = print_node(bench, node, options.axes.split(","))
            if options.page is not None:
                text = options.page.read_text(encoding="utf-8")
                write_text(options.page, updated(text, head, node, figures))


if __name__ == "__main__":
    main()
