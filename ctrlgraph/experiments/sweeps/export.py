"""The trials of sweeps as CSV."""

from __future__ import annotations

import csv
from collections.abc import Iterable
from pathlib import Path

from ctrlgraph.experiments.sweeps.sweep_log import Trial
from ctrlgraph.files import replacing, table_cell

_FIELDS = ("index", "seed", "succeeded", "recovered", "status", "reason", "phase", "script", "line", "simulated_s")


def write_csv(trials: Iterable[Trial], path: Path) -> None:
    """Write one row for each trial: target, the axes by name, then the fields of `Trial`.

    The same trials give the same bytes.

    Raises:
        CtrlGraphError: the file cannot be written.
    """
    rows = list(trials)
    axes = list(dict.fromkeys(name for trial in rows for name, _ in trial.point))
    with replacing(path) as temporary, temporary.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["target", *map(table_cell, axes), *_FIELDS])
        for trial in rows:
            point = dict(trial.point)
            cells = [_cell(getattr(trial, name)) for name in _FIELDS]
            writer.writerow([table_cell(trial.target), *(_cell(point.get(name)) for name in axes), *cells])


def _cell(value: object) -> object:
    if value is None:
        return ""
    return int(value) if isinstance(value, bool) else repr(value) if isinstance(value, float) else table_cell(value)
