"""A moment of a simulation: everything that a person may ask of one step, as it was."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ctrlgraph.control.controller import Place
from ctrlgraph.kernels.arrays import Floats, Kinematics, Motors
from ctrlgraph.kernels.collision import Contacts
from ctrlgraph.simulation.execution import Execution


class Moment(NamedTuple):
    """A step of a simulation: the state that the controller saw, what it asked for, and what came of it in the step.

    time: s; kinematics: the state before the step; motors: what the controller's tick asked for; torque: (J,) that the
    joints got in the step, N m; force: (L, 2) of the ground on each link in the step, N; pressure: x of the centre of
    pressure, m, NaN in flight; energy: J that the joints have spent since the simulation's start; phase and place: the
    controller's, as its author counts and in its file; last: the controller has ended in this state, and no step
    followed (torque and force are those of the step before); execution: what is under way; state: the controller's,
    after its tick.
    """

    time: float
    kinematics: Kinematics
    motors: Motors
    torque: Floats
    force: Floats
    pressure: float
    energy: float
    phase: int | None
    place: Place | None
    last: bool
    execution: Execution
    state: Any


def forces_of(contacts: Contacts, n_links: int) -> tuple[Floats, float]:
    """Return the force on each link (L, 2), N, and x of the centre of pressure, m (NaN where nothing presses)."""
    n = int(contacts.filled[0])
    force = np.zeros((n_links, 2))
    np.add.at(force, contacts.link[:n], contacts.force[:n])
    upward = contacts.force[:n, 1]
    total = float(upward.sum())
    return force, float(upward @ contacts.geometry[:n, 0]) / total if total > 0.0 else float("nan")
