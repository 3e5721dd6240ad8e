"""Measure the planned edges under other numerical settings and slightly different bodies.

    python benchmarks/invariance.py [EDGE]... [--settings usual box] [--variants "as usual"] [--trials N] [--seed S]

Every planned edge (or each EDGE, such as `stand->walk`; a node stands for all its edges) is tried from its usual path,
perturbed by noise, with other time steps, the quick solver, other masses, other friction, more noise, and on the other
engine. Paths with stunts are avoided where possible (`lie_back->supine->sit_up`). A row has the number of successful
trials of all edges, the number of cells (an edge under a variant) in which nine of ten trials succeed, and the edges of
the other cells.
"""

from __future__ import annotations

import argparse
import dataclasses
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

from benchmarks.usual_targets import ordinary_target
from ctrlgraph.engine.ode.ode_settings import OdeSettings
from ctrlgraph.engine.world_settings import WorldSettings
from ctrlgraph.graph.model import ControllerGraph
from ctrlgraph.project.project import Project
from ctrlgraph.robustness.evaluator import Evaluator
from ctrlgraph.robustness.perturbation import perturbations

ROOT = Path(__file__).resolve().parents[1]
NOISE = 0.02
HOLDS = 0.9
"""Fraction of trials that must succeed in a cell."""
VARIANTS: dict[str, dict[str, float | str]] = {
    "as usual": {},
    "1 ms": {"step": 0.001},
    "4 ms": {"step": 0.004},
    "QuickStep 100": {"quickstep": 100},
    "mass x 0.97": {"mass": 0.97},
    "mass x 1.03": {"mass": 1.03},
    "friction 0.8": {"friction": 0.8},
    "friction 1.2": {"friction": 1.2},
    "noise 0.03": {"noise": 0.03},
    "MuJoCo": {"engine": "mujoco"},
}

SETTINGS: dict[str, dict[str, str]] = {
    "usual": {},
    "box": {"friction": "box"},
    "balls": {"pins": "balls"},
    "hinges": {"pins": "hinges"},
}

Question = tuple[str, str, tuple[str, ...], int, int]


def answer(question: Question) -> dict[str, int]:
    """Return the number of successful trials by edge."""
    settings, variant, asked, trials, seed = question
    _use(SETTINGS[settings])
    how, held = perturbations({"noise": NOISE, **VARIANTS[variant]}), {}
    with Evaluator(Project(ROOT)) as evaluator:
        for target in targets(evaluator.project.graph, asked):
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


def rows(
    settings: list[str], variants: list[str], edges: tuple[str, ...], trials: int, seed: int, jobs: int
) -> Iterator[str]:
    held_by = " | ".join(f"{each}: trials held" for each in settings)
    yield f"| variant | {held_by} | cells that hold | those that do not |"
    yield "| --- |" + " --- |" * (len(settings) + 2)
    questions = [(each, variant, edges, trials, seed) for variant in variants for each in settings]
    whole = cells = 0
    with ProcessPoolExecutor(jobs, max_tasks_per_child=1) as pool:
        answers = pool.map(answer, questions)
        for variant in variants:
            found = {each: next(answers) for each in settings}
            counts = [f"{sum(held.values())} of {trials * len(held)}" for held in found.values()]
            weak = [f"{each}: {e} ({n})" for each, held in found.items() for e, n in held.items() if n < HOLDS * trials]
            asked = sum(len(held) for held in found.values())
            whole, cells = whole + asked - len(weak), cells + asked
            yield f"| {variant} | {' | '.join(counts)} | {asked - len(weak)} of {asked} | {', '.join(weak) or 'none'} |"
    yield f"| all |{' |' * len(settings)} {whole} of {cells} ({100.0 * whole / cells:.1f} %) | |"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("edges", nargs="*", metavar="EDGE", help="only these")
    parser.add_argument("--settings", nargs="+", choices=list(SETTINGS), default=["usual"])
    parser.add_argument("--variants", nargs="+", choices=list(VARIANTS), default=list(VARIANTS))
    parser.add_argument("--trials", type=int, default=4)
    parser.add_argument("--seed", type=int, default=73001)
    parser.add_argument("--jobs", type=int, default=1)
    given = parser.parse_args()
    for each in given.edges:
        if not targets(Project(ROOT).graph, (each,)):
            parser.error(f"no planned edge is {each}, or leads to or from it")
    for row in rows(given.settings, given.variants, tuple(given.edges), given.trials, given.seed, given.jobs):
        print(row, flush=True)


if __name__ == "__main__":
    main()
