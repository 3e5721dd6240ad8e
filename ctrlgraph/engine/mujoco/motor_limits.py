"""Kernels that planar and spatial MuJoCo worlds share: torque limits of the motors, and the hash of the state.

A motor is saturated if its torque by the implicit PD law is beyond a torque limit (see `stepper`). Motors are set to
saturated, or back, one at a time, and after each change the accelerations are computed again.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ctrlgraph.engine.commands import Commands, has_motor
from ctrlgraph.engine.mujoco import library
from ctrlgraph.engine.mujoco.spatial_mujoco_world import SpatialMujocoData
from ctrlgraph.engine.mujoco.world import MujocoData
from ctrlgraph.kernels.jit import kernel

library.load()

_make_inertia = library.external("mj_makeM")
_factor_inertia = library.external("mj_factorM")
_project_constraints = library.external("mj_projectConstraint")
_forward_from = library.external("mj_forwardSkip")

AFTER_POSITION, AFTER_VELOCITY = 1, 2
"""Last stages that `mj_forwardSkip` skips."""

PASSES = 40
"""Maximum number of motors that are set to saturated, or back, in a time step; one or two are usual."""

_ROUNDING = 1e-9
"""Excess of a motor's torque over its limit above which the motor is saturated, as a fraction of the limit."""


@kernel
def hash_state(world: MujocoData | SpatialMujocoData, digest: Any) -> Any:
    """Return the 64-bit hash `digest` of all earlier states, updated with the current state (FNV-1a over words)."""
    prime = np.uint64(1099511628211)
    h = digest
    for part in (world.qpos, world.qvel):
        words = part.view(np.uint64)
        for i in range(words.size):
            h = (h ^ words[i]) * prime
        h ^= h >> np.uint64(29)
    return h


@kernel
def forward_again(world: MujocoData | SpatialMujocoData) -> None:
    """Let MuJoCo compute the accelerations again after a motor has changed to saturated or back."""
    _make_inertia(world.model, world.data)
    _factor_inertia(world.model, world.data)
    if world.dual != 0:
        _project_constraints(world.model, world.data)
    _forward_from(world.model, world.data, AFTER_VELOCITY, 1)


@kernel
def wrong_motor(world: MujocoData | SpatialMujocoData, commands: Commands, dt: float, patient: bool) -> tuple[int, int]:
    """Return a motor whose torque does not fit its state (saturated at a torque limit, or free), and its new state.

    A motor that is saturated at one limit but should be at the other one becomes free first.

    Args:
        world: the world, after the accelerations have been computed.
        commands: motor commands of the step.
        dt: time step, s.
        patient: whether to return the motor with the largest excess of torque; if False, return the first one found.

    Returns:
        Index of the motor's joint, or -1 if all motors fit; and the new value of `world.saturated` for this joint.
    """
    found, wanted, worst = -1, 0, 0.0
    for j in range(world.saturated.size):
        if not has_motor(commands, j):
            world.saturated[j] = 0
            continue
        lower, upper = commands.limit[j, 0], commands.limit[j, 1]
        dof, now = world.dof[j], world.saturated[j]
        torque = (commands.velocity[j] - world.qvel[dof] - dt * world.qacc[dof]) / commands.cfm[j]
        should = 0
        if torque > upper * (1.0 + _ROUNDING):
            should = 1
        elif torque < lower * (1.0 + _ROUNDING):
            should = -1
        if now * should < 0:
            should = 0
        if should != now:
            limit = upper if now + should > 0 else lower  # one of the two is zero
            excess = abs(torque - limit) / (upper - lower)
            if excess > worst:
                found, wanted, worst = j, should, excess
                if not patient:
                    break
    return found, wanted
