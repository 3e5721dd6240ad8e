"""Searches are deterministic: the arguments and the costs determine all candidates, bit by bit."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from hypothesis import example, given, settings
from hypothesis import strategies as st
from searches import ellipsoid, generation, rosenbrock, searched, sphere, state

from ctrlgraph.optimization.cmaes import KINDS, Optimizer, make_optimizer


def flawed(x: np.ndarray) -> float:
    """Return a finite cost for most x, inf or NaN for some."""
    marker = int(abs(x[0]) * 1e6) % 10
    return {0: math.inf, 1: math.nan}.get(marker, ellipsoid(x))


SEARCHES = {
    "kind": st.sampled_from(KINDS),
    "n": st.integers(1, 6),
    "seed": st.integers(0, 2**70),
    "bounded": st.booleans(),
    "restarts": st.integers(0, 2),
}


def search_of(kind: str, n: int, seed: int, bounded: bool, restarts: int) -> Optimizer:
    """Return a search whose attempts end soon, so that it restarts."""
    bounds = (np.full(n, -math.inf), np.full(n, 0.6)) if bounded else None
    patience: dict[str, Any] = {"stagnation_generations": 8, "stagnation_tolerance": 0.05}
    return make_optimizer(kind, np.full(n, 0.5), 0.3, seed=seed, bounds=bounds, restarts=restarts, **patience)


@given(**SEARCHES, generations=st.integers(0, 55), cost=st.sampled_from([sphere, ellipsoid, flawed]))
@example(kind="1+1", n=3, seed=1, bounded=True, restarts=2, generations=0, cost=flawed)
def test_a_search_with_the_same_costs_draws_the_same_candidates(generations: int, cost, **search: Any) -> None:
    undisturbed, repeated = search_of(**search), search_of(**search)
    for _ in range(generations):
        candidates = generation(undisturbed, cost)
        undisturbed.stop  # noqa: B018 - has no effect on the search
        assert np.array_equal(repeated.ask(), candidates)
        repeated.tell(candidates, [cost(x) for x in candidates])
    assert repeated.stop == undisturbed.stop
    assert state(repeated) == state(undisturbed)
    assert np.array_equal(repeated.ask(), undisturbed.ask())


@given(**SEARCHES)
@settings(max_examples=20)
def test_the_same_seed_gives_the_same_candidates_and_another_seed_others(**search: Any) -> None:
    first, second = search_of(**search), search_of(**search)
    other = search_of(**(search | {"seed": search["seed"] + 1}))
    drawn = []
    for one in (first, second, other):
        drawn.append(np.concatenate([generation(one, rosenbrock) for _ in range(6)]))
    assert np.array_equal(drawn[0], drawn[1])
    assert not np.array_equal(drawn[0], drawn[2])


def test_the_global_generator_is_neither_used_nor_moved() -> None:
    before = np.random.get_state()[1].tolist()
    for kind in KINDS:
        searched(make_optimizer(kind, np.ones(2), 0.3, seed=1), sphere, 5)
    assert np.random.get_state()[1].tolist() == before
