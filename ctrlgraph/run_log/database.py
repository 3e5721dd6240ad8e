"""Base class of a project's SQLite databases (run log, sweeps): opens them, and checks files that may be untrusted."""

from __future__ import annotations

import contextlib
import errno
import os
import re
import sqlite3
import stat
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, Self, TypeVar

from ctrlgraph.errors import CtrlGraphError, NothingLogged, RunLogError, printable
from ctrlgraph.files import TEMPORARY_SUFFIX
from ctrlgraph.paths import contained, display_path

T = TypeVar("T")

BUSY_TIMEOUT_S = 30.0
"""Maximum time to wait for a database that another process has locked, s."""

MAX_CELL = 16 * 2**20
"""Maximum size of a text or a row of a table, bytes. It prevents a malicious file from filling the memory."""

MAX_HEAP = 256 * 2**20
"""Maximum memory of SQLite in this process, bytes. A malicious file could otherwise make SQLite use gigabytes."""

LONGEST_PATH = 504
"""Maximum length of the path of a database, bytes. SQLite opens no longer paths on Unix."""

_CLOCK_INTERVAL = 1000  # SQLite instructions between checks of the deadline: well below a millisecond
_COLLATIONS = {"BINARY", "NOCASE", "RTRIM", None}  # built into SQLite; others need a function that is not available
_MAX_MESSAGE = 200  # characters of SQLite's messages, which can quote the file


@dataclass(frozen=True, slots=True)
class Format:
    """Description of a type of database, such as the run log: file name, tables, and texts for error messages."""

    file: str
    """File name."""
    schema: str
    """SQL statements that create the tables, separated by semicolons."""
    version: int
    """Version of the schema."""
    noun: str
    """Name of the type of database in messages, such as "run log"."""
    purpose: str
    """Beginning of the messages about a file that cannot be written, such as "runs cannot be logged"."""
    nothing: str
    """Beginning of the message about a missing file, such as "no run is logged"."""
    maker: str
    """Command that creates the file, in quotation marks, for the message about a missing file."""


