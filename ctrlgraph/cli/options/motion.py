"""Options that select the motion of a command: --from, --cycles, --seconds, --rate, --walk, --with and --engine."""

from __future__ import annotations

import contextlib
import functools
import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

import click
from click.core import ParameterSource

from ctrlgraph.bounds import MAX_TIMEOUT_S
from ctrlgraph.cli import completion, console
from ctrlgraph.cli.display.rollouts import print_predecessors
from ctrlgraph.cli.options.common import Function, add_options, engine_option
from ctrlgraph.cli.options.numbers import FINITE, Argument, FloatRange
from ctrlgraph.cli.options.world import WorldOptions, world_option
from ctrlgraph.errors import CtrlGraphError, quoted, suggestion

if TYPE_CHECKING:
    from ctrlgraph.character.model import Character
    from ctrlgraph.project.project import Project
    from ctrlgraph.run_log.record import RunRecord
    from ctrlgraph.run_log.run_log import RunLog
    from ctrlgraph.simulation.signals.recorded_signals import Signals
    from ctrlgraph.terrain.spatial.spatial_terrain import SpatialTerrain
    from ctrlgraph.terrain.terrain import Terrain

SETTINGS: dict[str, Any] = {"ignore_unknown_options": True}
"""click's settings for commands with the arguments ARGS of a script, which may be negative numbers such as -0.5."""

METAVAR = "NODE_OR_SCRIPT_OR_RUN"
"""How the help shows an argument that is a node, a script or a logged run."""

arguments_argument = click.argument("args", nargs=-1, type=Argument(), metavar="[ARGS]...")


def from_option(
    text: str = "Begin where this node ends, instead of in the start pose.", *, required: bool = False
) -> Callable[[Any], Any]:
    """Return a decorator that adds the option --from: the node that runs before the motion.

    The command receives the name of the node as `after`.

    Args:
        text: Help text of the option.
        required: Whether the option must be given.
    """
    return click.option(
        "--from", "after", metavar="NODE", required=required, shell_complete=completion.nodes, help=text
    )


def cycles_option(most: int = 10**6) -> Callable[[Any], Any]:
    """Return a decorator that adds the option --cycles: how many times the motion is repeated, 1 to `most`."""
    return click.option("--cycles", type=click.IntRange(1, most), help="Repetitions.  [default: the node's minimum]")


seconds_option = click.option(
    "--seconds", "duration", type=FINITE, metavar="S", help="Simulated time.  [default: until the motion ends]"
)


def rate_option(low: float, high: float, default: float) -> Callable[[Any], Any]:
    """Return a decorator that adds the option --rate: the number of samples per simulated second.

    Args:
        low: Minimum rate, 1/s.
        high: Maximum rate, 1/s.
        default: Rate if the option is not given, 1/s.
    """
    return click.option("--rate", type=FloatRange(low, high), default=default, metavar="HZ", help="Samples per second.")


@dataclass(frozen=True, slots=True)
class RecordedMotion:
    """The recorded signals of a simulated motion, with what is needed to draw or export the motion."""

    signals: Signals
    """Recorded signals, such as joint angles over time."""
    character: Character
    """The character that moved."""
    ground: Terrain | SpatialTerrain
    """The ground on which it moved."""


