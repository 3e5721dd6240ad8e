"""Walks past a place on ground without obstacles, by the policy that the log gives."""

from __future__ import annotations

import contextlib
import time
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from ctrlgraph.errors import CtrlGraphError
from ctrlgraph.graph.distance_policy import DistancePlan, DistancePolicy
from ctrlgraph.graph.model import Edge
from ctrlgraph.graph.transition_model import RESET_COST_S
from ctrlgraph.simulation.environment import Environment
from ctrlgraph.walkthrough.evidence import graph_evidence, known_strides
from ctrlgraph.walkthrough.goal import MAX_FAILURES, MAX_TAKEN
from ctrlgraph.walkthrough.random import begin_run, static_nodes
from ctrlgraph.walkthrough.random_walk import state_writer
from ctrlgraph.walkthrough.tally import Tally
from ctrlgraph.walkthrough.walker import Walker, WalkIdentity, WalkObserver

if TYPE_CHECKING:
    from ctrlgraph.project.project import Project
    from ctrlgraph.runs.store import RunLog


class DistanceObserver(WalkObserver, Protocol):
    """Who watches a walk past a place: also told each plan before it is taken."""

    def run_began(self, run: str, seed: int) -> None: ...

    def planned(self, plan: DistancePlan) -> None: ...


@dataclass(frozen=True)
class DistanceSummary:
    """What came of a walk past a place by a policy.

    goal: the place, m; reached: without beginning anew; x: how far the centre of mass came, m; reason: why it was not
    reached; plans: in the order in which they were made.
    """

    run: str
    seed: int
    goal: float
    reached: bool
    x: float
    reason: str
    plans: tuple[DistancePlan, ...]
    tally: Tally
    wall_s: float
    interrupted: bool = False
    warnings: tuple[str, ...] = ()

    def as_dict(self) -> dict[str, Any]:
        """Return the object that `ctrlgraph goto --x METRES --policy --json` prints."""
        head = {"run": self.run, "seed": self.seed, "goal_x": self.goal, "reached": self.reached, "x": self.x}
        plans = [plan.as_dict() for plan in self.plans]
        return head | {"reason": self.reason, "plans": plans} | self.tally.as_dict() | {"wall_s": self.wall_s}


def go_past_by_policy(
    project: Project,
    x: float,
    *,
    seed: int = 0,
    world: Environment | None = None,
    reset_cost: float = RESET_COST_S,
    keep_states: bool = True,
    command: str = "",
    observer: DistanceObserver | None = None,
) -> DistanceSummary:
    """Walk from the start pose until the centre of mass is past `x` (m), by the policy of the least expected time.

    After a failure it goes on from the node that answers it; edges that failed in this run count half each time. A walk
    that has to begin anew has not reached its goal.

    Args:
        reset_cost: what the policy takes beginning anew for, simulated s.

    Raises:
        CtrlGraphError: the goal is behind the start, the ground has obstacles, or the start node fails.
        RunLogError: `runs/` cannot be written.
        SourceError: the project has faults.

    >>> from ctrlgraph import Project
    >>> from ctrlgraph.walkthrough.distance_walk import go_past_by_policy
    >>> go_past_by_policy(Project.find(), 1.0).reached
    True
    """
    world = world or project.environment()
    if world.ground().obstacles:
        raise CtrlGraphError("a policy knows no obstacles: without it, the ground ahead is looked at")
    if not 0.0 < x < 1e4:
        raise CtrlGraphError(f"the place to go to lies ahead, within 10000 m, not at {x:g}")
    project.require_learned()
    began = time.perf_counter()
    with project.log() as log:
        settings = {"mode": "goto", "x": x, "policy": True, "reset_cost": reset_cost}
        run = begin_run(project, log, command, seed, world, settings)
        if observer is not None:
            observer.run_began(run.id, seed)
        walk_seed = int(np.random.SeedSequence(seed).spawn(1)[0].generate_state(1)[0])
        identity = WalkIdentity(run.id, 0, walk_seed, world.digest, world.body.length)
        states = state_writer(project, run.id, 0) if keep_states else None
        with (
            world.simulation(project.character, walk_seed, keep_trace=False) as simulation,
            states or contextlib.nullcontext(),
        ):
            walker = Walker(project, simulation, log, identity, observer, states)
            walk = _DistanceWalk(walker, log, x, reset_cost, observer)
            try:
                walk.go()
            except KeyboardInterrupt:
                walk.reason, walk.interrupted = "interrupted", True
        summary = DistanceSummary(
            run=run.id,
            seed=seed,
            goal=x,
            reached=not walk.reason,
            x=walk.furthest,
            reason=walk.reason,
            plans=tuple(walk.plans),
            tally=Tally.of(log.attempts(run.id), static_nodes(project.graph)),
            wall_s=time.perf_counter() - began,
            interrupted=walk.interrupted,
            warnings=() if states is None or states.fault is None else (states.fault,),
        )
        log.finish_run(run.id, time.time(), summary.as_dict())
    return summary


class _DistanceWalk:
    """The state of a walk past a place; reason: why it is not there, empty where it is."""

    def __init__(
        self, walker: Walker, log: RunLog, goal: float, reset_cost: float, observer: DistanceObserver | None
    ) -> None:
        self.walker = walker
        self.plans: list[DistancePlan] = []
        self.reason = ""
        self.interrupted = False
        self.furthest = 0.0
        self._log, self._goal, self._reset_cost, self._observer = log, goal, reset_cost, observer
        self._failed: Counter[Edge] = Counter()

    def go(self) -> None:
        """Walk until the goal is passed, or until it is given up."""
        self.walker.start()
        policy = self._policy()
        for _ in range(MAX_TAKEN):
            if self._arrived():
                return
            transition = policy.transition(self.walker.node, self._goal - self.walker.simulation.x)
            if transition is None:
                self.reason = f"nothing leads on from '{self.walker.node}'"
                return
            attempt = self.walker.take(transition)
            if attempt.succeeded:
                continue
            if self._arrived():
                return
            self._failed[transition.edge] += 1
            self.reason = f"{attempt.node} {attempt.status}: {attempt.reason}".removesuffix(": ")
            if self._failed.total() >= MAX_FAILURES or not self.walker.answer_failure(anew=False):
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

    def _arrived(self) -> bool:
        self.furthest = max(self.furthest, self.walker.simulation.x)
        return self.walker.simulation.x >= self._goal
