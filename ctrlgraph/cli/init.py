"""`ctrlgraph init DIR`: a project directory from the shipped scripts."""

from __future__ import annotations

from pathlib import Path

import click

from ctrlgraph.cli import console
from ctrlgraph.project.shipped import copy_project


@click.command()
@click.argument("directory", type=click.Path(path_type=Path))
def command(directory: Path) -> None:
    """Make DIRECTORY a project: the shipped graph, controllers, characters, scenarios and gate, for you to change.

    DIRECTORY must be new or empty; it is made whole or not at all.
    """
    files = copy_project(directory)
    console.echo(f"{directory}: {len(files)} files")
    console.echo(f"next: cd {directory} && ctrlgraph walk --random")
