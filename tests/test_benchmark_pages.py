"""Pages of benchmarks of which some rows are made anew, and which edges are asked for by a name."""

from __future__ import annotations

from pathlib import Path

import pytest
from small_project import make_small

from benchmarks.invariance import targets
from benchmarks.limits import BEGIN, END, updated
from benchmarks.pairs import page, rows_of
from benchmarks.usual_targets import ordinary_target
from ctrlgraph.project.project import Project


@pytest.fixture
def graph(tmp_path):
    return Project(make_small(tmp_path / "small")).graph


def test_the_rows_of_a_page_of_pairs_are_read_as_they_were_written() -> None:
    found = {
        ("a", "c"): ([(0, "left as failed after 'x | y' (a.t:3)"), (1, "")], 1, 7),
        ("c", "a"): ([(4, ""), (4, "")], 4, 8),
    }
    written = page(["a", "b", "c"], {("a", "b"): False, ("b", "c"): True}, found)
    assert rows_of(written) == found
    assert "| 1 a |  | edge | 0 |" in written and "| 2 b |  |  | (edge) |" in written
    assert "Of the 6 ordered pairs of 3 standing motions 2 (33 %) have an edge. 1 of" in " ".join(written.split())


def test_a_page_of_pairs_has_no_rows_in_other_lines() -> None:
    assert rows_of("# Pairs\n\n| a -> b | text |\n| pair | ODE | MuJoCo | seed | most frequent failure |\n") == {}


def test_edges_are_asked_for_by_themselves_or_by_a_node(graph) -> None:
    every = targets(graph, ())
    assert set(every) == {f"{edge.source}->{edge.target}" for edge in graph.edges if edge.planned}
    assert targets(graph, ("stand->squat",)) == ["stand->squat"]
    assert targets(graph, ("spring",)) == [each for each in every if "spring" in each.split("->")]
    assert targets(graph, ("spring->squat",)) == []


def test_a_target_behind_a_stunt_is_entered_without_it_where_another_way_leads_there() -> None:
    graph = Project(Path(__file__).parents[1]).graph
    assert ordinary_target(graph, "supine->sit_up") == "lie_back->supine->sit_up"
    assert ordinary_target(graph, "kip") == "lie_back->supine->kip"
    assert ordinary_target(graph, "stand->walk") == "stand->walk"
    assert ordinary_target(graph, "handstand->handstand_to_supine") == "handstand->handstand_to_supine"


def test_a_page_of_limits_keeps_the_figures_of_the_version_before() -> None:
    head = "| version | {} |\n"
    page = f"# Limits\n{BEGIN}\n{END}\nend\n"
    page = updated(page, head.format("1"), {"walk": ["-9 to 8", "0.2", "yes, yes", "yes, yes"]})
    page = updated(page, head.format("2"), {"walk": ["-2 to 2.5", "0.1", "no, yes", "yes, yes"]})
    assert "| walk | -2 to 2.5 | -9 to 8 | 0.1 | 0.2 | no, yes | yes, yes | yes, yes | yes, yes |" in page
    again = updated(page, head.format("2"), {"walk": ["-2 to 3", "0.1", "no, yes", "yes, yes"]})
    assert "| walk | -2 to 3 | -9 to 8 |" in again and again.startswith("# Limits\n") and again.endswith("\nend\n")
