"""Ids of a script's parameters, and digests of what a program does.

Neither depends on the layout of a script. Comments, blank lines, `ctrlgraph fmt`, the order of phases (except which is
first) and the order of a character's links and joints have no effect.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from ctrlgraph.character.model import Character
from ctrlgraph.control.script import program as layout
from ctrlgraph.control.script.checks.binding import BoundAction, BoundCondition, Operand
from ctrlgraph.control.script.checks.names import find_joint, find_part
from ctrlgraph.control.script.codes import EXIT, FAIL, OMITTED, ActionKind, TapeOp, TransitionKind
from ctrlgraph.control.script.program import Program, conditions_of
from ctrlgraph.control.script.syntax.forms import OF_JOINTS, OF_LINKS, TORQUE_LIMIT, is_of_slots
from ctrlgraph.kernels.constants import FeedbackReference

DIGITS = 16
"""Number of hexadecimal digits of a program's digest."""

_FORM = "meaning 1"
"""Version of the data that are hashed. If it changes, all stored digests become invalid."""


# --- ids ---


def argument_id(path: Path, name: str) -> str:
    """Return the parameter id of the argument `name` of the root script `path`, such as `stand.t/argument/knee`."""
    return f"{path.name}/argument/{name}"


def header_id(path: Path, joint: str = "") -> str:
    """Return the parameter id of a number in SET TORQUELIMIT, which sets the maximum joint torque of a script.

    Args:
        path: file of the script.
        joint: name of the joint with this limit; empty for the limit of all joints.
    """
    return f"{path.name}/SET {TORQUE_LIMIT.role}{' ' if joint else ''}{joint}"


def call_id(path: Path, phase: int, called: Path, name: str) -> str:
    """Return the parameter id of a number in an argument of a call.

    Args:
        path: file of the calling script.
        phase: number of the calling phase.
        called: file of the called script.
        name: parameter of the called script that gets the argument.
    """
    return f"{path.name}/{phase}/call {called.stem}/{name}"


class StatementNames:
    """Maker of the names of a phase's statements, which are parts of parameter ids.

    A name consists of script, phase, keyword and subject, as in `backflip.t/1/POSE rKnee`, and of a number if several
    statements share these.

    Args:
        path: File of the script.
        phase: Number of the phase.
        character: Character with the joints and links that the statements name.
    """

    def __init__(self, path: Path, phase: int, character: Character) -> None:
        self._prefix = f"{path.name}/{phase}"
        self._character = character
        self._seen: Counter[str] = Counter()
        self._last = self._last_condition = ""

    def of_action(self, action: BoundAction) -> str:
        """Return the name of an action. The actions of the phase must be passed in the order of the text.

        A joint or link given by an alias (another name) appears with its main name. The two actions that are made from
        a statement for both sides, such as `POSE bKnee(2)`, share a name.
        """
        if not action.twin:
            self._last = self._numbered(self._described(action))
        return self._last

    def _described(self, action: BoundAction) -> str:
        keyword, character = action.kind.name, self._character
        if action.kind is ActionKind.VF:
            return keyword
        if action.both:
            return f"{keyword} {action.both}"
        if action.kind in _ABOUT_JOINTS:
            return f"{keyword} {_named(character.joint_names, find_joint(character, action.joint))}"
        return f"{keyword} {_named(character.link_names, find_part(character, action.part))}"

    def of_condition(self, condition: BoundCondition) -> str:
        """Return the name of a condition. The conditions of the phase must be passed in the order of the text.

        The two conditions that are made from a condition on both sides, such as `contact bFoot`, share a name.
        """
        if not condition.twin:
            self._last_condition = self._numbered(f"after {condition.label}")
        return self._last_condition

    def _numbered(self, name: str) -> str:
        self._seen[name] += 1
        return f"{self._prefix}/{numbered(name, self._seen[name])}"


_ABOUT_JOINTS = (ActionKind.POSE, ActionKind.LIPOSE, ActionKind.MATCH, ActionKind.POSEFB)


