"""Walks to a goal node by the most reliable path. After each failure a new path is planned."""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ctrlgraph.arguments import checked
from ctrlgraph.errors import CtrlGraphError
from ctrlgraph.graph.goal_planner import EdgeEvidence, GoalPlan, plan_path
from ctrlgraph.graph.model import Edge
from ctrlgraph.graph.random_planner import PlannedTransition
from ctrlgraph.simulation.environment import Environment
from ctrlgraph.walks.logged_walk import MAX_FAILURES, WalkSummary, open_run
from ctrlgraph.walks.walker import Walker, WalkObserver

if TYPE_CHECKING:
    from ctrlgraph.project.project import Project


@dataclass(frozen=True, kw_only=True)
class GoalSummary(WalkSummary):
    """Result of a walk to a goal node: whether the goal node succeeded, and the planned paths."""

    goal: str
    """Name of the goal node."""
    reached: bool
    """Whether the goal node succeeded."""
    plans: tuple[GoalPlan, ...]
    """All planned paths, in the order in which they were planned."""

    def details(self) -> dict[str, Any]:
        """Return the fields of the summary that only this kind of walk has, as JSON data."""
        return {"goal": self.goal, "reached": self.reached, "plans": [plan.as_dict() for plan in self.plans]}


@checked
def go_to(
    project: Project,
    goal: str,
    *,
    via: str | None = None,
    seed: int = 0,
    world: Environment | None = None,
    keep_states: bool = True,
    command: str = "",
    observer: WalkObserver | None = None,
) -> GoalSummary:
    """Walk from the start pose to a node by the most reliable path.

    The success probabilities of edges are estimated from the logged attempts with the present controllers, conditions,
    character and environment. Each failure during the walk reduces the probability of the failed edge
    (`graph.goal_planner.FAILURE_FACTOR`). Then a new path is planned from the node in which the recovery ended or,
    after a reset, from the start node. After `MAX_FAILURES` failures the walk is given up.

    Args:
        project: the project whose graph is walked.
        goal: name of the node to go to.
        via: name of a node to go to before the goal; None for no such node.
        seed: seed of everything that is random.
        world: environment of the simulation; by default that of the project.
        keep_states: whether the sampled states of the walk are written to files.
        command: command line, for the log.
        observer: object that is notified of planned paths and attempts (executions of nodes).

    Raises:
        CtrlGraphError: `goal` or `via` is not a node, no path of planned edges leads there, or the start node fails.
        RunLogError: `runs/` cannot be written.
        SourceError: the project has errors.

    >>> from ctrlgraph import Project, go_to
    >>> go_to(Project.find(), "squat").reached
    True
    """
    if seed < 0:
        raise CtrlGraphError(f"'seed' must be at least 0, not {seed}")
    world = world or project.environment()
    goals = [name for name in (via, goal) if name is not None]
    # report impossible goals before anything is simulated or logged
    for source, target in itertools.pairwise((project.graph.start, *goals)):
        plan_path(project.graph, source, target, {})
    settings = {"mode": "goto", "goal": goal, "via": via}
    plans: list[GoalPlan] = []
    reached = False
    with open_run(project, settings, seed=seed, world=world, command=command, observer=observer) as run:
        hashes = {edge: project.edge_hash(edge, world.digest) for edge in project.graph.edges if edge.planned}

        def plan(walker: Walker, target: str, failed: Counter[Edge]) -> GoalPlan:
            results = run.log.edge_results(list(hashes.values()))
            evidence = {
                edge: EdgeEvidence(*results.get(name, (0, 0, math.nan)), failed[edge]) for edge, name in hashes.items()
            }
            plans.append(plan_path(walker.graph, walker.node, target, evidence, walker.simulation.preview))
            if observer is not None:
                observer.planned(plans[-1])
            return plans[-1]

        with run.walker(keep_states=keep_states) as walker:
            walker.start()
            reached = _walk(walker, goals, plan)
        return run.finish(GoalSummary, goal=goal, reached=reached, plans=tuple(plans))


def _walk(walker: Walker, goals: list[str], plan: Callable[[Walker, str, Counter[Edge]], GoalPlan]) -> bool:
    """Walk to several nodes, one after another. Return whether all were reached before `MAX_FAILURES` failures.

    Args:
        walker: object that executes the transitions.
        goals: names of the nodes to reach, in this order.
        plan: function that returns a path to a node, given the walker, the name of the node, and how often each edge
            has failed during the walk.

    Raises:
        StartFailed: a reset is needed, and the start node fails.
    """
    failed: Counter[Edge] = Counter()
    for goal in goals:
        while walker.node != goal:
            if failed.total() >= MAX_FAILURES:
                return False
            for step in plan(walker, goal, failed).steps:
                cycles = walker.graph.node(step.edge.target).cycles[0]
                if not walker.take(PlannedTransition(step.edge, cycles)).succeeded:
                    failed[step.edge] += 1
                    walker.recover_or_restart()
                    break
    return True
