"""Validation of sweeps and trials that are read from a database, which may be damaged or hostile.

SQLite checks the types of the columns. This module checks the JSON in text columns, and limits its size.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from functools import cache
from typing import Annotated, Any, Self

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError, model_validator

from ctrlgraph.bounds import MAX_TRIALS_IN_ALL
from ctrlgraph.yaml_source import dotted, shown_value

Finite = Annotated[float, Field(allow_inf_nan=False)]
Texts = dict[str, str]
Pair = Annotated[list[Any], Field(min_length=2, max_length=2)]


class _Stored(BaseModel):
    model_config = ConfigDict(extra="ignore", strict=True)


class _Sweep(_Stored):
    trials: Annotated[int, Field(ge=0, le=MAX_TRIALS_IN_ALL)]
    seed: Annotated[int, Field(ge=0)]
    axes: Annotated[list[Pair], Field(max_length=2)]
    perturbations: dict[str, Finite | str]
    versions: Texts
    hashes: Texts

    @model_validator(mode="after")
    def _bounded(self) -> Self:
        points = 1
        for name, values in self.axes:
            if not isinstance(name, str) or not isinstance(values, list) or not all(map(_is_number, values)):
                raise ValueError(f"the field 'axes' must be pairs of a name and numbers, not {shown_value(self.axes)}")
            points *= len(values)
        if points * self.trials > MAX_TRIALS_IN_ALL:
            raise ValueError(f"points x trials must be at most {MAX_TRIALS_IN_ALL}, not {points * self.trials}")
        names = [name for name, _ in self.axes]
        if len(set(names)) < len(names):
            raise ValueError(f"the axes of the sweep must have different names, not {', '.join(names)}")
        step, confirm = self.perturbations.get("limit_step", 1.0), self.perturbations.get("limit_confirm", 0)
        if not _is_number(step) or not float(step) >= 1e-6:
            raise ValueError(f"'limit_step' must be a number of at least 1e-6, not {shown_value(step)}")
        if not isinstance(confirm, int | float) or not 0 <= confirm <= 10_000 or confirm != int(confirm):
            raise ValueError(f"'limit_confirm' must be a whole number from 0 to 10000, not {shown_value(confirm)}")
        return self


_MAX_TEXT = 1_000_000  # characters; parsed, a text can take 50 times as much memory
_JSON = ("perturbations", "versions", "hashes", "axes")


def checked_sweep(row: Mapping[str, Any]) -> dict[str, Any]:
    """Check a stored sweep, and return its fields by name, with the JSON texts parsed.

    Args:
        row: Values of a row of the database, by name of the column.

    Raises:
        ValueError: A field is invalid.
    """
    values = dict(row) | {name: read_json(row.get(name, "[]"), name) for name in _JSON}
    try:
        _Sweep.model_validate(values)
    except ValidationError as error:
        fault = error.errors()[0]
        if fault["type"] == "value_error":
            raise ValueError(str(fault["ctx"]["error"])) from None
        raise ValueError(
            f"the field '{dotted(fault['loc'])}' has the invalid value {shown_value(fault['input'])}: {fault['msg']}"
        ) from None
    values["axes"] = tuple((name, tuple(points)) for name, points in values["axes"])
    return values


def checked_point(text: str) -> tuple[tuple[str, float], ...]:
    """Parse the point of a stored trial: (name, value) of each axis of the sweep.

    Args:
        text: Point as JSON, such as '[["slope", 4.0]]'.

    Raises:
        ValueError: The text is not a JSON list of pairs of a name and a finite number.
    """
    try:
        return tuple((name, value) for name, value in _points().validate_python(read_json(text, "point")))
    except ValidationError:
        raise ValueError(f"a trial's point must be pairs of a name and a number, not {shown_value(text)}") from None


@cache
def _points() -> TypeAdapter[list[tuple[str, float]]]:
    return TypeAdapter(list[tuple[str, Finite]])


def read_json(text: Any, column: str) -> Any:
    """Parse the JSON text of a column of the database.

    Args:
        text: Value of the column, which should be a text.
        column: Name of the column, for messages.

    Raises:
        ValueError: The text is not JSON, too long, or nested too deeply.
    """
    if isinstance(text, str) and len(text) > _MAX_TEXT:
        raise ValueError(f"the text in the column '{column}' must have at most {_MAX_TEXT} characters, not {len(text)}")
    try:
        return json.loads(text)
    except RecursionError:
        raise ValueError(f"the JSON text in the column '{column}' is nested too deeply") from None
    except (ValueError, TypeError):
        raise ValueError(f"the column '{column}' must contain JSON, not {shown_value(text)}") from None


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < math.inf
