"""Literals become constants, expressions become rows of the tape.

While a program grows, a slot is a number >= 0 for a constant and <= -2 for a row of the tape, since
the number of constants is only known at the end; `final` gives the slot of the finished program.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace

import numpy as np

from ctrlgraph.character.model import Character
from ctrlgraph.control.parameters import Parameter
from ctrlgraph.control.script.identity import numbered
from ctrlgraph.control.script.program import OMITTED, TAPE_COLUMNS, FloatArray, IntArray
from ctrlgraph.control.script.syntax.quantities import STATE_FORMS, STATE_VARIABLES
from ctrlgraph.control.script.syntax.syntax import Binary, Expression, Group, Name, Negation, Number, State
from ctrlgraph.control.script.tape import OF_JOINTS, TapeOp, is_of_slots

_OPERATORS = {"+": TapeOp.ADD, "-": TapeOp.SUBTRACT, "*": TapeOp.MULTIPLY, "/": TapeOp.DIVIDE}


@dataclass(frozen=True, slots=True)
class Scope:
    """Where an expression stands: the slots of its script's parameters, and what the state is to it.

    phase: its row, None before the phases; level: of the call stack on which it runs; mirrored: right and left are
    exchanged.
    """

    environment: dict[str, int]
    character: Character
    phase: int | None = None
    level: int = 0
    mirrored: bool = False


class ConstantTable:
    """The constants and the tape of a program in the making.

    Rows that depend on the state are of one phase: they are computed anew while it is active.
    """

    def __init__(self) -> None:
        self.values: list[float] = []
        self.parameters: list[Parameter] = []
        self._ids: Counter[str] = Counter()
        self._slots: dict[tuple[str, int, int], int] = {}
        self._tape: list[tuple[int, int, int]] = []
        self._rows: dict[tuple[int, int, int, int | None], int] = {}
        self._row_values: list[float | None] = []  # None: it divides by zero
        self._varying: list[bool] = []

    @property
    def operations(self) -> int:
        """Return how many rows the tape has."""
        return len(self._tape)

    def add_argument(self, parameter: Parameter, value: float) -> int:
        """Return a constant given from outside; such constants come before all others."""
        return self._add(parameter, value)

    def varies(self, slot: int) -> bool:
        """Tell whether a slot's value depends on the state."""
        return slot < OMITTED and self._varying[-slot - 2]

    def varies_since(self, operations: int) -> bool:
        """Return whether an operation after the first `operations` depends on the state."""
        return any(self._varying[operations:])

    def slot(self, expression: Expression, scope: Scope, use: Parameter) -> int:
        """Return the slot of an expression's value.

        Args:
            expression: expression of a script.
            scope: where it stands.
            use: what a literal of the expression is: its id (where there are several literals, the first one's), its
                role, quantity and phase, and the script's file; a literal of the text is one constant however often
                its script is expanded.
        """
        if isinstance(expression, Number):
            return self._literal(expression, use)
        if isinstance(expression, Name):
            return scope.environment[expression.text]
        if isinstance(expression, Group):
            return self.slot(expression.inner, scope, use)
        if isinstance(expression, Negation):
            return self._row(TapeOp.NEGATE, self.slot(expression.operand, scope, use), OMITTED, scope)
        if isinstance(expression, State):
            return self._state(expression, scope, use)
        # A factor has no unit of its own that the form would tell.
        part = use if expression.operator in "+-" else replace(use, quantity="argument")
        left = self.slot(expression.left, scope, part)
        right = self.slot(expression.right, scope, part)
        return self._row(_OPERATORS[expression.operator], left, right, scope)

    def final(self, slot: int) -> int:
        """Return the slot in the finished program."""
        return slot if slot >= OMITTED else len(self.values) - slot - 2

    def constants(self) -> FloatArray:
        """Return the values of the slots."""
        return np.array(self.values, dtype=np.float64)

    def tape(self) -> IntArray:
        """Return the rows of the tape, (n, 3)."""
        rows = [
            (op, self.final(left), self.final(right)) if is_of_slots(op) else (op, left, right)
            for op, left, right in self._tape
        ]
        return np.array(rows, dtype=np.int64).reshape(-1, TAPE_COLUMNS)

    def value(self, slot: int) -> float:
        """Return the present value of a slot.

        Raises:
            ZeroDivisionError: its expression divides by zero.
        """
        value = self._value(slot)
        if value is None:
            raise ZeroDivisionError
        return value

    def _value(self, slot: int) -> float | None:
        return self.values[slot] if slot >= 0 else self._row_values[-slot - 2]

    def _literal(self, number: Number, use: Parameter) -> int:
        span = number.span
        place = (use.path, span.line, span.column)
        if place not in self._slots:
            line, column, end = span.line, span.column, span.end_column
            here = replace(use, low=number.low, high=number.high, line=line, column=column, end_column=end)
            self._slots[place] = self._add(here, number.value)
        return self._slots[place]

    def _add(self, parameter: Parameter, value: float) -> int:
        self._ids[parameter.id] += 1
        # of several literals in one expression, the second is #2
        self.parameters.append(replace(parameter, id=numbered(parameter.id, self._ids[parameter.id])))
        self.values.append(float(value))
        return len(self.values) - 1

    def _state(self, state: State, scope: Scope, use: Parameter) -> int:
        """The slot of a quantity of the state."""
        form = (STATE_FORMS | STATE_VARIABLES)[state.word.text]
        if state.value is not None:
            place = self.slot(state.value, scope, replace(use, quantity="length"))
            return self._append((int(form.op), place, OMITTED), scope.phase, None)
        op, index = form.op, OMITTED
        if op is TapeOp.PHASE_TIME:
            index = scope.level
        elif state.target is not None:
            index = _index(state, scope.character)
            if scope.mirrored:
                character = scope.character
                index = (character.opposite_joints if op in OF_JOINTS else character.opposite_links)[index]
        return self._append((int(op), index, state.index if form.counted else OMITTED), scope.phase, None)

    def _row(self, op: TapeOp, left: int, right: int, scope: Scope) -> int:
        row = (int(op), left, right)
        if self.varies(left) or self.varies(right):
            return self._append(row, scope.phase, None)
        a, b = self._value(left), 0.0 if right == OMITTED else self._value(right)
        return self._append(row, None, None if a is None or b is None else _apply(op, a, b), varies=False)

    def _append(self, row: tuple[int, int, int], phase: int | None, value: float | None, *, varies: bool = True) -> int:
        """The slot of a row, each made once, in each phase where it varies."""
        key = (*row, phase)
        if key not in self._rows:
            self._rows[key] = -len(self._tape) - 2
            self._tape.append(row)
            self._row_values.append(value)
            self._varying.append(varies)
        return self._rows[key]


