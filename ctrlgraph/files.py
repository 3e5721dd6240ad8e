"""Writing a file so that it is either the old one or the whole new one, and never the remains of one."""

from __future__ import annotations

import errno
import os
import shutil
import stat
import tempfile
import time
from codecs import BOM_UTF8
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

from ctrlgraph.errors import CtrlGraphError
from ctrlgraph.paths import display_path

TEMPORARY_SUFFIX = ".ctrlgraph-tmp"
"""Stands in the name of everything that is being written, before the file's own suffix."""

_STALE_S = 3600.0


@contextmanager
def replacing(path: Path | str) -> Iterator[Path]:
    """Yield a temporary file beside `path`, of the same suffix, which becomes `path` where nothing fails. Who may read
    and write the file stays as it was.

    Raises:
        CtrlGraphError: the directory does not exist, cannot be written, or is full.
    """
    path = Path(path)
    with _beside(path) as temporary:
        try:
            yield temporary
            _put(temporary, path)
        except OSError as error:
            # what fails about another file is the caller's affair
            if error.filename is not None and Path(os.fsdecode(error.filename)) != temporary:
                raise
            raise _cannot_write(path, error) from None


@contextmanager
def _beside(path: Path) -> Iterator[Path]:
    """An empty file beside `path`, of the same suffix, which is gone in the end.

    Raises:
        CtrlGraphError: the directory does not exist, cannot be written, or is full; `path` is no file.
    """
    if path.exists() and not path.is_file():
        what = "a directory" if path.is_dir() else "no file but a pipe or a device"
        raise CtrlGraphError(f"{display_path(path)} cannot be written: it is {what}")
    try:
        # a name ends at 255 bytes, and what is added takes some of them
        prefix = f".{os.fsdecode(os.fsencode(path.stem)[:150]).encode('utf-8', 'ignore').decode()}-"
        handle, name = tempfile.mkstemp(prefix=prefix, suffix=TEMPORARY_SUFFIX + path.suffix, dir=path.parent)
        os.close(handle)
    except OSError as error:
        raise _cannot_write(path, error) from None
    temporary = Path(name)
    try:
        yield temporary
    finally:
        with suppress(OSError):
            temporary.unlink(missing_ok=True)


def _put(temporary: Path, path: Path) -> None:
    """Let a file take the place of another one."""
    temporary.chmod(_mode(path))
    temporary.replace(path)


def _mode(path: Path) -> int:
    try:
        return stat.S_IMODE(path.stat().st_mode)
    except OSError:
        return 0o644  # it is new


def write_text(path: Path | str, text: str) -> None:
    """Write a text as UTF-8, whole or not at all; its directory is made where there is none.

    Raises:
        CtrlGraphError: the file or its directory cannot be written.
    """
    path = Path(path)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise _cannot_write(path, error) from None
    with replacing(path) as temporary:
        temporary.write_text(text, encoding="utf-8", newline="\n")


def write_texts(texts: Mapping[Path, str]) -> None:
    """Write texts as UTF-8 into files of directories that there are, into all of them or into none: where one cannot be
    written, the others keep their contents. A file that begins with a byte order mark goes on to, and a link stays one.

    A process that is killed meanwhile leaves each file whole; of several, the first ones may be new then.

    Raises:
        CtrlGraphError: a file cannot be written.
    """
    texts = {path.resolve(): _mark_of(path) + text.removeprefix("\ufeff") for path, text in texts.items()}
    with ExitStack() as stack:
        new = {path: stack.enter_context(_beside(path)) for path in texts}
        old = {path: stack.enter_context(_beside(path)) for path in texts if len(texts) > 1 and path.exists()}
        for path, temporary in new.items():
            with _named(path):
                temporary.write_text(texts[path], encoding="utf-8", newline="\n")
        for path, kept in old.items():
            with _named(path):
                shutil.copy2(path, kept)
        placed: list[Path] = []
        try:
            for path, temporary in new.items():
                with _named(path):
                    _put(temporary, path)
                placed.append(path)
        except BaseException:
            _put_back(placed, old)
            raise


def _mark_of(path: Path) -> str:
    with suppress(OSError):  # it is new, or writing it will tell
        if read_head(path, len(BOM_UTF8)) == BOM_UTF8:
            return BOM_UTF8.decode("utf-8")
    return ""


def _put_back(placed: Sequence[Path], old: Mapping[Path, Path]) -> None:
    """Restore the earlier contents of written files, or remove them."""
    lost = []
    for path in placed:
        try:
            if path in old:
                old[path].replace(path)
            else:
                path.unlink()
        except OSError:
            lost.append(display_path(path))
    if lost:
        raise CtrlGraphError(
            f"not all files could be written, and these are already the new ones: {', '.join(sorted(lost))}"
        )


@contextmanager
def _named(path: Path) -> Iterator[None]:
    """Tell of the file that is meant where the one that becomes it cannot be written."""
    try:
        yield
    except OSError as error:
        raise _cannot_write(path, error) from None


def table_cell(value: object) -> object:
    """Return a cell of a CSV file: a text that a spreadsheet would take for a formula, and run, gets an apostrophe
    before it.

    What stands in tables (names, reasons, lines of scripts) comes from files of others.
    """
    return f"'{value}" if isinstance(value, str) and value[:1] in _FORMULA else value


_FORMULA = ("=", "+", "-", "@", "\t", "\r")


class NotRegular(OSError):
    """What was to be read is a directory, or a pipe or a device, which may never end; `is_directory` tells which."""

    is_directory = False


class TooLarge(OSError):
    """A file holds more bytes than anything that it could be."""


def read_bytes(path: Path | str, at_most: int) -> bytes:
    """Return what a regular file holds.

    Raises:
        NotRegular: it is a directory, a pipe or a device.
        TooLarge: it has more than `at_most` bytes.
        OSError: it cannot be read.
    """
    data = read_head(path, at_most + 1)
    if len(data) > at_most:
        raise TooLarge(errno.EFBIG, f"it is larger than {at_most / 2**20:g} MB", str(path))
    return data


def read_head(path: Path | str, size: int) -> bytes:
    """Return the first bytes of a regular file, or all of a shorter one.

    Raises:
        NotRegular: it is a directory, a pipe or a device.
        OSError: it cannot be read.
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
    """Remove what processes that were killed left half-written in a directory: files of `replacing`, or files and
    directories of another pattern, that have not changed for a number of seconds. What cannot be removed stays.
    """
    oldest = time.time() - older_than
    for file in directory.glob(pattern):
        with suppress(OSError):
            if file.lstat().st_mtime < oldest:
                shutil.rmtree(file) if file.is_dir() and not file.is_symlink() else file.unlink()


def _cannot_write(path: Path, error: OSError) -> CtrlGraphError:
    return CtrlGraphError(f"cannot write '{display_path(path)}': {(error.strerror or str(error)).lower()}")
