"""`ctrlgraph report`: one HTML page of what the log and the sweeps know, and every figure as a file."""

from __future__ import annotations

import json
from pathlib import Path

import click

from ctrlgraph.cli import completion, console
from ctrlgraph.cli.settings import Settings, engine_option
from ctrlgraph.cli.walk_display import command_line, note_old_log
from ctrlgraph.extras import require
from ctrlgraph.paths import display_path


@click.command()
@click.argument("runs", nargs=-1, metavar="[RUN]...", shell_complete=completion.runs)
@click.option(
    "-o",
    "--output",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="DIR",
    help="The directory to write into; made where it does not exist.  [default: runs/report]",
)
@click.option(
    "--compare",
    nargs=2,
    metavar="A B",
    shell_complete=completion.runs,
    help="Compare two runs, two versions of the graph, or two sweeps.",
)
@click.option("--current", is_flag=True, help="Only attempts and sweeps that the present scripts compare with.")
@engine_option
@click.option("--all", "everything", is_flag=True, help="Sheets and rows of what was never tried, too.")
@click.option("--no-filmstrips", is_flag=True, help="Simulate nothing: a report without filmstrips.")
@click.option("--title", help="The page's title.")
@click.option("--json", "as_json", is_flag=True, help="Print the report's numbers as one JSON object.")
@click.pass_obj
def command(
    settings: Settings,
    runs: tuple[str, ...],
    output: Path | None,
    compare: tuple[str, str] | None,
    current: bool,
    everything: bool,
    no_filmstrips: bool,
    title: str | None,
    as_json: bool,
) -> None:
    """Write a report: one HTML page that needs no network, and a PNG, CSV and JSON of every figure.

    RUN is a run's id, an unmistakable beginning of it, `last`, or `graph:HASH` for all runs of one
    version of the graph; without one, all runs count. Sweeps are those of the project; to compare two,
    name them by their ids (`sweep:ID` where a run could be meant).
    """
    require("report")
    from ctrlgraph.report import build_report
    from ctrlgraph.report.output import DATA

    project = settings.project()
    note_old_log(project)
    directory = output or project.runs_directory / "report"
    with console.progress("report", total=1.0) as (bar, task):
        page = build_report(
            project,
            runs,
            directory,
            compare_runs=compare,
            current=current,
            filmstrips=not no_filmstrips,
            everything=everything,
            title=title,
            command=command_line(),
            progress=lambda done, total, what: bar.update(
                task, completed=done, total=total, description=f"report: {what}"
            ),
        )
    if as_json:
        console.print_json({"page": str(page)} | json.loads((directory / DATA).read_text(encoding="utf-8")))
    console.echo(f"report: {display_path(page)}", err=as_json)
