"""Measure which sizes of obstacles the nodes of the shipped graph cross, from the stand or a walk, at random distances.

`walk_upstairs` and `walk_downstairs` are measured on random flights, after a walk.

python benchmarks/obstacle_sizes.py [NODE]... [--engine mujoco] [--trials N] [--seed S]
"""

from __future__ import annotations

import argparse
import random
from pathlib import Path

from ctrlgraph import Project
from ctrlgraph.simulation.environment import Environment
from ctrlgraph.simulation.simulation import Simulation

ROOT = Path(__file__).resolve().parents[1]
PIECES = {"rise": "stairs:1:1:{}", "drop": "stairs:1:1:-{}", "gap": "gap:{}:1", "hurdle": "hurdle:{}:0.04"}
"""Piece of a course by kind of obstacle, with the size, m, in place of {}."""
SIZES = {
    "rise": (0.1, 0.15, 0.2, 0.25, 0.3),
    "drop": (0.1, 0.15, 0.2, 0.25, 0.3),
    "gap": (0.3, 0.4, 0.5, 0.6, 0.7, 0.8),
    "hurdle": (0.1, 0.15, 0.2, 0.25, 0.3),
}
"""Sizes by kind of obstacle, m."""
IN_STRIDE = ("walk_up", "walk_onto_box", "walk_down", "walk_off_box", "walk_across", "stride_across")
"""Nodes that begin in a walk, three cycles after the stand. The others begin in the stand."""
FLIGHTS = {"walk_upstairs": "", "walk_downstairs": "-"}
"""Sign of the rise by name of each node that crosses flights of stairs."""
TREADS, DEPTHS, RISES = (2, 8), (0.27, 0.36), (0.09, 0.17)
"""Ranges of random flights: number of treads, and depth and rise of each, m."""
NODES = (*IN_STRIDE, *FLIGHTS, "step_up", "step_down", "step_down_deep", "step_over", "step_over_hurdle")
NEAREST, FURTHEST = 1.3, 3.5
"""Range of the distance in the stride of a walk, m, where that of the node is wider."""


def walk_to(project: Project, simulation: Simulation, node: str) -> None:
    """Simulate the stand and, for a node that begins in a walk, three cycles of it."""
    simulation.run_rollout(project.rollout(None, "stand", 1))
    if node in IN_STRIDE or node in FLIGHTS:
        simulation.run_rollout(project.rollout(project.graph.planned_edge("stand", "walk"), "walk", 3))


def crosses(project: Project, node: str, world: Environment) -> bool:
    """Return whether a node crosses the obstacle of an environment and meets all its conditions."""
    with world.simulation(project.character) as simulation:
        walk_to(project, simulation, node)
        return simulation.run_rollout(project.rollout(None, node, 1, simulation.preview)).succeeded


def flight(node: str, start: float, rng: random.Random) -> str:
    """Return the course of a random flight of stairs for a node that begins at x = `start`, m."""
    x, count = start + rng.uniform(NEAREST + 0.1, FURTHEST), rng.randint(*TREADS)
    return f"course={x:.3f}:stairs:{count}:{rng.uniform(*DEPTHS):.3f}:{FLIGHTS[node]}{rng.uniform(*RISES):.3f}"


def main() -> None:
    """Print a table: successes by node and size, or on random flights."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("nodes", nargs="*", default=NODES)
    parser.add_argument("--engine", default="ode", choices=("ode", "mujoco"))
    parser.add_argument("--trials", type=int, default=8)
    parser.add_argument("--seed", type=int, default=28411)
    asked = parser.parse_args()
    if unknown := set(asked.nodes) - set(NODES):
        parser.error(f"{', '.join(sorted(unknown))}: the nodes are {', '.join(NODES)}")
    if asked.trials < 1:
        parser.error("--trials must be at least 1")
    project = Project(ROOT, engine=asked.engine)
    print("| node | successes by size, m |\n| --- | --- |")
    for node in asked.nodes:
        obstacle = project.graph.node(node).obstacle
        assert obstacle is not None
        kind, (near, far) = obstacle.kind.value, obstacle.distance
        if node in IN_STRIDE:
            near, far = max(near, NEAREST), max(far - 1.0, FURTHEST)
        with project.environment("flat").simulation(project.character) as simulation:
            walk_to(project, simulation, node)
            start = simulation.x
        if node in FLIGHTS:
            rng = random.Random(f"{asked.seed} {node}")
            worlds = [project.environment(flight(node, start, rng)) for _ in range(asked.trials)]
            done = sum(crosses(project, node, world) for world in worlds)
            print(f"| {node} | flights: {done} of {asked.trials} |", flush=True)
            continue
        counts = []
        for size in SIZES[kind]:
            rng = random.Random(f"{asked.seed} {node} {size}")
            places = [start + rng.uniform(near, far) for _ in range(asked.trials)]
            worlds = [project.environment(f"course={x:.3f}:" + PIECES[kind].format(size)) for x in places]
            counts.append(f"{size:g}: {sum(crosses(project, node, world) for world in worlds)} of {asked.trials}")
        print(f"| {node} | {', '.join(counts)} |", flush=True)


if __name__ == "__main__":
    main()
