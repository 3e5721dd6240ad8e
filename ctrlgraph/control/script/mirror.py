"""Exchange of right and left in a compiled script.

The constants of the program, their ids and their places are not changed: the mirrored motion has the same numbers.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from ctrlgraph.character.model import Character
from ctrlgraph.control.script import program as layout
from ctrlgraph.control.script.codes import OMITTED, ActionKind, TransitionKind
from ctrlgraph.control.script.identity import meaning_digest
from ctrlgraph.control.script.program import IntArray, Program
from ctrlgraph.control.script.syntax.forms import OF_JOINTS, OF_LINKS
from ctrlgraph.kernels.constants import FeedbackReference


def mirrored_program(program: Program, character: Character) -> Program:
    """Return a copy of a compiled script with right and left exchanged. Two exchanges return the original program.

    The digest changes, unless the program names no joint or link that has a counterpart on the other side.
    """
    every = slice(None)
    limits, tape = program.limits.copy(), program.tape.copy()
    _exchange(limits, every, layout.LIMIT_JOINT, character.opposite_joints)
    _exchange(tape, np.isin(tape[:, layout.TAPE_OP], list(OF_JOINTS)), layout.TAPE_LEFT, character.opposite_joints)
    _exchange(tape, np.isin(tape[:, layout.TAPE_OP], list(OF_LINKS)), layout.TAPE_LEFT, character.opposite_links)
    mirrored = replace(
        program,
        tape=tape,
        actions=mirrored_actions(program.actions, character),
        transitions=mirrored_transitions(program.transitions, character),
        terms=mirrored_transitions(program.terms, character),
        limits=limits,
    )
    return replace(mirrored, digest=meaning_digest(mirrored, character))


def mirrored_actions(rows: IntArray, character: Character) -> IntArray:
    """Return rows of `Program.actions` with each joint and link replaced by its counterpart on the other side."""
    found = rows.copy()
    with_part = ~np.isin(rows[:, layout.ACTION_KIND], (ActionKind.SAVE, ActionKind.LOAD))
    from_joint = rows[:, layout.ACTION_REFERENCE] == FeedbackReference.JOINT
    _exchange(found, slice(None), layout.ACTION_JOINT, character.opposite_joints)
    _exchange(found, with_part, layout.ACTION_PART, character.opposite_links)
    _exchange(found, from_joint, layout.ACTION_REFERENCE_INDEX, character.opposite_joints)
    _exchange(found, ~from_joint, layout.ACTION_REFERENCE_INDEX, character.opposite_links)
    return found


def mirrored_transitions(rows: IntArray, character: Character) -> IntArray:
    """Return rows of `Program.transitions` or `terms` with each link replaced by its counterpart on the other side."""
    found = rows.copy()
    with_part = np.isin(rows[:, layout.TRANSITION_KIND], (TransitionKind.CONTACT, TransitionKind.NOCONTACT))
    _exchange(found, with_part, layout.TRANSITION_PART, character.opposite_links)
    return found


def _exchange(rows: IntArray, where: Any, column: int, opposites: Sequence[int]) -> None:
    """Replace the indices of joints or links in a column by those of the other side, in place.

    OMITTED, which is the last index, is not changed.

    Args:
        rows: rows of an array of a program.
        where: mask or slice of the rows to change.
        column: index of the column.
        opposites: for each joint or link, the index of its counterpart on the other side.
    """
    rows[where, column] = np.array([*opposites, OMITTED])[rows[where, column]]
