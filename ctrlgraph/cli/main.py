"""The program `ctrlgraph`: its table of commands, the import of a called command, and the handling of errors.

The texts of `ctrlgraph --help` are in `GROUPS` and `SUBCOMMANDS`, so that the help does not import the commands.
"""

from __future__ import annotations

import errno
import importlib
import io
import os
import re
import sys
import traceback
from collections.abc import Sequence
from inspect import cleandoc
from pathlib import Path
from typing import Any, cast

import click

from ctrlgraph.ambient import isolate_new_interpreters
from ctrlgraph.cli import console, streams
from ctrlgraph.cli.exit_codes import ExitCode
from ctrlgraph.cli.options.common import Settings
from ctrlgraph.errors import CtrlGraphError, SourceError, suggestion
from ctrlgraph.paths import display_path
from ctrlgraph.version import __version__

GROUPS: dict[str, dict[str, str]] = {
    "Write motions": {
        "edit": "Edit a motion in the browser while it runs.",
        "check": "Check scripts, graph, characters and learned files.",
        "fmt": "Format scripts.",
        "measures": "List the measures for success conditions.",
        "tune": "Optimize a script's constants against perturbations.",
        "record": "Record a motion as a controller: keyframes, regulator, tracking.",
    },
    "Run motions": {
        "run": "Run one controller: a node of the graph, or a script.",
        "play": "Steer the character in the browser.",
        "walk": "Walk the graph at random, or over random courses.",
        "goto": "Walk to a node, or past a position on a course.",
        "replay": "Simulate logged walks again; verify, draw or film them.",
        "trace": "Write angles, torques and more as a table or a picture.",
        "export": "Write motions, character or graph for other programs.",
        "log": "Show the run log: runs, stats.",
        "footsteps": "Plan footsteps of a robot on two, four or six legs.",
    },
    "Build the graph": {
        "graph": "Show the graph: its nodes and edges, a picture.",
        "integrate": "Add a controller to the graph, or keep it as a draft.",
        "learn": "Learn the transition from one motion to another.",
        "learned": "List learned edges and nodes, and which are stale.",
    },
    "Measure": {
        "robustness": "Measure robustness: sweep, limit, endurance, pushes, basins, return-map.",
        "gate": "Check the reliability that a file requires: check, confusion.",
        "report": "Write reports: run, motions.",
        "experiment": "Run experiments: phase-policy, stepping, footsteps.",
    },
    "The installation": {
        "init": "Create a project directory from a shipped project.",
        "doctor": "Show what is installed and what is missing.",
    },
}
"""One-line help of each top-level command and group by name, by topic, in the order of `ctrlgraph --help`."""

SUBCOMMANDS: dict[str, dict[str, str]] = {
    "record": {
        "keyframes": "Record a motion as joint angles over time.",
        "regulator": "Record steps as the reference of a regulator.",
        "tracking": "Fit motion constraints to a recorded motion.",
    },
    "log": {"runs": "List the logged runs.", "stats": "Show the success of nodes and edges, with intervals."},
    "robustness": {
        "sweep": "Measure success over a grid of perturbations.",
        "limit": "Find the largest perturbation under which a target succeeds.",
        "endurance": "Measure how long gaits last until they fall.",
        "pushes": "Measure which pushes motions withstand.",
        "basins": "Sample and learn the states from which a node succeeds.",
        "return-map": "Measure the return map of a cyclic motion.",
    },
    "gate": {
        "check": "Check that nodes, edges and scenarios reach the required success.",
        "confusion": "Check that conditions hold for no other motion.",
    },
    "report": {
        "run": "Write an HTML page about runs and sweeps.",
        "motions": "Write a Markdown page about all motions.",
    },
    "experiment": {
        "phase-policy": "Compute a tracking controller's policy by value iteration.",
        "stepping": "Step over gaps with gaits of many strides and speeds.",
        "footsteps": "Reproduce a figure of the thesis behind the footstep planner.",
    },
}
"""One-line help of each command by name, by name of its group."""

