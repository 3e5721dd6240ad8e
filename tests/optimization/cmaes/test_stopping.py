"""Every reason to stop is come by, and says so in one sentence."""

from __future__ import annotations

import math
import re
from typing import Any

import numpy as np
import pytest
from searches import Cost, ellipsoid, generation, searched, sphere

from ctrlgraph.errors import CtrlGraphError
from ctrlgraph.optimization.cmaes import KINDS, Stop, make_optimizer

EACH_KIND = pytest.mark.parametrize("kind", KINDS)
OFF: dict[str, Any] = {
    "step_tolerance": None,
    "divergence_limit": None,
    "condition_limit": None,
    "stagnation_generations": None,
    "flat_generations": None,
}
"""Every rule that is on by default, turned off."""


def stopped(kind: str, cost: Cost, x0: float = 1.0, **rules: Any) -> Stop:
    search = searched(make_optimizer(kind, np.full(3, x0), 0.5, seed=18, **(OFF | rules)), cost, 20_000)
    assert search.stop is not None
    return search.stop


REASONS: dict[str, tuple[Cost, dict[str, Any], str]] = {
    "target": (sphere, {"target_cost": 1e-3}, r"The cost \S+ is within the target of 0\.001\."),
    "generations": (sphere, {"max_generations": 12}, r"The budget of 12 generations is spent\."),
    "step-size": (
        sphere,
        {"step_tolerance": 1e-4},
        r"The step size fell below its tolerance: \S+ is less than 0\.0001\.",
    ),
    "diverged": (
        lambda x: float(x[0]),
        {"divergence_limit": 1e3},
        r"The step size grew beyond bounds: \S+ is more than 1000\.",
    ),
    "condition": (
        ellipsoid,
        {"condition_limit": 1e4},
        r"The covariance matrix is ill-conditioned: its condition number, \S+, is above 10000\.",
    ),
    "stagnation": (
        sphere,
        {"stagnation_generations": 30, "stagnation_tolerance": 0.01},
        r"The cost has not improved by more than 0\.01 for 30 generations\.",
    ),
    "flat": (
        lambda x: 4.25,
        {"flat_generations": 7},
        r"The search space is flat: all candidates of the last 7 generations cost 4\.25\.",
    ),
}


@EACH_KIND
@pytest.mark.parametrize("reason", REASONS)
def test_each_reason_is_come_by_and_explained(kind: str, reason: str) -> None:
    cost, rules, explanation = REASONS[reason]
    stop = stopped(kind, cost, **rules)
    assert stop.reason == reason
    assert re.fullmatch(explanation, stop.explanation), stop.explanation


def test_the_budget_of_evaluations_ends_with_the_generation_that_spends_it() -> None:
    assert stopped("1+1", sphere, max_evaluations=30) == Stop(
        "evaluations", "The budget of 30 evaluations is spent (30 made)."
    )
    assert stopped("cma", sphere, max_evaluations=30) == Stop(
        "evaluations", "The budget of 30 evaluations is spent (35 made)."
    )


@EACH_KIND
def test_steps_below_the_precision_of_the_numbers_end_a_search(kind: str) -> None:
    stop = stopped(kind, lambda x: sphere(x - 1e6), x0=1e6 + 1)
    assert stop.reason == "step-size"
    assert stop.explanation.endswith("is too small to change the parameters.")


@EACH_KIND
def test_where_nothing_can_be_evaluated_the_sentence_says_so(kind: str) -> None:
    assert stopped(kind, lambda x: math.nan, flat_generations=5) == Stop(
        "flat", "No candidate of the last 5 generations could be evaluated."
    )


@EACH_KIND
def test_one_candidate_of_another_cost_ends_a_flat_stretch(kind: str) -> None:
    search = make_optimizer(kind, np.ones(2), 0.5, seed=19, flat_generations=4)
    for level in (1.0, 1.0, 1.0, 2.0, 2.0, 2.0):
        generation(search, lambda x, level=level: level)
        assert search.stop is None
    generation(search, lambda x: 2.0)
    assert search.stop is not None and search.stop.reason == "flat"


@EACH_KIND
def test_small_gains_add_up_to_an_improvement(kind: str) -> None:
    """Stagnation is measured from the last cost that counted, not from one generation to the next."""
    search = make_optimizer(
        kind, np.ones(2), 0.5, seed=20, flat_generations=None, stagnation_generations=10, stagnation_tolerance=0.25
    )
    for step in range(40):
        generation(search, lambda x, step=step: 10 - 0.0625 * step)  # 0.3125 in 5 generations
        assert search.stop is None


@EACH_KIND
def test_gains_within_the_tolerance_are_no_improvement(kind: str) -> None:
    search = make_optimizer(kind, np.ones(2), 0.5, seed=20, stagnation_generations=10, stagnation_tolerance=0.25)
    for step in range(10):
        generation(search, lambda x, step=step: 10 - 0.015625 * step)
        assert search.stop is None
    generation(search, lambda x: 9.84375)
    assert search.stop is not None and search.stop.reason == "stagnation"


@EACH_KIND
@pytest.mark.parametrize("n", [1, 2, 10])
def test_the_rules_by_default_let_a_search_converge(kind: str, n: int) -> None:
    for cost in (sphere, ellipsoid):
        search = searched(make_optimizer(kind, np.ones(n), 0.5, seed=21), cost)
        assert search.best_cost < 1e-11
        assert search.stop is not None and search.stop.reason in ("step-size", "stagnation")


@pytest.mark.parametrize(
    ("rules", "message"),
    [
        ({"target": 1}, "there is no stopping rule 'target' (did you mean 'target_cost'?)"),
        ({"max_generations": 0}, "max_generations must be a whole number above 0, not 0"),
        ({"max_evaluations": 2.5}, "max_evaluations must be a whole number above 0, not 2.5"),
        ({"step_tolerance": -1.0}, "step_tolerance must not be negative, as -1.0 is"),
        ({"target_cost": "low"}, "target_cost must be a number, not 'low'"),
        ({"target_cost": math.nan}, "target_cost must be a number, not nan"),
        ({"stagnation_tolerance": None}, "stagnation_tolerance must be a number, not None"),
    ],
)
def test_rules_that_make_no_sense_are_refused(rules: dict[str, Any], message: str) -> None:
    with pytest.raises(CtrlGraphError) as error:
        make_optimizer("1+1", [0.0], 1.0, seed=1, **rules)
    assert str(error.value) == message
