"""The run log: what is written is read back, whoever else writes and whoever is killed."""

from __future__ import annotations

import math
import re
import sqlite3
import subprocess
import sys
import textwrap
from dataclasses import replace
from pathlib import Path

import pytest
from waiting import PATIENCE_S

from ctrlgraph.errors import RunLogError
from ctrlgraph.run_log.database import LONGEST_PATH
from ctrlgraph.run_log.names import SCHEMA
from ctrlgraph.run_log.record import new_run_id
from ctrlgraph.run_log.run_log import RunLog


def test_a_run_and_its_attempts_read_back_as_they_were(tmp_path: Path, run, make_attempt):
    attempts = [make_attempt(position=i, simulated_s=0.1 * i) for i in range(3)]
    with RunLog.open(tmp_path) as log:
        log.begin_run(run)
        for attempt in attempts:
            log.add(attempt)
        log.finish_run(run.id, 1e9 + 5, {"transitions": 3})
    with RunLog.read(tmp_path) as log:
        assert list(log.runs()) == [replace(run, finished=1e9 + 5, summary={"transitions": 3})]
        assert list(log.attempts(run.id)) == attempts


def test_numbers_that_are_not_finite_survive(tmp_path: Path, run, make_attempt):
    with RunLog.open(tmp_path) as log:
        log.begin_run(run)
        log.add(make_attempt(status="diverged", energy_j=math.nan, measures={"torso": math.inf}))
        (attempt,) = log.attempts()
    assert math.isnan(attempt.energy_j)
    assert math.isnan(attempt.measures["torso"])


def test_attempts_come_in_the_order_of_each_walk(tmp_path: Path, run, make_attempt):
    with RunLog.open(tmp_path) as log:
        log.begin_run(run)
        for walk, position in ((1, 0), (0, 0), (1, 1), (0, 1)):
            log.add(make_attempt(walk=walk, position=position))
        places = [(attempt.walk, attempt.position) for attempt in log.attempts(run.id)]
        assert places == [(0, 0), (0, 1), (1, 0), (1, 1)]
        assert [attempt.position for attempt in log.attempts(run.id, walk=1)] == [0, 1]


def test_attempts_after_a_mark_are_those_that_are_new(tmp_path: Path, run, make_attempt):
    with RunLog.open(tmp_path) as log:
        log.begin_run(run)
        mark, first = log.attempts_after(run.id, 0)
        log.add(make_attempt(position=0))
        mark, second = log.attempts_after(run.id, mark)
        log.add(make_attempt(position=1))
        _, third = log.attempts_after(run.id, mark)
    assert [[attempt.position for attempt in found] for found in (first, second, third)] == [[], [0], [1]]


def test_results_of_an_edge_count_only_attempts_of_the_same_hash(tmp_path: Path, run, make_attempt):
    with RunLog.open(tmp_path) as log:
        log.begin_run(run)
        log.add(make_attempt(position=0, edge_hash="old"))
        log.add(make_attempt(position=1, edge_hash="new", simulated_s=2.0))
        log.add(make_attempt(position=2, edge_hash="new", simulated_s=9.0, status="failed"))
        log.add(make_attempt(position=3, edge_hash="bad", status="failed"))
        results = log.edge_results(["new", "bad", "never"])
    assert results["new"] == (2, 1, 2.0)
    assert results["bad"][:2] == (1, 0) and math.isnan(results["bad"][2])
    assert "never" not in results


def test_a_run_is_found_by_its_id_a_beginning_or_as_the_last(tmp_path: Path, run):
    with RunLog.open(tmp_path) as log:
        for name, started in (("1121-aaaaa", 1.0), ("1121-abbbb", 2.0), ("1122-ccccc", 0.5)):
            log.begin_run(replace(run, id=name, started=started))
        assert [found.id for found in log.runs()] == ["1121-abbbb", "1121-aaaaa", "1122-ccccc"]
        assert log.run("1121-aaaaa").id == "1121-aaaaa"
        assert log.run("1122").id == "1122-ccccc"
        assert log.run("last").id == "1121-abbbb"
        with pytest.raises(
            RunLogError,
            match=r"^several runs have ids that begin with '1121-a', so give more characters: 1121-abbbb, 1121-aaaaa$",
        ):
            log.run("1121-a")
        with pytest.raises(RunLogError, match=r"^no run '1121-aaaab' is logged \(did you mean '1121-aaaaa'\?\)$"):
            log.run("1121-aaaab")


def test_an_id_that_is_taken_is_replaced(tmp_path: Path, run):
    with RunLog.open(tmp_path) as log:
        first, second = log.begin_run(run), log.begin_run(run)
        assert first.id == run.id != second.id
        assert {found.id for found in log.runs()} == {first.id, second.id}


def test_ids_are_short_and_readable():
    assert re.fullmatch(r"\d{4}-[2-9a-hjkmnp-z]{5}", new_run_id())


def test_without_a_log_there_is_nothing_to_read(tmp_path: Path):
    with pytest.raises(RunLogError) as raised:
        RunLog.read(tmp_path)
    assert str(raised.value) == f"no run is logged yet: there is no {tmp_path}/runs.sqlite (run 'ctrlgraph walk' first)"


def test_a_directory_that_cannot_be_written_is_one_sentence(tmp_path: Path):
    (tmp_path / "file").touch()
    with pytest.raises(RunLogError) as raised:
        RunLog.open(tmp_path / "file" / "runs")
    assert (
        str(raised.value)
        == f"runs cannot be logged, because {tmp_path}/file/runs cannot be written (not a directory): correct"
        " the path or its permissions"
    )


