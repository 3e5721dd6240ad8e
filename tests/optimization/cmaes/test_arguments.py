"""What a search is ordered with and reported: what makes no sense is refused in one sentence."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from searches import state

from ctrlgraph.errors import CtrlGraphError
from ctrlgraph.optimization.cmaes import KINDS, make_optimizer

ORDER: dict[str, Any] = {"kind": "cma", "x0": [0.0, 1.0], "sigma": 0.3, "seed": 1}


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"kind": "cmaes"}, "there is no optimiser 'cmaes' (did you mean 'cma'?)"),
        ({"kind": "simplex"}, "there is no optimiser 'simplex' (known: 1+1, cma)"),
        ({"x0": []}, "x0 must be a vector of at least one number, not of the shape (0,)"),
        ({"x0": [[1.0]]}, "x0 must be a vector of at least one number, not of the shape (1, 1)"),
        ({"x0": [0.0, math.nan]}, "x0 must be of finite numbers below 1e+32"),
        ({"sigma": 0}, "sigma, the step size, must be a finite number above 0, not 0"),
        ({"sigma": math.nan}, "sigma, the step size, must be a finite number above 0, not nan"),
        ({"seed": -1}, "seed must be a whole number of at least 0, not -1"),
        ({"seed": 1.5}, "seed must be a whole number of at least 0, not 1.5"),
        ({"restarts": -1}, "restarts must be a whole number of at least 0, not -1"),
        ({"population": 3}, "population must be a whole number of at least 4, not 3"),
        ({"kind": "1+1", "population": 4}, "the optimiser '1+1' has one candidate per generation, not 4"),
        ({"bounds": ([0.0], [1.0])}, "bounds must be two vectors of 2 numbers, not (1,) and (1,)"),
        ({"bounds": ([-1.0, 1.0], [1.0, 1.0])}, "bounds of parameter 1 are empty: 1 is not below 1"),
        ({"bounds": ([-1.0, 1.5], [1.0, 2.0])}, "x0 is out of bounds: parameter 1 is 1, not within 1.5..2"),
    ],
)
def test_orders_that_make_no_sense_are_refused(given: dict[str, Any], message: str) -> None:
    with pytest.raises(CtrlGraphError) as error:
        make_optimizer(**(ORDER | given))
    assert str(error.value) == message


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("restarts", [0, 1])
def test_what_is_reported_must_fit_what_was_asked(kind: str, restarts: int) -> None:
    search = make_optimizer(kind, [0.0, 1.0], 0.3, seed=1, restarts=restarts)
    before, m = state(search), search.population
    for candidates, costs, message in (
        (np.zeros((m, 3)), np.zeros(m), f"candidates must have the shape ({m}, 2), not ({m}, 3)"),
        (np.zeros((m, 2)), np.zeros(m + 1), f"costs must have the shape ({m},), not ({m + 1},)"),
        (np.full((m, 2), math.nan), np.zeros(m), "candidates must be finite"),
    ):
        with pytest.raises(CtrlGraphError) as error:
            search.tell(candidates, costs)
        assert str(error.value) == message
    assert state(search) == before


@pytest.mark.parametrize("kind", KINDS)
def test_neither_the_start_nor_the_costs_are_kept_by_reference(kind: str) -> None:
    start = np.array([0.5, 1.0])
    search = make_optimizer(kind, start, 0.3, seed=1)
    start += 1
    assert search.best_x.tolist() == [0.5, 1.0]
    candidates = search.ask()
    search.tell(candidates, np.arange(search.population, dtype=float))
    best = candidates[0].copy()
    candidates += 1
    assert search.best_x.tolist() == best.tolist()
