"""`ctrlgraph play`: steer the character on a page in the browser; every motion is logged."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click
from click.core import ParameterSource

from ctrlgraph.cli import console
from ctrlgraph.cli.display.live_pages import report_error, serve_in_browser
from ctrlgraph.cli.display.walks import command_line
from ctrlgraph.cli.entry import leave
from ctrlgraph.cli.exit_codes import ExitCode
from ctrlgraph.cli.options.common import Settings, engine_option, seed_option
from ctrlgraph.cli.options.world import GROUND, WorldOptions, world_option
from ctrlgraph.errors import CtrlGraphError
from ctrlgraph.paths import FOOTSTEPS_DIRECTORY, contained, display_path

if TYPE_CHECKING:
    from ctrlgraph.live_page.live_page import LivePage


@click.command()
@click.option("--port", type=click.IntRange(0, 65535), default=0, help="Port of the page; 0: any free one.")
@click.option("--no-browser", is_flag=True, help="Print the address and open no browser.")
@world_option(GROUND)
@click.option(
    "--gates",
    type=click.IntRange(0, 100),
    default=0,
    metavar="N",
    help="Show N gates on the ground, to steer a character in space through.",
)
@click.option(
    "--footsteps",
    type=click.Choice(["table", "quadruped", "biped", "crawler"]),
    help="Steer a robot with planned footsteps, without a project.",
)
@click.option(
    "--log",
    "directory",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="DIRECTORY",
    help="Directory of the logs of --footsteps.  [default: runs/footsteps of the project]",
)
@seed_option("Seed of the places of the gates.")
@engine_option
@click.pass_context
def command(
    ctx: click.Context,
    port: int,
    no_browser: bool,
    world: WorldOptions,
    gates: int,
    footsteps: str | None,
    directory: Path | None,
    seed: int,
) -> None:
    """Steer the character with keys and the mouse, on a page in the browser that only this machine can open.

    The page shows the keys: faster, slower, stop, jump, down and up in the plane; speed, turn and gaits in space. Drag
    the character to push it. A planner tries the transitions to the motion that you choose, and those over obstacles
    ahead. Every motion is logged. Ctrl-C ends the server; then `ctrlgraph replay` repeats, draws or films the motion.

    With --footsteps, a robot plans its footsteps 50 times per second: nothing is simulated by an engine. Each motion is
    logged in a file, which `ctrlgraph footsteps ROBOT --replay FILE` plans again.

    Examples:
      ctrlgraph play
      ctrlgraph play --with terrain=random:3:30
      ctrlgraph play --gates 10
      ctrlgraph play --footsteps quadruped
    """
    from ctrlgraph import extras
    from ctrlgraph.character.spatial_model import SpatialCharacter

    extras.require("web")
    settings: Settings = ctx.obj
    if footsteps is not None:
        for name, is_given in (
            ("with", bool(world.given)),
            ("gates", gates > 0),
            ("seed", ctx.get_parameter_source("seed") is ParameterSource.COMMANDLINE),
            ("engine", settings.engine is not None),
        ):
            if is_given:
                raise CtrlGraphError(f"--{name} has no effect on planned footsteps: omit it, or omit --footsteps")
        _plan(footsteps, port, _directory(settings) if directory is None else directory, opens=not no_browser)
        return
    if directory is not None:
        raise CtrlGraphError("--log is only for --footsteps: omit it; other motions are in the run log")
    from ctrlgraph.live_page.live_page import open_live_page
    from ctrlgraph.live_page.play_commands import Play

    project = settings.project()
    if gates and not isinstance(project.character, SpatialCharacter):
        name = project.character.name
        raise CtrlGraphError(f"--gates needs a character in space, but {name} moves in the plane: omit --gates")
    with console.progress(f"reading {display_path(project.directory)}"):
        play = Play(project.environment(world.terrain, world.friction), command_line(), gates, seed)
        page = open_live_page(
            project, port=port, terrain=world.terrain, friction=world.friction, play=play, report=report_error
        )
    console.echo(page.address)
    console.echo(f"playing {project.directory.name}; Ctrl-C ends it", err=True)
    has_stopped = serve_in_browser(page, project.directory, opens=not no_browser)
    _leave(page, has_stopped=has_stopped)


def _leave(page: LivePage, *, has_stopped: bool) -> None:
    """Print the commands that film the logged motions, and leave if a thread cannot end."""
    for seconds, replaying in page.server.session.logged:
        console.echo(f"{seconds:.1f} s are logged: ctrlgraph {replaying} --video play.gif")
    if not has_stopped:
        leave(ExitCode.DONE)


def _directory(settings: Settings) -> Path | None:
    """Return the directory of the logs of planned footsteps in the project; None without a project."""
    try:
        project = settings.project()
    except CtrlGraphError:
        if settings.project_directory is not None:
            raise
        return None
    return contained(project.directory, FOOTSTEPS_DIRECTORY)


def _plan(robot: str, port: int, directory: Path | None, *, opens: bool) -> None:
    """Serve the page on which a planned robot is steered."""
    from ctrlgraph.live_page.live_page import open_plan_page

    page = open_plan_page(robot, port, report_error, directory)
    console.echo(page.address)
    console.echo(f"playing {robot}; Ctrl-C ends it", err=True)
    if directory is None:
        console.echo("note: motions are not logged outside of a project: --log DIRECTORY logs them", err=True)
    _leave(page, has_stopped=serve_in_browser(page, Path.cwd(), opens=opens))
