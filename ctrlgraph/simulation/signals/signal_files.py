"""Writing of signals to files for other programs: CSV, Parquet, and numpy's .npz."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any

import numpy as np

from ctrlgraph.errors import CtrlGraphError
from ctrlgraph.extras import require
from ctrlgraph.files import replacing, table_cell
from ctrlgraph.paths import display_path
from ctrlgraph.simulation.signals.recorded_signals import Signals, Values

SUFFIXES = (".csv", ".parquet", ".npz")
"""File suffixes of the formats to which signals can be written."""


def write_signals(signals: Signals, path: Path) -> None:
    """Write signals to a file in the format of the file's suffix.

    A CSV file has the columns of `Signals.columns` with exact numbers. Missing values (no target angle, no centre of
    pressure in flight) are empty. A text that a spreadsheet would execute as a formula begins with an apostrophe.

    An .npz file has an exact array for each column. In a Parquet file the time is exact, and other real numbers have
    single precision. The metadata of each column contain the column's unit and meaning
    (`pyarrow.parquet.read_schema(path).field(name).metadata`).

    Args:
        signals: the signals to write.
        path: path of the file, which ends in one of `SUFFIXES`.

    Raises:
        CtrlGraphError: the suffix is unknown, the package for Parquet is missing, or the file cannot be written.
    """
    writer = {".csv": _write_csv, ".parquet": _write_parquet, ".npz": _write_npz}.get(path.suffix.lower())
    if writer is None:
        raise CtrlGraphError(f"the file name {display_path(path)} must end in one of {', '.join(SUFFIXES)}")
    with replacing(path) as temporary:
        writer(signals, temporary)


def _write_csv(signals: Signals, path: Path) -> None:
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(map(table_cell, signals.columns))
        writer.writerows(zip(*(_texts(column) for column in signals.columns.values()), strict=True))


def _texts(column: Values) -> list[Any]:
    """Return the values of a column as CSV cells: an empty cell for NaN, else the shortest exact text."""
    return ["" if value != value else table_cell(value) for value in column.tolist()]


def _write_npz(signals: Signals, path: Path) -> None:
    with path.open("wb") as file:
        np.savez_compressed(file, allow_pickle=False, **signals.columns)


def _write_parquet(signals: Signals, path: Path) -> None:
    require("trace")
    import pyarrow
    from pyarrow import parquet

    fields, arrays = [], []
    for name, column in signals.columns.items():
        values = column.astype(np.float32) if column.dtype == np.float64 and name != "time" else column
        array = pyarrow.array(values.tolist() if values.dtype.kind == "U" else values, from_pandas=True)
        if values.dtype.kind == "U":  # a few names, repeated thousands of times
            array = array.dictionary_encode()
        arrays.append(array)
        metadata = {"unit": signals.quantities.unit(name), "meaning": signals.quantities.meaning(name)}
        fields.append(pyarrow.field(name, array.type, metadata=metadata))
    parquet.write_table(pyarrow.table(arrays, schema=pyarrow.schema(fields)), path, compression="zstd")
