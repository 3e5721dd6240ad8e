"""One step of a planar simulation (state, commands, forces), for recorders."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ctrlgraph.control.controller import Place
from ctrlgraph.kernels.planar.arrays import Floats, Kinematics, Motors
from ctrlgraph.kernels.planar.collision import Contacts
from ctrlgraph.simulation.execution import Execution


class Moment(NamedTuple):
    """One step of a simulation: the state before it, the commands of the controller, and the resulting forces."""

    time: float
    """Simulated time, s."""
    kinematics: Kinematics
    """State before the step."""
    motors: Motors
    """Commands of the controller's tick."""
    torque: Floats
    """(J,) torques of the joints in the step, N m."""
    force: Floats
    """(L, 2) force of the ground on each link in the step, N."""
    pressure: float
    """X of the centre of pressure, m; NaN in flight."""
    energy: float
    """Energy spent by the joints since the simulation's start, J."""
    phase: int | None
    """Phase of the controller, numbered as in its file."""
    place: Place | None
    """Place of the phase in its file."""
    last: bool
    """Whether the controller ended in this state without a step; torque and force are those of the previous step."""
    execution: Execution
    state: Any
    """State of the controller after its tick."""


def forces_of(contacts: Contacts, n_links: int) -> tuple[Floats, float]:
    """Return the force on each link (L, 2), N, and x of the centre of pressure, m (NaN in flight)."""
    n = int(contacts.filled[0])
    force = np.zeros((n_links, 2))
    np.add.at(force, contacts.link[:n], contacts.force[:n])
    upward = contacts.force[:n, 1]
    total = float(upward.sum())
    return force, float(upward @ contacts.geometry[:n, 0]) / total if total > 0.0 else float("nan")
