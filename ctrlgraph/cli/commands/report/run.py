"""`ctrlgraph report run`: write an HTML page about logged runs and sweeps, and every figure as a file."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click

from ctrlgraph.cli import completion, console
from ctrlgraph.cli.display.walks import command_line
from ctrlgraph.cli.options.common import Settings, engine_option, json_option, output_option
from ctrlgraph.extras import require
from ctrlgraph.paths import display_path


@click.command()
@click.argument("runs", nargs=-1, metavar="[RUN]...", shell_complete=completion.runs)
@output_option(
    "Directory to write to; created where it does not exist.  [default: runs/report]",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="DIR",
)
@click.option(
    "--compare",
    "compare_runs",
    nargs=2,
    metavar="A B",
    shell_complete=completion.runs,
    help="Compare two runs, two versions of the graph, or two sweeps.",
)
@click.option("--current", is_flag=True, help="Only attempts and sweeps of the present scripts.")
@engine_option
@click.option("--all", "everything", is_flag=True, help="Include nodes and edges without trials.")
@click.option("--filmstrips/--no-filmstrips", default=True, help="Draw filmstrips, which need simulation.")
@json_option("page, and the contents of report.json")
@click.pass_obj
def command(settings: Settings, /, runs: tuple[str, ...], output: Path | None, as_json: bool, **options: Any) -> None:
    """Write a report: an HTML page that needs no network, and a PNG, CSV and JSON file of every figure.

    RUN is a run's id, an unambiguous prefix of it, `last`, or `graph:HASH` for all runs of one version of the graph. By
    default all runs count. The report includes all sweeps of the project. To compare two sweeps, give their ids to
    --compare (as `sweep:ID` if the id also matches a run).

    Examples:
      ctrlgraph report
      ctrlgraph report run last -o page
      ctrlgraph report run --compare graph:1a2b graph:3c4d
    """
    require("report")
    from ctrlgraph.report import build_report
    from ctrlgraph.report.output import DATA

    project = settings.project()
    directory = output or project.runs_directory / "report"
    with console.progress("report", total=1.0) as (bar, task):

        def advance(done: int, total: int, what: str) -> None:
            bar.update(task, completed=done, total=total, description=f"report: {what}")

        page = build_report(project, runs, directory, command=command_line(), progress=advance, **options)
    if as_json:
        console.print_json({"page": str(page)} | json.loads((directory / DATA).read_text(encoding="utf-8")))
    console.echo(f"report: {display_path(page)}", err=as_json)
