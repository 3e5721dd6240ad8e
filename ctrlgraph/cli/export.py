"""`ctrlgraph export`: what a project holds, in the formats of other programs."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from ctrlgraph.cli import console
from ctrlgraph.cli.settings import Settings
from ctrlgraph.paths import display_path

if TYPE_CHECKING:
    from ctrlgraph.character.model import Character


@click.command()
@click.option("--mjcf", "as_mjcf", is_flag=True, help="Write the character as a MuJoCo model.")
@click.option(
    "--character", "name", metavar="NAME|FILE", help="Another character than the project's: its name, or a file."
)
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE.xml",
    help="The file to write, with one of roles beside it. [default: standard output, without roles]",
)
@click.pass_obj
def command(settings: Settings, as_mjcf: bool, name: str | None, output: Path | None) -> None:
    """Write the project's character for other programs; the option says in which format."""
    from ctrlgraph.character.mjcf import save_mjcf, write_mjcf

    if not as_mjcf:
        raise click.UsageError("say in which format: --mjcf")
    character = _character(settings, name)
    if output is None or str(output) == "-":
        console.echo(write_mjcf(character), nl=False)
        return
    for path in save_mjcf(character, output):
        console.echo(display_path(path), err=True)


def _character(settings: Settings, name: str | None) -> Character:
    """The project's character, whatever else may be wrong with its graph, or the one of a name or of a file."""
    from ctrlgraph.character.files import load_character
    from ctrlgraph.graph.scripts import character_path, named_character

    if name is not None and ("/" in name or Path(name).suffix):
        return load_character(name)
    project = settings.project()
    if name is not None:
        return load_character(character_path(project.directory, name))
    path = named_character(project.directory)
    return project.character if path is None else load_character(path)
