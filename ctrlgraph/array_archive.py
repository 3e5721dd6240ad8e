"""Reader of untrusted archives of arrays (.npz): sizes are checked before memory is allocated, nothing is unpickled.

A file of a hundred bytes may declare arrays of terabytes, a directory of a million entries, or contents that expand a
thousandfold. `numpy.load` allocates what a header declares, and reads whole arrays; callers here check the declared
shapes first, and read rows in pieces.
"""

from __future__ import annotations

import contextlib
import io
import struct
import tokenize
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import IO

import numpy as np

_MAX_HEADER = 4096  # bytes of an array header
_MAX_MEMBERS = 32
_MAX_CONTENTS = 64 * 1024  # bytes of the archive's directory

DAMAGE = (ValueError, KeyError, EOFError, OSError, RuntimeError, NotImplementedError, MemoryError, SyntaxError)
DAMAGED = (*DAMAGE, zipfile.BadZipFile, zlib.error, struct.error, tokenize.TokenError, RecursionError)
"""Exceptions that a damaged archive can raise."""


class _Opened(io.FileIO):
    """File of an archive that limits single reads to `longest` bytes.

    `zipfile` makes an object for every entry of the directory, ten times as large, before their number can be checked.
    """

    longest: int | None = _MAX_CONTENTS

    def read(self, size: int | None = -1, /) -> bytes:
        if self.longest is not None and size is not None and size > self.longest:
            raise ValueError("the archive's directory is too long")
        return super().read(size)


@contextlib.contextmanager
def opened_archive(path: Path) -> Iterator[zipfile.ZipFile]:
    """Open an archive.

    Raises:
        one of DAMAGED: The file is not an archive or has too many members.
    """
    with _Opened(path) as file, zipfile.ZipFile(file) as archive:
        file.longest = None
        if len(archive.infolist()) > _MAX_MEMBERS:
            raise ValueError("the archive has too many members")
        yield archive


def opened_member(archive: zipfile.ZipFile, name: str) -> IO[bytes]:
    """Return the stream of a member.

    Raises:
        one of DAMAGED: There is no such member, or its compression is not supported.
    """
    member = archive.getinfo(name)
    if member.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        raise ValueError(f"the compression of '{name}' is not supported")
    return archive.open(member)


def described_array(stream: IO[bytes], name: str) -> tuple[tuple[int, ...], np.dtype[np.generic]]:
    """Return the declared shape and type of an array, and advance the stream to its data.

    Raises:
        one of DAMAGED: It is not a plain array.
    """
    version = np.lib.format.read_magic(stream)
    if version != (1, 0):
        raise ValueError(f"'{name}' has the unsupported format {version}")
    shape, fortran, dtype = np.lib.format.read_array_header_1_0(stream, max_header_size=_MAX_HEADER)
    if dtype.hasobject or (fortran and len(shape) > 1) or any(size < 0 for size in shape):
        raise ValueError(f"'{name}' is not a plain array")
    return shape, dtype


def exactly(stream: IO[bytes], size: int, name: str) -> bytes:
    """Read exactly `size` bytes.

    Args:
        stream: The stream.
        size: Number of bytes.
        name: Name of the array, for errors.

    Raises:
        ValueError: There are fewer.
    """
    data = stream.read(size)
    if len(data) != size:
        raise ValueError(f"'{name}' ends too early")
    return data
