"""`ctrlgraph edit`: the live page of a script, a node or a sequence of nodes."""

from __future__ import annotations

import contextlib

import click

from ctrlgraph.cli import completion, console
from ctrlgraph.cli.entry import leave
from ctrlgraph.cli.exit_codes import ExitCode
from ctrlgraph.cli.numbers import FloatRange
from ctrlgraph.cli.settings import Settings, engine_option
from ctrlgraph.cli.walk_display import TERRAIN_HELP
from ctrlgraph.paths import display_path


@click.command()
@click.argument("names", nargs=-1, metavar="[SCRIPT|NODE]...", shell_complete=completion.scripts)
@click.option("--port", type=click.IntRange(0, 65535), default=0, help="Where it listens. [default: any that is free]")
@click.option("--no-browser", is_flag=True, help="Print the address and open nothing.")
@click.option("--terrain", default="flat", metavar="TEXT", help=TERRAIN_HELP)
@click.option("--friction", type=FloatRange(0, 10), default=1.0, help="Of the ground.", show_default=True)
@click.option("--forget", is_flag=True, help="Begin anew: without the drafts, values and address of the last time.")
@engine_option
@click.pass_obj
def command(
    settings: Settings,
    names: tuple[str, ...],
    port: int,
    no_browser: bool,
    terrain: str,
    friction: float,
    forget: bool,
) -> None:
    """Edit a motion while it moves: a page in the browser, served on this machine alone.

    What is shown is a SCRIPT, a NODE that the graph's shortest way leads to, or several NODEs one after another;
    without any, what was edited last. A script that is saved, in the page or in any editor, is simulated again from
    where it changes. Ctrl-C ends it; what is not saved is there again the next time.
    """
    from ctrlgraph import extras

    extras.require("web")
    from ctrlgraph.web.opening import opening_file, show
    from ctrlgraph.web.page import open_live_page, serve_live_page
    from ctrlgraph.web.state_file import opening_path

    project = settings.project()
    with console.progress(f"reading {display_path(project.directory)}"):
        page = open_live_page(
            project, names, port=port, terrain=terrain, friction=friction, forget=forget, report=_report
        )
    console.echo(page.address)
    console.echo(f"editing {', '.join(page.names)} of {display_path(project.directory)}; Ctrl-C ends it", err=True)
    for sentence in page.warnings:
        console.echo(f"note: {sentence}", err=True)
    with contextlib.ExitStack() as stack:
        if not no_browser:
            try:
                show(stack.enter_context(opening_file(opening_path(project.directory), page.address)))
            except OSError as error:
                reason = (error.strerror or str(error)).lower()
                console.echo(f"note: open the address above yourself: no browser is told it ({reason})", err=True)
        is_at_rest = serve_live_page(page)
    console.echo("the live page has ended", err=True)
    if not is_at_rest:
        leave(ExitCode.DONE)


def _report(sentence: str) -> None:
    console.echo(f"error: {sentence}", err=True)
