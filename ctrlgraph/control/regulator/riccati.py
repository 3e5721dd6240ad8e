"""Gains of a regulator along a recorded walk: linear dynamics of small deviations, and the Riccati recursion (LQR).

The deviation e of the state from the recorded motion (the reference) has 2 n components: those of the n coordinates
(angle of the standing link, joint angles), then those of their rates. The deviation u of the J joint torques is chosen
to minimize the integral of e^T Q e + u^T R u over time, plus e^T Q_end e at the end of the reference. Between steps,
the saltation matrix of the touch-down maps the deviation, so the gains of a step account for the following steps.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from ctrlgraph.control.regulator.stance import Stance, StandingBody, rates, touch_downs
from ctrlgraph.errors import SimulationError
from ctrlgraph.kernels.arrays import Floats

_TERMS = 5
"""Number of terms of the series for a matrix exponential, enough for the short time between two samples."""

_DIFFERENCE = 1e-6
"""Change of angles, rad, and of rates, rad/s, in central differences."""

_LEAST_SPEED = 0.05
"""Minimum downward speed of a landing foot in the saltation matrix, m/s. A lower speed makes the matrix too large."""


@dataclass(frozen=True)
class ReferenceStep:
    """One step of a recorded walk, in which one foot stands: S samples of n coordinates, their rates and J torques."""

    stance: Stance
    """Contact of the standing foot with the ground."""
    times: Floats
    """(S,) times of the samples from the start of the recorded walk, s."""
    z: Floats
    """(S, n) coordinates, rad: angle of the standing link, then joint angles."""
    w: Floats
    """(S, n) rates of the coordinates, rad/s."""
    torque: Floats
    """(S, J) joint torques, N m, constant from each sample to the next."""


class Weights(NamedTuple):
    """Weights in the cost that a regulator's feedback minimizes, equal for all coordinates and for all joints."""

    position: float
    """Cost of deviations of the coordinates, 1/(rad^2 s)."""
    velocity: float
    """Cost of deviations of the rates, s/rad^2."""
    end_position: float
    """Cost of deviations of the coordinates at the last sample of the recorded motion, 1/rad^2."""
    end_velocity: float
    """Cost of deviations of the rates at the last sample of the recorded motion, s^2/rad^2."""
    torque: float
    """Cost of deviations of the torques, 1/(N^2 m^2 s)."""


@dataclass(frozen=True)
class LinearDynamics:
    """Linear dynamics of small deviations from a recorded walk, for each of its steps.

    A deviation e has 2 n components: those of the n coordinates, then those of their rates. The deviation u of the
    torques has J components. A step has S samples.
    """

    transitions: tuple[tuple[Floats, Floats], ...]
    """For each step, the matrices A (S - 1, 2 n, 2 n) and B (S - 1, 2 n, J) of e_next = A e + B u between samples."""
    spans: tuple[Floats, ...]
    """For each step, the times between samples (S - 1,), s."""
    jumps: tuple[Floats, ...]
    """For each step but the last, the matrix (2 n, 2 n) that maps e through the touch-down to the next step."""


