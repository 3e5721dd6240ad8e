"""A search: the same result for any number of workers and however often it is interrupted."""

from __future__ import annotations

import json
import os
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import stand_in_evaluations

from ctrlgraph.errors import CtrlGraphError
from ctrlgraph.learning.candidate import CaseResult
from ctrlgraph.learning.cost import TUNING, score
from ctrlgraph.learning.evaluation import Evaluation, evaluate, evaluate_all
from ctrlgraph.learning.problem import Case, Objective, Problem
from ctrlgraph.learning.search import Budget, CandidateSearch, SearchPlan, SearchResult
from ctrlgraph.learning.search_space import SearchSpace
from ctrlgraph.learning.transition import TransitionRequest, transition_problem
from ctrlgraph.parallel import IsolatedProcesses
from ctrlgraph.project.project import Project
from ctrlgraph.robustness.evaluation_plan import evaluation_plan
from ctrlgraph.robustness.worker_pool import WorkerPool, open_pool

SIX = Budget(generations=6)
PLANS = [SearchPlan("cma", 1.0, 6, seed=3), SearchPlan("1+1", 1.0, seed=3)]


@pytest.fixture(scope="module")
def valley(still) -> Problem:
    """A problem for works without physics: four parameters, five cases."""
    cases = tuple(Case(evaluation_plan(still.graph, "squat->stand"), seed=i) for i in range(5))
    return Problem(still.directory, stand_in_evaluations.four_parameters(), cases, Objective({**TUNING, "com": 1.0}))


@pytest.fixture(scope="module")
def jump(still) -> Problem:
    """From the squat into `spring`, in real physics: one unknown number of seconds in two cases."""
    return jump_of(still)


def jump_of(project: Project) -> Problem:
    heavier = ((("mass", (1.03,)),),)
    request = TransitionRequest(
        "squat", "spring", quantities=("time",), groups=heavier, numerics=False, entries=1, seed=1
    )
    problem, left_out = transition_problem(project, request)
    assert not left_out and len(problem.cases) == 2
    return problem


def essence(result: SearchResult) -> object:
    """All of a search's result but the time that it took, to the bit."""
    kept = (result.first, result.best, result.generations, result.evaluations, result.simulated_s, result.stopped)
    return result.x.tobytes(), repr(kept), repr(result.history)


def run(
    problem: Problem, plan: SearchPlan, pool: WorkerPool, budget: Budget = SIX, checkpoint: Path | None = None
) -> object:
    return essence(CandidateSearch(problem, plan, pool, checkpoint).run(budget))


# --- workers ---


@pytest.mark.parametrize("plan", PLANS, ids=["cma", "1+1"])
@pytest.mark.parametrize("workers", [2, 4])
def test_the_result_is_the_same_for_any_number_of_workers(valley, plan, workers):
    alone = run(valley, plan, WorkerPool(work=stand_in_evaluations.formula))
    with ThreadPoolExecutor(workers) as executor:
        assert run(valley, plan, WorkerPool(executor, workers, stand_in_evaluations.formula)) == alone


@pytest.mark.slow
def test_so_it_is_where_the_physics_is_real(jump):
    plan, budget = SearchPlan("cma", 1.0, 4, seed=3), Budget(generations=2)
    alone = run(jump, plan, WorkerPool(work=evaluate), budget)
    with ThreadPoolExecutor(4) as executor:
        assert run(jump, plan, WorkerPool(executor, 4, evaluate), budget) == alone
    with open_pool(2, work=evaluate) as pool:
        assert run(jump, plan, pool, budget) == alone
        budget, plan = Budget(generations=4), PLANS[1]
        assert run(jump, plan, pool, budget) == run(jump, plan, WorkerPool(work=evaluate), budget)


@pytest.mark.slow
def test_the_pool_works_on_after_a_search_has_reached_its_time(valley):
    alone = run(valley, PLANS[0], WorkerPool(work=stand_in_evaluations.formula), Budget(1))
    with open_pool(2, work=stand_in_evaluations.slow) as pool:
        late = CandidateSearch(valley, PLANS[0], pool).run(Budget(1000, seconds=0.1))
        assert late.stopped == "the limit of 0.1 s is reached"
        assert run(valley, PLANS[0], pool, Budget(1)) == alone


@pytest.mark.slow
def test_a_process_that_dies_costs_a_retry_and_nothing_else(valley, tmp_path, monkeypatch):
    marker = tmp_path / "died"
    monkeypatch.setenv("STAND_IN_MARKER", str(marker))
    alone = run(valley, PLANS[0], WorkerPool(work=stand_in_evaluations.formula), Budget(3))
    with IsolatedProcesses(1) as executor:
        assert run(valley, PLANS[0], WorkerPool(executor, work=stand_in_evaluations.dies_once), Budget(3)) == alone
    assert marker.read_text() == "xx"  # the second time case by case


