"""Benchmarks of random courses, each walked once, in one process or in several."""

from __future__ import annotations

import dataclasses
import functools
import itertools
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from ctrlgraph.errors import SimulationError
from ctrlgraph.parallel import IsolatedProcesses, WorkerDied
from ctrlgraph.project.project import Project
from ctrlgraph.simulation.environment import Environment
from ctrlgraph.statistics import SuccessCount
from ctrlgraph.terrain.course import RANDOM_KINDS, RANDOM_LENGTH, RandomCourse
from ctrlgraph.walks.course_walk import go_past


@dataclass(frozen=True)
class CourseResult:
    """Result of one course."""

    number: int
    """Index in the benchmark."""
    seed: int
    reached: bool
    """Whether the course was walked to its end without a reset."""
    reason: str
    """Why it was not."""
    obstacle: str = ""
    """Kind of the obstacle before which the walk ended; "lost" if there was no walk."""
    summary: dict[str, Any] = field(default_factory=dict)
    """Summary of the walk as JSON data; empty if there was no walk."""

    def as_dict(self) -> dict[str, Any]:
        """Return the result as JSON data."""
        times = ("simulated_s", "tries", "searched_s", "wall_s")
        keep = ("run", "terrain", "x", "transitions", "failed", "recovered", "pushes", *times)
        found = {name: self.summary[name] for name in keep if name in self.summary}
        return {"number": self.number, "seed": self.seed, "reached": self.reached, "reason": self.reason} | found


@dataclass(frozen=True)
class CourseBenchmark:
    """Result of a benchmark of random courses."""

    seed: int
    length: float
    """Length of each course, m."""
    results: tuple[CourseResult, ...]
    interrupted: bool = False
    """Whether Ctrl-C ended the benchmark before all courses had ended."""

    @property
    def count(self) -> SuccessCount:
        """Return the count of courses that were walked to their end."""
        return SuccessCount(sum(result.reached for result in self.results), len(self.results))

    @property
    def stopped_by(self) -> dict[str, int]:
        """Return how often each kind of obstacle stopped a walk, the most frequent first."""
        return dict(Counter(result.obstacle for result in self.results if not result.reached).most_common())

    def as_dict(self) -> dict[str, Any]:
        """Return the benchmark as JSON data."""
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
    world: Environment | None = None,
    command: str = "",
    jobs: int = 1,
    on_result: Callable[[CourseResult], None] | None = None,
) -> CourseBenchmark:
    """Walk random courses, each once from the start pose; the results depend on the seed alone.

    Course i is drawn from the i-th child of the seed's SeedSequence. Ctrl-C ends the benchmark; the courses that have
    ended by then are the results.

    Args:
        project: the project whose graph is walked.
        count: number of courses.
        seed: seed of everything that is random.
        length: length of each course, m.
        kinds: kinds of obstacles.
        world: environment, whose terrain is replaced; the project's without it.
        command: command line, for the log.
        jobs: number of processes.
        on_result: called with each result, in the order of the courses.

    Raises:
        SimulationError: the count is below 1.
        TerrainError: the length or kinds are invalid.
        SourceError: the project has errors.
    """
    if count < 1:
        raise SimulationError("there must be at least one course")
    project.require_learned()
    courses: list[tuple[int, int, str]] = []  # number, seed and terrain
    for i, child in enumerate(np.random.SeedSequence(seed).spawn(count)):
        course_seed = int(child.generate_state(1)[0])
        courses.append((i, course_seed, RandomCourse(course_seed, length, tuple(kinds)).draw().words))
    walk = functools.partial(
        walk_course, project.directory, world or project.environment(), goal=length, command=command
    )
    results = []
    interrupted = False
    try:
        for result in _results(walk, courses, jobs):
            results.append(result)
            if on_result is not None:
                on_result(result)
    except KeyboardInterrupt:
        interrupted = True
    return CourseBenchmark(seed, length, tuple(results), interrupted)


def _results(
    walk: Callable[[int, int, str], CourseResult], courses: Sequence[tuple[int, int, str]], jobs: int
) -> Iterator[CourseResult]:
    """Yield the results in the order of the courses; a course whose process died is lost."""
    if jobs == 1:
        yield from itertools.starmap(walk, courses)
        return
    with IsolatedProcesses(jobs) as pool:
        futures = [pool.submit(walk, *course) for course in courses]
        for (number, seed, _), future in zip(courses, futures, strict=True):
            try:
                yield future.result()
            except WorkerDied as error:
                yield CourseResult(number, seed, False, str(error), "lost")


def walk_course(
    directory: Path, world: Environment, number: int, seed: int, terrain: str, *, goal: float, command: str
) -> CourseResult:
    """Walk one course.

    Args:
        directory: the project.
        world: environment, whose terrain is replaced.
        number: index of the course in the benchmark.
        seed: seed of the walk.
        terrain: the course in words.
        goal: place to go past, m.
        command: command line, for the log.

    Raises:
        KeyboardInterrupt: the walk was interrupted; its run in the log is finished.
    """
    project = Project(directory, engine=world.engine)
    world = dataclasses.replace(world, terrain=terrain)
    try:
        summary = go_past(project, goal, seed=seed, world=world, keep_states=False, command=command)
    except SimulationError as error:
        return CourseResult(number, seed, False, str(error), "lost")
    if summary.interrupted:
        raise KeyboardInterrupt
    obstacle = summary.stopped_at
    kind = "" if summary.reached else "plain ground" if obstacle is None else obstacle.kind.value
    return CourseResult(number, seed, summary.reached, summary.reason, kind, summary.as_dict())