class Database:
    """An open database of a project. Call `open` (to write) or `read` (to read), not the constructor.

    Data are written in transactions with a write-ahead log. A process that is killed loses at most one transaction, and
    readers never wait. A `Database` must not be passed on to a child process, which must open the file itself.
    """

    FORMAT: ClassVar[Format]
    """File name, tables and messages of the database. Subclasses set it."""

    def __init__(self, connection: sqlite3.Connection, path: Path) -> None:
        self._connection = connection
        self.path = path

    @classmethod
    def open(cls, directory: Path) -> Self:
        """Open the database in a directory for writing. Create the directory and the database if they do not exist.

        Args:
            directory: Directory of the database.

        Raises:
            RunLogError: The directory or the database cannot be written; or the file is damaged, cannot be trusted, was
                made by another program, or was made by a version of ctrlgraph with other tables.
        """
        form, path = cls.FORMAT, directory / cls.FORMAT.file
        _require_writable(directory, path, form)
        connection = _connect(path, "mode=rwc", form)
        with _closed_on_error(connection), _errors_of(path, form):
            if _version(connection):
                _check_schema(connection, path, form)
            _use_write_ahead_log(connection)
            connection.execute("PRAGMA synchronous = NORMAL")
            connection.execute("PRAGMA foreign_keys = ON")
            connection.execute("BEGIN IMMEDIATE")  # a second process waits here until the tables exist
            if _version(connection) == 0:
                if connection.execute("SELECT COUNT(*) FROM sqlite_schema").fetchone()[0]:
                    raise RunLogError(_foreign(path, form))  # a database of another program is not changed
                for statement in form.schema.split(";"):
                    connection.execute(statement)
                connection.execute(f"PRAGMA user_version = {form.version}")
            connection.execute("COMMIT")
        return cls(connection, path)

    @classmethod
    def read(cls, directory: Path, *, within: float | None = None) -> Self:
        """Open the database in a directory for reading.

        Args:
            directory: Directory of the database.
            within: Time from now after which reading raises an error, s. None: no limit.

        Raises:
            NothingLogged: The directory has no database.
            RunLogError: The file cannot be read, is damaged, cannot be trusted, was made by another program, or was
                made by a version of ctrlgraph with other tables.
        """
        form, path = cls.FORMAT, directory / cls.FORMAT.file
        if not path.is_file():
            raise NothingLogged(f"{form.nothing} yet: there is no {display_path(path)} (run {form.maker} first)")
        # SQLite needs extra files to read a write-ahead log; if they cannot be created, no other process can be writing
        writable = os.access(directory, os.W_OK) and os.access(path, os.W_OK)
        connection = _connect(path, "mode=rw" if writable else "mode=ro&immutable=1", form, within)
        with _closed_on_error(connection), _errors_of(path, form):
            _check_schema(connection, path, form)
        return cls(connection, path)

    def close(self) -> None:
        """Close the database."""
        self._connection.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @contextlib.contextmanager
    def _transaction(self) -> Iterator[None]:
        """Make a `with` block a transaction: all changes in the block are written, or none if the block fails."""
        with self._errors():
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                yield
                self._connection.execute("COMMIT")
            except BaseException:
                if self._connection.in_transaction:  # on a full disk SQLite has already rolled back
                    self._connection.execute("ROLLBACK")
                raise

    def _rows(self, query: str, values: Sequence[object] = ()) -> list[Any]:
        """Execute an SQL query, and return all rows of the result.

        Args:
            query: SQL text with a question mark for each value.
            values: Values to insert for the question marks.
        """
        with self._errors():
            return self._connection.execute(query, values).fetchall()

    def _errors(self) -> contextlib.AbstractContextManager[None]:
        """Convert errors of SQLite in a `with` block to `RunLogError`. An `IntegrityError` is raised unchanged."""
        return _errors_of(self.path, self.FORMAT)

    def _damaged(self, reason: str) -> RunLogError:
        """Return the error for a database with invalid contents, with the reason in its message."""
        return RunLogError(
            f"the {self.FORMAT.noun} {display_path(self.path)} is damaged, so restore or delete it: {_message(reason)}"
        )

    def _sound(self, read: Callable[[Any], T], row: Any, what: str) -> T:
        """Convert a row of the database with `read`, and report an invalid row as damage of the file.

        Args:
            read: Function that converts the row, and raises an error such as `ValueError` if the row is invalid.
            row: Row of the database.
            what: What the row contains, for the message, such as "run '1121-k7wq3'".

        Raises:
            RunLogError: The row is invalid.
        """
        try:
            return read(row)
        except (ValueError, TypeError, KeyError, RecursionError, OverflowError) as error:
            raise self._damaged(f"{what} cannot be read ({error})") from None


def _require_writable(directory: Path, path: Path, form: Format) -> None:
    shown = display_path(directory)
    try:
        directory.mkdir(parents=True, exist_ok=True)
        # root can write in any case, but the directory was made read-only on purpose
        if not directory.stat().st_mode & 0o222:
            raise PermissionError(errno.EACCES, "permission denied")
        # Permissions can mislead (network mounts, full disks), so write a file. Its name is random, because a link with
        # a known name would be followed. Its suffix is that of temporary files, so that it is removed later if this
        # process is killed.
        handle, probe = tempfile.mkstemp(prefix=".writable-", suffix=TEMPORARY_SUFFIX, dir=directory)
        os.close(handle)
        os.unlink(probe)
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise RunLogError(
            f"{form.purpose}, because {shown} cannot be written ({reason}): correct the path or its permissions"
        ) from None
    if path.exists() and not path.is_file():
        raise RunLogError(f"{form.purpose}, because {display_path(path)} is not a regular file: rename or remove it")
    if path.exists() and (not os.access(path, os.W_OK) or not path.stat().st_mode & 0o222):
        raise RunLogError(f"{form.purpose}, because {display_path(path)} is read-only: make it writable")


