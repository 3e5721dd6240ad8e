"""A filmstrip of a node, simulated anew from the node that it usually follows."""

from __future__ import annotations

import dataclasses
import io
import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import networkx as nx
import numpy as np
from numpy.typing import NDArray

from ctrlgraph.experiments.evaluation_plan import EvaluationPlan, Segment
from ctrlgraph.experiments.evaluator import Evaluator
from ctrlgraph.graph.model import ControllerGraph, Edge
from ctrlgraph.report.drawing import plain_text
from ctrlgraph.simulation.environment import Environment
from ctrlgraph.simulation.run import run_rollout
from ctrlgraph.terrain.profile import LEVEL

if TYPE_CHECKING:
    from ctrlgraph.project.project import Project
    from ctrlgraph.simulation.outcome import Outcome
    from ctrlgraph.simulation.simulation import Simulation

SEED = 0
COLOURS = 96
"""A filmstrip has few colours: with a palette of so many it is a third of the size and looks the same."""

GAP = 18  # rows of white that stay where there are more: lying characters leave much room above


@dataclass(frozen=True, slots=True)
class Filmstrip:
    """A node's filmstrip: the PNG's bytes and size in pixels, and how it came about."""

    png: bytes
    width: int
    height: int
    path: tuple[str, ...]
    status: str
    reason: str
    duration_s: float

    @property
    def caption(self) -> str:
        way = " \N{RIGHTWARDS ARROW} ".join(name.replace("_", " ") for name in self.path)
        ended = self.status if not self.reason else f"{self.status}: {self.reason}"
        return f"Simulated along {way}; {self.duration_s:.1f} s, {ended}"


def usual_path(graph: ControllerGraph, node: str, source: str | None) -> list[Edge] | None:
    """Planned edges from the start to `node`, by way of `source` where that is possible, else the shortest.

    None where no planned edges lead there; empty for the start node itself without a source.
    """
    planned = graph.planned_graph
    wanted = source if source is not None and planned.has_edge(source, node) else None
    if wanted is None and node != graph.start:
        incoming = [edge.source for edge in graph.edges if edge.planned and edge.target == node]
        lengths = nx.single_source_dijkstra_path_length(planned, graph.start, weight="length")
        reachable = [name for name in incoming if name in lengths]
        if not reachable:
            return None
        wanted = min(reachable, key=lambda name: (lengths[name], incoming.index(name)))
    if wanted is None:
        return []
    try:
        names = [*nx.shortest_path(planned, graph.start, wanted, weight="length"), node]
    except nx.NetworkXNoPath:
        return None
    edges = (graph.planned_edge(a, b, LEVEL) for a, b in itertools.pairwise(names))
    return [edge for edge in edges if edge is not None]


def strip_of(project: Project, node: str, source: str | None, world: Environment, scratch: Path) -> Filmstrip | None:
    """Return the strip of a node; None where no planned edges lead to it.

    The nodes before it run for their least cycles, and the path goes on even if one of them fails
    its conditions: what is shown is what the node does then. A node that goes over an obstacle has one before it
    (`home_ground`).

    Raises:
        CtrlGraphError: the file cannot be written.
    """
    from ctrlgraph.view.filmstrip import write_filmstrip

    path = usual_path(project.graph, node, source)
    if path is None:
        return None
    world = _home(project, node, path, world)
    with world.simulation(project.character, SEED) as simulation:
        outcome = _run(project, simulation, project.graph.start, None, world.body.length)
        for edge in path:
            if outcome.status == "diverged":
                return None
            outcome = _run(project, simulation, edge.target, edge, world.body.length)
        trace, terrain, character = simulation.last_trace, simulation.terrain, simulation.character
    trace = dataclasses.replace(trace, time=trace.time - trace.time[:1])
    file = scratch / "strip.png"
    with plain_text():
        write_filmstrip(trace, file, character=character, terrain=terrain)
    names = (project.graph.start, *(edge.target for edge in path))
    return Filmstrip(*_with_palette(file), names, str(outcome.status), outcome.reason, outcome.simulated_s)


def _home(project: Project, node: str, path: Sequence[Edge], world: Environment) -> Environment:
    """The world with the obstacles that the path goes over."""
    graph = project.graph
    first = Segment(graph.start, None, graph.node(graph.start).cycles[0])
    *before, last = (first, *(Segment(edge.target, edge, graph.node(edge.target).cycles[0]) for edge in path))
    with Evaluator(project) as evaluator:
        return evaluator.home(EvaluationPlan(node, tuple(before), (last,), (), False), world)


def _run(project: Project, simulation: Simulation, name: str, edge: Edge | None, length: float) -> Outcome:
    cycles = project.graph.node(name).cycles[0]
    return run_rollout(simulation, project.rollout(edge, name, cycles, simulation.preview, length=length))


def _with_palette(file: Path) -> tuple[bytes, int, int]:
    """The picture as a small PNG, its width and its height."""
    from PIL import Image

    with Image.open(file) as image:
        pixels = _without_gaps(np.asarray(image.convert("RGB")))
        small = Image.fromarray(pixels).quantize(COLOURS, dither=Image.Dither.NONE)
        buffer = io.BytesIO()
        small.save(buffer, format="PNG", optimize=True)
    file.unlink()
    return buffer.getvalue(), small.width, small.height


def _without_gaps(pixels: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """The picture (h, w, 3) with at most `GAP` white rows on end."""
    white = (pixels == 255).all(axis=(1, 2))
    kept, run = [], 0
    for row, empty in enumerate(white):
        run = run + 1 if empty else 0
        if run <= GAP:
            kept.append(row)
    return pixels[kept]
