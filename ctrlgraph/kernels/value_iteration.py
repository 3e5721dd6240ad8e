"""Value iteration over a table of transitions, and orders of its states.

S states, C choices (a state with one of its actions), O outcomes. The choices of state s are `choice_start[s]` to
`choice_start[s + 1]`, the outcomes of choice c `outcome_start[c]` to `outcome_start[c + 1]`. An outcome leads to the
state `next_state`, or is an end if that is negative. `gain` (C,) is the expected immediate reward of a choice,
including the value of its endings; `passed_on` (O,) is the probability of an outcome.

Sources: M. L. Puterman, Markov decision processes (Wiley, 1994), sections 6.3 (Gauss-Seidel value iteration) and 4.5
(backward induction); for the states from which an end is certain, L. de Alfaro, Computing minimum and maximum
reachability times in probabilistic systems, CONCUR 1999.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from ctrlgraph.kernels.jit import kernel
from ctrlgraph.kernels.planar.arrays import Floats, Ints


class Choices(NamedTuple):
    """Choices of a table and their outcomes, see above."""

    outcome_start: Ints  # (C + 1,)
    next_state: Ints  # (O,)
    passed_on: Floats  # (O,)
    gain: Floats  # (C,)


@kernel
def choice_value(c: int, choices: Choices, value: Floats) -> float:
    """Return the value of a choice by the values (S,) of the states that it leads to."""
    total = choices.gain[c]
    for o in range(choices.outcome_start[c], choices.outcome_start[c + 1]):
        if choices.next_state[o] >= 0:
            total += choices.passed_on[o] * value[choices.next_state[o]]
    return total


@kernel
def best_value(first: int, end: int, choices: Choices, value: Floats) -> float:
    """Return the value of the best choice from `first` to `end` (exclusive)."""
    best = -math.inf
    for c in range(first, end):
        best = max(best, choice_value(c, choices, value))
    return best


@kernel
def sweep(order: Ints, first: Ints, end: Ints, choices: Choices, value: Floats) -> float:
    """Update the values of the states in `order`, in place (Gauss-Seidel); return the maximum change.

    The choices of state s are `first[s]` to `end[s]` (exclusive): all of its choices, or the choice of a policy.
    """
    change = 0.0
    for i in range(order.size):
        s = order[i]
        best = best_value(first[s], end[s], choices, value)
        change = max(change, abs(best - value[s]))
        value[s] = best
    return change


@kernel
def best_choices(choice_start: Ints, choices: Choices, value: Floats, tie: float, choice: Ints) -> None:
    """Write the best choice of each state to `choice` (S,).

    Of all choices within `tie` of the best one (relative for values above 1), the first is taken. So rounding errors do
    not affect the result.
    """
    for s in range(choice.size):
        best = best_value(choice_start[s], choice_start[s + 1], choices, value)
        least = best - tie * max(1.0, abs(best))
        choice[s] = choice_start[s]
        for c in range(choice_start[s], choice_start[s + 1]):
            if choice_value(c, choices, value) >= least:
                choice[s] = c
                break


@kernel
def order_after_successors(leader_start: Ints, leader: Ints, waits_for: Ints, order: Ints) -> int:
    """Sort states topologically, each after its successors (A. B. Kahn, CACM 5, 1962).

    Args:
        leader_start: (S + 1,) `leader[leader_start[s]:leader_start[s + 1]]` are the predecessors of state s.
        leader: predecessors, one for each outcome that leads to a state.
        waits_for: (S,) number of outcomes of each state that lead to states; overwritten.
        order: result (S,).

    Returns:
        The number of sorted states: less than S if there are cycles.
    """
    done = 0
    for s in range(waits_for.size):
        if waits_for[s] == 0:
            order[done] = s
            done += 1
    first = 0
    while first < done:
        s = order[first]
        first += 1
        for i in range(leader_start[s], leader_start[s + 1]):
            waits_for[leader[i]] -= 1
            if waits_for[leader[i]] == 0:
                order[done] = leader[i]
                done += 1
    return done


@kernel
def order_backward(leader_start: Ints, leader: Ints, found: Ints, order: Ints, done: int) -> int:
    """Append to the first `done` states of `order` all states that lead to them, breadth first; return their number.

    `found` (S,) is 1 for each state of `order`, and is updated.
    """
    first = 0
    while first < done:
        s = order[first]
        first += 1
        for i in range(leader_start[s], leader_start[s + 1]):
            if found[leader[i]] == 0:
                found[leader[i]] = 1
                order[done] = leader[i]
                done += 1
    return done


@kernel
def keep_certain(
    choice_start: Ints, outcome_start: Ints, next_state: Ints, order: Ints, certain: Ints, reached: Ints
) -> bool:
    """Remove from `certain` every state without a choice that leads to an end through outcomes in `certain` only.

    Repeated calls until nothing changes leave the states from which some policy reaches an end with certainty.

    Args:
        choice_start: as in the module.
        outcome_start: as in the module.
        next_state: as in the module.
        order: all states, ideally those near an end first.
        certain: (S,) 1 for the remaining states; updated.
        reached: (S,) work array.

    Returns:
        Whether a state was removed.
    """
    for s in range(reached.size):
        reached[s] = 0
    again = True
    while again:
        again = False
        for i in range(order.size):
            s = order[i]
            if reached[s] or not certain[s]:
                continue
            for c in range(choice_start[s], choice_start[s + 1]):
                stays, leads = True, False
                for o in range(outcome_start[c], outcome_start[c + 1]):
                    after = next_state[o]
                    stays = stays and (after < 0 or certain[after] == 1)
                    leads = leads or after < 0 or reached[after] == 1
                if stays and leads:
                    reached[s] = 1
                    again = True
                    break
    changed = False
    for s in range(reached.size):
        if certain[s] != reached[s]:
            certain[s] = reached[s]
            changed = True
    return changed


@kernel
def sweep_positions(
    next_state: Ints,
    weight: Floats,
    gain: Floats,
    cells: Ints,
    may_land: Ints,
    beyond: Floats,
    failure: float,
    value: Floats,
    choice: Ints,
) -> None:
    """Compute values and choices of states at positions by backward induction; every action leads forward.

    Each of P positions has the same B states with the same A actions. An action leads a number of cells forward, to K
    interpolated states. Beyond the last position the goal is reached.

    Args:
        next_state: (B, A, K) states after an action; an action fails if its first number is negative.
        weight: (B, A, K) weights of these states.
        gain: (B, A) immediate reward.
        cells: (B, A) number of positions forward, at least 1.
        may_land: (P,) 0 at positions where an action that ends there fails.
        beyond: (B,) values of states past the last position.
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
                    if weight[s, a, k] > 0.0:
                        after = next_state[s, a, k]
                        total += weight[s, a, k] * (beyond[after] if there >= positions else value[there, after])
                if chosen < 0 or total > best:
                    best, chosen = total, a
            value[p, s], choice[p, s] = best, chosen
