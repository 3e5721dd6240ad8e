"""Bounds that are watched while a controller runs."""

from __future__ import annotations

import math

import pytest

from ctrlgraph.simulation.outcome import Status


@pytest.mark.parametrize(
    ("root", "leaves"), [(math.pi, False), (-math.pi, False), (3.3, False), (2.5, True), (-2.5, True)]
)
def test_a_bound_on_the_trunk_is_a_range_on_the_circle(root, leaves, simulate, handmade) -> None:
    simulation = simulate()
    simulation.reset({"root": root}, height=1.0)
    outcome = simulation.run(handmade.program(), timeout=0.02, bounds={"torso": (2.8, 3.5)})
    assert outcome.status is (Status.FAILED if leaves else Status.TIMEOUT)
    assert outcome.reason == (f"torso {root:.3g} is below 2.8" if leaves else "not ended after 0.02 s")
