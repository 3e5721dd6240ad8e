"""The binary format of messages with motions, for files and sockets: a JSON header and numeric arrays.

A message consists of the letters `CGPB`, the length of the header (4 bytes), the header padded with spaces, and the
arrays, each at a multiple of 8 bytes. Numbers are little-endian. The key `arrays` of the header is a list with these
keys for each array:

- `name`: name of the array
- `type`: name of the numpy type
- `shape`: lengths of the axes
- `at`: offset from the beginning of the first array, bytes
- `scale` (optional): factor by which a reader multiplies the stored integers
- `missing` (with `scale`): stored integer that means a missing value
- `delta` (optional): true if differences of neighbours along the last axis are stored, with wrap-around
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
"""Stored integer that means a missing value, by name of the integer type."""
_ALIGNMENT = 8
_TYPES = ("uint8", "uint16", "uint32", "int16", "int32", "float32", "float64")


@dataclass(frozen=True)
class Packed:
    """A named array of numbers for a message, with the way in which the message stores them."""

    name: str
    """Name of the array in the message."""
    values: NDArray[Any]
    """Numbers of the array (..., n), before they are replaced by differences if `delta` is true."""
    scale: float | None = None
    """Factor by which a reader multiplies the numbers; None if the numbers are not scaled integers."""
    delta: bool = False
    """Whether the message stores differences of neighbours along the last axis instead of the numbers."""


def quantised(name: str, values: NDArray[np.float64], scale: float, kind: str = "int16") -> Packed:
    """Round numbers to integer multiples of a resolution. NaN and infinity become the integer for a missing value.

    Args:
        name: Name of the array in the message.
        values: Numbers to round (..., n).
        scale: Resolution: the value of the integer 1. It is increased if the largest number exceeds the integer type.
        kind: Integer type of the result, "int16" or "int32".
    """
    limit = -MISSING[kind] - 1
    known = np.isfinite(values)
    largest = float(np.abs(values, where=known, out=np.zeros_like(values)).max(initial=0.0))
    scale = max(scale, largest / limit)
    whole = np.rint(np.divide(values, scale, where=known, out=np.full_like(values, np.nan)))
    return Packed(name, np.where(known, whole, MISSING[kind]).astype(kind), scale, True)


def write_message(header: Mapping[str, Any], arrays: Sequence[Packed]) -> bytes:
    """Return the bytes of a message with a header and arrays.

    Args:
        header: JSON data of the header. The key `arrays`, which describes the arrays, is added.
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
        kind = str(array.values.dtype)
        entry: dict[str, Any] = {"name": array.name, "type": kind, "shape": list(stored.shape), "at": offset}
        if array.scale is not None:
            entry |= {"scale": array.scale, "missing": MISSING[kind]}
        if array.delta:
            entry["delta"] = True
        entries.append(entry)
        pieces.append(data)
        offset += len(data)
    whole = {**header, "arrays": entries}
    text = json.dumps(whole, ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode()
    text += b" " * (-(len(text) + len(MAGIC) + 4) % _ALIGNMENT)
    return b"".join([MAGIC, len(text).to_bytes(4, "little"), text, *pieces])


def read_message(data: bytes) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
    """Read the bytes of a message.

    Returns:
        The header without the key `arrays`, and the arrays by name. Arrays that are stored as scaled integers become
        float64, with NaN for missing values.

    Raises:
        CtrlGraphError: `data` is not a message, or its header does not match its arrays.
    """
    if data[:4] != MAGIC:
        raise CtrlGraphError("'data' must be a recorded motion for the browser, which begins with CGPB")
    begin = 8 + int.from_bytes(data[4:8], "little")
    try:
        header: dict[str, Any] = json.loads(data[8:begin])
        arrays = {entry["name"]: _array(data, begin, entry) for entry in header.pop("arrays")}
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise CtrlGraphError(
            "the recorded motion is damaged, so make it again: its header does not match its arrays"
        ) from None
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
