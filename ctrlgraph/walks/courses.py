"""Benchmark of walks over random courses (terrains with obstacles): one walk over each, in one or more processes."""

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
    """Result of one walk of a benchmark: whether the walk reached the end of its random course, and what stopped it."""

    number: int
    """Index of the course in the benchmark."""
    seed: int
    """Seed of the random course and of the walk."""
    reached: bool
    """Whether the walk reached the end of the course without a reset."""
    reason: str
    """Why the walk did not reach the end; empty if it did."""
    obstacle: str = ""
    """Cause of the end of the walk: a kind of obstacle, "plain ground", or "lost" after an error; empty if nothing
    did."""
    summary: dict[str, Any] = field(default_factory=dict)
    """Summary of the walk as JSON data (`CourseSummary.as_dict`); empty if an error ended the walk."""

    def as_dict(self) -> dict[str, Any]:
        """Return the result as JSON data."""
        times = ("simulated_s", "tries", "searched_s", "wall_s")
        keep = ("run", "terrain", "x", "transitions", "failed", "recovered", "pushes", *times)
        found = {name: self.summary[name] for name in keep if name in self.summary}
        return {"number": self.number, "seed": self.seed, "reached": self.reached, "reason": self.reason} | found


@dataclass(frozen=True)
class CourseBenchmark:
    """Result of a benchmark: the results of the walks over all random courses."""

    seed: int
    """Seed from which the seeds of all courses are derived."""
    length: float
    """Length of each course, m."""
    results: tuple[CourseResult, ...]
    """Results of the walks, in the order of the courses."""
    interrupted: bool = False
    """Whether Ctrl-C ended the benchmark before all walks had ended."""

    @property
    def count(self) -> SuccessCount:
        """Return how many walks reached the end of their course, and how many walks there were."""
        return SuccessCount(sum(result.reached for result in self.results), len(self.results))

    @property
    def stopped_by(self) -> dict[str, int]:
        """Return how many walks each kind of obstacle stopped, by kind, the most frequent first."""
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
    size: str = "small",
    world: Environment | None = None,
    command: str = "",
    jobs: int = 1,
    on_result: Callable[[CourseResult], None] | None = None,
) -> CourseBenchmark:
    """Make one walk over each of several random courses, from the start pose.

    The results depend on the seed alone, not on `jobs`: course i is generated with the i-th child of the numpy
    `SeedSequence` of the seed. After Ctrl-C the result contains the walks that have ended.

    Args:
        project: the project whose graph is walked.
        count: number of courses.
        seed: seed of everything that is random.
        length: length of each course, m.
        kinds: kinds of obstacles that the courses can have.
        size: size of the obstacles, "small" or "human".
        world: environment of the simulations, by default that of the project. The courses replace its terrain.
        command: command line, for the log.
        jobs: number of processes.
        on_result: function that is called with the result of each walk, in the order of the courses.

    Raises:
        SimulationError: `count` is below 1.
        TerrainError: `length`, `kinds` or `size` are invalid.
        SourceError: the project has errors.
    """
    if count < 1:
        raise SimulationError(f"'count', the number of courses, must be at least 1, not {count}")
    project.require_learned()
    courses: list[tuple[int, int, str]] = []  # number, seed and terrain
    for i, child in enumerate(np.random.SeedSequence(seed).spawn(count)):
        course_seed = int(child.generate_state(1)[0])
        courses.append((i, course_seed, RandomCourse(course_seed, length, tuple(kinds), size=size).draw().words))
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
    """Yield the result of the walk over each course, in the order of the courses.

    If a worker process dies, the result of its walk is that the walk was lost.

    Args:
        walk: function that makes a walk, given the number, the seed and the terrain text of a course.
        courses: (number, seed, terrain text) of each course.
        jobs: number of processes.
    """
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
    """Make one walk over a course, and return its result.

    Args:
        directory: directory of the project.
        world: environment of the simulation, except its terrain.
        number: index of the course in the benchmark.
        seed: seed of the walk.
        terrain: description of the course as text.
        goal: position x that the centre of mass must pass, m.
        command: command line, for the log.

    Raises:
        KeyboardInterrupt: Ctrl-C ended the walk. Its run in the log is marked as finished.
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
