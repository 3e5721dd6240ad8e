"""Policies by value iteration: grids of states, tables of transitions, the best action of each state."""

from ctrlgraph.policies.array_file import StaleFile
from ctrlgraph.policies.course_policy import CoursePolicy, plan_course
from ctrlgraph.policies.grid import Grid, GridAxis
from ctrlgraph.policies.outcome_table import OutcomeSpace, OutcomeStatus, OutcomeTable
from ctrlgraph.policies.policy import NO_ACTION, TabulatedPolicy
from ctrlgraph.policies.transition_table import ENDED, FAILED, ActionOutcome, TransitionTable
from ctrlgraph.policies.value_iteration import Solution, evaluate, solve

__all__ = [
    "ENDED",
    "FAILED",
    "NO_ACTION",
    "ActionOutcome",
    "CoursePolicy",
    "Grid",
    "GridAxis",
    "OutcomeSpace",
    "OutcomeStatus",
    "OutcomeTable",
    "Solution",
    "StaleFile",
    "TabulatedPolicy",
    "TransitionTable",
    "evaluate",
    "plan_course",
    "solve",
]
