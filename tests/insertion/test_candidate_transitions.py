"""Pairs: when one holds, how far one got, how one fails most often, and which one is learned next."""

from __future__ import annotations

import pytest

from ctrlgraph.graph.model import Edge
from ctrlgraph.insertion.candidate_edges import CandidateEdges, CandidateReport
from ctrlgraph.insertion.candidate_node import CandidateRequest, IntegrationRequest
from ctrlgraph.insertion.candidate_transitions import (
    LEAST_TRIALS,
    Pair,
    commonest_failure,
    may_succeed,
    progress,
    share_done,
    succeeds_often,
    try_pairs,
)
from ctrlgraph.insertion.insertion import work_of
from ctrlgraph.insertion.scratch_project import staged
from ctrlgraph.insertion.transition_optimizer import TransitionOptimizer
from ctrlgraph.learning.candidate import STAGE_COST, CaseResult
from ctrlgraph.learning.validation import Validation
from ctrlgraph.project.project import Project
from ctrlgraph.robustness.worker_pool import WorkerPool


def result(failure: float = 0.0, reason: str = "torso 1.3 is above 0.3", place: str = "hop.t:7") -> CaseResult:
    """Of two stages, with this failure term (0: both held)."""
    reached = 2 - int(failure > 0) - int(failure > STAGE_COST)
    failed = "" if not failure else "hop" if failure > STAGE_COST else "stand"
    return CaseResult({"failure": failure}, "", reason if failure else "", failed, reached, 2, 1.0, place)


def verdict(successes: int, trials: int, failure: float = 12.0) -> Validation:
    return Validation((result(),) * successes + (result(failure),) * (trials - successes))


def test_a_pair_succeeds_by_the_lower_end_of_its_interval() -> None:
    assert succeeds_often(verdict(10, 10)) and not succeeds_often(verdict(9, 10))
    assert succeeds_often(verdict(17, 20)) and not succeeds_often(verdict(16, 20))
    assert not succeeds_often(None) and not succeeds_often(Validation(()))


def test_so_few_trials_that_nothing_could_succeed_are_not_allowed() -> None:
    from ctrlgraph.cli.commands import integrate

    assert succeeds_often(verdict(LEAST_TRIALS, LEAST_TRIALS))
    assert not succeeds_often(verdict(LEAST_TRIALS - 1, LEAST_TRIALS - 1))
    assert integrate.LEAST_TRIALS == LEAST_TRIALS


def test_a_pair_is_given_up_where_it_can_no_longer_succeed() -> None:
    assert may_succeed(verdict(1, 4), 20) and not may_succeed(verdict(0, 4), 20)
    assert may_succeed(verdict(4, 4), 10) and not may_succeed(verdict(3, 4), 10)


def test_progress_is_that_of_the_first_controller_and_the_share_that_of_all() -> None:
    halfway = Validation((result(1.5 * STAGE_COST),))
    then = Validation((result(0.5 * STAGE_COST),))
    assert (progress(halfway), share_done(halfway)) == (0.5, 0.25)
    assert (progress(then), share_done(then)) == (1.0, 0.75)
    assert (progress(verdict(1, 1)), share_done(verdict(1, 1))) == (1.0, 1.0)
    assert progress(None) == share_done(Validation(())) == 0.0


def test_failures_are_counted_without_their_numbers_and_reported_with_one() -> None:
    found = commonest_failure(
        Validation((result(12.0), result(), result(13.0, "torso 1.4 is above 0.3"), result(12.0, "other", "hop.t:9")))
    )
    assert found is not None
    assert (str(found), found.count) == ("hop: torso 1.3 is above 0.3 (hop.t:7)", 2)
    assert commonest_failure(verdict(3, 3)) is None and commonest_failure(None) is None


# --- which is learned next ---


class Quiet:
    """Watches nothing."""

    def searching(self, what: str, generations: int) -> None: ...

    def generation(self, done: object) -> None: ...


@pytest.fixture
def candidate_edges(still: Project):
    """The spring of the small project, all of whose pairs are open."""
    with staged(still) as scratch_project:
        yield CandidateEdges(still, still.graph.node("spring"), True, scratch_project)


def learner(candidate_edges: CandidateEdges, minutes: float = 1.0, generations: int = 5) -> TransitionOptimizer:
    request = IntegrationRequest(CandidateRequest("spring"), 10, generations, minutes, seed=1)
    return TransitionOptimizer(candidate_edges, request, WorkerPool, Quiet())  # type: ignore[arg-type]


