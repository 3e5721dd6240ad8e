"""Conversion between Python records and rows of the run log's tables, with validation of the rows that are read."""

from __future__ import annotations

import dataclasses
import json
import math
from collections.abc import Sequence
from types import NoneType
from typing import Any

from ctrlgraph.run_log.record import AttemptRecord, RunRecord

RUN_COLUMNS = tuple(field.name for field in dataclasses.fields(RunRecord))
"""Columns of the table of runs."""
ATTEMPT_COLUMNS = tuple(field.name for field in dataclasses.fields(AttemptRecord))
"""Columns of the table of attempts."""

_MAX_NAME = 100_000  # characters of a text that is not JSON, such as a command line
_MAX_TEXT = 4_000_000  # characters of a JSON object; parsed, it can take 17 times as much memory
_MAX_DEPTH = 20  # levels of JSON objects and lists
_LAST_TIME = 253402300800.0  # the year 10000, s since 1970

_KINDS: dict[str, tuple[type, ...]] = {
    "str": (str,),
    "str | None": (str, NoneType),
    "int": (int,),
    "int | None": (int, NoneType),
    "bool": (int,),
    "float": (float,),
    "float | None": (float, NoneType),
}
"""Types of a value that SQLite may return for a field of a record, by the type annotation of the field."""


def json_text(data: object) -> str:
    """Return data as a JSON text with sorted keys, in which form the log stores it."""
    return json.dumps(data, sort_keys=True)


def row_of(attempt: AttemptRecord) -> list[Any]:
    """Return an attempt as a row of the log: its values in the order of `ATTEMPT_COLUMNS`."""
    values = {name: getattr(attempt, name) for name in ATTEMPT_COLUMNS}
    # a diverged simulation has NaN values, which neither SQLite nor JSON can store
    measures = {name: _finite(value) for name, value in attempt.measures.items()}
    values |= {"args": json_text(list(attempt.args)), "measures": json_text(measures)}
    values |= {"planned": int(attempt.planned), "energy_j": _finite(attempt.energy_j)}
    return list(values.values())


def attempt_of(row: Sequence[Any]) -> AttemptRecord:
    """Return the attempt in a row of the log.

    Args:
        row: Values in the order of `ATTEMPT_COLUMNS`.

    Raises:
        ValueError, TypeError: A value has a wrong type, is not finite, or is invalid JSON.
    """
    values = _checked(AttemptRecord, row)
    measures = {name: _number(value, name) for name, value in _object(values["measures"], "measures").items()}
    values |= {"args": _numbers(values["args"]), "measures": measures}
    values |= {"planned": bool(values["planned"]), "energy_j": _number(values["energy_j"], "energy_j")}
    return AttemptRecord(**values)


def _checked(record: type[AttemptRecord | RunRecord], row: Sequence[Any]) -> dict[str, Any]:
    """Return the values of a row by name of the column, after a check of their types.

    Only columns of texts and numbers (`_KINDS`) are checked.

    Args:
        record: Class of the record, whose fields are the columns in their order.
        row: Values of the row.

    Raises:
        ValueError: A value has a wrong type, is not finite, or is too long.
    """
    values = {}
    for field, value in zip(dataclasses.fields(record), row, strict=True):
        kinds = _KINDS.get(str(field.type))
        if kinds is not None and field.name != "energy_j":
            if type(value) not in kinds:
                raise ValueError(
                    f"the column '{field.name}' must have the type {kinds[0].__name__}, not {type(value).__name__}"
                )
            if isinstance(value, str) and len(value) > _MAX_NAME:
                raise ValueError(
                    f"the column '{field.name}' must have at most {_MAX_NAME} characters, not {len(value)}"
                )
            if type(value) is float and not math.isfinite(value):
                raise ValueError(f"the column '{field.name}' must be a finite number, not {value}")
        values[field.name] = value
    return values


def _object(text: Any, name: str) -> dict[str, Any]:
    """Parse the JSON object in a column.

    Args:
        text: Value of the column.
        name: Name of the column, for messages.

    Raises:
        ValueError, TypeError: The value is not a JSON object, is too long, or is nested too deeply.
    """
    if len(text) > _MAX_TEXT:
        raise ValueError(f"the column '{name}' must have at most {_MAX_TEXT} characters, not {len(text)}")
    found = json.loads(text)
    if not isinstance(found, dict):
        raise ValueError(f"the column '{name}' must be a JSON object, not {text[:40]}")
    if _depth(found) > _MAX_DEPTH:
        raise ValueError(f"the JSON in the column '{name}' must be nested at most {_MAX_DEPTH} levels deep")
    return found


def _depth(value: Any) -> int:
    items = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return max((_depth(item) + 1 for item in items), default=0)


def _numbers(text: Any) -> tuple[float, ...]:
    found = json.loads(text)
    if not isinstance(found, list) or any(type(value) not in (int, float) for value in found):
        raise ValueError(f"the column 'args' must be a JSON list of numbers, not {text[:40]}")
    return tuple(found)


def _finite(value: float) -> float | None:
    return value if math.isfinite(value) else None


def _number(value: Any, name: str) -> float:
    if value is None:
        return math.nan
    if type(value) not in (int, float):
        raise ValueError(f"the value of '{name}' must be a number or empty, not of type {type(value).__name__}")
    return value  # type: ignore[no-any-return]


def run_of(row: Sequence[Any]) -> RunRecord:
    """Return the logged run in a row of the log.

    Args:
        row: Values in the order of `RUN_COLUMNS`.

    Raises:
        ValueError, TypeError: A value has a wrong type, is not finite, is not a time, or is invalid JSON.
    """
    values = _checked(RunRecord, row)
    for name in ("started", "finished"):
        if values[name] is not None and not 0 <= values[name] < _LAST_TIME:
            raise ValueError(f"the column '{name}' must be a time between 1970 and the year 10000, in s since 1970")
    for name in ("versions", "settings", "summary"):
        if values[name] is not None or name != "summary":
            values[name] = _object(values[name], name)
    return RunRecord(**values)