def test_a_read_only_directory_is_one_sentence(tmp_path: Path, run):
    with RunLog.open(tmp_path / "runs") as log:
        log.begin_run(run)
    (tmp_path / "runs").chmod(0o500)
    try:
        with pytest.raises(RunLogError) as raised:
            RunLog.open(tmp_path / "runs")
        with RunLog.read(tmp_path / "runs") as log:
            assert [found.id for found in log.runs()] == [run.id]
    finally:
        (tmp_path / "runs").chmod(0o700)
    assert (
        str(raised.value)
        == f"runs cannot be logged, because {tmp_path}/runs cannot be written (permission denied): correct the"
        " path or its permissions"
    )


def test_a_read_only_database_is_one_sentence(tmp_path: Path):
    RunLog.open(tmp_path).close()
    (tmp_path / "runs.sqlite").chmod(0o444)
    with pytest.raises(RunLogError) as raised:
        RunLog.open(tmp_path)
    assert str(raised.value) == f"runs cannot be logged, because {tmp_path}/runs.sqlite is read-only: make it writable"


@pytest.mark.parametrize(("version", "age"), [(1, "an older"), (99, "a newer")])
def test_a_log_of_another_version_is_refused(tmp_path: Path, version: int, age: str):
    RunLog.open(tmp_path).close()
    with sqlite3.connect(tmp_path / "runs.sqlite") as connection:
        connection.execute(f"PRAGMA user_version = {version}")
    connection.close()
    for open_log in (RunLog.open, RunLog.read):
        with pytest.raises(RunLogError) as raised:
            open_log(tmp_path)
        assert str(raised.value) == (
            f"the run log {tmp_path}/runs.sqlite was made by {age} ctrlgraph, so use that version or rename"
            f" the file (schema {version}, not 2)"
        )


WRITER = """
    import sys
    from dataclasses import replace
    from pathlib import Path
    sys.path[:0] = sys.argv[3:]
    import pickle
    from ctrlgraph.run_log.run_log import RunLog
    attempt = pickle.loads(Path(sys.argv[2], "attempt").read_bytes())
    with RunLog.open(Path(sys.argv[2])) as log:
        for position in range(int(1e9) if sys.argv[1] == "endless" else 40):
            log.add(replace(attempt, walk=int(sys.argv[1]) if sys.argv[1] != "endless" else 9, position=position))
            print(position, flush=True)
"""


def writer(directory: Path, walk: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", textwrap.dedent(WRITER), walk, str(directory), *sys.path]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)


@pytest.fixture
def shared(tmp_path: Path, run, make_attempt) -> Path:
    import pickle

    with RunLog.open(tmp_path) as log:
        log.begin_run(run)
    (tmp_path / "attempt").write_bytes(pickle.dumps(make_attempt()))
    return tmp_path


def test_two_processes_write_at_once_and_lose_nothing(shared: Path):
    writers = [writer(shared, walk) for walk in ("0", "1")]
    for process in writers:
        process.communicate(timeout=PATIENCE_S)
        assert process.returncode == 0
    with RunLog.read(shared) as log:
        assert [(a.walk, a.position) for a in log.attempts("1121-aaaaa")] == [
            (walk, position) for walk in (0, 1) for position in range(40)
        ]


def test_a_killed_process_loses_at_most_the_attempt_in_flight(shared: Path):
    with writer(shared, "endless") as process:
        assert process.stdout is not None
        while int(process.stdout.readline()) < 25:
            pass
        process.kill()
        reported = [int(line) for line in process.stdout.read().split()]
    last = max(reported, default=25)
    with RunLog.open(shared) as log:
        logged = [attempt.position for attempt in log.attempts()]
        log.add(replace(next(log.attempts()), walk=0, position=0))  # and the log can be written as before
    assert logged == list(range(len(logged)))
    assert last + 1 <= len(logged) <= last + 2


def test_several_processes_may_make_the_log_at_the_same_moment(tmp_path: Path):
    code = "import sys; sys.path[:0] = sys.argv[2:]\nfrom pathlib import Path\n"
    code += "from ctrlgraph.run_log.run_log import RunLog\nRunLog.open(Path(sys.argv[1])).close()"
    makers = [subprocess.Popen([sys.executable, "-c", code, str(tmp_path / "runs"), *sys.path]) for _ in range(2)]
    assert [maker.wait(timeout=PATIENCE_S) for maker in makers] == [0, 0]
    RunLog.read(tmp_path / "runs").close()


def test_the_documentation_names_every_column():
    text = (Path(__file__).parents[2] / "docs" / "reference" / "run-log.md").read_text()
    columns = re.findall(r"^    (\w+) (?:TEXT|INTEGER|REAL)", SCHEMA, flags=re.MULTILINE)
    assert len(columns) == 37
    assert [name for name in columns if f"| `{name}` |" not in text] == []


@pytest.mark.skipif(sys.platform == "win32", reason="it has limits of its own")
def test_a_path_that_is_too_long_for_sqlite_is_reported(tmp_path: Path):
    directory = tmp_path.joinpath(*["d" * 200] * 4)
    directory.mkdir(parents=True)
    with pytest.raises(RunLogError) as raised:
        RunLog.open(directory)
    path = directory / "runs.sqlite"
    reason = f"path too long ({len(str(path))} bytes; SQLite opens paths of up to {LONGEST_PATH})"
    assert str(raised.value) == f"the run log {path} cannot be used: {reason}"
