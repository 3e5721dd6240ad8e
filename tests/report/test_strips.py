"""Filmstrips: from the usual predecessor, simulated anew."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from report_samples import GRAPH

from ctrlgraph.experiments.usual_motion import usual_path
from ctrlgraph.graph import parse_graph
from ctrlgraph.project.project import Project
from ctrlgraph.report.filmstrips import GAP, _without_gaps, strip_of
from ctrlgraph.simulation.environment import Environment

graph = parse_graph(GRAPH)


def names(node: str, source: str | None) -> list[str] | None:
    path = usual_path(graph, node, source)
    return None if path is None else [f"{edge}" for edge in path]


@pytest.mark.parametrize(
    ("node", "source", "path"),
    [
        ("rise", "squat", ["stand -> squat", "squat -> rise"]),
        ("rise", None, ["stand -> squat", "squat -> rise"]),
        ("stand", None, []),
        ("stand", "rise", ["stand -> squat", "squat -> rise", "rise -> stand"]),
        ("squat", "no longer a node", ["stand -> squat"]),
        ("stand", "prone", None),  # nothing planned leads to prone
        ("prone", "stand", None),
    ],
)
def test_the_way_to_a_node_ends_with_its_usual_predecessor(
    node: str, source: str | None, path: list[str] | None
) -> None:
    assert names(node, source) == path


def test_much_white_between_rows_becomes_little() -> None:
    picture = np.full((200, 5, 3), 255, np.uint8)
    picture[100] = 0
    picture[150, 2] = 7
    cut = _without_gaps(picture)
    assert len(cut) == 3 * GAP + 2
    assert (cut[GAP] == 0).all() and (cut[2 * GAP + 1, 2] == 7).all()


def test_a_strip_tells_how_it_came_about(project: Project, tmp_path: Path) -> None:
    strip = strip_of(project, "squat", "stand", Environment(), tmp_path)
    assert strip is not None
    assert strip.png.startswith(b"\x89PNG") and strip.width > 300
    assert strip.caption == f"Simulated along stand → squat; {strip.duration_s:.1f} s, completed"
    assert list(tmp_path.glob("*.png")) == []
    assert strip_of(project, "prone", None, Environment(), tmp_path) is None