def _connect(path: Path, mode: str, form: Format, within: float | None = None) -> sqlite3.Connection:
    deadline = None if within is None else time.monotonic() + within
    try:
        contained(path.parent, path.name)
    except CtrlGraphError:
        raise RunLogError(
            f"the {form.noun} {display_path(path)} must not link out of its directory: replace it with the file"
        ) from None
    _check_beside(path.resolve(), form)
    with _errors_of(path, form):
        uri = f"{path.absolute().as_uri()}?{mode}"
        timeout = BUSY_TIMEOUT_S if within is None else within
        connection = sqlite3.connect(uri, timeout=timeout, isolation_level=None, uri=True)
    with _closed_on_error(connection), _errors_of(path, form):
        # the file is untrusted: it must neither execute code nor crash SQLite
        connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, MAX_CELL)
        connection.setlimit(sqlite3.SQLITE_LIMIT_ATTACHED, 0)
        connection.execute(f"PRAGMA hard_heap_limit = {MAX_HEAP}")
        if deadline is not None:
            connection.set_progress_handler(lambda: time.monotonic() > deadline, _CLOCK_INTERVAL)
        connection.execute("PRAGMA trusted_schema = OFF")
        connection.execute("PRAGMA cell_size_check = ON")
        connection.execute("PRAGMA mmap_size = 0")
        if sys.version_info >= (3, 12):
            connection.setconfig(sqlite3.SQLITE_DBCONFIG_DEFENSIVE)
    return connection


_SUPER_JOURNAL = bytes.fromhex("d9d505f920a163d7")
"""Last bytes of a journal that contains the path of a super-journal. SQLite would delete the file with this path after
a rollback, wherever it is. Only transactions over several databases need one, which ctrlgraph does not use.
"""


def _check_beside(path: Path, form: Format) -> None:
    """Check the journals next to a database, which SQLite opens together with the database.

    Raises:
        RunLogError: A journal cannot be read, is not a regular file, or would make SQLite delete another file.
    """
    for suffix in ("-journal", "-wal", "-shm"):
        beside = path.with_name(path.name + suffix)
        try:
            if not stat.S_ISREG(beside.lstat().st_mode):
                raise RunLogError(
                    f"the {form.noun} {display_path(path)} cannot be trusted, so delete"
                    f" {display_path(beside)}: the file, which SQLite"
                    " opens with the database, is not a regular file"
                )
            if suffix == "-journal":
                with beside.open("rb") as file:
                    file.seek(max(0, beside.stat().st_size - len(_SUPER_JOURNAL)))
                    if file.read(len(_SUPER_JOURNAL)) == _SUPER_JOURNAL:
                        raise RunLogError(
                            f"the {form.noun} {display_path(path)} cannot be trusted, so delete its"
                            f" journal {display_path(beside)}: the journal names another file, which SQLite would"
                            " delete"
                        )
        except FileNotFoundError:
            continue
        except OSError as error:
            raise RunLogError(
                f"the {form.noun} {display_path(path)} cannot be used: its journal {display_path(beside)}"
                f" cannot be read ({error.strerror or error})"
            ) from None


def _use_write_ahead_log(connection: sqlite3.Connection) -> None:
    """Switch a database to a write-ahead log. SQLite does not wait here, so retry while the database is locked."""
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


