"""Value iteration over S states with A actions, each with K interpolated outcomes.

`next_state` (S, A, K) are the states that an action leads to, or a negative number for an end, `weight` (S, A, K) their
probabilities, and `gain` (S, A) is the expected immediate reward, including the values of the ends.

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
        s: the state.
        a: the action.
        next_state: (S, A, K).
        weight: (S, A, K).
        gain: (S, A).
        value: (S,).
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
    """Update the values (S,) of all states in place, the last state first; return the maximum change."""
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

    Of all actions within `tie` of the best one (relative for values above 1), the first is taken. So rounding errors do
    not affect the result.
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
    """Compute values and choices of states at positions by backward induction; every action leads forward.

    Each of P positions has the same B states with the same A actions. An action leads a number of cells forward, to K
    interpolated states. Beyond the last position the goal is reached, with the value 0.

    Args:
        next_state: (B, A, K) states after an action; an action fails if its first number is negative.
        weight: (B, A, K) weights of these states.
        gain: (B, A) immediate reward.
        cells: (B, A) number of positions forward, at least 1.
        may_land: (P,) 0 at positions where an action that ends there fails.
        failure: value of a failure.
        value: result (P, B).
        choice: result (P, B); -1 if every action fails.
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
