"""Success of every planned edge at the shipped step, at half of it, and with the other solver.

    python benchmarks/node_success.py [--jobs N]

Each edge is tried from the entries that its source produces: for a source of several cycles, one for
each number of cycles. The same constants run everywhere; a motion that depends on the step or the
solver shows as a difference between the columns.
"""

from __future__ import annotations

import argparse
from concurrent.futures import ProcessPoolExecutor

from ctrlgraph.project.project import Project
from ctrlgraph.simulation.run import run_rollout
from ctrlgraph.simulation.simulation import Simulation, WorldSettings
from ctrlgraph.terrain.profile import LEVEL

WORLDS = {
    "exact, 2 ms": WorldSettings(),
    "exact, 1 ms": WorldSettings(dt=0.001),
    "quick 50, 2 ms": WorldSettings(solver="quick", iterations=50),
}


def entries(project: Project, source: str) -> list[int]:
    """The numbers of cycles with which the source is run."""
    low, high = project.graph.node(source).cycles
    return list(range(low, high + 1))


def try_edge(task: tuple[str, str, str]) -> tuple[str, str, str, int, int, list[str]]:
    """Successes and attempts of one edge in one world, and why it failed."""
    source, target, world = task
    project = Project.find()
    graph = project.graph
    simulation = Simulation(project.character, settings=WORLDS[world], seed=1)
    path = graph.shortest_paths(graph.start)[source]
    succeeded, attempts, reasons = 0, 0, []
    for cycles in entries(project, source):
        simulation.reset()
        before = None
        for name in [*path, target]:
            node, edge = graph.node(name), None if before is None else graph.planned_edge(before, name, LEVEL)
            before = name
            repeated = cycles if name == source else node.cycles[0]
            outcome = run_rollout(simulation, project.rollout(edge, node, repeated, simulation.preview))
            if not outcome.succeeded:
                reasons.append(f"{name}: {outcome.reason}")
                break
        attempts += 1
        succeeded += outcome.succeeded
    return source, target, world, succeeded, attempts, reasons


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--jobs", type=int, default=2)
    jobs = parser.parse_args().jobs
    graph = Project.find().graph
    edges = [(edge.source, edge.target) for name in graph.nodes for edge in graph.planned_edges(name)]
    tasks = [(source, target, world) for source, target in edges for world in WORLDS]
    table: dict[tuple[str, str], dict[str, str]] = {}
    failures: list[str] = []
    with ProcessPoolExecutor(jobs) as pool:
        for source, target, world, succeeded, attempts, reasons in pool.map(try_edge, tasks):
            table.setdefault((source, target), {})[world] = f"{succeeded}/{attempts}"
            failures += [f"{source} -> {target}, {world}: {reason}" for reason in reasons]
    print("| edge | " + " | ".join(WORLDS) + " |")
    print("| --- |" + " --- |" * len(WORLDS))
    for (source, target), row in table.items():
        print(f"| {source} -> {target} | " + " | ".join(row[world] for world in WORLDS) + " |")
    print("\n".join(failures))


if __name__ == "__main__":
    main()
