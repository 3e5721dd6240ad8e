"""A filmstrip of a node, simulated anew from the node that it usually follows."""

from __future__ import annotations

import dataclasses
import io
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import networkx as nx

from ctrlgraph.graph.model import ControllerGraph, Edge
from ctrlgraph.report.drawing import plain_text
from ctrlgraph.walkthrough.world import WalkWorld

if TYPE_CHECKING:
    from ctrlgraph.outcome import Outcome
    from ctrlgraph.project import Project
    from ctrlgraph.simulation import Simulation

SEED = 0
COLOURS = 96
"""A filmstrip has few colours: with a palette of so many it is a third of the size and looks the same."""

MARGIN = 8  # pixels of white that stay above the figures


@dataclass(frozen=True, slots=True)
class Strip:
    """A node's filmstrip: the PNG's bytes, and how it came about."""

    png: bytes
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
        lengths = nx.single_source_shortest_path_length(planned, graph.start)
        reachable = [name for name in incoming if name in lengths]
        if not reachable:
            return None
        wanted = min(reachable, key=lambda name: (lengths[name], incoming.index(name)))
    if wanted is None:
        return []
    try:
        names = nx.shortest_path(planned, graph.start, wanted) + [node]
    except nx.NetworkXNoPath:
        return None
    pairs = zip(names, names[1:], strict=False)
    return [next(e for e in graph.planned_edges(a) if e.target == b) for a, b in pairs]


def strip_of(project: Project, node: str, source: str | None, world: WalkWorld, scratch: Path) -> Strip | None:
    """The strip of a node; None where no planned edges lead to it.

    The nodes before it run for their least cycles, and the path goes on even if one of them fails
    its conditions: what is shown is what the node does then.

    Raises:
        CtrlGraphError: the file cannot be written.
    """
    from ctrlgraph.view.filmstrip import write_filmstrip

    path = usual_path(project.graph, node, source)
    if path is None:
        return None
    with world.simulation(project.character, SEED) as simulation:
        outcome = _run(project, simulation, project.graph.start, None)
        for edge in path:
            if outcome.status == "diverged":
                return None
            outcome = _run(project, simulation, edge.target, edge)
        trace, terrain = simulation.last_trace, simulation.terrain
    trace = dataclasses.replace(trace, time=trace.time - trace.time[:1])
    file = scratch / "strip.png"
    with plain_text():
        write_filmstrip(trace, file, character=project.character, terrain=terrain)
    names = (project.graph.start, *(edge.target for edge in path))
    return Strip(_with_palette(file), names, str(outcome.status), outcome.reason, outcome.simulated_s)


def _run(project: Project, simulation: Simulation, name: str, edge: Edge | None) -> Outcome:
    node = project.graph.node(name)
    program = project.program(node) if edge is None else project.edge_program(edge)
    return simulation.run(
        program, cycles=node.cycles[0], timeout=node.timeout, success=node.success, bounds=node.bounds
    )


def _with_palette(file: Path) -> bytes:
    from PIL import Image, ImageChops

    with Image.open(file) as image:
        whole = image.convert("RGB")
        box = ImageChops.invert(whole).getbbox()  # lying characters leave much white above
        cut = whole.crop((0, max(0, box[1] - MARGIN), *whole.size)) if box else whole
        small = cut.quantize(COLOURS, dither=Image.Dither.NONE)
        buffer = io.BytesIO()
        small.save(buffer, format="PNG", optimize=True)
    file.unlink()
    return buffer.getvalue()

