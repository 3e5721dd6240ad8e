"""Files of outcome tables and policies: named arrays and metadata, in one .npz archive without pickles.

An archive contains one `NAME.npy` for each array, and `about.json` with the kind of the content, the format version,
the digests (hashes) of the inputs from which the content was computed, and further metadata. Equal content gives equal
bytes.
"""

from __future__ import annotations

import io
import json
import math
import zipfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from ctrlgraph.array_archive import DAMAGED, described_array, exactly, opened_archive, opened_member
from ctrlgraph.bounds import MAX_TABLE_BYTES
from ctrlgraph.errors import CtrlGraphError, printable
from ctrlgraph.files import replacing
from ctrlgraph.paths import display_path

FORMAT = 1
"""Version of the file format."""
_ABOUT = "about.json"
_MAX_ABOUT = 1_000_000  # bytes
_MAX_DIGESTS = 10_000
_DATE = (1980, 1, 1, 0, 0, 0)  # fixed date of members, so that equal content gives equal bytes

Arrays = dict[str, NDArray[Any]]
T = TypeVar("T")


class StaleFile(CtrlGraphError):
    """Error: a file with computed data does not belong to the current inputs, such as the character or the gaits."""


@dataclass(frozen=True, slots=True)
class ArrayFile:
    """Content of an array file, which is an .npz archive with named arrays and metadata."""

    arrays: Arrays
    """Arrays by name."""
    about: Mapping[str, Any]
    """JSON data of `about.json` by key, such as the names of columns, without kind, format version and digests."""
    digests: Mapping[str, str]
    """Hashes of the inputs from which the content was computed, by name of the input, such as "character"."""


def save_arrays(path: Path, kind: str, content: ArrayFile) -> None:
    """Write an array file. An existing file is replaced only after the new one is complete.

    Args:
        path: File to write.
        kind: Kind of the content, such as "policy".
        content: Content of the file.

    Raises:
        CtrlGraphError: The file cannot be written.
    """
    about = {"kind": kind, "format": FORMAT, "digests": dict(content.digests), **content.about}
    with replacing(path) as temporary, zipfile.ZipFile(temporary, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(_member(_ABOUT), json.dumps(about, sort_keys=True, allow_nan=False))
        for name, array in content.arrays.items():
            stream = io.BytesIO()
            np.lib.format.write_array(stream, np.ascontiguousarray(array), version=(1, 0), allow_pickle=False)
            archive.writestr(_member(f"{name}.npy"), stream.getbuffer())


def _member(name: str) -> zipfile.ZipInfo:
    info = zipfile.ZipInfo(name, _DATE)
    info.compress_type = zipfile.ZIP_DEFLATED
    return info


def load_arrays(
    path: Path,
    kind: str,
    dtypes: Mapping[str, np.dtype[Any]],
    make: Callable[[ArrayFile], T],
    digests: Mapping[str, str] | None = None,
) -> T:
    """Read an array file, and return the object that `make` creates from its content.

    Args:
        path: File to read, which can be damaged or malicious.
        kind: Required kind of the content, such as "policy".
        dtypes: Required dtype of each array to read, by name of the array.
        make: Function that checks the content and creates the object. For invalid content it raises ValueError or
            CtrlGraphError.
        digests: Required hashes of the inputs, by name of the input. None: any hashes are accepted.

    Raises:
        StaleFile: The digests in the file differ from `digests`.
        CtrlGraphError: The file does not exist, cannot be read, or has invalid content.
    """
    shown = display_path(path)
    if not path.is_file():
        raise CtrlGraphError(f"the {kind} file {shown} does not exist: correct the path or compute the file")
    try:
        found = _read(path, kind, dtypes)
        changed = {} if digests is None else dict(digests.items() ^ found.digests.items())
        if not changed:
            return make(found)
    except (*DAMAGED, CtrlGraphError) as error:
        said = printable(str(error)).replace("\n", " ")[:200] or type(error).__name__
        raise CtrlGraphError(f"{shown} is not a readable {kind}, so delete it and compute it again: {said}") from None
    names = ", ".join(map(printable, sorted(changed)[:5])) + (" and more" if len(changed) > 5 else "")
    raise StaleFile(f"the {kind} in {shown} was computed with another {names}: delete the file and compute it again")


def _read(path: Path, kind: str, dtypes: Mapping[str, np.dtype[Any]]) -> ArrayFile:
    with opened_archive(path) as archive:
        about = _about(_all_of(archive, _ABOUT), kind)
        arrays, left = {}, MAX_TABLE_BYTES
        for name, dtype in dtypes.items():
            with opened_member(archive, f"{name}.npy") as stream:
                shape, declared = described_array(stream, name)
                if declared != dtype:
                    raise ValueError(f"the array '{name}' must have the type {dtype}, not {declared}")
                size = math.prod(shape) * dtype.itemsize
                left -= size
                if left < 0:
                    raise ValueError(f"the arrays exceed {MAX_TABLE_BYTES / 2**20:.0f} MB: use fewer states or actions")
                arrays[name] = np.frombuffer(bytearray(exactly(stream, size, name)), dtype).reshape(shape)
    digests = about.pop("digests")
    return ArrayFile(arrays, about, digests)


def _all_of(archive: zipfile.ZipFile, name: str) -> bytes:
    """Return the bytes of a small file in an archive.

    Args:
        archive: The archive, which can be damaged or malicious.
        name: Name of the file in the archive.

    Raises:
        ValueError: The content is longer than `_MAX_ABOUT` bytes.
    """
    with opened_member(archive, name) as stream:
        data = stream.read(_MAX_ABOUT + 1)
    if len(data) > _MAX_ABOUT:
        raise ValueError(f"the member '{name}' of the archive must have at most {_MAX_ABOUT} bytes")
    return data


def _about(data: bytes, kind: str) -> dict[str, Any]:
    about = json.loads(data)
    if not isinstance(about, dict) or about.get("kind") != kind:
        raise ValueError(f"the member about.json of the archive must give the 'kind' '{kind}'")
    if about.get("format") != FORMAT:
        raise ValueError(f"the member about.json must give the 'format' {FORMAT}, that of this ctrlgraph")
    digests = about.get("digests")
    if not isinstance(digests, dict) or len(digests) > _MAX_DIGESTS or not all(_is_text(v) for v in digests.values()):
        raise ValueError(f"about.json must give 'digests': up to {_MAX_DIGESTS} names with texts up to 500 characters")
    return {name: value for name, value in about.items() if name not in ("kind", "format")}


def _is_text(value: object) -> bool:
    return isinstance(value, str) and len(value) <= 500


def names_in(about: Mapping[str, Any], key: str) -> tuple[str, ...]:
    """Return the list of names at a key of the metadata in `about.json`.

    Args:
        about: The metadata by key.
        key: Key of the list, such as "columns".

    Raises:
        ValueError: The key does not exist, or its value is not a list of short texts.
    """
    names = about.get(key)
    if not isinstance(names, list) or not all(map(_is_text, names)):
        raise ValueError(f"the member about.json of the archive must give '{key}' as a list of names")
    return tuple(names)
