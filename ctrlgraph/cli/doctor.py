"""`ctrlgraph doctor`: what is installed, and what to do about what is missing."""

from __future__ import annotations

import click

from ctrlgraph.cli import console
from ctrlgraph.cli.exit_codes import ExitCode
from ctrlgraph.doctor import Check, examine, healthy

STYLES = {"ok": "green", "differs": "yellow", "missing": "bold red", "absent": "yellow"}


@click.command()
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.pass_context
def command(ctx: click.Context, as_json: bool) -> None:
    """Say what is installed, which versions, and what to do about what is missing.

    The exit code is 1 if something that is needed is missing.
    """
    checks = examine()
    if as_json:
        console.print_json({"healthy": healthy(checks), "checks": [check.as_dict() for check in checks]})
    else:
        _print_table(checks)
    ctx.exit(ExitCode.of(healthy(checks)))


def _print_table(checks: list[Check]) -> None:
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, pad_edge=False)
    for title in ("", "", "found", "what to do"):
        table.add_column(title, overflow="fold")
    for check in checks:
        table.add_row(check.name, Text(check.state, style=STYLES[check.state]), Text(check.found), Text(check.advice))
    console.stdout().print(table)