def operand_id(statement: str, operand: Operand) -> str:
    """Return the parameter id of a number in a statement.

    A number of a COMFB2 (balance feedback) belongs to the VPD that follows.

    Args:
        statement: name of the statement, from `StatementNames`.
        operand: value of the statement that contains the number.
    """
    of_feedback = operand.label == "COMFB2"
    return f"{statement}/{'COMFB2 ' if of_feedback else ''}{operand.value.role}"


def numbered(name: str, number: int) -> str:
    """Return a name with the count of its occurrences so far: `x` for the first, then `x#2`, `x#3`."""
    return name if number == 1 else f"{name}#{number}"


# --- digests ---


def meaning_digest(program: Program, character: Character) -> str:
    """Return the digest of everything that affects a program's motion, as 16 hexadecimal digits.

    It depends on constants (by value: 1 and 1.0 are equal), statements, transitions, parameter ids, and names of
    joints, links and saved states, including those of called scripts. It does not depend on search ranges or on
    positions in the text. Programs with the same digest have the same parameters, by id.
    """
    rows = _Description(program, character, [parameter.id for parameter in program.parameters])
    frames: dict[int, str] = {OMITTED: ""}
    phases: dict[int, list[tuple[int, str]]] = {}
    # the frames of a frame's calls come after it, so in reverse order the called frames are known
    for row in reversed(range(len(program.phases))):
        index, number, call = program.phases[row, : layout.PHASE_CALL + 1].tolist()
        phases.setdefault(index, []).append((number, _hash([frames.get(call, ""), *rows.of_phase(row)])))
        if row == program.frames[index, layout.FRAME_FIRST_PHASE]:
            limit, of_joints = rows.limits(index)
            whole = [limit, number, sorted(phases.pop(index))]
            frames[index] = _hash([*whole, of_joints] if of_joints else whole)
    parameters = zip(program.parameters, program.constants.tolist(), strict=True)
    constants = sorted([parameter.id, value.hex()] for parameter, value in parameters)
    return _hash([_FORM, program.name, frames.get(0, ""), constants])[:DIGITS]


PhasePath = tuple[tuple[str, int], ...]
"""Path of a phase: (script, number) of each calling phase, from the root script on, and of the phase itself."""


PhaseDigests = dict[PhasePath, tuple[int, str]]
"""Row of each phase in `Program.phases`, and digest of the phase, by its path."""


def phase_digests(program: Program, character: Character) -> PhaseDigests:
    """Return the row and the digest of each phase of a program, by the phase's path of calls (`PhasePath`).

    The digest includes the actions and transitions of the phase, with their constants. A call contributes only the name
    of the called script and the number of its first phase, because the phases of the called script have their own
    digests.
    """
    rows = _Description(program, character, [value.hex() for value in program.constants.tolist()])
    paths = _paths(program)
    found = {}
    for row, (frame, _, called, *_) in enumerate(program.phases.tolist()):
        calls = "" if called == OMITTED else paths[int(program.frames[called, layout.FRAME_FIRST_PHASE])][-1]
        found[paths[row]] = row, _hash([rows.limits(frame), calls, rows.of_phase(row)])
    return found


