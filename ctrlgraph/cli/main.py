"""The command `ctrlgraph`: a group whose commands are imported only when one is asked for.

The listing of `ctrlgraph --help` needs none of their modules: what it prints stands in `GROUPS`.
"""

from __future__ import annotations

import errno
import importlib
import io
import os
import sys
import traceback
from collections.abc import Sequence
from pathlib import Path
from typing import cast

import click

from ctrlgraph.ambient import isolate_new_interpreters
from ctrlgraph.cli import console, streams
from ctrlgraph.cli.exit_codes import ExitCode
from ctrlgraph.cli.settings import Settings
from ctrlgraph.errors import CtrlGraphError, SourceError, suggestion
from ctrlgraph.version import __version__

GROUPS: dict[str, dict[str, str]] = {
    "Write motions": {
        "edit": "Edit a motion while it moves, in the browser.",
        "check": "Check scripts, graph, characters and learned files.",
        "fmt": "Put scripts into the one layout.",
        "tune": "Tune a script's constants to hold against perturbations.",
        "measures": "List what success conditions can speak of.",
        "keyframes": "Record a motion as joint angles over time.",
        "regulate": "Record steps as the reference of a regulator.",
    },
    "Run and look": {
        "run": "Run one controller, a node of the graph or a script.",
        "walk": "Walk the graph at random and log every attempt.",
        "goto": "Walk to a node, or past a place on a course.",
        "courses": "Walk random courses to their end.",
        "stepping": "Step over gaps with gaits of many strides and speeds.",
        "replay": "Simulate a logged walkthrough again.",
        "film": "Film motions side by side.",
        "track": "Fit motion constraints to a recorded motion.",
        "trace": "Write angles, torques and more as a table or a picture.",
        "runs": "List what the log holds.",
        "stats": "Success of nodes and edges, with intervals.",
    },
    "The graph": {
        "graph": "Show the graph: its nodes, its edges, a picture.",
        "integrate": "Take a new controller into the graph, or keep it as a draft.",
        "suggest-edges": "Find pairs of nodes that would work as edges.",
        "motions": "Write a page of what every motion does and can take.",
        "confusion": "Check that conditions hold for no other motion.",
        "report": "Write a page of what holds and what breaks.",
        "gate": "Check that the graph is as reliable as a file requires.",
    },
    "Robustness": {
        "robustness": "How much a node, an edge or a path can take.",
        "endurance": "How long gaits last: steps, seconds and metres to the fall.",
        "pushes": "Up to which pushes motions do not fall, and how they answer.",
        "return-map": "Whether a cyclic motion comes back to its rate.",
        "response": "How far and how late a joint follows a sine.",
        "basins": "From which states a node succeeds, sampled and learned.",
    },
    "Learning": {
        "learn": "Learn the transition from one motion into another.",
        "learned": "List what was learned, what it changed, what is stale.",
        "phase-policy": "Find a tracking controller's policy by value iteration.",
        "migrate": "Rewrite what older versions left in the project.",
    },
    "Take elsewhere": {
        "export": "Write motions, character or graph for other programs.",
    },
    "The installation": {
        "init": "Make a project directory from a shipped one.",
        "docs": "Read the documentation, or search it.",
        "doctor": "Say what is installed, and what to do about what is missing.",
        "bench": "Measure what a simulation step costs.",
    },
}
"""The commands by what they are for, in the order of `ctrlgraph --help`; a new one gets its line here."""

COMMANDS: dict[str, str] = {name: text for commands in GROUPS.values() for name, text in commands.items()}


