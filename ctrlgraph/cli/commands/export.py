"""`ctrlgraph export`: write motions, the character and the graph in the formats of other programs."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from ctrlgraph.character.planar_model import require_planar
from ctrlgraph.character.spatial_model import SpatialCharacter
from ctrlgraph.cli import console
from ctrlgraph.cli.options.common import json_option
from ctrlgraph.cli.options.motion import METAVAR, SETTINGS, MotionRequest, motion_options
from ctrlgraph.errors import CtrlGraphError
from ctrlgraph.paths import display_path

if TYPE_CHECKING:
    from ctrlgraph.character.model import Character
    from ctrlgraph.cli.options.common import Settings
    from ctrlgraph.project.project import Project

OF_PROJECT = (".xml", ".graphml", ".dot")
"""Suffixes of the files that are written if no motion is named: the character (.xml) and the graph."""


@click.command(context_settings=SETTINGS)
@motion_options(required=False)
@click.option(
    "-o",
    "--output",
    "paths",
    type=click.Path(path_type=Path, dir_okay=False),
    multiple=True,
    required=True,
    metavar="FILE",
    help="File to write, in the format of its suffix. Repeatable.",
)
@json_option("files")
def command(ctx: click.Context, motion: MotionRequest | None, paths: tuple[Path, ...], as_json: bool) -> None:
    """Write a motion, the character or the graph for other programs.

    The motion of a node, of a script with its ARGS, or of a run is written as .glb or .gltf (glTF with bodies, ground
    and animation) or .bvh (a skeleton) for animation programs, as .xml (a MuJoCo model with keyframes), as .mot
    (coordinates) or .sto (ground forces) for OpenSim, as .rrd for the viewer rerun, or as a table (.csv, .parquet,
    .npz). Without a motion, .xml is the character as a MuJoCo model, in the plane with a file of roles next to it, and
    .graphml and .dot are the graph with its logged success.

    Examples:
      ctrlgraph export backflip --from stand -o backflip.glb
      ctrlgraph export -o character.xml -o graph.dot
    """
    settings: Settings = ctx.obj
    written = _write_project(settings, paths) if motion is None else _write_motion(settings, motion, paths)
    if as_json:
        console.print_json({"files": [str(path) for path in written]})
    else:
        for path in written:
            console.echo(display_path(path), err=True)


def _write_motion(settings: Settings, motion: MotionRequest, paths: tuple[Path, ...]) -> list[Path]:
    from ctrlgraph.export import require_format, write_motion

    for path in paths:
        require_format(path)
        if not path.parent.is_dir():
            raise CtrlGraphError(f"the directory '{display_path(path.parent)}' does not exist: create it first")
    project = settings.project()
    _require_other_files(project, paths)
    found = motion.record(project)
    for path in paths:
        write_motion(found.signals, found.character, path, motion.rate, found.ground)
    return list(paths)


def _write_project(settings: Settings, paths: tuple[Path, ...]) -> list[Path]:
    """Write the project's character (.xml) or graph (other suffixes of `OF_PROJECT`) to each path.

    Args:
        settings: Values of the options before the command's name.
        paths: Files to write.

    Returns:
        Paths of the files written, including files of roles next to models.
    """
    from ctrlgraph.character.mjcf import save_mjcf, save_spatial_mjcf
    from ctrlgraph.cli.commands.graph import logged_statistics
    from ctrlgraph.files import write_text
    from ctrlgraph.graph.export import to_dot, to_graphml

    for path in paths:
        if path.suffix.lower() not in OF_PROJECT:
            fault = f"{display_path(path)} must end in one of {', '.join(OF_PROJECT)}"
            raise CtrlGraphError(f"{fault}: change the name, or give a {METAVAR} to export a motion")
    written: list[Path] = []
    project = settings.project()
    _require_other_files(project, paths)
    for path in paths:
        character = _character(project) if path.suffix.lower() == ".xml" else None
        if isinstance(character, SpatialCharacter):
            written += save_spatial_mjcf(character, path)
        elif character is not None:
            written += save_mjcf(require_planar(character, "a planar model"), path)
        else:
            text = to_dot if path.suffix.lower() == ".dot" else to_graphml
            write_text(path, text(project.graph, logged_statistics(project)))
            written.append(path)
    return written


def _require_other_files(project: Project, paths: tuple[Path, ...]) -> None:
    """Raise a CtrlGraphError if an export would replace the file of the project's character."""
    from ctrlgraph.graph.files import named_character

    own = named_character(project.directory)
    for path in paths:
        if own is not None and path.resolve() == own.resolve():
            raise CtrlGraphError(f"{display_path(path)} is the project's character: give another name to export to")


def _character(project: Project) -> Character:
    """Return the project's character, even if the graph file has errors in its nodes or edges."""
    from ctrlgraph.character.files import load_character
    from ctrlgraph.graph.files import named_character

    path = named_character(project.directory)
    return project.character if path is None else load_character(path)
