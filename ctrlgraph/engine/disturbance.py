"""Disturbances of a simulation: pushes, torque noise and delayed commands."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ctrlgraph.engine.commands import Commands
from ctrlgraph.errors import SimulationError
from ctrlgraph.kernels.arrays import Floats, Ints, Motors
from ctrlgraph.kernels.jit import kernel

UnderWay = tuple[NDArray[np.float64], int]
"""Motor commands that are delayed and not yet applied, as copies of `Disturbance.line` and
`Disturbance.line_filled`."""

MAX_DELAY = 0.5
"""The maximum delay of the motor commands, s."""


@dataclass(frozen=True)
class TorqueNoise:
    """Disturbing torques that are added to the torques of the controller.

    They are interpolated linearly between n samples, and are zero before the first and after the last sample.
    """

    start: float
    """Simulated time of the first sample, s."""
    every: float
    """Time between samples, s."""
    shares: NDArray[np.float64]
    """(n, J) torque of each of J joints in each sample, as a fraction of the joint's torque limit in its direction."""


class Disturbance(NamedTuple):
    """Disturbances of a simulation, as arrays for the simulation loop: pushes, torque noise and delayed commands.

    P pushes, N samples of noise, a delay of K time steps, J joints.
    """

    pushes: Floats
    """One row for each of P pushes: start and end, s; index of the pushed link; and the force, N.

    In the plane, the force is x and y (P, 5). In space, it is x, y and z, and the point at which it acts follows, in
    the frame of the link, m (P, 9).
    """
    noise: Floats
    """(N, J) samples of torque noise, as fractions of the torque limits."""
    noise_start: float
    """Simulated time of the first sample of noise, s."""
    noise_every: float
    """Time between samples of noise, s."""
    line: Floats
    """(K, J, 5) delay line with the fields of `Commands` in the last K steps: velocity, cfm, both limits, explicit."""
    line_filled: Ints
    """(1,) 0 if the delay line is empty, else 1."""


def undisturbed(pushes: Floats, n_joints: int) -> Disturbance:
    """Return a `Disturbance` without noise and delay.

    Args:
        pushes: pushes as rows, see `Disturbance.pushes`.
        n_joints: number of joints of the character.
    """
    line, filled = np.zeros((0, n_joints, 5)), np.zeros(1, np.int64)
    return Disturbance(pushes, np.zeros((0, n_joints)), 0.0, 1.0, line, filled)


def disturbance(n_joints: int, dt: float, pushes: Floats, noise: TorqueNoise | None, delay: float) -> Disturbance:
    """Return the disturbances of a simulation as arrays for the simulation loop.

    Args:
        n_joints: number of joints of the character.
        dt: time step, s.
        pushes: pushes as rows, see `Disturbance.pushes`.
        noise: torques that are added to those of the controller; None for none.
        delay: time by which all motor commands are delayed, 0 to `MAX_DELAY` s; rounded to whole time steps.

    Raises:
        SimulationError: the noise does not have one column for each joint, or a number is out of range or not finite.
    """
    if not 0 <= delay <= MAX_DELAY:
        raise SimulationError(f"'delay' must be 0 to {MAX_DELAY:g} s, not {delay:g} s")
    plain = undisturbed(pushes, n_joints)._replace(line=np.zeros((round(delay / dt), n_joints, 5)))
    if noise is None:
        return plain
    shares = np.ascontiguousarray(noise.shares, np.float64)
    if shares.ndim != 2 or shares.shape[1] != n_joints or not np.isfinite(shares).all() or not noise.every > 0:
        raise SimulationError(f"'noise' needs finite 'shares' of the shape (samples, {n_joints}) and 'every' above 0 s")
    return plain._replace(noise=shares, noise_start=noise.start, noise_every=noise.every)


def delayed_commands(disturbance: Disturbance) -> UnderWay:
    """Return a copy of the motor commands that are delayed and not yet applied, for a snapshot of the simulation."""
    return disturbance.line.copy(), int(disturbance.line_filled[0])


def restore_delayed_commands(disturbance: Disturbance, commands: UnderWay) -> None:
    """Restore the delayed motor commands of a snapshot.

    If the snapshot was made with another delay, remove all delayed commands instead.

    Args:
        disturbance: contains the delayed commands.
        commands: the commands as `delayed_commands` has returned them.
    """
    line, filled = commands
    disturbance.line_filled[0] = 0
    if line.shape == disturbance.line.shape:
        disturbance.line[...], disturbance.line_filled[0] = line, filled


@kernel
def add_noise(disturbance: Disturbance, motors: Motors, time: float) -> None:
    """Add the torque noise of `disturbance` at simulated time `time` (s) to the explicit torques in `motors`."""
    samples = disturbance.noise.shape[0]
    place = (time - disturbance.noise_start) / disturbance.noise_every
    if place < 0.0 or place > samples - 1:
        return
    row = min(int(place), samples - 1)
    share = place - row
    after = min(row + 1, samples - 1)
    for j in range(motors.torque.size):
        noise = (1.0 - share) * disturbance.noise[row, j] + share * disturbance.noise[after, j]
        motors.torque[j] += noise * (motors.limit[j, 1] if noise > 0.0 else -motors.limit[j, 0])


@kernel
def delay_commands(disturbance: Disturbance, commands: Commands, step: int) -> None:
    """Replace the motor commands of this time step by the commands of K time steps ago.

    In the first K time steps, the commands of the first time step are applied. The damping of the implicit motor acts
    without delay, like the damping of a joint's tissue.

    Args:
        disturbance: contains the delay line of K time steps; for K = 0, nothing is changed.
        commands: the new commands, which are replaced by the delayed ones.
        step: number of the time step since the simulation's start.
    """
    line, velocity, cfm, limit = disturbance.line, commands.velocity, commands.cfm, commands.limit
    ticks = line.shape[0]
    if ticks == 0:
        return
    first = disturbance.line_filled[0] == 0
    disturbance.line_filled[0] = 1
    for k in range(ticks if first else 1):
        slot = (step + k) % ticks
        for j in range(velocity.size):
            now = (velocity[j], cfm[j], limit[j, 0], limit[j, 1], commands.explicit[j])
            if not first:
                velocity[j], cfm[j] = line[slot, j, 0], line[slot, j, 1]
                limit[j, 0], limit[j, 1] = line[slot, j, 2], line[slot, j, 3]
                commands.explicit[j] = line[slot, j, 4]
            line[slot, j, 0], line[slot, j, 1] = now[0], now[1]
            line[slot, j, 2], line[slot, j, 3] = now[2], now[3]
            line[slot, j, 4] = now[4]
