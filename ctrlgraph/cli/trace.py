"""`ctrlgraph trace`: the signals of a motion, as a table for other programs or as a picture."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ctrlgraph.cli import console
from ctrlgraph.cli.pictures import PictureFile
from ctrlgraph.cli.run import Arguments
from ctrlgraph.cli.settings import Settings, engine_option
from ctrlgraph.cli.walk_display import TERRAIN_HELP
from ctrlgraph.errors import CtrlGraphError, quoted, suggestion
from ctrlgraph.paths import display_path

if TYPE_CHECKING:
    from ctrlgraph.project.project import Project
    from ctrlgraph.simulation.signals import Signals

SUFFIXES = (".csv", ".parquet", ".npz", ".bvh", ".png", ".svg")
DRAWN = "phase,contacts,com,speed"


@click.command(context_settings={"ignore_unknown_options": True})
@click.argument("what", metavar="NODE_OR_SCRIPT_OR_RUN")
@click.argument("args", nargs=-1, type=Arguments(), metavar="[ARGS]...")
@click.option(
    "--output",
    "-o",
    "paths",
    type=PictureFile(*SUFFIXES),
    multiple=True,
    required=True,
    metavar="FILE",
    help="A table (.csv, .parquet, .npz), a motion (.bvh) or a picture (.png, .svg); may be given several times.",
)
@click.option("--plot", default=DRAWN, show_default=True, metavar="LANES", help="What a picture has, in this order.")
@click.option("--only", metavar="COLUMNS", help="Columns of a table, separated by commas; all without it.")
@click.option(
    "--rate",
    type=click.FloatRange(1, 500),
    default=100.0,
    show_default=True,
    help="Samples a second; 500 is every step.",
)
@click.option("--from", "after", metavar="NODE", help="Begin where this node ends, instead of in the start pose.")
@click.option("--cycles", type=click.IntRange(1, 10**6), help="How often it runs. [default: the node's]")
@click.option("--time", "duration", type=float, metavar="S", help="Let it go on for so many simulated seconds.")
@click.option("--terrain", default="flat", metavar="TEXT", help=TERRAIN_HELP)
@click.option("--walk", type=click.IntRange(0), default=0, show_default=True, help="Of a run: which of its walks.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object: what was written, and its columns.")
@engine_option
@click.pass_context
def command(
    ctx: click.Context,
    what: str,
    args: tuple[float, ...],
    paths: tuple[Path, ...],
    plot: str,
    only: str | None,
    rate: float,
    after: str | None,
    cycles: int | None,
    duration: float | None,
    terrain: str,
    walk: int,
    as_json: bool,
) -> None:
    """Write the signals of a motion: of a node, of a script with its ARGS, or of a logged walk simulated again.

    A run is named as `ctrlgraph replay` does; of the options for nodes and scripts it takes none. Signals are joint
    angles, speeds, targets and torques, contacts and their forces, centre of mass and of pressure, energies, and which
    node and phase they belong to.
    """
    from ctrlgraph.simulation.signal_files import write_bvh, write_signals
    from ctrlgraph.simulation.signals import chosen, names_of, unit
    from ctrlgraph.view.signal_figure import lanes_of, write_signal_figure

    settings: Settings = ctx.obj
    project = settings.project()
    names = names_of(project.character) if only is None else chosen(only.split(","), project.character)
    lanes = lanes_of(plot.split(","), names_of(project.character))
    if what in project.graph or os.path.isfile(what):
        signals = _of_controller(project, what, args, after, cycles, duration, terrain, rate)
    elif args or after or cycles or duration or terrain != "flat" or settings.engine is not None:
        hint = suggestion(what, project.graph.nodes) or "a run is simulated as it was"
        raise click.UsageError(f"{quoted(what)} is neither a node nor a script, for which these options are; {hint}")
    else:
        signals = _of_run(project, what, walk, rate)
    table = signals.only(names)
    for path in paths:
        if path.suffix.lower() in (".png", ".svg"):
            write_signal_figure(signals, lanes, path, title=what)
        elif path.suffix.lower() == ".bvh":
            write_bvh(signals, project.character, path, rate)
        else:
            write_signals(table, path)
        if not as_json:
            console.echo(f"{display_path(path)}: {len(signals)} samples, {path.stat().st_size / 1e6:.2f} MB")
    if as_json:
        columns = {name: unit(name) for name in table.columns}
        console.print_json({"files": [str(path) for path in paths], "samples": len(signals), "columns": columns})


def _of_controller(
    project: Project,
    name: str,
    args: tuple[float, ...],
    after: str | None,
    cycles: int | None,
    duration: float | None,
    terrain: str,
    rate: float,
) -> Signals:
    from ctrlgraph.project.rollout_request import carry_out, find_rollout

    request = find_rollout(project, name, args, cycles=cycles, time=duration)
    with console.progress(f"simulating {request.name}", total=request.rollout.timeout) as (bar, task):
        result = carry_out(
            project,
            request,
            after=None if after is None else project.graph.node(after),
            environment=project.environment(terrain),
            signal_rate=rate,
            on_progress=lambda now: bar.update(task, completed=now),
        )
    if result.succeeded is False:
        console.echo(f"note: {result.headline}", err=True)
    assert result.signals is not None
    return result.signals


def _of_run(project: Project, run: str, walk: int, rate: float) -> Signals:
    from ctrlgraph.walkthrough.replay import replay_walk

    try:
        with project.read_log() as log:
            record = log.run(run)
    except CtrlGraphError as error:
        hint = suggestion(run, project.graph.nodes)
        raise CtrlGraphError(f"{error}; {hint}" if hint else str(error)) from None
    with project.read_log() as log, console.progress(f"simulating walk {walk} of run {record.id} again"):
        replay = replay_walk(project, log, record, walk, signal_rate=rate)
    for note in replay.changes.sentences():
        console.echo(f"note: {note}", err=True)
    assert replay.signals is not None
    return replay.signals
