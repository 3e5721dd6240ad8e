"""Measure the time of a step of spatial characters, of the whole loop and of the engine alone.

The engine alone repeats a recorded run with the engine's calls of the loop: on ODE, the recorded motor commands and
contacts; on MuJoCo, the recorded states, motors and contacts, because torque limits need further calls. Control,
collision, kinematics and recording are left out. CPU time is measured, because other processes affect it less.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from time import thread_time
from typing import Any, NamedTuple

import numpy as np

from benchmarks.step import BareLoop
from ctrlgraph.compilation import compilation_s
from ctrlgraph.engine.commands import Commands
from ctrlgraph.engine.loop import STILL_RUNNING
from ctrlgraph.engine.mujoco import library as mujoco_library
from ctrlgraph.engine.mujoco.spatial_mujoco_stepper import forward
from ctrlgraph.engine.mujoco.spatial_mujoco_world import SpatialMujocoData
from ctrlgraph.engine.ode.spatial_ode_contacts import solve_in_space
from ctrlgraph.engine.ode.spatial_ode_rows import set_stops
from ctrlgraph.engine.ode.spatial_ode_state import SpatialWorldData
from ctrlgraph.engine.ode.spatial_ode_stepper import apply_gyration
from ctrlgraph.kernels.arrays import Floats
from ctrlgraph.kernels.jit import kernel
from ctrlgraph.kernels.spatial.spatial_arrays import SpatialContacts, SpatialKinematics
from ctrlgraph.simulation.rollout import Rollout
from ctrlgraph.simulation.simulation import Simulation

mujoco_library.load()

_mj_euler = mujoco_library.external("mj_Euler")


class _Recording:
    """Arrays of a simulation in each time step."""

    def __init__(self, groups: tuple[Any, ...], steps: int) -> None:
        """
        Args:
            groups: named tuples of arrays that change in every time step.
            steps: number of time steps.
        """
        self._groups = groups
        self.rows = tuple(type(g)(*(np.zeros((steps, *a.shape), a.dtype) for a in g)) for g in groups)

    def note(self, step: int) -> None:
        """Copy the present arrays to the row of a time step."""
        for group, rows in zip(self._groups, self.rows, strict=True):
            for array, row in zip(group, rows, strict=True):
                row[step] = array


class OdeSpatialBareLoop:
    """The inputs of ODE in each step of a run."""

    def __init__(self, simulation: Simulation, steps: int) -> None:
        self._simulation = simulation
        groups = (simulation._kin, simulation._world.commands, simulation._contacts)
        self._recording = _Recording(groups, steps)

    def note(self, step: int) -> None:
        """Record the inputs of the engine in the step that was made last."""
        self._recording.note(step)

    def play(self, steps: int) -> None:
        """Repeat the first `steps` steps."""
        s = self._simulation
        _play_ode(s._world.data, s.settings.dt, *self._recording.rows, steps)


@kernel
def _play_ode(
    world: SpatialWorldData, dt: float, kins: SpatialKinematics, given: Commands, found: SpatialContacts, n: int
) -> None:
    for i in range(n):
        kin = SpatialKinematics(
            kins.pose[i],
            kins.twist[i],
            kins.joint[i],
            kins.axis[i],
            kins.place[i],
            kins.com[i],
            kins.contact[i],
            kins.last_contact[i],
            kins.load[i],
            kins.support[i],
        )
        contacts = SpatialContacts(
            found.filled[i],
            found.link[i],
            found.other[i],
            found.point[i],
            found.normal[i],
            found.depth[i],
            found.force[i],
        )
        for j in range(given.velocity.shape[1]):
            world.commands.velocity[j] = given.velocity[i, j]
            world.commands.cfm[j] = given.cfm[i, j]
            world.commands.explicit[j] = given.explicit[i, j]
            for k in range(2):
                world.commands.limit[j, k] = given.limit[i, j, k]
            world.drives.angle[j] = kin.joint[j, 0]
        apply_gyration(world, dt)
        set_stops(world, kin)
        solve_in_space(world, kin, contacts, dt)
        for j in range(given.velocity.shape[1]):
            world.drives.rate[j] = world.drives.joint[j, 1]


class _MujocoRow(NamedTuple):
    """Inputs of MuJoCo in a time step, with the names of its arrays."""

    qpos: Floats
    qvel: Floats
    warmstart: Floats
    applied: Floats
    armature: Floats


class MujocoSpatialBareLoop:
    """The state, the motors and the contacts of each step of a run on MuJoCo."""

    def __init__(self, simulation: Simulation, steps: int) -> None:
        world = simulation._world
        self._engine, self._warmstart = world.data, world._data.qacc_warmstart
        self._row = _MujocoRow(
            *(a.copy() for a in (world.data.qpos, world.data.qvel, self._warmstart)),
            world.data.applied,
            world.data.armature,
        )
        self._recording = _Recording((self._row, simulation._contacts), steps)

    def note(self, step: int) -> None:
        """Record the motors and contacts of the step that was made last, and the state before it."""
        self._recording.note(step)
        for kept, now in zip(self._row, (self._engine.qpos, self._engine.qvel, self._warmstart), strict=False):
            kept[:] = now

    def play(self, steps: int) -> None:
        """Repeat the first `steps` steps."""
        _play_mujoco(self._engine, self._warmstart, *self._recording.rows, steps)


@kernel
def _play_mujoco(
    engine: SpatialMujocoData, warmstart: Floats, recorded: _MujocoRow, found: SpatialContacts, n: int
) -> None:
    for k in range(n):
        for i in range(engine.qpos.size):
            engine.qpos[i] = recorded.qpos[k, i]
        for i in range(engine.qvel.size):
            engine.qvel[i] = recorded.qvel[k, i]
            warmstart[i] = recorded.warmstart[k, i]
            engine.applied[i] = recorded.applied[k, i]
            engine.armature[i] = recorded.armature[k, i]
        contacts = SpatialContacts(
            found.filled[k],
            found.link[k],
            found.other[k],
            found.point[k],
            found.normal[k],
            found.depth[k],
            found.force[k],
        )
        forward(engine, contacts)
        _mj_euler(engine.model, engine.data)


BARE_LOOPS = {"ode": OdeSpatialBareLoop, "mujoco": MujocoSpatialBareLoop}
"""Bare loop of each engine in space."""


@dataclass(frozen=True, slots=True)
class Timing:
    """Medians over the repetitions."""

    step_us: float
    """CPU time of a step of the whole loop, us."""
    engine_us: float
    """CPU time of a step of the engine alone, us."""
    ratio: float
    """Time of a step divided by that of the engine alone, median over neighbouring repetitions."""
    realtime: float
    """Simulated seconds per second of CPU time."""
    same: bool
    """Whether the engine alone ends in the same state as the whole loop, bit for bit."""


class Timed:
    """A rollout that is timed with the whole loop and with the engine alone."""

    def __init__(self, simulation: Simulation, rollout: Rollout) -> None:
        """
        Args:
            simulation: the simulation in the state in which the rollout begins.
            rollout: a rollout that does not end before its timeout.
        """
        self._simulation, self._rollout = simulation, rollout
        self._steps = round(rollout.timeout / simulation.settings.dt) - 1
        self._start = simulation.snapshot()
        self._bare: BareLoop = BARE_LOOPS[simulation.engine](simulation, self._steps)
        execution = simulation.begin(rollout)
        for step in range(self._steps):
            assert simulation.advance(execution, 1) == STILL_RUNNING
            self._bare.note(step)
        self._end, self._pairs, self._same = simulation.state_digest(), [], True

    def repeat(self) -> None:
        """Time the whole loop and the engine alone once."""
        s = self._simulation
        s.restore(self._start)
        execution = s.begin(self._rollout)
        began = thread_time()
        s.advance(execution, self._steps)
        whole = thread_time() - began
        s.restore(self._start)
        began = thread_time()
        self._bare.play(self._steps)
        alone = thread_time() - began
        self._same &= s.state_digest() == self._end
        self._pairs.append((whole, alone))

    def timing(self) -> Timing:
        """Return the medians over all repetitions except the first, which also loads the kernels."""
        pairs, dt = self._pairs[1:], self._simulation.settings.dt
        whole, alone = (statistics.median(each) / self._steps for each in zip(*pairs, strict=True))
        ratio = statistics.median(one / other for one, other in pairs)
        return Timing(1e6 * whole, 1e6 * alone, ratio, dt / whole, self._same)


def first_compilation(path: Path, engine: str) -> float:
    """Return the time of compiling all kernels for a first rollout of a character, without a cache, s.

    Args:
        path: file of the character.
        engine: name of the engine.
    """
    root = Path(__file__).resolve().parents[1]
    with tempfile.TemporaryDirectory() as cache:
        words = [sys.executable, "-m", "benchmarks.spatial_speed", str(path), engine]
        environment = os.environ | {"NUMBA_CACHE_DIR": cache}
        done = subprocess.run(words, cwd=root, capture_output=True, text=True, check=True, env=environment)
    return float(done.stdout)


if __name__ == "__main__":
    from benchmarks.spatial_robots import hold, read_robots

    robot = read_robots(Path(sys.argv[1]))[0]
    with Simulation(robot.character, engine=sys.argv[2]) as first:
        first.run(hold(robot), timeout=0.1)
    print(compilation_s())
