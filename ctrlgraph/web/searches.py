"""Searches watched by a session: progress read from checkpoints, and the commands of pages."""

from __future__ import annotations

import json
import math
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ctrlgraph.bounds import MAX_CONSTANT
from ctrlgraph.errors import CtrlGraphError, printable
from ctrlgraph.files import read_bytes, read_head
from ctrlgraph.optimization.checkpoint import LARGEST_BYTES
from ctrlgraph.optimization.problem import TERMS
from ctrlgraph.paths import contained
from ctrlgraph.web import protocol
from ctrlgraph.web.motion.programs import Programs
from ctrlgraph.web.workspace import Workspace

_DIRECTORIES = (".", "runs", "learned")
_MAX_FILES = 200
_MAX_GENERATIONS = 2_000
_INTERVAL_S = 1.0
_HEAD = b'{"version"'


@dataclass(frozen=True)
class SearchProgress:
    """Progress of a search. Costs are None if they are not finite."""

    generations: tuple[dict[str, Any], ...]
    """Per generation: best cost, best cost of all generations up to it, terms of the cost."""
    values: dict[str, float]
    """Best values of all generations, by parameter id."""
    cost: float | None
    """Best cost of all generations."""
    first: float | None
    """Cost of the initial values."""
    succeeded: int
    """Successful cases of the best values."""
    cases: int
    """Number of cases."""

    def as_dict(self) -> dict[str, Any]:
        """Return the progress as JSON data, without the values."""
        return {
            "generations": list(self.generations),
            "cost": self.cost,
            "first": self.first,
            "succeeded": self.succeeded,
            "cases": self.cases,
        }


def checkpoints(directory: Path) -> list[str]:
    """Return the search checkpoints of a project, newest first: in its directory, `runs/` and `learned/`."""
    found: list[tuple[float, str]] = []
    for folder in _DIRECTORIES:
        for file in sorted((directory / folder).glob("*.json"))[:_MAX_FILES]:
            try:
                relative = file.relative_to(directory).as_posix()
                contained(directory, relative)
                relative.encode()  # the name must be UTF-8 to be sent
                if read_head(file, len(_HEAD)) == _HEAD:
                    found.append((file.stat().st_mtime, relative))
            except (OSError, UnicodeEncodeError, CtrlGraphError):
                continue
    return [name for _, name in sorted(found, reverse=True)]


def read_progress(directory: Path, path: str) -> SearchProgress:
    """Return the progress of a search. Only the numbers of a checkpoint are used.

    Args:
        directory: Directory of the project.
        path: Path of the checkpoint in it.

    Raises:
        CtrlGraphError: If there is no such checkpoint in the project, or it is damaged.
    """
    file = contained(directory, path)
    try:
        data = json.loads(read_bytes(file, LARGEST_BYTES).decode("utf-8"))
        return _progress(data)
    except OSError as error:
        reason = error.strerror or str(error)
    except (ValueError, LookupError, TypeError, AttributeError, ArithmeticError, RecursionError):
        reason = "it is not a search checkpoint"
    raise CtrlGraphError(f"{printable(path)} cannot be watched: {reason.lower()}")


def _progress(data: dict[str, Any]) -> SearchProgress:
    history = data["history"][-_MAX_GENERATIONS:]
    values = {
        str(name): float(value)
        for part in data.get("values", {}).values()
        for name, value in part.items()
        if abs(float(value)) <= MAX_CONSTANT
    }
    return SearchProgress(
        generations=tuple(
            {
                "cost": _finite(each["cost"]),
                "best": _finite(each["best"]),
                "terms": {name: _finite(value) for name, value in each["terms"].items() if name in TERMS},
            }
            for each in history
        ),
        values=values,
        cost=_finite(data["best"]["cost"]),
        first=_finite(data["first"]["cost"]),
        succeeded=int(data["best"]["succeeded"]),
        cases=int(data["best"]["cases"]),
    )


def _finite(value: Any) -> float | None:
    """Return a number; None if it is not finite."""
    found = float(value)
    return found if math.isfinite(found) else None


class SearchCommands:
    """Commands that concern searches, and the search that is watched.

    The motion of its best values runs next to the present motion.
    """

    path: str | None
    """Path of the watched search's checkpoint; None if no search is watched."""

    def __init__(self, workspace: Workspace) -> None:
        self.path = None
        self._workspace = workspace
        self._directory = workspace.project.directory
        self._version: tuple[float, int] = (0.0, 0)  # modification time and size of the checkpoint
        self._read_at = 0.0

    @property
    def is_due(self) -> bool:
        """Return whether the checkpoint must be read again now."""
        return self.path is not None and time.monotonic() - self._read_at >= _INTERVAL_S

    def on_search(self, page: int | None, message: protocol.WatchSearch) -> None:
        """Watch another search, or stop watching."""
        self.path, self._version = message.path, (0.0, 0)
        self._workspace.stage.stop_search_motion()
        if message.path is None:
            self._workspace.broadcast(self.message())
        else:
            self.update()

    def update(self) -> None:
        """Send the progress of the watched search, and start the motion of its best values."""
        workspace = self._workspace
        try:
            progress = self._read()
        except CtrlGraphError as error:
            workspace.report_error(str(error))
            return
        if progress is None:
            return
        workspace.broadcast({"type": "search", "path": self.path, "progress": progress.as_dict()})
        if progress.values:
            programs = Programs(workspace.project)
            programs.set_values(progress.values)
            workspace.stage.start_search_motion(programs, workspace.world(), workspace.segments())

    def _read(self) -> SearchProgress | None:
        """Return the search's progress; None if the checkpoint has not changed.

        Raises:
            CtrlGraphError: If the checkpoint cannot be read; then no search is watched.
        """
        self._read_at = time.monotonic()
        assert self.path is not None
        try:
            status = contained(self._directory, self.path).stat()
            version = status.st_mtime, status.st_size
            if version == self._version:
                return None
            self._version = version
            return read_progress(self._directory, self.path)
        except OSError:
            path, self.path = self.path, None
            raise CtrlGraphError(f"{printable(str(path))} cannot be watched: there is no such file") from None
        except CtrlGraphError:
            self.path = None
            raise

    def message(self) -> dict[str, Any]:
        """Return the message that lists the searches and names the watched one."""
        return {"type": "searches", "files": checkpoints(self._directory), "watched": self.path}
