"""`ctrlgraph trace`: write the signals of a motion (quantities over time) as a table or as a picture."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from ctrlgraph.cli import console
from ctrlgraph.cli.options.common import json_option
from ctrlgraph.cli.options.motion import SETTINGS, MotionRequest, motion_options
from ctrlgraph.cli.options.pictures import PictureFile
from ctrlgraph.paths import display_path

if TYPE_CHECKING:
    from ctrlgraph.cli.options.common import Settings

TABLES = (".csv", ".parquet", ".npz")
PICTURES = (".png", ".svg")
EXPORTED = (".bvh", ".glb", ".gltf", ".mot", ".sto", ".xml", ".rrd")
"""Suffixes of files that `ctrlgraph export` writes."""
DRAWN = "phase,contacts,com,speed"
"""Lanes (plots) of a picture if --lanes is not given."""


@click.command(context_settings=SETTINGS)
@motion_options()
@click.option(
    "--output",
    "-o",
    "paths",
    type=PictureFile(*TABLES, *PICTURES, elsewhere=dict.fromkeys(EXPORTED, "export")),
    multiple=True,
    required=True,
    metavar="FILE",
    help="Table (.csv, .parquet, .npz) or picture (.png, .svg). Repeatable.",
)
@click.option("--lanes", metavar="LANES", help=f"Lanes of a picture, in this order.  [default: {DRAWN}]")
@click.option("--only", metavar="COLUMNS", help="Columns of a table, separated by commas.  [default: all]")
@json_option("files, samples, columns")
def command(
    ctx: click.Context,
    motion: MotionRequest,
    paths: tuple[Path, ...],
    lanes: str | None,
    only: str | None,
    as_json: bool,
) -> None:
    """Write the signals (quantities over time) of a motion as tables and pictures.

    The motion is that of a node, of a script with its ARGS, or of a logged walk, which is simulated again. Signals are
    joint angles, speeds, targets and torques, contacts and their forces, centre of mass and of pressure, energies, node
    and phase. The options for nodes and scripts cannot be used with a run. `ctrlgraph export` writes motions for
    animation programs and simulators.

    Examples:
      ctrlgraph trace walk --from stand --cycles 4 -o walk.csv -o walk.png
      ctrlgraph trace last --walk 1 -o walk.parquet --only time,com_x,com_y
    """
    from ctrlgraph.pictures.signal_figure import lanes_of, write_signal_figure
    from ctrlgraph.simulation.signals.recorded_signals import chosen, names_of
    from ctrlgraph.simulation.signals.signal_files import write_signals

    settings: Settings = ctx.obj
    for option, text, suffixes in (("--lanes", lanes, PICTURES), ("--only", only, TABLES)):
        if text is not None and not any(path.suffix.lower() in suffixes for path in paths):
            raise click.UsageError(f"{option} needs an output file that ends in {' or '.join(suffixes)}: give -o FILE")
    project = settings.project()
    character = project.character
    names = names_of(character) if only is None else chosen(only.split(","), character)
    drawn = lanes_of((lanes or DRAWN).split(","), names_of(character))
    signals = motion.record(project).signals
    table = signals.only(names)
    for path in paths:
        if path.suffix.lower() in PICTURES:
            write_signal_figure(signals, drawn, path, title=motion.what)
        else:
            write_signals(table, path)
        if not as_json:
            console.echo(f"{display_path(path)}: {len(signals)} samples, {path.stat().st_size / 1e6:.2f} MB")
    if as_json:
        columns = {name: table.quantities.unit(name) for name in table.columns}
        console.print_json({"files": [str(path) for path in paths], "samples": len(signals), "columns": columns})
