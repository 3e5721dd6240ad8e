"""Damaged or malicious logs cause one sentence that names the file, and nothing in them runs."""

from __future__ import annotations

import contextlib
import os
import shutil
import sqlite3
import struct
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from mistakes import read_mistakes
from small_project import make_small

from ctrlgraph.cli.main import main
from ctrlgraph.errors import NothingLogged, RunLogError
from ctrlgraph.run_log.names import SCHEMA
from ctrlgraph.run_log.run_log import RunLog

ROWS = read_mistakes("log_rows.txt")


@pytest.fixture
def log_path(tmp_path: Path, run, make_attempt) -> Path:
    with RunLog.open(tmp_path) as log:
        log.begin_run(run)
        for position in range(40):
            log.add(make_attempt(position=position))
    return tmp_path / "runs.sqlite"


def unchecked(path: Path, *statements: str) -> None:
    """Change a database while its tables accept any type."""
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA writable_schema = ON")
    connection.execute("UPDATE sqlite_schema SET sql = replace(replace(sql, ') STRICT', ')'), ' NOT NULL', '')")
    connection.commit()
    connection.close()
    connection = sqlite3.connect(path)
    for statement in statements:
        connection.execute(statement)
    connection.commit()
    connection.execute("PRAGMA writable_schema = ON")
    for sql in SCHEMA.strip().split(";"):
        name = next((name for name in ("runs", "attempts") if f"TABLE {name} " in sql), None)
        if name:
            connection.execute("UPDATE sqlite_schema SET sql = ? WHERE name = ?", (sql.strip(), name))
    connection.commit()
    connection.close()


def altered(path: Path, *statements: str) -> None:
    """Execute statements that may change the schema."""
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA writable_schema = ON")
    for statement in statements:
        connection.execute(statement)
    connection.commit()
    connection.close()


def assert_untrusted(path: Path, reason: str) -> None:
    """Check that a log can be opened neither for writing nor for reading."""
    for open_log in (RunLog.open, RunLog.read):
        with pytest.raises(RunLogError) as raised:
            open_log(path.parent).close()
        assert str(raised.value) == f"the run log {path} cannot be trusted, so {reason}"


def changed_schema(old: str, new: str) -> str:
    """Return the statement that manipulates the definition of `attempts`."""
    return f"UPDATE sqlite_schema SET sql = replace(sql, '{old}', '{new}') WHERE name = 'attempts'"


def all_said(directory: Path) -> set[str]:
    """Return the errors of reading everything."""
    said = set()
    for read in (
        lambda log: list(log.runs()),
        lambda log: log.run("last"),
        lambda log: list(log.attempts()),
        lambda log: log.attempts_after("1121-aaaaa", 0),
        lambda log: log.statistics(),
    ):
        try:
            with RunLog.read(directory) as log:
                read(log)
        except RunLogError as error:
            said.add(str(error))
    return said


@pytest.mark.parametrize("statement", ROWS)
def test_a_row_that_was_never_written_is_one_sentence(log_path: Path, statement: str):
    unchecked(log_path, statement)
    found = all_said(log_path.parent)
    assert all(
        text.startswith(f"the run log {log_path} is damaged, so restore or delete it: ") and "\n" not in text
        for text in found
    )
    assert any(ROWS[statement].shown in text for text in found)


