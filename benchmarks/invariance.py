"""Whether the planned edges hold where numerics and body are a little different, with ODE's settings of now and before.

    python benchmarks/invariance.py [--settings usual box] [--variants "as usual"] [--trials N] [--seed S] [--jobs N]

Every planned edge from its usual path, shaken by noise, with half the time step, the quick solver, other masses and
other friction; a row tells how many trials held of all edges, and which edges hold in fewer than half.
"""

from __future__ import annotations

import argparse
import dataclasses
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

from ctrlgraph.engine.ode.settings import OdeSettings
from ctrlgraph.engine.settings import WorldSettings
from ctrlgraph.experiments.evaluator import Evaluator
from ctrlgraph.experiments.perturbation import perturbations
from ctrlgraph.project.project import Project

ROOT = Path(__file__).resolve().parents[1]
NOISE = 0.02
VARIANTS: dict[str, dict[str, float]] = {
    "as usual": {},
    "half the time step": {"step": 0.001},
    "QuickStep 50": {"quickstep": 50},
    "mass x 0.95": {"mass": 0.95},
    "mass x 1.05": {"mass": 1.05},
    "friction 0.8": {"friction": 0.8},
    "friction 0.6": {"friction": 0.6},
}

SETTINGS: dict[str, dict[str, str]] = {
    "usual": {},
    "box": {"friction": "box"},
    "balls": {"pins": "balls"},
    "hinges": {"pins": "hinges"},
}

Question = tuple[str, str, int, int]


def answer(question: Question) -> dict[str, int]:
    """How many trials held, by edge."""
    settings, variant, trials, seed = question
    _use(SETTINGS[settings])
    how, held = perturbations({"noise": NOISE, **VARIANTS[variant]}), {}
    with Evaluator(Project(ROOT)) as evaluator:
        for edge in evaluator.project.graph.edges:
            if edge.planned:
                target = f"{edge.source}->{edge.target}"
                held[target] = sum(evaluator.trial(target, how, (), i, seed).succeeded for i in range(trials))
    return held


def _use(changes: dict[str, str]) -> None:
    """Let worlds of this process have these settings."""
    completed = WorldSettings.completed.__func__  # type: ignore[attr-defined]

    def changed(kind: Any, settings: WorldSettings) -> Any:
        return dataclasses.replace(completed(kind, settings), **changes)

    OdeSettings.completed = classmethod(changed)  # type: ignore[method-assign, assignment]


def rows(settings: list[str], variants: list[str], trials: int, seed: int, jobs: int) -> Iterator[str]:
    yield f"| variant | {' | '.join(f'{each}: trials held' for each in settings)} | hold in fewer than half |"
    yield "| --- |" + " --- |" * (len(settings) + 1)
    questions = [(each, variant, trials, seed) for variant in variants for each in settings]
    with ProcessPoolExecutor(jobs, max_tasks_per_child=1) as pool:
        answers = dict(zip(questions, pool.map(answer, questions), strict=True))
    for variant in variants:
        found = {each: answers[each, variant, trials, seed] for each in settings}
        counts = [f"{sum(held.values())} of {trials * len(held)}" for held in found.values()]
        weak = [
            f"{each}: {', '.join(e for e, n in held.items() if 2 * n < trials) or 'none'}"
            for each, held in found.items()
        ]
        yield f"| {variant} | {' | '.join(counts)} | {'; '.join(weak)} |"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--settings", nargs="+", choices=list(SETTINGS), default=["usual", "box"])
    parser.add_argument("--variants", nargs="+", choices=list(VARIANTS), default=list(VARIANTS))
    parser.add_argument("--trials", type=int, default=4)
    parser.add_argument("--seed", type=int, default=73001)
    parser.add_argument("--jobs", type=int, default=1)
    given = parser.parse_args()
    for row in rows(given.settings, given.variants, given.trials, given.seed, given.jobs):
        print(row, flush=True)


if __name__ == "__main__":
    main()
