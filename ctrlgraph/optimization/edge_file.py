"""A learned edge on disk: the file of its constants, its bridging script, and its line in the graph."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ctrlgraph.control.script.rewrite import with_constants
from ctrlgraph.optimization.learned_parts import source_part, target_part
from ctrlgraph.optimization.problem import Problem
from ctrlgraph.optimization.relearning import kept_command
from ctrlgraph.project.learned import LearnedBridge, LearnedFile

if TYPE_CHECKING:
    from ctrlgraph.control.controller import Controller
    from ctrlgraph.optimization.search import SearchPlan, SearchResult
    from ctrlgraph.optimization.validation import Validation
    from ctrlgraph.project.project import Project

FloatArray = NDArray[np.float64]


def bridge_text(project: Project, problem: Problem, x: FloatArray) -> str | None:
    """Return the bridging script with the constants that were found written into it; None without a bridge."""
    transition = problem.transition
    if transition is None or transition.bridge is None:
        return None
    before = transition.draft or (project.directory / transition.bridge).read_text(encoding="utf-8")
    values = problem.search_space.values(x).get("bridge", {})
    searched = [
        parameter for item in problem.search_space.items if item.part == "bridge" for parameter in item.parameters
    ]
    return with_constants(before, {(p.line, p.column): values[p.id] for p in searched if not p.is_argument})


def learned_file(
    project: Project,
    problem: Problem,
    x: FloatArray,
    *,
    bridge: Controller | None,
    search: Mapping[str, Any],
    held_out: Mapping[str, Any],
) -> LearnedFile:
    """Return what was learned, as a file; `bridge` is the compiled bridging script with its new constants."""
    transition, values = problem.transition, problem.search_space.values(x)
    assert transition is not None
    return LearnedFile(
        edge=str(transition.edge),
        source=source_part(project, transition, values),
        bridge=None
        if bridge is None or transition.bridge is None
        else LearnedBridge(script=transition.bridge, program=bridge.digest),
        target=target_part(project, transition, values),
        search=dict(search),
        held_out=dict(held_out),
    )


def search_record(plan: SearchPlan, result: SearchResult, problem: Problem, command: str) -> dict[str, Any]:
    """Return how something was found, as learned files keep it."""
    return {
        "command": kept_command(command),
        "seed": plan.seed,
        "optimizer": plan.optimizer,
        "unknowns": len(problem.search_space),
        "cases": len(problem.cases),
        "engines": list(problem.engines),
        "generations": result.generations,
        "evaluations": result.evaluations,
        "wall_s": round(result.wall_s, 1),
        "simulated_s": round(result.simulated_s, 1),
        "stopped": result.stopped,
        "cost": {"before": round(result.first.cost, 5), "after": round(result.best.cost, 5)},
        "terms": {name: round(value, 6) for name, value in result.best.terms.items()},
    }


def held_out_record(naive: Validation, learned: Validation, seed: int, noise: float) -> dict[str, Any]:
    """Return how well it does in cases that the search has not seen, as learned files keep it."""
    return {"seed": seed, "noise": noise, "naive": naive.as_dict(), "learned": learned.as_dict()}
