"""`ctrlgraph gate check`: check the success that a file requires of nodes, edges and scenarios."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ctrlgraph.cli import console
from ctrlgraph.cli.exit_codes import ExitCode
from ctrlgraph.cli.options.common import Settings, engine_option, jobs_option, json_option, seed_option
from ctrlgraph.paths import contained

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

    from ctrlgraph.experiments.gates.gate import GateResult, RequirementResult
    from ctrlgraph.simulation.trial import Trial


@click.command()
@click.argument("file", type=click.Path(path_type=Path), default=None, required=False, metavar="[GATE.yaml]")
@engine_option
@jobs_option("Processes that share the trials.", default=1)
@seed_option("Seed of all trials.  [default: the file's]", drawn=False)
@click.option("--all", "show_all", is_flag=True, help="Print all requirements, not only the failed ones.")
@json_option("passed, trials, seed, requirements")
@click.pass_context
def command(ctx: click.Context, file: Path | None, jobs: int, seed: int | None, show_all: bool, as_json: bool) -> None:
    """Check that nodes, edges and scenarios reach the success that GATE.yaml requires.

    By default the file is the project's gate.yaml. The exit code is 1 where a requirement fails; failures are printed
    as a table. The result does not depend on the number of jobs.

    Examples:
      ctrlgraph gate --jobs 2
      ctrlgraph gate check nightly.yaml --all
    """
    from ctrlgraph.experiments.gates.gate import load_gate, run_gate
    from ctrlgraph.experiments.worker_pool import open_pool

    settings: Settings = ctx.obj
    project = settings.project()
    with console.progress("reading the gate"):
        gate = load_gate(file or contained(project.directory, "gate.yaml"), project)
    if seed is not None:
        gate = replace(gate, seed=seed)
    with open_pool(jobs) as pool, console.progress("trials") as (bar, task):
        result = run_gate(project, gate, pool, _Display(bar, task))
    if as_json:
        console.print_json(result.as_dict())
    else:
        _print(result, show_all)
    if result.interrupted:
        console.echo(f"interrupted after {result.trials} trials", err=True)
        ctx.exit(ExitCode.INTERRUPTED)
    ctx.exit(ExitCode.of(result.passed))


class _Display:
    """Progress bar of trials."""

    def __init__(self, bar: Progress, task: TaskID) -> None:
        self._bar = bar
        self._task = task

    def planned(self, trials: int) -> None:
        self._bar.update(self._task, total=trials)

    def ended(self, trials: Sequence[Trial]) -> None:
        self._bar.update(self._task, advance=len(trials))


def _print(result: GateResult, show_all: bool) -> None:
    from rich.table import Table

    rows = result.results if show_all else result.fell_short
    if rows:
        table = Table(box=None, pad_edge=False)
        for title in ("required of", "at least", "reached", "succeeded", "where", "why"):
            table.add_column(title, justify="right" if title in ("at least", "reached", "succeeded") else "left")
        for row in rows:
            table.add_row(*_cells(row))
        console.stdout().print(table)
    reached = len(result.results) - len(result.fell_short)
    verdict = "the gate holds" if result.passed else "the gate does not hold"
    console.stdout().print(
        f"{verdict}: {reached} of {len(result.results)} requirements reached,"
        f" {result.trials} trials in {result.wall_s:.1f} s, seed {result.seed}"
    )


def _cells(row: RequirementResult) -> tuple[str, ...]:
    wanted, worst = row.requirement, row.worst
    reached = console.percent(row.reached) + (" (lower bound)" if wanted.measure == "lower" else "")
    if worst is None:
        return wanted.name, console.percent(wanted.at_least), "-", "0 of 0", "", "no trial was run"
    where = dict(worst.point) or wanted.fixed.as_dict()
    shown = (f"{name}={value:g}" if isinstance(value, float) else f"{name}={value}" for name, value in where.items())
    return (
        wanted.name,
        console.percent(wanted.at_least),
        reached,
        f"{worst.recovered} of {worst.trials}",
        ", ".join(shown),
        row.why,
    )
