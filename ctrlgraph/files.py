"""Atomic writing of files (a file gets its complete new content or stays unchanged), and reading with a size limit."""

from __future__ import annotations

import errno
import math
import os
import shutil
import stat
import tempfile
import time
from codecs import BOM_UTF8
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any

from ctrlgraph.errors import CtrlGraphError
from ctrlgraph.paths import display_path

TEMPORARY_SUFFIX = ".ctrlgraph-tmp"
"""Text in the names of all temporary files. In a name, the suffix of the file to write follows, such as ".png"."""

_STALE_S = 3600.0


@contextmanager
def replacing(path: Path | str) -> Iterator[Path]:
    """Yield the path of an empty temporary file. After the `with` block has written it, move the file to `path`.

    The temporary file is in the directory of `path` and has the same suffix. If the block raises an error, the file at
    `path` remains unchanged. If a file exists at `path`, the new file gets its permissions.

    Raises:
        CtrlGraphError: The directory of `path` does not exist, is not writable, or its disk is full; or `path` is a
            directory, a pipe or a device.
    """
    path = Path(path)
    if path.exists() and not path.is_file():
        what = "a directory" if path.is_dir() else "not a file but a pipe or a device"
        raise CtrlGraphError(f"{display_path(path)} cannot be written, because it is {what}: choose another path")
    try:
        # file systems allow names of 255 bytes, and the temporary name is longer than the name of the file
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
        return 0o644  # there is no file yet


def write_text(path: Path | str, text: str) -> None:
    """Write a UTF-8 file, completely or not at all. Create the directory of the file if it does not exist.

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
    """Write several texts as UTF-8 files in existing directories. If a text cannot be written, no file is changed.

    All texts are first written to temporary files, which then replace the files one after another. So no file is ever
    incomplete. A byte order mark at the beginning of an existing file is kept. If a path is a link, the linked file is
    replaced.

    Args:
        texts: Text of each file, by its path.

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
    with suppress(OSError):  # the file does not exist, or cannot be read
        if read_head(path, len(BOM_UTF8)) == BOM_UTF8:
            return BOM_UTF8.decode("utf-8")
    return ""


def table_cell(value: object) -> object:
    """Return a value for a cell of a CSV file. A text that a spreadsheet would run as a formula gets an apostrophe.

    The names, messages and script lines in a table may come from untrusted files.
    """
    return f"'{value}" if isinstance(value, str) and value[:1] in _FORMULA else value


_FORMULA = ("=", "+", "-", "@", "\t", "\r")


class NotRegular(OSError):
    """The path of a file to read is a directory, a pipe or a device. Reading a pipe or a device may never end."""

    is_directory = False
    """Whether the path is a directory."""


class TooLarge(OSError):
    """The file to read is larger than the maximum size."""


def finite(value: Any) -> Any:
    """Replace NaN and infinity, which JSON does not have, by None in nested data, and return a copy."""
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, dict):
        return {key: finite(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [finite(item) for item in value]
    return value


def read_bytes(path: Path | str, at_most: int) -> bytes:
    """Return the contents of a regular file.

    Args:
        path: Path of the file.
        at_most: Maximum size of the file, bytes.

    Raises:
        NotRegular: The path is a directory, a pipe or a device.
        TooLarge: The file has more than `at_most` bytes.
        OSError: The file cannot be read.
    """
    data = read_head(path, at_most + 1)
    if len(data) > at_most:
        raise TooLarge(errno.EFBIG, f"the file is larger than {at_most / 2**20:g} MB, the maximum", str(path))
    return data


def read_head(path: Path | str, size: int) -> bytes:
    """Return the first `size` bytes of a regular file, or all bytes of a shorter file.

    Raises:
        NotRegular: The path is a directory, a pipe or a device.
        OSError: The file cannot be read.
    """
    _require_regular(os.stat(path), path)  # before `open`, since opening a device can have an effect
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
    """Remove temporary files and directories that killed processes have left behind.

    Args:
        directory: Directory to clean, without its subdirectories.
        older_than: Minimum time since the last change of a file or directory, s. Younger files may belong to a running
            process.
        pattern: Glob pattern of the file names to remove.
    """
    oldest = time.time() - older_than
    for file in directory.glob(pattern):
        with suppress(OSError):
            if file.lstat().st_mtime < oldest:
                shutil.rmtree(file) if file.is_dir() and not file.is_symlink() else file.unlink()


def _cannot_write(path: Path, error: OSError) -> CtrlGraphError:
    return CtrlGraphError(f"cannot write '{display_path(path)}': {(error.strerror or str(error)).lower()}")
