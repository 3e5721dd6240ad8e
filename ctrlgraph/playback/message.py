"""The message: a header of JSON and typed arrays in one piece of bytes, as files and sockets carry it.

`CGPB`, the length of the header (4 bytes), the header, padded with spaces, then the arrays, each of which begins at a
multiple of 8 bytes. Everything is little-endian. The header's `arrays` names them in their order: `name`, `type` (as
numpy calls it), `shape`, `at` (bytes from the first array's beginning), and where they have them `scale` (what 1
stands for), `delta` (each number is the difference from the one before it along the last axis, and wraps) and
`missing` (the number that stands for nothing, before `scale`).
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
_ALIGNED = 8
_TYPES = ("uint8", "uint16", "uint32", "int16", "int32", "float32", "float64")


@dataclass(frozen=True)
class Packed:
    """An array of a message.

    name: what it is of; values: numbers as they are stored, before differences are taken; scale: what 1 stands for,
    None where the numbers are meant as they are; delta: whether differences along the last axis are stored.
    """

    name: str
    values: NDArray[Any]
    scale: float | None = None
    delta: bool = False


def quantised(name: str, values: NDArray[np.float64], scale: float, kind: str = "int16") -> Packed:
    """Return numbers (..., n) as integers of a scale; of a coarser one, where the greatest of them needs it.

    What is no finite number is missing.
    """
    most = -MISSING[kind] - 1
    known = np.isfinite(values)
    greatest = float(np.abs(values, where=known, out=np.zeros_like(values)).max(initial=0.0))
    scale = max(scale, greatest / most)
    whole = np.rint(np.divide(values, scale, where=known, out=np.full_like(values, np.nan)))
    return Packed(name, np.where(known, whole, MISSING[kind]).astype(kind), scale, True)


def write_message(header: Mapping[str, Any], arrays: Sequence[Packed]) -> bytes:
    """Return a message of a header and arrays."""
    pieces, told, at = [], [], 0
    for array in arrays:
        stored = array.values
        if array.delta:
            first = np.zeros((*stored.shape[:-1], 1), stored.dtype)
            stored = np.diff(stored, axis=-1, prepend=first)  # wraps, as the sum does that undoes it
        data = np.ascontiguousarray(stored, stored.dtype.newbyteorder("<")).tobytes()
        data += bytes(-len(data) % _ALIGNED)
        entry: dict[str, Any] = {
            "name": array.name,
            "type": str(array.values.dtype),
            "shape": list(stored.shape),
            "at": at,
        }
        if array.scale is not None:
            entry |= {"scale": array.scale, "missing": MISSING[entry["type"]]}
        if array.delta:
            entry["delta"] = True
        told.append(entry)
        pieces.append(data)
        at += len(data)
    text = json.dumps({**header, "arrays": told}, ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode()
    text += b" " * (-(len(text) + len(MAGIC) + 4) % _ALIGNED)
    return b"".join([MAGIC, len(text).to_bytes(4, "little"), text, *pieces])


def read_message(data: bytes) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
    """Return the header of a message and its arrays by name; what is scaled as float64, NaN where it is missing.

    Raises:
        CtrlGraphError: it is none.
    """
    if data[:4] != MAGIC:
        raise CtrlGraphError("this is no playback: it does not begin with CGPB")
    begin = 8 + int.from_bytes(data[4:8], "little")
    try:
        header: dict[str, Any] = json.loads(data[8:begin])
        arrays = {entry["name"]: _array(data, begin, entry) for entry in header.pop("arrays")}
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise CtrlGraphError("the playback is damaged: its header does not fit what follows") from None
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
