"""Conversion between records and rows of the run log; rows are validated."""

from __future__ import annotations

import dataclasses
import json
import math
from collections.abc import Sequence
from types import NoneType
from typing import Any

from ctrlgraph.runs.record import AttemptRecord, RunRecord

RUN_COLUMNS = ("id", "command", "started", "seed", "graph_hash", "versions", "settings", "finished", "summary")
ATTEMPT_COLUMNS = tuple(field.name for field in dataclasses.fields(AttemptRecord))

_LAST_TIME = 253402300800.0  # the year 10000, s since 1970

_KINDS: dict[str, tuple[type, ...]] = {
    "str": (str,),
    "str | None": (str, NoneType),
    "int": (int,),
    "int | None": (int, NoneType),
    "bool": (int,),
    "float": (float,),
}
"""SQLite's types of a record's fields."""

_CHECKED = [
    (i, field.name, _KINDS[str(field.type)])
    for i, field in enumerate(dataclasses.fields(AttemptRecord))
    if str(field.type) in _KINDS and field.name != "energy_j"
]


def json_text(data: object) -> str:
    """Return data as JSON, as the log stores it."""
    return json.dumps(data, sort_keys=True)


def row_of(attempt: AttemptRecord) -> list[Any]:
    """Return the values of an attempt in the order of `ATTEMPT_COLUMNS`."""
    values = {name: getattr(attempt, name) for name in ATTEMPT_COLUMNS}
    # neither SQLite nor JSON has NaN, which diverged states contain
    measures = {name: _finite(value) for name, value in attempt.measures.items()}
    values |= {"args": json_text(list(attempt.args)), "measures": json_text(measures)}
    values |= {"planned": int(attempt.planned), "energy_j": _finite(attempt.energy_j)}
    return list(values.values())


def attempt_of(row: Sequence[Any]) -> AttemptRecord:
    """Return the attempt in a row of `ATTEMPT_COLUMNS`.

    Raises:
        ValueError, TypeError: a value is invalid.
    """
    for i, name, kinds in _CHECKED:
        if type(row[i]) not in kinds:
            raise ValueError(f"'{name}' is a {type(row[i]).__name__}")
        if kinds == (float,) and not math.isfinite(row[i]):
            raise ValueError(f"'{name}' is not finite")
    values = dict(zip(ATTEMPT_COLUMNS, row, strict=True))
    measures = {name: _number(value, name) for name, value in _object(values["measures"], "measures").items()}
    values |= {"args": _numbers(values["args"]), "measures": measures}
    values |= {"planned": bool(values["planned"]), "energy_j": _number(values["energy_j"], "energy_j")}
    return AttemptRecord(**values)


def _object(text: Any, name: str) -> dict[str, Any]:
    """Return a JSON object."""
    found = json.loads(text)
    if not isinstance(found, dict):
        raise ValueError(f"'{name}' is not a JSON object")
    return found


def _numbers(text: Any) -> tuple[float, ...]:
    found = json.loads(text)
    if not isinstance(found, list) or any(type(value) not in (int, float) for value in found):
        raise ValueError("'args' is not a JSON list of numbers")
    return tuple(found)


def _finite(value: float) -> float | None:
    return value if math.isfinite(value) else None


def _number(value: Any, name: str) -> float:
    if value is None:
        return math.nan
    if type(value) not in (int, float):
        raise ValueError(f"'{name}' is not a number")
    return value  # type: ignore[no-any-return]


def run_of(row: Sequence[Any]) -> RunRecord:
    """Return the run in a row of `RUN_COLUMNS`.

    Raises:
        ValueError, TypeError: a value is invalid.
    """
    run, command, started, seed, graph_hash, versions, settings, finished, summary = row
    for name, value in (("id", run), ("command", command), ("graph_hash", graph_hash)):
        if not isinstance(value, str):
            raise ValueError(f"'{name}' is not a text")
    for name, value in (("started", started), ("finished", finished)):
        if not (value is None and name == "finished") and not (isinstance(value, float) and 0 <= value < _LAST_TIME):
            raise ValueError(f"'{name}' is not a time")
    if not isinstance(seed, int):
        raise ValueError("'seed' is not a whole number")
    return RunRecord(
        id=run,
        command=command,
        started=started,
        seed=seed,
        graph_hash=graph_hash,
        versions=_object(versions, "versions"),
        settings=_object(settings, "settings"),
        finished=finished,
        summary=None if summary is None else _object(summary, "summary"),
    )
