"""`ctrlgraph run`: one controller, a node of the graph or a script, from the start pose."""

from __future__ import annotations

import re
import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ctrlgraph.cli import completion, console
from ctrlgraph.cli.controller_options import SETTINGS, after_option, arguments_argument, cycles_option, time_option
from ctrlgraph.cli.exit_codes import ExitCode
from ctrlgraph.cli.numbers import FINITE, FloatRange
from ctrlgraph.cli.pictures import Pictures, picture_options, write_pictures
from ctrlgraph.cli.settings import Settings, engine_option, success_option
from ctrlgraph.cli.walk_display import TERRAIN_HELP
from ctrlgraph.paths import display_path

if TYPE_CHECKING:
    from ctrlgraph.engine.settings import WorldSettings
    from ctrlgraph.project.project import Project
    from ctrlgraph.project.rollout_request import RolloutResult
    from ctrlgraph.simulation.simulation import Push

_NUMBER = r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?"
_PUSH = re.compile(rf"(\w+):({_NUMBER})(?:,({_NUMBER}))?@({_NUMBER})\+({_NUMBER})")


class PushParameter(click.ParamType):  # type: ignore[type-arg]
    """A push in the words LINK:FX[,FY]@START+DURATION."""

    name = "push"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Push:
        from ctrlgraph.simulation.simulation import Push

        if isinstance(value, Push):
            return value
        match = _PUSH.fullmatch(value)
        if match is None:
            self.fail(f"'{value}' is not LINK:FX[,FY]@START+DURATION, such as uTorso:150@1.5+0.1", param, ctx)
        link, x, y, start, duration = match.groups(default="0")
        return Push(start=float(start), duration=float(duration), link=link, x=float(x), y=float(y))


class SolverParameter(click.ParamType):  # type: ignore[type-arg]
    """exact, quick or quick:ITERATIONS; becomes solver and iterations."""

    name = "solver"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> tuple[str, int]:
        if isinstance(value, tuple):
            return value
        solver, _, iterations = value.partition(":")
        if solver not in ("exact", "quick") or (iterations and not (solver == "quick" and iterations.isdigit())):
            self.fail(f"'{value}' is not exact, quick or quick:ITERATIONS", param, ctx)
        return solver, int(iterations or 50)


