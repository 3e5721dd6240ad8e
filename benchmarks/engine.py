"""Compare engine settings on real motions: joints, solver, contacts and time step.

    python benchmarks/engine.py [--repetitions N] [--seconds S]

Every variant is timed in turn with the chosen settings, because the load of the machine changes: only the ratios count.
Then the shipped nodes are run under every variant, from their usual predecessors.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path

from benchmarks.step import benchmark
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
    print("| variant | node | us a step | of the chosen | sim. s per s |")
    print("| --- | --- | --- | --- | --- |")
    for line in timings(project, options.repetitions, options.seconds):
        print(line, flush=True)
    print()
    print("| node, after | " + " | ".join(VARIANTS) + " |")
    print("| --- |" + " --- |" * len(VARIANTS))
    for line in outcomes(project):
        print(line, flush=True)


def timings(project: Project, repetitions: int, seconds: float) -> Iterator[str]:
    """Return the rows of the first table."""
    for node in TIMED:
        for name, settings in VARIANTS.items():
            chosen, variant = (
                benchmark(project, [node], seconds=seconds, repetitions=repetitions, settings=each)[0]
                for each in (CHOSEN, settings)
            )
            ratio = variant.step_us / chosen.step_us
            yield f"| {name} | {node} | {variant.step_us:.1f} | {ratio:.2f} | {variant.realtime:.0f} |"


def outcomes(project: Project) -> Iterator[str]:
    """Return the rows of the second table: whether each node succeeds after its first successful predecessor."""
    graph = project.graph
    for node in graph.nodes.values():
        before = next((e.source for e in graph.edges if e.target == node.name and e.planned), None)
        cells = [outcome(project, before, node.name, settings) for settings in VARIANTS.values()]
        yield f"| {node.name}, {before or 'start pose'} | " + " | ".join(cells) + " |"


def outcome(project: Project, before: str | None, name: str, settings: OdeSettings) -> str:
    """Return "yes", or the reason for the failure."""
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
    """Return the path from the start node over the fewest planned edges."""
    import networkx as nx

    if before is None:
        return [name]
    planned = nx.DiGraph([(e.source, e.target) for e in project.graph.edges if e.planned])
    start = project.graph.start
    way = nx.shortest_path(planned, start, before) if planned.has_node(before) and start != before else [start]
    return [*way, name]


if __name__ == "__main__":
    main()
