"""Atomic writing of files, and bounded reading."""

from __future__ import annotations

import errno
import os
import shutil
import stat
import tempfile
import time
from codecs import BOM_UTF8
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

from ctrlgraph.errors import CtrlGraphError
from ctrlgraph.paths import display_path

TEMPORARY_SUFFIX = ".ctrlgraph-tmp"
"""Part of the names of temporary files, before the suffix."""

_STALE_S = 3600.0


@contextmanager
def replacing(path: Path | str) -> Iterator[Path]:
    """Yield an empty temporary file beside `path`, of the same suffix, that replaces it if nothing fails.

    Permissions are kept.

    Raises:
        CtrlGraphError: The directory does not exist, cannot be written, or is full; `path` is not a file.
    """
    path = Path(path)
    if path.exists() and not path.is_file():
        what = "a directory" if path.is_dir() else "not a file but a pipe or a device"
        raise CtrlGraphError(f"{display_path(path)} cannot be written: it is {what}")
    try:
        # names have at most 255 bytes, including the added parts
        prefix = f".{os.fsdecode(os.fsencode(path.stem)[:150]).encode('utf-8', 'ignore').decode()}-"
        handle, name = tempfile.mkstemp(prefix=prefix, suffix=TEMPORARY_SUFFIX + path.suffix, dir=path.parent)
        os.close(handle)
    except OSError as error:
        raise _cannot_write(path, error) from None
    temporary = Path(name)
    try:
        yield temporary
        temporary.chmod(_mode(path))
        temporary.replace(path)
    except OSError as error:
        # errors about other files are raised unchanged
        if error.filename is not None and Path(os.fsdecode(error.filename)) != temporary:
            raise
        raise _cannot_write(path, error) from None
    finally:
        with suppress(OSError):
            temporary.unlink(missing_ok=True)


def _mode(path: Path) -> int:
    try:
        return stat.S_IMODE(path.stat().st_mode)
    except OSError:
        return 0o644  # it is new


def write_text(path: Path | str, text: str) -> None:
    """Write a text as UTF-8, whole or not at all; create its directory if necessary.

    Raises:
        CtrlGraphError: The file or its directory cannot be written.
    """
    path = Path(path)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise _cannot_write(path, error) from None
    with replacing(path) as temporary:
        temporary.write_text(text, encoding="utf-8", newline="\n")


def write_texts(texts: Mapping[Path, str]) -> None:
    """Write texts as UTF-8 into files of existing directories. If one cannot be written, none is changed.

    All texts are written to temporary files first, which then replace the files one after another. Each file is whole
    at any time. Byte order marks and links are kept.

    Raises:
        CtrlGraphError: A file cannot be written.
    """
    texts = {path.resolve(): _mark_of(path) + text.removeprefix("\ufeff") for path, text in texts.items()}
    with ExitStack() as stack:
        written = {path: stack.enter_context(replacing(path)) for path in texts}
        for path, temporary in written.items():
            try:
                temporary.write_text(texts[path], encoding="utf-8", newline="\n")
            except OSError as error:
                raise _cannot_write(path, error) from None


def _mark_of(path: Path) -> str:
    with suppress(OSError):  # a new file, or one that cannot be written
        if read_head(path, len(BOM_UTF8)) == BOM_UTF8:
            return BOM_UTF8.decode("utf-8")
    return ""


def table_cell(value: object) -> object:
    """Return a cell of a CSV file. A text that a spreadsheet would run as a formula gets an apostrophe.

    Names, reasons and lines of scripts may come from untrusted files.
    """
    return f"'{value}" if isinstance(value, str) and value[:1] in _FORMULA else value


_FORMULA = ("=", "+", "-", "@", "\t", "\r")


class NotRegular(OSError):
    """The path is a directory, or a pipe or device, which may never end."""

    is_directory = False


class TooLarge(OSError):
    """The file is larger than allowed."""


def read_bytes(path: Path | str, at_most: int) -> bytes:
    """Return the contents of a regular file.

    Raises:
        NotRegular: It is a directory, a pipe or a device.
        TooLarge: It has more than `at_most` bytes.
        OSError: It cannot be read.
    """
    data = read_head(path, at_most + 1)
    if len(data) > at_most:
        raise TooLarge(errno.EFBIG, f"it is larger than {at_most / 2**20:g} MB", str(path))
    return data


def read_head(path: Path | str, size: int) -> bytes:
    """Return the first bytes of a regular file, or all of a shorter one.

    Raises:
        NotRegular: It is a directory, a pipe or a device.
        OSError: It cannot be read.
    """
    _require_regular(os.stat(path), path)  # to open a device may already do something
    handle = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    with os.fdopen(handle, "rb") as file:
        _require_regular(os.fstat(handle), path)
        return file.read(size)


def _require_regular(status: os.stat_result, path: Path | str) -> None:
    if not stat.S_ISREG(status.st_mode):
        fault = NotRegular(errno.EINVAL, "it is not a regular file", str(path))
        fault.is_directory = stat.S_ISDIR(status.st_mode)
        raise fault


def sweep_temporaries(
    directory: Path, older_than: float = _STALE_S, *, pattern: str = f".*{TEMPORARY_SUFFIX}*"
) -> None:
    """Remove temporary files and directories that killed processes left.

    Args:
        directory: Directory to clean.
        older_than: Minimum time since the last change, s.
        pattern: Pattern of the names.
    """
    oldest = time.time() - older_than
    for file in directory.glob(pattern):
        with suppress(OSError):
            if file.lstat().st_mtime < oldest:
                shutil.rmtree(file) if file.is_dir() and not file.is_symlink() else file.unlink()


def _cannot_write(path: Path, error: OSError) -> CtrlGraphError:
    return CtrlGraphError(f"cannot write '{display_path(path)}': {(error.strerror or str(error)).lower()}")
