"""Measure the planned edges under other numerical settings and slightly different bodies.

    python benchmarks/invariance.py [EDGE]... [--settings usual box] [--variants "as usual"] [--sample N] [--trials N]
                                    [--seed S] [--page FILE]

Every planned edge (or each EDGE, such as `stand->walk`; a node stands for all its edges) is tried from its usual path,
perturbed by noise, with other time steps, the quick solver, other masses, torque limits and friction, more noise, and
on the other engine. Paths with stunts are avoided where possible (`lie_back->supine->sit_up`). With --sample, each
variant has other random edges. A row has the number of successful trials of all edges, the number of cells (an edge
under a variant) in which nine of ten trials succeed, and the edges of the other cells.
"""

from __future__ import annotations

import argparse
import dataclasses
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.result_header import ROOT, header
from benchmarks.usual_targets import ordinary_target
from ctrlgraph.engine.ode.ode_settings import OdeSettings
from ctrlgraph.engine.world_settings import WorldSettings
from ctrlgraph.files import write_text
from ctrlgraph.graph.model import ControllerGraph
from ctrlgraph.project.project import Project
from ctrlgraph.robustness.evaluator import Evaluator
from ctrlgraph.robustness.perturbation import perturbations

NOISE = 0.02
HOLDS = 0.9
"""Fraction of trials that must succeed in a cell."""
VARIANTS: dict[str, dict[str, float | str]] = {
    "as usual": {},
    "1 ms": {"step": 0.001},
    "4 ms": {"step": 0.004},
    "QuickStep 100": {"quickstep": 100},
    "mass x 0.9": {"mass": 0.9},
    "mass x 1.1": {"mass": 1.1},
    "torque x 0.85": {"torque": 0.85},
    "friction 0.7": {"friction": 0.7},
    "friction 1.3": {"friction": 1.3},
    "noise 0.05": {"noise": 0.05},
    "MuJoCo": {"engine": "mujoco"},
}
BEGIN, END = "<!-- written by benchmarks/invariance.py -->\n", "<!-- end of benchmarks/invariance.py -->\n"

SETTINGS: dict[str, dict[str, str]] = {
    "usual": {},
    "box": {"friction": "box"},
    "balls": {"pins": "balls"},
    "hinges": {"pins": "hinges"},
}

Question = tuple[str, str, tuple[str, ...], int, int, int]


def answer(question: Question) -> dict[str, int]:
    """Return the number of successful trials by edge."""
    settings, variant, asked, sample, trials, seed = question
    _use(SETTINGS[settings])
    how, held = perturbations({"noise": NOISE, **VARIANTS[variant]}), {}
    with Evaluator(Project(ROOT)) as evaluator:
        tried = targets(evaluator.project.graph, asked)
        if 0 < sample < len(tried):
            rng = np.random.default_rng([seed, list(VARIANTS).index(variant)])
            tried = [tried[i] for i in sorted(rng.choice(len(tried), sample, replace=False))]
        for target in tried:
            entered = ordinary_target(evaluator.project.graph, target)
            held[target] = sum(evaluator.trial(entered, how, (), i, seed).succeeded for i in range(trials))
    return held


def targets(graph: ControllerGraph, asked: tuple[str, ...]) -> list[str]:
    """Return the planned edges, or only the requested ones and those of the requested nodes."""
    edges = [(f"{edge.source}->{edge.target}", edge) for edge in graph.edges if edge.planned]
    return [name for name, edge in edges if not asked or {name, edge.source, edge.target} & set(asked)]


def _use(changes: dict[str, str]) -> None:
    """Apply settings to all worlds of this process."""
    completed = WorldSettings.completed.__func__  # type: ignore[attr-defined]

    def changed(kind: Any, settings: WorldSettings) -> Any:
        return dataclasses.replace(completed(kind, settings), **changes)

    OdeSettings.completed = classmethod(changed)  # type: ignore[method-assign, assignment]


def rows(given: argparse.Namespace) -> Iterator[str]:
    """Yield the lines of the table."""
    settings, trials = given.settings, given.trials
    held_by = " | ".join("trials that succeed" if each == "usual" else f"{each}: trials" for each in settings)
    yield f"| variant | {held_by} | edges that hold | edges that do not (successes) |"
    yield "| --- |" + " --- |" * (len(settings) + 2)
    questions = [
        (each, variant, tuple(given.edges), given.sample, trials, given.seed)
        for variant in given.variants
        for each in settings
    ]
    whole = cells = 0
    with ProcessPoolExecutor(given.jobs, max_tasks_per_child=1) as pool:
        answers = pool.map(answer, questions)
        for variant in given.variants:
            found = {each: next(answers) for each in settings}
            counts = [f"{sum(held.values())} of {trials * len(held)}" for held in found.values()]
            weak = [
                f"{'' if each == 'usual' else f'{each}: '}{edge.replace('->', ' -> ')} ({count})"
                for each, held in found.items()
                for edge, count in held.items()
                if count < HOLDS * trials
            ]
            asked = sum(len(held) for held in found.values())
            whole, cells = whole + asked - len(weak), cells + asked
            yield f"| {variant} | {' | '.join(counts)} | {asked - len(weak)} of {asked} | {', '.join(weak) or 'none'} |"
    yield f"| all |{' |' * len(settings)} {whole} of {cells} ({100.0 * whole / cells:.1f} %) | |"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("edges", nargs="*", metavar="EDGE", help="only these")
    parser.add_argument("--settings", nargs="+", choices=list(SETTINGS), default=["usual"])
    parser.add_argument("--variants", nargs="+", choices=list(VARIANTS), default=list(VARIANTS))
    parser.add_argument("--sample", type=int, default=0, metavar="N", help="number of random edges of each variant")
    parser.add_argument("--trials", type=int, default=4)
    parser.add_argument("--seed", type=int, default=73001)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--page", type=Path, help="results page whose table is replaced")
    given = parser.parse_args()
    for each in given.edges:
        if not targets(Project(ROOT).graph, (each,)):
            parser.error(f"no planned edge is {each}, or leads to or from it")
    if given.trials < 1 or given.sample < 0:
        parser.error("--trials must be at least 1, and --sample at least 0")
    before, after = "", ""
    if given.page is not None:
        before, begin, rest = given.page.read_text(encoding="utf-8").partition(BEGIN)
        _, end, after = rest.partition(END)
        if not begin or not end:
            parser.error(f"{given.page} has no lines {BEGIN.strip()} and {END.strip()}")
    table = ""
    for row in rows(given):
        print(row, flush=True)
        table += row + "\n"
    if given.page is not None:
        head = header("ODE, and MuJoCo in its row", str(given.seed))
        write_text(given.page, before + BEGIN + "\n" + head + "\n" + table + END + after)


if __name__ == "__main__":
    main()