@dataclass(frozen=True, slots=True)
class MotionRequest:
    """The motion that a command simulates and records: a node, a script, or a logged run that is simulated again."""

    what: str
    """Name of a node, path of a script, or name of a logged run."""
    args: tuple[float, ...]
    """Arguments of the script."""
    after: str | None
    """Name of the node that runs before the motion. None: the motion begins in the start pose."""
    cycles: int | None
    """Number of repetitions. None: the minimum number of the node."""
    duration: float | None
    """Simulated time, s. None: until the motion ends."""
    world: WorldOptions
    """Ground and engine settings with which a node or script is simulated."""
    walk: int
    """Number of the walk in a logged run, counted from 0."""
    rate: float
    """Samples per simulated second."""
    given: dict[str, str]
    """Spelling of each option on the command line (such as "--from"), by name of the parameter (such as "after")."""

    def record(self, project: Project) -> RecordedMotion:
        """Simulate the motion and record its signals, with progress on stderr.

        Raises:
            CtrlGraphError: `what` is neither a node, a script nor a logged run, or an option does not apply to it.
            SourceError: A file of the project has errors.
        """
        if self.what in project.graph or self.what in project.graph.drafts or os.path.isfile(self.what):
            if "walk" in self.given:
                kind = "node" if self.what in project.graph else "script"
                raise CtrlGraphError(f"omit --walk, which is only for logged runs: {quoted(self.what)} is a {kind}")
            return self._of_controller(project)
        foreign = [option for name, option in self.given.items() if name != "walk"]
        if foreign:
            hint = suggestion(self.what, project.graph.nodes) or "a logged run is simulated as it was logged"
            raise CtrlGraphError(f"{foreign[0]} is for nodes and scripts, but {quoted(self.what)} is neither; {hint}")
        return self._of_run(project)

    def _of_controller(self, project: Project) -> RecordedMotion:
        from ctrlgraph.project.rollout_request import carry_out, find_rollout

        request = find_rollout(project, self.what, self.args, cycles=self.cycles, time=self.duration)
        seconds = request.rollout.timeout
        if seconds > MAX_TIMEOUT_S:
            fault = f"the motion may take {seconds:.0f} s, and at most {MAX_TIMEOUT_S:g} s can be recorded"
            raise CtrlGraphError(f"{fault}: reduce --cycles")
        environment = self.world.environment(project)
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
            print_predecessors(project, result, self.after, err=True)
        assert result.signals is not None
        return RecordedMotion(result.signals, project.character, environment.ground())

    def _of_run(self, project: Project) -> RecordedMotion:
        from ctrlgraph.simulation.environment import Environment
        from ctrlgraph.walks.replay import replay_walk

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
    """Open the run log and find a logged run. The log is closed at the end of the `with` block.

    Args:
        project: Project with the log.
        name: Id of the run, an unambiguous prefix of the id, or "last".

    Yields:
        The open log, and the record of the run.

    Raises:
        CtrlGraphError: There is no such run. The message suggests a node with a similar name.
    """
    with contextlib.ExitStack() as stack:
        try:
            log = stack.enter_context(project.read_log())
            run = log.run(name)
        except CtrlGraphError as error:
            hint = suggestion(name, project.graph.nodes) or str(error)
            raise CtrlGraphError(f"{quoted(name)} is neither a node nor a script nor a logged run; {hint}") from None
        yield log, run


def motion_options(*, required: bool = True) -> Callable[[Function], Function]:
    """Return a decorator that adds the arguments and options that select a motion, such as --from and --cycles.

    The command receives their values together as `motion`, a `MotionRequest`.

    Args:
        required: Whether a node, script or run must be named. If False and none is named, `motion` is None.
    """

    def decorate(function: Function) -> Function:
        @functools.wraps(function)
        @click.pass_context
        def command(ctx: click.Context, /, **values: Any) -> Any:
            fields = {name: values.pop(name) for name in (*_OF_CONTROLLERS, "what", "walk", "rate")}
            given = _given(ctx)
            if fields["what"] is None:
                if given or ctx.get_parameter_source("rate") is ParameterSource.COMMANDLINE:
                    option = next(iter(given.values()), "--rate")
                    raise click.UsageError(f"{option} applies only to a motion: also give a {METAVAR}", ctx)
                return function(ctx, motion=None, **values)
            return function(ctx, motion=MotionRequest(**fields, given=given), **values)

        argument = click.argument("what", metavar=METAVAR, required=required, shell_complete=completion.anything)
        options = add_options(
            argument,
            arguments_argument,
            rate_option(1, 500, 100.0),
            from_option(),
            cycles_option(),
            seconds_option,
            world_option(),
            click.option("--walk", type=click.IntRange(0), default=0, metavar="N", help="Number of the run's walk."),
            engine_option,
        )
        return cast(Function, options(command))

    return decorate


_OF_CONTROLLERS = ("args", "after", "cycles", "duration", "world")


def _given(ctx: click.Context) -> dict[str, str]:
    """Return the spelling of each given option that selects or changes a motion, by name of its parameter.

    Script arguments are listed as "an argument".
    """
    found = {}
    for parameter in ctx.command.params:
        name = parameter.name or ""
        is_given = ctx.get_parameter_source(name) is ParameterSource.COMMANDLINE
        if name in (*_OF_CONTROLLERS, "walk", "engines") and is_given and ctx.params.get(name, True) != ():
            found[name] = "an argument" if name == "args" else parameter.opts[0]
    return found
