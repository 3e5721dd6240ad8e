"""The engine alone: `mj_step`, with collisions of its own, from the states of a recorded run and with its motors.

The model is the character's, with spheres in the place of the contact circles and a plane for the ground. What
`mj_step` gives is the recorded run's next state, but for the passes that saturated motors need; so each step begins
from the recorded state, which is some hundred doubles to copy.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ctrlgraph.engine.engine import Simulated
from ctrlgraph.engine.mujoco import library
from ctrlgraph.engine.mujoco.model import build
from ctrlgraph.engine.mujoco.world import MujocoWorld
from ctrlgraph.kernels.arrays import Floats
from ctrlgraph.kernels.jit import kernel

library.load()

_step = library.external("mj_step")


class GivenToMujoco(NamedTuple):
    """What the engine was given in each of N steps."""

    state: Floats  # (N, 3, V) positions, velocities, accelerations that the solver begins with
    ctrl: Floats  # (N, J)
    armature: Floats  # (N, V)


class SteppedModel(NamedTuple):
    """The model that is stepped: addresses, and views on its memory."""

    model: int
    data: int
    qpos: Floats
    qvel: Floats
    warmstart: Floats
    ctrl: Floats
    armature: Floats


@kernel
def _play(engine: SteppedModel, recorded: GivenToMujoco, n_steps: int) -> None:
    for n in range(n_steps):
        for i in range(engine.qpos.size):
            engine.qpos[i] = recorded.state[n, 0, i]
            engine.qvel[i] = recorded.state[n, 1, i]
            engine.warmstart[i] = recorded.state[n, 2, i]
            engine.armature[i] = recorded.armature[n, i]
        for j in range(engine.ctrl.size):
            engine.ctrl[j] = recorded.ctrl[n, j]
        _step(engine.model, engine.data)


class MujocoBareLoop:
    """See `ctrlgraph.engine.engine.BareLoop`; made where the recording begins."""

    def __init__(self, simulated: Simulated, steps: int) -> None:
        """
        Raises:
            SimulationError: the ground is not straight.
        """
        world: MujocoWorld = simulated.world  # type: ignore[assignment]  # the library that made it is ours
        mujoco = library.load()
        self._model = build(world.character, world.settings, world.terrain).model
        self._data = mujoco.MjData(self._model)
        degrees = self._model.nv
        self._recorded = GivenToMujoco(
            np.zeros((steps + 1, 3, degrees)), np.zeros((steps, self._model.nu)), np.zeros((steps, degrees))
        )
        self._engine = SteppedModel(
            int(self._model._address),
            int(self._data._address),
            self._data.qpos,
            self._data.qvel,
            self._data.qacc_warmstart,
            self._data.ctrl,
            self._model.dof_armature,
        )
        self._recorded.state[0] = world.bodies()[:3]

    @property
    def state(self) -> Floats:
        """Return positions and velocities after what was played last (2, V)."""
        return np.array([self._data.qpos, self._data.qvel])

    @property
    def recorded(self) -> GivenToMujoco:
        """Return what is played."""
        return self._recorded

    def note(self, step: int, simulated: Simulated) -> None:
        """Keep the motors of a step, and the state after it."""
        data = simulated.world.data
        self._recorded.ctrl[step], self._recorded.armature[step] = data.ctrl, data.armature
        self._recorded.state[step + 1] = simulated.world.bodies()[:3]

    def play(self, steps: int) -> None:
        """Play the first `steps` steps."""
        _play(self._engine, self._recorded, steps)
