"""`ctrlgraph trace`: the signals of a motion, as a table or as a picture."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from ctrlgraph.cli import console
from ctrlgraph.cli.controller_options import SETTINGS
from ctrlgraph.cli.motion import MotionRequest, motion_options
from ctrlgraph.cli.pictures import PictureFile
from ctrlgraph.paths import display_path

if TYPE_CHECKING:
    from ctrlgraph.cli.settings import Settings

TABLES = (".csv", ".parquet", ".npz")
PICTURES = (".png", ".svg")
DRAWN = "phase,contacts,com,speed"


@click.command(context_settings=SETTINGS)
@motion_options()
@click.option(
    "--output",
    "-o",
    "paths",
    type=PictureFile(*TABLES, *PICTURES, elsewhere={".bvh": "export", ".xml": "export", ".rrd": "export"}),
    multiple=True,
    required=True,
    metavar="FILE",
    help="A table (.csv, .parquet, .npz) or a picture (.png, .svg); may be given several times.",
)
@click.option("--plot", metavar="LANES", help=f"What a picture has, in this order.  [default: {DRAWN}]")
@click.option("--only", metavar="COLUMNS", help="Columns of a table, separated by commas; all without it.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object: what was written, and its columns.")
def command(
    ctx: click.Context,
    motion: MotionRequest,
    paths: tuple[Path, ...],
    plot: str | None,
    only: str | None,
    as_json: bool,
) -> None:
    """Write the signals of a motion: of a node, of a script with its ARGS, or of a logged walk simulated again.

    A run is named as `ctrlgraph replay` does; of the options for nodes and scripts it takes none. Signals are joint
    angles, speeds, targets and torques, contacts and their forces, centre of mass and of pressure, energies, and which
    node and phase they belong to. `ctrlgraph export` writes a motion for animation programs and simulators.
    """
    from ctrlgraph.simulation.signal_files import write_signals
    from ctrlgraph.simulation.signals import chosen, names_of, unit
    from ctrlgraph.view.signal_figure import lanes_of, write_signal_figure

    settings: Settings = ctx.obj
    for option, text, suffixes in (("--plot", plot, PICTURES), ("--only", only, TABLES)):
        if text is not None and not any(path.suffix.lower() in suffixes for path in paths):
            raise click.UsageError(f"{option} is for a file that ends in {' or '.join(suffixes)}, and none is written")
    project = settings.project()
    names = names_of(project.character) if only is None else chosen(only.split(","), project.character)
    lanes = lanes_of((plot or DRAWN).split(","), names_of(project.character))
    signals = motion.record(project).signals
    table = signals.only(names)
    for path in paths:
        if path.suffix.lower() in PICTURES:
            write_signal_figure(signals, lanes, path, title=motion.what)
        else:
            write_signals(table, path)
        if not as_json:
            console.echo(f"{display_path(path)}: {len(signals)} samples, {path.stat().st_size / 1e6:.2f} MB")
    if as_json:
        columns = {name: unit(name) for name in table.columns}
        console.print_json({"files": [str(path) for path in paths], "samples": len(signals), "columns": columns})
