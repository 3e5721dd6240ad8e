"""Walks over a course (terrain with obstacles) to a given position x. The look-ahead planner chooses transitions."""

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

EFFORTS = (1, 2)
"""Search efforts: factors of the maximum number of transitions that the planner simulates for one plan.

A walk begins with the first factor. After a plan without progress it uses the next factor, and after progress the first
one again. After a plan without progress with the last factor, the walk is given up.
"""
MAX_PLACE_M = 1e4
"""Upper bound of the position x to which a walk can go, m."""
_MIN_PROGRESS = 1.0  # minimum progress of an incomplete plan that passes no obstacle, m


@dataclass(frozen=True, kw_only=True)
class CourseSummary(WalkSummary):
    """Result of a walk over a course: whether the goal was reached, and where and why the walk stopped."""

    terrain: str
    """Description of the terrain, such as "course=9:gap:0.3:1"."""
    goal: float
    """Position x that the centre of mass had to pass, m."""
    reached: bool
    """Whether the centre of mass passed the goal without a reset."""
    x: float
    """Largest position x of the centre of mass during the walk, m."""
    stopped_at: Obstacle | None
    """First obstacle beyond the furthest position; None if there is no obstacle or the goal was reached."""
    reason: str
    """Why the goal was not reached; empty if the goal was reached."""
    plans: tuple[Prospect, ...]
    """All plans of the look-ahead planner, in the order in which they were made."""
    tries: int
    """Number of transitions that the planner tried in its copy of the simulation."""
    searched_s: float
    """Simulated duration of all transitions that the planner tried, s."""

    def details(self) -> dict[str, Any]:
        """Return the fields of the summary that only this kind of walk has, as JSON data."""
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
    """Walk from the start pose over the obstacles of the terrain until the centre of mass has passed `x`.

    The planner tries transitions in a copy of the simulation before the walk takes them (`walks.lookahead`). After a
    failure the walk takes corrective edges. If these do not lead to a static pose, the walk ends before its goal.

    Args:
        project: the project whose graph is walked.
        x: position that the centre of mass must pass, m. The walk starts at 0.
        seed: seed of everything that is random.
        world: environment of the simulation; by default that of the project.
        keep_states: whether the sampled states of the walk are written to files.
        command: command line, for the log.
        observer: object that is notified of plans and attempts (executions of nodes).

    Raises:
        CtrlGraphError: `x` is not between 0 and `MAX_PLACE_M`, or the start node fails.
        RunLogError: `runs/` cannot be written.
        SourceError: the project has errors.

    >>> from ctrlgraph import Environment, Project
    >>> from ctrlgraph.walks.course_walk import go_past
    >>> go_past(Project.find(), 1.0, world=Environment("course=9:gap:0.3:1")).reached
    True
    """
    if not 0.0 < x < MAX_PLACE_M:
        raise CtrlGraphError(f"the goal position x must be between 0 and {MAX_PLACE_M:g} m, not {x:g} m")
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


def is_progress(prospect: Prospect, best: float, planner: LookAhead) -> bool:
    """Return whether a plan leads on: small movements before an obstacle do not, nor does lying behind it.

    Args:
        prospect: the plan.
        best: furthest position at which an earlier plan ended, m.
        planner: the planner that made the plan.
    """
    if prospect.end <= best or not planner.ends_on_feet(prospect):
        return False
    return prospect.complete or bool(prospect.passes) or prospect.end > best + _MIN_PROGRESS


class _CourseWalk:
    """A walk over a course in progress: its largest x, its plans, and the reason of its last failure."""

    def __init__(self, walker: Walker, planner: LookAhead, goal: float, observer: WalkObserver | None) -> None:
        self.furthest = 0.0
        self.reason = ""
        self.plans: list[Prospect] = []
        self.reached = False
        self.walker = walker
        self._planner, self._goal, self._observer = planner, goal, observer

    def has_arrived(self) -> bool:
        """Update the largest x of the centre of mass, and return whether the goal is passed."""
        self.furthest = max(self.furthest, self.walker.simulation.x)
        return self.walker.simulation.x >= self._goal

    def go(self) -> None:
        """Walk until the centre of mass has passed the goal, or the walk is given up."""
        self.walker.start()
        blocking = self._too_large()
        if blocking is not None:
            self.reason = _nothing_takes(blocking, self.walker.graph)
            return
        failures = stuck = 0
        best = self.walker.simulation.x
        while not self.has_arrived():
            snapshot = self.walker.simulation.snapshot()
            prospect = self._planner.plan(self.walker.node, snapshot, self._goal, effort=EFFORTS[stuck])
            self.plans.append(prospect)
            if self._observer is not None:
                self._observer.looked_ahead(prospect)
            stuck = 0 if is_progress(prospect, best, self._planner) else stuck + 1
            best = max(best, prospect.end)
            if stuck >= len(EFFORTS) or (prospect.exhausted and not prospect.path):
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
        """Take the transitions of a plan until one fails or the goal is passed. Return the failure as text, or ""."""
        for transition in prospect.path:
            attempt = self.walker.take(transition)
            if not attempt.succeeded:
                return failure_text(attempt)
            if self.has_arrived():
                break
        return ""

    def _no_progress(self, prospect: Prospect) -> str:
        tried = f"no transition led further from '{self.walker.node}' in {prospect.tries} tries"
        obstacle = self._impassable()
        if obstacle is not None:
            return f"{_nothing_takes(obstacle, self.walker.graph)}; {tried}"
        return f"{tried}; the last failure: {prospect.failed}" if prospect.failed else tried

    def _too_large(self) -> Obstacle | None:
        """Return the first obstacle before the goal that is larger than any that an edge can cross; None if none is."""
        obstacles: tuple[Obstacle, ...] = self.walker.simulation.terrain.obstacles
        ahead = (each for each in obstacles if self.walker.simulation.x <= each.start < self._goal)
        return next((each for each in ahead if each.size > self._greatest(each.kind)), None)

    def _greatest(self, kind: ObstacleKind) -> float:
        """Return the largest size of an obstacle of this kind that an edge can cross, m; inf without such edges.

        There is no lower limit, because a gait can pass low obstacles without an edge that is made for them.
        """
        taken = sizes_taken((wanted for _, wanted in self.walker.graph.takeoffs), kind)
        return max((high for _, high in taken), default=math.inf)

    def _impassable(self) -> Obstacle | None:
        """Return the first obstacle that the next plan must pass but that no edge can cross; None if there is none.

        The next plan must pass the obstacles in sight, and those that follow another one without enough level ground to
        stop between them.
        """
        simulation, graph = self.walker.simulation, self.walker.graph
        behind = simulation.x + SIGHT
        obstacles: tuple[Obstacle, ...] = simulation.terrain.obstacles
        for obstacle in obstacles:
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
    sizes = f"its edges are for a {obstacle.kind} of {known}" if taken else f"no edge is for a {obstacle.kind}"
    what = f"the {obstacle.kind} of {obstacle.size:.2f} m at {obstacle.start:.1f} m"
    return f"the graph has no edge for {what}: {sizes}"


def _range(sizes: Interval) -> str:
    """Return a range of sizes, m, as text. A lower limit of 0 is omitted, because sizes are never negative."""
    low, high = sizes
    text = range_text(low if low > 0.0 else -math.inf, high, "m", number="{:.2f}")
    return "any size" if text == "any" else text
