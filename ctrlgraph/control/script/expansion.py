"""Expanding a script's calls into the arrays of a `Program`.

Every call gets its own copy of the called script's phases, in which parameters stand for the
caller's slots. A literal of the text is one constant however often its script is expanded, so that
what is tuned has one place to go back to.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from ctrlgraph.character.model import Character
from ctrlgraph.control.controller import Place
from ctrlgraph.control.parameters import Parameter
from ctrlgraph.control.script import program as layout
from ctrlgraph.control.script.bounds import MAX_OPERATIONS, MAX_PHASES, MAX_STATEMENTS
from ctrlgraph.control.script.checks.binding import BoundAction, BoundCondition, Operand
from ctrlgraph.control.script.checks.flow import reachable_phases
from ctrlgraph.control.script.checks.names import find_joint, find_part, find_reference
from ctrlgraph.control.script.checks.phases import BoundPhase, BoundScript, bind_script, parameter_quantities
from ctrlgraph.control.script.checks.ranges import check_value
from ctrlgraph.control.script.checks.report import FindingCollector
from ctrlgraph.control.script.checks.sides import with_both_sides
from ctrlgraph.control.script.constants import ConstantTable, Scope
from ctrlgraph.control.script.exits import safety_conditions
from ctrlgraph.control.script.identity import (
    StatementNames,
    argument_id,
    call_id,
    header_id,
    meaning_digest,
    operand_id,
)
from ctrlgraph.control.script.library import ScriptLibrary
from ctrlgraph.control.script.mirror import mirrored_action, mirrored_transition
from ctrlgraph.control.script.program import OMITTED, ActionFlag, ActionKind, IntArray, Program, TransitionKind
from ctrlgraph.control.script.syntax.quantities import Quantity
from ctrlgraph.control.script.syntax.syntax import Call, StateCommand
from ctrlgraph.errors import SourceError, Span
from ctrlgraph.kernels.constants import FeedbackReference

_TARGETS = (ActionKind.POSE, ActionKind.LIPOSE, ActionKind.MATCH)
_SHOWN = 200
"""Characters of a line that a place keeps."""


@dataclass(frozen=True, slots=True)
class _Frame:
    """A script about to be expanded; mirrored: with right and left exchanged."""

    index: int
    path: Path
    environment: dict[str, int]
    depth: int
    mirrored: bool = False


@dataclass(frozen=True, slots=True)
class _Statement:
    """A transition about to be made into rows."""

    place: int
    scope: Scope
    frame: _Frame
    number: int
    names: StatementNames
    safety: frozenset[int]


class Expansion:
    """A program in the making; frames are expanded breadth first, so each frame's phases are neighbours."""

    def __init__(self, library: ScriptLibrary, character: Character, scripts: list[Path]) -> None:
        self._library = library
        self._character = character
        self._scripts = scripts
        self._bound: dict[Path, BoundScript] = {}
        self._quantities: dict[Path, dict[str, Quantity]] = {}
        self._table = ConstantTable()
        self._frames: list[list[int]] = []
        self._phases: list[list[int]] = []
        self._actions: list[list[int]] = []
        self._transitions: list[list[int]] = []
        self._terms: list[list[int]] = []
        self._limits: list[list[int]] = []
        self._places: list[Place] = []
        self._names: dict[str, int] = {}
        self._lines: dict[tuple[Path, int], str] = {}
        self._waiting: deque[_Frame] = deque()
        self._reports: dict[Path, FindingCollector] = {}

    def program(self, path: Path, args: list[float]) -> Program:
        """Return the finished program.

        Raises:
            SourceError: values that only the arguments make wrong, calls that multiply or nest too deep.
        """
        bound = self._script(path)
        environment = {}
        for parameter, value in zip(bound.script.parameters, args, strict=True):
            quantity = self._parameter_quantities(path).get(parameter.text, "argument")
            known_as, role = argument_id(path, parameter.text), f"{path.stem} {parameter.text}"
            argument = Parameter(known_as, role, quantity, path=str(path))
            environment[parameter.text] = self._table.add_argument(argument, value)
        self._push(path, environment, 1)
        while self._waiting:
            self._expand(self._waiting.popleft())
        problems = [finding for report in self._reports.values() for finding in report.sorted()]
        if problems:
            raise SourceError(problems)
        return self._finish(path, args)

    def _finish(self, path: Path, args: list[float]) -> Program:
        for row in self._frames:
            row[layout.FRAME_TORQUE_LIMIT] = self._table.final(row[layout.FRAME_TORQUE_LIMIT])
        operands = [
            (self._actions, layout.ACTION_OPERAND, 6),
            (self._transitions, layout.TRANSITION_OPERAND, 2),
            (self._terms, layout.TRANSITION_OPERAND, 2),
            (self._limits, layout.LIMIT_SLOT, 1),
        ]
        for rows, first, count in operands:
            for row in rows:
                row[first : first + count] = [self._table.final(slot) for slot in row[first : first + count]]
        program = Program(
            name=path.stem,
            path=str(path),
            constants=self._table.constants(),
            tape=self._table.tape(),
            frames=_array(self._frames, layout.FRAME_COLUMNS),
            phases=_array(self._phases, layout.PHASE_COLUMNS),
            actions=_array(self._actions, layout.ACTION_COLUMNS),
            transitions=_array(self._transitions, layout.TRANSITION_COLUMNS),
            parameters=tuple(self._table.parameters),
            places=tuple(self._places),
            names=tuple(self._names),
            digest="",
            terms=_array(self._terms, layout.TRANSITION_COLUMNS),
            limits=_array(self._limits, layout.LIMIT_COLUMNS),
        )
        for array in program.arrays():
            array.flags.writeable = False
        return replace(program, digest=meaning_digest(program, self._character))

    # --- scripts ---

    def _script(self, path: Path) -> BoundScript:
        if path not in self._bound:
            parsed = self._library.parse(path)
            if parsed.script is None:
                raise SourceError(parsed.findings)
            bound = bind_script(parsed.script, FindingCollector(parsed.path, parsed.text))
            self._bound[path] = with_both_sides(bound, self._character)
        return self._bound[path]

    def _parameter_quantities(self, path: Path) -> dict[str, Quantity]:
        if path not in self._quantities:
            self._quantities[path] = parameter_quantities(self._script(path), self._callee_quantities)
        return self._quantities[path]

    def _callee_quantities(self, call: Call) -> dict[str, Quantity]:
        called = self._library.find(call.script.stem)
        return self._parameter_quantities(called) if called in self._scripts and called is not None else {}

    # --- frames and phases ---

    def _push(self, path: Path, environment: dict[str, int], depth: int, mirrored: bool = False) -> int:
        index = len(self._frames)
        self._frames.append([OMITTED, OMITTED, 0, 0])
        self._waiting.append(_Frame(index, path, environment, depth, mirrored))
        return index

    def _expand(self, frame: _Frame) -> None:
        bound = self._script(frame.path)
        first = len(self._phases)
        self._frames[frame.index][layout.FRAME_FIRST_PHASE] = first
        if bound.limits:
            limit = self._operand(bound.limits[0], self._scope(frame), frame, None, header_id(frame.path))
            self._require_constant(limit, bound.limits[0], frame)
            self._frames[frame.index][layout.FRAME_TORQUE_LIMIT] = limit
        self._set_joint_limits(bound, frame)
        if first + len(bound.phases) > MAX_PHASES:
            self._give_up(f"{MAX_PHASES} phases")
            return
        rows = {phase.number: first + i for i, phase in enumerate(bound.phases)}
        reached = reachable_phases(bound.script)
        for index, phase in enumerate(bound.phases):
            self._phases.append([frame.index, int(phase.number), OMITTED, *[0] * (layout.PHASE_COLUMNS - 3)])
            self._expand_phase(first + index, phase, frame, rows, index in reached)
            if len(self._actions) + len(self._transitions) > MAX_STATEMENTS:
                self._give_up(f"{MAX_STATEMENTS} actions and transitions")
                return
            if self._table.operations > MAX_OPERATIONS:
                self._give_up(f"{MAX_OPERATIONS} operators in expressions")
                return

    def _set_joint_limits(self, bound: BoundScript, frame: _Frame) -> None:
        columns, scope = self._frames[frame.index], self._scope(frame)
        columns[layout.FRAME_LIMIT_START] = len(self._limits)
        for limit in bound.joint_limits:
            joint = find_joint(self._character, limit.joint)
            known_as = header_id(frame.path, limit.both or self._character.joint_names[joint])
            slot = self._operand(limit.operand, scope, frame, None, known_as)
            self._require_constant(slot, limit.operand, frame)
            self._limits.append([self._character.opposite_joints[joint] if frame.mirrored else joint, slot])
        columns[layout.FRAME_LIMIT_END] = len(self._limits)

    def _require_constant(self, slot: int, operand: Operand, frame: _Frame) -> None:
        if self._table.varies(slot):
            message = f"{operand.value.role} depends on the state, by an argument of '{frame.path.stem}'"
            span = operand.expression.span
            self._report(frame.path).error("state-outside", message, span, "it is set where a script begins")

    def _give_up(self, bound: str) -> None:
        root = self._scripts[0]
        message = f"'{root.stem}' expands to more than {bound}: its calls multiply"
        self._report(root).error("too-large", message, self._script(root).script.header_span)
        self._waiting.clear()

    def _expand_phase(self, row: int, phase: BoundPhase, frame: _Frame, rows: dict[float, int], reached: bool) -> None:
        columns, scope = self._phases[row], self._scope(frame, row)
        number, operations = int(phase.number), self._table.operations
        columns[layout.PHASE_PLACE] = self._place(frame, phase.phase.span, phase.phase.header_span)
        columns[layout.PHASE_ACTION_START] = len(self._actions)
        columns[layout.PHASE_TRANSITION_START] = len(self._transitions)
        # In the order of the text, as the constants are numbered in it: actions and transitions are in that order too.
        actions, transitions = deque(phase.actions), deque(phase.transitions)
        names = StatementNames(frame.path, number, self._character)
        safety = safety_conditions(phase, list(rows))
        for member in phase.phase.members:
            if isinstance(member, Call) and reached:
                columns[layout.PHASE_CALL] = self._call(member, scope, frame, number)
            while actions and _within(actions[0].span, member.span):
                self._actions.append(self._action(actions.popleft(), scope, frame, number, names))
            if transitions and transitions[0].transition is member:
                transition = transitions.popleft()
                if transition.condition is not None:
                    number_of = transition.transition.target.value
                    target = layout.FAIL if transition.transition.fails else rows.get(number_of, layout.EXIT)
                    place = self._place(frame, member.span)
                    at = _Statement(place, scope, frame, number, names, safety)
                    self._transitions.append(self._transition(transition.condition, target, at))
        columns[layout.PHASE_ACTION_END] = len(self._actions)
        columns[layout.PHASE_TRANSITION_END] = len(self._transitions)
        self._mark_varying(columns[layout.PHASE_ACTION_START])
        if self._table.varies_since(operations):
            columns[layout.PHASE_TAPE_START], columns[layout.PHASE_TAPE_END] = operations, self._table.operations

    def _mark_varying(self, first: int) -> None:
        """Mark a phase's PD targets of which a number depends on the state; the last of two for a joint holds."""
        last = {row[layout.ACTION_JOINT]: row for row in self._actions[first:] if row[layout.ACTION_KIND] in _TARGETS}
        for row in last.values():
            operands = row[layout.ACTION_OPERAND : layout.ACTION_OPERAND + 3]
            if any(self._table.varies(slot) for slot in operands):
                row[layout.ACTION_FLAGS] |= ActionFlag.VARYING

    def _scope(self, frame: _Frame, phase: int | None = None) -> Scope:
        return Scope(frame.environment, self._character, phase, frame.depth - 1, frame.mirrored)

    def _call(self, call: Call, scope: Scope, frame: _Frame, number: int) -> int:
        path = self._library.find(call.script.stem)
        if path is None:  # an error that the checker has reported
            return OMITTED
        quantities = self._parameter_quantities(path)
        environment = {}
        for parameter, argument in zip(self._script(path).script.parameters, call.arguments, strict=True):
            role = f"{path.stem} {parameter.text}"
            quantity = quantities.get(parameter.text, "argument")
            known_as = call_id(frame.path, number, path, parameter.text)
            use = Parameter(known_as, role, quantity, number, path=str(frame.path))
            environment[parameter.text] = self._table.slot(argument, scope, use)
        if frame.depth >= layout.MAX_DEPTH:
            message = f"calls nest deeper than {layout.MAX_DEPTH} scripts"
            self._report(frame.path).error("too-deep", message, call.span)
            return OMITTED
        return self._push(path, environment, frame.depth + 1, frame.mirrored != call.mirrored)

    # --- actions and conditions ---

    def _action(
        self, action: BoundAction | StateCommand, scope: Scope, frame: _Frame, number: int, names: StatementNames
    ) -> list[int]:
        place = self._place(frame, action.span)
        if isinstance(action, StateCommand):
            kind = ActionKind.SAVE if action.keyword == "SAVE" else ActionKind.LOAD
            return [
                int(kind),
                OMITTED,
                self._name(action.name),
                int(FeedbackReference.NONE),
                OMITTED,
                0,
                *[OMITTED] * 6,
                place,
            ]
        reference, reference_index = find_reference(self._character, action)
        statement, operands = names.of_action(action), [OMITTED] * 6
        for operand in sorted(action.operands, key=lambda o: _start(o.expression.span)):
            operands[operand.value.slot] = self._operand(operand, scope, frame, number, operand_id(statement, operand))
        row = [
            int(action.kind),
            find_joint(self._character, action.joint),
            find_part(self._character, action.part),
            int(reference),
            reference_index,
            int(action.flags),
            *operands,
            place,
        ]
        return mirrored_action(row, self._character) if frame.mirrored else row

    def _transition(self, condition: BoundCondition, target: int, at: _Statement) -> list[int]:
        """A row of `transitions`, and those of `terms` where several conditions are joined."""
        if not condition.parts:
            return self._condition(condition, target, at)
        first = len(self._terms)
        self._join(condition, at)
        self._terms.append([int(TransitionKind.END), *[OMITTED] * 4, at.place])
        return [int(TransitionKind.COMPOUND), target, first, OMITTED, OMITTED, at.place]

    def _join(self, condition: BoundCondition, at: _Statement) -> None:
        if not condition.parts:
            self._terms.append(self._condition(condition, OMITTED, at))
            return
        for part in condition.parts:
            self._join(part, at)
        self._terms.append([int(condition.kind), *[OMITTED] * 4, at.place])

    def _condition(self, condition: BoundCondition, target: int, at: _Statement) -> list[int]:
        part = find_part(self._character, condition.part)
        if condition.key is not None:
            part = self._name(condition.key)
        statement, operands = at.names.of_condition(condition), [OMITTED, OMITTED]
        for operand in condition.operands:
            known_as = operand_id(statement, operand)
            operands[operand.value.slot] = self._operand(
                operand, at.scope, at.frame, at.number, known_as, safety=id(condition) in at.safety
            )
        row = [int(condition.kind), target, part, *operands, at.place]
        return mirrored_transition(row, self._character) if at.frame.mirrored else row

    def _operand(
        self,
        operand: Operand,
        scope: Scope,
        frame: _Frame,
        number: int | None,
        known_as: str,
        *,
        safety: bool = False,
    ) -> int:
        quantity, path = operand.value.quantity, str(frame.path)
        use = Parameter(known_as, operand.role, quantity, number, path=path, safety=safety)
        slot = self._table.slot(operand.expression, scope, use)
        if not self._table.varies(slot):
            self._check_value(operand, slot, frame)
        return slot

    def _check_value(self, operand: Operand, slot: int, frame: _Frame) -> None:
        """The checks that only the arguments' values make possible."""
        report, span, given = self._report(frame.path), operand.expression.span, self._given(frame)
        try:
            number = self._table.value(slot)
        except ZeroDivisionError:
            report.error("division-by-zero", f"{operand.role} divides by zero", span, given)
        else:
            check_value(operand, number, report, f" ({given})" if given else "")

    def _given(self, frame: _Frame) -> str:
        """The values of a frame's parameters, for messages."""
        values: list[str] = []
        for name, slot in frame.environment.items():
            if self._table.varies(slot):
                continue
            try:
                values.append(f"{name} = {self._table.value(slot):g}")
            except ZeroDivisionError:
                continue
        return "with " + ", ".join(values) if values else ""

    # --- places and names ---

    def _report(self, path: Path) -> FindingCollector:
        if path not in self._reports:
            parsed = self._library.parse(path)
            self._reports[path] = FindingCollector(parsed.path, parsed.text)
        return self._reports[path]

    def _name(self, name: str) -> int:
        return self._names.setdefault(name, len(self._names))

    def _place(self, frame: _Frame, span: Span, shown: Span | None = None) -> int:
        column = (shown or span).column
        line = (frame.path, span.line)
        if line not in self._lines:  # one text for all that stand in it
            self._lines[line] = self._report(frame.path).line(span.line).strip()[:_SHOWN]
        text = self._lines[line]
        self._places.append(Place(str(frame.path), frame.path.stem, span.line, column, text))
        return len(self._places) - 1


def _array(rows: list[list[int]], columns: int) -> IntArray:
    return np.array(rows, dtype=np.int64).reshape(-1, columns)


def _start(span: Span) -> tuple[int, int]:
    return span.line, span.column


def _within(inner: Span, outer: Span) -> bool:
    return _start(outer) <= _start(inner) < (outer.end_line, outer.end_column)
