"""`ctrlgraph robustness basins`: the states from which a node succeeds."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from ctrlgraph.cli import completion, console
from ctrlgraph.cli.display.sweeps import print_calibrations
from ctrlgraph.cli.options.common import Settings, engine_option, json_option, pool_options, seed_option
from ctrlgraph.extras import require
from ctrlgraph.paths import contained

if TYPE_CHECKING:
    from ctrlgraph.experiments.basins.classifier import Basin
    from ctrlgraph.experiments.worker_pool import WorkerPool
    from ctrlgraph.project.project import Project


@click.command()
@click.argument("nodes", nargs=-1, metavar="[NODE]...", shell_complete=completion.nodes)
@click.option("--all", "every", is_flag=True, help="All nodes that an edge leads to.")
@click.option("--samples", type=click.IntRange(10), default=120, help="Initial states of each node.")
@engine_option
@pool_options
@seed_option()
@json_option("seed, basins")
@click.pass_context
def command(
    ctx: click.Context,
    nodes: tuple[str, ...],
    every: bool,
    samples: int,
    jobs: int | None,
    cluster: str | None,
    seed: int,
    as_json: bool,
) -> None:
    """Sample initial states of nodes, try them, and learn from which of them the node succeeds.

    The states are terminal states of the node's predecessors, unperturbed and perturbed. Accuracy and calibration
    are those of the classifier on held-out states. The samples are stored in runs/basins/NODE.npz.

    Example:
      ctrlgraph robustness basins walk --samples 200
    """
    settings: Settings = ctx.obj
    require("basins")
    project = settings.project()
    if not nodes and not every:
        raise click.UsageError("name nodes, or --all")
    from ctrlgraph.experiments.basins.basin import take_samples
    from ctrlgraph.experiments.worker_pool import Interrupted, open_pool

    chosen = tuple(dict.fromkeys((*nodes, *(targets_with_edges(project) if every else ()))))
    try:
        with open_pool(jobs or os.cpu_count() or 1, cluster, take_samples) as pool:
            basins = learned_basins(project, chosen, samples, seed, pool)
    except Interrupted:
        console.interrupted()
    if as_json:
        console.print_json({"seed": seed, "basins": [basin.as_dict() for basin in basins]})
    else:
        _print(basins, seed)


def targets_with_edges(project: Project) -> list[str]:
    """Return the nodes that planned edges lead to, in the order of the file."""
    entered = {edge.target for edge in project.graph.edges if edge.planned}
    return [name for name in project.graph.nodes if name in entered]


def learned_basins(project: Project, nodes: Sequence[str], samples: int, seed: int, pool: WorkerPool) -> list[Basin]:
    """Sample and learn the basin of each node, with progress on stderr; store the samples."""
    from ctrlgraph.experiments.basins.basin import predecessors, sample_basin, save_samples
    from ctrlgraph.experiments.basins.classifier import learn_basin
    from ctrlgraph.experiments.basins.features import feature_names
    from ctrlgraph.project.project import RUNS_DIRECTORY

    paths = {}
    for node in nodes:  # report errors before anything is simulated
        predecessors(project.graph, node)
        paths[node] = contained(project.directory, f"{RUNS_DIRECTORY}/basins/{node}.npz")
    basins = []
    with console.progress("sampling", total=samples * len(nodes)) as (bar, task):
        for number, node in enumerate(nodes):
            done_before = number * samples
            bar.update(task, description=f"sampling {node}")
            found = sample_basin(
                project, node, samples, seed, pool, lambda n, before=done_before: bar.update(task, completed=before + n)
            )
            save_samples(found, paths[node], feature_names(project.character))
            basins.append(learn_basin(node, found, seed))
    return basins


def _print(basins: Sequence[Basin], seed: int) -> None:
    numbers, rows = ("states", "succeeded", "held-out accuracy", "always the commoner"), []
    for basin in basins:
        succeeded = console.success(basin.count)
        accuracy = "-" if basin.accuracy is None else console.success(basin.accuracy)
        rows.append((basin.node, str(len(basin.samples)), succeeded, accuracy, console.percent(basin.majority)))
    console.print_table(("node", *numbers), rows, right=numbers)
    print_calibrations(basins)
    console.stdout().print(f"seed {seed}; the states are in runs/basins")
