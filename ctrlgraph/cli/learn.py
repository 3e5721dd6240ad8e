"""`ctrlgraph learn`: find constants under which one motion leads into another."""

from __future__ import annotations

import shlex
from collections.abc import Callable
from dataclasses import dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click
from click.core import ParameterSource

from ctrlgraph.cli import completion, console
from ctrlgraph.cli.pictures import PictureFile, Pictures, write_pictures
from ctrlgraph.cli.search_display import SearchDisplay, print_search, say_problem, say_verifying, search_dict
from ctrlgraph.cli.search_options import SearchOptions, gathered, search_options
from ctrlgraph.cli.settings import Settings
from ctrlgraph.paths import display_path

if TYPE_CHECKING:
    from ctrlgraph.optimization.learn import Learned
    from ctrlgraph.optimization.scheduling import Condition
    from ctrlgraph.optimization.transition import TransitionRequest
    from ctrlgraph.project.project import Project

Function = TypeVar("Function", bound=Callable[..., Any])


def _load_scenario(ctx: click.Context, _: click.Parameter, name: str | None) -> None:
    """What the file says becomes the default of every argument and option; the command line goes before it."""
    if name is None:
        return
    from ctrlgraph.cli.robustness import scenario_path
    from ctrlgraph.optimization.scenario import DIRECTORY, load_learn_scenario

    settings: Settings = ctx.obj
    project = settings.project()
    scenario = load_learn_scenario(scenario_path(project, name, DIRECTORY), project.directory)
    names = _long_names(ctx.command)
    chosen = {names[option]: value for option, value in scenario.given.items()}
    ctx.default_map = {**(ctx.default_map or {}), "source": scenario.source, "target": scenario.target, **chosen}


def _long_names(command: click.Command) -> dict[str, str]:
    """The parameters of a command by the long names of its options, without dashes."""
    return {name.removeprefix("--"): str(p.name) for p in command.params for name in p.opts if name[:2] == "--"}


def _repeatable(ctx: click.Context, seed: int) -> str:
    """The command that finds the same, as a learned file keeps it: all that was given and decides what is found,
    whether on the command line or in a scenario."""
    from ctrlgraph.optimization.options import ALLOWED, words_of

    given = {}
    for name, key in _long_names(ctx.command).items():
        if name in ALLOWED and ctx.get_parameter_source(key) is not ParameterSource.DEFAULT:
            given[name] = _given(ctx, key)
    words = words_of(ctx.params["source"], ctx.params["target"], given | {"seed": seed})
    return shlex.join(["ctrlgraph", "learn", *words])


def _given(ctx: click.Context, key: str) -> Any:
    """What an option was given, as a command line says it."""
    settings: Settings = ctx.obj
    if key == "engine":  # it is no parameter of the command: see `engine_option`
        return settings.engine
    return ",".join(ctx.params[key]) if key == "engines" else ctx.params[key]


@dataclass(frozen=True)
class TransitionOptions:
    """What of a transition may change, and what is wanted of it: the options that `transition_options` adds."""

    source_cycles: int | None
    bridge: str | None
    target_cycles: int | None
    phases: tuple[int, ...]
    quantities: tuple[str, ...]
    smooth: bool
    faster: bool
    less_energy: bool
    condition: str | None
    obstacle: str | None

    @property
    def parts_chosen(self) -> bool:
        """Tell whether it is said which parts the transition has, or which of their constants may change."""
        numbers = (self.source_cycles, self.bridge, self.target_cycles)
        return any(number is not None for number in numbers) or bool(self.phases or self.quantities)

    @property
    def styles(self) -> dict[str, float]:
        """Return the weights of --smooth, --faster and --less-energy."""
        from ctrlgraph.optimization.transition import STYLES

        weights: dict[str, float] = {}
        asked = (("smooth", self.smooth), ("faster", self.faster), ("less-energy", self.less_energy))
        for name, wanted in asked:
            weights |= STYLES[name] if wanted else {}
        return weights

    @property
    def on(self) -> Condition | None:
        """Return the condition of --on or --obstacle.

        Raises:
            CtrlGraphError: it has another form, or both are given.
        """
        from ctrlgraph.optimization.scheduling import box_height, parse_condition

        if self.condition is not None and self.obstacle is not None:
            raise click.UsageError("an edge is bound to one condition: give --on or --obstacle")
        if self.obstacle is not None:
            return "obstacle", box_height(self.obstacle)
        return None if self.condition is None else parse_condition(self.condition)

    @property
    def ground(self) -> list[tuple[str, object]]:
        """Return the ground of --on and --obstacle, as perturbations."""
        if self.obstacle is not None:
            return [("terrain", f"box={self.obstacle}")]
        on = self.on
        return [on] if on is not None and on[0] == "slope" else []


