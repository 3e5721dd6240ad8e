"""Repetitions of a recorded run with the engine alone, without control, collision and recording.

On ODE, the recorded motor commands and contacts are passed to the engine: motor parameters, contact joints, the step
(again if friction does not fit), and an empty contact group. These calls are those of the whole loop, so the final
state has the same bits. On MuJoCo, each step begins with a copy of the recorded state and motors and calls `mj_step`,
with spheres that collide with a plane. The ground must be level.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ctrlgraph.engine.commands import Commands
from ctrlgraph.engine.mujoco import library as mujoco_library
from ctrlgraph.engine.mujoco.model import build, solimp, solref
from ctrlgraph.engine.mujoco.world import MujocoData
from ctrlgraph.engine.ode.contacts import solve
from ctrlgraph.engine.ode.state import WorldData
from ctrlgraph.engine.ode.stepper import apply_commands
from ctrlgraph.kernels.arrays import Floats, copy_arrays
from ctrlgraph.kernels.jit import kernel
from ctrlgraph.kernels.planar.arrays import Body, Kinematics
from ctrlgraph.kernels.planar.collision import Contacts
from ctrlgraph.simulation.simulation import Simulation

mujoco_library.load()

_mj_step = mujoco_library.external("mj_step")


class OdeBareLoop:
    """The commands and contacts of each step of a run on ODE."""

    def __init__(self, simulation: Simulation, steps: int) -> None:
        self._simulation = simulation
        self._joint = np.zeros((steps, *simulation.kinematics.joint.shape))
        self._commands = _rows(simulation._world.commands, steps)
        self._contacts = _rows(simulation._contacts, steps)

    def note(self, step: int) -> None:
        """Record the inputs of the engine in the step that was made last."""
        s = self._simulation
        rows = (self._joint, *self._commands, *self._contacts)
        for row, now in zip(rows, (s.kinematics.joint, *s._world.commands, *s._contacts), strict=True):
            row[step] = now

    def play(self, steps: int) -> None:
        """Repeat the first `steps` steps."""
        s = self._simulation
        kin = copy_arrays(s.kinematics)
        _play_ode(s._world.data, s.settings.dt, s._body, kin, self._joint, self._commands, self._contacts, steps)


@kernel
def _play_ode(
    world: WorldData, dt: float, body: Body, kin: Kinematics, joint: Floats, given: Commands, found: Contacts, n: int
) -> None:
    for i in range(n):
        for j in range(body.parent.size):
            kin.joint[j, 0] = joint[i, j, 0]
        limit, applied = given.limit[i], given.applied[i]
        commands = Commands(given.velocity[i], given.cfm[i], limit, given.explicit[i], applied)
        contacts = Contacts(found.filled[i], found.link[i], found.geometry[i], found.force[i])
        apply_commands(world.handles, body, kin, commands)
        solve(world, contacts, dt)


class MujocoInputs(NamedTuple):
    """Inputs of MuJoCo in each of N steps, with V degrees of freedom and J joints."""

    state: Floats  # (N + 1, 3, V) positions, velocities, initial accelerations of the solver
    ctrl: Floats  # (N, J)
    armature: Floats  # (N, V)


class MujocoBareLoop:
    """The states and motors of each step of a run on MuJoCo."""

    def __init__(self, simulation: Simulation, steps: int) -> None:
        self._simulation = simulation
        mujoco = mujoco_library.load()
        self._model = build(simulation.character, simulation.settings).model
        _let_collide(self._model, simulation)
        self._data = mujoco.MjData(self._model)
        degrees, joints = self._model.nv, self._model.nu
        self._inputs = MujocoInputs(*map(np.zeros, ((steps + 1, 3, degrees), (steps, joints), (steps, degrees))))
        self._inputs.state[0] = simulation._world.bodies()[:3]
        self._engine = simulation._world.data._replace(
            model=int(self._model._address),
            data=int(self._data._address),
            armature=self._model.dof_armature,
            **{name: getattr(self._data, name) for name in ("qpos", "qvel", "ctrl")},
        )

    def note(self, step: int) -> None:
        """Record the motors of the step that was made last, and the state after it."""
        world = self._simulation._world
        self._inputs.ctrl[step], self._inputs.armature[step] = world.data.ctrl, world.data.armature
        self._inputs.state[step + 1] = world.bodies()[:3]

    def play(self, steps: int) -> None:
        """Repeat the first `steps` steps."""
        _play_mujoco(self._engine, self._data.qacc_warmstart, self._inputs, steps)


@kernel
def _play_mujoco(engine: MujocoData, warmstart: Floats, recorded: MujocoInputs, n: int) -> None:
    for k in range(n):
        for i in range(engine.qpos.size):
            engine.qpos[i] = recorded.state[k, 0, i]
            engine.qvel[i] = recorded.state[k, 1, i]
            warmstart[i] = recorded.state[k, 2, i]
            engine.armature[i] = recorded.armature[k, i]
        for j in range(engine.ctrl.size):
            engine.ctrl[j] = recorded.ctrl[k, j]
        _mj_step(engine.model, engine.data)


def _let_collide(model: Any, simulation: Simulation) -> None:
    """Let the spheres of the contact circles collide with the plane."""
    world = 0
    for contype, conaffinity, plane in (
        (model.geom_contype, model.geom_conaffinity, np.flatnonzero(model.geom_bodyid == world)),
        (model.body_contype, model.body_conaffinity, np.array([world])),  # MuJoCo skips pairs of bodies by these
    ):
        contype[:], conaffinity[:] = 1, 0
        contype[plane], conaffinity[plane] = 0, 1
    model.geom_friction[:] = simulation.terrain.friction, 0.0, 0.0
    model.geom_solref[:], model.geom_solimp[:] = solref(simulation.settings), solimp(simulation.settings)


def _rows(group: Any, steps: int) -> Any:
    """Return a named tuple of arrays with `steps` rows, each row like the array of the given named tuple."""
    return type(group)(*(np.zeros((steps, *array.shape), array.dtype) for array in group))


BARE_LOOPS = {"ode": OdeBareLoop, "mujoco": MujocoBareLoop}
"""Bare loop of each engine."""
