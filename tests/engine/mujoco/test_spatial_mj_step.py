"""In space, where no motor is at its limit, `mj_step` gives our step's state."""

from __future__ import annotations

import mujoco
import numpy as np

from benchmarks.spatial_bench import Bench
from benchmarks.spatial_bodies import box, creature
from ctrlgraph.engine.mujoco.model import solimp, solref
from ctrlgraph.engine.mujoco.spatial_mujoco_model import build_spatial


def test_in_the_air_our_step_is_that_of_mj_step_bit_for_bit() -> None:
    bench = Bench("mujoco", creature()).place(position=(0, 0, 5.0), velocity=(1, 0, 1), spin=(1, 2, 3))
    bench.motors.target[:] = 0.1 * np.sin(np.arange(bench.motors.target.size))
    model = build_spatial(bench.character, bench.settings).model
    data = mujoco.MjData(model)
    world, nq, nv = bench.world.data, model.nq, model.nv
    for _ in range(100):
        before = bench.world.bodies()
        data.qpos, data.qvel, data.qacc_warmstart = before[:nq], before[nq : nq + nv], before[nq + nv : nq + 2 * nv]
        bench.run(0.002)
        data.qfrc_applied, model.dof_armature[:] = world.applied, world.armature
        mujoco.mj_step(model, data)
        assert not world.saturated.any()
        np.testing.assert_array_equal(world.qpos, data.qpos)
        np.testing.assert_array_equal(world.qvel, data.qvel)


def test_a_box_on_the_ground_moves_as_with_the_contacts_of_mujoco() -> None:
    bench = Bench("mujoco", box(), friction=0.6).place(position=(0, 0, 0.06), velocity=(1, 0.5, 0), spin=(0, 0, 3))
    model = build_spatial(bench.character, bench.settings).model
    model.geom_size[1] = 0.15, 0.1, 0.05
    model.geom_type[1] = mujoco.mjtGeom.mjGEOM_BOX
    model.geom_rbound[1] = 1.0
    model.geom_conaffinity[0] = model.geom_contype[1] = model.body_conaffinity[0] = model.body_contype[1] = 1
    model.geom_friction[:], model.geom_condim[:] = (0.6, 0, 0), 3
    model.geom_solref[:], model.geom_solimp[:] = solref(bench.settings), solimp(bench.settings)
    data = mujoco.MjData(model)
    world, touching = bench.world.data, 0
    for _ in range(300):
        before = bench.world.bodies()
        data.qpos, data.qvel, data.qacc_warmstart = before[:7], before[7:13], before[13:19]
        bench.run(0.002)
        mujoco.mj_step(model, data)
        assert data.ncon == bench.contacts.filled[0]
        touching += data.ncon > 0
        np.testing.assert_allclose(world.qvel, data.qvel, atol=1e-6)
    assert touching > 200
