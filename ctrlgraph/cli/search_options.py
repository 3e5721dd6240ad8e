"""What `tune`, `learn` and `integrate` have in common: the options of a search, as one object."""

from __future__ import annotations

import contextlib
import functools
import math
import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from ctrlgraph.bounds import MAX_TRIALS
from ctrlgraph.cli import console
from ctrlgraph.cli.exit_codes import ExitCode
from ctrlgraph.cli.numbers import FloatRange
from ctrlgraph.cli.robustness import pool_options
from ctrlgraph.cli.settings import engine_option, engines_option, require_one_place
from ctrlgraph.cli.walk_display import MAX_SEED, drawn_seed
from ctrlgraph.paths import display_path

if TYPE_CHECKING:
    from ctrlgraph.experiments.perturbation import Perturbations
    from ctrlgraph.experiments.worker_pool import WorkerPool
    from ctrlgraph.optimization.search import Budget, SearchPlan
    from ctrlgraph.optimization.tuning import Group
    from ctrlgraph.project.project import Project

Function = TypeVar("Function", bound=Callable[..., Any])

MOST_PERTURBATIONS = 10_000
"""Of all --over together: each candidate is tried under all of them."""


@dataclass(frozen=True)
class SearchOptions:
    """The options that `search_options` adds, as they were given; `seed` is drawn where none was."""

    jobs: int | None
    cluster: str | None
    over: tuple[str, ...]
    given: tuple[str, ...]
    engines: tuple[str, ...]
    entries: int
    numerics: bool
    exits: bool
    weigh: tuple[str, ...]
    optimizer: str
    sigma: float
    population: int | None
    restarts: int
    generations: int
    minutes: float | None
    settled: int | None
    trials: int
    checkpoint: Path | None
    dry_run: bool
    seed: int
    as_json: bool

    @property
    def groups(self) -> tuple[Group, ...]:
        """Return the axes of --over.

        Raises:
            CtrlGraphError: a word has another form.
        """
        return groups_of(self.over)

    @property
    def weights(self) -> dict[str, float]:
        """Return the weights of --weigh.

        Raises:
            CtrlGraphError: a word has another form.
        """
        return weights_of(self.weigh)

    def fixed(self, project: Project, *more: tuple[str, object]) -> Perturbations:
        """Return the perturbations of --with, and more, on the project's engine unless they name another one.

        Raises:
            CtrlGraphError: one is unknown, or out of range.
        """
        from ctrlgraph.experiments.perturbation import Perturbations
        from ctrlgraph.experiments.sweeps.scenario import parse_values

        require_one_place(self.engines, self.given)
        return Perturbations.of(project).with_values((*more, *parse_values(self.given)))

    @property
    def processes(self) -> int:
        """Return how many there are on this machine: as asked, else one for each core."""
        return workers(self.jobs)

    @property
    def plan(self) -> SearchPlan:
        return plan_of(self.optimizer, self.sigma, self.population, self.restarts, self.seed)

    @property
    def budget(self) -> Budget:
        from ctrlgraph.optimization.search import Budget

        return Budget(self.generations, None if self.minutes is None else 60 * self.minutes, self.settled)

    @contextlib.contextmanager
    def pool(self, ctx: click.Context) -> Iterator[WorkerPool]:
        """Who does the evaluations; Ctrl-C ends the command, and says how it is gone on with."""
        from ctrlgraph.experiments.worker_pool import Interrupted, open_pool
        from ctrlgraph.optimization.evaluation import evaluate

        with open_pool(self.processes, self.cluster, work=evaluate) as pool:
            try:
                yield pool
            except Interrupted:
                kept = self.checkpoint if self.checkpoint is not None and self.checkpoint.is_file() else None
                hint = "" if kept is None else f": the same command goes on from {display_path(kept)}"
                console.echo(f"interrupted{hint}", err=True)
                ctx.exit(ExitCode.INTERRUPTED)


exits_option = click.option(
    "--exits", is_flag=True, help="Also change numbers of safety exits: `fallen`, timeouts, what leads to fail."
)


