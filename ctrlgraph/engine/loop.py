"""What the simulation loops of planar and spatial characters have in common: results, and sums of forces and work."""

from __future__ import annotations

import types
from collections.abc import Callable
from typing import Any, NamedTuple

from ctrlgraph.control.controller import ControllerKernels
from ctrlgraph.engine.engine import EngineKernels
from ctrlgraph.kernels.arrays import Floats, Ints
from ctrlgraph.kernels.jit import kernel

# Results of the loop: the steps are done, the controller has ended, it has timed out, a bound was left, the state has
# diverged, the controller requests to save or load a state, the controller has ended as failed.
STILL_RUNNING, ENDED, TIMED_OUT, LEFT_BOUNDS, BLEW_UP, ASKS_FOR_STATE, GAVE_UP = range(7)

GOES_ON = (STILL_RUNNING, ASKS_FOR_STATE)
"""Results after which the loop can continue: the steps are done, or the controller requests to save or load a state."""


SLIP_LOAD = 0.1
"""Normal force above which a contact counts as loaded, N per kg of the body's mass; about 1 % of the body's weight."""


IMPACT_S, POWER_S = 0.01, 0.05
"""Windows of the moving averages of the vertical ground force and of the joints' power, s.

The impact of a foot lasts some hundredths of a second, the peak of a jump's push-off a tenth. The force of a single
time step is an artefact of the solver, so it is averaged.
"""


class Exertion(NamedTuple):
    """Forces, work and speeds of a character with L links and J joints: sums and maxima since the last recorded sample.

    They are not part of the simulation's state. The exertion of a time step needs the velocities at its end. Therefore
    a time step is added at the beginning of the next one; until then `pending` is 1.

    There are two moving averages: of the vertical ground force over `IMPACT_S`, and of the positive joint power over
    `POWER_S`. Both are reset when a controller starts. Each has a ring buffer with the last time steps in `recent`.
    """

    pending: Ints
    """(1,) 1 if the last time step has not been added yet, else 0."""
    applied: Floats
    """(J,) joint torques of the last time step, N m; the array to which the world writes them."""
    impulse: Floats
    """(L, D) impulse of the ground on each link, N s, in D dimensions."""
    slip: Floats
    """(L,) distance that each link has slid along the ground under load, m."""
    work: Floats
    """(J, 2) positive and negative work of each joint's torque, both as positive numbers, J."""
    peak: Floats
    """(J, 3) maximum speed, rad/s, negative torque and positive torque, N m, of each joint, all as positive numbers."""
    mean_peak: Floats
    """(2,) maxima of the moving averages: force, N, and power, W."""
    recent: Floats
    """(2, W) ring buffers of the moving averages: vertical impulse, N s, and positive work, J, of recent time steps."""
    total: Floats
    """(2,) sum of each ring buffer in `recent`: vertical impulse, N s, and positive work, J."""
    width: Ints
    """(2,) number of time steps in each ring buffer, at most W."""
    place: Ints
    """(2,) index of the oldest time step in each ring buffer."""


@kernel
def count_joints(joint: Floats, upward: float, exertion: Exertion, dt: float) -> None:
    """Add the last time step to the sums and maxima of joints in `exertion`, and to the moving averages.

    Args:
        joint: (J, ...) state of each joint after the time step; column 1 is its velocity, rad/s.
        upward: vertical impulse of the ground on all links in the time step, N s.
        exertion: sums and maxima, which are updated.
        dt: time step, s.
    """
    done = 0.0
    for j in range(exertion.applied.size):
        torque, speed = exertion.applied[j], joint[j, 1]
        work = torque * speed * dt
        exertion.work[j, 0] += max(work, 0.0)
        done += max(work, 0.0)
        exertion.work[j, 1] += max(-work, 0.0)
        exertion.peak[j, 0] = max(exertion.peak[j, 0], abs(speed))
        exertion.peak[j, 1] = max(exertion.peak[j, 1], -torque)
        exertion.peak[j, 2] = max(exertion.peak[j, 2], torque)
    _update_mean(exertion, 0, upward, dt)
    _update_mean(exertion, 1, done, dt)


