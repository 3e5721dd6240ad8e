"""`ctrlgraph migrate`: what older versions left in a project, rewritten for this one."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from ctrlgraph.cli import console
from ctrlgraph.cli.exit_codes import ExitCode
from ctrlgraph.cli.settings import Settings

if TYPE_CHECKING:
    from ctrlgraph.migration import MigratedFile, Migration


@click.command()
@click.option("--dry-run", is_flag=True, help="Say what would be done, and do nothing.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.pass_obj
def command(settings: Settings, dry_run: bool, as_json: bool) -> int:
    """Rewrite what older versions left in the project: learned files, the run log, stored sweeps.

    Only what fits the scripts' texts as they are can be taken over; all else stays as it is. The exit code is 1 where
    a learned file has to.
    """
    from ctrlgraph.migration import migrate

    done = migrate(settings.project(), dry_run=dry_run)
    if as_json:
        console.print_json({"dry_run": dry_run, **done.as_dict()})
    else:
        _print(done, "can be taken over" if dry_run else "taken over")
    return ExitCode.of(not done.findings)


def _print(done: Migration, what: str) -> None:
    for file in done.files:
        console.echo(f"{file.path}: {_told(file)}")
    for finding in dict.fromkeys(done.findings):
        console.echo(finding.render())
    if done.attempts or done.runs or done.old_log:
        runs = f"{_count(done.attempts, 'attempt')} and the settings of {_count(done.runs, 'run')}"
        console.echo(f"run log: {runs} {what}")
    if done.sweeps:
        console.echo(f"stored sweeps: {done.sweeps} {what}")
    if not done.files and not done.attempts and not done.runs and not done.old_log and not done.sweeps:
        console.echo("everything is in the present form")


def _told(file: MigratedFile) -> str:
    if file.findings:
        return "stays as it is"
    return f"{_count(len(file.constants), 'constant')} by id, {_count(len(file.programs), 'program')} by meaning"


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'s' * (number != 1)}"
