"""Walks over a course: past a place, motion after motion, as the look-ahead planner chooses them; and many courses."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from ctrlgraph.errors import CtrlGraphError, SimulationError
from ctrlgraph.parallel import IsolatedProcesses, WorkerDied, stop_requested
from ctrlgraph.project.project import Project
from ctrlgraph.simulation.environment import Environment
from ctrlgraph.statistics import SuccessCount
from ctrlgraph.terrain.course import RANDOM_KINDS, RANDOM_LENGTH, RandomCourse
from ctrlgraph.terrain.obstacles import Obstacle
from ctrlgraph.walkthrough.lookahead import MAX_TRIES, LookAhead, Prospect
from ctrlgraph.walkthrough.random import begin_run, state_writer, static_nodes
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
            interrupted = False
            try:
                walk.go()
            except KeyboardInterrupt:
                walk.reason, interrupted = "interrupted", True
            here = simulation.x
            stopped = None if walk.reached else simulation.terrain.next_obstacle(walk.furthest)
        summary = CourseSummary(
            run=run.id,
            seed=seed,
            terrain=world.terrain,
            goal=x,
            reached=walk.reached,
            x=here if walk.reached else walk.furthest,
            stopped_at=stopped,
            reason=walk.reason,
            plans=tuple(walk.plans),
            tally=Tally.of(log.attempts(run.id), static_nodes(project.graph)),
            wall_s=time.perf_counter() - began,
            tries=planner.tries,
            searched_s=planner.simulated_s,
            interrupted=interrupted,
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
        self._planner = planner
        self._goal = goal
        self._observer = observer

    def go(self) -> None:
        """Walk until the goal is passed, or until it is given up."""
        self.walker.start()
        failures = stuck = 0
        best = self.walker.simulation.x
        while not self._arrived():
            if stop_requested():
                raise KeyboardInterrupt
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
        last = f"; the last of them: {prospect.failed}" if prospect.failed else ""
        return f"nothing led on from '{self.walker.node}' in {prospect.tries} tries{last}"


@dataclass(frozen=True, slots=True)
class CourseOrder:
    """One course to be walked, in whatever process."""

    directory: Path
    engine: str
    number: int
    seed: int
    terrain: str
    goal: float
    friction: float
    max_tries: int
    command: str = ""


@dataclass(frozen=True)
class CourseResult:
    """What came of one course; `summary` is None where the walk was lost, and `reason` says why."""

    number: int
    seed: int
    reached: bool
    reason: str
    obstacle: str = ""
    summary: dict[str, Any] = field(default_factory=dict)

    def as_dict(self) -> dict[str, Any]:
        keep = (
            "run",
            "terrain",
            "x",
            "transitions",
            "failed",
            "recovered",
            "simulated_s",
            "tries",
            "searched_s",
            "wall_s",
        )
        found = {name: self.summary[name] for name in keep if name in self.summary}
        return {"number": self.number, "seed": self.seed, "reached": self.reached, "reason": self.reason} | found


@dataclass(frozen=True)
class CourseBenchmark:
    """Many random courses: how many were walked to their end without a reset, and what stopped the others.

    interrupted: only these courses had ended by then.
    """

    seed: int
    length: float
    results: tuple[CourseResult, ...]
    interrupted: bool = False

    @property
    def count(self) -> SuccessCount:
        """Return the courses that were walked to their end."""
        return SuccessCount(sum(result.reached for result in self.results), len(self.results))

    @property
    def stopped_by(self) -> dict[str, int]:
        """Return how often the others ended before an obstacle of which kind, the most frequent first."""
        counts: dict[str, int] = {}
        for result in self.results:
            if not result.reached:
                counts[result.obstacle] = counts.get(result.obstacle, 0) + 1
        return dict(sorted(counts.items(), key=lambda item: -item[1]))

    def as_dict(self) -> dict[str, Any]:
        low, high = self.count.interval
        return {
            "seed": self.seed,
            "length": self.length,
            "courses": self.count.trials,
            "finished": self.count.successes,
            "low": low,
            "high": high,
            "stopped_by": self.stopped_by,
            "results": [result.as_dict() for result in self.results],
        }


def walk_courses(
    project: Project,
    *,
    count: int,
    seed: int = 0,
    length: float = RANDOM_LENGTH,
    kinds: Iterable[str] = RANDOM_KINDS,
    friction: float = 1.0,
    max_tries: int = MAX_TRIES,
    command: str = "",
    executor: Executor | None = None,
    on_result: Callable[[CourseResult], None] | None = None,
) -> CourseBenchmark:
    """Walk so many random courses to their end, each once, from the start pose; the results depend on the seed alone.

    Course i is drawn from the i-th child of the seed's SeedSequence. Ctrl-C ends them all: the courses that had
    ended by then are the results.

    Raises:
        SimulationError: the count is below 1.
        TerrainError: no course is like that.
        SourceError: the project has faults.
    """
    if count < 1:
        raise SimulationError("there must be at least one course")
    project.require_learned()
    children = np.random.SeedSequence(seed).spawn(count)
    orders = []
    for i, child in enumerate(children):
        course_seed = int(child.generate_state(1)[0])
        course = RandomCourse(course_seed, length, tuple(kinds)).draw()
        orders.append(
            CourseOrder(
                project.directory, project.engine, i, course_seed, course.words, length, friction, max_tries, command
            )
        )
    results = []
    interrupted = False
    try:
        for result in _walked(orders, executor):
            results.append(result)
            if on_result is not None:
                on_result(result)
    except KeyboardInterrupt:
        interrupted = True
        if isinstance(executor, IsolatedProcesses):
            executor.stop()
    return CourseBenchmark(seed, length, tuple(results), interrupted)


def _walked(orders: Sequence[CourseOrder], executor: Executor | None) -> Iterator[CourseResult]:
    """The results in the order of the courses; one whose process died is lost."""
    if executor is None:
        yield from map(walk_course, orders)
        return
    futures = [executor.submit(walk_course, order) for order in orders]
    try:
        for order, future in zip(orders, futures, strict=True):
            try:
                yield future.result()
            except WorkerDied as error:
                yield CourseResult(order.number, order.seed, False, str(error), "lost")
    finally:
        for future in futures:
            future.cancel()


def walk_course(order: CourseOrder) -> CourseResult:
    """Walk one course, in whatever process.

    Raises:
        KeyboardInterrupt: it was interrupted, which its run says in the log.
    """
    project = Project(order.directory, engine=order.engine)
    world = project.environment(order.terrain, order.friction)
    try:
        summary = go_past(
            project,
            order.goal,
            seed=order.seed,
            world=world,
            max_tries=order.max_tries,
            keep_states=False,
            command=order.command,
        )
    except SimulationError as error:
        return CourseResult(order.number, order.seed, False, str(error), "lost")
    if summary.interrupted:
        raise KeyboardInterrupt
    obstacle = summary.stopped_at
    named = "" if summary.reached else "plain ground" if obstacle is None else obstacle.kind.value
    return CourseResult(order.number, order.seed, summary.reached, summary.reason, named, summary.as_dict())
