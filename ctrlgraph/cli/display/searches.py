"""Output of searches for better constants of controllers: progress, the table of cost terms, and JSON."""

from __future__ import annotations

import contextlib
import math
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from ctrlgraph.cli import console

if TYPE_CHECKING:
    from ctrlgraph.learning.problem import Problem
    from ctrlgraph.learning.search import SearchResult

QUIET_S = 10.0
"""Minimum time between two lines about the progress of a search if stderr is not a terminal, s."""


def print_problem(problem: Problem, left_out: Sequence[str], seed: int) -> None:
    """Print on stderr how many parameters and cases (simulated situations) a search has, and which cases are skipped.

    Args:
        problem: Parameters and cases of the search.
        left_out: Sentence about each skipped case, with the reason.
        seed: Seed of the search.
    """
    console.echo(f"{len(problem.search_space)} parameters, {len(problem.cases)} cases, seed {seed}", err=True)
    for line in left_out:
        console.echo(f"skipped: {line}", err=True)


@contextlib.contextmanager
def showing_search(
    generations: int, title: str, seconds: float | None = None
) -> Iterator[Callable[[SearchResult], None]]:
    """Show the progress of a search on stderr during a `with` block: a bar on a terminal, otherwise lines.

    Args:
        generations: Maximum number of generations of the search.
        title: Text next to the bar at the beginning.
        seconds: Maximum wall time of the search, s. None: unlimited.

    Yields:
        Function to call after each generation with the state of the search.
    """
    limit = math.inf if seconds is None else seconds
    if console.stderr().is_terminal:
        with console.progress(title, total=generations) as (bar, task):
            yield lambda done: bar.update(task, completed=done.generations, description=_line(done, generations, limit))
        return
    due = 0.0

    def say(done: SearchResult) -> None:
        nonlocal due
        if done.wall_s >= due:
            due = done.wall_s + QUIET_S
            console.echo(_line(done, generations, limit), err=True)

    yield say


def _line(done: SearchResult, generations: int, seconds: float) -> str:
    rate = done.evaluations / done.wall_s if done.wall_s > 0 else 0.0
    left = (generations - done.generations) * done.wall_s / max(done.generations, 1)
    left = max(0.0, min(left, seconds - done.wall_s))
    return (
        f"generation {done.generations} of {generations}: cost {done.best.cost:.4g},"
        f" {done.best.succeeded} of {done.best.cases} cases succeed, step size {done.optimizer.sigma:.3g},"
        f" {rate:.1f} evaluations/s, at most {left:.0f} s left"
    )


def print_validating(trials: int) -> None:
    """Print on stderr that the validation of a search begins, with `trials` cases that the search has not used."""
    console.echo(f"validating {trials} held-out cases, with the constants before and after the search", err=True)


def print_search(result: SearchResult, processes: int) -> None:
    """Print the result of a search: the cost and its terms before and after the search, and its duration.

    Args:
        result: Result of the search.
        processes: Number of worker processes.
    """
    first, best = result.first, result.best
    rows = [("cost", f"{first.cost:.4g}", f"{best.cost:.4g}")]
    rows.append(("successful cases", f"{first.succeeded} of {first.cases}", f"{best.succeeded} of {best.cases}"))
    rows += [(name, f"{first.terms[name]:.4g}", f"{best.terms[name]:.4g}") for name in first.terms]
    console.print_table(("", "before", "after"), rows, right=("before", "after"))
    for when, score in (("before", first), ("after", best)):
        if score.succeeded < score.cases and score.reason:
            console.echo(f"the worst case {when}: {score.reason}")
    rate = result.evaluations / result.wall_s if result.wall_s > 0 else 0.0
    console.stdout().print(
        f"{result.generations} generations, {result.evaluations} evaluations in {result.wall_s:.0f} s"
        f" ({rate:.1f}/s, {result.simulated_s:.0f} s simulated, {100 * physics_share(result, processes):.0f} % of the"
        f" time of {processes} process{'es' * (processes != 1)}): {result.stopped}"
    )


def physics_share(result: SearchResult, processes: int) -> float:
    """Return the share of the worker processes' wall time that they spent on simulation, 0 to 1.

    Args:
        result: Result of a search.
        processes: Number of worker processes.
    """
    return min(1.0, result.physics_s / (result.wall_s * processes)) if result.wall_s > 0 else 0.0


def search_dict(result: SearchResult, processes: int) -> dict[str, Any]:
    """Return the result of a search as the JSON object that `--json` prints.

    Args:
        result: Result of the search.
        processes: Number of worker processes.
    """
    return {
        "generations": result.generations,
        "evaluations": result.evaluations,
        "wall_s": result.wall_s,
        "simulated_s": result.simulated_s,
        "physics_share": physics_share(result, processes),
        "stopped": result.stopped,
        "before": result.first.as_dict(),
        "after": result.best.as_dict(),
    }
