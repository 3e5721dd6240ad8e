"""A moment of a simulation: one time step with its state, commands and forces, as recorders get it."""

from __future__ import annotations

from typing import Any, NamedTuple

from ctrlgraph.control.controller import Place
from ctrlgraph.kernels.arrays import Floats, Motors
from ctrlgraph.simulation.execution import Execution
from ctrlgraph.simulation.ground_forces import GroundForces


class Moment(NamedTuple):
    """One time step of a simulation: the state before the step, the controller's commands, and the resulting forces."""

    time: float
    """Simulated time before the step, s."""
    kinematics: Any
    """State of links, joints and contacts before the step."""
    motors: Motors
    """PD targets, gains and torques that the controller commands for the step."""
    torque: Floats
    """(J,) torques of the joints in the step, N m."""
    ground: GroundForces
    """Forces of the ground on the links in the step."""
    pushes: Floats
    """Pushes of the simulation as rows, see `engine.disturbance.Disturbance.pushes`."""
    energy: float
    """Energy that the joints have spent since the simulation's start, including this step, J."""
    phase: int | None
    """Phase of the controller, numbered as in the controller's file; None without phases."""
    place: Place | None
    """File and line of the phase; None without phases."""
    last: bool
    """Whether the rollout ended in this state. If so, `torque` and `ground` are those of the previous step."""
    execution: Execution
    """The rollout in progress."""
    state: Any
    """State of the controller after it has computed the commands."""
