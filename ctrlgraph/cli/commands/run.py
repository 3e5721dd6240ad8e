"""`ctrlgraph run`: simulate one controller, that of a node of the graph or a script."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ctrlgraph.cli import completion, console
from ctrlgraph.cli.display.rollouts import print_phases, print_predecessors, print_rollout
from ctrlgraph.cli.exit_codes import ExitCode
from ctrlgraph.cli.options.common import Settings, engine_option, json_option, success_option
from ctrlgraph.cli.options.motion import SETTINGS, arguments_argument, cycles_option, from_option, seconds_option
from ctrlgraph.cli.options.pictures import Pictures, picture_options, write_pictures
from ctrlgraph.cli.options.world import RUN, WorldOptions, world_option

if TYPE_CHECKING:
    from ctrlgraph.project.project import Project
    from ctrlgraph.project.rollout_request import RolloutResult


@click.command(context_settings=SETTINGS)
@click.argument("controller", metavar="NODE_OR_SCRIPT", shell_complete=completion.scripts)
@arguments_argument
@success_option
@from_option()
@click.option("--plain", is_flag=True, help="With --from: run the node's own controller instead of a learned edge.")
@cycles_option()
@seconds_option
@world_option(RUN)
@click.option("--why", is_flag=True, help="Print which conditions changed the phase, and when success was lost.")
@picture_options
@json_option(
    "controller, cycles, seed, terrain, status, ending, succeeded, reason, phase, place, left_through, edge, "
    "simulated_s, wall_s, energy_j, engine_messages, measures, state_digest, history_digest, pictures; with "
    "--why: passages, awaited, conditions"
)
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
    world: WorldOptions,
    why: bool,
    filmstrip: Path | None,
    video: Path | None,
    view: str,
    as_json: bool,
) -> None:
    """Simulate one controller: a node of the graph, or a script with its ARGS.

    A node succeeds if its success conditions in the graph file hold, a script if those of --success or of its statement
    SET SUCCESS hold. A script without conditions succeeds unless it ends by a fall exit (a transition because of a
    fall). Nothing is logged. `ctrlgraph -v run` prints all measures. The exit code is 1 if the controller fails or the
    character falls.

    Examples:
      ctrlgraph run backflip --from stand --filmstrip backflip.png
      ctrlgraph run walk --cycles 6 --with slope=3 --with push=uTorso:150@1.5+0.1 --why
      ctrlgraph run controllers/leap.t 0.5 --success height=1:
    """
    from ctrlgraph.project.controller_names import require_controller

    settings: Settings = ctx.obj
    project = settings.project()
    require_controller(project, controller)
    from ctrlgraph.project.rollout_request import carry_out, find_rollout
    from ctrlgraph.project.script_success import parse_conditions

    environment = world.environment(project)
    ground = environment.ground()
    request = find_rollout(project, controller, args, cycles=cycles, time=duration, success=parse_conditions(success))
    with console.progress(f"simulating {request.name}", total=request.rollout.timeout) as (bar, task):
        result = carry_out(
            project,
            request,
            after=None if after is None else project.graph.node(after),
            plain=plain,
            environment=environment,
            seed=world.seed,
            pushes=world.pushes,
            why=why,
            on_progress=lambda now: bar.update(task, completed=now),
        )
    if result.edge is not None and result.edge.parameters is not None:
        console.echo(f"using the learned edge {result.edge} (--plain runs the node's own controller)", err=True)
    elif result.passed_over is not None:
        console.echo(
            f"the learned edge {result.passed_over} is for other ground: {request.name} runs unchanged", err=True
        )
    drawn = _draw(project, result, after, ground, Pictures(filmstrip, video, view=view))
    if as_json:
        console.print_json(result.as_dict() | {"pictures": [str(path) for path in drawn]})
    else:
        print_rollout(result, settings.verbose > 0)
        if why:
            print_phases(result)
        if result.succeeded is False:
            print_predecessors(project, result, after)
    console.echo_pictures(drawn, err=as_json)
    ctx.exit(ExitCode.of(result.succeeded is not False))


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
