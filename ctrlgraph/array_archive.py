"""Reader of untrusted archives of arrays (.npz) that checks sizes before it allocates memory, and unpickles nothing.

An .npz file is a zip archive whose members are arrays. A file of a hundred bytes may declare arrays of terabytes, or an
archive directory of a million entries. Its contents may also expand by a factor of a thousand. `numpy.load` allocates
memory for every declared array and reads whole arrays. Callers of this module check the declared shapes first, and then
read the rows in pieces.
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
"""Exceptions that reading a damaged archive can raise."""


class _Opened(io.FileIO):
    """Archive file that refuses to read more than `longest` bytes at once while `zipfile` reads the list of members.

    `zipfile` creates an object for each member before the number of members can be checked. The objects take ten times
    the memory of the list.
    """

    longest: int | None = _MAX_CONTENTS
    """Maximum number of bytes of one read. None: unlimited."""

    def read(self, size: int | None = -1, /) -> bytes:
        if self.longest is not None and size is not None and size > self.longest:
            raise ValueError(f"the list of arrays in the archive is longer than {_MAX_CONTENTS} bytes")
        return super().read(size)


@contextlib.contextmanager
def opened_archive(path: Path) -> Iterator[zipfile.ZipFile]:
    """Open an archive for a `with` block, and close it at the end of the block.

    Raises:
        one of DAMAGED: The file cannot be read, it is not a zip archive, or it has too many members.
    """
    with _Opened(path) as file, zipfile.ZipFile(file) as archive:
        file.longest = None
        count = len(archive.infolist())
        if count > _MAX_MEMBERS:
            raise ValueError(f"the archive must contain at most {_MAX_MEMBERS} arrays, not {count}")
        yield archive


def opened_member(archive: zipfile.ZipFile, name: str) -> IO[bytes]:
    """Return a stream of the unpacked bytes of one member (file) of an archive.

    Args:
        archive: The open archive.
        name: File name of the member in the archive, such as "x.npy".

    Raises:
        one of DAMAGED: The archive has no such member, or the member's compression is neither "stored" nor "deflate".
    """
    member = archive.getinfo(name)
    if member.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        raise ValueError(f"the member '{name}' of the archive must be stored or compressed with 'deflate'")
    return archive.open(member)


def described_array(stream: IO[bytes], name: str) -> tuple[tuple[int, ...], np.dtype[np.generic]]:
    """Read the header of an array: return its shape and element type, and leave the stream at its first element.

    Args:
        stream: Stream of the array's member, at the beginning.
        name: Name of the array, for messages.

    Raises:
        one of DAMAGED: The header is not that of a plain array. Plain arrays are in the .npy format 1.0, contain no
            Python objects, and store rows before columns.
    """
    version = np.lib.format.read_magic(stream)
    if version != (1, 0):
        raise ValueError(f"the array '{name}' must have the .npy format (1, 0), not {version}")
    shape, fortran, dtype = np.lib.format.read_array_header_1_0(stream, max_header_size=_MAX_HEADER)
    if dtype.hasobject or (fortran and len(shape) > 1) or any(size < 0 for size in shape):
        raise ValueError(f"the array '{name}' must contain numbers or texts, with rows before columns")
    return shape, dtype


def exactly(stream: IO[bytes], size: int, name: str) -> bytes:
    """Read exactly `size` bytes and return them.

    Args:
        stream: Stream of an array's data.
        size: Number of bytes.
        name: Name of the array, for messages.

    Raises:
        ValueError: The stream ends before `size` bytes.
    """
    data = stream.read(size)
    if len(data) != size:
        raise ValueError(f"the array '{name}' ends before its last number: the file was cut off")
    return data
