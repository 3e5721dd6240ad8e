"""Damaged checkpoints: each gives one sentence that names the fault, and the file stays unchanged."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import stand_in_evaluations

from ctrlgraph.errors import CtrlGraphError
from ctrlgraph.files import TEMPORARY_SUFFIX
from ctrlgraph.learning import checkpoint as checkpoints
from ctrlgraph.learning.cost import TUNING
from ctrlgraph.learning.problem import Case, Objective, Problem
from ctrlgraph.learning.search import Budget, CandidateSearch, SearchPlan
from ctrlgraph.robustness.evaluation_plan import EvaluationPlan, Segment
from ctrlgraph.robustness.worker_pool import WorkerPool

CMA, ONE = SearchPlan("cma", 1.0, 6, seed=3), SearchPlan("1+1", 1.0, seed=3)


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
    """Return a change that replaces the value at a place."""
    *path, last, value = place

    def change(text: str) -> str:
        data = json.loads(text)
        holder = data
        for step in path:
            holder = holder[step]
        holder[last] = value
        return json.dumps(data)

    return change


def change_costs(change: Callable[[list[float]], list[float]]) -> Callable[[str], str]:
    """Return a change of the costs of the second generation that keeps their minimum."""

    def change_text(text: str) -> str:
        data = json.loads(text)
        entry = data["history"][1]
        costs = change(sorted(entry["costs"], key=lambda cost: cost != entry["cost"]))
        return json.dumps({**data, "history": [data["history"][0], {**entry, "costs": costs}, *data["history"][2:]]})

    return change_text


CONTRADICT = "'cost', 'best' or 'succeeded' of generation {} contradicts the costs of the generations so far"
ANOTHER_COURSE = (
    "cannot be repeated: the file was changed, or written with another version of ctrlgraph, numpy or cmaes"
)
DAMAGES: list[tuple[SearchPlan, Callable[[str], str], str]] = [
    # JSON
    (CMA, lambda text: "", "Invalid JSON: EOF while parsing a value at line 1 column 0"),
    (CMA, lambda text: "[]", "Input should be an object"),
    (CMA, lambda text: "[" * 200_000, "Invalid JSON: recursion limit exceeded at line 1 column 202"),
    # fields
    (CMA, put("wall_s", -1.0), "wall_s: Input should be greater than or equal to 0"),
    (CMA, put("wall_s", float("nan")), "wall_s: Input should be a finite number"),
    (CMA, put("extra", 1), "extra: Extra inputs are not permitted"),
    (
        CMA,
        put("best", "succeeded", 6),
        "'best' and 'first' must have 'costs', 'succeeded' and 'worst' that match the 5 cases of the search",
    ),
    (
        CMA,
        put("best", "costs", []),
        "'best' and 'first' must have 'costs', 'succeeded' and 'worst' that match the 5 cases of the search",
    ),
    (
        CMA,
        put("best", "terms", {"joy": 1.0}),
        "best.terms: Value error, unknown cost terms joy: use failure, com, trunk, joints, time, energy,"
        " effort, saturation, change",
    ),
    (CMA, put("history", 1, {}), "history[1].cost: Field required"),
    (CMA, put("history", 1, "succeeded", -1), "history[1].succeeded: Input should be greater than or equal to 0"),
    (CMA, put("history", 1, "costs", 2, "0"), "history[1].costs[2]: Input should be a valid number"),
    (CMA, put("history", 1, "costs", 2, float("inf")), "history[1].costs[2]: Input should be a finite number"),
    # consistency
    (CMA, put("best", "cost", 0.0), "the cost of 'best' must be the least of all costs, 0.39154, not 0"),
    (CMA, put("history", 0, "cost", -1.0), CONTRADICT.format(1)),
    (CMA, put("history", 0, "costs", []), CONTRADICT.format(1)),
    (CMA, put("history", 1, "costs", [1e9] * 5), CONTRADICT.format(2)),
    # repetition
    (CMA, change_costs(lambda costs: costs[:-1]), "generation 2 must have 6 costs, not 5"),
    (CMA, change_costs(lambda costs: costs[::-1]), f"generation 2 {ANOTHER_COURSE}"),
    (ONE, put("history", 2, "sigma", 0.5), f"generation 3 {ANOTHER_COURSE}"),
]


@pytest.mark.parametrize(("plan", "change", "says"), DAMAGES, ids=[says[-40:] for _, _, says in DAMAGES])
def test_a_damaged_checkpoint_says_what_is_wrong(refused, plan, change, says):
    assert refused(plan, change) == f"the checkpoint search.json is damaged, so delete it to start again ({says})"


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (put("version", 0), "is of another version of ctrlgraph: delete it to start again"),
        *(
            (
                put(*place),
                "belongs to another search with other scripts, cases or settings: name another file, or delete this"
                " file to start again",
            )
            for place in (("problem", "0" * 32), ("plan", "seed", 9))
        ),
    ],
)
def test_a_checkpoint_of_another_version_or_search_is_refused(refused, change, says):
    assert refused(CMA, change) == f"the checkpoint search.json {says}"


def test_a_checkpoint_that_would_fill_memory_is_not_read(refused, monkeypatch):
    monkeypatch.setattr(checkpoints, "LARGEST_BYTES", 2**20)
    said = refused(CMA, lambda text: text + " " * 2**20)
    assert (
        said == "the checkpoint search.json is damaged, so delete it to start again (the file is larger than 1 MB,"
        " the maximum)"
    )


def test_texts_of_a_checkpoint_cannot_move_the_cursor(problem, tmp_path):
    path, pool = tmp_path / "search.json", WorkerPool(work=stand_in_evaluations.formula)
    CandidateSearch(problem, CMA, pool, path).run(Budget(1))
    path.write_text(put("first", "reason", "\x1b[2Jgone")(path.read_text()))
    assert CandidateSearch(problem, CMA, pool, path).result.first.reason == "\\x1b[2Jgone"


def test_terms_that_are_no_numbers_are_kept(problem, tmp_path):
    path, pool = tmp_path / "search.json", WorkerPool(work=stand_in_evaluations.formula)
    search = CandidateSearch(problem, CMA, pool, path)
    search.run(Budget(1))
    search.result.history[0]["terms"]["energy"] = float("inf")
    search.run(Budget(2))
    assert '"energy":"inf"' in path.read_text()
    assert CandidateSearch(problem, CMA, pool, path).run(Budget(3)).history[0]["terms"]["energy"] == float("inf")


KILLED = """
import os, signal, sys
from pathlib import Path
from ctrlgraph.learning import checkpoint
replace = Path.replace
Path.replace = lambda self, to: os.kill(os.getpid(), signal.SIGKILL)
score = dict(cost=0.0, terms={}, succeeded=0, cases=0, worst=0, reason="", costs=())
times = dict(simulated_s=0.0, physics_s=0.0, wall_s=0.0)
data = dict(problem="", plan={}, best=score, first=score, history=[], **times)
checkpoint.write_checkpoint(Path(sys.argv[1]), data)
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
