"""Where MuJoCo finds the same contacts itself, and no motor is at its limit, `mj_step` gives our step's state."""

from __future__ import annotations

import numpy as np
import pytest

from ctrlgraph.engine.engine import Simulated
from ctrlgraph.engine.mujoco import bare_loop
from ctrlgraph.engine.mujoco.bare_loop import GivenToMujoco, MujocoBareLoop
from ctrlgraph.errors import SimulationError
from ctrlgraph.terrain.terrain import boxes, flat, slope
from tests.engine.motions import stepped, thrashing


def differences(simulation, program, steps: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """How far `mj_step` lands from our step, from the same state: of each step, whether it had contacts, and whether a
    motor was at its limit."""
    arrays = (simulation._body, simulation._kin, simulation._contacts)
    simulated = Simulated(simulation._world, simulation.settings.dt, *arrays)
    bare = MujocoBareLoop(simulated, steps)
    touching, saturated = np.zeros(steps, bool), np.zeros(steps, bool)
    for n, _ in enumerate(stepped(simulation, program, steps)):
        bare.note(n, simulated)
        touching[n] = simulation._contacts.filled[0] > 0
        saturated[n] = simulation._world.data.saturated.any()
    recorded, apart = bare.recorded, np.zeros(steps)
    for n in range(steps):
        one = GivenToMujoco(recorded.state[n : n + 1], recorded.ctrl[n : n + 1], recorded.armature[n : n + 1])
        bare_loop._play(*bare.engine, one, 1)
        apart[n] = np.abs(bare.state - recorded.state[n + 1, :2]).max()
    return apart, touching, saturated


@pytest.mark.parametrize("terrain", [flat(0.7), slope(12.0)], ids=["flat", "slope"])
def test_our_step_is_that_of_mj_step(terrain, simulate, handmade) -> None:
    simulation = simulate(terrain=terrain)
    simulation.reset(height=0.3)
    apart, touching, saturated = differences(simulation, thrashing(handmade, kp=60.0, kd=8.0), 400)
    assert 50 < touching.sum() < 380
    # contacts are the same to rounding, since both reckon them in their own way
    assert (apart[~touching & ~saturated] == 0.0).all()
    assert apart[touching & ~saturated].max() < 1e-8
    assert apart.max() < 10.0


def test_ground_that_is_not_straight_cannot_be_left_to_mujoco(simulate) -> None:
    simulation = simulate(terrain=boxes([(1.0, 1.0, 0.1)]))
    arrays = (simulation._body, simulation._kin, simulation._contacts)
    with pytest.raises(SimulationError, match="collides with straight ground only, not with box"):
        MujocoBareLoop(Simulated(simulation._world, 0.002, *arrays), 1)
