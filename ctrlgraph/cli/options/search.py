"""The options of a search, shared by `tune` and `learn`, as one object."""

from __future__ import annotations

import contextlib
import functools
import math
import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ctrlgraph.bounds import MAX_TRIALS
from ctrlgraph.cli import console
from ctrlgraph.cli.options.common import (
    Function,
    add_options,
    engines_option,
    json_option,
    pool_options,
    require_one_place,
    seed_option,
)
from ctrlgraph.cli.options.numbers import FloatRange
from ctrlgraph.cli.options.world import as_perturbation, perturbations_option
from ctrlgraph.errors import CtrlGraphError
from ctrlgraph.paths import display_path

if TYPE_CHECKING:
    from ctrlgraph.learning.search import Budget, SearchPlan
    from ctrlgraph.project.project import Project
    from ctrlgraph.robustness.worker_pool import WorkerPool

MAX_PERTURBATIONS = 10_000
"""Maximum number of perturbations of all --over together. Each candidate is tried under all of them."""


@dataclass(frozen=True)
class SearchOptions:
    """The options that `search_options` adds."""

    jobs: int | None
    cluster: str | None
    over: tuple[str, ...]
    perturbations: tuple[str, ...]
    engines: tuple[str, ...]
    entries: int
    numerics: bool
    exits: bool
    weigh: tuple[str, ...]
    optimizer: str
    sigma: float
    population: int | None
    generations: int
    minutes: float | None
    settled: int | None
    trials: int
    checkpoint: Path | None
    dry_run: bool
    seed: int
    as_json: bool

    @property
    def workers(self) -> int:
        """Number of worker processes."""
        return self.jobs or os.cpu_count() or 1

    @property
    def weights(self) -> dict[str, float]:
        """Weights of the cost's terms as given by --weigh (such as `energy=1`), by term.

        Raises:
            CtrlGraphError: A word is malformed, or the term or the weight is not valid.
        """
        from ctrlgraph.learning.tuning import check_weights

        weights = {}
        for word in self.weigh:
            name, _, value = word.partition("=")
            if name in weights:
                raise CtrlGraphError(f"the weight of {name} is given twice")
            try:
                weights[name] = float(value)
            except ValueError:
                raise CtrlGraphError(f"'{word}' is not TERM=WEIGHT, such as energy=1") from None
        check_weights(weights)
        return weights

    def cases(self, project: Project, *more: tuple[str, object]) -> dict[str, Any]:
        """Return the fields that requests of `tune` and `learn` have in common.

        Args:
            project: The project, whose engine is used unless --with names another one.
            *more: Perturbations besides those of --with.

        Raises:
            CtrlGraphError: A perturbation is malformed, unknown or out of range, or there are too many.
        """
        from ctrlgraph.robustness.perturbation import Perturbations
        from ctrlgraph.robustness.sweeps.scenario import parse_axis, parse_values

        require_one_place(self.engines, self.perturbations)
        groups = tuple(
            tuple(parse_axis(as_perturbation(part).replace("/", ",")) for part in word.split(",")) for word in self.over
        )
        count = sum(math.prod(len(values) for _, values in group) for group in groups)
        if count > MAX_PERTURBATIONS:
            raise CtrlGraphError(f"--over asks for {count} perturbations, more than {MAX_PERTURBATIONS}")
        return {
            "groups": groups,
            "fixed": Perturbations.of(project).with_values((*more, *parse_values(self.perturbations))),
            "engines": self.engines,
            "entries": self.entries,
            "numerics": self.numerics,
            "exits": self.exits,
            "seed": self.seed,
        }

    @property
    def plan(self) -> SearchPlan:
        """The plan of the search.

        Raises:
            CtrlGraphError: The options contradict each other.
        """
        from ctrlgraph.learning.search import SearchPlan

        if self.optimizer == "1+1" and self.population is not None:
            raise CtrlGraphError("the (1+1)-CMA-ES has one candidate per generation: --population is for cma")
        return SearchPlan(self.optimizer, self.sigma, self.population, seed=self.seed)

    @property
    def budget(self) -> Budget:
        """The limits of the search."""
        from ctrlgraph.learning.search import Budget

        return Budget(self.generations, None if self.minutes is None else 60 * self.minutes, self.settled)

    @contextlib.contextmanager
    def pool(self) -> Iterator[WorkerPool]:
        """Open the worker pool. Ctrl-C ends the command with a hint how to resume."""
        from ctrlgraph.learning.evaluation import evaluate
        from ctrlgraph.robustness.worker_pool import Interrupted, open_pool

        with open_pool(self.workers, self.cluster, work=evaluate) as pool:
            try:
                yield pool
            except Interrupted:
                kept = self.checkpoint if self.checkpoint is not None and self.checkpoint.is_file() else None
                console.interrupted("" if kept is None else f": the same command resumes from {display_path(kept)}")


