"""`ctrlgraph log runs`: list the logged runs. A logged run is everything that one command wrote to the log."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

import click

from ctrlgraph.cli import console
from ctrlgraph.cli.options.common import Settings, json_option

if TYPE_CHECKING:
    from ctrlgraph.run_log.record import RunRecord


@click.command()
@json_option(
    "of each run: run, command, started, finished, seed, attempts, successes, graph_hash, versions, settings, summary"
)
@click.pass_obj
def command(settings: Settings, as_json: bool) -> None:
    """List the logged runs, newest first. A run is everything that one command wrote to the log.

    A run without an end is still running, or its process was killed.

    Example:
      ctrlgraph log runs --json
    """
    from ctrlgraph.statistics import SuccessCount

    right = ("seconds", "attempts", "succeeded", "seed")
    rows = []
    with settings.project().read_log() as log:
        counts = log.counts()
        if as_json:
            console.print_json([_as_dict(run, counts.get(run.id, (0, 0))) for run in log.runs()])
            return
        for run in log.runs():
            attempts, successes = counts.get(run.id, (0, 0))
            began = time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(run.started))
            seconds = "no end" if run.finished is None else f"{run.finished - run.started:.1f}"
            share = console.percent(SuccessCount(successes, attempts).share)
            rows.append((run.id, began, seconds, str(attempts), share, str(run.seed), run.engine or "?", run.command))
    console.print_table(("run", "began", *right, "engine", "command"), rows, right=right)


def _as_dict(run: RunRecord, counts: tuple[int, int]) -> dict[str, Any]:
    return {
        "run": run.id,
        "command": run.command,
        "started": run.started,
        "finished": run.finished,
        "seed": run.seed,
        "attempts": counts[0],
        "successes": counts[1],
        "graph_hash": run.graph_hash,
        "versions": dict(run.versions),
        "settings": {name: value for name, value in run.settings.items() if name != "hashes"},
        "summary": None if run.summary is None else dict(run.summary),
    }
