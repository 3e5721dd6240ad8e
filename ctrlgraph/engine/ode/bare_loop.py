"""ODE alone, for benchmarks: the motor commands and contacts of a recorded run, repeated without anything else.

It sets motor parameters, creates contact joints, makes the step (again if friction does not fit) and empties the
contact group. These calls are the same as in the whole loop, so it ends in the same state, bit for bit.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ctrlgraph.engine.commands import Commands
from ctrlgraph.engine.engine import Simulated
from ctrlgraph.engine.ode.contacts import solve
from ctrlgraph.engine.ode.state import WorldData
from ctrlgraph.engine.ode.stepper import apply_commands
from ctrlgraph.kernels.jit import kernel
from ctrlgraph.kernels.planar.arrays import Body, Floats, Kinematics, copy_arrays
from ctrlgraph.kernels.planar.collision import Contacts


@kernel
def _play(
    world: WorldData, dt: float, body: Body, kin: Kinematics, joint: Floats, given: Commands, found: Contacts, n: int
) -> None:
    """Repeat the first `n` steps; `joint`, `given` and `found` have a row for each, `kin` is a work array."""
    for i in range(n):
        for j in range(body.parent.size):
            kin.joint[j, 0] = joint[i, j, 0]
        limit, applied = given.limit[i], given.applied[i]
        commands = Commands(given.velocity[i], given.cfm[i], limit, given.explicit[i], applied)
        contacts = Contacts(found.filled[i], found.link[i], found.geometry[i], found.force[i])
        apply_commands(world.handles, body, kin, commands)
        solve(world, contacts, dt)


class OdeBareLoop:
    """Bare loop of ODE (`ctrlgraph.engine.engine.BareLoop`)."""

    def __init__(self, simulated: Simulated, steps: int) -> None:
        self._simulated = simulated
        self._joint = np.zeros((steps, *simulated.kin.joint.shape))
        self._commands, self._contacts = _rows(simulated.world.commands, steps), _rows(simulated.contacts, steps)

    def note(self, step: int, simulated: Simulated) -> None:
        """Record the inputs of the engine in a step."""
        rows = (self._joint, *self._commands, *self._contacts)
        for row, now in zip(rows, (simulated.kin.joint, *simulated.world.commands, *simulated.contacts), strict=True):
            row[step] = now

    def play(self, steps: int) -> None:
        """Repeat the first `steps` steps."""
        s = self._simulated
        kin = copy_arrays(s.kin)
        _play(s.world.data, s.dt, s.body, kin, self._joint, self._commands, self._contacts, steps)


def _rows(group: Any, steps: int) -> Any:
    """Return a named tuple of arrays with `steps` rows, each row like the array of the given named tuple."""
    return type(group)(*(np.zeros((steps, *array.shape), array.dtype) for array in group))
