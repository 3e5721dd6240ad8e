"""Walks over a course: past a place, motion after motion, as the look-ahead planner chooses them."""

from __future__ import annotations

import contextlib
import math
import time
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from ctrlgraph.errors import CtrlGraphError
from ctrlgraph.graph.ground import Interval, sizes_taken
from ctrlgraph.graph.model import ControllerGraph
from ctrlgraph.project.project import Project
from ctrlgraph.simulation.environment import Environment
from ctrlgraph.simulation.measures import range_text
from ctrlgraph.terrain.obstacles import Obstacle
from ctrlgraph.terrain.profile import SIGHT
from ctrlgraph.walkthrough.lookahead import LEVEL_BEHIND, MAX_TRIES, LookAhead, Prospect
from ctrlgraph.walkthrough.random import begin_run, static_nodes
from ctrlgraph.walkthrough.random_walk import state_writer
from ctrlgraph.walkthrough.tally import Tally
from ctrlgraph.walkthrough.walker import Walker, WalkIdentity, WalkObserver

MAX_FAILURES = 10
"""After so many failed transitions the walk is given up."""
EFFORTS = (1, 3)
"""How much is tried for a plan, and for the next one after it has led no further; then the walk is given up."""
_ONWARD = 0.1  # less is no way on, m


class CourseObserver(WalkObserver, Protocol):
    """Who watches a walk over a course: also told each plan before it is taken."""

    def run_began(self, run: str, seed: int) -> None: ...

    def looked_ahead(self, prospect: Prospect) -> None: ...


@dataclass(frozen=True)
class CourseSummary:
    """What came of a walk past a place.

    goal: the place, m; reached: without a reset; x: how far the centre of mass came, m; stopped_at: the obstacle
    before which it was given up; reason: why it was not reached; tries and searched_s: transitions that the planner
    simulated, and for so long.
    """

    run: str
    seed: int
    terrain: str
    goal: float
    reached: bool
    x: float
    stopped_at: Obstacle | None
    reason: str
    plans: tuple[Prospect, ...]
    tally: Tally
    wall_s: float
    tries: int = 0
    searched_s: float = 0.0
    interrupted: bool = False
    warnings: tuple[str, ...] = ()

    def as_dict(self) -> dict[str, Any]:
        obstacle = self.stopped_at
        return {
            "run": self.run,
            "seed": self.seed,
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
            **self.tally.as_dict(),
            "wall_s": self.wall_s,
        }


def go_past(
    project: Project,
    x: float,
    *,
    seed: int = 0,
    world: Environment | None = None,
    max_tries: int = MAX_TRIES,
    keep_states: bool = True,
    command: str = "",
    observer: CourseObserver | None = None,
) -> CourseSummary:
    """Walk from the start pose until the centre of mass is past `x` (m), over what stands in the way.

    Before each plan the ground ahead is looked at, and transitions are tried in a copy of the simulation
    (`walkthrough.lookahead`). After a failure the corrective edges are followed; a walk that has to begin anew has not
    reached its goal.

    Raises:
        CtrlGraphError: the goal is behind the start, or the start node fails.
        RunLogError: `runs/` cannot be written.
        SourceError: the project has faults.

    >>> from ctrlgraph import Environment, Project
    >>> from ctrlgraph.walkthrough.course_walk import go_past
    >>> go_past(Project.find(), 1.0, world=Environment("course=9:gap:0.3:1")).reached
    True
    """
    if not 0.0 < x < 1e4:
        raise CtrlGraphError(f"the place to go to lies ahead, within 10000 m, not at {x:g}")
    world = world or project.environment()
    world.ground()
    project.require_learned()
    began = time.perf_counter()
    with project.log() as log:
        run = begin_run(project, log, command, seed, world, {"mode": "goto", "x": x})
        if observer is not None:
            observer.run_began(run.id, seed)
        walk_seed = int(np.random.SeedSequence(seed).spawn(1)[0].generate_state(1)[0])
        identity = WalkIdentity(run.id, 0, walk_seed, world.digest, world.body.length)
        states = state_writer(project, run.id, 0) if keep_states else None
        with (
            world.simulation(project.character, walk_seed, keep_trace=False) as simulation,
            LookAhead(project, world, walk_seed, max_tries=max_tries) as planner,
            states or contextlib.nullcontext(),
        ):
            walk = _CourseWalk(Walker(project, simulation, log, identity, observer, states), planner, x, observer)
            walk.go_or_be_interrupted()
        summary = CourseSummary(
            run=run.id,
            seed=seed,
            terrain=world.terrain,
            goal=x,
            reached=walk.reached,
            x=walk.furthest,
            stopped_at=None if walk.reached else world.ground().next_obstacle(walk.furthest),
            reason=walk.reason,
            plans=tuple(walk.plans),
            tally=Tally.of(log.attempts(run.id), static_nodes(project.graph)),
            wall_s=time.perf_counter() - began,
            tries=planner.tries,
            searched_s=planner.simulated_s,
            interrupted=walk.interrupted,
            warnings=() if states is None or states.fault is None else (states.fault,),
        )
        log.finish_run(run.id, time.time(), summary.as_dict())
    return summary


