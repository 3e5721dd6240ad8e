"""Walks to a goal: plan the most reliable path, take it, and plan anew after a failure."""

from __future__ import annotations

import contextlib
import time
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from ctrlgraph.graph.goal_planner import EdgeEvidence, GoalPlan, plan_path
from ctrlgraph.graph.model import Edge
from ctrlgraph.graph.random_planner import PlannedTransition
from ctrlgraph.simulation.environment import Environment
from ctrlgraph.walkthrough.random import begin_run, static_nodes
from ctrlgraph.walkthrough.random_walk import state_writer
from ctrlgraph.walkthrough.tally import Tally
from ctrlgraph.walkthrough.walker import Walker, WalkIdentity, WalkObserver

if TYPE_CHECKING:
    from ctrlgraph.project.project import Project
    from ctrlgraph.runs.store import RunLog

MAX_FAILURES = 10
"""After so many failed transitions the goal is given up."""


class GoalObserver(WalkObserver, Protocol):
    """Who watches a walk to a goal: also told each plan before it is taken."""

    def run_began(self, run: str, seed: int) -> None: ...

    def planned(self, plan: GoalPlan) -> None: ...


@dataclass(frozen=True)
class GoalSummary:
    """What came of a walk to a goal; `plans` in the order in which they were made; warnings: as for RunSummary."""

    run: str
    seed: int
    goal: str
    reached: bool
    plans: tuple[GoalPlan, ...]
    tally: Tally
    wall_s: float
    interrupted: bool = False
    warnings: tuple[str, ...] = ()

    def as_dict(self) -> dict[str, Any]:
        head = {"run": self.run, "seed": self.seed, "goal": self.goal, "reached": self.reached}
        plans = [plan.as_dict() for plan in self.plans]
        return head | {"plans": plans} | self.tally.as_dict() | {"wall_s": self.wall_s}


def go_to(
    project: Project,
    goal: str,
    *,
    via: str | None = None,
    seed: int = 0,
    world: Environment | None = None,
    keep_states: bool = True,
    command: str = "",
    observer: GoalObserver | None = None,
) -> GoalSummary:
    """Walk from the start pose to `goal`, through `via` first where that is given.

    An edge that fails in this run counts less from then on (`graph.goal_planner.FAILURE_FACTOR`), and
    after a failure the path is planned anew from where the recovery ended.

    Raises:
        CtrlGraphError: a node is unknown, no path leads to it, or the start node fails.
        RunLogError: `runs/` cannot be written.
        SourceError: the project has faults.

    >>> from ctrlgraph import Project, go_to
    >>> go_to(Project.find(), "squat").reached
    True
    """
    world = world or project.environment()
    goals = [name for name in (via, goal) if name is not None]
    source = project.graph.start
    for name in goals:  # what cannot be is said before anything is simulated or logged
        plan_path(project.graph, source, name, {})
        source = name
    project.require_learned()
    began = time.perf_counter()
    with project.log() as log:
        settings = {"mode": "goto", "goal": goal, "via": via}
        run = begin_run(project, log, command, seed, world, settings)
        if observer is not None:
            observer.run_began(run.id, seed)
        walk_seed = int(np.random.SeedSequence(seed).spawn(1)[0].generate_state(1)[0])
        identity = WalkIdentity(run.id, 0, walk_seed, world.digest, world.body.length)
        interrupted = False
        states = state_writer(project, run.id, 0) if keep_states else None
        with (
            world.simulation(project.character, walk_seed, keep_trace=False) as simulation,
            states or contextlib.nullcontext(),
        ):
            walk = _GoalWalk(Walker(project, simulation, log, identity, observer, states), log, observer)
            try:
                reached = walk.through(goals)
            except KeyboardInterrupt:
                reached, interrupted = False, True
        warnings = () if states is None or states.fault is None else (states.fault,)
        tally = Tally.of(log.attempts(run.id), static_nodes(project.graph))
        wall_s = time.perf_counter() - began
        summary = GoalSummary(run.id, seed, goal, reached, tuple(walk.plans), tally, wall_s, interrupted, warnings)
        log.finish_run(run.id, time.time(), summary.as_dict())
    return summary


class _GoalWalk:
    """The state of a walk to a goal: plans made, edges failed."""

    def __init__(self, walker: Walker, log: RunLog, observer: GoalObserver | None) -> None:
        self.walker = walker
        self.plans: list[GoalPlan] = []
        self._log = log
        self._observer = observer
        self._failed: Counter[Edge] = Counter()

    def through(self, goals: list[str]) -> bool:
        """Tell whether all goals were reached, one after another, before too many failures."""
        self.walker.start()
        return all(self._reach(goal) for goal in goals)

    def _reach(self, goal: str) -> bool:
        while self.walker.node != goal:
            if self._failed.total() >= MAX_FAILURES:
                return False
            preview = self.walker.simulation.preview
            plan = plan_path(self.walker.graph, self.walker.node, goal, self._evidence(), preview)
            self.plans.append(plan)
            if self._observer is not None:
                self._observer.planned(plan)
            self._take(plan)
        return True

    def _take(self, plan: GoalPlan) -> None:
        for step in plan.steps:
            cycles = self.walker.graph.node(step.edge.target).cycles[0]
            if not self.walker.take(PlannedTransition(step.edge, cycles)).succeeded:
                self._failed[step.edge] += 1
                self.walker.recover_or_restart()
                return

    def _evidence(self) -> dict[Edge, EdgeEvidence]:
        project, world = self.walker.project, self.walker.identity.world
        hashes = {edge: project.edge_hash(edge, world) for edge in self.walker.graph.edges if edge.planned}
        results = self._log.edge_results(list(hashes.values()))
        return {
            edge: EdgeEvidence(*results.get(edge_hash, (0, 0, float("nan"))), self._failed[edge])
            for edge, edge_hash in hashes.items()
        }
