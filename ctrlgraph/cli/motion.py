"""Which motion is meant: the options of every command that simulates one and tells its signals."""

from __future__ import annotations

import contextlib
import functools
import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar, cast

import click
from click.core import ParameterSource

from ctrlgraph.cli import completion, console
from ctrlgraph.cli.controller_options import after_option, arguments_argument, cycles_option, time_option
from ctrlgraph.cli.numbers import FloatRange
from ctrlgraph.cli.run import tell_what_comes_before
from ctrlgraph.cli.settings import engine_option
from ctrlgraph.cli.walk_display import TERRAIN_HELP
from ctrlgraph.errors import CtrlGraphError, quoted, suggestion

if TYPE_CHECKING:
    from ctrlgraph.character.model import Character
    from ctrlgraph.project.project import Project
    from ctrlgraph.runs.record import RunRecord
    from ctrlgraph.runs.store import RunLog
    from ctrlgraph.simulation.signals import Signals
    from ctrlgraph.terrain.profile import Terrain

Function = TypeVar("Function", bound=Callable[..., Any])

METAVAR = "NODE_OR_SCRIPT_OR_RUN"
_OF_NODES = ("args", "after", "cycles", "duration", "terrain")


@dataclass(frozen=True, slots=True)
class RecordedMotion:
    """A motion as it was simulated: its signals, who moved, and the ground."""

    signals: Signals
    character: Character
    ground: Terrain


@dataclass(frozen=True, slots=True)
class MotionRequest:
    """What a command was asked for.

    rate: samples a second; after, cycles, duration (s), terrain: of a node or a script; walk: of a run, which one;
    given: the options that stand on the command line, by the names of their parameters.
    """

    what: str
    args: tuple[float, ...]
    after: str | None
    cycles: int | None
    duration: float | None
    terrain: str
    walk: int
    rate: float
    given: dict[str, str]

    def record(self, project: Project) -> RecordedMotion:
        """Simulate it, with its progress on stderr.

        Raises:
            CtrlGraphError: there is no such motion, or an option is given that is not for it.
            SourceError: a file of the project has faults.
        """
        if self.what in project.graph or self.what in project.graph.drafts or os.path.isfile(self.what):
            if "walk" in self.given:
                kind = "node" if self.what in project.graph else "script"
                raise CtrlGraphError(f"--walk tells which walk of a run is meant, and {quoted(self.what)} is a {kind}")
            return self._of_controller(project)
        foreign = [option for name, option in self.given.items() if name != "walk"]
        if foreign:
            hint = suggestion(self.what, project.graph.nodes) or "a run is simulated as it was"
            what = f"{quoted(self.what)} is neither a node nor a script"
            raise CtrlGraphError(f"{what}, for which {foreign[0]} is; {hint}")
        return self._of_run(project)

    def _of_controller(self, project: Project) -> RecordedMotion:
        from ctrlgraph.project.rollout_request import carry_out, find_rollout

        request = find_rollout(project, self.what, self.args, cycles=self.cycles, time=self.duration)
        environment = project.environment(self.terrain)
        with console.progress(f"simulating {request.name}", total=request.rollout.timeout) as (bar, task):
            result = carry_out(
                project,
                request,
                after=None if self.after is None else project.graph.node(self.after),
                environment=environment,
                signal_rate=self.rate,
                on_progress=lambda now: bar.update(task, completed=now),
            )
        if result.succeeded is False:
            console.echo(f"note: {result.headline}", err=True)
            tell_what_comes_before(project, result, self.after, err=True)
        assert result.signals is not None
        return RecordedMotion(result.signals, project.character, environment.ground())

    def _of_run(self, project: Project) -> RecordedMotion:
        from ctrlgraph.simulation.environment import Environment
        from ctrlgraph.walkthrough.replay import replay_walk

        with (
            logged_run(project, self.what) as (log, run),
            console.progress(f"simulating walk {self.walk} of run {run.id} again"),
        ):
            replay = replay_walk(project, log, run, self.walk, signal_rate=self.rate)
        for note in replay.changes.sentences():
            console.echo(f"note: {note}", err=True)
        assert replay.signals is not None
        world = Environment.from_dict(run.settings.get("world", {}))
        return RecordedMotion(replay.signals, world.body.of(project.character), world.ground())


@contextlib.contextmanager
def logged_run(project: Project, name: str) -> Iterator[tuple[RunLog, RunRecord]]:
    """Open the log, and find the run that a word means which is neither a node nor a script.

    Raises:
        CtrlGraphError: there is no such run; where a node is called alike, the sentence says so.
    """
    with contextlib.ExitStack() as stack:
        try:
            log = stack.enter_context(project.read_log())
            run = log.run(name)
        except CtrlGraphError as error:
            hint = suggestion(name, project.graph.nodes) or str(error)
            raise CtrlGraphError(f"{quoted(name)} is neither a node nor a script nor a run; {hint}") from None
        yield log, run


def motion_options(*, required: bool = True) -> Callable[[Function], Function]:
    """Add the argument and the options that say which motion is meant; the command receives them as `motion`.

    Args:
        required: whether there has to be one; `motion` is None where none is named.
    """

    def decorate(function: Function) -> Function:
        @functools.wraps(function)
        @click.pass_context
        def command(ctx: click.Context, /, **given: Any) -> Any:
            fields = {name: given.pop(name) for name in (*_FIELDS, "rate")}
            said = _said(ctx)
            if fields["what"] is None:
                if said or ctx.get_parameter_source("rate") is ParameterSource.COMMANDLINE:
                    option = next(iter(said.values()), "--rate")
                    raise click.UsageError(f"{option} is for a motion: say which, a {METAVAR}", ctx)
                return function(ctx, motion=None, **given)
            return function(ctx, motion=MotionRequest(**fields, given=said), **given)

        for option in reversed(_options(required)):
            command = option(command)
        return cast(Function, command)

    return decorate


def _said(ctx: click.Context) -> dict[str, str]:
    """The options that say of a motion how it is simulated and that stand on the command line, as they are written."""
    said = {}
    for parameter in ctx.command.params:
        name = parameter.name or ""
        is_given = ctx.get_parameter_source(name) is ParameterSource.COMMANDLINE
        if name in (*_OF_NODES, "walk", "engine") and is_given and ctx.params.get(name, True) != ():
            said[name] = "an argument" if name == "args" else parameter.opts[0]
    return said


_FIELDS = ("what", *_OF_NODES, "walk")


def _options(required: bool) -> list[Callable[[Any], Any]]:
    return [
        click.argument("what", metavar=METAVAR, required=required, shell_complete=completion.anything),
        arguments_argument,
        click.option(
            "--rate",
            type=FloatRange(1, 500),
            default=100.0,
            show_default=True,
            help="Samples a second; 500 is every step.",
        ),
        after_option,
        cycles_option(),
        time_option,
        click.option("--terrain", default="flat", metavar="TEXT", help=TERRAIN_HELP),
        click.option(
            "--walk", type=click.IntRange(0), default=0, show_default=True, help="Of a run: which of its walks."
        ),
        engine_option,
    ]
