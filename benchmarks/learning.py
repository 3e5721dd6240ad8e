"""What a search costs: 200 generations of a transition of about 3 simulated seconds, and what share of it is physics.

    python benchmarks/learning.py [SOURCE TARGET] [--generations N] [--jobs J [J ...]] [--optimizer 1+1|cma] [--json]

The (1+1)-CMA-ES on one entry of the transition has one simulation to do at a time, so a second process cannot help
it; CMA-ES with a population (or more entries) keeps several busy. Physics is the time within `Simulation.run`, summed
over all processes; its share is of the time that these had.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from pathlib import Path
from typing import Any

from ctrlgraph.experiments.evaluation_plan import is_cyclic
from ctrlgraph.experiments.worker_pool import open_pool
from ctrlgraph.optimization.evaluation import evaluate, evaluate_all
from ctrlgraph.optimization.problem import Problem
from ctrlgraph.optimization.search import Budget, CandidateSearch, SearchPlan
from ctrlgraph.optimization.transition import TransitionRequest, transition_problem
from ctrlgraph.project.project import Project

ROOT = Path(__file__).resolve().parent.parent


def problem_of(source: str, target: str, entries: int) -> Problem:
    """The transition as `ctrlgraph learn` searches it."""
    project = Project(ROOT)
    gait, goal = (is_cyclic(project.graph.node(name)) for name in (source, target))
    request = TransitionRequest(
        source, target, source_cycles=int(gait), target_cycles=1 if goal else None, entries=entries, numerics=False
    )
    return transition_problem(project, request)[0]


def measured(problem: Problem, plan: SearchPlan, generations: int, jobs: int) -> dict[str, Any]:
    """One search; the workers have started and compiled everything before the clock does."""
    with open_pool(jobs, work=evaluate) as pool:
        present = [[0.0] * len(problem.search_space)] * max(2, 2 * jobs)
        evaluate_all(problem, problem.digest, present, pool)
        began, processor = time.perf_counter(), time.process_time()
        result = CandidateSearch(problem, plan, pool).run(Budget(generations))
        wall, processor = time.perf_counter() - began, time.process_time() - processor
    return {
        "jobs": jobs,
        "optimizer": plan.optimizer,
        "unknowns": len(problem.search_space),
        "generations": result.generations,
        "evaluations": result.evaluations,
        "evaluations_per_s": round(result.evaluations / wall, 1),
        "wall_s": round(wall, 2),
        "simulated_s": round(result.simulated_s, 1),
        "simulated_s_per_evaluation": round(result.simulated_s / result.evaluations, 2),
        "physics_share": round(result.physics_s / (wall * jobs), 3),
        "this_process_s": round(processor, 2),
        "best_cost": result.best.cost,
        "stopped": result.stopped,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("source", nargs="?", default="squat")
    parser.add_argument("target", nargs="?", default="rise")
    parser.add_argument("--generations", type=int, default=200)
    parser.add_argument("--jobs", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--optimizer", choices=["1+1", "cma"], default="1+1")
    parser.add_argument("--entries", type=int, default=1)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    asked = parser.parse_args()
    problem = problem_of(asked.source, asked.target, asked.entries)
    plan = SearchPlan(optimizer=asked.optimizer, sigma=0.5, seed=asked.seed)
    found = [measured(problem, plan, asked.generations, jobs) for jobs in asked.jobs]
    if asked.json:
        print(json.dumps({"transition": f"{asked.source} -> {asked.target}", "searches": found}, indent=2))
        return
    print(f"{asked.source} -> {asked.target}, {len(problem.cases)} cases")
    for name in found[0]:
        print(f"{name:>28}  " + "  ".join(f"{row[name]!s:>14}" for row in found))


if __name__ == "__main__":
    sys.exit(main())
