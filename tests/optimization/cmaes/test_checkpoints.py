"""Checkpoints and chance: a restored search goes on bit by bit, and the seed is all the chance there is."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from searches import ellipsoid, generation, rosenbrock, searched, sphere, through_json

from ctrlgraph.errors import CtrlGraphError
from ctrlgraph.optimization.cmaes import KINDS, Optimizer, make_optimizer, restore_optimizer


def flawed(x: np.ndarray) -> float:
    """Finite for most, and none at all for some."""
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
    """Ends an attempt soon, so that the restarts are come by."""
    bounds = (np.full(n, -math.inf), np.full(n, 0.6)) if bounded else None
    patience: dict[str, Any] = {"stagnation_generations": 8, "stagnation_tolerance": 0.05}
    return make_optimizer(kind, np.full(n, 0.5), 0.3, seed=seed, bounds=bounds, restarts=restarts, **patience)


@given(**SEARCHES, generations=st.integers(0, 40), cost=st.sampled_from([sphere, ellipsoid, flawed]))
@example(kind="1+1", n=3, seed=1, bounded=True, restarts=2, generations=0, cost=flawed)
def test_a_restored_search_goes_on_as_the_undisturbed_one(generations: int, cost, **search: Any) -> None:
    undisturbed = search_of(**search)
    for _ in range(generations):
        generation(undisturbed, cost)
    restored = through_json(undisturbed)
    assert restored.state() == undisturbed.state()
    for _ in range(15):
        assert restored.stop == undisturbed.stop
        assert np.array_equal(generation(restored, cost), generation(undisturbed, cost))
    assert restored.state() == undisturbed.state()
    assert np.array_equal(restored.best_x, undisturbed.best_x)


@given(**SEARCHES, generations=st.integers(0, 20))
@settings(max_examples=30)
def test_a_checkpoint_may_stand_between_asking_and_telling(generations: int, **search: Any) -> None:
    undisturbed = search_of(**search)
    for _ in range(generations):
        generation(undisturbed, sphere)
    candidates = undisturbed.ask()
    restored = through_json(undisturbed)
    for one in (undisturbed, restored):
        one.tell(candidates, [sphere(x) for x in candidates])
    for _ in range(10):
        assert np.array_equal(generation(restored, sphere), generation(undisturbed, sphere))


@given(**SEARCHES)
@settings(max_examples=20)
def test_a_state_is_not_changed_by_the_search_that_goes_on(**search: Any) -> None:
    going_on = search_of(**search)
    generation(going_on, sphere)
    state = going_on.state()
    restored = restore_optimizer(state)
    candidates = [generation(going_on, sphere) for _ in range(5)]
    for mine, other in zip(candidates, [generation(restored, sphere) for _ in range(5)], strict=True):
        assert np.array_equal(mine, other)
    assert restore_optimizer(state).state() == state


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


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("restarts", [0, 1])
def test_what_is_no_state_is_refused_in_one_sentence(kind: str, restarts: int) -> None:
    state = make_optimizer(kind, [1.0], 0.3, seed=1, restarts=restarts).state()
    with pytest.raises(CtrlGraphError, match=r"^this is no state of an optimiser: it has no 'record'$"):
        restore_optimizer({name: value for name, value in state.items() if name != "record"})
    with pytest.raises(CtrlGraphError, match=r"^this is no state of an optimiser: there is no kind 'simplex'$"):
        restore_optimizer(state | {"kind": "simplex"})
    with pytest.raises(CtrlGraphError, match=r"^this is no state of an optimiser: "):
        restore_optimizer({"kind": kind, **dict.fromkeys(state.keys() - {"kind"}, "1")})