@click.command(context_settings=SETTINGS)
@click.argument("controller", metavar="NODE_OR_SCRIPT", shell_complete=completion.scripts)
@arguments_argument
@success_option
@after_option
@click.option("--plain", is_flag=True, help="With --from: the node's own controller, whatever edge leads to it.")
@cycles_option()
@time_option
@click.option("--terrain", default="flat", metavar="TEXT", help=TERRAIN_HELP)
@click.option("--friction", type=FloatRange(0, 10), default=1.0, help="Of the ground.", show_default=True)
@click.option(
    "--push",
    "pushes",
    type=PushParameter(),
    multiple=True,
    metavar="LINK:FX[,FY]@T+DURATION",
    help="Push a link with N newtons, T s after it begins, for DURATION s; may be given several times.",
)
@click.option("--seed", type=click.IntRange(0), default=0, show_default=True, help="Of the quick solver.")
@click.option("--dt", type=FINITE, default=0.002, show_default=True, metavar="S", help="Time step.")
@click.option(
    "--solver",
    type=SolverParameter(),
    default="exact",
    show_default=True,
    metavar="exact|quick[:N]",
    help="The engine's solver and its iterations.",
)
@click.option(
    "--measures",
    "which",
    type=click.Choice(["few", "all"]),
    default="few",
    show_default=True,
    help="What is printed: the measures that conditions name and a few that always mean something, or all.",
)
@click.option("--why", is_flag=True, help="Tell which conditions led from phase to phase, and when success was lost.")
@picture_options
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object; it has all measures.")
@engine_option
@click.pass_context
def command(
    ctx: click.Context,
    controller: str,
    args: tuple[float, ...],
    success: tuple[str, ...],
    after: str | None,
    plain: bool,
    cycles: int | None,
    duration: float | None,
    terrain: str,
    friction: float,
    pushes: Sequence[Push],
    seed: int,
    dt: float,
    solver: tuple[str, int],
    which: str,
    why: bool,
    pictures: Pictures,
    as_json: bool,
) -> None:
    """Run one controller: a node of the graph, or a script with its ARGS.

    A node is judged by its own success conditions, a script by --success or its own SET SUCCESS; where it has
    neither, it ends, or it falls where it leaves through a fall exit. Nothing is logged. The exit code is 1 if the
    controller fails or falls.
    """
    from ctrlgraph.project.controller_names import require_controller

    settings: Settings = ctx.obj
    project = settings.project()
    require_controller(project, controller)
    from ctrlgraph.project.rollout_request import carry_out, find_rollout
    from ctrlgraph.project.script_success import parse_conditions

    environment = project.environment(terrain, friction, settings=_settings(dt, solver))
    ground = environment.ground()
    request = find_rollout(project, controller, args, cycles=cycles, time=duration, success=parse_conditions(success))
    with console.progress(f"simulating {request.name}", total=request.rollout.timeout) as (bar, task):
        result = carry_out(
            project,
            request,
            after=None if after is None else project.graph.node(after),
            plain=plain,
            environment=environment,
            seed=seed,
            pushes=pushes,
            why=why,
            on_progress=lambda now: bar.update(task, completed=now),
        )
    if result.edge is not None and result.edge.parameters is not None:
        console.echo(f"over the learned edge {result.edge} (--plain runs the node's own controller)", err=True)
    elif result.passed_over is not None:
        console.echo(f"the learned edge {result.passed_over} is not for this ground: {request.name} as it is", err=True)
    drawn = _draw(project, result, after, ground, pictures)
    if as_json:
        console.print_json(result.as_dict() | {"pictures": [str(path) for path in drawn]})
    else:
        _print(result, which == "all")
        if why:
            _print_course(result)
        if result.succeeded is False:
            tell_what_comes_before(project, result, after)
    for path in drawn:
        console.echo(f"picture: {display_path(path)}", err=as_json)
    ctx.exit(ExitCode.of(result.succeeded is not False))


def _settings(dt: float, solver: tuple[str, int]) -> WorldSettings:
    from ctrlgraph.engine.settings import WorldSettings

    kind, iterations = solver
    return WorldSettings(dt=dt, solver="quick" if kind == "quick" else "exact", iterations=iterations)


def _draw(project: Project, result: RolloutResult, after: str | None, ground: Any, pictures: Pictures) -> list[Path]:
    labels = [(result.began, result.request.name)]
    if after is not None:
        labels.insert(0, (0.0, after))
    return write_pictures(
        result.trace,
        pictures,
        character=project.character,
        terrain=ground,
        labels=labels,
        phases=result.captions,
        title=result.request.name,
        engine=project.engine,
    )


def _print(result: RolloutResult, all_measures: bool) -> None:
    from rich.text import Text

    from ctrlgraph.project.rollout_request import way_out

    out, outcome = console.stdout(), result.outcome
    line = Text(f"{result.request.name}: ")
    word, *rest = result.headline.split(":", 1)
    line.append(word, style={True: "green", False: "bold red", None: "yellow"}[result.succeeded])
    out.print(line + Text(f":{rest[0]}" if rest else ""))
    if outcome.place is not None:
        place = outcome.place
        out.print(f"in phase {outcome.phase}, {display_path(place.path)}:{place.line}:{place.column}")
    if outcome.fell and outcome.judged and outcome.departure is not None:
        out.print(way_out(outcome.departure))
    _print_measures(result, all_measures)
    wall_s = max(outcome.wall_s - outcome.compiling_s, 1e-9)  # compiling says nothing of the speed
    speed = outcome.simulated_s / wall_s
    compiled = f" after {outcome.compiling_s:.1f} s of compiling" if outcome.compiling_s >= 0.05 else ""
    out.print(
        f"{outcome.simulated_s:.2f} s simulated in {wall_s:.2f} s ({speed:.{0 if speed >= 10 else 1}f}x real time)"
        f"{compiled}, {outcome.energy_j:.0f} J, seed {result.seed}"
    )
    if outcome.engine_messages:
        out.print(f"the engine complained {outcome.engine_messages} times")