def _check_schema(connection: sqlite3.Connection, path: Path, form: Format) -> None:
    """Check that the tables have the definitions of the schema, and that nothing else in the file affects the tables.

    Additional tables, views and plain indexes are allowed. Triggers, constraints, expressions and foreign keys on the
    tables of the schema are refused, because SQLite would evaluate these together with the statements of ctrlgraph.

    Raises:
        RunLogError: The file has another version of the schema, lacks a table, is damaged, or cannot be trusted.
    """
    version, shown = _version(connection), display_path(path)
    if version == 0:
        raise RunLogError(_foreign(path, form))
    if version != form.version:
        age = "a newer" if version > form.version else "an older"
        raise RunLogError(
            f"the {form.noun} {shown} was made by {age} ctrlgraph, so use that version or rename the file"
            f" (schema {version}, not {form.version})"
        )
    known = _definitions(form)
    missing = set(known)
    ours = ", ".join(f"'{table}'" for table in known)
    entries = connection.execute(
        f"SELECT type, name, lower(tbl_name), sql FROM sqlite_schema WHERE lower(tbl_name) IN ({ours})"
    )
    for kind, name, table, sql in entries.fetchall():
        is_ours = (kind, name) == ("table", table) and _normalized(str(sql)) == known[table]
        if not is_ours and kind != "index":
            raise _untrusted(path, form, kind, name)
        missing.discard(name)
    if missing:
        raise RunLogError(
            f"the {form.noun} {shown} is damaged, so restore or delete it: it has no table '{min(missing)}'"
        )
    for table in known:
        # pages that refer to one page again and again would make a table of any length from a short file; values of a
        # wrong type are reported later, with their row
        for (text,) in connection.execute(f"PRAGMA integrity_check({table})"):
            if text != "ok" and not re.match(r"[\w-]+ value in \w+\.", text):
                raise RunLogError(
                    f"the {form.noun} {shown} is damaged, so restore or delete it: its pages do not form a table"
                )
    for table in known:
        for _, name, unique, origin, partial in connection.execute(f"PRAGMA index_list({table})").fetchall():
            columns = connection.execute("SELECT cid, coll FROM pragma_index_xinfo(?)", (name,)).fetchall()
            is_plain = not partial and all(cid >= -1 and coll in _COLLATIONS for cid, coll in columns)
            if origin == "c" and (unique or not is_plain):
                raise _untrusted(path, form, "index", name)
    referring = connection.execute(
        "SELECT name FROM sqlite_schema AS t, pragma_foreign_key_list(t.name) AS key"
        f" WHERE t.type = 'table' AND lower(t.name) NOT IN ({ours}) AND lower(key.\"table\") IN ({ours})"
    ).fetchone()
    if referring is not None:
        raise _untrusted(path, form, "table", referring[0])


def _definitions(form: Format) -> dict[str, str]:
    """Return the SQL definition of each table of the schema as SQLite stores it, by name of the table."""
    with contextlib.closing(sqlite3.connect(":memory:")) as model:
        model.executescript(form.schema)
        tables = model.execute("SELECT name, sql FROM sqlite_schema WHERE type = 'table'")
        return {name: _normalized(sql) for name, sql in tables}


def _normalized(sql: str) -> str:
    """Return an SQL definition with uniform white space, since `ALTER TABLE` changes the white space."""
    return re.sub(r" ?([(),]) ?", r"\1", " ".join(sql.split()))


def _untrusted(path: Path, form: Format, kind: str, name: str) -> RunLogError:
    what = f"its {kind} '{_message(name)}' was not made by ctrlgraph"
    return RunLogError(f"the {form.noun} {display_path(path)} cannot be trusted, so restore or delete it: {what}")


def _foreign(path: Path, form: Format) -> str:
    return f"{display_path(path)} is not a {form.noun} of ctrlgraph: rename or move this file"


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
    except MemoryError:
        raise RunLogError(
            f"the {form.noun} {display_path(path)} cannot be used: SQLite runs out of memory, so free memory"
            " or delete a damaged file"
        ) from None
    except (sqlite3.DatabaseError, UnicodeError) as error:
        reason, length = _message(error), len(os.fsencode(path.resolve()))
        if length > LONGEST_PATH and "unable to open" in reason:
            reason = f"path too long ({length} bytes; SQLite opens paths of up to {LONGEST_PATH})"
        raise RunLogError(f"the {form.noun} {display_path(path)} cannot be used: {reason}") from None


def _message(what: object) -> str:
    """Return a message as short printable text on one line, since the message can quote texts of an untrusted file."""
    return printable(str(what)).replace("\n", " ")[:_MAX_MESSAGE]


def require_types(values: Mapping[str, Any], types: Mapping[str, type]) -> None:
    """Check the types of the values of a row. They can be wrong if another program has written the file.

    Args:
        values: Value of each column, by name of the column.
        types: Required type of a column, by name of the column. Columns that are missing here are not checked.

    Raises:
        ValueError: A value has another type than the required one.
    """
    for name, kind in types.items():
        if type(values[name]) is not kind:
            raise ValueError(
                f"the column '{name}' must have the type {kind.__name__}, not {type(values[name]).__name__}"
            )