@pytest.mark.parametrize(
    ("statements", "kind", "name"),
    [
        (["CREATE TRIGGER t AFTER INSERT ON attempts BEGIN DELETE FROM runs; END"], "trigger", "t"),
        (["DROP TABLE attempts", "CREATE VIEW attempts AS SELECT 1"], "view", "attempts"),
        (['CREATE TRIGGER "a\x1b[2J" AFTER INSERT ON runs BEGIN DELETE FROM runs; END'], "trigger", "a\\x1b[2J"),
        (["DROP TABLE attempts", "CREATE VIRTUAL TABLE attempts USING rtree(i, a, b)"], "table", "attempts"),
        (["ALTER TABLE attempts ADD COLUMN x TEXT AS (hex(zeroblob(1000000000)))"], "table", "attempts"),
        (['ALTER TABLE attempts ADD COLUMN "TEXT" TEXT CHECK (1)'], "table", "attempts"),
        (["ALTER TABLE runs RENAME COLUMN seed TO grain"], "table", "runs"),
        (["DELETE FROM attempts", 'CREATE UNIQUE INDEX "UNIQUE" ON attempts (walk)'], "index", "UNIQUE"),
        (['CREATE INDEX "INDEX" ON attempts (walk) WHERE seed'], "index", "INDEX"),
        (['CREATE INDEX "INDEX" ON attempts (-walk)'], "index", "INDEX"),
        (["CREATE TABLE x (y REFERENCES attempts(walk) DEFERRABLE INITIALLY DEFERRED)"], "table", "x"),
        ([changed_schema("walk INTEGER NOT NULL", "walk INTEGER NOT NULL ON CONFLICT IGNORE")], "table", "attempts"),
        ([changed_schema("node TEXT NOT NULL", "node TEXT COLLATE NOCASE NOT NULL")], "table", "attempts"),
        ([changed_schema("source TEXT,", "source TEXT DEFAULT (zeroblob(100)),")], "table", "attempts"),
        ([changed_schema(", position)\n) STRICT", ", position)\n) STRICT, WITHOUT ROWID")], "table", "attempts"),
    ],
)
def test_triggers_views_and_computed_columns_are_refused(log_path: Path, statements: list[str], kind: str, name: str):
    altered(log_path, *statements)
    assert_untrusted(log_path, f"restore or delete it: its {kind} '{name}' was not made by ctrlgraph")


def test_a_log_whose_table_definitions_exhaust_memory_is_one_sentence(log_path: Path):
    checks = "replace(hex(zeroblob(3000000)), '00', '1,')"
    sql = f"'CREATE TABLE x (a CHECK (a IN (' || {checks} || '1)))'"
    altered(log_path, f"INSERT INTO sqlite_schema VALUES ('table', 'x', 'x', 2, {sql})")
    with pytest.raises(RunLogError, match="cannot be used: SQLite runs out of memory"):
        RunLog.read(log_path.parent)


def test_a_run_with_too_much_text_is_damaged(log_path: Path):
    altered(log_path, """UPDATE runs SET summary = '{"a": "' || hex(zeroblob(2000000)) || '"}'""")
    assert any("'summary' must have at most 4000000 characters" in said for said in all_said(log_path.parent))


def test_an_index_that_repeats_one_row_is_damage(log_path: Path):
    altered(
        log_path,
        "CREATE TABLE entries (started REAL, k, rowid_of_run, PRIMARY KEY (started, k, rowid_of_run)) WITHOUT ROWID",
        "INSERT INTO entries SELECT started, value, runs.rowid FROM runs, json_each('[1, 2, 3, 4, 5]')",
        "CREATE INDEX by_start ON runs (started)",
        "UPDATE sqlite_schema SET rootpage = (SELECT rootpage FROM sqlite_schema WHERE name = 'entries')"
        " WHERE name = 'by_start'",
        "DELETE FROM sqlite_schema WHERE name = 'entries'",
    )
    with pytest.raises(RunLogError, match="is damaged, so restore or delete it: its pages do not form a table"):
        RunLog.read(log_path.parent)


def test_a_log_without_a_table_is_one_sentence(log_path: Path):
    altered(log_path, "DROP TABLE attempts")
    for open_log in (RunLog.open, RunLog.read):
        with pytest.raises(RunLogError) as raised:
            open_log(log_path.parent)
        assert (
            str(raised.value)
            == f"the run log {log_path} is damaged, so restore or delete it: it has no table 'attempts'"
        )


