"""Value iteration over S states with A actions, each of which leads to one of up to K next states at random.

Source: M. L. Puterman, Markov decision processes (Wiley, 1994), sections 6.3 (Gauss-Seidel value iteration) and 4.5
(backward induction).
"""

from __future__ import annotations

import math

from ctrlgraph.kernels.arrays import Floats, Ints
from ctrlgraph.kernels.jit import kernel


@kernel
def action_value(s: int, a: int, next_state: Ints, weight: Floats, gain: Floats, value: Floats) -> float:
    """Return the expected value of repeating action `a` until it leaves state `s`; -inf if it never leaves the state.

    Args:
        s: index of the state.
        a: index of the action.
        next_state: indices of the K states to which each of A actions can lead from each of S states (S, A, K); a
            negative index ends the process.
        weight: probabilities of these next states (S, A, K).
        gain: expected immediate reward of each action in each state, including the value of an end (S, A).
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
    """Return the value of the best action in a state; see `action_value` for the value of an action.

    Args:
        s: index of the state.
        next_state: indices of the K states to which each of A actions can lead from each of S states (S, A, K); a
            negative index ends the process.
        weight: probabilities of these next states (S, A, K).
        gain: expected immediate reward of each action in each state (S, A).
        value: current values of the states (S,).
    """
    best = -math.inf
    for a in range(gain.shape[1]):
        best = max(best, action_value(s, a, next_state, weight, gain, value))
    return best


@kernel
def sweep_states(next_state: Ints, weight: Floats, gain: Floats, value: Floats) -> float:
    """Update the values of all S states once, in place, the last state first.

    Args:
        next_state: indices of the K states to which each of A actions can lead from each state (S, A, K); a negative
            index ends the process.
        weight: probabilities of these next states (S, A, K).
        gain: expected immediate reward of each action in each state (S, A).
        value: values of the states (S,); changed in place.

    Returns:
        The largest change of a value.
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
    """Write the index of the best action in each of S states to `action`.

    Args:
        next_state: indices of the K states to which each of A actions can lead from each state (S, A, K); a negative
            index ends the process.
        weight: probabilities of these next states (S, A, K).
        gain: expected immediate reward of each action in each state (S, A).
        value: values of the states (S,).
        tie: actions whose values differ by at most this (for a best value above 1, as a fraction of it) are equally
            good; the first of them is taken, so that rounding errors do not affect the result.
        action: result (S,).
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
    one of up to K states at the new position. The goal is reached beyond the last position and has the value 0.

    Args:
        next_state: indices of the K states to which each action can lead (B, A, K); the action fails if the first one
            is negative.
        weight: probabilities of these next states (B, A, K).
        gain: immediate reward of each action in each state (B, A).
        cells: number of positions by which each action leads forward (B, A), at least 1.
        may_land: 0 for positions where an action must not end, else 1 (P,). An action that would end at such a position
            fails.
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