DEFAULTS = {"gate": "check", "report": "run"}
"""Command that is called if a group is used without a command, as in `ctrlgraph gate --jobs 2`, by the group's name."""

TOP_LEVEL = {name: text for commands in GROUPS.values() for name, text in commands.items()}
"""One-line help of each top-level command and group, by name."""

COMMANDS = {name: text for name, text in TOP_LEVEL.items() if name not in SUBCOMMANDS} | {
    f"{name} {sub}": text for name, texts in SUBCOMMANDS.items() for sub, text in texts.items()
}
"""One-line help of every command that is not a group, by its full name, such as "run" or "record keyframes"."""


def load_command(path: str) -> click.Command:
    """Import the module of a command and return the click command.

    Args:
        path: Full name of the command, such as "record keyframes".
    """
    module = path.replace("-", "_").replace(" ", ".")
    command = cast(click.Command, importlib.import_module(f"ctrlgraph.cli.commands.{module}").command)
    if "\b" not in (command.help or ""):  # this character keeps click from wrapping the examples
        command.help = re.sub(r"^(?=Examples?:$)", "\b\n", cleandoc(command.help or ""), flags=re.MULTILINE)
    return command


def _group(name: str) -> click.Command:
    """Return the group of commands with a name such as "record"."""
    text, default = TOP_LEVEL[name].partition(":")[0] + ".", DEFAULTS.get(name)
    text += f"\n\nWithout a command: {default}." if default else ""
    return LazyGroup(name, texts=SUBCOMMANDS[name], default=default, help=text, context_settings=cli.context_settings)


