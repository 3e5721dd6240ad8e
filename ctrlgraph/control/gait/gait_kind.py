"""The controller kind `gait`, and its functions for the simulation loop."""

from __future__ import annotations

import math
from pathlib import Path

from ctrlgraph.character.model import Character
from ctrlgraph.character.spatial_model import SPATIAL, SpatialCharacter
from ctrlgraph.control.common_kernels import hold, no_requests
from ctrlgraph.control.controller import FINISHED, RUNNING, Command, ControllerKernels, JointTargets
from ctrlgraph.control.controller_file import FileKind, require_finite
from ctrlgraph.control.gait.gait import Gait
from ctrlgraph.control.gait.gait_arrays import (
    COMMAND,
    CYCLES_LEFT,
    DESIRED,
    EVENTS,
    FOOTHOLD,
    HEADING,
    LAST,
    LYING,
    PASSED,
    PERIOD,
    PHASE,
    RHYTHM,
    STATUS,
    GaitData,
    GaitState,
    gait_data,
    new_gait_state,
)
from ctrlgraph.control.gait.gait_control import control
from ctrlgraph.control.gait.gait_file import gait_of, gait_warnings
from ctrlgraph.control.gait.gait_leg import foot_place
from ctrlgraph.control.gait.gait_transition import approach_shape, take_shape
from ctrlgraph.control.gait.gait_values import RANGES
from ctrlgraph.errors import CtrlGraphError, Finding
from ctrlgraph.kernels.arrays import Motors
from ctrlgraph.kernels.jit import kernel
from ctrlgraph.kernels.spatial.spatial_arrays import SpatialBody, SpatialKinematics
from ctrlgraph.kernels.spatial.spatial_rotation import put_quaternion, put_vector, quaternion_at
from ctrlgraph.yaml_source import read_yaml

_TOLERANCE = 1e-9
"""Tolerance of the phase, so that rounding errors do not delay the end of a cycle by a time step."""


@kernel
def start(kin: SpatialKinematics, data: GaitData, state: GaitState, cycles: int, time: float) -> None:
    """Start the gait at the simulated time `time` (s), for a number of cycles.

    All legs stand. A gait that follows another one at once continues its phase, desired velocity, heading, path and
    swings, and begins with its shape of the steps.
    """
    follows = state.counters[EVENTS] > 0 and abs(time - state.times[LAST]) < 1e-6
    state.counters[STATUS], state.counters[CYCLES_LEFT] = RUNNING, cycles
    state.shape[RHYTHM] = 0.0
    state.times[PASSED] = 0.0
    if not (follows and data.plan.used):
        state.plan.clock[0] = math.nan
    values = data.values
    state.motion[COMMAND], state.motion[COMMAND + 1] = values.forward, values.sideways
    state.motion[COMMAND + 2] = values.turn
    if follows:
        return
    state.times[LAST], state.times[PHASE], state.times[HEADING] = time, 0.0, math.nan
    state.counters[EVENTS] = 0
    state.leg[...] = 0.0
    state.motion[DESIRED:] = 0.0
    state.plane[:] = 0.0
    state.path[...] = 0.0
    take_shape(data, state)
    for i in range(data.legs.n_joints.size):
        x, y, z = foot_place(kin, data, i)
        put_vector(state.leg, i, FOOTHOLD, (x, y, z - data.legs.radius[i]))
        put_quaternion(state.leg, i, LYING, quaternion_at(kin.pose, data.legs.foot[i], 3))


