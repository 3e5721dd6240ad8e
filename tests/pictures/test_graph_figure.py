"""The picture of a graph: nothing overlaps, shapes and colours are correct."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from ctrlgraph.errors import CtrlGraphError
from ctrlgraph.pictures.graph_figure import CORRECTIVE, LEGEND, TRUNK, write_graph_figure
from ctrlgraph.pictures.graph_layout import CLEARANCE, Box, arc, bends, free_direction, place


@dataclass(frozen=True)
class Node:
    name: str
    is_static: bool = True


@dataclass(frozen=True)
class Edge:
    source: str
    target: str
    kind: str = "naive"
    weight: float = 1.0


@dataclass(frozen=True)
class Graph:
    start: str
    nodes: dict[str, Node]
    edges: tuple[Edge, ...] = field(default=())


GRAPH = Graph(
    "stand",
    {
        "stand": Node("stand"),
        "walk": Node("walk", is_static=False),
        "stand_to_hands_and_knees": Node("stand_to_hands_and_knees", is_static=False),
        "prone": Node("prone"),
    },
    (
        Edge("stand", "walk"),
        Edge("walk", "stand"),
        Edge("stand", "stand"),
        Edge("stand", "stand_to_hands_and_knees", "learned"),
        Edge("walk", "prone", "corrective"),
    ),
)


def colours(path: Path) -> set[str]:
    with Image.open(path) as image:
        return {"#" + bytes(colour).hex() for _, colour in image.convert("RGB").getcolors(10**6)}


def test_a_graph_without_nodes_has_no_picture(tmp_path: Path) -> None:
    with pytest.raises(CtrlGraphError, match=r"^the graph has no nodes to draw: add a node to the graph file$"):
        write_graph_figure(Graph("stand", {}), tmp_path / "a.png")


def test_success_colours_nodes_and_edges(tmp_path: Path) -> None:
    write_graph_figure(GRAPH, tmp_path / "plain.png")
    write_graph_figure(
        GRAPH, tmp_path / "good.png", node_success={"stand": 1.0}, edge_success={("stand", "walk", "naive"): 0.0}
    )
    green, red = "#3f9b63", "#c0392b"
    assert not {green, red} & colours(tmp_path / "plain.png")
    assert {green, red} <= colours(tmp_path / "good.png")


def test_a_learned_edge_is_open_headed_and_beside_the_naive_one(tmp_path: Path) -> None:
    def filled(kinds: tuple[str, ...]) -> int:
        """Pixels in the colour of naive and learned edges: a filled head has more of them than an open one."""
        nodes = {"a": Node("a", is_static=False), "b": Node("b", is_static=False)}
        write_graph_figure(Graph("a", nodes, tuple(Edge("a", "b", kind) for kind in kinds)), tmp_path / "a.png")
        with Image.open(tmp_path / "a.png") as image:
            without_legend = image.convert("RGB").crop((0, 0, image.width, image.height - round(110 * LEGEND[1])))
            return sum(n for n, colour in without_legend.getcolors(10**6) if "#" + bytes(colour).hex() == TRUNK)

    naive, learned, both = filled(("naive",)), filled(("learned",)), filled(("naive", "learned"))
    assert learned < naive < both


def test_a_single_node_is_a_picture(tmp_path: Path) -> None:
    write_graph_figure(Graph("stand", {"stand": Node("stand")}), tmp_path / "a.png")
    assert CORRECTIVE not in colours(tmp_path / "a.png")


names = st.integers(1, 14).map(lambda n: [f"n{i}" for i in range(n)])


@st.composite
def layouts(draw: st.DrawFn) -> tuple[dict[str, Box], list[tuple[str, str]], list[tuple[str, str]]]:
    nodes = draw(names)
    pairs = st.lists(st.tuples(st.sampled_from(nodes), st.sampled_from(nodes)), max_size=25)
    boxes = {name: Box(draw(st.floats(0.2, 1.0)), draw(st.floats(0.2, 0.6))) for name in nodes}
    distinct = [[(a, b) for a, b in draw(pairs) if a != b] for _ in range(2)]
    return boxes, distinct[0], distinct[1]


@given(layouts())
def test_no_two_nodes_come_too_close_in_any_graph(
    layout: tuple[dict[str, Box], list[tuple[str, str]], list[tuple[str, str]]],
) -> None:
    boxes, near, far = layout
    positions = place(boxes, near, far)
    assert list(positions) == list(boxes)
    for a, b in combinations(boxes, 2):
        apart = np.abs(np.subtract(positions[a], positions[b]))
        reach = np.add(boxes[a][:2], boxes[b][:2]) + CLEARANCE
        assert (apart >= reach - 1e-3).any()
    assert min(positions[name][0] - boxes[name].width for name in boxes) == pytest.approx(0.0, abs=1e-9)


def test_an_edge_bends_around_a_node_in_its_way() -> None:
    positions = {"a": (0.0, 0.0), "wall": (3.0, 0.0), "b": (6.0, 0.0)}
    boxes = {"a": Box(0.3, 0.3), "wall": Box(0.5, 0.4), "b": Box(0.3, 0.3)}
    (bend,) = bends([("a", "b")], positions, boxes)
    curve = arc(positions["a"], positions["b"], bend)
    inside = (np.abs(curve - positions["wall"]) < (0.5, 0.4)).all(axis=1)
    assert not inside.any()


def test_there_and_back_are_two_lines() -> None:
    positions = {"a": (0.0, 0.0), "b": (4.0, 0.0)}
    boxes = {"a": Box(0.3, 0.3), "b": Box(0.3, 0.3)}
    there, back = bends([("a", "b"), ("b", "a")], positions, boxes)
    middle = arc((0, 0), (4, 0), there)[12], arc((4, 0), (0, 0), back)[11]
    assert abs(middle[0][1] - middle[1][1]) > 0.2


def test_a_loop_goes_where_no_edge_does() -> None:
    positions = {"a": (0.0, 0.0), "b": (1.0, 1.0), "c": (-1.0, 1.0), "d": (-1.0, -1.0)}
    direction = free_direction("a", [("a", "b"), ("c", "a"), ("a", "d"), ("a", "a")], positions)
    assert np.cos(direction) > 0 > np.sin(direction)


def test_edges_that_only_goal_walks_take_are_counted_and_not_drawn(tmp_path: Path) -> None:
    reserve = Edge("prone", "walk", "learned", weight=0.0)
    files = {}
    for name, edges in (("without", GRAPH.edges), ("with", (*GRAPH.edges, reserve))):
        files[name] = tmp_path / f"{name}.svg"
        write_graph_figure(Graph("stand", GRAPH.nodes, edges), files[name])
    arrows = {name: file.read_text(encoding="utf-8").count("stroke-linejoin: miter") for name, file in files.items()}
    assert "1 edge of weight 0 (for goal walks only)" in files["with"].read_text(encoding="utf-8")
    assert arrows["with"] == arrows["without"]


def test_drafts_stand_below_the_graph_and_make_the_picture_no_narrower(tmp_path):
    write_graph_figure(GRAPH, tmp_path / "plain.svg")
    drafts = [Node("leap"), Node("seat", is_static=True)]
    write_graph_figure(GRAPH, tmp_path / "drafts.svg", drafts=drafts)
    plain, drawn = ((tmp_path / f"{name}.svg").read_text() for name in ("plain", "drafts"))
    sizes = [
        [float(n) for n in re.search(r'viewBox="0 0 ([\d.]+) ([\d.]+)"', text).groups()] for text in (plain, drawn)
    ]
    assert sizes[1][0] == sizes[0][0] and sizes[1][1] > sizes[0][1]
    assert drawn.count("stroke-dasharray: 1.8,2.4") == 2 and "stroke-dasharray: 1.8,2.4" not in plain