def tell_what_comes_before(project: Project, result: RolloutResult, after: str | None, *, err: bool = False) -> None:
    """Of a node that failed from the start pose, or after a node from which no edge leads to it: from where the graph
    enters it, or what it goes over."""
    node = result.request.node
    if node is None or result.edge is not None or result.passed_over is not None:
        return
    if node.obstacle:
        console.echo(f"{node.name} needs a {node.obstacle.kind} before it: see `ctrlgraph docs terrain`", err=err)
        return
    before = dict.fromkeys(e.source for e in project.graph.edges if e.planned and e.target == node.name)
    if before and after not in before:
        first, *others = sorted(before, key=lambda name: name != project.graph.start)
        where = f"{first} or one of {len(others)} more" if len(others) > 1 else " or ".join([first, *others])
        began = "in the start pose" if after is None else f"where {after} ends"
        console.echo(f"it began {began}; in the graph it comes after {where}: --from {shlex.quote(first)}", err=err)


PASSAGES = 12
"""So many changes of phase are printed, the last ones."""


def _print_course(result: RolloutResult) -> None:
    """The last changes of phase, and each condition over time."""
    from rich.table import Table
    from rich.text import Text

    passages, shown = result.passages, result.passages[-PASSAGES:]
    if passages:
        before = f" (the last {len(shown)} of {len(passages)}; --json has all)" if len(shown) < len(passages) else ""
        console.echo(f"\nfrom phase to phase{before}")
    table = Table(box=None, pad_edge=False)
    for title in ("s", "from", "to", "because of", "in"):
        table.add_column(title, justify="right" if title in ("s", "from", "to") else "left")
    for each in shown:
        place = each.place
        where = "" if place is None else f"{display_path(place.path)}:{place.line}"
        phases = ("" if n is None else str(n) for n in (each.before, each.phase))
        table.add_row(f"{each.time:.2f}", *phases, Text(each.condition), Text(where, style="dim"))
    if passages:
        console.stdout().print(table)
    if result.awaited:
        console.echo(f"\nphase {result.outcome.phase} waited for")
        waiting = Table(box=None, pad_edge=False, show_header=False)
        for left in result.awaited:
            waiting.add_row(
                Text(left.condition), Text(f"{display_path(left.place.path)}:{left.place.line}", style="dim")
            )
        console.stdout().print(waiting)
    if result.courses:
        console.echo("\nconditions, had it ended there")
        table = Table(box=None, pad_edge=False, show_header=False)
        for course in result.courses:
            sentence = course.sentence()
            table.add_row(
                course.name, Text(sentence, style="bold red" if "lost" in sentence or "never" in sentence else "")
            )
        console.stdout().print(table)


USUAL = ("duration", "distance", "speed", "com_height")
"""Measures that mean something of every motion."""


def _print_measures(result: RolloutResult, all_measures: bool) -> None:
    from rich.table import Table
    from rich.text import Text

    from ctrlgraph.simulation.measures import MEASURES, in_turn, overshoot, range_text

    rollout, values = result.request.rollout, result.outcome.measures
    wanted_of = rollout.ranges
    named = {*USUAL, *wanted_of}
    shown = {name: value for name, value in values.items() if all_measures or name in named}
    table = Table(box=None, pad_edge=False)
    for title in ("measure", "value", "wanted", ""):
        table.add_column(title, justify="right" if title == "value" else "left")
    for name, value in shown.items():
        low, high = wanted_of.get(name, (None, None))
        wanted, style = "", ""
        if low is not None and high is not None:
            wanted = range_text(low, high)
            style = "green" if overshoot(name, value, low, high) == 0.0 else "bold red"
            value = in_turn(name, value, low, high)
        table.add_row(name, Text(f"{value:.3f}", style=style), wanted, Text(MEASURES[name].label, style="dim"))
    console.stdout().print(table)
    if len(shown) < len(values):
        console.stdout().print(Text(f"{len(values) - len(shown)} more: --measures all", style="dim"))
