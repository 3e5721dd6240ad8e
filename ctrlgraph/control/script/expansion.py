"""Expansion of a script and its calls into the arrays of a `Program`.

Every call gets its own copy of the called script's phases, a frame. In the copy, numbers of the caller replace the
parameters. A literal of the text is one constant, even if its script is expanded several times. So a tuned value
belongs to exactly one place in the text.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from ctrlgraph.character.model import Character
from ctrlgraph.control.controller import Place
from ctrlgraph.control.parameters import Parameter
from ctrlgraph.control.script import program as layout
from ctrlgraph.control.script.bounds import MAX_OPERATIONS, MAX_PHASES, MAX_STATEMENTS
from ctrlgraph.control.script.checks.binding import BoundAction, BoundCondition, Operand
from ctrlgraph.control.script.checks.flow import reachable_phases
from ctrlgraph.control.script.checks.names import find_joint, find_part, find_reference
from ctrlgraph.control.script.checks.phases import (
    BoundPhase,
    BoundScript,
    BoundTransition,
    bind_script,
    parameter_quantities,
)
from ctrlgraph.control.script.checks.ranges import PD_KINDS, check_value
from ctrlgraph.control.script.checks.report import FindingCollector
from ctrlgraph.control.script.checks.sides import with_both_sides
from ctrlgraph.control.script.codes import EXIT, FAIL, MAX_DEPTH, OMITTED, ActionFlag, ActionKind, TransitionKind
from ctrlgraph.control.script.constants import ConstantTable, Scope, ScriptFrame, constant_value
from ctrlgraph.control.script.identity import (
    StatementNames,
    argument_id,
    call_id,
    header_id,
    meaning_digest,
    operand_id,
)
from ctrlgraph.control.script.library import ScriptLibrary
from ctrlgraph.control.script.mirror import mirrored_actions, mirrored_transitions
from ctrlgraph.control.script.program import Program, is_fall
from ctrlgraph.control.script.syntax.forms import FALLEN_KINDS
from ctrlgraph.control.script.syntax.syntax import Call, StateCommand
from ctrlgraph.errors import SourceError, Span
from ctrlgraph.kernels.constants import FeedbackReference

_SHOWN = 200
"""Maximum number of characters of a line that a place shows."""


@dataclass(frozen=True, slots=True)
class _Statement:
    """Context of a transition while it is converted to rows of the program.

    Attributes:
        place: Index of the transition's position in `Program.places`.
        scope: Copy of the script, and phase, that contain the transition.
        names: Names of the phase's statements, for the ids of parameters.
        safety: Result of `safety_conditions` for the phase: conditions by which the script gives up.
    """

    place: int
    scope: Scope
    names: StatementNames
    safety: frozenset[int]


class Expansion:
    """Builder of a program from a script and all scripts that it calls.

    A frame is a copy of a script. Frames are expanded breadth first, so that the phases of each frame are adjacent.
    """

    def __init__(self, library: ScriptLibrary, character: Character, scripts: list[Path]) -> None:
        self._library = library
        self._character = character
        self._scripts = scripts
        self._bound: dict[Path, BoundScript] = {}
        self._quantities: dict[Path, dict[str, str]] = {}
        self._table = ConstantTable(character)
        self._rows: dict[str, list[list[int]]] = {array: [] for array in layout.ROW_REFERENCES}
        self._places: list[Place] = []
        self._names: dict[str, int] = {}
        self._lines: dict[tuple[Path, int], str] = {}
        self._waiting: deque[ScriptFrame] = deque()
        self._reports: dict[Path, FindingCollector] = {}

    def program(self, path: Path, args: list[float]) -> Program:
        """Expand the root script with all its calls, and return the finished program.

        Args:
            path: file of the root script.
            args: values of the root script's parameters, in their order.

        Raises:
            SourceError: with these arguments, a number is outside its allowed range or an expression divides by zero;
                or the calls are nested too deeply or expand to a program above the maximum sizes.
        """
        environment = {}
        quantities = self._parameter_quantities(path)
        for (parameter, quantity), value in zip(quantities.items(), args, strict=True):
            role = f"{path.stem} {parameter}"
            argument = Parameter(argument_id(path, parameter), role, quantity, path=str(path))
            environment[parameter] = self._table.add(argument, value)
        self._push(path, environment, 1)
        while self._waiting:
            self._expand(self._waiting.popleft())
        problems = [finding for report in self._reports.values() for finding in report.sorted()]
        if problems:
            raise SourceError(problems)
        self._rows["tape"] = self._table.tape()
        for array, columns in layout.SLOT_COLUMNS.items():
            for row in self._rows[array] if array != "tape" else ():
                for column in columns:
                    row[column] = self._table.final(row[column])
        arrays: dict[str, Any] = {
            array: np.array(rows, np.int64).reshape(-1, layout.COLUMNS[array]) for array, rows in self._rows.items()
        }
        program = Program(
            name=path.stem,
            path=str(path),
            constants=np.array(self._table.values, dtype=np.float64),
            parameters=tuple(self._table.parameters),
            places=tuple(self._places),
            names=tuple(self._names),
            digest="",
            **arrays,
        )
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

    def _parameter_quantities(self, path: Path) -> dict[str, str]:
        if path not in self._quantities:
            self._quantities[path] = parameter_quantities(self._script(path), self._callee_quantities)
        return self._quantities[path]

    def _callee_quantities(self, call: Call) -> dict[str, str]:
        called = self._library.find(call.script.stem)
        return self._parameter_quantities(called) if called in self._scripts and called is not None else {}

    # --- frames and phases ---

    def _push(self, path: Path, environment: dict[str, int], depth: int, mirrored: bool = False) -> int:
        index = len(self._rows["frames"])
        self._rows["frames"].append([OMITTED, OMITTED, 0, 0])
        self._waiting.append(ScriptFrame(index, path, environment, depth, mirrored))
        return index

    def _expand(self, frame: ScriptFrame) -> None:
        bound = self._script(frame.path)
        columns, first = self._rows["frames"][frame.index], len(self._rows["phases"])
        columns[layout.FRAME_FIRST_PHASE] = first
        if bound.limits:
            columns[layout.FRAME_TORQUE_LIMIT] = self._limit(bound.limits[0], frame, header_id(frame.path))
        columns[layout.FRAME_LIMIT_START] = len(self._rows["limits"])
        for limit in bound.joint_limits:
            joint = find_joint(self._character, limit.joint)
            known_as = header_id(frame.path, limit.both or self._character.joint_names[joint])
            slot = self._limit(limit.operand, frame, known_as)
            self._rows["limits"].append([self._character.opposite_joints[joint] if frame.mirrored else joint, slot])
        columns[layout.FRAME_LIMIT_END] = len(self._rows["limits"])
        if first + len(bound.phases) > MAX_PHASES:
            self._give_up(f"{MAX_PHASES} phases")
            return
        rows = {phase.number: first + i for i, phase in enumerate(bound.phases)}
        reached = reachable_phases(bound.script)
        for index, phase in enumerate(bound.phases):
            self._expand_phase(phase, frame, rows, index in reached)
            if len(self._rows["actions"]) + len(self._rows["transitions"]) > MAX_STATEMENTS:
                self._give_up(f"{MAX_STATEMENTS} actions and transitions")
                return
            if self._table.operations > MAX_OPERATIONS:
                self._give_up(f"{MAX_OPERATIONS} operators in expressions")
                return

    def _limit(self, operand: Operand, frame: ScriptFrame, known_as: str) -> int:
        """Return the slot (index of a number) of a torque limit. Report an error if the limit depends on the state.

        Args:
            operand: the limit in the text.
            frame: copy of the script that sets the limit.
            known_as: parameter id of a literal in the limit.
        """
        slot = self._operand(operand, Scope(frame), known_as)
        if self._table.varies(slot):
            message = (
                f"{operand.value.role} depends on the state, because an argument of the call of"
                f" '{frame.path.stem}' does"
            )
            hint = "torque limits must be constant: they are set once, when the script begins"
            self._report(frame.path).error("state-outside", message, operand.expression.span, hint)
        return slot

    def _give_up(self, bound: str) -> None:
        root = self._scripts[0]
        message = f"'{root.stem}' has more than {bound}, counted again for each call of a script: use fewer calls"
        self._report(root).error("too-large", message, self._script(root).script.header_span)
        self._waiting.clear()

    def _expand_phase(self, phase: BoundPhase, frame: ScriptFrame, rows: dict[float, int], reached: bool) -> None:
        number, operations = int(phase.number), self._table.operations
        columns = [frame.index, number, OMITTED, *[0] * (layout.PHASE_COLUMNS - 3)]
        scope = Scope(frame, len(self._rows["phases"]), number)
        self._rows["phases"].append(columns)
        columns[layout.PHASE_PLACE] = self._place(frame, phase.phase.span, phase.phase.header_span)
        columns[layout.PHASE_ACTION_START] = len(self._rows["actions"])
        columns[layout.PHASE_TRANSITION_START] = len(self._rows["transitions"])
        # In the order of the text, as the constants are numbered in it: actions and transitions are in that order too.
        actions, transitions = deque(phase.actions), deque(phase.transitions)
        names = StatementNames(frame.path, number, self._character)
        safety = safety_conditions(phase, list(rows))
        for member in phase.phase.members:
            if isinstance(member, Call) and reached:
                columns[layout.PHASE_CALL] = self._call(member, scope)
            while actions and _within(actions[0].span, member.span):
                self._rows["actions"].append(self._action(actions.popleft(), scope, names))
            if transitions and transitions[0].transition is member:
                transition = transitions.popleft()
                if transition.condition is not None:
                    target = FAIL if member.fails else rows.get(member.target.value, EXIT)
                    at = _Statement(self._place(frame, member.span), scope, names, safety)
                    self._rows["transitions"].append(self._transition(transition.condition, target, at))
        columns[layout.PHASE_ACTION_END] = len(self._rows["actions"])
        columns[layout.PHASE_TRANSITION_END] = len(self._rows["transitions"])
        self._mark_varying(columns[layout.PHASE_ACTION_START])
        if self._table.varies_since(operations):
            columns[layout.PHASE_TAPE_START], columns[layout.PHASE_TAPE_END] = operations, self._table.operations

    def _mark_varying(self, first: int) -> None:
        """Mark the joint targets of a phase whose angle or gains depend on the state (`ActionFlag.VARYING`).

        If a joint has two targets in the phase, only the last one has an effect and is marked.

        Args:
            first: first row of the phase in `Program.actions`; its last row is the last one so far.
        """
        actions = self._rows["actions"][first:]
        last = {row[layout.ACTION_JOINT]: row for row in actions if row[layout.ACTION_KIND] in PD_KINDS}
        for row in last.values():
            operands = row[layout.ACTION_OPERAND : layout.ACTION_OPERAND + 3]
            if any(self._table.varies(slot) for slot in operands):
                row[layout.ACTION_FLAGS] |= ActionFlag.VARYING

    def _call(self, call: Call, scope: Scope) -> int:
        frame, path = scope.frame, self._library.find(call.script.stem)
        if path is None:  # an error that the checker has reported
            return OMITTED
        environment = {}
        quantities = self._parameter_quantities(path)
        for (parameter, quantity), argument in zip(quantities.items(), call.arguments, strict=True):
            known_as, role = call_id(frame.path, scope.number or 0, path, parameter), f"{path.stem} {parameter}"
            use = Parameter(known_as, role, quantity, scope.number, path=str(frame.path))
            environment[parameter] = self._table.slot(argument, scope, use)
        if frame.depth >= MAX_DEPTH:
            self._report(frame.path).error("too-deep", f"at most {MAX_DEPTH} calls may nest: remove a level", call.span)
            return OMITTED
        return self._push(path, environment, frame.depth + 1, frame.mirrored != call.mirrored)

    # --- actions and conditions ---

    def _action(self, action: BoundAction | StateCommand, scope: Scope, names: StatementNames) -> list[int]:
        place, operands = self._place(scope.frame, action.span), [OMITTED] * 6
        if isinstance(action, StateCommand):
            name = self._names.setdefault(action.name, len(self._names))
            return [ActionKind[action.keyword], OMITTED, name, FeedbackReference.NONE, OMITTED, 0, *operands, place]
        statement = names.of_action(action)
        for operand in sorted(action.operands, key=lambda o: _start(o.expression.span)):
            operands[operand.value.slot] = self._operand(operand, scope, operand_id(statement, operand))
        joint, part = find_joint(self._character, action.joint), find_part(self._character, action.part)
        reference = find_reference(self._character, action)
        row = [action.kind, joint, part, *reference, action.flags, *operands, place]
        return mirrored_actions(np.array([row]), self._character)[0].tolist() if scope.frame.mirrored else row

    def _transition(self, condition: BoundCondition, target: int, at: _Statement) -> list[int]:
        """Return a transition as a row of `transitions`. If it joins several conditions, add these to `terms`.

        Args:
            condition: condition of the transition.
            target: row of the next phase, EXIT or FAIL.
            at: context of the transition.
        """
        if not condition.parts:
            return self._condition(condition, target, at)
        first = len(self._rows["terms"])
        self._join(condition, at)
        self._rows["terms"].append([TransitionKind.END, *[OMITTED] * 4, at.place])
        return [TransitionKind.COMPOUND, target, first, OMITTED, OMITTED, at.place]

    def _join(self, condition: BoundCondition, at: _Statement) -> None:
        if not condition.parts:
            self._rows["terms"].append(self._condition(condition, OMITTED, at))
            return
        for part in condition.parts:
            self._join(part, at)
        self._rows["terms"].append([condition.kind, *[OMITTED] * 4, at.place])

    def _condition(self, condition: BoundCondition, target: int, at: _Statement) -> list[int]:
        part = find_part(self._character, condition.part)
        statement, operands = at.names.of_condition(condition), [OMITTED, OMITTED]
        for operand in condition.operands:
            known_as, safety = operand_id(statement, operand), id(condition) in at.safety
            operands[operand.value.slot] = self._operand(operand, at.scope, known_as, safety=safety)
        row = [condition.kind, target, part, *operands, at.place]
        mirrored = at.scope.frame.mirrored
        return mirrored_transitions(np.array([row]), self._character)[0].tolist() if mirrored else row

    def _operand(self, operand: Operand, scope: Scope, known_as: str, *, safety: bool = False) -> int:
        frame, quantity = scope.frame, operand.value.quantity
        use = Parameter(known_as, operand.role, quantity, scope.number, path=str(frame.path), safety=safety)
        slot = self._table.slot(operand.expression, scope, use)
        if not self._table.varies(slot):
            self._check_value(operand, self._table.value(slot), frame)
        return slot

    def _check_value(self, operand: Operand, value: float | None, frame: ScriptFrame) -> None:
        """Report an error if the value of an operand is not allowed, or is None because of a division by zero.

        Args:
            operand: the operand.
            value: its value.
            frame: copy of the script; the message shows the values of its parameters.
        """
        values = ((name, self._table.value(slot)) for name, slot in frame.environment.items())
        shown = ", ".join(f"{name} = {number:g}" for name, number in values if number is not None)
        given = f"with {shown}" if shown else ""
        report = self._report(frame.path)
        if value is None:
            message = f"{operand.role} contains a division by 0: change the divisor"
            report.error("division-by-zero", message, operand.expression.span, given)
        else:
            check_value(operand, value, report, f" ({given})" if given else "")

    # --- places ---

    def _report(self, path: Path) -> FindingCollector:
        if path not in self._reports:
            parsed = self._library.parse(path)
            self._reports[path] = FindingCollector(parsed.path, parsed.text)
        return self._reports[path]

    def _place(self, frame: ScriptFrame, span: Span, shown: Span | None = None) -> int:
        column = (shown or span).column
        line = (frame.path, span.line)
        if line not in self._lines:  # all places in a line share its text
            self._lines[line] = self._report(frame.path).line(span.line).strip()[:_SHOWN]
        self._places.append(Place(str(frame.path), frame.path.stem, span.line, column, self._lines[line]))
        return len(self._places) - 1


def safety_conditions(phase: BoundPhase, numbers: Sequence[float]) -> frozenset[int]:
    """Return the Python `id` of each condition of a phase by which the script gives up.

    These are the conditions of a transition to `fail`, a `fallen` that leaves the script, and a `time` that leaves the
    script if another transition of the phase has a condition other than `time` and `fallen`. Searches change the
    numbers in these conditions only on request. Otherwise a search would reduce the cost by giving up later: a fall
    exit at 3 rad never fires.

    Args:
        phase: phase with its conditions.
        numbers: numbers of all phases of the script. A transition to another number leaves the script.
    """
    found: set[int] = set()
    regular = [t for t in phase.transitions if not t.transition.fails and not _is_timeout(t)]
    leads_on = any(not all(map(_tells_fall, t.leaves())) for t in regular)
    for bound in phase.transitions:
        leads_out = bound.transition.target.value not in numbers
        gives_up = bound.transition.fails or (leads_out and leads_on and _is_timeout(bound))
        for condition in bound.leaves():
            if gives_up or (leads_out and _tells_fall(condition)):
                found.add(id(condition))
    return frozenset(found)


def _is_timeout(bound: BoundTransition) -> bool:
    return bound.condition is not None and bound.condition.kind is TransitionKind.TIME


def _tells_fall(condition: BoundCondition) -> bool:
    """Return whether a condition can detect a fall: a `fallen` whose angle means a fall or is a parameter."""
    if condition.kind not in FALLEN_KINDS.values():
        return False
    angle = constant_value(condition.operands[0].expression)
    return angle is None or is_fall(condition.kind, angle)


def _start(span: Span) -> tuple[int, int]:
    return span.line, span.column


def _within(inner: Span, outer: Span) -> bool:
    return _start(outer) <= _start(inner) < (outer.end_line, outer.end_column)