def transition_options(function: Function) -> Function:
    """Add the options of a transition; the command receives them as `asked`, a `TransitionOptions`."""
    options = (
        click.option("--source-cycles", type=click.IntRange(0),
                     help="So many more cycles of the source with constants of their own.  [default: 1 for a gait]"),
        click.option("--bridge", metavar="N|FILE",
                     help="A bridging script of N phases that is proposed, or one of yours."),
        click.option("--target-cycles", type=click.IntRange(1),
                     help="Only so many first cycles of the target change.  [default: 1 for a gait, else all]"),
        click.option("--phase", "phases", type=int, multiple=True,
                     help="Only these phases of the target's scripts change."),
        click.option("--only", "quantities", multiple=True, metavar="KIND",
                     help="Only angle, kp, kd, time, cd, cv, force..."),
        click.option("--smooth", is_flag=True, help="Follow the target's known motion more closely."),
        click.option("--faster", is_flag=True, help="Take less time."),
        click.option("--less-energy", is_flag=True, help="Take less work and torque."),
        click.option("--on", "condition", metavar="slope=DEG",
                     help="Constants for this ground only, interpolated to those of other slopes."),
        click.option("--obstacle", metavar="X:WIDTH:HEIGHT",
                     help="Constants for a box on the ground, X m from the start."),
    )  # fmt: skip
    changed = gathered("asked", tuple(f.name for f in fields(TransitionOptions)), TransitionOptions)(function)
    for option in reversed(options):
        changed = option(changed)
    return changed


def _relearn(ctx: click.Context, _: click.Parameter, asked: bool) -> None:
    """Repeat the commands by which stale edges were learned, each with its own seed; the command ends then."""
    if not asked:
        return
    from ctrlgraph.optimization.relearning import recorded_arguments, stale_edges

    settings: Settings = ctx.obj
    project = settings.project()
    # what cannot be repeated is said before anything is simulated
    recorded = [(summary.name, recorded_arguments(project, summary)) for summary in stale_edges(project)]
    if not recorded:
        console.echo("no learned edge is stale")
    for name, commands in recorded:
        for arguments in commands:
            console.echo(f"{name}: ctrlgraph learn {shlex.join(arguments)}", err=True)
            with command.make_context("learn", arguments, parent=ctx.parent) as own:
                command.invoke(own)
    ctx.exit()


@click.command()
@click.argument("source", shell_complete=completion.nodes)
@click.argument("target", shell_complete=completion.nodes)
@click.option(
    "--stale",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_relearn,
    help="Learn every edge anew whose scripts have changed, by the command that is kept in its file.",
)
@click.option(
    "--scenario",
    is_eager=True,
    expose_value=False,
    callback=_load_scenario,
    metavar="FILE",
    help="A scenario file, or the name of one in scenarios/learn/: source, target and options.",
)
@transition_options
@click.option("--refine", is_flag=True, help="Begin with the constants of the present learned edge.")
@click.option(
    "--filmstrip",
    type=PictureFile(".png"),
    metavar="FILE.png",
    help="Draw the naive switch and what was learned: FILE-naive.png, FILE-learned.png.",
)
@search_options
@click.pass_context
def command(
    ctx: click.Context,
    source: str,
    target: str,
    asked: TransitionOptions,
    refine: bool,
    filmstrip: Path | None,
    options: SearchOptions,
) -> None:
    """Learn the transition from node SOURCE to node TARGET.

    Searched are the constants of the source's last cycles, of a bridging script and of the target's first cycles.
    What was found is compared with simply switching, on entries that the search has not seen, and written as a
    learned edge only where it is better.
    """
    from ctrlgraph.optimization.learn import learn, write_edge

    settings: Settings = ctx.obj
    project, plan = settings.project(), options.plan
    request = _request(project, source, target, asked, options)
    if refine:
        request = _refined(project, request, asked)
    with options.pool(ctx) as pool, SearchDisplay(options.generations, f"{source} -> {target}") as display:
        found = learn(
            project,
            request,
            plan,
            options.budget,
            pool,
            trials=options.trials,
            checkpoint=options.checkpoint,
            begun=lambda problem, left_out: say_problem(problem, left_out, request.seed),
            observe=display.generation,
            verifying=say_verifying,
        )
    written = (
        write_edge(project, found, plan, _repeatable(ctx, options.seed)) if found.worth and not options.dry_run else []
    )
    if filmstrip is not None:
        _draw(project, found, filmstrip)
    if options.as_json:
        console.print_json(
            search_dict(found.result, options.processes) | found.as_dict() | {"written": [str(p) for p in written]}
        )
        return
    print_search(found.result, options.processes)
    _print_end(found, written, options.dry_run)
    if written:
        _say_ground(project, source, target)


