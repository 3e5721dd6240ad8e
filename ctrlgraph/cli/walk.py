"""`ctrlgraph walk`: walk the graph at random and log every attempt."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from ctrlgraph.bounds import MAX_TRANSITIONS, MAX_WALKS
from ctrlgraph.cli import console
from ctrlgraph.cli.exit_codes import ExitCode
from ctrlgraph.cli.pictures import Pictures, picture_options
from ctrlgraph.cli.settings import Settings, engine_option, jobs_option
from ctrlgraph.cli.walk_display import (
    WalkDisplay,
    command_line,
    draw_walk,
    drawn_seed,
    print_tally,
    warn,
    world_options,
)
from ctrlgraph.errors import CtrlGraphError
from ctrlgraph.paths import display_path

if TYPE_CHECKING:
    from ctrlgraph.project.project import Project
    from ctrlgraph.simulation.environment import Environment
    from ctrlgraph.walkthrough.random import RunSummary


@click.command()
@click.option("--random", "random", is_flag=True, help="Draw the edges at random (the default).")
@click.option(
    "--balance",
    type=click.Choice(["weights", "visits"]),
    default="weights",
    show_default=True,
    help="Draw edges by their weights, or also by how rarely they were taken.",
)
@click.option(
    "--transitions", type=click.IntRange(1, MAX_TRANSITIONS), default=30, show_default=True, help="Of each walk."
)
@click.option("--walks", type=click.IntRange(1, MAX_WALKS), default=1, show_default=True, help="Independent walks.")
@jobs_option("Processes that share the walks.", default=1)
@click.option("--keep-states/--no-states", default=True, help="Keep the sampled states, some 40 kB a simulated second.")
@world_options
@picture_options
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@engine_option
@click.pass_context
def command(
    ctx: click.Context,
    random: bool,
    balance: str,
    transitions: int,
    walks: int,
    jobs: int,
    keep_states: bool,
    seed: int | None,
    terrain: str,
    friction: float,
    pictures: Pictures,
    as_json: bool,
) -> None:
    """Walk the graph at random and log every attempt.

    Each walk begins at the start node and takes so many transitions over naive and learned edges. On ground with
    obstacles, what is drawn is tried in a copy of the simulation first, and near an obstacle the way over it is
    planned. After a failure the corrective edges are followed until a static pose succeeds; where none does, the walk
    begins anew. The same seed gives the same walks, whatever the number of jobs. A picture of the first walk is left
    beside its states.

    The exit code is 1 if a walk was lost (its process died, or the start pose fails).
    """
    if not keep_states and pictures:
        raise click.UsageError("pictures are drawn from the states that --no-states does not keep")
    from ctrlgraph.graph.visits import Balance
    from ctrlgraph.walkthrough import walk_random
    from ctrlgraph.walkthrough.random import static_nodes

    settings: Settings = ctx.obj
    project = settings.project()
    world = project.environment(terrain, friction)
    with WalkDisplay(static_nodes(project.graph), transitions * walks) as display:
        summary = walk_random(
            project,
            transitions=transitions,
            walks=walks,
            jobs=jobs,
            seed=drawn_seed(seed),
            world=world,
            keep_states=keep_states,
            balance=Balance(balance),
            command=command_line(),
            observer=display,
        )
    if as_json:
        console.print_json(summary.as_dict())
    else:
        _print(summary)
    warn(summary.warnings)
    for walk in summary.lost:
        console.echo(walk.sentence(), err=True)
    if summary.interrupted:  # to draw pictures takes seconds; `replay` draws them
        console.echo("interrupted: what had ended by then is logged", err=True)
        ctx.exit(ExitCode.INTERRUPTED)
    for path in _draw(project, world, summary.run, pictures, beside=not as_json):
        console.echo(f"picture: {display_path(path)}", err=as_json)
    ctx.exit(ExitCode.of(not summary.lost))


def _draw(project: Project, world: Environment, run: str, pictures: Pictures, *, beside: bool) -> list[Path]:
    """The pictures that were asked for; with `beside`, a filmstrip beside the states where none was."""
    paths = draw_walk(project, world, run, pictures)
    if beside and pictures.filmstrip is None:
        try:
            paths += draw_walk(project, world, run, Pictures(project.runs_directory / run / "walk.png"))
        except CtrlGraphError as error:  # the walk is walked and logged all the same
            warn((str(error),))
    return paths


def _print(summary: RunSummary) -> None:
    tally = summary.tally
    print_tally(tally)
    speed = tally.simulated_s / summary.wall_s
    console.stdout().print(
        f"run {summary.run}, seed {summary.seed}: {tally.simulated_s:.1f} s simulated"
        f" in {summary.wall_s:.1f} s ({speed:.{0 if speed >= 10 else 1}f}x real time)"
    )
