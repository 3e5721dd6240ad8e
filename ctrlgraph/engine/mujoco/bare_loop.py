"""MuJoCo alone, for benchmarks: `mj_step` from the recorded states of a run, with its motors and MuJoCo's collisions.

The model has spheres instead of the contact circles and a plane for the ground. The result of `mj_step` is the next
recorded state, except after steps with saturated motors, which need further passes. So each step begins with a copy of
the recorded state, about a hundred doubles.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ctrlgraph.engine.engine import Simulated
from ctrlgraph.engine.mujoco import library
from ctrlgraph.engine.mujoco.model import build
from ctrlgraph.engine.mujoco.world import MujocoData, MujocoWorld
from ctrlgraph.kernels.jit import kernel
from ctrlgraph.kernels.planar.arrays import Floats

library.load()

_step = library.external("mj_step")


class GivenToMujoco(NamedTuple):
    """Inputs of the engine in each of N steps."""

    state: Floats  # (N, 3, V) positions, velocities, initial accelerations of the solver
    ctrl: Floats  # (N, J)
    armature: Floats  # (N, V)


@kernel
def _play(engine: MujocoData, warmstart: Floats, recorded: GivenToMujoco, n_steps: int) -> None:
    for n in range(n_steps):
        for i in range(engine.qpos.size):
            engine.qpos[i] = recorded.state[n, 0, i]
            engine.qvel[i] = recorded.state[n, 1, i]
            warmstart[i] = recorded.state[n, 2, i]
            engine.armature[i] = recorded.armature[n, i]
        for j in range(engine.ctrl.size):
            engine.ctrl[j] = recorded.ctrl[n, j]
        _step(engine.model, engine.data)


class MujocoBareLoop:
    """Bare loop of MuJoCo (`ctrlgraph.engine.engine.BareLoop`), made at the beginning of the recording."""

    def __init__(self, simulated: Simulated, steps: int) -> None:
        """
        Raises:
            SimulationError: the ground is not straight.
        """
        world: MujocoWorld = simulated.world  # type: ignore[assignment]  # the library that made it is ours
        mujoco = library.load()
        self._model = build(world.character, world.settings, world.terrain).model
        self._data = mujoco.MjData(self._model)
        degrees, joints = self._model.nv, self._model.nu
        self.recorded = GivenToMujoco(*map(np.zeros, ((steps + 1, 3, degrees), (steps, joints), (steps, degrees))))
        self.recorded.state[0] = world.bodies()[:3]
        engine = world.data._replace(
            model=int(self._model._address),
            data=int(self._data._address),
            armature=self._model.dof_armature,
            **{name: getattr(self._data, name) for name in ("qpos", "qvel", "ctrl")},
        )
        self.engine = engine, self._data.qacc_warmstart

    @property
    def state(self) -> Floats:
        """Return positions and velocities (2, V) after the last step."""
        return np.array([self._data.qpos, self._data.qvel])

    def note(self, step: int, simulated: Simulated) -> None:
        """Record the motors of a step and the state after it."""
        data = simulated.world.data
        self.recorded.ctrl[step], self.recorded.armature[step] = data.ctrl, data.armature
        self.recorded.state[step + 1] = simulated.world.bodies()[:3]

    def play(self, steps: int) -> None:
        """Repeat the first `steps` steps."""
        _play(*self.engine, self.recorded, steps)