def _apply(op: int, a: float, b: float) -> float | None:
    """The result of an operation, None for a division by zero."""
    if op == TapeOp.NEGATE:
        return -a
    if op == TapeOp.ADD:
        return a + b
    if op == TapeOp.SUBTRACT:
        return a - b
    if op == TapeOp.MULTIPLY:
        return a * b
    return a / b if b != 0.0 else None


def evaluate(expression: Expression) -> float | None:
    """Return the value of an expression without parameters and the state, None for one that has some.

    Raises:
        ZeroDivisionError: it divides by zero.
    """
    if isinstance(expression, Number):
        return expression.value
    if isinstance(expression, Name | State):
        return None
    if isinstance(expression, Group):
        return evaluate(expression.inner)
    if isinstance(expression, Negation):
        inner = evaluate(expression.operand)
        return None if inner is None else -inner
    return _evaluate_binary(expression)


def _evaluate_binary(expression: Binary) -> float | None:
    left, right = evaluate(expression.left), evaluate(expression.right)
    if right == 0.0 and expression.operator == "/":
        raise ZeroDivisionError
    if left is None or right is None:
        return None
    return _apply(_OPERATORS[expression.operator], left, right)


def _index(state: State, character: Character) -> int:
    """The index of the joint or the link that a quantity is of."""
    word = "" if state.target is None else state.target.text
    of_joint = STATE_FORMS[state.word.text].takes == "joint"
    found = character.joint_index(word) if of_joint else character.link_index(word)
    return OMITTED if found is None else found