exits_option = click.option(
    "--exits", is_flag=True, help="Also change numbers of safety exits: `fallen`, time limits, transitions to fail."
)


def collected(name: str, kind: type[Any]) -> Callable[[Function], Function]:
    """Return a decorator by which a command receives several parameters as one.

    Args:
        name: Name of the one parameter.
        kind: Dataclass whose fields are the parameters.
    """

    def decorate(function: Function) -> Function:
        @functools.wraps(function)
        def command(*args: Any, **values: Any) -> Any:
            parts = {field.name: values.pop(field.name) for field in fields(kind)}
            return function(*args, **{name: kind(**parts)}, **values)

        return command  # type: ignore[return-value]  # click calls commands by keywords

    return decorate


search_options = add_options(
    pool_options,
    click.option("--over", multiple=True, metavar="AXIS=VALUES[,AXIS=VALUES]",
                 help="Require success over FROM:TO:STEP or A/B/C of a perturbation; the axes of one --over are "
                      "combined. Repeatable.  [--over slope=-8:8:4 --over push=-250/250,phase=0:0.9:0.3]"),
    perturbations_option("Perturbation of all cases"),
    engines_option("Physics engine; with several, all cases run on each.  [default: the project's]"),
    click.option("--entries", type=click.IntRange(1), default=2,
                 help="Number of durations of a preceding gait, from its least to its most cycles."),
    click.option("--numerics/--no-numerics", default=True,
                 help="Add cases with half the time step, the quick solver, 3 % more and less mass."),
    exits_option,
    click.option("--weigh", multiple=True, metavar="TERM=WEIGHT", help="Weight of a cost term. Repeatable."),
    click.option("--optimizer", type=click.Choice(["cma", "1+1"]), default="cma",
                 help="CMA-ES with a population, or (1+1)-CMA-ES."),
    click.option("--sigma", type=FloatRange(0, min_open=True), default=0.5,
                 help="Initial step size, in prior scales of the parameters."),
    click.option("--population", type=click.IntRange(4), help="Candidates per generation (cma only)."),
    click.option("--generations", type=click.IntRange(0), default=200,
                 help="Maximum number of generations."),
    click.option("--minutes", type=FloatRange(0, min_open=True), help="Maximum wall time."),
    click.option("--settled", type=click.IntRange(1), help="Stop after N generations in which all cases succeed.",
                 metavar="N"),
    click.option("--trials", type=click.IntRange(0, MAX_TRIALS), default=40,
                 help="Held-out cases, which decide whether the result is written."),
    click.option("--checkpoint", type=click.Path(dir_okay=False, path_type=Path), metavar="FILE",
                 help="Save the search here after each generation, and resume it from here."),
    click.option("--dry-run", is_flag=True, help="Search and print, but write nothing."),
    seed_option(),
    json_option("generations, evaluations, wall_s, simulated_s, physics_share, stopped, before, after, written; "
                "of tune also held_out; of learn also edge, bridge, improves, why, naive, learned"),
    collected("options", SearchOptions),
)  # fmt: skip
"""The options of a search and of its pool; the command receives them as `options`, a `SearchOptions`."""
