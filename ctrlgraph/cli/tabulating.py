"""Tables of outcomes on the command line: Ctrl-C leaves what was tabulated, and says how it is gone on with."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path

import click

from ctrlgraph.cli import console
from ctrlgraph.cli.exit_codes import ExitCode
from ctrlgraph.paths import display_path


@contextlib.contextmanager
def tabulating(table: Path) -> Iterator[None]:
    """End the command at Ctrl-C in the making of a table, of which a journal is kept beside it."""
    from ctrlgraph.experiments.worker_pool import Interrupted

    try:
        yield
    except Interrupted:
        console.echo(f"interrupted: the same command goes on with {display_path(table)}", err=True)
        click.get_current_context().exit(ExitCode.INTERRUPTED)
