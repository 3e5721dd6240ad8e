"""Time-varying linear quadratic regulation of a motion in steps: linear dynamics, and gains by the Riccati recursion.

The cost is the integral of e^T Q e + u^T R u over time, plus e^T Q_end e at the end, for deviations e from the
reference. Between steps, the saltation matrix of the touch-down maps the deviations, so that the gains of a step
account for the following steps.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ctrlgraph.control.regulator.stance import Stance, StandingBody, rates, touch_downs
from ctrlgraph.errors import SimulationError

FloatArray = NDArray[np.float64]

_TERMS = 5
"""Terms of the exponential series, enough for the short time between two samples."""

_DIFFERENCE = 1e-6
"""Step of central differences, rad and rad/s."""

_LEAST_SPEED = 0.05
"""Minimum speed of a landing foot, m/s. The touch-down time of a slower foot is too sensitive."""


@dataclass(frozen=True)
class ReferenceStep:
    """A part of the reference in which one foot stands: S samples of n coordinates and their rates, J torques."""

    stance: Stance
    """The standing foot."""
    times: FloatArray
    """(S,) s."""
    z: FloatArray
    """(S, n) coordinates, see `stance`."""
    w: FloatArray
    """(S, n) their rates."""
    torque: FloatArray
    """(S, J) N m, constant from each sample to the next."""


class Weights(NamedTuple):
    """Costs of deviations and torques, the same for every degree of freedom."""

    position: float
    """1/rad^2 per second."""
    velocity: float
    """s^2/rad^2 per second."""
    end_position: float
    """1/rad^2, once, at the last sample."""
    end_velocity: float
    """s^2/rad^2, once, at the last sample."""
    torque: float
    """1/(N m)^2 per second."""


@dataclass(frozen=True)
class LinearDynamics:
    """Linear dynamics of small deviations, step by step."""

    transitions: tuple[tuple[FloatArray, FloatArray], ...]
    """For each step A (S - 1, 2 n, 2 n) and B (S - 1, 2 n, J) from sample to sample, discrete."""
    spans: tuple[FloatArray, ...]
    """For each step the times between samples (S - 1,), s."""
    jumps: tuple[FloatArray, ...]
    """From each step to the next, (2 n, 2 n)."""


def linear_dynamics(model: StandingBody, steps: Sequence[ReferenceStep]) -> LinearDynamics:
    """Return the linear dynamics of small deviations from the reference.

    Args:
        model: the body.
        steps: the reference.

    Raises:
        SimulationError: the body has no dynamics at a sample: it is singular, or its numbers are not finite.
    """
    transitions, spans = [], []
    for step in steps:
        span = np.diff(step.times)
        transitions.append(_discrete(*linearized(model, step), span))
        spans.append(span)
    jumps = [saltation(model, one, two) for one, two in itertools.pairwise(steps)]
    if not all(
        np.isfinite(part).all() for part in (*(each for transition in transitions for each in transition), *jumps)
    ):
        raise SimulationError("the body's motion cannot be linearized about a sample of the reference")
    return LinearDynamics(tuple(transitions), tuple(spans), tuple(jumps))


def linearized(model: StandingBody, step: ReferenceStep) -> tuple[FloatArray, FloatArray]:
    """Return A (S - 1, 2 n, 2 n) and B (S - 1, 2 n, J) of e' = A e + B u about all samples but the last."""
    # C order, because `rates` would be compiled again for another layout
    states, torques = np.ascontiguousarray(np.hstack([step.z, step.w])[:-1]), step.torque[:-1]
    (count, size), inputs = states.shape, torques.shape[1]

    def moved(by: FloatArray, pushed: FloatArray) -> FloatArray:
        """Return rates of change (S - 1, m, 2 n) for m deviations of the state (m, 2 n) and of torques (m, J)."""
        all_states = (states[:, None] + by).reshape(-1, size)
        all_torques = (torques[:, None] + pushed).reshape(-1, inputs)
        return rates(model, step.stance, all_states, all_torques).reshape(count, -1, size)

    along, still = _DIFFERENCE * np.eye(size), np.zeros((size, inputs))
    a = (moved(along, still) - moved(-along, still)) / (2.0 * _DIFFERENCE)
    # accelerations are linear in the torques
    b = moved(np.zeros((inputs, size)), np.eye(inputs)) - moved(np.zeros((1, size)), np.zeros((1, inputs)))
    return a.swapaxes(1, 2), b.swapaxes(1, 2)


