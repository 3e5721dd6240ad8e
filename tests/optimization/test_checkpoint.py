"""Checkpoints that are damaged: each is one sentence that says what is wrong, and the file stays as it is."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import stand_in_evaluations

from ctrlgraph.errors import CtrlGraphError
from ctrlgraph.experiments.evaluation_plan import EvaluationPlan, Segment
from ctrlgraph.experiments.worker_pool import WorkerPool
from ctrlgraph.files import TEMPORARY_SUFFIX
from ctrlgraph.optimization import checkpoint as checkpoints
from ctrlgraph.optimization.objective import TUNING
from ctrlgraph.optimization.problem import Case, Objective, Problem
from ctrlgraph.optimization.search import Budget, CandidateSearch, SearchPlan

CMA, ONE = SearchPlan("cma", 1.0, 6, seed=3), SearchPlan("1+1", 1.0, seed=3)
AGAIN = SearchPlan("cma", 1.0, 6, restarts=2, seed=3)


@pytest.fixture(scope="module")
def problem() -> Problem:
    """Four parameters, five cases, no physics."""
    segment = Segment("a", None, 1)
    cases = tuple(Case(EvaluationPlan("a", (segment,), (segment,), (), False), seed=i) for i in range(5))
    return Problem(Path(), stand_in_evaluations.four_parameters(), cases, Objective({**TUNING, "com": 1.0}))


@pytest.fixture
def refused(problem, tmp_path, monkeypatch) -> Callable[[SearchPlan, Callable[[str], str]], str]:
    """What is said of a changed checkpoint of a search with this plan."""
    monkeypatch.chdir(tmp_path)

    def said(plan: SearchPlan, change: Callable[[str], str]) -> str:
        path, pool = Path("search.json"), WorkerPool(work=stand_in_evaluations.formula)
        CandidateSearch(problem, plan, pool, path).run(Budget(3))
        path.write_text(change(path.read_text()))
        before = path.read_bytes()
        with pytest.raises(CtrlGraphError) as caught:
            CandidateSearch(problem, plan, pool, path)
        assert path.read_bytes() == before
        return str(caught.value)

    return said


def put(*place: Any) -> Callable[[str], str]:
    """The change that puts the last of these where the others lead to."""
    *way, last, value = place

    def change(text: str) -> str:
        data = json.loads(text)
        holder = data
        for step in way:
            holder = holder[step]
        holder[last] = value
        return json.dumps(data)

    return change


def replaced(old: str, new: str) -> Callable[[str], str]:
    return lambda text: text.replace(old, new, 1)


OPTIMISER = "this is no state of an optimiser: "
LEADS = "the costs of its generations do not lead to the best"
DAMAGES: list[tuple[SearchPlan, Callable[[str], str], str]] = [
    # no JSON
    (CMA, lambda text: "", "Expecting value: line 1 column 1 (char 0)"),
    (CMA, lambda text: "[]", "it is no mapping"),
    (CMA, lambda text: "[" * 200_000, "it is nested too deeply"),
    (CMA, replaced('"median": ', '"median": NaN, "x": '), "it holds NaN, which is no number"),
    (CMA, replaced('"wall_s": ', '"wall_s": -Infinity, "x": '), "it holds -Infinity, which is no number"),
    # of the search
    (CMA, put("wall_s", -1.0), "wall_s cannot be -1.0"),
    (CMA, replaced('"wall_s": ', '"wall_s": 1e999, "x": '), "wall_s cannot be .inf"),
    (CMA, put("best_x", ["0", 0, 0, 0]), "best_x[0] cannot be '0'"),
    (CMA, put("best_x", [True, 0, 0, 0]), "best_x[0] cannot be true"),
    (CMA, put("best_x", [0.0]), "it holds 1 parameters instead of 4"),
    (CMA, put("best_x", [0, 0, 0, 9.0]), "its best constants are out of range"),
    (CMA, put("extra", 1), "it has an unknown 'extra'"),
    (CMA, put("best", "held", 6), "it holds a score that is none of 5 cases"),
    (CMA, put("best", "costs", []), "it holds a score that is none of 5 cases"),
    (CMA, put("best", "terms", {"joy": 1.0}), "it holds a score that is none of 5 cases"),
    (CMA, put("best", "cost", 0.0), LEADS),
    (CMA, put("history", 0, "cost", -1.0), LEADS),
    (CMA, put("history", []), "it tells of 0 generations and has done 3"),
    (CMA, put("history", 1, {}), "it has no 'history[1].cost'"),
    (CMA, put("history", 1, "held", -1), "history[1].held cannot be -1"),
    (CMA, put("history", 1, "sigma", 0.0), "history[1].sigma cannot be 0.0"),
    # of the optimiser
    (CMA, put("optimizer", "kind", "1+1"), "its optimiser has another 'kind' than this search"),
    (CMA, put("optimizer", "population", 7), "its optimiser has another 'population' than this search"),
    (CMA, put("optimizer", "rules", "condition_limit", None), "its optimiser has another 'rules' than this search"),
    (CMA, put("optimizer", "bounds", None), "its optimiser has another 'bounds' than this search"),
    (AGAIN, put("optimizer", "restarts", 60), "its optimiser has another 'restarts' than this search"),
    (AGAIN, put("optimizer", "restarted", 3), OPTIMISER + "its restarts are counted wrongly"),
    (AGAIN, put("optimizer", "restarted", 1), OPTIMISER + "attempt.population cannot be 6"),
    (AGAIN, put("optimizer", "attempt", "population", 10**9), OPTIMISER + "attempt.population cannot be 1000000000"),
    (CMA, put("optimizer", "sigma", 0.0), OPTIMISER + "sigma cannot be 0.0"),
    (CMA, put("optimizer", "sigma", -1.0), OPTIMISER + "sigma cannot be -1.0"),
    (CMA, replaced('"sigma": 0', '"sigma": 1e999, "x": 0'), OPTIMISER + "sigma cannot be .inf"),
    (ONE, put("optimizer", "sigma", 1e300), OPTIMISER + "sigma cannot be 1e+300"),
    (CMA, put("optimizer", "mean", [0.0]), OPTIMISER + "its mean is not of 4 numbers"),
    (CMA, put("optimizer", "C", [[1.0]]), OPTIMISER + "its C is not of 4 x 4 numbers"),
    (CMA, put("optimizer", "C", 0, 1, 5.0), OPTIMISER + "its covariance matrix is not symmetric"),
    (CMA, put("optimizer", "C", (-np.eye(4)).tolist()), OPTIMISER + "its covariance matrix is not positive"),
    (
        CMA,
        put("optimizer", "C", (3 * np.ones((4, 4)) - 2.5 * np.eye(4)).tolist()),
        OPTIMISER + "its covariance matrix is not positive",
    ),
    (ONE, put("optimizer", "inverse", 0, 0, 7.0), OPTIMISER + "its covariance matrix is not positive: the factor has"
     " another inverse"),
    (CMA, put("optimizer", "record", "generations", -1), OPTIMISER + "record.generations cannot be -1"),
    (CMA, put("optimizer", "record", "generations", 2), OPTIMISER + "its generations are counted wrongly"),
    (CMA, put("optimizer", "record", "best_cost", "nan"), OPTIMISER + "record.best_cost cannot be 'nan'"),
    (CMA, put("optimizer", "generator", {}), OPTIMISER + "it has no 'generator.bit_generator'"),
    (CMA, put("optimizer", "generator", "has_gauss", 2), OPTIMISER + "generator.has_gauss cannot be 2"),
    (CMA, put("optimizer", "generator", "state", "pos", -7), OPTIMISER + "generator.state.pos cannot be -7"),
    (CMA, put("optimizer", "generator", "state", "key", [1]), OPTIMISER + "generator.state.key is of a wrong length"),
    (CMA, put("optimizer", "generator", "state", "key", [0] * 624), OPTIMISER + "its generator of chance has run dry"),
    (ONE, put("optimizer", "generator", "state", "inc", 2), OPTIMISER + "its generator of chance has an even step"),
    (ONE, put("optimizer", "p_succ", 2), OPTIMISER + "p_succ cannot be 2"),
]  # fmt: skip


@pytest.mark.parametrize(("plan", "change", "says"), DAMAGES, ids=[says[-40:] for _, _, says in DAMAGES])
def test_a_damaged_checkpoint_says_what_is_wrong(refused, plan, change, says):
    assert refused(plan, change) == f"the checkpoint search.json is damaged ({says})"


def test_a_checkpoint_that_would_fill_memory_is_not_read(refused, monkeypatch):
    monkeypatch.setattr(checkpoints, "LARGEST_BYTES", 2**20)
    said = refused(CMA, lambda text: text + " " * 2**20)
    assert said == "the checkpoint search.json is damaged (it is larger than 1 MB)"


def test_texts_of_a_checkpoint_cannot_move_the_cursor(problem, tmp_path):
    path, pool = tmp_path / "search.json", WorkerPool(work=stand_in_evaluations.formula)
    CandidateSearch(problem, CMA, pool, path).run(Budget(1))
    path.write_text(put("first", "reason", "\x1b[2Jgone")(path.read_text()))
    assert CandidateSearch(problem, CMA, pool, path).state.first.reason == "\\x1b[2Jgone"


def test_terms_that_are_no_numbers_are_kept(problem, tmp_path):
    path, pool = tmp_path / "search.json", WorkerPool(work=stand_in_evaluations.formula)
    search = CandidateSearch(problem, CMA, pool, path)
    search.run(Budget(1))
    search.state.history[0]["terms"]["energy"] = float("inf")
    search.run(Budget(2))
    assert '"energy": "inf"' in path.read_text()
    assert CandidateSearch(problem, CMA, pool, path).run(Budget(3)).history[0]["terms"]["energy"] == float("inf")


KILLED = """
import os, signal, sys
from pathlib import Path
from ctrlgraph.optimization import checkpoint
replace = Path.replace
Path.replace = lambda self, to: os.kill(os.getpid(), signal.SIGKILL)
checkpoint.write_checkpoint(Path(sys.argv[1]), {"best": {"terms": {}}, "first": {"terms": {}}, "history": []})
"""


def test_a_write_that_is_killed_leaves_the_old_checkpoint_and_its_remains_are_swept(problem, tmp_path):
    path, pool = tmp_path / "search.json", WorkerPool(work=stand_in_evaluations.formula)
    CandidateSearch(problem, CMA, pool, path).run(Budget(1))
    before = path.read_bytes()
    assert subprocess.run([sys.executable, "-c", KILLED, str(path)], check=False).returncode == -9
    [left] = tmp_path.glob(f".*{TEMPORARY_SUFFIX}*")
    assert path.read_bytes() == before
    CandidateSearch(problem, CMA, pool, path)
    assert left.exists()  # another search may be writing it
    os.utime(left, (time.time() - 7200,) * 2)
    CandidateSearch(problem, CMA, pool, path)
    assert not left.exists() and path.read_bytes() == before