@kernel
def _update_mean(exertion: Exertion, k: int, value: float, dt: float) -> None:
    """Add a time step to the moving average of the vertical ground force or of the positive joint power.

    Args:
        exertion: contains the moving averages.
        k: 0 for the vertical ground force, 1 for the positive joint power.
        value: vertical impulse, N s, or positive work, J, in the time step.
        dt: time step, s.
    """
    place, width = exertion.place[k], exertion.width[k]
    exertion.total[k] += value - exertion.recent[k, place]
    exertion.recent[k, place] = value
    exertion.place[k] = place + 1
    if place + 1 == width:  # after each pass through the ring, remove rounding errors from the sum
        exertion.place[k], exertion.total[k] = 0, 0.0
        for n in range(width):
            exertion.total[k] += exertion.recent[k, n]
    exertion.mean_peak[k] = max(exertion.mean_peak[k], exertion.total[k] / (width * dt))


@kernel
def clear_exertion(exertion: Exertion) -> None:
    """Reset all sums, maxima and moving averages of `exertion` to 0."""
    clear_sums(exertion)
    reset_averages(exertion)


@kernel
def reset_averages(exertion: Exertion) -> None:
    """Reset the moving averages, and do not add the last time step, for example because another state was loaded."""
    exertion.pending[0] = 0
    exertion.recent[:] = 0.0
    exertion.total[:] = 0.0
    exertion.place[:] = 0


@kernel
def clear_sums(exertion: Exertion) -> None:
    """Reset the sums and maxima since the last sample, but not the moving averages."""
    exertion.pending[0] = 0
    exertion.impulse[:] = 0.0
    exertion.slip[:] = 0.0
    exertion.work[:] = 0.0
    exertion.peak[:] = 0.0
    exertion.mean_peak[:] = 0.0


@kernel
def record_exertion(contact: Ints, record: Any, row: int) -> None:
    """Copy contacts, forces, work and speeds into row `row` of a buffer of samples, and reset the sums and maxima.

    Args:
        contact: 1 for each link that touches the ground now, else 0 (L,).
        record: buffer of samples, `SampleBuffer` or `SpatialSampleBuffer`.
        row: index of the sample.
    """
    exertion = record.exertion
    for i in range(contact.size):
        record.contact[row, i] = contact[i]
        record.slip[row, i] = exertion.slip[i]
        for k in range(exertion.impulse.shape[1]):
            record.impulse[row, i, k] = exertion.impulse[i, k]
    for j in range(exertion.applied.size):
        for k in range(2):
            record.work[row, j, k] = exertion.work[j, k]
        for k in range(3):
            record.peak[row, j, k] = exertion.peak[j, k]
    for k in range(2):
        record.mean_peak[row, k] = exertion.mean_peak[k]
    clear_sums(exertion)


def placeholder(*given: Any) -> Any:
    """Placeholder in the template of a loop for a kernel of an engine or of a controller kind."""
    raise NotImplementedError


def compiled(
    template: Callable[..., int], name: str, engine: EngineKernels, controller: ControllerKernels
) -> Callable[..., int]:
    """Return a simulation loop: the template, with functions of an engine and a controller kind in place of its names.

    Each loop has a unique name and therefore a cache file of its own. So the removal of a package with a controller
    kind affects no other loop.

    Args:
        template: the loop with `placeholder` under the names in capitals.
        name: name of the loop.
        engine: kernels of the engine.
        controller: kernels of the controller kind.
    """
    parts: dict[str, Callable[..., Any]] = {
        "IS_BOUNDED": engine.is_bounded,
        "OBSERVE": engine.observe,
        "STEP": engine.step,
        "HASH_STATE": engine.hash_state,
        "TICK": controller.tick,
        "PHASE_OF": controller.phase_of,
        "ASKS": controller.has_requests,
    }
    loop = types.FunctionType(template.__code__, {**template.__globals__, **parts}, name)
    loop.__qualname__, loop.__module__ = name, template.__module__
    return kernel(loop, calls=tuple(parts.values()))
