"""Sampled states: kept as they are, and compared in every bit."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from ctrlgraph.simulation.recording.planar_trace import Trace
from ctrlgraph.walks.state_files import load_states, save_states
from ctrlgraph.walks.states import StateRecorder, WalkStates, first_difference

LINKS = ("head", "foot")


def states(samples: int = 8) -> WalkStates:
    rng = np.random.default_rng(0)
    recorder = StateRecorder(LINKS)
    for attempt in range(2):
        recorder.add(
            Trace(
                time=np.arange(samples) * 0.01,
                position=rng.normal(size=(samples, 2, 2)),
                angle=rng.normal(size=(samples, 2)),
                contact=rng.random((samples, 2)) < 0.5,
                com=rng.normal(size=(samples, 2)),
                com_velocity=rng.normal(size=(samples, 2)),
                phase=rng.integers(0, 3, samples),
                energy=rng.random(samples),
            ),
            attempt,
            shift=attempt * samples * 0.01,
        )
    found = recorder.states()
    assert found is not None
    return found


def changed(original: WalkStates, name: str, index: tuple[int, ...], value: float) -> WalkStates:
    array = getattr(original.trace, name).copy()
    array[index] = value
    return replace(original, trace=replace(original.trace, **{name: array}))


def test_what_is_saved_is_loaded_bit_for_bit(tmp_path: Path):
    save_states(changed(states(), "angle", (3, 1), np.nan), tmp_path / "run" / "walk-0.npz")
    loaded = load_states(tmp_path / "run" / "walk-0.npz")
    assert loaded is not None
    assert first_difference(loaded, changed(states(), "angle", (3, 1), np.nan)) is None
    assert loaded.links == LINKS
    assert [path.name for path in (tmp_path / "run").iterdir()] == ["walk-0.npz"]


def test_without_files_there_are_no_states(tmp_path: Path):
    assert load_states(tmp_path / "walk-0.npz") is None


def test_the_first_difference_is_named_with_attempt_time_link_and_quantity():
    logged = states()
    replayed = changed(changed(logged, "angle", (12, 0), 5.0), "position", (10, 1, 1), 0.25)
    difference = first_difference(logged, replayed)
    assert difference is not None
    was = repr(float(logged.trace.position[10, 1, 1]))
    assert difference.sentence() == (f"first difference at attempt 1, 0.100 s: foot y was {was} and is now 0.25")


def test_the_last_bit_of_a_number_is_a_difference():
    logged = states()
    value = float(logged.trace.angle[2, 0])
    difference = first_difference(logged, changed(logged, "angle", (2, 0), np.nextafter(value, 9.0)))
    assert difference is not None
    assert (difference.link, difference.quantity, difference.attempt) == ("head", "angle", 0)


def test_the_sign_of_zero_is_a_difference():
    zero = changed(states(), "energy", (1,), 0.0)
    difference = first_difference(zero, changed(zero, "energy", (1,), -0.0))
    assert difference is not None
    assert (difference.link, difference.quantity, difference.logged, difference.replayed) == (
        None,
        "energy",
        "0.0",
        "-0.0",
    )


@given(st.integers(0, 15), st.sampled_from(["position", "angle", "com", "com_velocity", "time"]))
def test_any_changed_number_is_found_at_its_sample(row: int, name: str):
    logged = states()
    index = (row,) + (1,) * (getattr(logged.trace, name).ndim - 1)
    difference = first_difference(logged, changed(logged, name, index, 1e3))
    assert difference is not None
    assert difference.time == logged.trace.time[row]
    assert difference.attempt == row // 8


def test_a_walk_that_ends_earlier_has_no_difference_up_to_there():
    assert (
        first_difference(states(), states().__class__(states().trace.between(0, 0.05), states().attempt, LINKS)) is None
    )
