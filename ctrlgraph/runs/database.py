"""SQLite files of a project's `runs/`: opened, checked, written and complained about in one way."""

from __future__ import annotations

import contextlib
import errno
import os
import re
import sqlite3
import stat
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Any, ClassVar, Self, TypeVar

from ctrlgraph.errors import CtrlGraphError, NothingLogged, RunLogError, printable
from ctrlgraph.files import TEMPORARY_SUFFIX
from ctrlgraph.paths import contained, display_path

T = TypeVar("T")

BUSY_TIMEOUT_S = 30.0

MAX_CELL = 16 * 2**20
"""Bytes of the longest text, and of the longest row: a file that was made to fill memory says less."""

LONGEST_PATH = 504
"""Bytes of the longest path that SQLite opens on Unix, whatever the system allows."""

_BETWEEN_LOOKS = 1000  # instructions of SQLite between two looks at the clock: well under a millisecond
_COLLATIONS = {"BINARY", "NOCASE", "RTRIM", None}  # SQLite's own; any other is a function that we do not have
_SAID = 200  # characters of SQLite's own words, which may quote the file


@dataclass(frozen=True, slots=True)
class Format:
    """What a kind of database is: its file, its tables, and the words of its errors.

    noun: "run log"; purpose: "runs cannot be logged"; nothing, maker: what is said where there is none
    yet. added: (table, column, definition) of columns of `schema` that older files lack: `Database.open` adds them, and
    files that are only read may lack them. upgrades: by version, what makes a file of it one of the next
    version; such files are read and written as they are until `Database._upgrade`.
    """

    file: str
    schema: str
    version: int
    noun: str
    purpose: str
    nothing: str
    maker: str
    added: tuple[tuple[str, str, str], ...] = ()
    upgrades: Mapping[int, str] = field(default_factory=dict)


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
        """Return the database in `directory` for writing; both are made where they do not exist.

        Raises:
            RunLogError: the directory or the database cannot be written, or a newer version of
                ctrlgraph made it.
            CtrlGraphError: a link that leads out of the directory stands in the database's place.
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
            connection.execute("BEGIN IMMEDIATE")  # a second process waits here until the tables are made
            if _version(connection) == 0:
                if connection.execute("SELECT COUNT(*) FROM sqlite_schema").fetchone()[0]:
                    raise RunLogError(_foreign(path, form))  # somebody else's: nothing is made in it
                for statement in form.schema.split(";"):
                    connection.execute(statement)
                connection.execute(f"PRAGMA user_version = {form.version}")
            for table, column, definition in form.added:
                if column not in _columns(connection, table):
                    connection.execute(f"ALTER TABLE {table} ADD COLUMN {column} {definition}")
            connection.execute("COMMIT")
        return cls(connection, path)

    @classmethod
    def read(cls, directory: Path, *, within: float | None = None) -> Self:
        """Return the database in `directory` for reading.

        Args:
            within: s from now on, after which whatever is being read ends with an error.

        Raises:
            NothingLogged: there is none.
            RunLogError: it cannot be read.
        """
        form, path = cls.FORMAT, directory / cls.FORMAT.file
        if not path.is_file():
            raise NothingLogged(f"{form.nothing} yet: there is no {display_path(path)}; {form.maker} makes one")
        # a write-ahead log needs its side files: where those cannot be made, nobody is writing either
        writable = os.access(directory, os.W_OK) and os.access(path, os.W_OK)
        connection = _connect(path, "mode=rw" if writable else "mode=ro&immutable=1", form, within)
        with _closed_on_error(connection), _errors_of(path, form):
            _check_schema(connection, path, form)
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
                self._connection.execute("COMMIT")
            except BaseException:
                if self._connection.in_transaction:  # on a full disk SQLite has gone back already
                    self._connection.execute("ROLLBACK")
                raise

    @property
    def is_old(self) -> bool:
        """Tell whether the file is of an older version than this one writes."""
        with self._errors():
            return _version(self._connection) < self.FORMAT.version

    def _upgrade(self) -> None:
        """Make the file one of the present version; within a transaction."""
        for version in range(_version(self._connection), self.FORMAT.version):
            for statement in self.FORMAT.upgrades[version].split(";"):
                self._connection.execute(statement)
        self._connection.execute(f"PRAGMA user_version = {self.FORMAT.version}")

    def _errors(self) -> contextlib.AbstractContextManager[None]:
        """SQLite's errors as ours; a broken constraint is the caller's affair."""
        return _errors_of(self.path, self.FORMAT)

    def _damaged(self, what: str) -> RunLogError:
        """The error of a file that holds what was never written into it."""
        return RunLogError(f"the {self.FORMAT.noun} {display_path(self.path)} is damaged: {_said(what)}")

    def _sound(self, read: Callable[[Any], T], row: Any, what: str) -> T:
        """What `read` makes of a row.

        Raises:
            RunLogError: the row holds what was never written.
        """
        try:
            return read(row)
        except (ValueError, TypeError, KeyError, RecursionError, OverflowError) as error:
            raise self._damaged(f"{what} cannot be read ({error})") from None

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
        # a name that nobody knows before: a link in its place would be followed; of a killed process it is swept
        handle, probe = tempfile.mkstemp(prefix=".writable-", suffix=TEMPORARY_SUFFIX, dir=directory)
        os.close(handle)
        os.unlink(probe)
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise RunLogError(f"{form.purpose}: {shown} cannot be written ({reason})") from None
    if path.exists() and not path.is_file():
        raise RunLogError(f"{form.purpose}: {display_path(path)} is no file")
    if path.exists() and (not os.access(path, os.W_OK) or not path.stat().st_mode & 0o222):
        raise RunLogError(f"{form.purpose}: {display_path(path)} is read-only")


def _connect(path: Path, mode: str, form: Format, within: float | None = None) -> sqlite3.Connection:
    deadline = None if within is None else time.monotonic() + within
    try:
        contained(path.parent, path.name)
    except CtrlGraphError:
        raise RunLogError(f"the {form.noun} {display_path(path)} is a link that leads out of its directory") from None
    _check_beside(path.resolve(), form)
    with _errors_of(path, form):
        uri = f"{path.absolute().as_uri()}?{mode}"
        patience = BUSY_TIMEOUT_S if within is None else within
        connection = sqlite3.connect(uri, timeout=patience, isolation_level=None, uri=True)
    with _closed_on_error(connection), _errors_of(path, form):
        # the file may be a stranger's: what it holds is data, and never runs or is believed to be sound
        connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, MAX_CELL)
        connection.setlimit(sqlite3.SQLITE_LIMIT_ATTACHED, 0)
        if deadline is not None:
            connection.set_progress_handler(lambda: time.monotonic() > deadline, _BETWEEN_LOOKS)
        connection.execute("PRAGMA trusted_schema = OFF")
        connection.execute("PRAGMA cell_size_check = ON")
        connection.execute("PRAGMA mmap_size = 0")
    return connection


_NAMES_ANOTHER = bytes.fromhex("d9d505f920a163d7")
"""How a journal ends that belongs to a transaction over several databases: before it stands a path, and SQLite deletes
the file of this path, wherever it lies, once it has gone back. Ours is never one of several."""


def _check_beside(path: Path, form: Format) -> None:
    """See to it that the files beside a database, which SQLite opens by itself, are what they should be."""
    for suffix in ("-journal", "-wal", "-shm"):
        beside = path.with_name(path.name + suffix)
        try:
            if not stat.S_ISREG(beside.lstat().st_mode):
                raise RunLogError(
                    f"the {form.noun} {display_path(path)} cannot be trusted: {display_path(beside)}, which belongs to"
                    " it, is not a regular file"
                )
            if suffix == "-journal":
                with beside.open("rb") as file:
                    file.seek(max(0, beside.stat().st_size - len(_NAMES_ANOTHER)))
                    if file.read(len(_NAMES_ANOTHER)) == _NAMES_ANOTHER:
                        raise RunLogError(
                            f"the {form.noun} {display_path(path)} cannot be trusted: its journal"
                            f" {display_path(beside)} names another file, which would be deleted"
                        )
        except FileNotFoundError:
            continue
        except OSError as error:
            raise RunLogError(
                f"the {form.noun} {display_path(path)} cannot be used: {(error.strerror or str(error)).lower()}"
            ) from None


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


def _columns(connection: sqlite3.Connection, table: str) -> list[str]:
    return [name for _, name, *_ in connection.execute(f"PRAGMA table_xinfo({table})")]


def _check_schema(connection: sqlite3.Connection, path: Path, form: Format) -> None:
    """Check that our tables are defined as ctrlgraph defines them, and that nothing acts on them.

    The owner of the file may have added tables, views and plain indexes. Triggers, constraints, expressions and foreign
    keys that concern our tables are refused: SQLite would evaluate them with every statement of ours.

    Raises:
        RunLogError: the file is of another version, lacks a table, or cannot be trusted.
    """
    version, shown = _version(connection), display_path(path)
    if version > form.version:
        raise RunLogError(
            f"the {form.noun} {shown} was made by a newer ctrlgraph (schema {version}, this one knows {form.version})"
        )
    if version < form.version and version not in form.upgrades:
        raise RunLogError(_foreign(path, form))
    known, missing = _definitions(form)
    for old, upgrade in form.upgrades.items():
        if version <= old:
            missing -= set(re.findall(r"CREATE TABLE (\w+)", upgrade))
    ours = ", ".join(f"'{table}'" for table in known)
    entries = connection.execute(
        f"SELECT type, name, lower(tbl_name), sql FROM sqlite_schema WHERE lower(tbl_name) IN ({ours})"
    )
    for kind, name, table, sql in entries.fetchall():
        is_ours = (kind, name) == ("table", table) and _normalized(str(sql)) in known[table]
        if not is_ours and kind != "index":
            raise _untrusted(path, form, kind, name)
        missing.discard(name)
    if missing:
        raise RunLogError(f"the {form.noun} {shown} is damaged: it has no table '{min(missing)}'")
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


def _definitions(form: Format) -> tuple[dict[str, set[str]], set[str]]:
    """Return the definitions that each table may have, as SQLite keeps them, and the names of the tables."""
    known: dict[str, set[str]] = {}
    with contextlib.closing(sqlite3.connect(":memory:")) as model:
        model.executescript(form.schema)
        drops = [f"ALTER TABLE {table} DROP COLUMN {name}" for table, name, _ in reversed(form.added)]
        adds = [f"ALTER TABLE {table} ADD COLUMN {name} {definition}" for table, name, definition in form.added]
        for alteration in ("", *drops, *adds):
            model.execute(alteration)
            for name, sql in model.execute("SELECT name, sql FROM sqlite_schema WHERE type = 'table'"):
                known.setdefault(name, set()).add(_normalized(sql))
    return known, set(known)


def _normalized(sql: str) -> str:
    """Return a definition with uniform white space: `ALTER TABLE` lays it out differently."""
    return re.sub(r" ?([(),]) ?", r"\1", " ".join(sql.split()))


def _untrusted(path: Path, form: Format, kind: str, name: str) -> RunLogError:
    what = f"its {kind} '{_said(name)}' is none that ctrlgraph makes"
    return RunLogError(f"the {form.noun} {display_path(path)} cannot be trusted: {what}")


def _foreign(path: Path, form: Format) -> str:
    return f"{display_path(path)} is no {form.noun} of ctrlgraph"


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
    except (sqlite3.DatabaseError, UnicodeError) as error:
        reason, length = _said(error), len(os.fsencode(path.resolve()))
        if length > LONGEST_PATH and "unable to open" in reason:
            reason = f"path too long ({length} bytes; SQLite opens paths of up to {LONGEST_PATH})"
        raise RunLogError(f"the {form.noun} {display_path(path)} cannot be used: {reason}") from None


def _said(what: object) -> str:
    """A few words of what SQLite or its file says, on one line."""
    return printable(str(what)).replace("\n", " ")[:_SAID]


def require_types(values: Mapping[str, Any], types: Mapping[str, type]) -> None:
    """See to it that what a row holds is of these types: a file that was made by hand may hold any.

    Raises:
        ValueError: a value is of another.
    """
    for name, kind in types.items():
        if type(values[name]) is not kind:
            raise ValueError(f"'{name}' is a {type(values[name]).__name__}")
