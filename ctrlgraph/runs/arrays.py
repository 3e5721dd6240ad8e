"""Archives of arrays (`.npz`) read so that none can fill memory: what it declares is looked at before it is loaded."""

from __future__ import annotations

import lzma
import math
import struct
import tokenize
import zipfile
import zlib
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ctrlgraph.errors import RunLogError
from ctrlgraph.paths import display_path

LARGEST_BYTES = 4 * 2**30
"""Of the arrays of an archive together."""

_DAMAGES = (
    *(OSError, ValueError, EOFError, RuntimeError, NotImplementedError, MemoryError, SyntaxError),
    *(zipfile.BadZipFile, zlib.error, lzma.LZMAError, struct.error, tokenize.TokenError),
)
"""What zip files, their compressions and numpy's headers are known to fail with."""


def load_arrays(path: Path, names: Iterable[str], largest: int = LARGEST_BYTES) -> dict[str, NDArray[Any]]:
    """The arrays of these names; of numbers, truth values and texts only: nothing in the file is run.

    Raises:
        RunLogError: the file is damaged, lacks an array, or holds more than `largest` bytes.
    """
    try:
        with path.open("rb") as file:
            sizes = _declared(file, names)
            total = sum(sizes.values())
            if total > largest:
                raise ValueError(f"it would take {total / 2**30:.3g} GB")
            with np.load(file, allow_pickle=False) as data:
                return {name: data[name] for name in sizes}
    except KeyError as error:
        raise RunLogError(f"{display_path(path)} is damaged: it has no {error}") from None
    except _DAMAGES as error:
        reason = str(error).splitlines()[0] if str(error) else "it is too large"
        raise RunLogError(f"{display_path(path)} is damaged: {reason}") from None


def _declared(file: Any, names: Iterable[str]) -> dict[str, int]:
    """Bytes of each array, by its own header; the archive must agree."""
    sizes = {}
    with zipfile.ZipFile(file) as archive:
        for name in names:
            member = archive.getinfo(f"{name}.npy")
            with archive.open(member) as stream:
                version = np.lib.format.read_magic(stream)
                read = np.lib.format.read_array_header_1_0 if version == (1, 0) else np.lib.format.read_array_header_2_0
                shape, _, kind = read(stream)
                held = member.file_size - stream.tell()
            if kind.hasobject:
                raise ValueError(f"'{name}' holds objects")
            if any(length < 0 for length in shape):
                raise ValueError(f"'{name}' has a negative length")
            sizes[name] = math.prod(shape) * kind.itemsize
            if sizes[name] != held:
                raise ValueError(f"'{name}' is of another size than it says")
    file.seek(0)
    return sizes
