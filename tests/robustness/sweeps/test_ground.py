"""The ground of edges: what a sweep over slopes finds, and what is written of it."""

from __future__ import annotations

import pytest

from ctrlgraph.errors import CtrlGraphError
from ctrlgraph.graph.ground import EVERYWHERE, GroundRange
from ctrlgraph.robustness.sweeps.ground import check_question, every_edge, ground_of
from ctrlgraph.robustness.sweeps.scenario import Limit, Scenario
from ctrlgraph.robustness.sweeps.summary import PointSummary


def points(holding: dict[float, bool], solver: float | None = None) -> list[PointSummary]:
    more = () if solver is None else (("quickstep", solver),)
    return [PointSummary((("slope", value), *more), 1, int(held), int(held)) for value, held in holding.items()]


def test_it_is_the_widest_range_around_level_in_which_all_succeeds() -> None:
    found = ground_of([points({-3: True, -2: False, -1: True, 0: True, 1: True, 2: False, 3: True})], EVERYWHERE)
    assert found == GroundRange(slope=(-1.0, 1.0))


def test_it_has_to_succeed_at_every_value_of_the_other_axis() -> None:
    exact = points({-1: True, 0: True, 1: True, 2: True}, 0.0)
    quick = points({-1: True, 0: True, 1: True, 2: False}, 50.0)
    assert ground_of([[*exact, *quick]], EVERYWHERE) == GroundRange(slope=(-1.0, 1.0))


def test_it_has_to_succeed_after_few_cycles_and_after_many() -> None:
    few = points({-1: True, 0: True, 1: True, 2: True})
    many = points({-1: False, 0: True, 1: True, 2: True})
    assert ground_of([few, many], EVERYWHERE) == GroundRange(slope=(0.0, 2.0))
    assert ground_of([few, points({0: False})], EVERYWHERE) is None


def test_an_edge_that_succeeds_throughout_stays_free_or_gets_the_range_of_the_sweep() -> None:
    everything = points({-1: True, 0: True, 1: True})
    assert ground_of([everything], EVERYWHERE) == EVERYWHERE
    before = GroundRange(slope=(0.0, 0.5), obstacle=(0.0, 0.1))
    assert ground_of([everything], before) == GroundRange(slope=(-1.0, 1.0), obstacle=(0.0, 0.1))


def test_an_edge_that_fails_on_level_ground_has_none() -> None:
    assert ground_of([points({-1: True, 0: False, 1: True})], EVERYWHERE) is None
    assert ground_of([points({1: True, 2: True})], EVERYWHERE) is None  # level ground was not tried


def test_every_edge_of_the_graph_is_a_target_once(project) -> None:
    found = every_edge(project.graph)
    assert len(found) == len(set(found))
    assert {"stand->walk", "stand->walk*7", "walk->walk_to_stop", "walk*7->walk_to_stop", "squat->rise"} <= set(found)
    assert not {"walk->prone", "squat*1->rise*1"} & set(found)  # only corrective; no gaits


@pytest.mark.parametrize(
    ("question", "said"),
    [
        (Scenario(targets=("walk",), axes=(("slope", (0.0, 1.0)),)), "'walk' is not an edge"),
        (Scenario(targets=("a->b",), axes=(("mass", (0.8, 1.0)),)), "needs a sweep over the slope"),
        (Scenario(targets=("a->b",), limit=Limit("slope", 0.5)), "needs a sweep over the slope"),
    ],
)
def test_other_questions_have_no_ground_for_an_answer(question: Scenario, said: str) -> None:
    with pytest.raises(CtrlGraphError, match=said):
        check_question(question)