def _request(
    project: Project, source: str, target: str, asked: TransitionOptions, options: SearchOptions
) -> TransitionRequest:
    from ctrlgraph.experiments.evaluation_plan import is_cyclic
    from ctrlgraph.optimization.transition import TransitionRequest
    from ctrlgraph.optimization.tuning import check_quantities

    gait, goal = is_cyclic(project.graph.node(source)), is_cyclic(project.graph.node(target))
    bridge = asked.bridge or "0"
    return TransitionRequest(
        source=source,
        target=target,
        source_cycles=int(gait) if asked.source_cycles is None else asked.source_cycles,
        bridge=int(bridge) if bridge.isdecimal() else bridge,
        target_cycles=1 if asked.target_cycles is None and goal else asked.target_cycles,
        phases=asked.phases,
        quantities=check_quantities(asked.quantities),
        fixed=options.fixed(project, *asked.ground),
        engines=options.engines,
        groups=options.groups,
        entries=options.entries,
        numerics=options.numerics,
        exits=options.exits,
        weights=asked.styles | options.weights,
        on=asked.on,
        seed=options.seed,
    )


def _refined(project: Project, request: TransitionRequest, asked: TransitionOptions) -> TransitionRequest:
    """The request, to go on from the present learned edge."""
    from ctrlgraph.optimization.transition import refined

    if asked.parts_chosen:
        raise click.UsageError(
            "--refine goes on with the parts and constants of the present edge: it takes no --source-cycles, --bridge, "
            "--target-cycles, --phase or --only"
        )
    return refined(project, request)


def _draw(project: Project, found: Learned, file: Path) -> None:
    """The first unperturbed case, with the naive switch and with what was learned."""
    from ctrlgraph.optimization.motion import motion
    from ctrlgraph.optimization.transition import naive_problem

    naive = motion(project, naive_problem(found.problem), [])
    learned = motion(project, found.problem, found.result.x)
    for name, shown in (("naive", naive), ("learned", learned)):
        path = file.with_name(f"{file.stem}-{name}.png")
        write_pictures(
            shown.trace,
            Pictures(path),
            character=shown.character,
            terrain=shown.terrain,
            title=f"{name}: {shown.title}",
        )


def _say_ground(project: Project, source: str, target: str) -> None:
    """Where the edge was bound to a ground before, how to measure on which it holds now."""
    from ctrlgraph.graph.ground import EVERYWHERE

    edge = project.graph.planned_edge(source, target)
    if edge is not None and edge.ground != EVERYWHERE:
        command = shlex.join(
            ["ctrlgraph", "robustness", f"{source}->{target}", "--sweep", "slope=-8:8:0.5", "--write-ground"]
        )
        console.stdout().print(f"its ground in the graph is still that of the edge before; measure it anew: {command}")


def _print_end(found: Learned, written: list[Path], dry_run: bool) -> None:
    out = console.stdout()
    out.print(f"on held-out entries: naive {found.naive.sentence()}, learned {found.learned.sentence()}")
    if written:
        out.print(f"{found.why}; written: {', '.join(display_path(path) for path in written)}")
    elif dry_run and found.worth:
        out.print(f"{found.why}; nothing is written: a dry run")
    else:
        out.print(f"nothing is written: {found.why}")
