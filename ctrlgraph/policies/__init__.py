"""Policies by value iteration: grids of states, tables of simulated outcomes, the best action of each state."""

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