class LazyGroup(click.Group):
    """Commands of the table above; the module of each is imported when it is asked for."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        module = importlib.import_module(f"ctrlgraph.cli.{cmd_name.replace('-', '_')}")
        return cast(click.Command, module.command)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and args[0] not in COMMANDS and not args[0].startswith("-"):
            hint = suggestion(args[0], COMMANDS) or "`ctrlgraph --help` lists the commands"
            raise click.UsageError(f"there is no command '{args[0]}'; {hint}", ctx)
        name, command, rest = super().resolve_command(ctx, args)
        if command is not None and not ctx.resilient_parsing:
            own = command.context_class(command, info_name=name, parent=ctx, **command.context_settings)
            _refuse_repetition(command, own, rest)
        return name, command, rest

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        if not ctx.resilient_parsing:
            _refuse_repetition(self, ctx, args)
        return super().parse_args(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        width = max(map(len, COMMANDS))
        for title, commands in GROUPS.items():
            with formatter.section(title):
                formatter.write_dl([(f"{name:<{width}}", text) for name, text in commands.items()])


def _refuse_repetition(command: click.Command, ctx: click.Context, args: Sequence[str]) -> None:
    """Check that no option that takes a single value is given more than once: click would use only the last one.

    Options declared with `multiple` or `count` accumulate. A flag may be repeated, since that changes nothing, unless
    it has an opposite (`--numerics/--no-numerics`).

    Raises:
        click.UsageError: an option is repeated.
    """
    _, _, order = command.make_parser(ctx).parse_args(list(args))
    seen = set()
    for option in order:
        if not isinstance(option, click.Option) or option.multiple or option.count:
            continue
        if option.is_flag and not option.secondary_opts:
            continue
        if option in seen:
            name = "/".join((max(option.opts, key=len), *option.secondary_opts))
            raise click.UsageError(f"{name} is given more than once: give it once", ctx)
        seen.add(option)


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110})
@click.option(
    "--project",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="DIR",
    help="The project directory; without it, the nearest one upwards that has a graph.yaml.",
)
@click.option("-v", "--verbose", count=True, help="Say more; errors come with where they arose.")
@click.version_option(__version__, prog_name="ctrlgraph")
@click.pass_context
def cli(ctx: click.Context, project: Path | None, verbose: int) -> None:
    """Scripted controllers for a simulated humanoid, joined into a graph.

    `ctrlgraph COMMAND --help` tells more about a command.
    """
    ctx.obj = Settings(project_directory=project, verbose=verbose)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit code; errors become one sentence on stderr."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    isolate_new_interpreters()
    os.environ["MPLBACKEND"] = "agg"  # no window is opened, whatever is set for programs that open some
    streams.settle()
    try:
        return _run(given)
    finally:
        try:
            sys.stdout.flush()
        except (OSError, ValueError):  # said already where it matters
            streams.discard_stdout()


def _run(given: list[str]) -> int:
    try:
        with console.compiling():
            result = cli.main(args=given, prog_name="ctrlgraph", standalone_mode=False)
        sys.stdout.flush()
        return result if isinstance(result, int) else ExitCode.DONE
    except click.ClickException as error:
        shown = io.StringIO()
        error.show(file=shown)
        console.echo(shown.getvalue(), err=True, nl=False)
        return error.exit_code
    except (click.Abort, KeyboardInterrupt):
        console.echo("interrupted", err=True)
        return ExitCode.INTERRUPTED
    except BrokenPipeError:
        streams.discard_stdout()
        return ExitCode.BROKEN_PIPE
    except Exception as error:
        return _report(error, verbose=_is_verbose(given))


def _report(error: Exception, verbose: bool) -> int:
    if verbose:
        console.echo(traceback.format_exc(), err=True, nl=False)
    if isinstance(error, SourceError):
        console.echo(str(error), err=True)
        return ExitCode.FAILED
    if isinstance(error, CtrlGraphError):
        return _fail(str(error), ExitCode.FAILED)
    if isinstance(error, OSError) and error.errno is not None:
        if error.errno == errno.EPIPE:
            streams.discard_stdout()
            return ExitCode.BROKEN_PIPE
        return _fail(_os_error_sentence(error), ExitCode.FAILED)
    what = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
    return _fail(f"a fault in ctrlgraph itself ({what}); please report it, with what `-v` shows", ExitCode.INTERNAL)


def _fail(sentence: str, code: int) -> int:
    console.echo(console.Styled("error:", fg="red", bold=True), f" {sentence}", err=True)
    return code


def _os_error_sentence(error: OSError) -> str:
    """The system's own words as a sentence: `cannot use runs/runs.db: permission denied`."""
    if isinstance(error, FileNotFoundError) and error.filename is None and _is_nowhere():
        return "the current directory is no longer there; go to another one"
    what = (error.strerror or str(error)).lower()
    return f"cannot use {error.filename}: {what}" if error.filename else what


def _is_verbose(arguments: Sequence[str]) -> bool:
    """Whether -v stands before the command's name (the context is gone when an error arrives)."""
    for argument in arguments:
        if argument in COMMANDS:
            return False
        if argument == "--verbose" or (argument.startswith("-v") and set(argument[1:]) == {"v"}):
            return True
    return False


def _is_nowhere() -> bool:
    """Whether the current directory has been removed."""
    try:
        os.getcwd()
    except OSError:
        return True
    return False
