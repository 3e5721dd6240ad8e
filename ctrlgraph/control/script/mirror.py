"""Right and left exchanged: in the rows of a program, and in a whole one.

Constants, their ids and their places stay: the mirrored motion has the same numbers.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from ctrlgraph.character.model import Character
from ctrlgraph.control.script import program as layout
from ctrlgraph.control.script.identity import meaning_digest
from ctrlgraph.control.script.program import OMITTED, ActionKind, Program, TransitionKind
from ctrlgraph.control.script.tape import OF_JOINTS, OF_LINKS
from ctrlgraph.kernels.constants import FeedbackReference

_NAMING_ACTIONS = (ActionKind.SAVE, ActionKind.LOAD)
_OF_PARTS = (TransitionKind.CONTACT, TransitionKind.NOCONTACT)


def mirrored_program(program: Program, character: Character) -> Program:
    """Return the program with right and left exchanged in all that it says; twice is the program itself.

    Its digest is another one, unless nothing in it has a side.
    """
    actions = [mirrored_action(row, character) for row in program.actions.tolist()]
    transitions = [mirrored_transition(row, character) for row in program.transitions.tolist()]
    terms = [mirrored_transition(row, character) for row in program.terms.tolist()]
    limits = [[_opposite(joint, character.opposite_joints), slot] for joint, slot in program.limits.tolist()]
    tape = [_mirrored_operation(row, character) for row in program.tape.tolist()]
    mirrored = replace(
        program,
        tape=np.array(tape, dtype=np.int64).reshape(program.tape.shape),
        actions=np.array(actions, dtype=np.int64).reshape(program.actions.shape),
        transitions=np.array(transitions, dtype=np.int64).reshape(program.transitions.shape),
        terms=np.array(terms, dtype=np.int64).reshape(program.terms.shape),
        limits=np.array(limits, dtype=np.int64).reshape(program.limits.shape),
    )
    for array in mirrored.arrays():
        array.flags.writeable = False
    return replace(mirrored, digest=meaning_digest(mirrored, character))


def mirrored_action(row: Sequence[int], character: Character) -> list[int]:
    """Return a row of `actions` for the other side."""
    found = list(row)
    found[layout.ACTION_JOINT] = _opposite(row[layout.ACTION_JOINT], character.opposite_joints)
    if row[layout.ACTION_KIND] not in _NAMING_ACTIONS:
        found[layout.ACTION_PART] = _opposite(row[layout.ACTION_PART], character.opposite_links)
    of_joint = row[layout.ACTION_REFERENCE] == FeedbackReference.JOINT
    among = character.opposite_joints if of_joint else character.opposite_links
    found[layout.ACTION_REFERENCE_INDEX] = _opposite(row[layout.ACTION_REFERENCE_INDEX], among)
    return found


def mirrored_transition(row: Sequence[int], character: Character) -> list[int]:
    """Return a row of `transitions` for the other side."""
    found = list(row)
    if row[layout.TRANSITION_KIND] in _OF_PARTS:
        found[layout.TRANSITION_PART] = _opposite(row[layout.TRANSITION_PART], character.opposite_links)
    return found


def _mirrored_operation(row: Sequence[int], character: Character) -> list[int]:
    op, left, right = row
    if op in OF_JOINTS:
        left = _opposite(left, character.opposite_joints)
    elif op in OF_LINKS:
        left = _opposite(left, character.opposite_links)
    return [op, left, right]


def _opposite(index: int, opposites: Sequence[int]) -> int:
    return index if index == OMITTED else opposites[index]