def test_the_owners_tables_views_and_plain_indexes_do_no_harm(log_path: Path, make_attempt):
    altered(
        log_path,
        "CREATE TABLE notes (text TEXT CHECK (text > ''))",
        "CREATE VIEW failed AS SELECT * FROM attempts WHERE status <> 'completed'",
        'CREATE INDEX "UNIQUE" ON attempts (node DESC, seed)',
        "DROP INDEX attempts_by_edge",
    )
    with RunLog.open(log_path.parent) as log:
        log.add(make_attempt(position=40))
        assert len(list(log.attempts())) == 41


def test_a_text_that_fills_memory_is_refused(log_path: Path):
    unchecked(log_path, "UPDATE attempts SET reason = hex(zeroblob(9000000)) WHERE position = 3")
    assert all_said(log_path.parent) == {f"the run log {log_path} cannot be used: string or blob too big"}


def test_a_database_of_another_program_is_not_changed(tmp_path: Path):
    path = tmp_path / "runs.sqlite"
    altered(path, "CREATE TABLE mine (x)")
    with pytest.raises(RunLogError) as raised:
        RunLog.open(tmp_path)
    assert str(raised.value) == f"{path} is not a run log of ctrlgraph: rename or move this file"
    connection = sqlite3.connect(path)
    assert connection.execute("SELECT name FROM sqlite_schema").fetchall() == [("mine",)]
    connection.close()


@pytest.mark.parametrize("kind", ["journal", "wal", "shm"])
def test_links_next_to_a_log_are_refused(log_path: Path, tmp_path: Path, kind: str):
    victim, side = tmp_path / "precious", tmp_path / f"runs.sqlite-{kind}"
    victim.write_text("mine")
    side.symlink_to(victim)
    assert_untrusted(log_path, f"delete {side}: the file, which SQLite opens with the database, is not a regular file")
    assert victim.read_text() == "mine"


def test_a_directory_in_the_place_of_the_log_is_one_sentence(tmp_path: Path):
    (tmp_path / "runs.sqlite").mkdir()
    with pytest.raises(RunLogError) as raised:
        RunLog.open(tmp_path)
    assert (
        str(raised.value)
        == f"runs cannot be logged, because {tmp_path}/runs.sqlite is not a regular file: rename or remove it"
    )
    with pytest.raises(NothingLogged):
        RunLog.read(tmp_path)


# the commands

COMMANDS = (
    ["log", "runs"],
    ["log", "runs", "--json"],
    ["log", "stats"],
    ["log", "stats", "last"],
    ["graph"],
    ["replay", "last"],
    ["goto", "squat"],
)


@pytest.fixture(scope="module")
def projects(tmp_path_factory) -> Path:
    return make_small(tmp_path_factory.mktemp("damaged") / "small")


