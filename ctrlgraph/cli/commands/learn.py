"""`ctrlgraph learn`: learn the transition from one node to another, by a search for better constants."""

from __future__ import annotations

import shlex
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from ctrlgraph.cli import completion, console
from ctrlgraph.cli.display.searches import print_problem, print_search, print_validating, search_dict, showing_search
from ctrlgraph.cli.options.common import Settings, add_options
from ctrlgraph.cli.options.search import SearchOptions, collected, search_options
from ctrlgraph.paths import display_path

if TYPE_CHECKING:
    from ctrlgraph.learning.learn import Learned
    from ctrlgraph.learning.scheduling import Condition
    from ctrlgraph.learning.transition import TransitionRequest
    from ctrlgraph.project.project import Project


def _long_names(command: click.Command) -> dict[str, str]:
    """Return the parameter name of each option of a command, by the option's long name: {"with": "perturbations"}."""
    return {name.removeprefix("--"): str(p.name) for p in command.params for name in p.opts if name[:2] == "--"}


def _repeatable(ctx: click.Context, seed: int) -> str:
    """Return the command line that repeats a search, with all options that affect the result.

    Args:
        ctx: Context of the command.
        seed: Seed of the search.
    """
    from ctrlgraph.learning.relearning import ALLOWED, words_of

    given = {}
    for name, key in _long_names(ctx.command).items():
        if name in ALLOWED and ctx.get_parameter_source(key) is not ParameterSource.DEFAULT:
            given[name] = _given(ctx, key)
    words = words_of(ctx.params["source"], ctx.params["target"], given | {"seed": seed})
    return shlex.join(["ctrlgraph", "learn", *words])


def _given(ctx: click.Context, key: str) -> Any:
    """Return the value of the parameter `key` of this command, in the form in which the command line accepts it."""
    settings: Settings = ctx.obj
    return ",".join(ctx.params[key]) or settings.engine if key == "engines" else ctx.params[key]


@dataclass(frozen=True)
class TransitionOptions:
    """Values of the options that describe the transition to learn. Each field's docstring begins with the option.

    The transition consists of last cycles of the source, a bridging script, and first cycles of the target.
    """

    source_cycles: int | None
    """--source-cycles: number of additional cycles of the source whose constants may change. None: 1 for a gait."""
    bridge: str | None
    """--bridge: number of phases of the bridging script, "path" (motions of the shortest path), or a script file."""
    target_cycles: int | None
    """--target-cycles: number of first target cycles whose constants may change. None: 1 for a gait, otherwise all."""
    phases: tuple[int, ...]
    """--phase: numbers of the phases of the target's scripts whose constants may change; empty for all."""
    quantities: tuple[str, ...]
    """--only: kinds of constants that may change, such as "angle"; empty for all."""
    condition: str | None
    """--on: slope for which the constants are learned, as "slope=DEG"; None if not given."""
    obstacle: str | None
    """--obstacle: box on the ground for which the constants are learned, as X:WIDTH:HEIGHT, m; None if not given."""

    @property
    def parts_chosen(self) -> bool:
        """Return whether an option states which constants may change. Otherwise the search chooses them in stages."""
        numbers = (self.source_cycles, self.bridge, self.target_cycles)
        return any(number is not None for number in numbers) or bool(self.phases or self.quantities)

    @property
    def on(self) -> Condition | None:
        """Return the ground for which the constants are learned: ("slope", degrees) or ("obstacle", box height in m).

        The first is given by --on, the second by --obstacle. The result is None if neither is given.

        Raises:
            CtrlGraphError: The value of an option is malformed.
            click.UsageError: Both --on and --obstacle are given.
        """
        from ctrlgraph.learning.scheduling import box_height, parse_condition

        if self.condition is not None and self.obstacle is not None:
            raise click.UsageError(
                "--on and --obstacle cannot be combined: constants are learned for one slope or one obstacle"
            )
        if self.obstacle is not None:
            return "obstacle", box_height(self.obstacle)
        return None if self.condition is None else parse_condition(self.condition)

    @property
    def ground(self) -> list[tuple[str, object]]:
        """Return the ground that --on or --obstacle describes, as a list of at most one perturbation (name, value)."""
        if self.obstacle is not None:
            return [("terrain", f"box={self.obstacle}")]
        on = self.on
        return [on] if on is not None and on[0] == "slope" else []


