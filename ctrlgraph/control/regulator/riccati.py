"""Time-varying linear quadratic regulation of a motion in steps: linear dynamics, gains by Riccati's recursion.

Deviations e from the reference are weighed by the integral of e^T Q e + u^T R u over time, and by e^T Q_end e at the
end. From step to step they pass through the saltation matrix of the touch-down, so that the gains of one step know what
its end means for those that follow.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ctrlgraph.control.regulator.stance import Stance, StandingBody, rates, touch_downs
from ctrlgraph.errors import SimulationError

FloatArray = NDArray[np.float64]

_TERMS = 5
"""Of the exponential's series; between two samples of a motion little happens."""

_MOVED = 1e-6
"""Of central differences, rad and rad/s."""

_SLOWEST = 0.05
"""A foot that comes down more slowly than this (m/s) is taken to come down as fast: when one touches the ground that
hardly moves would depend on everything."""


@dataclass(frozen=True)
class ReferenceStep:
    """A part of the reference in which one foot stands: S samples of n coordinates and their rates, J torques.

    times (S,): s; z (S, n), w (S, n): see `stance`; torque (S, J): N m, from the sample on.
    """

    stance: Stance
    times: FloatArray
    z: FloatArray
    w: FloatArray
    torque: FloatArray


@dataclass(frozen=True)
class Weights:
    """What deviations and torques cost, the same for every degree of freedom.

    position, velocity: 1/rad^2 and s^2/rad^2, per second; end_position, end_velocity: the same, once, in the last
    sample; torque: 1/(N m)^2, per second.
    """

    position: float
    velocity: float
    end_position: float
    end_velocity: float
    torque: float


@dataclass(frozen=True)
class LinearCourse:
    """How small deviations go on, step by step.

    ways: of each step's S samples, S - 1 times from one to the next: A (2 n, 2 n) and B (2 n, J), discrete; spans:
    how long that takes, s; jumps: from each step to the one after it (2 n, 2 n).
    """

    ways: tuple[tuple[FloatArray, FloatArray], ...]
    spans: tuple[FloatArray, ...]
    jumps: tuple[FloatArray, ...]


def linear_course(model: StandingBody, steps: Sequence[ReferenceStep]) -> LinearCourse:
    """Return how small deviations from the reference go on.

    Raises:
        SimulationError: the body has no dynamics at a sample: it is singular, or its numbers are not finite.
    """
    ways, spans = [], []
    for step in steps:
        span = np.diff(step.times)
        ways.append(_discrete(*linearized(model, step), span))
        spans.append(span)
    jumps = [saltation(model, one, two) for one, two in itertools.pairwise(steps)]
    if not all(np.isfinite(part).all() for part in (*(each for way in ways for each in way), *jumps)):
        raise SimulationError("the reference has a sample about which the body's motion cannot be made linear")
    return LinearCourse(tuple(ways), tuple(spans), tuple(jumps))


def linearized(model: StandingBody, step: ReferenceStep) -> tuple[FloatArray, FloatArray]:
    """Return A (S - 1, 2 n, 2 n) and B (S - 1, 2 n, J) of e' = A e + B u about all samples but the last."""
    # in rows, whatever the reference is laid out in: for columns, all of `rates` would be compiled once more
    states, torques = np.ascontiguousarray(np.hstack([step.z, step.w])[:-1]), step.torque[:-1]
    (count, size), inputs = states.shape, torques.shape[1]

    def moved(by: FloatArray, pushed: FloatArray) -> FloatArray:
        """(S - 1, m, 2 n) of m deviations of the state (m, 2 n) and of the torques (m, J)."""
        all_states = (states[:, None] + by).reshape(-1, size)
        all_torques = (torques[:, None] + pushed).reshape(-1, inputs)
        return rates(model, step.stance, all_states, all_torques).reshape(count, -1, size)

    along, still = _MOVED * np.eye(size), np.zeros((size, inputs))
    a = (moved(along, still) - moved(-along, still)) / (2.0 * _MOVED)
    # accelerations are linear in the torques
    b = moved(np.zeros((inputs, size)), np.eye(inputs)) - moved(np.zeros((1, size)), np.zeros((1, inputs)))
    return a.swapaxes(1, 2), b.swapaxes(1, 2)


