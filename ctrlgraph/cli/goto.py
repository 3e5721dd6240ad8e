"""`ctrlgraph goto`: walk to a node by the most reliable path."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from ctrlgraph.cli import completion, console
from ctrlgraph.cli.exit_codes import ExitCode
from ctrlgraph.cli.numbers import FloatRange
from ctrlgraph.cli.pictures import Pictures, picture_options
from ctrlgraph.cli.settings import Settings, engine_option
from ctrlgraph.cli.walk_display import (
    WalkDisplay,
    command_line,
    draw_walk,
    drawn_seed,
    note_old_log,
    warn,
    world_options,
)
from ctrlgraph.errors import printable
from ctrlgraph.paths import display_path

if TYPE_CHECKING:
    from ctrlgraph.graph.distance_policy import DistancePlan
    from ctrlgraph.graph.goal_planner import GoalPlan
    from ctrlgraph.walkthrough.course_walk import CourseSummary
    from ctrlgraph.walkthrough.distance_walk import DistanceSummary
    from ctrlgraph.walkthrough.goal import GoalSummary
    from ctrlgraph.walkthrough.lookahead import Prospect


@click.command()
@click.argument("goal", required=False, shell_complete=completion.nodes)
@click.option(
    "--x", type=FloatRange(0, 1e4, min_open=True, max_open=True), metavar="METRES", help="Go past this place."
)
@click.option(
    "--from",
    "via",
    metavar="NODE",
    shell_complete=completion.nodes,
    help="Go to this node first (a walk begins at the start node).",
)
@click.option(
    "--policy", is_flag=True, help="Go by the policy of the least expected time, failures and resets counted."
)
@click.option(
    "--reset-cost",
    type=FloatRange(0, 1e5),
    metavar="SECONDS",
    help="With --policy: what beginning anew costs.  [default: 60]",
)
@world_options
@picture_options
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@engine_option
@click.pass_context
def command(
    ctx: click.Context,
    goal: str | None,
    x: float | None,
    via: str | None,
    policy: bool,
    reset_cost: float | None,
    seed: int | None,
    terrain: str,
    friction: float,
    pictures: Pictures,
    as_json: bool,
) -> None:
    """Walk to the node GOAL by the most reliable path, or past a place over what stands in the way.

    The path is the one with the greatest probability that all its edges succeed, by the logged
    attempts of the same scripts, conditions, character and world; it is explained before it is taken.
    After a failure the path is planned anew, and edges that failed on the way count half each time.

    With --policy, the way is the one of the least expected time, by what the log says of each edge's success, of how
    long it takes, and of what comes after a failure; a walk that begins anew counts as so many seconds more
    (--reset-cost).

    With --x, the ground ahead is looked at instead: transitions are tried in a copy of the simulation, and those are
    taken that lead over the next obstacle and on. With --x and --policy, on ground without obstacles, the policy goes
    by how far the log says that nodes lead on. A walk that had to begin anew has not reached its goal.

    The exit code is 1 if the goal was not reached.
    """
    if (goal is None) == (x is None) or (x is not None and via is not None):
        raise click.UsageError("give either a node to go to (--from goes with it) or --x, a place to go past")
    if reset_cost is not None and not policy:
        raise click.UsageError("--reset-cost goes with --policy")
    from ctrlgraph.walkthrough import go_past, go_past_by_policy, go_to
    from ctrlgraph.walkthrough.random import static_nodes

    settings: Settings = ctx.obj
    project = settings.project()
    world = project.environment(terrain, friction)
    note_old_log(project)
    given: dict[str, Any] = {"seed": drawn_seed(seed), "world": world, "command": command_line()}
    if reset_cost is not None:
        given["reset_cost"] = reset_cost
    summary: GoalSummary | CourseSummary | DistanceSummary
    with _GoalDisplay(static_nodes(project.graph), quiet=as_json) as display:
        if goal is not None:
            summary = go_to(project, goal, via=via, observer=display, policy=policy, **given)
        else:
            assert x is not None
            go = go_past_by_policy if policy else go_past
            summary = go(project, x, observer=display, **given)
    if as_json:
        console.print_json(summary.as_dict())
    else:
        console.stdout().print(_sentence(summary), markup=False, highlight=False)
    warn(summary.warnings)
    if summary.interrupted:
        console.echo("interrupted: what had ended by then is logged", err=True)
        ctx.exit(ExitCode.INTERRUPTED)
    for path in draw_walk(project, world, summary.run, pictures):
        console.echo(f"picture: {display_path(path)}", err=as_json)
    ctx.exit(ExitCode.of(summary.reached))


class _GoalDisplay(WalkDisplay):
    """Prints each plan as it is made."""

    def __init__(self, static: frozenset[str], *, quiet: bool) -> None:
        super().__init__(static)
        self._quiet = quiet

    def planned(self, plan: GoalPlan | DistancePlan) -> None:
        if not self._quiet:
            console.stdout().print(plan.explain())

    def looked_ahead(self, prospect: Prospect) -> None:
        if not self._quiet:
            console.stdout().print(printable(prospect.sentence()), markup=False, highlight=False)


def _sentence(summary: GoalSummary | CourseSummary | DistanceSummary) -> str:
    tally = summary.tally
    way = f"{tally.transitions} transition{'s' * (tally.transitions != 1)}, {tally.failed} failed"
    end = "reached" if summary.reached else "not reached"
    goal = f"'{summary.goal}'" if isinstance(summary.goal, str) else f"{summary.goal:g} m"
    if not isinstance(summary.goal, str) and not summary.reached:
        end += f" (came to {summary.x:.1f} m, {summary.reason})"
    return printable(
        f"{goal} {end}: {way}; run {summary.run}, seed {summary.seed},"
        f" {tally.simulated_s:.1f} s simulated in {summary.wall_s:.1f} s"
    )
