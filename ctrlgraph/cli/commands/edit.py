"""`ctrlgraph edit`: edit a script, a node or a sequence of nodes on the live page in the browser."""

from __future__ import annotations

import click

from ctrlgraph.cli import completion, console
from ctrlgraph.cli.display.live_pages import report_error, serve_in_browser
from ctrlgraph.cli.entry import leave
from ctrlgraph.cli.exit_codes import ExitCode
from ctrlgraph.cli.options.common import Settings, engine_option
from ctrlgraph.cli.options.world import GROUND, WorldOptions, world_option
from ctrlgraph.paths import display_path


@click.command()
@click.argument("names", nargs=-1, metavar="[SCRIPT|NODE]...", shell_complete=completion.scripts)
@click.option("--port", type=click.IntRange(0, 65535), default=0, help="Port of the page; 0: any free one.")
@click.option("--no-browser", is_flag=True, help="Print the address and open no browser.")
@world_option(GROUND)
@click.option("--forget", is_flag=True, help="Discard drafts, values and the address of the last session.")
@engine_option
@click.pass_obj
def command(
    settings: Settings, names: tuple[str, ...], port: int, no_browser: bool, world: WorldOptions, forget: bool
) -> None:
    """Edit a motion while it is simulated, on a page in the browser that only this machine can open.

    The page shows the motion of a SCRIPT, of a NODE after the graph's shortest path to it, or of several NODEs in
    sequence; without names, the motion that was edited last. When a script is saved, in the page or in an editor, the
    motion is simulated again from the first change on. Ctrl-C ends the server; unsaved changes are restored the next
    time.

    Examples:
      ctrlgraph edit controllers/poses/stand.t
      ctrlgraph edit walk --with slope=3
    """
    from ctrlgraph import extras

    extras.require("web")
    from ctrlgraph.live_page.live_page import open_live_page

    project = settings.project()
    with console.progress(f"reading {display_path(project.directory)}"):
        page = open_live_page(
            project,
            names,
            port=port,
            terrain=world.terrain,
            friction=world.friction,
            forget=forget,
            report=report_error,
        )
    console.echo(page.address)
    console.echo(f"editing {', '.join(page.names)} of {display_path(project.directory)}; Ctrl-C ends it", err=True)
    for sentence in page.warnings:
        console.echo(f"note: {sentence}", err=True)
    has_stopped = serve_in_browser(page, project.directory, opens=not no_browser)
    console.echo("the live page has ended", err=True)
    if not has_stopped:
        leave(ExitCode.DONE)
