"""Sums of a trace between its samples are independent of the sampling and agree with mechanics."""

from __future__ import annotations

import numpy as np
import pytest

from ctrlgraph.character.yaml_reader import parse_character
from ctrlgraph.simulation.recording.base_trace import EXERTIONS
from ctrlgraph.simulation.recording.planar_trace import Trace
from tests.engine.motions import place, thrashing

SLEDGE = """
name: sledge
links:
  sledge: {mass: 9, size: [.1, 1], at: [0, .05], contacts: [[-.45, 0, .05], [.45, 0, .05]]}
  rider: {mass: 1, size: [.1, .1], at: [0, .15]}
joints:
  axle: {parent: sledge, child: rider, at: [0, .1], limits: [-1, 1], torque: [50, 50]}
"""


@pytest.mark.parametrize("rate", [500.0, 100.0, 30.0])
def test_the_impulse_of_the_ground_is_the_change_of_momentum(rate, simulate, handmade) -> None:
    simulation = simulate(sample_rate=rate)
    simulation.reset(height=0.1)
    simulation.run(thrashing(handmade), timeout=1.0)
    trace, mass = simulation.trace, simulation.character.mass
    gained = mass * trace.com_velocity[-1]
    given = trace.impulse.sum(axis=(0, 1)) - [0.0, mass * 9.81 * trace.time[-1]]
    assert trace.impulse[:, :, 1].sum() > 0.3 * mass * 9.81
    # MuJoCo steps joint angles: what of the momentum they turn within a step is not the ground's
    np.testing.assert_allclose(given, gained, atol=5e-3 * mass * 9.81)


@pytest.mark.parametrize("rate", [500.0, 30.0])
def test_the_joints_work_is_the_energy_that_the_clock_counts(rate, simulate, handmade) -> None:
    simulation = simulate(sample_rate=rate)
    simulation.reset(height=0.1)
    outcome = simulation.run(thrashing(handmade), timeout=0.8)
    assert outcome.energy_j > 50
    assert simulation.last_trace.joint_work.sum() == pytest.approx(outcome.energy_j, rel=1e-9)


def test_a_peak_between_two_samples_is_kept(simulate, handmade) -> None:
    peaks = []
    for rate in (500.0, 10.0):
        simulation = simulate(sample_rate=rate)
        simulation.run(thrashing(handmade), timeout=0.6)
        peaks.append(simulation.trace.joint_peak.max(axis=0))
    np.testing.assert_array_equal(peaks[0], peaks[1])
    limits = [(-joint.hard_torque_limit.lower, joint.hard_torque_limit.upper) for joint in simulation.character.joints]
    assert (peaks[0][:, 1:] <= np.array(limits) * (1 + 1e-9)).all()
    assert (peaks[0][:, 1] != peaks[0][:, 2]).any()
    assert peaks[0][:, 0].min() > 0.1


def test_the_sliding_means_are_those_of_all_windows_whatever_the_sampling(simulate, handmade) -> None:
    traces = []
    for rate in (500.0, 100.0, 7.0):
        simulation = simulate(sample_rate=rate)
        simulation.reset(height=0.1)
        simulation.run(thrashing(handmade), timeout=0.6)
        simulation.run(thrashing(handmade), timeout=0.6)
        traces.append(simulation.last_trace)
    found = [trace.mean_peak[1:].max(axis=0) for trace in traces]
    np.testing.assert_array_equal(found[1:], [found[0]] * 2)
    trace, dt = traces[0], simulation.settings.dt  # with a sample for each step
    for mean, each, width in (
        (found[0][0], trace.impulse[1:, :, 1].sum(axis=1), round(0.01 / dt)),
        (found[0][1], trace.joint_work[1:, :, 0].sum(axis=1), round(0.05 / dt)),
    ):
        windows = np.lib.stride_tricks.sliding_window_view(each, width).sum(axis=1)
        assert mean == pytest.approx(windows.max() / (width * dt), rel=1e-9)


def test_the_sliding_means_do_not_reach_back_beyond_the_controller(simulate, handmade) -> None:
    """An impact at the end of one controller does not count for the next."""
    simulation = simulate(sample_rate=500.0)
    simulation.reset(height=0.002)
    simulation.run(thrashing(handmade), timeout=0.1)
    assert simulation.last_trace.mean_peak[:, 0].max() > 0
    raised = simulation._kin.link.copy()
    raised[:, 1] += 1.0
    simulation._world.place(raised)
    simulation.run(thrashing(handmade), timeout=0.02)
    assert simulation.last_trace.mean_peak[:, 0].max() == 0.0


def test_a_sledge_slips_the_way_that_it_slides(simulate, handmade, engine) -> None:
    """From 2 m/s on friction 1 it comes to rest after v^2 / (2 mu g); on MuJoCo it skips over the ground."""
    board = parse_character(SLEDGE, "sledge.yaml")
    for height in (0.0, 1.0):
        simulation = simulate(board, sample_rate=500.0)
        simulation.reset(height=height)
        place(simulation, np.hstack([simulation._kin.link[:, :3], [[2.0, 0.0, 0.0]] * 2]))
        simulation.run(type(handmade)(board).program(), timeout=0.4)
        trace = simulation.trace
        carried = trace.impulse[1:, 0, 1] > 0.1 * board.mass * simulation.settings.dt
        way = np.abs(np.diff(trace.position[:, 0, 0]))[carried].sum()
        assert trace.slip[:, 0].sum() == pytest.approx(way, rel=0.05, abs=1e-12)
        assert not trace.slip[:, 1].any()
        assert carried.any() == (height == 0.0)
        if engine == "ode":
            assert way == pytest.approx(2.0**2 / (2 * 9.81) if height == 0.0 else 0.0, rel=0.05)


def test_exertions_are_not_part_of_the_state(simulate, handmade) -> None:
    """Another sampling and a run in pieces lead to the same states and sums."""
    program, sums, digests = thrashing(handmade), [], []
    for rate, pieces in ((100.0, 1), (7.0, 1), (100.0, 3)):
        simulation = simulate(sample_rate=rate)
        for piece in range(pieces):
            simulation.run(program, timeout=0.6 / pieces, resume=piece > 0)
        sums.append(simulation.trace.joint_work.sum(axis=0))
        digests.append(simulation.history_digest())
    assert len(set(digests)) == 1
    np.testing.assert_allclose(sums[1:], [sums[0]] * 2, rtol=1e-12)


def test_poses_alone_exert_nothing() -> None:
    n = np.zeros(3)
    xy, links = np.zeros((3, 2)), np.zeros((3, 4))
    trace = Trace(
        time=n,
        position=np.zeros((3, 4, 2)),
        angle=links,
        contact=links.astype(bool),
        com=xy,
        com_velocity=xy,
        phase=n.astype(np.int64),
        energy=n,
    )
    assert not trace.has_exertions
    assert all(getattr(trace, name).shape[:2] == (3, 0) for name in EXERTIONS)
    assert not trace.rows(slice(0, 2)).poses().has_exertions
