"""`ctrlgraph robustness basins`: sample and learn the states from which a node succeeds (its basin of attraction)."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from ctrlgraph.cli import completion, console
from ctrlgraph.cli.display.sweeps import print_calibrations
from ctrlgraph.cli.options.common import Settings, engine_option, jobs_option, json_option, seed_option
from ctrlgraph.extras import require
from ctrlgraph.paths import contained

if TYPE_CHECKING:
    from ctrlgraph.project.project import Project
    from ctrlgraph.robustness.basins.classifier import Basin
    from ctrlgraph.robustness.worker_pool import WorkerPool


@click.command()
@click.argument("nodes", nargs=-1, metavar="[NODE]...", shell_complete=completion.nodes)
@click.option("--samples", type=click.IntRange(10), default=120, help="Initial states of each node.")
@engine_option
@jobs_option()
@seed_option()
@json_option("seed, basins")
@click.pass_obj
def command(
    settings: Settings, nodes: tuple[str, ...], samples: int, jobs: int | None, seed: int, as_json: bool
) -> None:
    """Learn a classifier that predicts from which states each NODE succeeds (its basin of attraction).

    By default, all nodes to which a naive or learned edge leads. The node is simulated from terminal states of its
    predecessors, unperturbed and perturbed. Accuracy and calibration are those of the classifier on held-out states.
    The samples are stored in runs/basins/NODE.npz.

    Example:
      ctrlgraph robustness basins walk --samples 200
    """
    require("basins")
    project = settings.project()
    from ctrlgraph.robustness.basins.basin import take_samples
    from ctrlgraph.robustness.worker_pool import Interrupted, open_pool

    entered = [edge.target for edge in project.graph.edges if edge.planned]
    chosen = tuple(dict.fromkeys(nodes or entered))
    try:
        with open_pool(jobs or os.cpu_count() or 1, work=take_samples) as pool:
            basins = learned_basins(project, chosen, samples, seed, pool)
    except Interrupted:
        console.interrupted()
    if as_json:
        console.print_json({"seed": seed, "basins": [basin.as_dict() for basin in basins]})
    else:
        _print(basins, seed)


def learned_basins(project: Project, nodes: Sequence[str], samples: int, seed: int, pool: WorkerPool) -> list[Basin]:
    """Learn the basin of attraction of each node (states from which the node succeeds), and store the samples.

    Progress is shown on stderr.

    Args:
        project: Project with the nodes.
        nodes: Names of the nodes.
        samples: Number of initial states from which each node is simulated.
        seed: Seed of all random numbers.
        pool: Worker processes for the simulations.

    Returns:
        The basin of each node, in the order of `nodes`.
    """
    from ctrlgraph.project.project import RUNS_DIRECTORY
    from ctrlgraph.robustness.basins.basin import predecessors, sample_basin, save_samples
    from ctrlgraph.robustness.basins.classifier import learn_basin
    from ctrlgraph.robustness.basins.features import feature_names

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
