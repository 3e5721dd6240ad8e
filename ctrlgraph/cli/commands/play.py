"""`ctrlgraph play`: steer the character on a page in the browser; every motion is logged."""

from __future__ import annotations

from pathlib import Path

import click

from ctrlgraph.cli import console
from ctrlgraph.cli.display.live_pages import report_error, serve_in_browser
from ctrlgraph.cli.display.walks import command_line
from ctrlgraph.cli.entry import leave
from ctrlgraph.cli.exit_codes import ExitCode
from ctrlgraph.cli.options.common import Settings, engine_option, seed_option
from ctrlgraph.cli.options.world import GROUND, WorldOptions, world_option
from ctrlgraph.errors import CtrlGraphError
from ctrlgraph.paths import display_path


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
@seed_option("Seed of the places of the gates.")
@engine_option
@click.pass_obj
def command(
    settings: Settings, port: int, no_browser: bool, world: WorldOptions, gates: int, footsteps: str | None, seed: int
) -> None:
    """Steer the character with keys and the mouse, on a page in the browser that only this machine can open.

    The page shows the keys: faster, slower, stop, jump, down and up in the plane; speed, turn and gaits in space. Drag
    the character to push it. A planner tries the transitions to the motion that you choose, and those over obstacles
    ahead. Every motion is logged. Ctrl-C ends the server; then `ctrlgraph replay` repeats, draws or films the motion.

    With --footsteps, a robot plans its footsteps 50 times per second: nothing is simulated by an engine, and nothing is
    logged.

    Examples:
      ctrlgraph play
      ctrlgraph play --with terrain=random:3:30
      ctrlgraph play --gates 10
      ctrlgraph play --footsteps quadruped
    """
    from ctrlgraph import extras
    from ctrlgraph.character.spatial_model import SpatialCharacter

    extras.require("web")
    if footsteps is not None:
        if gates or world.given:
            raise CtrlGraphError("--footsteps takes neither --with nor --gates: omit them")
        _plan(footsteps, port, opens=not no_browser)
        return
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
    for summary in page.server.session.logged:
        seconds = summary.tally.simulated_s
        console.echo(f"{seconds:.1f} s are logged: ctrlgraph replay {summary.run} --video play.gif")
    if not has_stopped:
        leave(ExitCode.DONE)


def _plan(robot: str, port: int, *, opens: bool) -> None:
    """Serve the page on which a planned robot is steered."""
    from ctrlgraph.live_page.live_page import open_plan_page

    page = open_plan_page(robot, port, report_error)
    console.echo(page.address)
    console.echo(f"playing {robot}; Ctrl-C ends it", err=True)
    if not serve_in_browser(page, Path.cwd(), opens=opens):
        leave(ExitCode.DONE)