def saltation(model: StandingBody, before: ReferenceStep, after: ReferenceStep) -> FloatArray:
    """Return the matrix (2 n, 2 n) that maps a small deviation before a touch-down to the one after it.

    D + (f+ - D f-) dg / (dg f-), with D the impact's derivative, f the rates before and after it, and g the height of
    the foot (Aizerman and Gantmakher 1958: the saltation matrix).

    Args:
        model: the body.
        before: the step before the touch-down.
        after: the step after it.
    """
    here = np.hstack([before.z[-1], before.w[-1]])
    along = _DIFFERENCE * np.eye(len(here))
    landed, height = touch_downs(model, before.stance, after.stance, np.vstack([here + along, here - along, here]))
    jump, slope = (np.subtract(*np.split(each[:-1], 2)).T / (2.0 * _DIFFERENCE) for each in (landed, height))
    flow = rates(model, before.stance, here[None], before.torque[-1:])[0]
    onward = rates(model, after.stance, landed[-1:], after.torque[:1])[0]
    falling = min(float(slope @ flow), -_LEAST_SPEED)
    found: FloatArray = jump + np.outer(onward - jump @ flow, slope) / falling
    return found


def _discrete(a: FloatArray, b: FloatArray, spans: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return the discrete dynamics over each span with constant torques: the exponential of [[A, B], [0, 0]]."""
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


def gains(course: LinearDynamics, weights: Weights) -> tuple[FloatArray, ...]:
    """Return the gains (S, J, 2 n) of each step. The gains of its last two samples are equal.

    Args:
        course: the linear dynamics.
        weights: of the cost.

    Raises:
        SimulationError: the weights are so large, or so far apart, that numbers overflow.
    """
    n = course.transitions[0][0].shape[-1] // 2
    per_second = np.repeat([weights.position, weights.velocity], n)
    cost = np.diag(np.repeat([weights.end_position, weights.end_velocity], n))
    found: list[FloatArray] = []
    with np.errstate(all="ignore"):  # the result is checked
        for k in range(len(course.transitions) - 1, -1, -1):
            if k + 1 < len(course.transitions):
                cost = course.jumps[k].T @ cost @ course.jumps[k]
            cost, table = _back(course.transitions[k], course.spans[k], cost, per_second, weights.torque)
            found.insert(0, table)
    if not all(np.isfinite(table).all() for table in found):
        raise SimulationError("these weights give no gains: the numbers overflow")
    return tuple(found)


def _back(
    transition: tuple[FloatArray, FloatArray],
    spans: FloatArray,
    cost: FloatArray,
    per_second: FloatArray,
    effort: float,
) -> tuple[FloatArray, FloatArray]:
    """Return the cost (2 n, 2 n) at the first sample of one step, and its gains."""
    a, b = transition
    count, size, inputs = b.shape
    table = np.empty((count + 1, inputs, size))
    for i in range(count - 1, -1, -1):
        pulled = b[i].T @ cost
        weighed = pulled @ b[i] + effort * spans[i] * np.eye(inputs)
        try:
            table[i] = np.linalg.solve(weighed, pulled @ a[i])
        except np.linalg.LinAlgError:
            table[i] = np.nan
        cost = a[i].T @ cost @ (a[i] - b[i] @ table[i]) + np.diag(spans[i] * per_second)
        cost = 0.5 * (cost + cost.T)
    table[count] = table[count - 1]
    return cost, table
