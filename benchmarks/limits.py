"""Measure the limits of the shipped motions and write them as a table.

    python benchmarks/limits.py [NODE]... [--jobs N] [--seed S] [--no-pushes] [--page docs/results/limits.md]

Slope, noise of the initial state, friction and body mass for every node, and the largest push on the upper torso
for 0.1 s at each of 20 phases, forward and backward. Limits are found by bisection and confirmed at eight
smaller values (`ctrlgraph robustness limit NODE AXIS --confirm 8`). Only noise is random: a value succeeds if 9 of
10 trials do. A trial succeeds if the node's own conditions hold and the nearest static pose is reached after it. A
node whose shortest path leads through a stunt is entered by a usual path instead (`lie_back->supine->sit_up`). The
rows of a node are printed as soon as it is done: its row of the table, then its pushes by phase.

`--page FILE` updates the table of a results page. Figures of another version become the "before" columns.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

from benchmarks.result_header import header, version_of
from benchmarks.usual_targets import ordinary_target
from ctrlgraph.files import write_text
from ctrlgraph.project.project import Project
from ctrlgraph.robustness.perturbation import Perturbations
from ctrlgraph.robustness.sweeps.limit import LimitResult, find_limits
from ctrlgraph.robustness.sweeps.scenario import Limit, Scenario
from ctrlgraph.robustness.sweeps.sweep import new_sweeps, run_sweeps
from ctrlgraph.robustness.sweeps.sweep_log import Sweep, SweepStore
from ctrlgraph.robustness.worker_pool import WorkerPool, open_pool

PHASES = [round(0.05 * i, 2) for i in range(20)]
CONFIRM = 8
HEAD = "| node | slope, deg | noise | friction x0.5, x2 | mass x0.8, x1.2 | push forward, N | push backward, N |"


class Bench:
    """Project, store and worker pool of all searches; counts the trials."""

    def __init__(self, project: Project, store: SweepStore, pool: WorkerPool, seed: int) -> None:
        self.project, self.store, self.pool, self.seed = project, store, pool, seed
        self.trials = 0

    def limits(self, target: str, axis: str, step: float, *, trials: int = 1) -> dict[int, LimitResult]:
        """Limit in each direction (1 and -1)."""
        asked = [Scenario(targets=(target,), limit=Limit(axis, step, CONFIRM), trials=trials)]
        return {result.direction: result for result in self._found(asked)}

    def pushes(self, target: str) -> dict[int, list[float]]:
        """Largest push at each phase, N, forward and backward; 0 if none succeeds."""
        asked = [
            Scenario(targets=(target,), limit=Limit("push", 50.0, CONFIRM), fixed=Perturbations(phase=phase))
            for phase in PHASES
        ]
        found: dict[int, list[float]] = {1: [], -1: []}
        for result in self._found(asked):
            found[result.direction].append(abs(result.succeeds or 0.0))
        return found

    def points(self, target: str, axis: str, values: tuple[float, ...]) -> list[bool]:
        """Return whether the target succeeds at each value."""
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
    """Return the largest perturbations that succeed, such as `-3 to 5`."""
    known = [limits[direction].succeeds for direction in (-1, 1) if direction in limits]
    return "none" if None in known else " to ".join(f"{value:g}" for value in known)


def spread(sizes: list[float]) -> str:
    """Return the smallest of some pushes, with the median and the largest in brackets."""
    ordered = sorted(sizes)
    return f"{ordered[0]:g} ({ordered[len(ordered) // 2]:g}, {ordered[-1]:g})"


def print_node(bench: Bench, node: str, with_pushes: bool) -> list[str]:
    """Measure a node and print its rows.

    Returns:
        The cells of its row, without its name.
    """
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
    return columns


FIGURES = ("slope, deg", "noise", "friction x0.5, x2", "mass x0.8, x1.2")
BEGIN, END = "<!-- written by benchmarks/limits.py -->", "<!-- up to here -->"


def updated(page: str, head: str, measured: dict[str, list[str]]) -> str:
    """Return a results page with new figures and, beside them, those of the version before.

    Args:
        page: The present text. Everything outside the marker lines is kept.
        head: The new header.
        measured: The figures of each node, in the order of `FIGURES`.
    """
    before, rest = page.split(BEGIN)
    table, after = rest.split(END)
    same = version_of(table) == version_of(head)
    rows: dict[str, list[tuple[str, str]]] = {}
    for line in table.splitlines():
        node, *cells = [cell.strip() for cell in line.strip("|").split("|")]
        if line.startswith("| ") and len(cells) == 2 * len(FIGURES) and node not in ("node", "---"):
            rows[node] = list(zip(cells[::2], cells[1::2], strict=True))
    for node, figures in measured.items():
        old = rows.get(node, [("", "")] * len(FIGURES))
        kept = [was if same or not now else now for now, was in old]
        rows[node] = list(zip(figures, kept, strict=False))
    titles = "".join(f" {name} | before |" for name in FIGURES)
    lines = [f"| node |{titles}", "|" + " --- |" * (1 + 2 * len(FIGURES))]
    lines += [f"| {node} |" + "".join(f" {now} | {was} |" for now, was in pairs) for node, pairs in rows.items()]
    return before + BEGIN + "\n\n" + head + "\n" + "\n".join(lines) + "\n\n" + END + after


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("nodes", nargs="*", metavar="NODE", help="all nodes without one")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--seed", type=int, default=9100)
    parser.add_argument("--no-pushes", action="store_true", help="leave out the longest part")
    parser.add_argument("--page", type=Path, help="results page whose table is updated")
    options = parser.parse_args()
    project = Project.find()
    print(HEAD)
    with SweepStore.open(project.runs_directory) as store, open_pool(options.jobs) as pool:
        bench = Bench(project, store, pool, options.seed)
        nodes = options.nodes or list(project.graph.nodes)
        measured = {node: print_node(bench, node, not options.no_pushes)[: len(FIGURES)] for node in nodes}
    if options.page is not None:
        head = header(project.engine, str(options.seed))
        write_text(options.page, updated(options.page.read_text(encoding="utf-8"), head, measured))


if __name__ == "__main__":
    main()
