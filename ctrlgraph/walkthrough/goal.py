"""Walks to a goal: by the most reliable path, or by a policy; both are planned anew after a failure."""

from __future__ import annotations

import contextlib
import time
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from ctrlgraph.arguments import checked
from ctrlgraph.errors import CtrlGraphError
from ctrlgraph.graph.goal_planner import GoalPlan, plan_path
from ctrlgraph.graph.model import Edge
from ctrlgraph.graph.policy_planner import PolicyPlan, plan_policy
from ctrlgraph.graph.random_planner import PlannedTransition
from ctrlgraph.graph.transition_model import RESET_COST_S, GraphEvidence
from ctrlgraph.simulation.environment import Environment
from ctrlgraph.walkthrough.evidence import edge_evidence, graph_evidence
from ctrlgraph.walkthrough.random import begin_run, static_nodes
from ctrlgraph.walkthrough.random_walk import state_writer
from ctrlgraph.walkthrough.tally import Tally
from ctrlgraph.walkthrough.walker import Walker, WalkIdentity, WalkObserver

if TYPE_CHECKING:
    from ctrlgraph.project.project import Project
    from ctrlgraph.runs.store import RunLog

MAX_FAILURES = 10
"""After so many failed transitions the goal is given up."""
MAX_TAKEN = 1000
"""Edges that are taken by one policy: more of them lead nowhere."""

Known = Callable[[Mapping[Edge, int]], GraphEvidence]
"""What is known of a graph's edges, by how often each of them has failed in this run."""


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
    observer: GoalObserver | None = None,
    policy: bool = False,
    reset_cost: float = RESET_COST_S,
) -> GoalSummary:
    """Walk from the start pose to `goal`, through `via` first where that is given.

    The way is the most reliable path, or a policy's (`graph.policy_planner`), which after a failure goes on from
    whichever node answers it. An edge that fails in this run counts less from then on
    (`graph.goal_planner.FAILURE_FACTOR`), and after a failure the way is planned anew from where the recovery ended.

    Args:
        policy: go by the policy; reset_cost: what it takes beginning anew for, simulated s.

    Raises:
        CtrlGraphError: a node is unknown, no path leads to it, or the start node fails.
        RunLogError: `runs/` cannot be written.
        SourceError: the project has faults.

    >>> from ctrlgraph import Project, go_to
    >>> go_to(Project.find(), "squat").reached
    True
    """
    if seed < 0:
        raise CtrlGraphError(f"a seed must be at least 0, not {seed}")
    world = world or project.environment()
    goals = [name for name in (via, goal) if name is not None]
    source = project.graph.start
    for name in goals:  # what cannot be is said before anything is simulated or logged
        plan_path(project.graph, source, name, {})
        if policy:
            plan_policy(project.graph, source, name, GraphEvidence(), reset_cost=reset_cost)
        source = name
    project.require_learned()
    began = time.perf_counter()
    with project.log() as log:
        settings: dict[str, Any] = {"mode": "goto", "goal": goal, "via": via}
        if policy:
            settings |= {"policy": True, "reset_cost": reset_cost}
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
            walker = Walker(project, simulation, log, identity, observer, states)
            walk = _goal_walk(walker, log, observer, reset_cost if policy else None)
            try:
                walker.start()
                reached = walk.through(goals)
            except KeyboardInterrupt:
                reached, interrupted = False, True
        warnings = () if states is None or states.fault is None else (states.fault,)
        tally = Tally.of(log.attempts(run.id), static_nodes(project.graph))
        wall_s = time.perf_counter() - began
        summary = GoalSummary(run.id, seed, goal, reached, tuple(walk.plans), tally, wall_s, interrupted, warnings)
        log.finish_run(run.id, time.time(), summary.as_dict())
    return summary


def _goal_walk(walker: Walker, log: RunLog, observer: GoalObserver | None, reset_cost: float | None) -> GoalWalk:
    """The walk by a policy with this cost of beginning anew, by the most reliable path where None."""
    project, world = walker.project, walker.identity.world
    if reset_cost is None:
        return PathWalk(walker, lambda failed: GraphEvidence(edge_evidence(project, log, world, failed)), observer)
    return PolicyWalk(walker, lambda failed: graph_evidence(project, log, world, failed), observer, reset_cost)


class GoalWalk(ABC):
    """The state of a walk to a goal: plans made, edges failed. The walker has been brought to where it begins."""

    def __init__(self, walker: Walker, known: Known, observer: GoalObserver | None = None) -> None:
        """
        Args:
            known: what is known of the edges, where some have failed so often in this run.
        """
        self.walker = walker
        self.plans: list[GoalPlan] = []
        self.failed: Counter[Edge] = Counter()
        self._known = known
        self._observer = observer

    def through(self, goals: list[str]) -> bool:
        """Tell whether all goals were reached, one after another, before too many failures.

        Raises:
            StartFailed: it has to begin anew, and the start node fails.
        """
        return all(self._reach(goal) for goal in goals)

    def _reach(self, goal: str) -> bool:
        while self.walker.node != goal:
            if self.failed.total() >= MAX_FAILURES:
                return False
            plan = self._plan(goal, self._known(self.failed))
            self.plans.append(plan)
            if self._observer is not None:
                self._observer.planned(plan)
            self._follow(plan)
        return True

    def _take(self, edge: Edge) -> bool:
        """Take an edge; a failure is noted."""
        cycles = self.walker.graph.node(edge.target).cycles[0]
        succeeded = self.walker.take(PlannedTransition(edge, cycles)).succeeded
        if not succeeded:
            self.failed[edge] += 1
        return succeeded

    @abstractmethod
    def _plan(self, goal: str, known: GraphEvidence) -> GoalPlan: ...

    @abstractmethod
    def _follow(self, plan: GoalPlan) -> None:
        """Take a plan's edges until its goal or a failure, which is answered."""


class PathWalk(GoalWalk):
    """Takes the most reliable path; a failure is recovered from up to a static pose, and from there it is planned
    anew."""

    def _plan(self, goal: str, known: GraphEvidence) -> GoalPlan:
        walker = self.walker
        return plan_path(walker.graph, walker.node, goal, known.edges, walker.simulation.preview)

    def _follow(self, plan: GoalPlan) -> None:
        for step in plan.steps:
            if not self._take(step.edge):
                self.walker.recover_or_restart()
                return


class PolicyWalk(GoalWalk):
    """Takes the policy's edge in each node; after a failure it goes on from the node that answers it."""

    def __init__(
        self,
        walker: Walker,
        known: Known,
        observer: GoalObserver | None = None,
        reset_cost: float = RESET_COST_S,
    ) -> None:
        super().__init__(walker, known, observer)
        self._reset_cost = reset_cost

    def _plan(self, goal: str, known: GraphEvidence) -> PolicyPlan:
        walker = self.walker
        preview = walker.simulation.preview
        return plan_policy(walker.graph, walker.node, goal, known, preview, reset_cost=self._reset_cost)

    def _follow(self, plan: GoalPlan) -> None:
        assert isinstance(plan, PolicyPlan)
        for _ in range(MAX_TAKEN):
            if self.walker.node == plan.goal:
                return
            if self.walker.node not in plan.choices:
                raise CtrlGraphError(f"no naive or learned edges lead from '{self.walker.node}' to '{plan.goal}'")
            if not self._take(plan.choices[self.walker.node]):
                self.walker.answer_failure()
                return
        self.failed[plan.steps[0].edge] += MAX_FAILURES  # what was expected to fail does not, and the goal is given up
