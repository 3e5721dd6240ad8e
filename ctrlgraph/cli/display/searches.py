"""Output of searches: the live display, the table of cost terms, and JSON."""

from __future__ import annotations

import math
from collections.abc import Sequence
from types import TracebackType
from typing import TYPE_CHECKING, Any

from ctrlgraph.cli import console

if TYPE_CHECKING:
    from rich.live import Live
    from rich.table import Table

    from ctrlgraph.optimization.objective import Score
    from ctrlgraph.optimization.problem import Problem
    from ctrlgraph.optimization.search import Generation, SearchResult

QUIET_S = 10.0
"""Minimum time between lines about a search without a terminal, s."""


def say_problem(problem: Problem, left_out: Sequence[str], seed: int) -> None:
    """Print the size of the search and the omitted cases on stderr."""
    console.echo(f"{len(problem.search_space)} parameters, {len(problem.cases)} cases, seed {seed}", err=True)
    for line in left_out:
        console.echo(f"left out: {line}", err=True)


class SearchDisplay:
    """Display of a running search on stderr: a live table on a terminal, otherwise lines."""

    def __init__(self, generations: int, title: str, seconds: float | None = None) -> None:
        self._generations = generations
        self._seconds = math.inf if seconds is None else seconds
        self._title = title
        self._live: Live | None = None
        self._said = -1.0

    def __enter__(self) -> SearchDisplay:
        if console.stderr().is_terminal:
            from rich.live import Live

            self._live = Live(console=console.stderr(), transient=True)
            self._live.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        if self._live is not None:
            self._live.stop()

    def generation(self, done: Generation) -> None:
        """Show a finished generation."""
        if self._live is not None:
            self._live.update(self._table(done))
        elif done.wall_s - self._said >= QUIET_S or self._said < 0.0:
            self._said = done.wall_s
            console.stderr().print(self._line(done))

    def _line(self, done: Generation) -> str:
        rate = done.evaluations / done.wall_s if done.wall_s > 0 else 0.0
        left = (self._generations - done.number) * done.wall_s / max(done.number, 1)
        left = max(0.0, min(left, self._seconds - done.wall_s))
        return (
            f"generation {done.number} of {self._generations}: cost {done.best.cost:.4g},"
            f" {done.best.succeeded} of {done.best.cases} cases succeed, step size {done.sigma:.3g},"
            f" {rate:.1f} evaluations/s, at most {left:.0f} s left"
        )

    def _table(self, done: Generation) -> Table:
        from rich.table import Table
        from rich.text import Text

        table = Table.grid(padding=(0, 2))
        table.add_row(Text(self._title, style="bold"))
        table.add_row(self._line(done))
        terms = ", ".join(f"{name} {value:.3g}" for name, value in done.best.terms.items())
        table.add_row(f"best: {terms}")
        table.add_row(f"worst case: {done.best.reason}" if done.best.reason else "everything holds")
        return table


def say_verifying(trials: int) -> None:
    """Print on stderr that the validation begins."""
    console.echo(f"validating {trials} held-out cases, before and after", err=True)


def print_search(result: SearchResult, processes: int) -> None:
    """Print how a search ended: cost and terms before and after."""
    from rich.table import Table

    table = Table(box=None, pad_edge=False)
    for title in ("", "before", "after"):
        table.add_column(title, justify="left" if not title else "right")
    for name, before, after in _rows(result.first, result.best):
        table.add_row(name, before, after)
    console.stdout().print(table)
    for when, score in (("before", result.first), ("after", result.best)):
        if score.succeeded < score.cases and score.reason:
            console.echo(f"the worst case {when}: {score.reason}")
    rate = result.evaluations / result.wall_s if result.wall_s > 0 else 0.0
    console.stdout().print(
        f"{result.generations} generations, {result.evaluations} evaluations in {result.wall_s:.0f} s"
        f" ({rate:.1f}/s, {result.simulated_s:.0f} s simulated, {100 * physics_share(result, processes):.0f} % of the"
        f" time of {processes} process{'es' * (processes != 1)}): {result.stopped}"
    )


def physics_share(result: SearchResult, processes: int) -> float:
    """Return the share of the processes' time that simulation took, 0 to 1."""
    return min(1.0, result.physics_s / (result.wall_s * processes)) if result.wall_s > 0 else 0.0


def _rows(first: Score, best: Score) -> list[tuple[str, str, str]]:
    rows = [("cost", f"{first.cost:.4g}", f"{best.cost:.4g}")]
    rows.append(("successful cases", f"{first.succeeded} of {first.cases}", f"{best.succeeded} of {best.cases}"))
    return rows + [(name, f"{first.terms[name]:.4g}", f"{best.terms[name]:.4g}") for name in first.terms]


def search_dict(result: SearchResult, processes: int) -> dict[str, Any]:
    """Return a search as `--json` prints it."""
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
