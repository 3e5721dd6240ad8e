"""Walks to a goal node, by the most reliable path or by a policy; planned again after each failure."""

from __future__ import annotations

import functools
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from ctrlgraph.arguments import checked
from ctrlgraph.errors import CtrlGraphError
from ctrlgraph.graph.goal_planner import GoalPlan, plan_path
from ctrlgraph.graph.model import Edge
from ctrlgraph.graph.policy_planner import PolicyPlan, plan_policy
from ctrlgraph.graph.random_planner import PlannedTransition
from ctrlgraph.graph.transition_model import RESET_COST_S, GraphEvidence
from ctrlgraph.simulation.environment import Environment
from ctrlgraph.walkthrough.log_evidence import edge_evidence, graph_evidence
from ctrlgraph.walkthrough.logged_walk import MAX_FAILURES, RunObserver, WalkSummary, open_run
from ctrlgraph.walkthrough.walker import Walker

if TYPE_CHECKING:
    from ctrlgraph.project.project import Project

MAX_TAKEN = 1000
"""Number of transitions after which a policy is given up."""

Known = Callable[[Mapping[Edge, int]], GraphEvidence]
"""Function that maps the failures of each edge in this run to the evidence about all edges."""


class GoalObserver(RunObserver, Protocol):
    """Observer of a walk to a goal: also gets each plan before it is executed."""

    def planned(self, plan: GoalPlan) -> None:
        """Called with each plan."""


@dataclass(frozen=True, kw_only=True)
class GoalSummary(WalkSummary):
    """Result of a walk to a goal."""

    goal: str
    reached: bool
    plans: tuple[GoalPlan, ...]
    """All plans, in the order in which they were made."""

    def details(self) -> dict[str, Any]:
        """Return the fields of the summary that only this kind of walk has."""
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
    observer: GoalObserver | None = None,
    policy: bool = False,
    reset_cost: float = RESET_COST_S,
) -> GoalSummary:
    """Walk from the start pose to a node.

    By default the walk takes the most reliable path. With a policy (`graph.policy_planner`), a walk continues after a
    failure from the node that the corrective edge leads to. Each failure in this run reduces the probability of its
    edge (`graph.goal_planner.FAILURE_FACTOR`), and the walk is planned again from the node at which the recovery ended.

    Args:
        project: the project whose graph is walked.
        goal: name of the node to go to.
        via: name of a node to go to first.
        seed: seed of everything that is random.
        world: environment; the project's without it.
        keep_states: whether the sampled states are written to files.
        command: command line, for the log.
        observer: notified of plans and attempts.
        policy: whether to follow a policy instead of a path.
        reset_cost: cost of a reset in the policy, simulated s.

    Raises:
        CtrlGraphError: a node is unknown, no path leads to the node, or the start node fails.
        RunLogError: `runs/` cannot be written.
        SourceError: the project has errors.

    >>> from ctrlgraph import Project, go_to
    >>> go_to(Project.find(), "squat").reached
    True
    """
    if seed < 0:
        raise CtrlGraphError(f"a seed must be at least 0, not {seed}")
    world = world or project.environment()
    goals = [name for name in (via, goal) if name is not None]
    source = project.graph.start
    for name in goals:  # report impossible goals before anything is simulated or logged
        plan_path(project.graph, source, name, {})
        if policy:
            plan_policy(project.graph, source, name, GraphEvidence(), reset_cost=reset_cost)
        source = name
    settings: dict[str, Any] = {"mode": "goto", "goal": goal, "via": via}
    if policy:
        settings |= {"policy": True, "reset_cost": reset_cost}
    reached = False
    with open_run(project, settings, seed=seed, world=world, command=command, observer=observer) as run:
        with run.walker(keep_states=keep_states) as walker:
            walk: GoalWalk
            if policy:
                known = functools.partial(graph_evidence, project, run.log, world.digest)
                walk = PolicyWalk(walker, known, observer, reset_cost)
            else:
                hashes = {edge: project.edge_hash(edge, world.digest) for edge in project.graph.edges if edge.planned}
                walk = PathWalk(walker, lambda failed: GraphEvidence(edge_evidence(hashes, run.log, failed)), observer)
            walker.start()
            reached = walk.through(goals)
        return run.finish(GoalSummary, goal=goal, reached=reached, plans=tuple(walk.plans))


class GoalWalk(ABC):
    """Plans and failed edges of a walk to a goal; the walker is at the node where the walk begins."""

    def __init__(self, walker: Walker, known: Known, observer: GoalObserver | None = None) -> None:
        """
        Args:
            walker: takes the transitions.
            known: evidence about the edges, given how often they failed in this run.
            observer: gets each plan before it is executed.
        """
        self.walker = walker
        self.plans: list[GoalPlan] = []
        self.failed: Counter[Edge] = Counter()
        self._known = known
        self._observer = observer

    def through(self, goals: list[str]) -> bool:
        """Walk to all goals, one after another; False after `MAX_FAILURES` failures.

        Raises:
            StartFailed: a reset is needed, and the start node fails.
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
        """Take an edge and count its failure."""
        cycles = self.walker.graph.node(edge.target).cycles[0]
        succeeded = self.walker.take(PlannedTransition(edge, cycles)).succeeded
        if not succeeded:
            self.failed[edge] += 1
        return succeeded

    @abstractmethod
    def _plan(self, goal: str, known: GraphEvidence) -> GoalPlan: ...

    @abstractmethod
    def _follow(self, plan: GoalPlan) -> None:
        """Take the edges of a plan until its goal or a failure, then recover from the failure."""


class PathWalk(GoalWalk):
    """A walk on the most reliable path. After a failure it recovers to a static pose and plans again."""

    def _plan(self, goal: str, known: GraphEvidence) -> GoalPlan:
        walker = self.walker
        return plan_path(walker.graph, walker.node, goal, known.edges, walker.simulation.preview)

    def _follow(self, plan: GoalPlan) -> None:
        for step in plan.steps:
            if not self._take(step.edge):
                self.walker.recover_or_restart()
                return


class PolicyWalk(GoalWalk):
    """A walk by a policy. After a failure it continues from the node that a corrective edge leads to."""

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
                if not self.walker.recover(to_static=False):
                    self.walker.start()
                return
        self.failed[plan.steps[0].edge] += MAX_FAILURES  # the policy leads in circles: give up the goal
