"""How a node failed, by phase and by line of its script, in walks and under perturbations, with the line quoted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ctrlgraph.control.script.source import read_script
from ctrlgraph.errors import CtrlGraphError
from ctrlgraph.experiments.sweeps.summary import trial_reason
from ctrlgraph.paths import contained

if TYPE_CHECKING:
    from ctrlgraph.experiments.sweeps.sweep_log import Trial
    from ctrlgraph.runs.statistics import FailureStatistics

NOT_FOLLOWED = "afterwards"
"""In place of a status: its own conditions held, but no static pose was reached after it."""

NO_POSE = "no static pose was reached"

_Place = tuple[str, str, int | None, str, int | None]  # status, reason, phase, script, line


@dataclass(frozen=True, slots=True)
class FailureRow:
    """One way to fail at one place; `quote` is the script's line as it stands now, without indentation.

    walks and trials: how often it happened in logged walks and in trials of sweeps.
    """

    status: str
    reason: str
    phase: int | None
    script: str
    line: int | None
    quote: str
    walks: int
    trials: int

    @property
    def total(self) -> int:
        return self.walks + self.trials

    @property
    def place(self) -> str:
        if not self.script:
            return ""
        return self.script if self.line is None else f"{self.script}:{self.line}"

    def as_dict(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in self.__slots__}


class ScriptLines:
    """Lines of a project's scripts, each file read once; a file or line that is gone gives an empty one."""

    def __init__(self, directory: Path) -> None:
        self._directory = directory
        self._files: dict[str, list[str]] = {}

    def line(self, script: str, number: int | None) -> str:
        if not script or number is None:
            return ""
        if script not in self._files:
            try:
                # the log, and so the name, may be a stranger's
                self._files[script] = read_script(contained(self._directory, script), script).splitlines()
            except CtrlGraphError:
                self._files[script] = []
        lines = self._files[script]
        return lines[number - 1].strip() if 0 < number <= len(lines) else ""


def failure_rows(walked: Iterable[FailureStatistics], trials: Iterable[Trial], lines: ScriptLines) -> list[FailureRow]:
    """Return the failures in walks and among trials, the most frequent first."""
    walks: Counter[_Place] = Counter()
    tried: Counter[_Place] = Counter()
    for found in walked:
        failure = found.failure
        walks[failure.status, failure.reason, failure.phase, failure.script or "", failure.line] += found.count
    for trial in trials:
        if not trial.succeeded:
            tried[trial.status, trial_reason(trial.reason), trial.phase, trial.script or "", trial.line] += 1
        elif not trial.recovered:
            tried[NOT_FOLLOWED, trial_reason(trial.reason) or NO_POSE, None, "", None] += 1
    rows = [
        FailureRow(*place, lines.line(place[3], place[4]), walks[place], tried[place])
        for place in walks.keys() | tried.keys()
    ]
    return sorted(rows, key=_order)


def _order(row: FailureRow) -> tuple[int, str, str, int, str]:
    return -row.total, row.reason, row.place, -1 if row.phase is None else row.phase, row.status