def search_options(function: Function) -> Function:
    """Add the options of a search and of its pool; the command receives them as `options`, a `SearchOptions`."""

    def drawn(**given: Any) -> SearchOptions:
        return SearchOptions(**given | {"seed": drawn_seed(given["seed"])})

    options = (
        click.option("--over", multiple=True, metavar="AXIS=VALUES[,AXIS=VALUES]",
                     help="It has to hold over FROM:TO:STEP or A/B/C of a perturbation; two axes of one --over "
                          "are combined.  [--over slope=-8:8:4 --over push=-250/250,phase=0:0.9:0.3]"),
        click.option("--with", "given", multiple=True, metavar="NAME=VALUE", help="A perturbation of all cases."),
        engine_option,
        engines_option("Try everything on each of these engines; --trials are held out on each."),
        click.option("--entries", type=click.IntRange(1), default=2, show_default=True,
                     help="Numbers of cycles of the controller before, from which it is tried."),
        click.option("--numerics/--no-numerics", default=True, show_default=True,
                     help="Also half the time step, the quick solver, 3 % more and less mass."),
        exits_option,
        click.option("--weigh", multiple=True, metavar="TERM=WEIGHT", help="Weight of a term of the cost."),
        click.option("--optimizer", type=click.Choice(["cma", "1+1"]), default="cma", show_default=True,
                     help="CMA-ES with a population, or the (1+1)-CMA-ES."),
        click.option("--sigma", type=FloatRange(0, min_open=True), default=0.5, show_default=True,
                     help="First step size, in spreads of the parameters."),
        click.option("--population", type=click.IntRange(4), help="Candidates of a generation (cma only)."),
        click.option("--restarts", type=click.IntRange(0), default=0, show_default=True, help="After it has stopped."),
        click.option("--generations", type=click.IntRange(0), default=200, show_default=True, help="At most."),
        click.option("--minutes", type=FloatRange(0, min_open=True), help="At most, of wall time."),
        click.option("--settled", type=click.IntRange(1),
                     help="End after so many generations in which everything has held."),
        click.option("--trials", type=click.IntRange(0, MAX_TRIALS), default=40, show_default=True,
                     help="Held-out cases that decide whether it is taken."),
        click.option("--checkpoint", type=click.Path(dir_okay=False, path_type=Path), metavar="FILE",
                     help="Keep the search here after each generation, and go on from it where it exists."),
        click.option("--dry-run", is_flag=True, help="Search and show, but write nothing."),
        click.option("--seed", type=click.IntRange(0, MAX_SEED), help="Of all that is drawn; without it, a new one."),
        click.option("--json", "as_json", is_flag=True, help="Print one JSON object."),
    )  # fmt: skip
    changed = gathered("options", tuple(f.name for f in fields(SearchOptions)), drawn)(function)
    for option in reversed(options):
        changed = option(changed)
    return pool_options(changed)


def gathered(name: str, given: Sequence[str], make: Callable[..., Any]) -> Callable[[Function], Function]:
    """Let a command receive several of its parameters as one, which `make` makes of them by their names."""

    def decorate(function: Function) -> Function:
        @functools.wraps(function)
        def command(*args: Any, **values: Any) -> Any:
            parts = {key: values.pop(key) for key in given}
            return function(*args, **{name: make(**parts)}, **values)

        return command  # type: ignore[return-value]  # click calls commands by keywords

    return decorate


def groups_of(words: Sequence[str]) -> tuple[Group, ...]:
    """`push=-250/250,phase=0:0.9:0.3` as axes with values, one group a word.

    Raises:
        CtrlGraphError: a word has another form, a value is out of its axis' range, or there are too many of them.
    """
    from ctrlgraph.errors import CtrlGraphError
    from ctrlgraph.experiments.sweeps.scenario import parse_axis

    groups = tuple(tuple(parse_axis(part.replace("/", ",")) for part in word.split(",")) for word in words)
    count = sum(math.prod(len(values) for _, values in group) for group in groups)
    if count > MOST_PERTURBATIONS:
        raise CtrlGraphError(f"--over asks for {count} perturbations, more than {MOST_PERTURBATIONS}")
    return groups


def weights_of(words: Sequence[str]) -> dict[str, float]:
    """`energy=1` as a weight.

    Raises:
        CtrlGraphError: it has another form, or is no term or weight that there could be.
    """
    from ctrlgraph.errors import CtrlGraphError
    from ctrlgraph.optimization.tuning import check_weights

    weights = {}
    for word in words:
        name, _, value = word.partition("=")
        if name in weights:
            raise CtrlGraphError(f"the weight of {name} is given twice")
        try:
            weights[name] = float(value)
        except ValueError:
            raise CtrlGraphError(f"'{word}' is not TERM=WEIGHT, such as energy=1") from None
    check_weights(weights)
    return weights


def plan_of(optimizer: str, sigma: float, population: int | None, restarts: int, seed: int) -> SearchPlan:
    """Return how to search.

    Raises:
        CtrlGraphError: the options do not go together.
    """
    from ctrlgraph.errors import CtrlGraphError
    from ctrlgraph.optimization.search import SearchPlan

    if optimizer == "1+1" and population is not None:
        raise CtrlGraphError("the (1+1)-CMA-ES has one candidate a generation: --population is for cma")
    return SearchPlan(optimizer=optimizer, sigma=sigma, population=population, restarts=restarts, seed=seed)


def workers(jobs: int | None) -> int:
    """Return how many processes: as asked, else one for each core."""
    return jobs or os.cpu_count() or 1
