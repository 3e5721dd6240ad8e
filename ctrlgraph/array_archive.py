"""Archives of arrays (.npz) from a stranger: read through their declared sizes, and never unpickled.

A file of a hundred bytes may declare arrays of terabytes, a table of contents of a million entries, or contents that
swell a thousandfold as they are unpacked. So each is asked for before it is believed.
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

_MAX_HEADER = 4096  # bytes of the description of an array
_MAX_MEMBERS = 32
_MAX_CONTENTS = 64 * 1024  # bytes of an archive's table of contents

DAMAGE = (ValueError, KeyError, EOFError, OSError, RuntimeError, NotImplementedError, MemoryError, SyntaxError)
DAMAGED = (*DAMAGE, zipfile.BadZipFile, zlib.error, struct.error, tokenize.TokenError, RecursionError)
"""What reading a damaged archive may raise."""


class _Opened(io.FileIO):
    """An archive's file, of which no longer piece is read at once than `longest`: zipfile makes an object of every
    entry of the table of contents, some ten times as large, before anybody can ask how many there are."""

    longest: int | None = _MAX_CONTENTS

    def read(self, size: int | None = -1, /) -> bytes:
        if self.longest is not None and size is not None and size > self.longest:
            raise ValueError("its table of contents is longer than that of any archive that ctrlgraph writes")
        return super().read(size)


@contextlib.contextmanager
def opened_archive(path: Path) -> Iterator[zipfile.ZipFile]:
    """Open an archive of a few members.

    Raises:
        one of DAMAGED: it is none, or holds more of them.
    """
    with _Opened(path) as file, zipfile.ZipFile(file) as archive:
        file.longest = None
        if len(archive.infolist()) > _MAX_MEMBERS:
            raise ValueError("it holds more members than any archive that ctrlgraph writes")
        yield archive


def opened_member(archive: zipfile.ZipFile, name: str) -> IO[bytes]:
    """Return a member's stream.

    Raises:
        one of DAMAGED: there is none, or it is compressed in a way that ctrlgraph does not use.
    """
    member = archive.getinfo(name)
    if member.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        raise ValueError(f"'{name}' is compressed in a way that ctrlgraph does not use")
    return archive.open(member)


def described_array(stream: IO[bytes], name: str) -> tuple[tuple[int, ...], np.dtype[np.generic]]:
    """Return the shape and type that an array declares; the stream then stands at its numbers.

    Raises:
        one of DAMAGED: it is no plain array.
    """
    version = np.lib.format.read_magic(stream)
    if version != (1, 0):
        raise ValueError(f"'{name}' is of the format {version}")
    shape, fortran, dtype = np.lib.format.read_array_header_1_0(stream, max_header_size=_MAX_HEADER)
    if dtype.hasobject or (fortran and len(shape) > 1) or any(size < 0 for size in shape):
        raise ValueError(f"'{name}' is no plain array")
    return shape, dtype


def exactly(stream: IO[bytes], size: int, name: str) -> bytes:
    """Return so many bytes.

    Raises:
        ValueError: there are fewer.
    """
    data = stream.read(size)
    if len(data) != size:
        raise ValueError(f"'{name}' ends too early")
    return data
