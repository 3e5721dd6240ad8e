"""Walks past a place on ground without obstacles, by a policy computed from the log."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ctrlgraph.errors import CtrlGraphError
from ctrlgraph.graph.distance_policy import DistancePlan, DistancePolicy
from ctrlgraph.graph.model import Edge
from ctrlgraph.graph.transition_model import RESET_COST_S
from ctrlgraph.simulation.environment import Environment
from ctrlgraph.walkthrough.goal_walk import MAX_TAKEN, GoalObserver
from ctrlgraph.walkthrough.log_evidence import graph_evidence, known_strides
from ctrlgraph.walkthrough.logged_walk import MAX_FAILURES, PlaceWalk, WalkSummary, open_run, require_place
from ctrlgraph.walkthrough.walker import Walker, failure_text

if TYPE_CHECKING:
    from ctrlgraph.project.project import Project
    from ctrlgraph.runs.store import RunLog


@dataclass(frozen=True, kw_only=True)
class DistanceSummary(WalkSummary):
    """Result of a walk past a place by a policy."""

    goal: float
    """Place to go past, m."""
    reached: bool
    """Whether the goal was passed without a reset."""
    x: float
    """Furthest position of the centre of mass, m."""
    reason: str
    """Why the goal was not reached."""
    plans: tuple[DistancePlan, ...]

    def details(self) -> dict[str, Any]:
        """Return the fields of the summary that only this kind of walk has."""
        head = {"goal_x": self.goal, "reached": self.reached, "x": self.x, "reason": self.reason}
        return head | {"plans": [plan.as_dict() for plan in self.plans]}


def go_past_by_policy(
    project: Project,
    x: float,
    *,
    seed: int = 0,
    world: Environment | None = None,
    reset_cost: float = RESET_COST_S,
    keep_states: bool = True,
    command: str = "",
    observer: GoalObserver | None = None,
) -> DistanceSummary:
    """Walk from the start pose until the centre of mass is past `x`, by the policy of least expected time.

    After a failure the walk continues from the node that the corrective edges lead to. An edge counts half for each of
    its failures in this run. A walk that needs a reset has not reached its goal.

    Args:
        project: the project whose graph is walked.
        x: place to go past, m.
        seed: seed of everything that is random.
        world: environment; the project's without it.
        reset_cost: cost of a reset in the policy, simulated s.
        keep_states: whether the sampled states are written to files.
        command: command line, for the log.
        observer: notified of plans and attempts.

    Raises:
        CtrlGraphError: the goal is behind the start, the ground has obstacles, or the start node fails.
        RunLogError: `runs/` cannot be written.
        SourceError: the project has errors.

    >>> from ctrlgraph import Project
    >>> from ctrlgraph.walkthrough.distance_walk import go_past_by_policy
    >>> go_past_by_policy(Project.find(), 1.0).reached
    True
    """
    world = world or project.environment()
    if world.ground().obstacles:
        raise CtrlGraphError("a policy cannot pass obstacles; without it, the walk looks ahead")
    require_place(x)
    settings = {"mode": "goto", "x": x, "policy": True, "reset_cost": reset_cost}
    with open_run(project, settings, seed=seed, world=world, command=command, observer=observer) as run:
        with run.walker(keep_states=keep_states) as walker:
            walk = _DistanceWalk(walker, run.log, x, reset_cost, observer)
            walk.go()
        reason = "interrupted" if run.interrupted else walk.reason
        return run.finish(
            DistanceSummary, goal=x, reached=not reason, x=walk.furthest, reason=reason, plans=tuple(walk.plans)
        )


class _DistanceWalk(PlaceWalk):
    """Plans and failures of a walk by a policy."""

    def __init__(
        self, walker: Walker, log: RunLog, goal: float, reset_cost: float, observer: GoalObserver | None
    ) -> None:
        super().__init__(walker, goal)
        self.plans: list[DistancePlan] = []
        self._log, self._reset_cost, self._observer = log, reset_cost, observer
        self._failed: Counter[Edge] = Counter()

    def go(self) -> None:
        """Walk until the goal is passed or given up."""
        self.walker.start()
        policy = self._policy()
        for _ in range(MAX_TAKEN):
            if self.has_arrived():
                return
            transition = policy.transition(self.walker.node, self._goal - self.walker.simulation.x)
            if transition is None:
                self.reason = f"nothing leads on from '{self.walker.node}'"
                return
            attempt = self.walker.take(transition)
            if attempt.succeeded:
                continue
            if self.has_arrived():
                return
            self._failed[transition.edge] += 1
            self.reason = failure_text(attempt)
            if self._failed.total() >= MAX_FAILURES or not self.walker.correct_until_success():
                return
            self.reason = ""
            policy = self._policy()
        self.reason = f"{MAX_TAKEN} transitions did not lead there"

    def _policy(self) -> DistancePolicy:
        walker = self.walker
        project, world = walker.project, walker.identity.world
        policy = DistancePolicy(
            walker.graph,
            self._goal,
            graph_evidence(project, self._log, world, self._failed),
            known_strides(project, self._log, world),
            walker.simulation.preview,
            self._reset_cost,
        )
        plan = policy.plan(walker.node, self._goal - walker.simulation.x)
        self.plans.append(plan)
        if self._observer is not None:
            self._observer.planned(plan)
        return policy
