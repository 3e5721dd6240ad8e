"""`ctrlgraph init DIR [--from NAME]`: a project directory from a shipped one."""

from __future__ import annotations

import shlex
from pathlib import Path

import click

from ctrlgraph.cli import console
from ctrlgraph.project.shipped import HUMANOID, PAGES, PROJECTS, copy_project


@click.command()
@click.argument("directory", type=click.Path(path_type=Path))
@click.option(
    "--from",
    "name",
    metavar="NAME",
    default=HUMANOID,
    show_default=True,
    help="The shipped project to begin with: " + "; ".join(f"{name}, {what}" for name, what in PROJECTS.items()) + ".",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def command(directory: Path, name: str, as_json: bool) -> None:
    """Make DIRECTORY a project: a shipped graph, controllers, characters, scenarios and gate, for you to change.

    DIRECTORY must be new or empty; it is made whole or not at all.
    """
    files = copy_project(directory, name)
    if as_json:
        console.print_json({"directory": str(directory), "files": [path.as_posix() for path in files]})
        return
    console.echo(f"{directory}: {len(files)} files")
    # a name that begins with a dash is no option of cd
    there = f"./{directory}" if str(directory).startswith("-") else str(directory)
    console.echo(f"next: cd {shlex.quote(there)} && ctrlgraph walk --random")
    console.echo(f"and then: ctrlgraph docs {PAGES[name]}")
