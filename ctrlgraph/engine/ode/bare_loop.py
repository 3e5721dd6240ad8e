"""ODE alone, for benchmarks: the motor commands and contacts of a recorded run, repeated without anything else.

It sets motor parameters, makes contact joints, steps (again if friction does not fit) and empties the contact group. It
makes the same calls as the whole loop, so it ends in the same state, bit for bit.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ctrlgraph.engine.commands import Commands
from ctrlgraph.engine.engine import Simulated
from ctrlgraph.engine.ode.contacts import solve
from ctrlgraph.engine.ode.handles import WorldData
from ctrlgraph.engine.ode.stepper import apply_commands
from ctrlgraph.kernels.jit import kernel
from ctrlgraph.kernels.planar.arrays import Body, Floats, Ints, Kinematics, copy_arrays
from ctrlgraph.kernels.planar.collision import MAX_CONTACTS, Contacts, new_contacts


class GivenToOde(NamedTuple):
    """Inputs of the engine in each of N steps, for J joints; see `Commands` and `Contacts`."""

    velocity: Floats  # (N, J)
    cfm: Floats  # (N, J)
    limit: Floats  # (N, J, 2)
    explicit: Floats  # (N, J)
    joint: Floats  # (N, J, 4) angles for the stops
    filled: Ints  # (N, 1)
    link: Ints  # (N, MAX_CONTACTS)
    geometry: Floats  # (N, MAX_CONTACTS, 5)


@kernel
def _play(
    world: WorldData,
    dt: float,
    body: Body,
    kin: Kinematics,
    commands: Commands,
    contacts: Contacts,
    recorded: GivenToOde,
    n_steps: int,
) -> None:
    """Repeat the first `n_steps` steps; `kin`, `commands` and `contacts` are work arrays."""
    for n in range(n_steps):
        for j in range(body.parent.size):
            commands.velocity[j] = recorded.velocity[n, j]
            commands.cfm[j] = recorded.cfm[n, j]
            commands.limit[j, 0], commands.limit[j, 1] = recorded.limit[n, j, 0], recorded.limit[n, j, 1]
            commands.explicit[j] = recorded.explicit[n, j]
            kin.joint[j, 0] = recorded.joint[n, j, 0]
        contacts.filled[0] = recorded.filled[n, 0]
        for c in range(recorded.filled[n, 0]):
            contacts.link[c] = recorded.link[n, c]
            for k in range(5):
                contacts.geometry[c, k] = recorded.geometry[n, c, k]
        apply_commands(world.handles, body, kin, commands)
        solve(world, contacts, dt)


class OdeBareLoop:
    """Bare loop of ODE (`ctrlgraph.engine.engine.BareLoop`)."""

    def __init__(self, simulated: Simulated, steps: int) -> None:
        n_joints = len(simulated.kin.joint)
        velocity, cfm, explicit = (np.zeros((steps, n_joints)) for _ in range(3))
        self._simulated = simulated
        self._recorded = GivenToOde(
            velocity=velocity,
            cfm=cfm,
            limit=np.zeros((steps, n_joints, 2)),
            explicit=explicit,
            joint=np.zeros((steps, n_joints, 4)),
            filled=np.zeros((steps, 1), np.int64),
            link=np.zeros((steps, MAX_CONTACTS), np.int64),
            geometry=np.zeros((steps, MAX_CONTACTS, 5)),
        )
        self._room = copy_arrays(simulated.kin), copy_arrays(simulated.world.data.commands), new_contacts()

    def note(self, step: int, simulated: Simulated) -> None:
        """Record the inputs of the engine in a step."""
        recorded, commands, contacts = self._recorded, simulated.world.data.commands, simulated.contacts
        recorded.velocity[step], recorded.cfm[step] = commands.velocity, commands.cfm
        recorded.limit[step], recorded.explicit[step] = commands.limit, commands.explicit
        recorded.joint[step] = simulated.kin.joint
        recorded.filled[step], recorded.link[step] = contacts.filled, contacts.link
        recorded.geometry[step] = contacts.geometry

    def play(self, steps: int) -> None:
        """Repeat the first `steps` steps."""
        s = self._simulated
        _play(s.world.data, s.dt, s.body, *self._room, self._recorded, steps)