@pytest.mark.slow
def test_a_case_that_kills_every_process_has_failed(valley):
    candidates = np.zeros((3, 4))
    with IsolatedProcesses(1) as executor:
        pool = WorkerPool(executor, work=stand_in_evaluations.always_dies)
        *others, killed = evaluate_all(valley, valley.digest, candidates, pool)
    assert all(result is not None and result.status != "crashed" for results in others for result in results)
    crashed = killed[1]
    assert crashed is not None and crashed.status == "crashed" and not crashed.succeeded
    costs = [score(valley.objective, results, x).cost for results, x in zip((*others, killed), candidates, strict=True)]
    assert costs[2] > costs[0]


def test_a_problem_of_another_project_is_refused(small):
    request = TransitionRequest("squat", "spring", quantities=("time",), numerics=False, entries=1)
    problem, _ = transition_problem(small, request)
    script = small.directory / "controllers" / "straighten.t"
    script.write_text(script.read_text().replace("2000", "2100"))
    with pytest.raises(CtrlGraphError, match=r"^node spring of the project in .* has changed since the search began"):
        evaluate_all(problem, problem.digest, [np.zeros(len(problem.search_space))], WorkerPool(work=evaluate))


@pytest.mark.slow
def test_the_same_problem_is_simulated_in_its_own_directory(jump, small):
    moved = jump_of(small)
    assert moved.digest == jump.digest and moved.directory != jump.directory
    there = np.array([6.0])
    [here, present] = (evaluate_all(jump, jump.digest, [x], WorkerPool(work=evaluate)) for x in (there, there * 0))
    assert evaluate_all(moved, moved.digest, [there], WorkerPool(work=evaluate)) == here != present


# --- giving up ---


@pytest.mark.parametrize("limit", [0.0, 3.0, 8.0, 14.0])
@pytest.mark.parametrize("count", [1, 3])
def test_a_candidate_is_given_up_at_the_same_case_whoever_tries_it(valley, limit, count):
    candidates = np.random.default_rng(0).uniform(-2, 2, (count, 4))
    order = [3, 1, 4, 0, 2]
    serial = WorkerPool(work=stand_in_evaluations.formula)
    whole = evaluate_all(valley, valley.digest, candidates, serial)
    alone = evaluate_all(valley, valley.digest, candidates, serial, limit=limit, order=order)
    with ThreadPoolExecutor(3) as executor:
        pool = WorkerPool(executor, 3, stand_in_evaluations.formula)
        assert evaluate_all(valley, valley.digest, candidates, pool, limit=limit, order=order) == alone
    for results, complete, x in zip(alone, whole, candidates, strict=True):
        tried = [i for i in order if results[i] is not None]
        assert tried == order[: len(tried)]
        assert all(results[i] == complete[i] for i in tried)
        if len(tried) < len(order):
            assert score(valley.objective, complete, x).cost > limit


def test_the_best_of_one_after_another_is_the_same_without_giving_up(valley, monkeypatch):
    pool, plan = WorkerPool(work=stand_in_evaluations.formula), PLANS[1]
    given_up = CandidateSearch(valley, plan, pool).run(Budget(60))
    monkeypatch.setattr(CandidateSearch, "_limit", lambda self, population: np.inf)
    whole = CandidateSearch(valley, plan, pool).run(Budget(60))
    assert given_up.simulated_s < whole.simulated_s
    assert given_up.x.tobytes() == whole.x.tobytes()
    assert [entry["best"] for entry in given_up.history] == [entry["best"] for entry in whole.history]


@pytest.mark.parametrize("plan", PLANS, ids=["cma", "1+1"])
def test_the_best_never_gets_dearer(valley, plan):
    result = CandidateSearch(valley, plan, WorkerPool(work=stand_in_evaluations.formula)).run(Budget(30))
    best = [entry["best"] for entry in result.history]
    assert best == sorted(best, reverse=True)
    assert result.improved and result.best.cost == best[-1] < result.first.cost


# --- interruptions ---


@pytest.mark.parametrize("plan", PLANS, ids=["cma", "1+1"])
@pytest.mark.parametrize("ends", [(1, 2, 6), (5, 6)])
def test_a_search_in_pieces_is_the_undisturbed_one_bit_for_bit(valley, plan, ends, tmp_path):
    pool = WorkerPool(work=stand_in_evaluations.formula)
    whole, pieces = tmp_path / "whole.json", tmp_path / "pieces.json"
    undisturbed = run(valley, plan, pool, SIX, whole)
    for end in ends:
        last = run(valley, plan, pool, Budget(end), pieces)
    assert last == undisturbed
    assert kept(pieces) == kept(whole)