transition_options = add_options(
    click.option("--source-cycles", type=click.IntRange(0),
                 help="Additional source cycles with constants of their own.  [default: 1 for a gait]"),
    click.option("--bridge", metavar="N|path|FILE",
                 help="Bridging script: N phases from pose to pose, the motions of the shortest path, or a file."),
    click.option("--target-cycles", type=click.IntRange(1),
                 help="Number of first target cycles that change.  [default: 1 for a gait, else all]"),
    click.option("--phase", "phases", type=int, multiple=True,
                 help="Change only this phase of the target's scripts. Repeatable."),
    click.option("--only", "quantities", multiple=True, metavar="KIND",
                 help="Change only constants of this kind: angle, kp, kd, time, cd, cv, force... Repeatable."),
    click.option("--on", "condition", metavar="slope=DEG",
                 help="Learn constants for this slope, interpolated to those of other slopes."),
    click.option("--obstacle", metavar="X:WIDTH:HEIGHT",
                 help="Learn constants for a box on the ground, X m from the start."),
    collected("chosen", TransitionOptions),
)  # fmt: skip
"""Decorator that adds the options of a transition. The command receives `chosen`, a `TransitionOptions`."""


def _relearn(ctx: click.Context, _: click.Parameter, chosen: bool) -> None:
    """Learn all stale edges (learned edges whose scripts have changed) again, and end the command.

    Each learned file contains the command line with which it was made, with the seed. This command is repeated.

    Args:
        ctx: Context of the command.
        chosen: Whether --stale is given. If not, do nothing.
    """
    if not chosen:
        return
    from ctrlgraph.learning.relearning import recorded_arguments, stale_edges

    settings: Settings = ctx.obj
    project = settings.project()
    # report commands that cannot be repeated before anything is simulated
    recorded = [(summary.name, recorded_arguments(project, summary)) for summary in stale_edges(project)]
    if not recorded:
        console.echo("no learned edge is stale")
    for name, commands in recorded:
        for arguments in commands:
            console.echo(f"{name}: ctrlgraph learn {shlex.join(arguments)}", err=True)
            with command.make_context("learn", arguments, parent=ctx.parent) as own:
                command.invoke(own)
    ctx.exit()


class _LearnCommand(click.Command):
    """The command, which shows its help before --stale learns anything."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse the arguments; if they ask for help, the others are not processed."""
        asked = [word for word in args if word in ctx.help_option_names]
        return super().parse_args(ctx, asked or args)


