"""Walks over a course up to a place. The look-ahead planner chooses the transitions."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from ctrlgraph.errors import CtrlGraphError
from ctrlgraph.graph.ground import Interval, sizes_taken
from ctrlgraph.graph.model import ControllerGraph
from ctrlgraph.project.project import Project
from ctrlgraph.simulation.environment import Environment
from ctrlgraph.simulation.measures import range_text
from ctrlgraph.terrain.obstacles import Obstacle, ObstacleKind
from ctrlgraph.terrain.terrain import SIGHT
from ctrlgraph.walks.logged_walk import MAX_FAILURES, WalkSummary, open_run
from ctrlgraph.walks.lookahead import LEVEL_BEHIND, LookAhead, Prospect
from ctrlgraph.walks.walker import Walker, WalkObserver, failure_text

EFFORTS = (1, 3)
"""Search effort for a plan. After a plan without progress, the next plan gets the next effort; after the last effort,
the walk is given up."""
MAX_PLACE_M = 1e4
"""Upper bound of the goal of a walk, m."""
_MIN_PROGRESS = 0.1  # minimum progress of a plan, m


@dataclass(frozen=True, kw_only=True)
class CourseSummary(WalkSummary):
    """Result of a walk past a place."""

    terrain: str
    goal: float
    """Place that the centre of mass must pass, m."""
    reached: bool
    """Whether the goal was passed without a reset."""
    x: float
    """Furthest position of the centre of mass, m."""
    stopped_at: Obstacle | None
    """Next obstacle when the walk was given up."""
    reason: str
    """Why the goal was not reached."""
    plans: tuple[Prospect, ...]
    tries: int
    """Transitions that the planner simulated."""
    searched_s: float
    """Simulated time of these tries, s."""

    def details(self) -> dict[str, Any]:
        """Return the fields of the summary that only this kind of walk has."""
        obstacle = self.stopped_at
        return {
            "terrain": self.terrain,
            "goal_x": self.goal,
            "reached": self.reached,
            "x": self.x,
            "reason": self.reason,
            "obstacle": None
            if obstacle is None
            else {"kind": obstacle.kind.value, "x": obstacle.start, "size": obstacle.size},
            "tries": self.tries,
            "searched_s": self.searched_s,
        }


def go_past(
    project: Project,
    x: float,
    *,
    seed: int = 0,
    world: Environment | None = None,
    keep_states: bool = True,
    command: str = "",
    observer: WalkObserver | None = None,
) -> CourseSummary:
    """Walk from the start pose until the centre of mass is past `x`, over the obstacles on the way.

    The planner tries transitions in a copy of the simulation before each of them is taken (`walks.lookahead`).
    After a failure, corrective edges are taken; a walk that needs a reset has not reached its goal.

    Args:
        project: the project whose graph is walked.
        x: place to go past, m.
        seed: seed of everything that is random.
        world: environment; the project's without it.
        keep_states: whether the sampled states are written to files.
        command: command line, for the log.
        observer: notified of plans and attempts.

    Raises:
        CtrlGraphError: the goal is behind the start, or the start node fails.
        RunLogError: `runs/` cannot be written.
        SourceError: the project has errors.

    >>> from ctrlgraph import Environment, Project
    >>> from ctrlgraph.walks.course_walk import go_past
    >>> go_past(Project.find(), 1.0, world=Environment("course=9:gap:0.3:1")).reached
    True
    """
    if not 0.0 < x < MAX_PLACE_M:
        raise CtrlGraphError(f"the place to go past must lie between 0 and {MAX_PLACE_M:g} m, not at {x:g} m")
    world = world or project.environment()
    world.ground()
    settings = {"mode": "goto", "x": x}
    with open_run(project, settings, seed=seed, world=world, command=command, observer=observer) as run:
        with run.walker(keep_states=keep_states) as walker, LookAhead(project, world, walker.identity.seed) as planner:
            walk = _CourseWalk(walker, planner, x, observer)
            walk.go()
        return run.finish(
            CourseSummary,
            terrain=world.terrain,
            goal=x,
            reached=walk.reached,
            x=walk.furthest,
            stopped_at=None if walk.reached else world.ground().next_obstacle(walk.furthest),
            reason="interrupted" if run.interrupted else walk.reason,
            plans=tuple(walk.plans),
            tries=planner.tries,
            searched_s=planner.simulated_s,
        )


class _CourseWalk:
    """Progress, plans and failures of a walk over a course."""

    def __init__(self, walker: Walker, planner: LookAhead, goal: float, observer: WalkObserver | None) -> None:
        self.furthest = 0.0
        self.reason = ""
        self.plans: list[Prospect] = []
        self.reached = False
        self.walker = walker
        self._planner, self._goal, self._observer = planner, goal, observer

    def has_arrived(self) -> bool:
        """Update the furthest place, and return whether the centre of mass is past the goal."""
        self.furthest = max(self.furthest, self.walker.simulation.x)
        return self.walker.simulation.x >= self._goal

    def go(self) -> None:
        """Walk until the goal is passed or given up."""
        self.walker.start()
        failures = stuck = 0
        best = self.walker.simulation.x
        while not self.has_arrived():
            blocking = self._impassable()
            if blocking is not None and blocking.size > self._greatest(blocking.kind):
                self.reason = _nothing_takes(blocking, self.walker.graph)
                return
            snapshot = self.walker.simulation.snapshot()
            prospect = self._planner.plan(self.walker.node, snapshot, self._goal, effort=EFFORTS[stuck])
            self.plans.append(prospect)
            if self._observer is not None:
                self._observer.looked_ahead(prospect)
            # steps back and forth in front of an obstacle are not progress
            stuck = 0 if prospect.end > best + _MIN_PROGRESS else stuck + 1
            best = max(best, prospect.end)
            if stuck >= len(EFFORTS):
                self.reason = self._no_progress(prospect)
                return
            failure = self._take(prospect)
            if failure:
                failures += 1
                self.reason = failure
                if failures >= MAX_FAILURES or not self.walker.recover():
                    return
        self.reached, self.reason = True, ""

    def _take(self, prospect: Prospect) -> str:
        """Take the transitions of a plan. Return the reason for a failure, or an empty string."""
        for transition in prospect.path:
            attempt = self.walker.take(transition)
            if not attempt.succeeded:
                return failure_text(attempt)
            if self.has_arrived():
                break
        return ""

    def _no_progress(self, prospect: Prospect) -> str:
        tried = f"nothing led on from '{self.walker.node}' in {prospect.tries} tries"
        obstacle = self._impassable()
        if obstacle is not None:
            return f"{_nothing_takes(obstacle, self.walker.graph)}; {tried}"
        return f"{tried}; the last of them: {prospect.failed}" if prospect.failed else tried

    def _greatest(self, kind: ObstacleKind) -> float:
        """Return the greatest size of an obstacle that an edge is for, m; inf if no edge is for the kind.

        Gaits without an edge for an obstacle may pass a low one, so only the greatest size is a limit.
        """
        taken = sizes_taken((wanted for _, wanted in self.walker.graph.takeoffs), kind)
        return max((high for _, high in taken), default=math.inf)

    def _impassable(self) -> Obstacle | None:
        """Return the first obstacle without an edge for it, among those that one plan would have to pass."""
        simulation, graph = self.walker.simulation, self.walker.graph
        behind = simulation.x + SIGHT
        for obstacle in simulation.terrain.obstacles:
            if obstacle.start < simulation.x:
                continue
            if obstacle.start > behind:
                break
            if not any(wanted.takes(obstacle.kind, obstacle.size) for _, wanted in graph.takeoffs):
                return obstacle
            behind = obstacle.end + LEVEL_BEHIND
        return None


def _nothing_takes(obstacle: Obstacle, graph: ControllerGraph) -> str:
    taken = sizes_taken((wanted for _, wanted in graph.takeoffs), obstacle.kind)
    known = " and ".join(map(_range, taken))
    sizes = f"its edges take a {obstacle.kind} of {known}" if taken else f"no edge is for a {obstacle.kind}"
    return f"nothing in the graph takes the {obstacle.kind} of {obstacle.size:.2f} m at {obstacle.start:.1f} m: {sizes}"


def _range(sizes: Interval) -> str:
    """Return sizes in words. Sizes are never negative, so a lower bound of 0 is omitted."""
    low, high = sizes
    text = range_text(low if low > 0.0 else -math.inf, high, "m", number="{:.2f}")
    return "any size" if text == "any" else text
