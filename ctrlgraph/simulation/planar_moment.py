"""A moment of a planar simulation: one time step with its state, commands and forces, as recorders get it."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ctrlgraph.control.controller import Place
from ctrlgraph.kernels.arrays import Floats, Motors
from ctrlgraph.kernels.planar.arrays import Kinematics
from ctrlgraph.kernels.planar.collision import Contacts
from ctrlgraph.simulation.execution import Execution


class Moment(NamedTuple):
    """One time step of a simulation: the state before the step, the controller's commands, and the resulting forces."""

    time: float
    """Simulated time before the step, s."""
    kinematics: Kinematics
    """State of links, joints and contacts before the step."""
    motors: Motors
    """PD targets, gains and torques that the controller commands for the step."""
    torque: Floats
    """(J,) torques of the joints in the step, N m."""
    force: Floats
    """(L, 2) force of the ground on each link in the step, x, y, N."""
    pressure: float
    """World position x of the centre of pressure in the step, m; NaN in flight."""
    energy: float
    """Energy that the joints have spent since the simulation's start, including this step, J."""
    phase: int | None
    """Phase of the controller, numbered as in the controller's file; None without phases."""
    place: Place | None
    """File and line of the phase; None without phases."""
    last: bool
    """Whether the rollout ended in this state. If so, `torque` and `force` are those of the previous step."""
    execution: Execution
    """The rollout in progress."""
    state: Any
    """State of the controller after it has computed the commands."""


def forces_of(contacts: Contacts, n_links: int) -> tuple[Floats, float]:
    """Return the force of the ground on each link, (L, 2), N, and the position x of the centre of pressure, m.

    The position is NaN if the ground exerts no upward force.

    Args:
        contacts: contacts of a step, with their forces.
        n_links: number of links, L.
    """
    n = int(contacts.filled[0])
    force = np.zeros((n_links, 2))
    np.add.at(force, contacts.link[:n], contacts.force[:n])
    upward = contacts.force[:n, 1]
    total = float(upward.sum())
    return force, float(upward @ contacts.geometry[:n, 0]) / total if total > 0.0 else float("nan")