def halved(path: Path) -> None:
    data = path.read_bytes()
    path.write_bytes(data[: len(data) // 2 // 4096 * 4096])


def garbled(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[100:] = bytes(i * 37 % 251 for i in range(len(data) - 100))
    path.write_bytes(bytes(data))


@pytest.mark.parametrize("damage", [halved, garbled, lambda path: path.write_bytes(b"garbage" * 1000)])
@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_every_command_says_which_file_is_damaged(
    projects: Path, log_path: Path, damage: Callable[[Path], None], command: list[str], capsys
):
    damage(log_path)
    shutil.rmtree(projects / "runs", ignore_errors=True)
    (projects / "runs").mkdir()
    shutil.copy(log_path, projects / "runs")
    assert main(["--project", str(projects), *command]) == 1
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("error: the run log ") and "runs.sqlite cannot be used: " in err
    assert len(err.splitlines()) == 1


def test_escape_codes_of_a_log_are_written_out(projects: Path, tmp_path: Path, run, make_attempt, capsys):
    """Names and command lines of untrusted logs reach the terminal only as printable text."""
    shutil.rmtree(projects / "runs", ignore_errors=True)
    with RunLog.open(projects / "runs") as log:
        log.begin_run(replace(run, command="walk \x1b]0;title\x07"))
        log.add(make_attempt(node="n\x1b[2J", source="s\x9b", status="failed", reason="r\x1b", script="s\x07.t"))
    for command in (["log", "runs"], ["log", "stats"]):
        assert main(["--project", str(projects), *command]) == 0
        out, _ = capsys.readouterr()
        assert not set(out) & {"\x1b", "\x07", "\x9b"} and "\\x1b" in out


# what lies beside a log


def journal_that_names(victim: Path) -> bytes:
    """A journal of a transaction over several databases, which SQLite would go back from: once it has, it deletes the
    file that ties them together."""
    magic, name = bytes.fromhex("d9d505f920a163d7"), str(victim).encode()
    head = (magic + struct.pack(">5I", 0, 1, 1, 512, 4096)).ljust(512, b"\0")
    return head + struct.pack(">I", 2**30 // 4096 + 1) + name + struct.pack(">2I", len(name), sum(name)) + magic


def test_a_journal_deletes_no_file_that_it_names(log_path: Path):
    victim = log_path.with_name("victim")
    victim.write_text("of value")
    journal = log_path.with_name("runs.sqlite-journal")
    journal.write_bytes(journal_that_names(victim))
    assert_untrusted(
        log_path, f"delete its journal {journal}: the journal names another file, which SQLite would delete"
    )
    assert victim.read_text() == "of value"


@pytest.mark.parametrize("suffix", ["-journal", "-wal", "-shm"])
def test_a_pipe_next_to_a_log_does_not_block(log_path: Path, suffix: str):
    beside = log_path.with_name(f"runs.sqlite{suffix}")
    beside.unlink(missing_ok=True)
    os.mkfifo(beside)
    assert_untrusted(
        log_path, f"delete {beside}: the file, which SQLite opens with the database, is not a regular file"
    )


def test_a_check_at_the_end_of_a_long_definition_is_seen(log_path: Path):
    slow = " " * 10_000 + "CHECK (instr(hex(zeroblob(8000000)), hex(zeroblob(4000000)) || ''1'') = 0), PRIMARY KEY (run"
    altered(log_path, changed_schema("PRIMARY KEY (run", slow))
    assert_untrusted(log_path, "restore or delete it: its table 'attempts' was not made by ctrlgraph")


def test_no_link_is_followed_to_check_whether_a_log_can_be_written(log_path: Path):
    outside = log_path.parent / "outside"
    log_path.with_name(f".writable-{os.getpid()}.ctrlgraph-tmp").symlink_to(outside)
    RunLog.open(log_path.parent).close()
    assert not outside.exists()


@pytest.mark.parametrize(("table", "key", "copies"), [("runs", "id", 300), ("attempts", "walk", 15)])
def test_a_table_whose_pages_are_repeated_is_refused(log_path: Path, table: str, key: str, copies: int):
    with contextlib.closing(sqlite3.connect(log_path)) as connection:
        columns = [row[1] for row in connection.execute(f"PRAGMA table_info({table})")]
    copied = ", ".join(f"{key} || i" if column == key else column for column in columns)
    unchecked(
        log_path,
        f"WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < {copies})"
        f" INSERT INTO {table} SELECT {copied} FROM {table}, n",
    )
    with contextlib.closing(sqlite3.connect(log_path)) as connection:
        query = "SELECT rootpage, page_size FROM sqlite_schema, pragma_page_size WHERE name = ?"
        root, size = connection.execute(query, (table,)).fetchone()
    data, page = bytearray(log_path.read_bytes()), (root - 1) * size
    cells = struct.unpack_from(f">{struct.unpack_from('>H', data, page + 3)[0]}H", data, page + 12)
    for cell in cells:
        data[page + cell : page + cell + 4] = data[page + cells[0] : page + cells[0] + 4]
    log_path.write_bytes(data)
    with pytest.raises(RunLogError, match="is damaged, so restore or delete it: its pages do not form a table"):
        RunLog.read(log_path.parent)