@click.command(cls=_LearnCommand)
@click.argument("source", shell_complete=completion.nodes)
@click.argument("target", shell_complete=completion.nodes)
@click.option(
    "--stale",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_relearn,
    help="Learn every edge again whose scripts have changed, by the command in its file.",
)
@transition_options
@click.option("--refine", is_flag=True, help="Start from the constants of the existing learned edge.")
@search_options
@click.pass_context
def command(
    ctx: click.Context, source: str, target: str, chosen: TransitionOptions, refine: bool, options: SearchOptions
) -> None:
    """Learn the transition from node SOURCE to node TARGET.

    The search changes constants of the source's last cycles, of a bridging script and of the target's first cycles.
    The result is compared with the direct transition (the target unchanged) in held-out cases, which the search did not
    use. It is written as a learned edge only if it is better.

    Without options that choose constants, the search has five stages. It changes angles and times of the target; also
    those of the source's last cycles; all constants; a bridging script from pose to pose; a bridging script that runs
    the motions of the shortest path. The search ends with the first stage that is better than the direct transition and
    succeeds in 90 % of the held-out cases.

    Examples:
      ctrlgraph learn walk stand --minutes 5
      ctrlgraph learn stand march --over noise=0.02/0.05 --engine ode,mujoco
    """
    from ctrlgraph.learning.learn import learn, stages, write_edge
    from ctrlgraph.learning.transition import refined

    settings: Settings = ctx.obj
    project, plan = settings.project(), options.plan
    request = _request(project, source, target, chosen, options)
    if refine:
        if chosen.parts_chosen:
            others = "--source-cycles, --bridge, --target-cycles, --phase or --only"
            raise click.UsageError(f"omit {others}: --refine only changes the constants of the existing learned edge")
        request = refined(project, request)
    in_stages = not refine and not chosen.parts_chosen
    budget = options.budget
    title = f"{source} -> {target}"
    with options.pool() as pool, showing_search(options.generations, title, budget.seconds) as show:
        found = learn(
            project,
            stages(request) if in_stages else [request],
            plan,
            budget,
            pool,
            trials=options.trials,
            checkpoint=options.checkpoint,
            begun=lambda problem, left_out: print_problem(problem, left_out, request.seed),
            observe=show,
            verifying=print_validating,
        )
    written = []
    if found.improves and not options.dry_run:
        written = write_edge(project, found, plan, _repeatable(ctx, options.seed))
    if options.as_json:
        report = search_dict(found.result, options.workers) | found.as_dict()
        console.print_json(report | {"written": [str(path) for path in written]})
        return
    print_search(found.result, options.workers)
    _print_end(found, written, options.dry_run)
    if written:
        _print_ground(project, source, target)


def _request(
    project: Project, source: str, target: str, chosen: TransitionOptions, options: SearchOptions
) -> TransitionRequest:
    from ctrlgraph.learning.transition import TransitionRequest
    from ctrlgraph.learning.tuning import check_quantities
    from ctrlgraph.robustness.evaluation_plan import is_cyclic

    gait, goal = is_cyclic(project.graph.node(source)), is_cyclic(project.graph.node(target))
    bridge = chosen.bridge or "0"
    return TransitionRequest(
        source=source,
        target=target,
        source_cycles=int(gait) if chosen.source_cycles is None else chosen.source_cycles,
        bridge=int(bridge) if bridge.isdecimal() else bridge,
        target_cycles=1 if chosen.target_cycles is None and goal else chosen.target_cycles,
        phases=chosen.phases,
        quantities=check_quantities(chosen.quantities),
        weights=options.weights,
        on=chosen.on,
        **options.cases(project, *chosen.ground),
    )


def _print_ground(project: Project, source: str, target: str) -> None:
    """If the graph file restricts an edge to some ground, print the command that measures this ground again.

    Args:
        project: Project with the graph.
        source: Name of the edge's source.
        target: Name of the edge's target.
    """
    from ctrlgraph.graph.ground import EVERYWHERE

    edge = project.graph.planned_edge(source, target)
    if edge is not None and edge.ground != EVERYWHERE:
        command = shlex.join(
            ["ctrlgraph", "robustness", "sweep", f"{source}->{target}", "slope=-8:8:0.5", "--write-ground"]
        )
        console.stdout().print(
            "the graph still has the range of slopes of the former edge; to measure the range of the new edge,"
            f" run: {command}"
        )


def _print_end(found: Learned, written: list[Path], dry_run: bool) -> None:
    out = console.stdout()
    out.print(f"in held-out cases: naive {found.naive.sentence()}, learned {found.learned.sentence()}")
    if written:
        out.print(f"{found.why}; written: {', '.join(display_path(path) for path in written)}")
    elif dry_run and found.improves:
        out.print(f"{found.why}; nothing is written, because this is a dry run")
    else:
        out.print(f"nothing is written: {found.why}")
