"""Snapshots of a spatial world are exact, and a simulation repeats bit for bit in another process."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
from waiting import PATIENCE_S

from benchmarks.spatial_bench import Bench
from benchmarks.spatial_bodies import Y, creature, pendulum

ROOT = Path(__file__).resolve().parents[3]


def falling(engine: str) -> Bench:
    """Return an animal that has fallen on its legs and moves, at torque limits and with many contacts."""
    bench = Bench(engine, creature()).place(position=(0, 0, 0.6), velocity=(0.5, 0.2, 0), spin=(0.3, 0.5, -1.0))
    bench.motors.target[:] = 0.3 * np.sin(np.arange(bench.motors.target.size))
    bench.run(0.4, every=200)
    return bench


def test_a_restored_state_continues_bit_for_bit(engine) -> None:
    bench = falling(engine)
    state, step, digest = bench.world.bodies(), bench.clock.step.copy(), bench.clock.digest.copy()
    first, ended = bench.run(0.3, every=10), bench.world.bodies()
    end = bench.clock.digest.copy()
    bench.world.load(state)
    np.testing.assert_array_equal(bench.world.bodies(), state)
    bench.clock.step[:], bench.clock.digest[:] = step, digest
    again = bench.run(0.3, every=10)
    assert bench.clock.digest == end
    for one, other in zip((*first, ended), (*again, bench.world.bodies()), strict=True):
        np.testing.assert_array_equal(one, other)


def test_a_state_is_restored_in_another_world(engine) -> None:
    bench, other = falling(engine), Bench(engine, creature())
    other.world.load(bench.world.bodies())
    other.motors.target[:], other.clock.step[:] = bench.motors.target, bench.clock.step
    np.testing.assert_array_equal(other.run(0.2).pose, bench.run(0.2).pose)


def test_another_process_repeats_it_bit_for_bit(engine) -> None:
    code = f"from tests.engine.spatial.test_spatial_state import falling\nprint(falling({engine!r}).clock.digest[0])\n"
    done = subprocess.run(
        [sys.executable, "-c", f"import sys; sys.path[:0] = [{str(ROOT)!r}, {str(ROOT / 'tests')!r}]\n{code}"],
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
    )
    assert done.stdout == f"{falling(engine).clock.digest[0]}\n", done.stderr


def test_a_placed_character_is_observed_where_it_was_placed(engine) -> None:
    body = creature()
    rng, n = np.random.default_rng(3), len(body.joints)
    bench = Bench(engine, body)
    bench.place((1, 2, 3), (0.5, 0.5, -0.5, 0.5), (1, 2, 3), (0.1, 0.2, 0.3), rng.uniform(-1, 1, n), rng.normal(size=n))
    placed = bench.kin.pose.copy(), bench.kin.twist.copy(), bench.kin.joint.copy()
    seen = bench.now()
    for one, other in zip(placed, seen[:3], strict=True):
        np.testing.assert_allclose(other[0], one, atol=1e-9)


def test_angles_are_not_wrapped_to_one_turn(engine) -> None:
    bench = Bench(engine, pendulum(Y), gravity=0.0).place(rates=(20.0,))
    assert abs(bench.run(1.0).joint[-1, 0, 0] - 20.0) < (0.2 if engine == "ode" else 0.01)


def test_a_world_whose_state_is_not_finite_or_too_fast_is_not_stepped(engine) -> None:
    bench = Bench(engine, creature()).place(spin=(0, 0, 400.0))
    assert not bench.library.spatial_kernels.is_bounded(bench.world.data)
    bench.place(position=(0, 0, 1e6))
    assert not bench.library.spatial_kernels.is_bounded(bench.world.data)
    bench.place()
    assert bench.library.spatial_kernels.is_bounded(bench.world.data)
    bench.motors.target[0] = np.nan
    assert not bench.done_after(0.002)
