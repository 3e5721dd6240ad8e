"""`ctrlgraph goto`: walk to a node of the graph by the most reliable path, past a position, or to places in space."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ctrlgraph.cli import completion, console
from ctrlgraph.cli.display.walks import WalkDisplay, command_line, draw_walk, warn
from ctrlgraph.cli.exit_codes import ExitCode
from ctrlgraph.cli.options.common import Settings, engine_option, json_option, seed_option
from ctrlgraph.cli.options.numbers import FloatRange, GroundPlace
from ctrlgraph.cli.options.pictures import Pictures, picture_options
from ctrlgraph.cli.options.world import WALK, WorldOptions, world_option

if TYPE_CHECKING:
    from ctrlgraph.graph.goal_planner import GoalPlan
    from ctrlgraph.walks.course_walk import CourseSummary
    from ctrlgraph.walks.goal_walk import GoalSummary
    from ctrlgraph.walks.lookahead import Prospect
    from ctrlgraph.walks.way_walk import WaySummary


@click.command()
@click.argument("goal", required=False, shell_complete=completion.nodes)
@click.option(
    "--x", type=FloatRange(0, 1e4, min_open=True, max_open=True), metavar="METRES", help="Walk past this position."
)
@click.option(
    "--to",
    type=GroundPlace(),
    multiple=True,
    metavar="X,Y",
    help="Steer the gait GOAL to this place, m, around blocks. Repeatable: places in this order.",
)
@click.option(
    "--from",
    "via",
    metavar="NODE",
    shell_complete=completion.nodes,
    help="Walk to this node first. A walk begins at the start node.",
)
@seed_option()
@click.option("--predict", is_flag=True, help="Leave motions before predicted falls, and get up after falls.")
@world_option(WALK)
@picture_options
@json_option(
    "run, seed, goal, reached, plans, transitions, succeeded, failed, recovered, resets, simulated_s, "
    "static_s, nodes, edges, wall_s; with pushes also pushes; with --x also goal_x, terrain, x, reason, obstacle, "
    "tries, searched_s; with --to places, way, place, reason instead of goal, plans"
)
@engine_option
@click.pass_context
def command(
    ctx: click.Context,
    goal: str | None,
    x: float | None,
    to: tuple[tuple[float, float], ...],
    via: str | None,
    seed: int,
    predict: bool,
    world: WorldOptions,
    filmstrip: Path | None,
    video: Path | None,
    view: str,
    as_json: bool,
) -> None:
    """Walk to the node GOAL by the most reliable path, past a position on the ground, or to places.

    The path has the greatest probability that all its edges succeed, by the logged attempts with the same scripts,
    conditions, character and world. The path is printed before the walk. After a failure it is planned again, and each
    failure during this walk halves the probability of its edge.

    With --x, transitions are tried in a copy of the simulation, and those are taken that lead over the next obstacle.
    A walk that was reset to the start pose has not reached its goal.

    With --to, in space, the gait of the node GOAL is steered along the shortest way around the blocks of the terrain.
    `ctrlgraph replay` repeats and films such a walk.

    The exit code is 1 if the goal was not reached.

    Examples:
      ctrlgraph goto backflip --seed 1
      ctrlgraph goto --x 12 --with terrain=course.yaml --video walk.gif
      ctrlgraph goto trot --to 6,0 --to 6,4 --with terrain="block=3:0:0.6:2:0.5"
    """
    if to and (goal is None or x is not None or via is not None or filmstrip or video):
        raise click.UsageError(
            "give --to with a node GOAL, and without --x, --from, --filmstrip and --video (`ctrlgraph replay` draws)"
        )
    if (goal is None) == (x is None) or (x is not None and via is not None):
        raise click.UsageError(
            "give either a node GOAL, optionally with --from, or a position with --x and without --from"
        )
    from ctrlgraph.walks.course_walk import go_past
    from ctrlgraph.walks.goal_walk import go_to
    from ctrlgraph.walks.logged_walk import static_nodes
    from ctrlgraph.walks.way_walk import go_along

    settings: Settings = ctx.obj
    project = settings.project()
    environment = world.environment(project, predicts_falls=predict)
    given: dict[str, Any] = {"seed": seed, "world": environment, "command": command_line()}
    summary: GoalSummary | CourseSummary | WaySummary
    with _GoalDisplay(static_nodes(project.graph), quiet=as_json) as display:
        if goal is not None and to:
            summary = go_along(project, goal, to, **given)
        elif goal is not None:
            summary = go_to(project, goal, via=via, observer=display, **given)
        else:
            assert x is not None
            summary = go_past(project, x, observer=display, **given)
    if as_json:
        console.print_json(summary.as_dict())
    else:
        console.echo(_sentence(summary))
    warn(summary.warnings)
    if summary.interrupted:
        console.interrupted(": all finished attempts are logged")
    console.echo_pictures(
        draw_walk(project, environment, summary.run, Pictures(filmstrip, video, view=view)), err=as_json
    )
    ctx.exit(ExitCode.of(summary.reached))


class _GoalDisplay(WalkDisplay):
    """Progress bar of a walk to a goal. The planned paths are printed on stdout, as part of the result.

    Args:
        static: Names of the nodes that are static poses.
        quiet: Do not print planned paths, so that stdout has only JSON.
    """

    def __init__(self, static: frozenset[str], *, quiet: bool) -> None:
        super().__init__(static)
        self._quiet = quiet

    def planned(self, plan: GoalPlan) -> None:
        if not self._quiet:
            console.echo(plan.explain())

    def looked_ahead(self, prospect: Prospect) -> None:
        if not self._quiet:
            console.echo(prospect.sentence())


def _sentence(summary: GoalSummary | CourseSummary | WaySummary) -> str:
    from ctrlgraph.walks.course_walk import CourseSummary
    from ctrlgraph.walks.way_walk import WaySummary

    tally = summary.tally
    way = f"{tally.transitions} transition{'s' * (tally.transitions != 1)}, {tally.failed} failed"
    if isinstance(summary, WaySummary):
        way = f"{len(summary.way)} waypoints"
    end = "reached" if summary.reached else "not reached"
    if isinstance(summary, WaySummary):
        goal = " ".join(f"{x:g},{y:g}" for x, y in summary.goal)
        if not summary.reached:
            end += f" (came to {summary.place[0]:.1f},{summary.place[1]:.1f}, {summary.reason})"
    else:
        goal = f"'{summary.goal}'" if isinstance(summary.goal, str) else f"{summary.goal:g} m"
    if isinstance(summary, CourseSummary) and not summary.reached:
        end += f" (came to {summary.x:.1f} m, {summary.reason})"
    simulated = f"{tally.simulated_s:.1f} s simulated in {summary.wall_s:.1f} s"
    return f"{goal} {end}: {way}; run {summary.run}, seed {summary.seed}, {simulated}"