class LazyGroup(click.Group):
    """A click group of commands that imports the module of a command only when the command is called."""

    def __init__(self, *args: Any, texts: dict[str, str], default: str | None = None, **options: Any) -> None:
        """Create a group with the given commands.

        Args:
            *args: Arguments of `click.Group`.
            texts: One-line help of each command, by name.
            default: Command that is called if no command is named. None: a command must be named.
            **options: Options of `click.Group`.
        """
        super().__init__(*args, **options)
        self.texts = texts
        self.default = default

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of the commands and groups in this group."""
        return list(self.texts)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return the command or group with the name `cmd_name` in this group, or None if there is none."""
        if cmd_name not in self.texts:
            return None
        if self is not cli:
            return load_command(f"{self.name} {cmd_name}")
        return _group(cmd_name) if cmd_name in SUBCOMMANDS else load_command(cmd_name)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command that the first word names.

        Returns:
            Name of the command, the command, and the words after its name.

        Raises:
            click.UsageError: The first word is not a command, or an option of the command is repeated.
        """
        if args and args[0] not in self.texts and not args[0].startswith("-"):
            raise click.UsageError(f"there is no command '{args[0]}'; {self._hint(ctx, args[0])}", ctx)
        name, command, rest = super().resolve_command(ctx, args)
        if command is not None and not isinstance(command, LazyGroup) and not ctx.resilient_parsing:
            own = command.context_class(command, info_name=name, parent=ctx, **command.context_settings)
            _refuse_repetition(command, own, rest)
        return name, command, rest

    def _hint(self, ctx: click.Context, name: str) -> str:
        group = next((group for group, texts in SUBCOMMANDS.items() if name in texts), None)
        if ctx.parent is None and group is not None:
            return f"use `ctrlgraph {group} {name}`"
        return suggestion(name, self.texts) or f"`{ctx.command_path} --help` lists the commands"

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Insert the name of the default command if no command is named, and parse the options before the name.

        Raises:
            click.UsageError: One of these options is repeated.
        """
        if self.default is not None and not {*args[:1]} & {*self.texts, *ctx.help_option_names}:
            args = args if ctx.resilient_parsing and not args else [self.default, *args]
        if not ctx.resilient_parsing:
            _refuse_repetition(self, ctx, args)
        return super().parse_args(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the list of commands into the help: by topic for `ctrlgraph --help`, otherwise as one list."""
        sections = GROUPS if ctx.parent is None else {"Commands": self.texts}
        width = max(map(len, self.texts))
        for title, commands in sections.items():
            with formatter.section(title):
                formatter.write_dl([(f"{name:<{width}}", text) for name, text in commands.items()])

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the path of the documentation at the end of the top-level help."""
        if ctx.parent is None:
            formatter.write_paragraph()
            formatter.write_text(f"Documentation: {_documentation()}")


def _refuse_repetition(command: click.Command, ctx: click.Context, args: Sequence[str]) -> None:
    """Check that no option with a single value is given more than once. click would silently use only the last value.

    Options that are declared with `multiple` or `count` may be repeated. A flag may be repeated unless it has an
    opposite (`--numerics/--no-numerics`).

    Args:
        command: Command whose options are checked.
        ctx: Context of the command.
        args: Words of the command line after the command's name.

    Raises:
        click.UsageError: An option is repeated.
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
            raise click.UsageError(f"{name} is given more than once: give the option once", ctx)
        seen.add(option)


@click.group(
    cls=LazyGroup,
    texts=TOP_LEVEL,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110, "show_default": True},
)
@click.option(
    "--project",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="DIR",
    help="Project directory.  [default: the nearest one upwards that has a graph.yaml]",
)
@click.option("-v", "--verbose", count=True, show_default=False, help="Print more details, and tracebacks of errors.")
@click.version_option(__version__, prog_name="ctrlgraph")
@click.pass_context
def cli(ctx: click.Context, project: Path | None, verbose: int) -> None:
    """Scripted controllers for a simulated humanoid, connected in a graph.

    `ctrlgraph COMMAND --help` describes a command, with examples.
    """
    ctx.obj = Settings(project_directory=project, verbose=verbose)


@cli.result_callback()
@click.pass_context
def _exit(ctx: click.Context, result: object, /, **_: object) -> None:
    """End the process with the exit code that a command returned; with 0 if it returned no number."""
    ctx.exit(result if isinstance(result, int) else ExitCode.DONE)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command line and return its exit code. An error is printed as one sentence on stderr.

    Args:
        arguments: Words of the command line after `ctrlgraph`. None: those of this process.
    """
    given = list(sys.argv[1:] if arguments is None else arguments)
    isolate_new_interpreters()
    os.environ["MPLBACKEND"] = "agg"  # never open a window
    streams.settle()
    try:
        return _run(given)
    finally:
        try:
            sys.stdout.flush()
        except (OSError, ValueError):  # an error that matters was reported before
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
    except SystemExit:
        if not hasattr(sys.stdout, "wrapped"):  # the end of shell completion, not a broken pipe
            raise
        streams.discard_stdout()  # click has wrapped the streams because the pipe is broken
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
        reason = (error.strerror or str(error)).lower()
        return _fail(f"cannot use {error.filename}: {reason}" if error.filename else reason, ExitCode.FAILED)
    description = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
    return _fail(
        f"a fault in ctrlgraph itself ({description}); please report it with the output of `ctrlgraph -v`",
        ExitCode.INTERNAL,
    )


def _fail(sentence: str, code: int) -> int:
    console.echo(console.Styled("error:", fg="red", bold=True), f" {sentence}", err=True)
    return code


def _is_verbose(arguments: Sequence[str]) -> bool:
    """Return whether the option -v or --verbose is given before the command's name.

    When errors are printed, the context of click, which has the parsed options, does not exist any more.

    Args:
        arguments: Words of the command line after `ctrlgraph`.
    """
    for argument in arguments:
        if argument in TOP_LEVEL:
            return False
        if argument == "--verbose" or (argument.startswith("-v") and set(argument[1:]) == {"v"}):
            return True
    return False


def _documentation() -> str:
    """Return the path of the first page of the documentation in this installation, or "not installed"."""
    package = Path(__file__).resolve().parents[1]  # `project.shipped` has this path, but its import would take long
    pages = (root / "docs" / "README.md" for root in (package / "data", package.parent))
    found = next((page for page in pages if page.is_file()), None)
    return "not installed" if found is None else display_path(found)
