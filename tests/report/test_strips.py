"""Filmstrips, simulated from the usual predecessor."""

from __future__ import annotations

import numpy as np
import pytest
from report_samples import GRAPH

from ctrlgraph.graph.reader import parse_graph
from ctrlgraph.parallel import IsolatedProcesses
from ctrlgraph.project.project import Project
from ctrlgraph.report.filmstrips import GAP, _without_gaps, filmstrip_of, filmstrips_of
from ctrlgraph.robustness.usual_motion import usual_path
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
def test_the_path_to_a_node_ends_with_its_usual_predecessor(
    node: str, source: str | None, path: list[str] | None
) -> None:
    assert names(node, source) == path


def test_wide_gaps_between_rows_shrink() -> None:
    picture = np.full((200, 5, 3), 255, np.uint8)
    picture[100] = 0
    picture[150, 2] = 7
    cut = _without_gaps(picture)
    assert len(cut) == 3 * GAP + 2
    assert (cut[GAP] == 0).all() and (cut[2 * GAP + 1, 2] == 7).all()


def test_a_filmstrip_describes_its_simulation(project: Project) -> None:
    strip = filmstrip_of(project, "squat", "stand", Environment(), {})
    assert strip is not None
    assert strip.png.startswith(b"\x89PNG") and strip.width > 300
    assert strip.caption == f"Simulated along stand → squat; {strip.duration_s:.1f} s, completed"
    assert filmstrip_of(project, "prone", None, Environment(), {}) is None


def test_motions_with_a_common_beginning_are_drawn_independently(project: Project) -> None:
    names = [("squat", "stand"), ("rise", "squat"), ("stand", "rise")]
    alone = {name: filmstrip_of(project, name, source, Environment(), {}) for name, source in names}
    assert dict(filmstrips_of(project, tuple(names), Environment(), None)) == alone


@pytest.mark.slow
def test_filmstrips_do_not_depend_on_the_process(project: Project) -> None:
    names = tuple((name, None) for name in project.graph.nodes) * 3
    here = dict(filmstrips_of(project, names, Environment(), None))
    with IsolatedProcesses(1) as executor:
        assert dict(filmstrips_of(project, names, Environment(), executor)) == here