def linear_dynamics(model: StandingBody, steps: Sequence[ReferenceStep]) -> LinearDynamics:
    """Return the linear dynamics of small deviations from a recorded walk.

    Args:
        model: dynamics of the character.
        steps: the steps of the recorded walk.

    Raises:
        SimulationError: the dynamics are singular at a sample, so the accelerations are not determined or not finite.
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
        raise SimulationError(
            "no gains exist for this motion, because its dynamics are singular at a sample: record another motion"
        )
    return LinearDynamics(tuple(transitions), tuple(spans), tuple(jumps))


def linearized(model: StandingBody, step: ReferenceStep) -> tuple[Floats, Floats]:
    """Return A (S - 1, 2 n, 2 n) and B (S - 1, 2 n, J) of e' = A e + B u about the S samples of a step but the last.

    The time derivative e' is that of a small deviation e of the state (n coordinates, then their rates) from the
    recorded motion, and u is the deviation of the J torques.
    """
    # C order, because `rates` would be compiled again for another layout
    states, torques = np.ascontiguousarray(np.hstack([step.z, step.w])[:-1]), step.torque[:-1]
    (count, size), inputs = states.shape, torques.shape[1]

    def moved(by: Floats, pushed: Floats) -> Floats:
        """Return rates of change (S - 1, m, 2 n) for m deviations of the state (m, 2 n) and of torques (m, J)."""
        all_states = (states[:, None] + by).reshape(-1, size)
        all_torques = (torques[:, None] + pushed).reshape(-1, inputs)
        return rates(model, step.stance, all_states, all_torques).reshape(count, -1, size)

    along, still = _DIFFERENCE * np.eye(size), np.zeros((size, inputs))
    a = (moved(along, still) - moved(-along, still)) / (2.0 * _DIFFERENCE)
    # accelerations are linear in the torques
    b = moved(np.zeros((inputs, size)), np.eye(inputs)) - moved(np.zeros((1, size)), np.zeros((1, inputs)))
    return a.swapaxes(1, 2), b.swapaxes(1, 2)


def saltation(model: StandingBody, before: ReferenceStep, after: ReferenceStep) -> Floats:
    """Return the saltation matrix (2 n, 2 n), which maps a small deviation before a touch-down to that after it.

    A deviation consists of those of the n coordinates and of their rates. The matrix is D + (f+ - D f-) dg / (dg f-)
    (Aizerman and Gantmakher 1958). D is the derivative of the impact map. f- and f+ are the rates of change of the
    state before and after the impact. dg is the derivative of the height of the landing foot with respect to the state.

    Args:
        model: dynamics of the character.
        before: the step before the touch-down.
        after: the step after the touch-down.
    """
    here = np.hstack([before.z[-1], before.w[-1]])
    along = _DIFFERENCE * np.eye(len(here))
    landed, height = touch_downs(model, before.stance, after.stance, np.vstack([here + along, here - along, here]))
    jump, slope = (np.subtract(*np.split(each[:-1], 2)).T / (2.0 * _DIFFERENCE) for each in (landed, height))
    flow = rates(model, before.stance, here[None], before.torque[-1:])[0]
    onward = rates(model, after.stance, landed[-1:], after.torque[:1])[0]
    falling = min(float(slope @ flow), -_LEAST_SPEED)
    found: Floats = jump + np.outer(onward - jump @ flow, slope) / falling
    return found


def _discrete(a: Floats, b: Floats, spans: Floats) -> tuple[Floats, Floats]:
    """Convert e' = A e + B u to e_next = A_d e + B_d u for constant u over each span of time; return A_d and B_d.

    They are parts of the exponential of [[A, B], [0, 0]] times the span.

    Args:
        a: matrices A (S - 1, 2 n, 2 n), one for each span.
        b: matrices B (S - 1, 2 n, J).
        spans: (S - 1,) spans of time, s.
    """
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


def gains(course: LinearDynamics, weights: Weights) -> tuple[Floats, ...]:
    """Return for each step the feedback gains (S, J, 2 n) at its S samples, by the Riccati recursion.

    The torques deviate by minus gain @ e for a deviation e of the state. The last two samples have equal gains.

    Args:
        course: linear dynamics of the deviations from the recorded motion.
        weights: weights in the cost that is minimized.

    Raises:
        SimulationError: the weights are so large, or differ so much, that numbers overflow.
    """
    n = course.transitions[0][0].shape[-1] // 2
    per_second = np.repeat([weights.position, weights.velocity], n)
    cost = np.diag(np.repeat([weights.end_position, weights.end_velocity], n))
    found: list[Floats] = []
    with np.errstate(all="ignore"):  # the result is checked
        for k in range(len(course.transitions) - 1, -1, -1):
            if k + 1 < len(course.transitions):
                cost = course.jumps[k].T @ cost @ course.jumps[k]
            cost, table = _back(course.transitions[k], course.spans[k], cost, per_second, weights.torque)
            found.insert(0, table)
    if not all(np.isfinite(table).all() for table in found):
        raise SimulationError("the gains overflow with these weights: give smaller or less different weights")
    return tuple(found)


def _back(
    transition: tuple[Floats, Floats], spans: Floats, cost: Floats, per_second: Floats, effort: float
) -> tuple[Floats, Floats]:
    """Compute one step of the Riccati recursion backward: cost matrix at the first sample, and gains of the step.

    The cost matrix P gives the cost e^T P e of a deviation e of the state from a sample on.

    Args:
        transition: matrices A and B of e_next = A e + B u between the S samples.
        spans: (S - 1,) times between samples, s.
        cost: (2 n, 2 n) cost matrix at the last sample.
        per_second: (2 n,) cost of squared deviations per second: the diagonal of Q.
        effort: weight of the torques.

    Returns:
        Cost matrix (2 n, 2 n) at the first sample, and gains (S, J, 2 n).
    """
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