class _Description:
    """Description of a program's phases for hashing, with names in place of indices of joints, links and numbers.

    `constants` has a text for each constant of the program, such as its id or value.
    """

    def __init__(self, program: Program, character: Character, constants: Sequence[str]) -> None:
        self._program = program
        self._character = character
        self._slots = {OMITTED: ""} | dict(enumerate(constants))
        for row, (op, left, right) in enumerate(program.tape.tolist()):
            of = [self._slots[left], self._slots[right]] if is_of_slots(op) else _of_what(op, left, right, character)
            self._slots[program.constants.size + row] = _hash([TapeOp(op).name, *of])

    def of_phase(self, phase: int) -> list[object]:
        """Return the actions and the transitions of a phase, given by its row in `Program.phases`, as nested lists."""
        actions = self._program.actions_of(phase).tolist()
        after = self._program.transitions_of(phase).tolist()
        return [
            [
                [*_action(a, self._program, self._character), *self._operands(a, layout.ACTION_OPERAND, 6)]
                for a in actions
            ],
            [[*self._condition(t), *self._terms(t)] for t in after],
        ]

    def limits(self, frame: int) -> tuple[str, list[list[str]]]:
        """Return the torque limit of a frame (a copy of a script) for all joints, and those for single joints."""
        _, limit, start, end = self._program.frames[frame].tolist()
        rows = self._program.limits[start:end].tolist()
        return self._slots[limit], sorted([self._character.joint_names[j], self._slots[slot]] for j, slot in rows)

    def _terms(self, row: Sequence[int]) -> list[object]:
        if row[layout.TRANSITION_KIND] != TransitionKind.COMPOUND:
            return []
        terms = (self._condition(term) for term in conditions_of(self._program, row))
        return [[kind, *rest] for kind, _, *rest in terms]  # a term has no target

    def _condition(self, row: Sequence[int]) -> list[object]:
        described = _transition(row, self._program, self._character)
        return [*described, *self._operands(row, layout.TRANSITION_OPERAND, 2)]

    def _operands(self, row: Sequence[int], first: int, count: int) -> list[str]:
        return [self._slots[slot] for slot in row[first : first + count]]


def _paths(program: Program) -> list[PhasePath]:
    """Return the path of calls to each phase, in the order of `Program.phases`: callers before the called phases."""
    paths: list[PhasePath] = []
    of_frame: dict[int, PhasePath] = {0: ()}
    for phase in program.phases.tolist():
        script = program.places[phase[layout.PHASE_PLACE]].script
        path = (*of_frame[phase[layout.PHASE_FRAME]], (script, phase[layout.PHASE_NUMBER]))
        paths.append(path)
        if phase[layout.PHASE_CALL] != OMITTED:
            of_frame[phase[layout.PHASE_CALL]] = path
    return paths


def _of_what(op: int, index: int, which: int, character: Character) -> list[object]:
    """Return the operands of an operation that reads a quantity of the state, with names of joints and links.

    Args:
        op: operation, a `TapeOp`.
        index: left operand, such as the index of a joint.
        which: right operand, such as the number of an edge of the ground.
        character: character with the names.
    """
    if op in OF_JOINTS:
        return [character.joint_names[index], which]
    return [character.link_names[index] if op in OF_LINKS else index, which]


def _action(row: Sequence[int], program: Program, character: Character) -> list[object]:
    kind, reference = ActionKind(row[layout.ACTION_KIND]), FeedbackReference(row[layout.ACTION_REFERENCE])
    if kind in (ActionKind.SAVE, ActionKind.LOAD):
        return [kind.name, program.names[row[layout.ACTION_PART]]]
    among = character.joint_names if reference is FeedbackReference.JOINT else character.link_names
    return [
        kind.name,
        _named(character.joint_names, row[layout.ACTION_JOINT]),
        _named(character.link_names, row[layout.ACTION_PART]),
        reference.name,
        _named(among, row[layout.ACTION_REFERENCE_INDEX]),
        row[layout.ACTION_FLAGS],
    ]


def _transition(row: Sequence[int], program: Program, character: Character) -> list[object]:
    kind, target = TransitionKind(row[layout.TRANSITION_KIND]), row[layout.TRANSITION_TARGET]
    left = {EXIT: "exit", FAIL: "fail"}
    to = left[target] if target in left else int(program.phases[target, layout.PHASE_NUMBER])
    if kind is TransitionKind.COMPOUND:  # its terms are described instead
        return [kind.name, to, ""]
    return [kind.name, to, _named(character.link_names, row[layout.TRANSITION_PART])]


def _named(names: Sequence[str], index: int) -> str:
    return "" if index == OMITTED else names[index]


def _hash(data: object) -> str:
    return hashlib.sha256(json.dumps(data).encode()).hexdigest()
