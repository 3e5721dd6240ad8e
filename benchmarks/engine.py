"""How the engine's settings were chosen: joints, solver, contacts and time step, measured on real motions.

    python benchmarks/engine.py [--repetitions N] [--seconds S]

Every variant plays the bare engine loop (recorded motor commands and contacts, nothing else) in turn
with the chosen settings, so that both meet the same moods of the machine: the ratios are what counts.
Then the shipped nodes are run under every variant, from their usual predecessors.
"""

from __future__ import annotations

import argparse
import statistics
from collections.abc import Iterator
from pathlib import Path

from benchmarks.step import Recording
from ctrlgraph.engine.ode.ode_settings import OdeSettings
from ctrlgraph.project.project import Project
from ctrlgraph.simulation.simulation import Simulation

CHOSEN = OdeSettings()
VARIANTS = {
    "exact, two distances a pin, 2 ms (chosen)": CHOSEN,
    "exact, ball joints": OdeSettings(pins="balls"),
    "exact, hinges": OdeSettings(pins="hinges"),
    "QuickStep 20": OdeSettings(solver="quick", iterations=20),
    "QuickStep 50": OdeSettings(solver="quick", iterations=50),
    "exact, friction in the box": OdeSettings(friction="box"),
    "exact, two friction rows": OdeSettings(friction_rows=2),
    "exact, 1 ms": OdeSettings(dt=0.001),
    "exact, 4 ms": OdeSettings(dt=0.004),
}
TIMED = ("walk", "stand", "crawl")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repetitions", type=int, default=7)
    parser.add_argument("--seconds", type=float, default=5.0)
    options = parser.parse_args()
    project = Project(Path(__file__).resolve().parents[1])
    print("| variant | node | us a step | of the chosen | sim. s per s, bare |")
    print("| --- | --- | --- | --- | --- |")
    for line in timings(project, options.repetitions, options.seconds):
        print(line, flush=True)
    print()
    print("| node, after | " + " | ".join(VARIANTS) + " |")
    print("| --- |" + " --- |" * len(VARIANTS))
    for line in outcomes(project):
        print(line, flush=True)


def timings(project: Project, repetitions: int, seconds: float) -> Iterator[str]:
    """Rows of the first table."""
    for node in TIMED:
        chosen = record(project, node, CHOSEN, seconds)
        for name, settings in VARIANTS.items():
            variant = record(project, node, settings, seconds)
            pairs = [(variant.bare() / variant.steps, chosen.bare() / chosen.steps) for _ in range(repetitions)]
            step = statistics.median(pair[0] for pair in pairs)
            ratio = statistics.median(pair[0] / pair[1] for pair in pairs)
            yield f"| {name} | {node} | {1e6 * step:.1f} | {ratio:.2f} | {settings.dt / step:.0f} |"


def record(project: Project, node: str, settings: OdeSettings, seconds: float) -> Recording:
    """The node's run under these settings, from the end of the start node."""
    simulation = Simulation(project.character, settings=settings)
    simulation.run(project.program(project.graph.start), timeout=15)
    return Recording(simulation, project.program(node), cycles=10**6, seconds=seconds)


def outcomes(project: Project) -> Iterator[str]:
    """Rows of the second table: does each node succeed after its first predecessor that does?"""
    graph = project.graph
    for node in graph.nodes.values():
        before = next((e.source for e in graph.edges if e.target == node.name and e.planned), None)
        cells = [outcome(project, before, node.name, settings) for settings in VARIANTS.values()]
        yield f"| {node.name}, {before or 'start pose'} | " + " | ".join(cells) + " |"


def outcome(project: Project, before: str | None, name: str, settings: OdeSettings) -> str:
    """ "yes", or why not."""
    with Simulation(project.character, settings=settings) as simulation:
        for node in path_to(project, before, name):
            entry = project.graph.node(node)
            result = simulation.run(
                project.program(entry),
                cycles=entry.cycles[0],
                timeout=entry.timeout,
                success=entry.success,
                bounds=entry.bounds,
            )
            if not result.succeeded:
                return ("" if node == name else f"{node}: ") + (result.reason or str(result.status))
    return "yes"


def path_to(project: Project, before: str | None, name: str) -> list[str]:
    """From the start node to the predecessor by the fewest planned edges, then the node."""
    import networkx as nx

    if before is None:
        return [name]
    planned = nx.DiGraph([(e.source, e.target) for e in project.graph.edges if e.planned])
    start = project.graph.start
    way = nx.shortest_path(planned, start, before) if planned.has_node(before) and start != before else [start]
    return [*way, name]


if __name__ == "__main__":
    main()
