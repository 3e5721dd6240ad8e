"""Searches that are running, or have run: read from their checkpoints, of which only numbers are believed."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ctrlgraph.bounds import MAX_CONSTANT
from ctrlgraph.errors import CtrlGraphError, printable
from ctrlgraph.files import read_bytes, read_head
from ctrlgraph.optimization.checkpoint import LARGEST_BYTES
from ctrlgraph.optimization.problem import TERMS
from ctrlgraph.paths import contained

_FOLDERS = (".", "runs", "learned")
_MOST_FILES = 200
_MOST_GENERATIONS = 2_000
_HEAD = b'{"version"'


@dataclass(frozen=True)
class SearchProgress:
    """How a search goes: by generation its best cost, that of the best so far, and the terms of its cost; `values`: of
    the best so far, by id; cost: of the best, and of what the search began with; None: it is no finite number."""

    generations: tuple[dict[str, Any], ...]
    values: dict[str, float]
    cost: float | None
    first: float | None
    held: int
    cases: int

    def as_dict(self) -> dict[str, Any]:
        """Return it as JSON has it, without the values."""
        return {
            "generations": list(self.generations),
            "cost": self.cost,
            "first": self.first,
            "held": self.held,
            "cases": self.cases,
        }


def checkpoints(directory: Path) -> list[str]:
    """Return the checkpoints of searches in a project and in its `runs/` and `learned/`, by path, the newest first."""
    found: list[tuple[float, str]] = []
    for folder in _FOLDERS:
        for file in sorted((directory / folder).glob("*.json"))[:_MOST_FILES]:
            try:
                relative = file.relative_to(directory).as_posix()
                contained(directory, relative)
                relative.encode()  # a name that is no text cannot be told
                if read_head(file, len(_HEAD)) == _HEAD:
                    found.append((file.stat().st_mtime, relative))
            except (OSError, UnicodeEncodeError, CtrlGraphError):
                continue
    return [name for _, name in sorted(found, reverse=True)]


def read_progress(directory: Path, path: str) -> SearchProgress:
    """Return how a search of a project has gone so far.

    Raises:
        CtrlGraphError: there is no such checkpoint in the project, or it is damaged.
    """
    file = contained(directory, path)
    try:
        data = json.loads(read_bytes(file, LARGEST_BYTES).decode("utf-8"))
        return _progress(data)
    except OSError as error:
        reason = error.strerror or str(error)
    except (ValueError, LookupError, TypeError, AttributeError, ArithmeticError, RecursionError):
        reason = "it is no checkpoint of a search"
    raise CtrlGraphError(f"{printable(path)} cannot be watched: {reason.lower()}")


def _progress(data: dict[str, Any]) -> SearchProgress:
    history = data["history"][-_MOST_GENERATIONS:]
    values = {
        str(name): float(value)
        for part in data.get("values", {}).values()
        for name, value in part.items()
        if abs(float(value)) <= MAX_CONSTANT
    }
    return SearchProgress(
        generations=tuple(
            {
                "cost": _number(each["cost"]),
                "best": _number(each["best"]),
                "terms": {name: _number(value) for name, value in each["terms"].items() if name in TERMS},
            }
            for each in history
        ),
        values=values,
        cost=_number(data["best"]["cost"]),
        first=_number(data["first"]["cost"]),
        held=int(data["best"]["held"]),
        cases=int(data["best"]["cases"]),
    )


def _number(value: Any) -> float | None:
    """A number as JSON knows them, None for others."""
    found = float(value)
    return found if math.isfinite(found) else None
