"""`ctrlgraph log stats`: show how often nodes and edges succeeded in logged walks, with intervals, and the failures."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from ctrlgraph.cli import completion, console
from ctrlgraph.cli.options.common import Settings, engines_option, json_option
from ctrlgraph.cli.options.world import WALK, WorldOptions, world_option

if TYPE_CHECKING:
    from ctrlgraph.project.project import Project
    from ctrlgraph.run_log.statistics import Statistics, SuccessRate

MAX_FAILURES = 20
"""Maximum number of kinds of failures that are printed, the most frequent ones."""

_NUMBERS = ("attempts", "succeeded", "mean s", "median s", "longest s")
"""Titles of the columns that `_cells` fills."""


@click.command()
@click.argument("runs", nargs=-1, metavar="[RUN]...", shell_complete=completion.runs)
@click.option(
    "--node",
    metavar="NODE",
    shell_complete=completion.nodes,
    help="Only attempts at this node and edges from and to it.",
)
@click.option("--current", is_flag=True, help="Only attempts of the present scripts, graph and world.")
@world_option(WALK, "With --current: the world")
@engines_option("Only attempts on this engine.  [default: all; with --current the project's]", several=False)
@json_option("runs, static_share, nodes, edges, failures")
@click.pass_context
def command(
    ctx: click.Context, runs: tuple[str, ...], node: str | None, current: bool, world: WorldOptions, as_json: bool
) -> None:
    """Show how often nodes and edges succeeded in logged walks, how long they took, and the kinds of failures.

    RUN is a run's id, an unambiguous prefix of the id, or `last`. By default all runs count. Intervals are Wilson 95 %
    intervals. Durations are simulated seconds of successful attempts.

    Examples:
      ctrlgraph log stats last
      ctrlgraph log stats --node walk --current --with slope=3
    """
    if world.given and not current:
        raise click.UsageError("--with selects attempts only together with --current: also give --current", ctx)
    settings: Settings = ctx.obj
    project = settings.project()
    if node is not None:
        project.graph.node(node)
    with project.read_log() as log:
        names = [log.run(name).id for name in dict.fromkeys(runs)]
        hashes = _present(project, world) if current else None
        statistics = log.statistics(names, node=node, edge_hashes=hashes, engine=settings.engine)
    if as_json:
        console.print_json({"runs": names, "static_share": _static_share(project, statistics)} | statistics.as_dict())
    elif not statistics.nodes:
        console.echo("no matching attempt is logged")
    else:
        _print(statistics)
        share = _static_share(project, statistics)
        if share is not None:
            console.echo(f"{100 * share:.0f} % of the time of successful attempts was spent in static poses")


def _static_share(project: Project, statistics: Statistics) -> float | None:
    """Return the share of the simulated time of successful attempts that was spent in static poses, 0 to 1.

    The result is None if no attempt succeeded.
    """
    spent = {row.name: row.success.mean_s * row.success.successes for row in statistics.nodes if row.success.successes}
    total = sum(spent.values())
    static = (name for name in spent if name in project.graph and project.graph.node(name).is_static)
    return sum(spent[name] for name in static) / total if total > 0.0 else None


def _present(project: Project, world: WorldOptions) -> list[str]:
    """Return the hashes by which the log recognises attempts with the current scripts, graph and world.

    There is a hash for the start of a walk and for each edge of the graph.

    Args:
        project: Project with the graph.
        world: World that --with describes.

    Raises:
        TerrainError: The terrain is not valid.
    """
    environment = world.environment(project)
    environment.ground()  # report a misspelt terrain
    return [project.edge_hash(edge, environment.digest) for edge in (None, *project.graph.edges)]


def _print(statistics: Statistics) -> None:
    nodes = [(row.name, *_cells(row.success)) for row in statistics.nodes]
    edges = [(edge.source, edge.target, edge.kind, *_cells(edge.success)) for edge in statistics.edges]
    console.print_table(("node", *_NUMBERS), nodes, right=_NUMBERS)
    console.echo()
    console.print_table(("from", "to", "kind", *_NUMBERS), edges, right=_NUMBERS)
    if not statistics.failures:
        return
    failures = []
    for found in statistics.failures[:MAX_FAILURES]:
        failure = found.failure
        how = f"{failure.status}: {failure.reason}" if failure.reason else failure.status
        where = "" if failure.script is None else f"{failure.script}:{failure.line}"
        phase = "" if failure.phase is None else str(failure.phase)
        failures.append((failure.node, str(found.count), how, phase, where))
    console.echo()
    console.print_table(("failed", "times", "how", "phase", "where"), failures, right=("times",))
    left = len(statistics.failures) - MAX_FAILURES
    if left > 0:
        console.echo(f"and {left} more kinds of failures (--json shows all)")


def _cells(success: SuccessRate) -> tuple[str, ...]:
    rate = console.success(success.count)
    times = (success.mean_s, success.median_s, success.longest_s)
    return (str(success.attempts), rate, *(f"{seconds:.2f}" for seconds in times))
