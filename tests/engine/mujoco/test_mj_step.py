"""Where MuJoCo finds the same contacts itself, and no motor is at its limit, `mj_step` gives our step's state."""

from __future__ import annotations

import mujoco
import numpy as np
import pytest

from ctrlgraph.engine.mujoco.model import build, solimp, solref
from ctrlgraph.terrain.terrain import flat, slope
from tests.engine.motions import stepped, thrashing


def model_on(ground, character, settings):
    """The character's model, in which spheres of the contact circles collide with a plane."""
    built = build(character, settings)
    model, rise = built.model, np.arctan2(ground.y[1] - ground.y[0], ground.x[1] - ground.x[0])
    plane, root = built.ground, 0
    model.geom_sameframe[plane] = 0  # otherwise its frame is that of the body
    model.geom_conaffinity[plane] = model.body_conaffinity[root] = 1
    model.geom_pos[plane] = 0.0, 0.0, ground.height(0.0)
    model.geom_quat[plane] = np.cos(rise / 2), 0.0, -np.sin(rise / 2), 0.0
    model.geom_friction[:], model.geom_condim[:] = (ground.friction, 0.0, 0.0), 3
    model.geom_solref[:], model.geom_solimp[:] = solref(settings), solimp(settings)
    return model


@pytest.mark.parametrize("terrain", [flat(0.7), slope(12.0)], ids=["flat", "slope"])
def test_our_step_is_that_of_mj_step(terrain, simulate, handmade) -> None:
    steps, simulation = 400, simulate(terrain=terrain)
    simulation.reset(height=0.3)
    world = simulation._world
    model = model_on(terrain, simulation.character, simulation.settings)
    data = mujoco.MjData(model)
    apart, touching, saturated = np.zeros(steps), np.zeros(steps, bool), np.zeros(steps, bool)
    before = world.bodies()[:3]
    for n, _ in enumerate(stepped(simulation, thrashing(handmade, kp=60.0, kd=8.0), steps)):
        data.qpos, data.qvel, data.qacc_warmstart = before
        data.ctrl, model.dof_armature[:] = world.data.ctrl, world.data.armature
        mujoco.mj_step(model, data)
        before = world.bodies()[:3]
        apart[n] = np.abs(np.array([data.qpos, data.qvel]) - before[:2]).max()
        touching[n] = simulation._contacts.filled[0] > 0
        saturated[n] = world.data.saturated.any()
    assert 50 < touching.sum() < 380
    # contacts are the same to rounding, since both compute them in their own way
    assert (apart[~touching & ~saturated] == 0.0).all()
    assert apart[touching & ~saturated].max() < 1e-8
    assert apart.max() < 10.0
