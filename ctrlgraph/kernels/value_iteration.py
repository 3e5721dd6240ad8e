"""Sweeps of value iteration over a table of transitions, and the orders in which they go through its states.

S states, C choices (a state with one of its actions), O outcomes. The choices of state s are `choice_start[s]` to
`choice_start[s + 1]`, the outcomes of choice c `outcome_start[c]` to `outcome_start[c + 1]`. An outcome leads to the
state `next_state`, or ends where that is negative; `gain` (C,) is what a choice is expected to bring at once, what its
endings are worth among that, and `passed_on` (O,) the probability of an outcome times the discount of what comes after
it.

Sources: M. L. Puterman, Markov decision processes (Wiley, 1994), sections 6.3 (Gauss-Seidel value iteration) and 4.5
(backward induction); for the states from which an end is certain L. de Alfaro, Computing minimum and maximum
reachability times in probabilistic systems, CONCUR 1999.
"""

from __future__ import annotations

import math

from ctrlgraph.kernels.arrays import Floats, Ints
from ctrlgraph.kernels.jit import kernel


@kernel
def choice_value(
    c: int, outcome_start: Ints, next_state: Ints, passed_on: Floats, gain: Floats, value: Floats
) -> float:
    """Return what a choice is worth by the values (S,) of the states that it leads to."""
    total = gain[c]
    for o in range(outcome_start[c], outcome_start[c + 1]):
        if next_state[o] >= 0:
            total += passed_on[o] * value[next_state[o]]
    return total


@kernel
def sweep(
    order: Ints,
    choice_start: Ints,
    outcome_start: Ints,
    next_state: Ints,
    passed_on: Floats,
    gain: Floats,
    value: Floats,
) -> float:
    """Give each state of `order` the value of its best choice, one after another, each by the values as they are by
    then; return the greatest change."""
    change = 0.0
    for i in range(order.size):
        s = order[i]
        best = -math.inf
        for c in range(choice_start[s], choice_start[s + 1]):
            best = max(best, choice_value(c, outcome_start, next_state, passed_on, gain, value))
        change = max(change, abs(best - value[s]))
        value[s] = best
    return change


@kernel
def sweep_fixed(
    order: Ints,
    choice: Ints,
    outcome_start: Ints,
    next_state: Ints,
    passed_on: Floats,
    gain: Floats,
    value: Floats,
) -> float:
    """Do as `sweep`, but with the one choice (S,) that a policy takes in each state."""
    change = 0.0
    for i in range(order.size):
        s = order[i]
        now = choice_value(choice[s], outcome_start, next_state, passed_on, gain, value)
        change = max(change, abs(now - value[s]))
        value[s] = now
    return change


@kernel
def best_choices(
    choice_start: Ints,
    outcome_start: Ints,
    next_state: Ints,
    passed_on: Floats,
    gain: Floats,
    value: Floats,
    tie: float,
    choice: Ints,
) -> None:
    """Write the best choice of each state into `choice` (S,).

    Of choices whose values differ by no more than `tie`, relative to the best one where that is above 1, the first one
    is
    taken: so the last bits of a value decide nothing.
    """
    for s in range(choice.size):
        best = -math.inf
        for c in range(choice_start[s], choice_start[s + 1]):
            best = max(best, choice_value(c, outcome_start, next_state, passed_on, gain, value))
        least = best - tie * max(1.0, abs(best))
        choice[s] = choice_start[s]
        for c in range(choice_start[s], choice_start[s + 1]):
            if choice_value(c, outcome_start, next_state, passed_on, gain, value) >= least:
                choice[s] = c
                break


@kernel
def order_after_successors(leader_start: Ints, leader: Ints, waits_for: Ints, order: Ints) -> int:
    """Write the states into `order` (S,), each after all that it leads to; return how many there are of such.

    Fewer than S where some states lead to themselves, over others or at once (A. B. Kahn, CACM 5, 1962).

    Args:
        leader_start, leader: the states that lead to state s, `leader[leader_start[s]:leader_start[s + 1]]`, one for
            each outcome that does.
        waits_for: the number of each state's outcomes that lead to states (S,); is used up.
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
    """Complete `order`, which begins with `done` states, by those that lead to them, breadth first; return how many
    there are then. `found` (S,) is 1 for each state of `order`, and is kept so."""
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
    """Take out of `certain` (S,) every state from which no choice leads, with outcomes in `certain` only, to an end;
    tell whether any was.

    Repeated until none is, it leaves the states from which some policy comes to an end with certainty.

    Args:
        order: all states, best those near an end first; reached: (S,) to work in.
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
    """Fill values and choices of states at positions, the last position first, where every action leads onward.

    At each of P positions there are the same B states with the same A actions, each of which leads some cells on,
    wherever it is taken: to states whose numbers and weights are K corners. Beyond the last position the goal is
    reached.

    Args:
        next_state, weight: (B, A, K); a first number below 0: the action fails.
        gain: (B, A) what the action brings at once.
        cells: (B, A) how many positions on it ends, 1 or more.
        may_land: (P,) 0 where whoever comes down there fails.
        beyond: (B,) what a state is worth that has come past the last position.
        failure: what it is worth to fail.
        value, choice: (P, B) to write into; -1 is the choice where every action fails.
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
