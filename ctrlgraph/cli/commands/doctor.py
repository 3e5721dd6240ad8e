"""`ctrlgraph doctor`: show what is installed and what is missing."""

from __future__ import annotations

from dataclasses import asdict

import click

from ctrlgraph.cli import console
from ctrlgraph.cli.exit_codes import ExitCode
from ctrlgraph.cli.options.common import json_option
from ctrlgraph.doctor import examine, healthy

STYLES = {"ok": "green", "differs": "yellow", "missing": "red", "absent": "yellow"}


@click.command()
@json_option("healthy, checks")
def command(as_json: bool) -> int:
    """Show which packages and engines are installed, in which versions, and how to install missing ones.

    The exit code is 1 if a required package or engine is missing.

    Example:
      ctrlgraph doctor
    """
    checks = examine()
    if as_json:
        console.print_json({"healthy": healthy(checks), "checks": list(map(asdict, checks))})
    else:
        states = [console.Styled(check.state, STYLES[check.state], check.state == "missing") for check in checks]
        rows = [(check.name, state, check.found, check.advice) for check, state in zip(checks, states, strict=True)]
        console.print_table(("", "", "found", "what to do"), rows)
    return ExitCode.of(healthy(checks))
