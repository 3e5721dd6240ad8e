"""Conversion of the numbers in a script to constants, and of its expressions to rows of the tape.

The tape is the array of all operations of a program. A slot identifies a number of the program: a constant, or the
result of a row of the tape (see `program`). During the construction of a program, the slot of a constant is >= 0 and
that of a row of the tape is <= -2, because the number of constants is not known before the end. `ConstantTable.final`
converts a slot to that of the finished program.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from pathlib import Path

from ctrlgraph.character.model import Character
from ctrlgraph.control.parameters import Parameter
from ctrlgraph.control.script.codes import OMITTED, TapeOp, applied
from ctrlgraph.control.script.identity import numbered
from ctrlgraph.control.script.syntax.forms import OF_JOINTS, STATE_QUANTITIES, is_of_slots
from ctrlgraph.control.script.syntax.syntax import Expression, Group, Name, Negation, Number, State

_OPERATORS = {"+": TapeOp.ADD, "-": TapeOp.SUBTRACT, "*": TapeOp.MULTIPLY, "/": TapeOp.DIVIDE}


@dataclass(frozen=True, slots=True)
class ScriptFrame:
    """One copy of a script in a program. Each call of a script makes a copy, in which the parameters have values."""

    index: int
    """Row of the copy in `Program.frames`."""
    path: Path
    """File of the script."""
    environment: dict[str, int]
    """Slot (index of a number of the program) of each parameter of the script, by name."""
    depth: int
    """Position in the chain of calls: 1 for the root script, 2 for a script that it calls."""
    mirrored: bool = False
    """Whether right and left are exchanged in this copy."""


@dataclass(frozen=True, slots=True)
class Scope:
    """The part of a program that contains an expression: a copy of a script, and a phase of the copy."""

    frame: ScriptFrame
    """Copy of the script."""
    phase: int | None = None
    """Row of the phase in `Program.phases`; None for an expression before the phases."""
    number: int | None = None
    """Number of the phase in the text of the script; None for an expression before the phases."""


class ConstantTable:
    """The constants of a program and the operations of its expressions (the tape), during the program's construction.

    A row of the tape that depends on the state belongs to one phase. It is computed in every tick while that phase is
    active.
    """

    def __init__(self, character: Character) -> None:
        self._character = character
        self.values: list[float] = []
        self.parameters: list[Parameter] = []
        self._ids: Counter[str] = Counter()
        self._slots: dict[tuple[str, int, int], int] = {}
        self._tape: list[tuple[int, int, int]] = []
        self._rows: dict[tuple[int, int, int, int | None], int] = {}
        self._row_values: list[float | None] = []  # None: division by zero
        self._varying: list[bool] = []

    @property
    def operations(self) -> int:
        """Return how many operations of expressions the program has so far: the number of rows of the tape."""
        return len(self._tape)

    def varies(self, slot: int) -> bool:
        """Return whether number `slot` of the compiled script depends on the state of the character."""
        return slot < OMITTED and self._varying[-slot - 2]

    def varies_since(self, operations: int) -> bool:
        """Return whether any row of the tape after the first `operations` rows depends on the character's state.

        The tape has the operations of all expressions.
        """
        return any(self._varying[operations:])

    def slot(self, expression: Expression, scope: Scope, use: Parameter) -> int:
        """Add the literals and operations of an expression to the table, and return the slot of the expression's value.

        A slot is an index of a number. A literal of the text is added once, even if its script is expanded several
        times.

        Args:
            expression: expression of a script.
            scope: the copy of a script, and the phase, that contain the expression.
            use: description of the literals in the expression, as a parameter: id, role, quantity, phase and file. The
                id is that of the first literal; further ones get "#2", "#3" and so on.
        """
        if isinstance(expression, Number):
            return self._literal(expression, use)
        if isinstance(expression, Name):
            return scope.frame.environment[expression.text]
        if isinstance(expression, Group):
            return self.slot(expression.inner, scope, use)
        if isinstance(expression, Negation):
            return self._row(TapeOp.NEGATE, self.slot(expression.operand, scope, use), OMITTED, scope)
        if isinstance(expression, State):
            return self._state(expression, scope, use)
        # The form does not determine the unit of a factor.
        part = use if expression.operator in "+-" else replace(use, quantity="argument")
        left = self.slot(expression.left, scope, part)
        right = self.slot(expression.right, scope, part)
        return self._row(_OPERATORS[expression.operator], left, right, scope)

    def final(self, slot: int) -> int:
        """Convert a slot (an index of a number) of this table to the slot of this number in the finished program."""
        return slot if slot >= OMITTED else len(self.values) - slot - 2

    def tape(self) -> list[list[int]]:
        """Return the operations of all expressions as the array `tape` of the finished program."""
        return [
            [op, self.final(left), self.final(right)] if is_of_slots(op) else [op, left, right]
            for op, left, right in self._tape
        ]

    def value(self, slot: int) -> float | None:
        """Return the number in a slot (an index of a number).

        The result is None if the expression of the number divides by zero or depends on the state of the character.
        """
        return self.values[slot] if slot >= 0 else self._row_values[-slot - 2]

    def _literal(self, number: Number, use: Parameter) -> int:
        span = number.span
        place = (use.path, span.line, span.column)
        if place not in self._slots:
            line, column, end = span.line, span.column, span.end_column
            here = replace(use, low=number.low, high=number.high, line=line, column=column, end_column=end)
            self._slots[place] = self.add(here, number.value)
        return self._slots[place]

    def add(self, parameter: Parameter, value: float) -> int:
        """Add a constant to the program and return its slot, which is its index.

        If the id of the parameter already exists, the new one gets "#2", "#3" and so on.

        Args:
            parameter: description of the constant.
            value: the constant.
        """
        self._ids[parameter.id] += 1
        # of several literals in one expression, the second is #2
        self.parameters.append(replace(parameter, id=numbered(parameter.id, self._ids[parameter.id])))
        self.values.append(float(value))
        return len(self.values) - 1

    def _state(self, state: State, scope: Scope, use: Parameter) -> int:
        """Add the operation that reads a quantity of the state to the tape, and return its slot.

        Args:
            state: the quantity in the text, such as `angle(rKnee)`.
            scope: the copy of a script, and the phase, that contain the quantity.
            use: description of the literals in the argument of `ground(x)`, `slope(x)` and `edge_after(x)`, see `slot`.
        """
        form = STATE_QUANTITIES[state.word.text]
        if state.value is not None:
            place = self.slot(state.value, scope, replace(use, quantity="length"))
            return self._append((int(form.op), place, OMITTED), scope.phase, None)
        op, index = form.op, OMITTED
        if op is TapeOp.PHASE_TIME:
            index = scope.frame.depth - 1
        elif state.target is not None:
            character, word = self._character, state.target.text
            found = character.joint_index(word) if op in OF_JOINTS else character.link_index(word)
            index = OMITTED if found is None else found
            if scope.frame.mirrored:
                index = (character.opposite_joints if op in OF_JOINTS else character.opposite_links)[index]
        return self._append((int(op), index, state.index if form.counted else OMITTED), scope.phase, None)

    def _row(self, op: TapeOp, left: int, right: int, scope: Scope) -> int:
        row = (int(op), left, right)
        if self.varies(left) or self.varies(right):
            return self._append(row, scope.phase, None)
        a, b = self.value(left), 0.0 if right == OMITTED else self.value(right)
        return self._append(row, None, None if a is None or b is None else applied(op, a, b), varies=False)

    def _append(self, row: tuple[int, int, int], phase: int | None, value: float | None, *, varies: bool = True) -> int:
        """Add an operation to the tape, the operations of all expressions, unless it is there already. Return its slot.

        Args:
            row: operation, left operand and right operand.
            phase: phase of the operation, if it depends on the state; otherwise None. Phases do not share such
                operations.
            value: result of the operation; None if it depends on the state or divides by zero.
            varies: whether the result depends on the state.
        """
        key = (*row, phase)
        if key not in self._rows:
            self._rows[key] = -len(self._tape) - 2
            self._tape.append(row)
            self._row_values.append(value)
            self._varying.append(varies)
        return self._rows[key]


def constant_value(expression: Expression) -> float | None:
    """Return the value of an expression; None if it depends on parameters or the state, or divides by zero."""
    if isinstance(expression, Number):
        return expression.value
    if isinstance(expression, Name | State):
        return None
    if isinstance(expression, Group):
        return constant_value(expression.inner)
    if isinstance(expression, Negation):
        operand = constant_value(expression.operand)
        return None if operand is None else -operand
    left, right = constant_value(expression.left), constant_value(expression.right)
    return None if left is None or right is None else applied(_OPERATORS[expression.operator], left, right)
