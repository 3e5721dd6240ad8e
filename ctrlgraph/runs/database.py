"""SQLite files of a project's `runs/`: opened, checked, written and complained about in one way."""

from __future__ import annotations

import contextlib
import errno
import os
import sqlite3
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import ClassVar, Self

from ctrlgraph.errors import RunLogError
from ctrlgraph.paths import contained, display_path

BUSY_TIMEOUT_S = 30.0


@dataclass(frozen=True, slots=True)
class Format:
    """What a kind of database is: its file, its tables, and the words of its errors.

    noun: "run log"; purpose: "runs cannot be logged"; nothing, maker: what is said where there is none
    yet. added: (table, column, definition) of columns that files of the same version may lack, as these
    came later; each has a default, so that older programs can write into newer files.
    """

    file: str
    schema: str
    version: int
    noun: str
    purpose: str
    nothing: str
    maker: str
    added: tuple[tuple[str, str, str], ...] = ()


class Database:
    """A database of a project, of the kind that a subclass names.

    What is written is a transaction in a write-ahead log: a killed process loses at most the one in
    flight, and readers never wait. Open one in each process.
    """

    FORMAT: ClassVar[Format]

    def __init__(self, connection: sqlite3.Connection, path: Path) -> None:
        self._connection = connection
        self.path = path

    @classmethod
    def open(cls, directory: Path) -> Self:
        """The database in `directory` for writing; both are made where they do not exist.

        Raises:
            RunLogError: the directory or the database cannot be written, or a newer version of
                ctrlgraph made it.
            CtrlGraphError: a link that leads out of the directory stands in the database's place.
        """
        form, path = cls.FORMAT, contained(directory, cls.FORMAT.file)
        _require_writable(directory, path, form)
        connection = _connect(path, "mode=rwc", form)
        with _closed_on_error(connection), _errors_of(path, form):
            _use_write_ahead_log(connection)
            connection.execute("PRAGMA synchronous = NORMAL")
            connection.execute("PRAGMA foreign_keys = ON")
            connection.execute("BEGIN IMMEDIATE")  # a second process waits here until the tables are made
            if _version(connection) == 0:
                for statement in form.schema.split(";"):
                    connection.execute(statement)
                connection.execute(f"PRAGMA user_version = {form.version}")
            if _version(connection) == form.version:
                for table, column, definition in form.added:
                    if column not in _columns(connection, table):
                        connection.execute(f"ALTER TABLE {table} ADD COLUMN {column} {definition}")
            connection.execute("COMMIT")
            _check_version(connection, path, form)
        return cls(connection, path)

    @classmethod
    def read(cls, directory: Path) -> Self:
        """The database in `directory` for reading.

        Raises:
            RunLogError: there is none, or it cannot be read.
        """
        form, path = cls.FORMAT, contained(directory, cls.FORMAT.file)
        if not path.is_file():
            raise RunLogError(f"{form.nothing} yet: there is no {display_path(path)}; {form.maker} makes one")
        # a write-ahead log needs its side files: where those cannot be made, nobody is writing either
        writable = os.access(directory, os.W_OK) and os.access(path, os.W_OK)
        connection = _connect(path, "mode=rw" if writable else "mode=ro&immutable=1", form)
        with _closed_on_error(connection), _errors_of(path, form):
            _check_version(connection, path, form)
        return cls(connection, path)

    def close(self) -> None:
        self._connection.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()

    @contextlib.contextmanager
    def _transaction(self) -> Iterator[None]:
        """All of what is done within, or nothing."""
        with self._errors():
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                yield
            except BaseException:
                self._connection.execute("ROLLBACK")
                raise
            self._connection.execute("COMMIT")

    def _errors(self) -> contextlib.AbstractContextManager[None]:
        """SQLite's errors as ours; a broken constraint is the caller's affair."""
        return _errors_of(self.path, self.FORMAT)

    def _lacks(self, table: str, column: str) -> bool:
        """Whether the file, opened for reading, is older than a column."""
        return column not in _columns(self._connection, table)


def _require_writable(directory: Path, path: Path, form: Format) -> None:
    shown = display_path(directory)
    try:
        directory.mkdir(parents=True, exist_ok=True)
        # root may write where nobody has permission to: it was made read-only on purpose all the same
        if not directory.stat().st_mode & 0o222:
            raise PermissionError(errno.EACCES, "permission denied")
        # and permission may mislead (network mounts, full disks): only writing shows whether one can
        probe = directory / f".writable-{os.getpid()}"
        probe.touch()
        probe.unlink()
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise RunLogError(f"{form.purpose}: {shown} cannot be written ({reason})") from None
    if path.exists() and (not os.access(path, os.W_OK) or not path.stat().st_mode & 0o222):
        raise RunLogError(f"{form.purpose}: {display_path(path)} is read-only")


def _connect(path: Path, mode: str, form: Format) -> sqlite3.Connection:
    with _errors_of(path, form):
        uri = f"{path.absolute().as_uri()}?{mode}"
        return sqlite3.connect(uri, timeout=BUSY_TIMEOUT_S, isolation_level=None, uri=True)


def _use_write_ahead_log(connection: sqlite3.Connection) -> None:
    """Switch the journal, once for the file; SQLite does not wait for its lock here, so we do."""
    deadline = time.monotonic() + BUSY_TIMEOUT_S
    while connection.execute("PRAGMA journal_mode").fetchone()[0] != "wal":
        try:
            connection.execute("PRAGMA journal_mode = WAL")
        except sqlite3.OperationalError:
            if time.monotonic() > deadline:
                raise
            time.sleep(0.02)


def _version(connection: sqlite3.Connection) -> int:
    return int(connection.execute("PRAGMA user_version").fetchone()[0])


def _columns(connection: sqlite3.Connection, table: str) -> set[str]:
    return {row[1] for row in connection.execute(f"PRAGMA table_info({table})")}


def _check_version(connection: sqlite3.Connection, path: Path, form: Format) -> None:
    version, shown = _version(connection), display_path(path)
    if version > form.version:
        raise RunLogError(
            f"the {form.noun} {shown} was made by a newer ctrlgraph (schema {version}, this one knows {form.version})"
        )
    if version < form.version:
        raise RunLogError(f"{shown} is no {form.noun} of ctrlgraph")


@contextlib.contextmanager
def _closed_on_error(connection: sqlite3.Connection) -> Iterator[None]:
    try:
        yield
    except BaseException:
        connection.close()
        raise


@contextlib.contextmanager
def _errors_of(path: Path, form: Format) -> Iterator[None]:
    try:
        yield
    except sqlite3.IntegrityError:
        raise
    except sqlite3.DatabaseError as error:
        raise RunLogError(f"the {form.noun} {display_path(path)} cannot be used: {error}") from None
