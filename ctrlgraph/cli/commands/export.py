"""`ctrlgraph export`: motions, the character and the graph, in the formats of other programs."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from ctrlgraph.cli import console
from ctrlgraph.cli.options.common import json_option
from ctrlgraph.cli.options.motion import METAVAR, SETTINGS, MotionRequest, motion_options
from ctrlgraph.errors import CtrlGraphError
from ctrlgraph.paths import display_path

if TYPE_CHECKING:
    from ctrlgraph.character.model import Character
    from ctrlgraph.cli.options.common import Settings

OF_GRAPH = (".graphml", ".dot")
STDOUT = Path("-")


@click.command(context_settings=SETTINGS)
@motion_options(required=False)
@click.option(
    "-o",
    "--output",
    "paths",
    type=click.Path(path_type=Path, dir_okay=False),
    multiple=True,
    metavar="FILE",
    help="File to write, in the format of its suffix. Repeatable.",
)
@click.option("--mjcf", "as_mjcf", is_flag=True, help="Write the character as a MuJoCo model; to stdout without -o.")
@click.option("--character", "name", metavar="NAME|FILE", help="Name or file of a character.  [default: the project's]")
@json_option("files")
def command(
    ctx: click.Context,
    motion: MotionRequest | None,
    paths: tuple[Path, ...],
    as_mjcf: bool,
    name: str | None,
    as_json: bool,
) -> None:
    """Write a motion, the character or the graph for other programs.

    A node, a script with its ARGS, or a run: .bvh for animation programs, .xml as a MuJoCo model with keyframes, .csv,
    .parquet and .npz as tables. Without a motion: .xml is the character as a MuJoCo model, with a
    file of roles beside it; .graphml and .dot are the graph with its logged success.

    Examples:
      ctrlgraph export backflip --from stand -o backflip.bvh
      ctrlgraph export -o character.xml -o graph.dot
    """
    settings: Settings = ctx.obj
    if motion is not None:
        if as_mjcf or name is not None:
            raise click.UsageError(f"--{'mjcf' if as_mjcf else 'character'} is for the character alone, not a motion")
        written = _write_motion(settings, motion, paths)
    else:
        written = _write_project(settings, paths, as_mjcf, name)
    if as_json:
        console.print_json({"files": [str(path) for path in written]})
    else:
        for path in written:
            console.echo(display_path(path), err=True)


def _write_motion(settings: Settings, motion: MotionRequest, paths: tuple[Path, ...]) -> list[Path]:
    from ctrlgraph.simulation.formats import SUFFIXES, require_format, write_motion

    if not paths:
        raise click.UsageError(f"name an output file: -o FILE that ends in {', '.join(SUFFIXES)}")
    for path in paths:
        require_format(path)
        if not path.parent.is_dir():
            raise CtrlGraphError(f"the directory '{display_path(path.parent)}' does not exist")
    found = motion.record(settings.project())
    for path in paths:
        write_motion(found.signals, found.character, path, motion.rate, found.ground)
    return list(paths)


def _write_project(settings: Settings, paths: tuple[Path, ...], as_mjcf: bool, name: str | None) -> list[Path]:
    """Write the character and the graph."""
    from ctrlgraph.character.mjcf import save_mjcf, write_mjcf
    from ctrlgraph.graph.export import to_dot, to_graphml

    if not paths and not as_mjcf:
        raise click.UsageError(f"name what to write: a {METAVAR} and -o FILE, -o FILE of the graph, or --mjcf")
    written: list[Path] = []
    for path in paths or (STDOUT,):
        if path.suffix.lower() in OF_GRAPH and not as_mjcf:
            from ctrlgraph.cli.commands.graph import logged_statistics
            from ctrlgraph.files import write_text

            project, text = settings.project(), to_dot if path.suffix.lower() == ".dot" else to_graphml
            write_text(path, text(project.graph, logged_statistics(project)))
            written.append(path)
        elif path == STDOUT:
            console.echo(write_mjcf(_character(settings, name)), nl=False)
        elif as_mjcf or path.suffix.lower() == ".xml":
            written += save_mjcf(_character(settings, name), path)
        else:
            kinds = ", ".join((".xml", *OF_GRAPH))
            raise CtrlGraphError(f"{display_path(path)} ends in none of {kinds}; for a motion, say which: {METAVAR}")
    return written


def _character(settings: Settings, name: str | None) -> Character:
    """Return the project's character, even if its graph has faults, or the one of a name or of a file."""
    from ctrlgraph.character.files import load_character
    from ctrlgraph.graph.scripts import character_path, named_character

    if name is not None and ("/" in name or Path(name).suffix):
        return load_character(name)
    project = settings.project()
    if name is not None:
        return load_character(character_path(project.directory, name))
    path = named_character(project.directory)
    return project.character if path is None else load_character(path)
