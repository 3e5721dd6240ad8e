"""Literals become constants, expressions become rows of the tape.

While a program grows, a slot is a number >= 0 for a constant and <= -2 for a row of the tape, since
the number of constants is only known at the end; `final` gives the slot of the finished program.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import numpy as np

from ctrlgraph.control.parameters import Parameter
from ctrlgraph.control.script.identity import numbered
from ctrlgraph.control.script.program import OMITTED, TAPE_COLUMNS, FloatArray, IntArray, TapeOp
from ctrlgraph.control.script.syntax.syntax import Binary, Expression, Group, Name, Negation, Number

_OPERATORS = {"+": TapeOp.ADD, "-": TapeOp.SUBTRACT, "*": TapeOp.MULTIPLY, "/": TapeOp.DIVIDE}


class ConstantTable:
    """The constants and the tape of a program in the making."""

    def __init__(self) -> None:
        self.values: list[float] = []
        self.parameters: list[Parameter] = []
        self._ids: Counter[str] = Counter()
        self._slots: dict[tuple[str, int, int], int] = {}
        self._tape: list[tuple[int, int, int]] = []
        self._rows: dict[tuple[int, int, int], int] = {}
        self._row_values: list[float | None] = []  # None: it divides by zero

    @property
    def operations(self) -> int:
        """Return how many rows the tape has."""
        return len(self._tape)

    def add_argument(self, parameter: Parameter, value: float) -> int:
        """Return a constant given from outside; such constants come before all others."""
        return self._add(parameter, value)

    def slot(self, expression: Expression, environment: dict[str, int], use: Parameter) -> int:
        """Return the slot of an expression's value.

        Args:
            environment: slots of the script's parameters.
            use: what a literal of the expression is: its id (where there are several literals, the first one's), its
                role, quantity and phase, and the script's file; a literal of the text is one constant however often
                its script is expanded.
        """
        if isinstance(expression, Number):
            return self._literal(expression, use)
        if isinstance(expression, Name):
            return environment[expression.text]
        if isinstance(expression, Group):
            return self.slot(expression.inner, environment, use)
        if isinstance(expression, Negation):
            return self._row(TapeOp.NEGATE, self.slot(expression.operand, environment, use), OMITTED)
        # A factor has no unit of its own that the form would tell.
        part = use if expression.operator in "+-" else replace(use, quantity="argument")
        left = self.slot(expression.left, environment, part)
        right = self.slot(expression.right, environment, part)
        return self._row(_OPERATORS[expression.operator], left, right)

    def final(self, slot: int) -> int:
        """Return the slot in the finished program."""
        return slot if slot >= OMITTED else len(self.values) - slot - 2

    def constants(self) -> FloatArray:
        return np.array(self.values, dtype=np.float64)

    def tape(self) -> IntArray:
        rows = [(op, self.final(left), self.final(right)) for op, left, right in self._tape]
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

    def _row(self, op: TapeOp, left: int, right: int) -> int:
        row = (int(op), left, right)
        if row not in self._rows:
            self._rows[row] = -len(self._tape) - 2
            self._tape.append(row)
            a, b = self._value(left), 0.0 if right == OMITTED else self._value(right)
            self._row_values.append(None if a is None or b is None else _apply(op, a, b))
        return self._rows[row]


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
    """Return the value of an expression without parameters, None for one that has some.

    Raises:
        ZeroDivisionError: it divides by zero.
    """
    if isinstance(expression, Number):
        return expression.value
    if isinstance(expression, Name):
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