def kept(checkpoint: Path) -> dict:
    """A checkpoint without the time that things took."""
    data = json.loads(checkpoint.read_text())
    del data["wall_s"], data["physics_s"]
    return data


def test_a_finished_search_is_not_done_again(valley, tmp_path):
    checkpoint = tmp_path / "search.json"
    run(valley, PLANS[0], WorkerPool(work=stand_in_evaluations.formula), SIX, checkpoint)

    def refuse(work):
        raise AssertionError("nothing is left to do")

    assert CandidateSearch(valley, PLANS[0], WorkerPool(work=refuse), checkpoint).run(SIX).generations == 6


def test_a_checkpoint_is_refused_where_a_case_or_a_range_differs(valley, tmp_path):
    checkpoint = tmp_path / "search.json"
    pool = WorkerPool(work=stand_in_evaluations.formula)
    run(valley, PLANS[0], pool, Budget(1), checkpoint)
    items = (replace(valley.search_space.items[0], high=5.0), *valley.search_space.items[1:])
    for other in (
        replace(valley, cases=valley.cases[1:]),
        replace(valley, search_space=SearchSpace(items)),
        replace(valley, objective=Objective(TUNING)),
        replace(valley, hashes={"node stand": "other"}),
    ):
        with pytest.raises(CtrlGraphError, match="another search"):
            CandidateSearch(other, PLANS[0], pool, checkpoint)


@pytest.mark.skipif(os.geteuid() == 0 and not Path("/proc/self/status").exists(), reason="needs /proc")
def test_a_checkpoint_that_cannot_be_written_is_one_sentence(valley):
    pool = WorkerPool(work=stand_in_evaluations.formula)
    search = CandidateSearch(valley, PLANS[0], pool, Path("/proc/none/search.json"))
    with pytest.raises(CtrlGraphError, match=r"cannot write the checkpoint of the search to .*search\.json"):
        search.run(Budget(1))


# --- when it ends ---


def test_without_generations_only_the_present_is_looked_at(valley):
    result = CandidateSearch(valley, PLANS[0], WorkerPool(work=stand_in_evaluations.formula)).run(Budget(0))
    assert (result.generations, result.evaluations, result.improved) == (0, 1, False)
    assert result.x.tolist() == [0, 0, 0, 0]
    assert "0 generations" in result.stopped


def test_it_ends_after_its_time_or_where_everything_has_held_long_enough(valley):
    pool = WorkerPool(work=stand_in_evaluations.formula)
    assert CandidateSearch(valley, PLANS[0], pool).run(Budget(50, seconds=0.0)).stopped == "the limit of 0 s is reached"
    settled = CandidateSearch(valley, PLANS[0], pool).run(Budget(50, settled=3))
    assert settled.generations < 50 and "all cases have succeeded for 3 generations" in settled.stopped


def test_it_says_how_much_was_simulated_and_how_long_that_took(valley):
    result = CandidateSearch(valley, PLANS[1], WorkerPool(work=stand_in_evaluations.formula)).run(Budget(3))
    assert 0 < 0.1 * result.simulated_s < result.physics_s
    assert result.evaluations == 4


def test_a_generation_is_abandoned_at_the_end_of_the_wall_time(valley: Problem) -> None:
    began: list[float] = []

    def slow(work: Evaluation) -> list[CaseResult]:
        began.append(time.monotonic())
        time.sleep(0.1)
        return stand_in_evaluations.formula(work)

    search = CandidateSearch(valley, SearchPlan("cma", 1.0, 1000, seed=3), WorkerPool(work=slow))
    result = search.run(Budget(50, seconds=0.3))
    assert (result.stopped, result.generations) == ("the limit of 0.3 s is reached", 0)
    assert len(began) < 100


def test_a_generation_that_was_abandoned_is_repeated(valley: Problem, tmp_path: Path) -> None:
    plan, checkpoint = SearchPlan("cma", 1.0, 6, seed=3), tmp_path / "search.json"
    undisturbed = CandidateSearch(valley, plan, WorkerPool(work=stand_in_evaluations.formula)).run(SIX)
    late = True

    def work(evaluation: Evaluation) -> list[CaseResult]:
        time.sleep(0.1 if late else 0)
        return stand_in_evaluations.formula(evaluation)

    search = CandidateSearch(valley, plan, WorkerPool(work=work), checkpoint)
    assert search.run(Budget(6, seconds=0.25)).generations == 0
    late = False
    assert search.run(SIX).x.tobytes() == undisturbed.x.tobytes()
    assert CandidateSearch(valley, plan, search._pool, checkpoint).run(SIX).x.tobytes() == undisturbed.x.tobytes()