class _CourseWalk:
    """The state of a walk past a place: plans made, failures, how far it came."""

    def __init__(self, walker: Walker, planner: LookAhead, goal: float, observer: CourseObserver | None) -> None:
        self.walker = walker
        self.plans: list[Prospect] = []
        self.reached = False
        self.reason = ""
        self.furthest = 0.0
        self.interrupted = False
        self._planner = planner
        self._goal = goal
        self._observer = observer

    def go_or_be_interrupted(self) -> None:
        """Walk as `go` does, and note where Ctrl-C has ended it."""
        try:
            self.go()
        except KeyboardInterrupt:
            self.reason, self.interrupted = "interrupted", True

    def go(self) -> None:
        """Walk until the goal is passed, or until it is given up."""
        self.walker.start()
        failures = stuck = 0
        best = self.walker.simulation.x
        while not self._arrived():
            # where a plan led nowhere, the next one is looked for longer
            here = self.walker.simulation.snapshot()
            prospect = self._planner.plan(self.walker.node, here, self._goal, effort=EFFORTS[stuck])
            self.plans.append(prospect)
            if self._observer is not None:
                self._observer.looked_ahead(prospect)
            # to and fro before an obstacle is no way on, however often
            stuck = 0 if prospect.end > best + _ONWARD else stuck + 1
            best = max(best, prospect.end)
            if stuck >= len(EFFORTS):
                self.reason = self._no_way_on(prospect)
                return
            failed = self._take(prospect)
            if failed:
                failures += 1
                self.reason = failed
                if failures >= MAX_FAILURES or not self.walker.recover():
                    return
        self.reached, self.reason = True, ""

    def _arrived(self) -> bool:
        self.furthest = max(self.furthest, self.walker.simulation.x)
        return self.walker.simulation.x >= self._goal

    def _take(self, prospect: Prospect) -> str:
        """Take the transitions of a plan; why one of them failed, empty where none did."""
        for transition in prospect.path:
            attempt = self.walker.take(transition)
            if not attempt.succeeded:
                return f"{attempt.node} {attempt.status}: {attempt.reason}".removesuffix(": ")
            if self._arrived():
                break
        return ""

    def _no_way_on(self, prospect: Prospect) -> str:
        tried = f"nothing led on from '{self.walker.node}' in {prospect.tries} tries"
        obstacle = self._not_taken()
        if obstacle is not None:
            return f"{_nothing_takes(obstacle, self.walker.graph)}; {tried}"
        return f"{tried}; the last of them: {prospect.failed}" if prospect.failed else tried

    def _not_taken(self) -> Obstacle | None:
        """The obstacle ahead that no edge of the graph is for, of those that a plan would have to pass at once."""
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
    """Sizes in words: none is below 0, so that a range from there on has no lower end."""
    low, high = sizes
    told = range_text(low if low > 0.0 else -math.inf, high, "m", number="{:.2f}")
    return "any size" if told == "any" else told
