"""What `tune`, `learn` and `integrate` have in common: options of a search, its live display, its table of terms."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, TypeVar

import click

from ctrlgraph.cli import console
from ctrlgraph.cli.walk_display import MAX_SEED

if TYPE_CHECKING:
    from rich.live import Live
    from rich.table import Table

    from ctrlgraph.learning.objective import Score
    from ctrlgraph.learning.problem import Problem
    from ctrlgraph.learning.search import Generation, Plan, SearchResult
    from ctrlgraph.learning.tuning import Group

Function = TypeVar("Function", bound=Callable[..., Any])

EXIT_INTERRUPTED = 130


def search_options(function: Function) -> Function:
    """Add the options of a search."""
    options = (
        click.option("--over", multiple=True, metavar="AXIS=VALUES[,AXIS=VALUES]",
                     help="It has to hold over FROM:TO:STEP or A/B/C of a perturbation; two axes of one --over "
                          "are combined.  [--over slope=-8:8:4 --over push=-250/250,phase=0:0.9:0.3]"),
        click.option("--with", "given", multiple=True, metavar="NAME=VALUE", help="A perturbation of all cases."),
        click.option("--entries", type=click.IntRange(1), default=2, show_default=True,
                     help="Numbers of cycles of the controller before, from which it is tried."),
        click.option("--numerics/--no-numerics", default=True, show_default=True,
                     help="Also half the time step, the quick solver, 3 % more and less mass."),
        click.option("--weigh", multiple=True, metavar="TERM=WEIGHT", help="Weight of a term of the cost."),
        click.option("--optimizer", type=click.Choice(["cma", "1+1"]), default="cma", show_default=True,
                     help="CMA-ES with a population, or the (1+1)-CMA-ES."),
        click.option("--sigma", type=click.FloatRange(0, min_open=True), default=0.5, show_default=True,
                     help="First step size, in spreads of the unknowns."),
        click.option("--population", type=click.IntRange(2), help="Candidates of a generation (cma only)."),
        click.option("--restarts", type=click.IntRange(0), default=0, show_default=True, help="After it has stopped."),
        click.option("--generations", type=click.IntRange(0), default=200, show_default=True, help="At most."),
        click.option("--minutes", type=click.FloatRange(0, min_open=True), help="At most, of wall time."),
        click.option("--settled", type=click.IntRange(1),
                     help="End after so many generations in which everything has held."),
        click.option("--trials", type=click.IntRange(0), default=40, show_default=True,
                     help="Held-out cases that decide whether it is taken."),
        click.option("--checkpoint", type=click.Path(dir_okay=False, path_type=Path), metavar="FILE",
                     help="Keep the search here after each generation, and go on from it where it exists."),
        click.option("--dry-run", is_flag=True, help="Search and show, but write nothing."),
        click.option("--seed", type=click.IntRange(0, MAX_SEED), help="Of all that is drawn; without it, a new one."),
        click.option("--json", "as_json", is_flag=True, help="Print one JSON object."),
    )  # fmt: skip
    for option in reversed(options):
        function = option(function)
    return function


def groups_of(words: Sequence[str]) -> tuple[Group, ...]:
    """`push=-250/250,phase=0:0.9:0.3` as axes with values, one group a word.

    Raises:
        CtrlGraphError: a word has another form, or a value is out of its axis' range.
    """
    from ctrlgraph.robustness.scenario import parse_axis

    return tuple(tuple(parse_axis(part.replace("/", ",")) for part in word.split(",")) for word in words)


def weights_of(words: Sequence[str]) -> dict[str, float]:
    """`energy=1` as a weight.

    Raises:
        CtrlGraphError: it has another form.
    """
    from ctrlgraph.errors import CtrlGraphError
    from ctrlgraph.learning.tuning import check_weights

    weights = {}
    for word in words:
        name, _, value = word.partition("=")
        check_weights({name: 0.0})
        try:
            weights[name] = float(value)
        except ValueError:
            raise CtrlGraphError(f"'{word}' is not TERM=WEIGHT, such as energy=1") from None
    return weights


def plan_of(optimizer: str, sigma: float, population: int | None, restarts: int, seed: int) -> Plan:
    from ctrlgraph.errors import CtrlGraphError
    from ctrlgraph.learning.search import Plan

    if optimizer == "1+1" and population is not None:
        raise CtrlGraphError("the (1+1)-CMA-ES has one candidate a generation: --population is for cma")
    return Plan(optimizer=optimizer, sigma=sigma, population=population, restarts=restarts, seed=seed)


def say_problem(problem: Problem, left_out: Sequence[str], seed: int) -> None:
    """What is searched, and which cases are left out (stderr)."""
    click.echo(f"{len(problem.unknowns)} unknowns, {len(problem.cases)} cases, seed {seed}", err=True)
    for line in left_out:
        click.echo(f"left out: {line}", err=True)


def workers(jobs: int | None) -> int:
    """How many processes: as asked, else one for each core."""
    return jobs or os.cpu_count() or 1


class SearchDisplay:
    """The search as it goes on (stderr): a live table on a terminal, else a line now and then."""

    def __init__(self, generations: int, title: str) -> None:
        self._generations = generations
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
        """A generation has ended."""
        if self._live is not None:
            self._live.update(self._table(done))
        elif done.wall_s - self._said >= 10.0 or self._said < 0.0:
            self._said = done.wall_s
            console.stderr().print(self._line(done))

    def _line(self, done: Generation) -> str:
        rate = done.evaluations / done.wall_s if done.wall_s > 0 else 0.0
        left = (self._generations - done.number) * done.wall_s / max(done.number, 1)
        return (
            f"generation {done.number} of {self._generations}: cost {done.best.cost:.4g},"
            f" {done.best.held} of {done.best.cases} cases hold, step size {done.sigma:.3g},"
            f" {rate:.1f} evaluations/s, at most {left:.0f} s left"
        )

    def _table(self, done: Generation) -> Table:
        from rich.table import Table

        table = Table.grid(padding=(0, 2))
        table.add_row(f"[bold]{self._title}[/bold]")
        table.add_row(self._line(done))
        terms = ", ".join(f"{name} {value:.3g}" for name, value in done.best.terms.items())
        table.add_row(f"best: {terms}")
        table.add_row(f"worst case: {done.best.reason}" if done.best.reason else "everything holds")
        return table


def print_search(result: SearchResult) -> None:
    """How a search ended: cost and terms before and after."""
    from rich.table import Table

    table = Table(box=None, pad_edge=False)
    for title in ("", "before", "after"):
        table.add_column(title, justify="left" if not title else "right")
    for name, before, after in _rows(result.first, result.best):
        table.add_row(name, before, after)
    console.stdout().print(table)
    rate = result.evaluations / result.wall_s if result.wall_s > 0 else 0.0
    console.stdout().print(
        f"{result.generations} generations, {result.evaluations} evaluations in {result.wall_s:.0f} s"
        f" ({rate:.1f}/s, {result.simulated_s:.0f} s simulated): {result.stopped}"
    )


def _rows(first: Score, best: Score) -> list[tuple[str, str, str]]:
    rows = [("cost", f"{first.cost:.4g}", f"{best.cost:.4g}")]
    rows.append(("cases that hold", f"{first.held} of {first.cases}", f"{best.held} of {best.cases}"))
    return rows + [(name, f"{first.terms[name]:.4g}", f"{best.terms[name]:.4g}") for name in first.terms]


def search_dict(result: SearchResult) -> dict[str, Any]:
    """A search as `--json` prints it."""
    return {
        "generations": result.generations,
        "evaluations": result.evaluations,
        "wall_s": result.wall_s,
        "simulated_s": result.simulated_s,
        "stopped": result.stopped,
        "before": result.first.as_dict(),
        "after": result.best.as_dict(),
    }
