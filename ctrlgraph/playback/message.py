"""The binary format of motions in files and sockets: a JSON header and typed arrays.

A message consists of `CGPB`, the length of the header (4 bytes), the header padded with spaces, and the arrays, each at
a multiple of 8 bytes. Numbers are little-endian. The key `arrays` of the header lists for each array:

- `name`
- `type`: name of the numpy type
- `shape`
- `at`: offset from the beginning of the first array, bytes
- `scale` (optional): factor by which stored integers are multiplied
- `missing` (with `scale`): stored integer that means a missing value
- `delta` (optional): true if differences along the last axis are stored, with wrap-around
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ctrlgraph.errors import CtrlGraphError

MAGIC = b"CGPB"
MISSING = {"int16": -(2**15), "int32": -(2**31)}
"""Stored integer that means a missing value, by integer type."""
_ALIGNMENT = 8
_TYPES = ("uint8", "uint16", "uint32", "int16", "int32", "float32", "float64")


@dataclass(frozen=True)
class Packed:
    """An array of a message, in the form in which it is stored."""

    name: str
    values: NDArray[Any]
    """Numbers to store. With `delta`, these are the numbers before differences are taken."""
    scale: float | None = None
    """Factor by which a reader multiplies the numbers; None if they are not scaled."""
    delta: bool = False
    """Whether differences along the last axis are stored."""


def quantised(name: str, values: NDArray[np.float64], scale: float, kind: str = "int16") -> Packed:
    """Return numbers as an array of scaled integers. Numbers that are not finite become missing values.

    Args:
        name: Name of the array.
        values: Numbers (..., n).
        scale: Resolution: the difference between two neighbouring integers. It is increased if large numbers need it.
        kind: Integer type, "int16" or "int32".
    """
    limit = -MISSING[kind] - 1
    known = np.isfinite(values)
    largest = float(np.abs(values, where=known, out=np.zeros_like(values)).max(initial=0.0))
    scale = max(scale, largest / limit)
    whole = np.rint(np.divide(values, scale, where=known, out=np.full_like(values, np.nan)))
    return Packed(name, np.where(known, whole, MISSING[kind]).astype(kind), scale, True)


def write_message(header: Mapping[str, Any], arrays: Sequence[Packed]) -> bytes:
    """Return a message as bytes.

    Args:
        header: JSON data of the header. The key `arrays` is added.
        arrays: Arrays of the message.
    """
    pieces, entries, offset = [], [], 0
    for array in arrays:
        stored = array.values
        if array.delta:
            first = np.zeros((*stored.shape[:-1], 1), stored.dtype)
            stored = np.diff(stored, axis=-1, prepend=first)  # wraps; the inverse sum wraps as well
        data = np.ascontiguousarray(stored, stored.dtype.newbyteorder("<")).tobytes()
        data += bytes(-len(data) % _ALIGNMENT)
        entry: dict[str, Any] = {
            "name": array.name,
            "type": str(array.values.dtype),
            "shape": list(stored.shape),
            "at": offset,
        }
        if array.scale is not None:
            entry |= {"scale": array.scale, "missing": MISSING[entry["type"]]}
        if array.delta:
            entry["delta"] = True
        entries.append(entry)
        pieces.append(data)
        offset += len(data)
    text = json.dumps(
        {**header, "arrays": entries}, ensure_ascii=False, allow_nan=False, separators=(",", ":")
    ).encode()
    text += b" " * (-(len(text) + len(MAGIC) + 4) % _ALIGNMENT)
    return b"".join([MAGIC, len(text).to_bytes(4, "little"), text, *pieces])


def read_message(data: bytes) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
    """Return the header, without `arrays`, and the arrays by name of a message.

    Scaled arrays are float64, with NaN for missing values.

    Raises:
        CtrlGraphError: If `data` is not a message, or its header does not match its arrays.
    """
    if data[:4] != MAGIC:
        raise CtrlGraphError("not a playback: the data does not begin with CGPB")
    begin = 8 + int.from_bytes(data[4:8], "little")
    try:
        header: dict[str, Any] = json.loads(data[8:begin])
        arrays = {entry["name"]: _array(data, begin, entry) for entry in header.pop("arrays")}
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise CtrlGraphError("the playback is damaged: its header does not match the data") from None
    return header, arrays


def _array(data: bytes, begin: int, entry: Mapping[str, Any]) -> NDArray[Any]:
    if entry["type"] not in _TYPES:
        raise ValueError(entry["type"])
    count = int(np.prod(entry["shape"], dtype=np.int64))
    kind = np.dtype(entry["type"])
    stored = np.frombuffer(data, kind.newbyteorder("<"), count, begin + entry["at"]).reshape(entry["shape"])
    stored = stored.astype(kind)
    if entry.get("delta"):
        stored = np.cumsum(stored, axis=-1, dtype=kind)
    if "scale" not in entry:
        return stored
    return np.where(stored == entry["missing"], np.nan, stored * float(entry["scale"]))