@kernel
def tick(
    body: SpatialBody, kin: SpatialKinematics, data: GaitData, state: GaitState, motors: Motors, time: float
) -> int:
    """Fill `motors` at the simulated time `time` (s); return the status, RUNNING or FINISHED.

    While the controller does not run, PD control holds the joints.
    """
    dt = time - state.times[LAST]
    state.times[LAST] = time
    if state.counters[STATUS] == RUNNING:
        approach_shape(body, kin, data, state, dt)
        for k in (PHASE, PASSED):
            state.times[k] += dt / state.shape[PERIOD]
        if state.times[PHASE] >= 1.0 - _TOLERANCE:
            state.times[PHASE] = max(state.times[PHASE] - 1.0, 0.0)
        if state.times[PASSED] >= 1.0 - _TOLERANCE:
            state.times[PASSED] = max(state.times[PASSED] - 1.0, 0.0)
            state.counters[CYCLES_LEFT] -= 1
            if state.counters[CYCLES_LEFT] <= 0:
                state.counters[STATUS] = FINISHED
                for j in range(state.hold_angle.size):
                    state.hold_angle[j] = kin.joint[j, 0]
    running = state.counters[STATUS] == RUNNING
    for j in range(state.hold_angle.size):
        motors.limit[j, 0], motors.limit[j, 1] = body.torque[j, 0, 0], body.torque[j, 0, 1]
        if not running:
            motors.target[j], motors.torque[j] = state.hold_angle[j], 0.0
            motors.kp[j], motors.kd[j] = body.gains[j, 0], body.gains[j, 1]
    if running:
        control(body, kin, data, state, motors, dt)
    return int(state.counters[STATUS])


@kernel
def phase_of(state: GaitState) -> int:
    """Return the number of swings that have begun."""
    return int(state.counters[EVENTS])


class GaitKind(FileKind[Gait, GaitData, GaitState]):
    """The controller kind `gait`: steps of characters with legs in space, with a desired velocity.

    See docs/reference/gait.md.
    """

    morphologies = (SPATIAL,)
    name = "gait"
    subject = "a gait takes"
    kernels = ControllerKernels(start, hold, tick, phase_of, no_requests)

    def read_file(self, path: Path, character: Character) -> Gait:
        """Return the controller of a gait file."""
        assert isinstance(character, SpatialCharacter)
        return gait_of(read_yaml(path, "gait"), character)

    def warnings(self, controller: Gait, path: Path) -> list[Finding]:
        """Return the warning that the gait has a desired velocity but no leg swings, if so."""
        return gait_warnings(read_yaml(path, "gait"), controller)

    def duration(self, controller: Gait, cycles: int) -> float:
        """Return the duration of a number of cycles, s."""
        return cycles * controller.values.period

    def new_data(self, controller: Gait) -> GaitData:
        """Return the constants of a gait as arrays.

        Raises:
            SimulationError: a constant is not finite.
        """
        require_finite(controller)
        plan = controller.planner[0] if controller.plan else None
        trajectories = dict(zip(controller.moving.values(), controller.trajectories, strict=True))
        return gait_data(
            controller.body, controller.values, controller.swings, controller.published, plan, trajectories
        )

    def new_state(self, n_joints: int) -> GaitState:
        """Return the state of a controller that has not started, for a character with `n_joints` joints."""
        return new_gait_state(n_joints)

    def fit_state(self, controller: Gait, state: GaitState) -> GaitState:
        """Return the state with a plan of the size that the controller needs."""
        if not controller.plan:
            return state
        plan = controller.planner[1]
        if all(a.shape == b.shape for a, b in zip(plan, state.plan, strict=True)):
            return state
        plan.clock[0] = math.nan
        return state._replace(plan=plan)

    def take_command(self, state: GaitState, command: Command) -> None:
        """Set the desired velocity. The present one approaches it with the acceleration of the file.

        Raises:
            CtrlGraphError: a number is out of the range that gait files can have.
        """
        for name, value in zip(Command._fields, command, strict=True):
            low, high = RANGES[name]
            if not low <= value <= high:
                raise CtrlGraphError(f"the command '{name}' must be from {low:g} to {high:g}, not {value}")
        state.motion[COMMAND : COMMAND + 3] = command

    def joint_targets(self, state: GaitState, n_joints: int) -> JointTargets:
        """Return the angles that the joints hold. While the controller runs, there are none."""
        nothing = JointTargets.none(n_joints)
        return nothing if state.counters[STATUS] == RUNNING else nothing._replace(angle=state.hold_angle.copy())


KIND = GaitKind()
