"""`ctrlgraph gate check`: check that nodes, edges and scenarios reach the success rates that a gate file requires."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ctrlgraph.cli import console
from ctrlgraph.cli.display.sweeps import listed_values, showing_trials
from ctrlgraph.cli.exit_codes import ExitCode
from ctrlgraph.cli.options.common import Settings, engine_option, jobs_option, json_option, seed_option
from ctrlgraph.paths import contained

if TYPE_CHECKING:
    from ctrlgraph.robustness.gates.gate import GateResult, RequirementResult


@click.command()
@click.argument("file", type=click.Path(path_type=Path), default=None, required=False, metavar="[GATE.yaml]")
@engine_option
@jobs_option("Processes that share the trials.", default=1)
@seed_option("Seed of all trials.  [default: the file's]", drawn=False)
@json_option("passed, trials, seed, requirements")
@click.pass_context
def command(ctx: click.Context, file: Path | None, jobs: int, seed: int | None, as_json: bool) -> None:
    """Check that nodes, edges and scenarios reach the success rates that GATE.yaml requires.

    By default the file is the project's gate.yaml. Requirements that are not reached are printed as a table, with
    `ctrlgraph -v gate` all requirements; the exit code is 1 if there are any. The result does not depend on the number
    of jobs.

    Examples:
      ctrlgraph gate --jobs 2
      ctrlgraph gate check nightly.yaml
    """
    from ctrlgraph.robustness.gates.gate import load_gate, run_gate
    from ctrlgraph.robustness.worker_pool import open_pool

    settings: Settings = ctx.obj
    project = settings.project()
    with console.progress("reading the gate"):
        gate = load_gate(file or contained(project.directory, "gate.yaml"), project)
    if seed is not None:
        gate = replace(gate, seed=seed)
    with open_pool(jobs) as pool, showing_trials() as display:
        result = run_gate(project, gate, pool, display)
    if as_json:
        console.print_json(result.as_dict())
    else:
        _print(result, settings.verbose > 0)
    if result.interrupted:
        console.interrupted(f" after {result.trials} trials")
    ctx.exit(ExitCode.of(result.passed))


def _print(result: GateResult, show_all: bool) -> None:
    rows = result.results if show_all else result.fell_short
    if rows:
        right = ("at least", "reached", "succeeded")
        console.print_table(("required of", *right, "where", "why"), [_cells(row) for row in rows], right=right)
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
    where = listed_values(dict(worst.point) or wanted.fixed.as_dict())
    counted = f"{worst.recovered} of {worst.trials}"
    return wanted.name, console.percent(wanted.at_least), reached, counted, where, row.why
