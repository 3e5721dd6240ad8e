"""Mutated checkpoints of searches: each is resumed, or rejected in one sentence.

The cases are checkpoints of both optimisers on a problem without physics, with changed values and characters. The
laws: reading one raises a `CtrlGraphError` of one printable line, or the search resumes for two generations without a
warning, finds constants within their bounds, and writes a checkpoint that can be read. No case takes long.
"""

from __future__ import annotations

import functools
import math
import random
import re
import sys
import tempfile
import traceback
import warnings
from dataclasses import replace
from pathlib import Path

TESTS = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(TESTS / "learning"))

import numpy as np  # noqa: E402
import stand_in_evaluations  # noqa: E402
from fuzz.harness import Limits, Verdict  # noqa: E402
from fuzz.yaml_files import mutated  # noqa: E402

from ctrlgraph.errors import CtrlGraphError, printable  # noqa: E402
from ctrlgraph.learning.candidate import CaseResult  # noqa: E402
from ctrlgraph.learning.cost import TUNING  # noqa: E402
from ctrlgraph.learning.evaluation import Evaluation  # noqa: E402
from ctrlgraph.learning.problem import Case, Objective, Problem  # noqa: E402
from ctrlgraph.learning.search import Budget, CandidateSearch, SearchPlan  # noqa: E402
from ctrlgraph.robustness.evaluation_plan import EvaluationPlan, Segment  # noqa: E402
from ctrlgraph.robustness.worker_pool import WorkerPool  # noqa: E402

COUNT = 20_000
LIMITS = Limits()

PLANS = (SearchPlan("cma", 1.0, 6, seed=3), SearchPlan("1+1", 1.0, seed=3))
AGES = (1, 7, 60)
"""Generations after which checkpoints are taken."""

SENTENCE = re.compile(r"^the checkpoint \S+ (is damaged, .+|is of another version .*|belongs to another search .*)$")


def problem() -> Problem:
    """Return a problem of four parameters and five cases, whose costs are a formula."""
    segment = Segment("a", None, 1)
    cases = tuple(Case(EvaluationPlan("a", (segment,), (segment,), (), False), seed=i) for i in range(5))
    return Problem(
        Path(), stand_in_evaluations.four_parameters(), cases, Objective({**TUNING, "com": 1.0, "change": 0.0})
    )


def work(evaluation: Evaluation) -> list[CaseResult]:
    """Return costs of a stepwise formula, on which searches stop improving."""
    near = replace(evaluation, x=tuple(round(value) for value in evaluation.x))
    return stand_in_evaluations.formula(near)


@functools.cache
def corpus() -> tuple[tuple[SearchPlan, str], ...]:
    """Return checkpoints, each with the plan of its search."""
    found = []
    with tempfile.TemporaryDirectory() as directory:
        for i, plan in enumerate(PLANS):
            for age in AGES:
                path = Path(directory) / f"{i}-{age}.json"
                CandidateSearch(problem(), plan, WorkerPool(work=work), path).run(Budget(age))
                found.append((plan, path.read_text(encoding="utf-8")))
    return tuple(found)


# --- laws ---


def attempt(seed: int, number: int) -> Verdict:
    """Try the case of this number."""
    rng = random.Random(f"{seed} {number}")
    plan, text = rng.choice(corpus())
    content = mutated(text, rng)
    with tempfile.TemporaryDirectory() as directory:
        outcome, law = tried(plan, content, Path(directory))
    return Verdict(outcome, law or None, content)


def tried(plan: SearchPlan, content: bytes, directory: Path) -> tuple[str, str]:
    """Return the outcome of a checkpoint ("refused" with the reason, or "resumed"), and the broken law, if any."""
    path = directory / "search.json"
    path.write_bytes(content)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            return _tried(plan, path, content)
    except Exception:
        return "broken", traceback.format_exc()


def _tried(plan: SearchPlan, path: Path, content: bytes) -> tuple[str, str]:
    pool = WorkerPool(work=work)
    try:
        search = CandidateSearch(problem(), plan, pool, path)
    except CtrlGraphError as error:
        sentence = str(error)
        if not SENTENCE.match(sentence) or printable(sentence) != sentence or len(sentence) > 500:
            return "broken", f"the error is not one sentence: {sentence!r}"
        if path.read_bytes() != content:
            return "broken", "a rejected file was changed"
        return f"refused: {'damaged' if 'is damaged' in sentence else 'foreign'}", ""
    before = search.result.generations
    found = search.run(Budget(before + 2))
    low, high = problem().search_space.bounds
    if not np.all((low <= found.x) & (found.x <= high)):
        return "broken", f"it resumes to {found.x}, which is out of bounds"
    if not all(math.isfinite(score.cost) for score in (found.first, found.best)):
        return "broken", f"it resumes to a cost of {found.best.cost}"
    if found.generations > before:
        CandidateSearch(problem(), plan, pool, path)
    return "resumed" if found.generations > before else "resumed: ended", ""
