"""The options that `ctrlgraph tune` and `ctrlgraph learn` have in common: those of a search for better constants."""

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
"""Maximum number of perturbations of all --over options together, as each candidate is simulated under all of them."""


@dataclass(frozen=True)
class SearchOptions:
    """Values of the options that `search_options` adds. The docstring of each field begins with the option's name.

    A search changes constants of controllers. Each candidate (set of values) is simulated in all cases (situations).
    """

    jobs: int | None
    """--jobs: number of worker processes. None: one for each core."""
    cluster: str | None
    """--cluster: address of a dask scheduler. None: worker processes of this machine."""
    over: tuple[str, ...]
    """--over: values of perturbations under which success is required, such as "push=-250/250,phase=0:0.9:0.3"."""
    perturbations: tuple[str, ...]
    """--with: perturbations of all cases, as NAME=VALUE."""
    engines: tuple[str, ...]
    """--engine: names of engines, if there are several; otherwise empty."""
    entries: int
    """--entries: for how many durations of a preceding gait there are cases."""
    numerics: bool
    """--numerics: add cases with other settings of the simulation and other masses."""
    exits: bool
    """--exits: also change numbers in the script's exits for falls and time limits."""
    weigh: tuple[str, ...]
    """--weigh: weights of cost terms, as TERM=WEIGHT."""
    optimizer: str
    """--optimizer: "cma" (CMA-ES) or "1+1" ((1+1)-CMA-ES)."""
    sigma: float
    """--sigma: initial step size of the search, as a factor of each parameter's own initial step size."""
    population: int | None
    """--population: candidates per generation. None: the optimizer's default."""
    generations: int
    """--generations: maximum number of generations."""
    minutes: float | None
    """--minutes: maximum wall time, min."""
    settled: int | None
    """--settled: stop after this number of generations in which all cases succeed. None: do not stop early."""
    trials: int
    """--trials: number of cases that the search does not use, for the validation of its result."""
    checkpoint: Path | None
    """--checkpoint: file in which the search is saved after each generation. None: the search is not saved."""
    dry_run: bool
    """--dry-run: write no result."""
    seed: int
    """--seed: seed of all random numbers."""
    as_json: bool
    """--json: print JSON."""

    @property
    def workers(self) -> int:
        """Return the number of worker processes: the value of --jobs, or else the number of cores."""
        return self.jobs or os.cpu_count() or 1

    @property
    def weights(self) -> dict[str, float]:
        """Return the weights that --weigh gives (such as `energy=1`), by name of the cost term.

        Raises:
            CtrlGraphError: A value of --weigh is not TERM=WEIGHT, a term is unknown or repeated, or a weight is not
                valid.
        """
        from ctrlgraph.learning.tuning import check_weights

        weights = {}
        for word in self.weigh:
            name, _, value = word.partition("=")
            if name in weights:
                raise CtrlGraphError(f"--weigh gives the weight of {name} twice: give each weight once")
            try:
                weights[name] = float(value)
            except ValueError:
                raise CtrlGraphError(f"--weigh must be TERM=WEIGHT, such as energy=1, not '{word}'") from None
        check_weights(weights)
        return weights

    def cases(self, project: Project, *more: tuple[str, object]) -> dict[str, Any]:
        """Return the arguments that `TuningRequest` and `TransitionRequest` have in common, by name.

        These define the cases of the search: perturbations, engines and seed.

        Args:
            project: Project of the search. Its engine is used unless --with names another one.
            *more: Perturbations (name, value) of all cases, in addition to those of --with.

        Raises:
            CtrlGraphError: A perturbation is malformed, unknown or out of range, or --over has more than
                `MAX_PERTURBATIONS`.
        """
        from ctrlgraph.robustness.perturbation import Perturbations
        from ctrlgraph.robustness.sweeps.scenario import parse_axis, parse_values

        require_one_place(self.engines, self.perturbations)
        groups = tuple(
            tuple(parse_axis(as_perturbation(part).replace("/", ",")) for part in word.split(",")) for word in self.over
        )
        count = sum(math.prod(len(values) for _, values in group) for group in groups)
        if count > MAX_PERTURBATIONS:
            raise CtrlGraphError(f"--over has {count} perturbations: give at most {MAX_PERTURBATIONS}")
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
        """Return the optimizer of the search and its settings.

        Raises:
            CtrlGraphError: --population is given with the (1+1)-CMA-ES.
        """
        from ctrlgraph.learning.search import SearchPlan

        if self.optimizer == "1+1" and self.population is not None:
            raise CtrlGraphError("--population needs --optimizer cma: (1+1)-CMA-ES has one candidate per generation")
        return SearchPlan(self.optimizer, self.sigma, self.population, seed=self.seed)

    @property
    def budget(self) -> Budget:
        """Return the limits at which the search ends: --generations, --minutes and --settled."""
        from ctrlgraph.learning.search import Budget

        return Budget(self.generations, None if self.minutes is None else 60 * self.minutes, self.settled)

    @contextlib.contextmanager
    def pool(self) -> Iterator[WorkerPool]:
        """Open the worker processes of the search for a `with` block.

        Ctrl-C ends the command, with a hint how to resume the search from its checkpoint.
        """
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
    """Return a decorator that collects several parameters of a command into one object.

    Args:
        name: Name of the parameter by which the command receives the object.
        kind: Dataclass of the object. Its fields have the names of the collected parameters.
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
"""The options of a search and of its worker pool. The command receives them as `options`, a `SearchOptions`."""
