"""`ctrlgraph init DIR [--from NAME]`: create a project directory as a copy of a shipped project."""

from __future__ import annotations

import shlex
from pathlib import Path

import click

from ctrlgraph.cli import console
from ctrlgraph.cli.options.common import json_option
from ctrlgraph.errors import printable
from ctrlgraph.project.shipped import HUMANOID, PAGES, PROJECTS, copy_project, shipped_file


@click.command()
@click.argument("directory", type=click.Path(path_type=Path))
@click.option(
    "--from",
    "name",
    metavar="NAME",
    default=HUMANOID,
    help="Shipped project to copy: " + "; ".join(f"{name}, {what}" for name, what in PROJECTS.items()) + ".",
)
@json_option("directory, files")
def command(directory: Path, name: str, as_json: bool) -> None:
    """Create a project in DIRECTORY: a copy of a shipped graph, with controllers, characters, scenarios and gate file.

    DIRECTORY must be new or empty. If an error occurs, nothing is created.

    Example:
      ctrlgraph init mine --from biped
    """
    files = copy_project(directory, name)
    if as_json:
        console.print_json({"directory": str(directory), "files": [path.as_posix() for path in files]})
        return
    console.echo(f"{directory}: {len(files)} files")
    # a name that begins with a dash is not an option of cd
    there = f"./{directory}" if str(directory).startswith("-") else str(directory)
    console.echo(f"next: cd {shlex.quote(there)} && ctrlgraph walk --random")
    # an absolute path, because the command above changes the directory
    console.echo(f"documentation: {printable(str(shipped_file(f'docs/{PAGES[name]}.md')))}")
