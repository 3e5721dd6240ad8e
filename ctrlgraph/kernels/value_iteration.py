"""Value iteration over S states with A actions, each of which leads to up to K states.

`next_state` (S, A, K) are the indices of the states that an action leads to; a negative index ends the process.
`weight` (S, A, K) are their probabilities, such as the weights of an interpolation. `gain` (S, A) is the expected
immediate reward, including the values of ends.

Source: M. L. Puterman, Markov decision processes (Wiley, 1994), sections 6.3 (Gauss-Seidel value iteration) and 4.5
(backward induction).
"""

from __future__ import annotations

import math

from ctrlgraph.kernels.jit import kernel
from ctrlgraph.kernels.planar.arrays import Floats, Ints


@kernel
def action_value(s: int, a: int, next_state: Ints, weight: Floats, gain: Floats, value: Floats) -> float:
    """Return the value of action a, repeated until it leaves state s; -inf if it never does.

    Args:
        s: index of the state.
        a: index of the action.
        next_state: states after each action (S, A, K), negative for an end.
        weight: their probabilities (S, A, K).
        gain: immediate reward of each action (S, A).
        value: current values of the states (S,).
    """
    total, stays = gain[s, a], 0.0
    for k in range(weight.shape[2]):
        after = next_state[s, a, k]
        if after == s:
            stays += weight[s, a, k]
        elif after >= 0 and weight[s, a, k] > 0.0:
            total += weight[s, a, k] * value[after]
    return total / (1.0 - stays) if stays < 1.0 else -math.inf


@kernel
def best_value(s: int, next_state: Ints, weight: Floats, gain: Floats, value: Floats) -> float:
    """Return the value of the best action of state s; arguments as in `action_value`."""
    best = -math.inf
    for a in range(gain.shape[1]):
        best = max(best, action_value(s, a, next_state, weight, gain, value))
    return best


@kernel
def sweep_states(next_state: Ints, weight: Floats, gain: Floats, value: Floats) -> float:
    """Update the values (S,) of all states in place, the last state first, and return the largest change.

    The other arguments are those of `action_value`.
    """
    change = 0.0
    for s in range(value.size - 1, -1, -1):
        best = best_value(s, next_state, weight, gain, value)
        if best != value[s]:
            change = max(change, abs(best - value[s]))
        value[s] = best
    return change


@kernel
def best_actions(next_state: Ints, weight: Floats, gain: Floats, value: Floats, tie: float, action: Ints) -> None:
    """Write the best action of each state to `action` (S,).

    Values that differ by at most `tie` (for a best value above 1, as a fraction of it) count as equal. Of the best
    actions the first is taken, so that rounding errors do not affect the result. The other arguments are those of
    `action_value`.
    """
    for s in range(action.size):
        best = best_value(s, next_state, weight, gain, value)
        least = best - tie * max(1.0, abs(best))
        action[s] = 0
        while action_value(s, action[s], next_state, weight, gain, value) < least:
            action[s] += 1


@kernel
def sweep_positions(
    next_state: Ints,
    weight: Floats,
    gain: Floats,
    cells: Ints,
    may_land: Ints,
    failure: float,
    value: Floats,
    choice: Ints,
) -> None:
    """Compute the value and the best action of each state at each position along a path, by backward induction.

    Each of P positions has the same B states with the same A actions. An action leads one or more positions forward, to
    up to K states at the new position. The goal is reached beyond the last position and has the value 0.

    Args:
        next_state: states after each action (B, A, K); the action fails if the first one is negative.
        weight: probabilities of these states (B, A, K).
        gain: immediate reward of each action (B, A).
        cells: number of positions by which each action leads forward (B, A), at least 1.
        may_land: 0 at positions where no action may end, else 1 (P,); an action that ends at a 0 fails.
        failure: value of a state in which every action fails.
        value: result (P, B): value of each state at each position.
        choice: result (P, B): index of the best action; -1 if every action fails.
    """
    positions, states, actions, count = value.shape[0], gain.shape[0], gain.shape[1], weight.shape[2]
    for p in range(positions - 1, -1, -1):
        for s in range(states):
            best, chosen = failure, -1
            for a in range(actions):
                if next_state[s, a, 0] < 0:
                    continue
                there = p + cells[s, a]
                if there < positions and may_land[there] == 0:
                    continue
                total = gain[s, a]
                for k in range(count):
                    if there < positions and weight[s, a, k] > 0.0:
                        total += weight[s, a, k] * value[there, next_state[s, a, k]]
                if chosen < 0 or total > best:
                    best, chosen = total, a
            value[p, s], choice[p, s] = best, chosen