def saltation(model: StandingBody, before: ReferenceStep, after: ReferenceStep) -> FloatArray:
    """Return (2 n, 2 n): what becomes of a small deviation over a touch-down, which comes earlier or later with it.

    D + (f+ - D f-) dg / (dg f-), with D the impact's derivative, f the rates before and after it and g the height of
    the foot (Aizerman and Gantmakher 1958: the saltation matrix).
    """
    here = np.hstack([before.z[-1], before.w[-1]])
    along = _MOVED * np.eye(len(here))
    landed, height = touch_downs(model, before.stance, after.stance, np.vstack([here + along, here - along, here]))
    jump, slope = (np.subtract(*np.split(each[:-1], 2)).T / (2.0 * _MOVED) for each in (landed, height))
    flow = rates(model, before.stance, here[None], before.torque[-1:])[0]
    onward = rates(model, after.stance, landed[-1:], after.torque[:1])[0]
    falling = min(float(slope @ flow), -_SLOWEST)
    found: FloatArray = jump + np.outer(onward - jump @ flow, slope) / falling
    return found


def _discrete(a: FloatArray, b: FloatArray, spans: FloatArray) -> tuple[FloatArray, FloatArray]:
    """From rates to what happens within a span while the torques stay: the exponential of [[A, B], [0, 0]]."""
    count, size, inputs = b.shape
    scaled = np.zeros((count, size + inputs, size + inputs))
    scaled[:, :size, :size], scaled[:, :size, size:] = a, b
    scaled *= spans[:, None, None]
    term = np.broadcast_to(np.eye(size + inputs), scaled.shape)
    total = term.copy()
    for order in range(1, _TERMS + 1):
        term = term @ scaled / order
        total += term
    return total[:, :size, :size], total[:, :size, size:]


def gains(course: LinearCourse, weights: Weights) -> tuple[FloatArray, ...]:
    """Return the gains (S, J, 2 n) of each step, of which those of the last two samples are the same.

    Raises:
        SimulationError: the weights are so large, or so far apart, that numbers overflow.
    """
    n = course.ways[0][0].shape[-1] // 2
    per_second = np.repeat([weights.position, weights.velocity], n)
    cost = np.diag(np.repeat([weights.end_position, weights.end_velocity], n))
    found: list[FloatArray] = []
    with np.errstate(all="ignore"):  # what comes of it is looked at
        for k in range(len(course.ways) - 1, -1, -1):
            if k + 1 < len(course.ways):
                cost = course.jumps[k].T @ cost @ course.jumps[k]
            cost, table = _back(course.ways[k], course.spans[k], cost, per_second, weights.torque)
            found.insert(0, table)
    if not all(np.isfinite(table).all() for table in found):
        raise SimulationError("with these weights there are no gains: their numbers overflow")
    return tuple(found)


def _back(
    way: tuple[FloatArray, FloatArray], spans: FloatArray, cost: FloatArray, per_second: FloatArray, effort: float
) -> tuple[FloatArray, FloatArray]:
    """Go back through one step: the cost (2 n, 2 n) at its first sample, and its gains."""
    a, b = way
    count, size, inputs = b.shape
    table = np.empty((count + 1, inputs, size))
    for i in range(count - 1, -1, -1):
        pulled = b[i].T @ cost
        heavy = pulled @ b[i] + effort * spans[i] * np.eye(inputs)
        try:
            table[i] = np.linalg.solve(heavy, pulled @ a[i])
        except np.linalg.LinAlgError:
            table[i] = np.nan
        cost = a[i].T @ cost @ (a[i] - b[i] @ table[i]) + np.diag(spans[i] * per_second)
        cost = 0.5 * (cost + cost.T)
    table[count] = table[count - 1]
    return cost, table
