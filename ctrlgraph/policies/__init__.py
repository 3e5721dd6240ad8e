"""Policies computed by value iteration: grids of states, tables of simulated outcomes, and the best action per state.

1. A `Grid` has S states. Each of A actions is simulated from each state (`tabulate`), which gives an `OutcomeTable`.
2. `solve` computes the best action and the value (expected sum of rewards) of each state.
3. A `TabulatedPolicy` interpolates the actions and values between the states of the grid.
"""

from ctrlgraph.policies.array_file import StaleFile
from ctrlgraph.policies.grid import Grid, GridAxis
from ctrlgraph.policies.outcome_table import OutcomeSpace, OutcomeStatus, OutcomeTable, StateOutcomes, tabulate
from ctrlgraph.policies.policy import NO_ACTION, TabulatedPolicy
from ctrlgraph.policies.value_iteration import Solution, solve

__all__ = [
    "NO_ACTION",
    "Grid",
    "GridAxis",
    "OutcomeSpace",
    "OutcomeStatus",
    "OutcomeTable",
    "Solution",
    "StaleFile",
    "StateOutcomes",
    "TabulatedPolicy",
    "solve",
    "tabulate",
]
