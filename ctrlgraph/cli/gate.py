"""`ctrlgraph gate`: exit 1 where nodes, edges or scenarios do not have the success that a file requires."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ctrlgraph.cli import console
from ctrlgraph.cli.exit_codes import ExitCode
from ctrlgraph.cli.settings import Settings, engine_option, jobs_option
from ctrlgraph.cli.walk_display import MAX_SEED
from ctrlgraph.paths import contained

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

    from ctrlgraph.experiments.gates.gate import GateResult, RequirementResult
    from ctrlgraph.experiments.sweeps.sweep_log import Trial


@click.command()
@click.argument("file", type=click.Path(path_type=Path), default=None, required=False, metavar="[GATE.yaml]")
@engine_option
@jobs_option("Processes that share the trials.", default=1)
@click.option("--seed", type=click.IntRange(0, MAX_SEED), help="Of all trials, instead of the file's.")
@click.option("--all", "show_all", is_flag=True, help="Show what was reached everywhere, not only what fell short.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.pass_context
def command(ctx: click.Context, file: Path | None, jobs: int, seed: int | None, show_all: bool, as_json: bool) -> None:
    """Check that nodes, edges and scenarios have the success that GATE.yaml requires.

    Without a file, the project's gate.yaml. The trials needed are run, and the exit code is 1 where
    something fell short, with a table of it. The same file gives the same result for any number of jobs.
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
    """Trials as a progress bar."""

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
    held = len(result.results) - len(result.fell_short)
    verdict = "the gate holds" if result.passed else "the gate does not hold"
    console.stdout().print(
        f"{verdict}: {held} of {len(result.results)} requirements reached,"
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