def put(candidate_edges: CandidateEdges, **verdicts: Validation) -> dict[str, CandidateReport]:
    """Reports of pairs a_b."""
    reports = {}
    for name, tried in verdicts.items():
        source, _, target = name.partition("_")
        pair: Pair = (source, target)
        reports[name] = candidate_edges.reports[pair] = CandidateReport(pair, naive=tried)
    return reports


def test_what_comes_nearest_is_learned_first_and_what_was_tried_waits(candidate_edges: CandidateEdges) -> None:
    found = put(candidate_edges, squat_spring=verdict(3, 10), spring_squat=verdict(6, 10))
    assert learner(candidate_edges).next() is found["spring_squat"]
    found["spring_squat"].tries.append("without a bridge: no")
    assert learner(candidate_edges).next() is found["squat_spring"]
    found["squat_spring"].tries += ["without a bridge: no", "with a bridge: no"]
    found["spring_squat"].edge = Edge("spring", "squat")
    assert learner(candidate_edges).next() is None


@pytest.fixture
def unjoined(still: Project):
    """The spring of the small project, as if it had no edge."""
    opened = Project(still.directory)
    opened.graph.edges = tuple(edge for edge in opened.graph.edges if "spring" not in (edge.source, edge.target))
    with staged(still) as scratch_project:
        yield CandidateEdges(opened, opened.graph.node("spring"), False, scratch_project)


def test_what_comes_nowhere_near_is_not_learned_unless_the_node_needs_it(
    candidate_edges: CandidateEdges, unjoined: CandidateEdges
) -> None:
    put(candidate_edges, squat_spring=verdict(0, 10, 19.0))
    assert learner(candidate_edges).next() is None
    found = put(unjoined, squat_spring=verdict(0, 10, 19.0))
    assert unjoined.lacking() == ["into", "out of"]
    assert learner(unjoined).next() is found["squat_spring"]


def test_a_dead_end_goes_before_what_comes_nearer(unjoined: CandidateEdges) -> None:
    found = put(unjoined, stand_spring=verdict(10, 10), squat_spring=verdict(9, 10), spring_stand=verdict(0, 10, 19.0))
    found["stand_spring"].edge = Edge("stand", "spring")
    assert unjoined.lacking() == ["out of"]
    assert learner(unjoined).next() is found["spring_stand"]


def test_the_staging_graph_is_whole_with_what_comes_nearest_in_place_of_what_lacks(unjoined: CandidateEdges) -> None:
    put(unjoined, squat_spring=verdict(9, 10), stand_spring=verdict(2, 10), spring_squat=verdict(1, 10))
    planned = {str(edge) for edge in unjoined.staged().graph.edges}
    assert planned == {"stand -> squat", "squat -> stand", "squat -> spring", "spring -> squat"}


def test_nothing_is_learned_without_time_or_generations(candidate_edges: CandidateEdges) -> None:
    put(candidate_edges, squat_spring=verdict(9, 10))
    assert learner(candidate_edges, minutes=0.0).next() is None
    assert learner(candidate_edges, generations=0).next() is None


# --- tried ---


def test_a_pair_that_succeeds_is_distinguished_from_one_that_does_not(candidate_edges: CandidateEdges) -> None:
    evaluation_plans = {(source, "spring"): candidate_edges.ways_in(source) for source in ("stand", "squat")}
    seen: list[int] = []
    found = try_pairs(candidate_edges.staged(), evaluation_plans, 6, 11, WorkerPool(work=work_of), seen.append)
    assert (found["stand", "spring"].successes, found["stand", "spring"].trials) == (6, 6)
    assert (found["squat", "spring"].successes, found["squat", "spring"].trials) == (0, 4)
    assert seen[-1] == 12
    failure = commonest_failure(found["squat", "spring"])
    assert failure is not None and failure.node == "spring" and failure.place.startswith(("spring.t", "straighten.t"))
    again = try_pairs(
        candidate_edges.staged(),
        {("stand", "spring"): evaluation_plans["stand", "spring"]},
        6,
        11,
        WorkerPool(work=work_of),
    )
    assert again["stand", "spring"].results == found["stand", "spring"].results  # whatever else is tried
