"""Mutated checkpoints of searches: each is resumed, or rejected in one sentence.

The cases are checkpoints of both optimisers on a problem without physics, with changed values and characters. The
laws: reading one raises a `CtrlGraphError` of one printable line, or the search resumes for two generations without a
warning, finds constants within their bounds, and writes a checkpoint that can be read. No case takes long.
"""

from __future__ import annotations

import copy
import functools
import json
import math
import random
import re
import sys
import tempfile
import traceback
import warnings
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

TESTS = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(TESTS / "optimization"))

import numpy as np  # noqa: E402
import stand_in_evaluations  # noqa: E402
from fuzz import mutation  # noqa: E402
from fuzz.harness import Limits, Verdict  # noqa: E402

from ctrlgraph.errors import CtrlGraphError, printable  # noqa: E402
from ctrlgraph.experiments.evaluation_plan import EvaluationPlan, Segment  # noqa: E402
from ctrlgraph.experiments.worker_pool import WorkerPool  # noqa: E402
from ctrlgraph.optimization.candidate import CaseResult  # noqa: E402
from ctrlgraph.optimization.cost import TUNING  # noqa: E402
from ctrlgraph.optimization.evaluation import Evaluation  # noqa: E402
from ctrlgraph.optimization.problem import Case, Objective, Problem  # noqa: E402
from ctrlgraph.optimization.search import Budget, CandidateSearch, SearchPlan  # noqa: E402

COUNT = 20_000
LIMITS = Limits()

PLANS = (
    SearchPlan("cma", 1.0, 6, seed=3),
    SearchPlan("1+1", 1.0, seed=3),
)
AGES = (1, 7, 60)
"""Generations after which checkpoints are taken."""

SENTENCE = re.compile(
    r"^the checkpoint \S+ (is damaged \(.+\)|is of another version .*|belongs to another search: .*)$"
)


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


# --- mutations ---

NUMBERS = (
    0, 1, -1, 2, 0.0, -0.0, 0.5, 1e-9, 1e-320, 1e9, 1e32, 1e100, 1e155, 1e308, -1e308, 2**31, 2**53, 2**63, 2**64,
)  # fmt: skip
ODD: tuple[Any, ...] = (
    math.nan, math.inf, -math.inf, True, False, None, "", "inf", "-inf", "nan", "0.5", "1e5", "\x1b[2J", [], {}, [[]],
    10**400, -(10**400), [0.0] * 1000, [[1.0]], {"a": 1}, "x" * 5000, "1+1", "cma", "restarting", "PCG64", "MT19937",
)  # fmt: skip


def places(data: Any, at: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Yield the path to every value."""
    yield at
    inside = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    for key, value in inside:
        yield from places(value, (*at, key))


def at_place(data: Any, place: tuple[Any, ...]) -> Any:
    for key in place:
        data = data[key]
    return data


def changed_values(rng: random.Random, text: str) -> str:
    """Return a checkpoint with one to three changed values."""
    data = json.loads(text)
    for _ in range(rng.choice((1, 1, 1, 2, 3))):
        known = list(places(data))[1:]
        if not known:
            break
        # a field as often as one of a thousand numbers
        depth = rng.randint(1, max(map(len, known)))
        known = [place for place in known if len(place) == depth]
        kinds = sorted({tuple(step for step in place if isinstance(step, str)) for place in known})
        kind = rng.choice(kinds)
        place = rng.choice([p for p in known if tuple(step for step in p if isinstance(step, str)) == kind])
        change_one(rng, data, place)
    return json.dumps(data)


def change_one(rng: random.Random, data: Any, place: tuple[Any, ...]) -> None:
    holder, key = at_place(data, place[:-1]), place[-1]
    value = holder[key]
    way = rng.randrange(9)
    if way == 0:
        del holder[key]
    elif way == 1:
        holder[key] = copy.deepcopy(rng.choice(ODD))
    elif way == 2:
        holder[key] = rng.choice(NUMBERS)
    elif way == 3:
        holder[key] = copy.deepcopy(at_place(data, rng.choice(list(places(data))[1:])))
    elif way == 4 and isinstance(holder, list):
        holder.insert(key, copy.deepcopy(value))
    elif way == 4:
        holder[rng.choice(("extra", "sigma", "kind", ""))] = copy.deepcopy(value)
    elif way == 5 and isinstance(value, list) and value:
        rng.shuffle(value)
    elif way == 6 and isinstance(value, list) and value:
        holder[key] = [copy.deepcopy(rng.choice(NUMBERS)) for _ in value]
    elif isinstance(value, int | float) and not isinstance(value, bool):
        holder[key] = near(rng, value)
    else:
        holder[key] = rng.choice((value, [value], {"value": value}, str(value)))


def near(rng: random.Random, value: float) -> float:
    """Return a number near another one, or much larger, or of the other sign."""
    try:
        scaled = value * 10.0 ** rng.randint(-30, 30)
        close = value * (1 + rng.uniform(-1e-3, 1e-3))
        return rng.choice((-value, value + 1, value - 1, value * 2, close, scaled, int(value), rng.uniform(-2, 2)))
    except (OverflowError, ValueError):
        return 0


def mutated(seed: int, case: int) -> tuple[SearchPlan, bytes]:
    """Return the case of this number."""
    rng = random.Random(f"{seed}:{case}")
    plan, text = rng.choice(corpus())
    if rng.random() < 0.7:
        return plan, changed_values(rng, text).encode("utf-8", "surrogatepass")
    return plan, mutation.mutated(rng, text, [text])


# --- laws ---


def attempt(seed: int, number: int) -> Verdict:
    """Try the case of this number."""
    plan, content = mutated(seed, number)
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
