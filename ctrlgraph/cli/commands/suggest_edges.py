"""`ctrlgraph suggest-edges`: pairs of nodes that would work as edges, predicted and verified."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from ctrlgraph.bounds import MAX_TRIALS
from ctrlgraph.cli import completion, console
from ctrlgraph.cli.commands.robustness.basins import learned_basins, targets_with_edges
from ctrlgraph.cli.display.sweeps import print_calibrations, showing_trials
from ctrlgraph.cli.options.common import Settings, engine_option, json_option, pool_options, seed_option
from ctrlgraph.cli.options.numbers import FloatRange
from ctrlgraph.extras import require
from ctrlgraph.paths import display_path

if TYPE_CHECKING:
    from ctrlgraph.experiments.basins.basin import Basin
    from ctrlgraph.experiments.basins.suggestion import Suggestion
    from ctrlgraph.project.project import Project


@click.command()
@click.argument("nodes", nargs=-1, metavar="[NODE]...", shell_complete=completion.nodes)
@click.option("--samples", type=click.IntRange(10), default=120, help="Initial states of each node.")
@click.option("--least", type=FloatRange(0, 1), default=0.5, help="Minimum lower bound of the predicted success.")
@click.option("--verify", "verified", is_flag=True, help="Simulate the suggestions.")
@click.option("--trials", type=click.IntRange(1, MAX_TRIALS), default=10, help="Trials per suggestion.")
@click.option("--write", is_flag=True, help="Add verified edges to graph.yaml.")
@engine_option
@pool_options
@seed_option()
@json_option("seed, suggestions, rejected, calibration, written")
@click.pass_context
def command(
    ctx: click.Context,
    nodes: tuple[str, ...],
    samples: int,
    least: float,
    verified: bool,
    trials: int,
    write: bool,
    jobs: int | None,
    cluster: str | None,
    seed: int,
    as_json: bool,
) -> None:
    """Suggest naive edges to NODE (by default to all nodes), from basins of attraction.

    The terminal states of all other nodes are classified by the node's basin. Undecided pairs are omitted; --json
    gives the reason of each. With --verify the pairs are simulated from slightly perturbed states; those that succeed
    in nine of ten trials are edges.

    Example:
      ctrlgraph suggest-edges stand --verify --write
    """
    settings: Settings = ctx.obj
    require("basins")
    project = settings.project()
    from ctrlgraph.experiments.worker_pool import Interrupted

    chosen = tuple(dict.fromkeys(nodes)) or tuple(targets_with_edges(project))
    try:
        basins, found, rejected = _suggestions(
            project, chosen, samples, least, trials if verified or write else 0, jobs, cluster, seed
        )
    except Interrupted:
        console.interrupted()
    pairs = [(s.source, s.target) for s in found if s.succeeds]
    if write and pairs:
        from ctrlgraph.graph.editor import add_edges
        from ctrlgraph.graph.model import Edge

        add_edges(project.graph_path, [Edge(*pair) for pair in pairs])
    if as_json:
        written = [list(pair) for pair in pairs] if write else []
        calibration = {b.node: None if b.calibration is None else b.calibration.as_dict() for b in basins}
        pairs_said = {"suggestions": [s.as_dict() for s in found], "rejected": [s.as_dict() for s in rejected]}
        console.print_json({"seed": seed, **pairs_said, "calibration": calibration, "written": written})
        return
    print_calibrations(basins)
    _print(found)
    _print_rejected(rejected)
    console.stdout().print(f"seed {seed}")
    if write:
        edges = f"{len(pairs)} edge{'s' * (len(pairs) != 1)}"
        console.stdout().print(f"{edges} added to {display_path(project.graph_path)}")


def _suggestions(
    project: Project,
    nodes: Sequence[str],
    samples: int,
    least: float,
    trials: int,
    jobs: int | None,
    cluster: str | None,
    seed: int,
) -> tuple[list[Basin], list[Suggestion], list[Suggestion]]:
    """Return the basins, the suggested pairs (verified where there are trials), and the others."""
    from ctrlgraph.experiments.basins.basin import take_samples
    from ctrlgraph.experiments.basins.suggestion import judged_pairs, verify
    from ctrlgraph.experiments.worker_pool import open_pool

    width = jobs or os.cpu_count() or 1
    with open_pool(width, cluster, take_samples) as pool:
        basins = learned_basins(project, nodes, samples, seed, pool)
    with console.progress("simulating how other nodes end") as (bar, task):
        judged = judged_pairs(project, basins, least, lambda done, total: bar.update(task, completed=done, total=total))
    found, rejected = [s for s in judged if not s.reason], [s for s in judged if s.reason]
    if not found or not trials:
        return basins, found, rejected
    with open_pool(width, cluster) as pool, showing_trials() as display:
        display.planned(trials * len(found))
        return basins, verify(project, found, trials, seed, pool, display), rejected


def _print(found: Sequence[Suggestion]) -> None:
    if not found:
        console.echo("no pair without an edge is likely to succeed")
        return
    rows = []
    for s in found:
        verdict = ("succeeds" if s.succeeds else "fails") if s.trials else ""
        predicted = console.percent(s.probability), console.percent(s.least)
        rows.append((s.source, s.target, *predicted, console.success(s.count), verdict))
    numbers = ("predicted", "at least", "verified")
    console.print_table(("from", "to", *numbers, ""), rows, right=numbers)


def _print_rejected(rejected: Sequence[Suggestion]) -> None:
    unlikely = sum(s.reason.startswith("unlikely") for s in rejected)
    pairs = f"{len(rejected)} pair{'s' * (len(rejected) != 1)}"
    console.echo(f"{pairs} not suggested: {len(rejected) - unlikely} undecided, {unlikely} unlikely")
