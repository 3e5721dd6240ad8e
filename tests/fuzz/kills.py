"""Kill walks at random times, and check that nothing that was logged is lost.

Walks in small projects end with SIGKILL (three in four) or SIGINT after a random time. The laws: the log is still
there, the databases are sound, the next command works, stored states can be read, and the next walk removes partial
files.
"""

from __future__ import annotations

import contextlib
import json
import os
import random
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from fuzz.harness import Limits, Verdict
from small_project import make_small

from ctrlgraph.files import TEMPORARY_SUFFIX
from ctrlgraph.project.project import Project
from ctrlgraph.walks.state_files import StateReader, states_path

ROOT = Path(__file__).resolve().parents[2]

# parts of one second, so that many kills happen while one is written
LAUNCH = """
import signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)  # ignored in the background
import ctrlgraph.walks.state_files as files
from ctrlgraph.cli.main import main
files.PART_SAMPLES = 100
sys.exit(main(sys.argv[1:]))
"""

WALK = ["walk", "--transitions", "1000000", "--seed", "5", "--json"]
LONGEST_S = 300.0
COUNT = 100
LIMITS = Limits(waiting_s=8 * LONGEST_S)
OLD_S = 7200.0


class Broken(Exception):
    """A law is broken."""


def law(holds: bool, says: str) -> None:
    """Raise if a law is broken."""
    if not holds:
        raise Broken(says)


def launched(directory: Path, *arguments: str) -> subprocess.Popen[str]:
    """Start a command in its own session, as a terminal does."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    return subprocess.Popen(
        [sys.executable, "-c", LAUNCH, "--project", str(directory), *arguments],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment, start_new_session=True,
    )  # fmt: skip


def done(directory: Path, *arguments: str) -> str:
    """Run a command that must succeed; return what it prints."""
    process = launched(directory, *arguments)
    out, err = ended(process)
    law(process.returncode == 0, f"'{' '.join(arguments)}' ends with {process.returncode}: {err[-400:]}")
    return out


def ended(process: subprocess.Popen[str]) -> tuple[str, str]:
    """Wait for the end of a process; return what it printed."""
    try:
        return process.communicate(timeout=LONGEST_S)
    except subprocess.TimeoutExpired:
        process.kill()
        raise Broken(f"it does not end within {LONGEST_S:g} s: {process.communicate()[1][-400:]}") from None


def rows(directory: Path, table: str) -> list[tuple[Any, ...]]:
    """Return the rows of a table; none where there is no database yet."""
    path = directory / "runs" / "runs.sqlite"
    with contextlib.suppress(sqlite3.OperationalError), contextlib.closing(_opened(path)) as connection:
        return connection.execute(f"SELECT * FROM {table} ORDER BY rowid").fetchall()
    return []


def _opened(path: Path) -> sqlite3.Connection:
    return sqlite3.connect(f"{path.absolute().as_uri()}?mode=rw", uri=True, timeout=30)


def require_sound(directory: Path) -> None:
    """Check the integrity of the databases."""
    for path in (directory / "runs").glob("*.sqlite"):
        with contextlib.closing(_opened(path)) as connection:
            found = connection.execute("PRAGMA integrity_check").fetchone()[0]
        law(found == "ok", f"{path.name}: {found}")


class Kill:
    """The kill of one command at a random time."""

    def __init__(self, directory: Path, rng: random.Random) -> None:
        self.directory = directory
        self.signal = signal.SIGKILL if rng.random() < 0.75 else signal.SIGINT
        self._share = rng.random()
        self._early = rng.random() < 0.2  # while Python, the project and the kernels are loaded
        self.exit_code: int | None = None

    def strike(self, command: list[str], longest_s: float, look: Callable[[], Any]) -> Any:
        """Start a command, kill it after a random part of a time, and return the last result of `look`.

        The time begins with the first result of `look`, or in some cases with the command.
        """
        process = launched(self.directory, *command)
        seen = look()
        while not self._early and not seen and process.poll() is None:
            time.sleep(0.05)
            seen = look()
        moment = time.monotonic() + self._share * longest_s
        while time.monotonic() < moment and process.poll() is None:
            time.sleep(0.01)
        if process.poll() is None:
            seen = look()
            process.send_signal(self.signal)
        _, err = ended(process)
        self.exit_code = process.returncode
        law("Traceback" not in err, f"a traceback: {err[-600:]}")
        law(self.exit_code in (0, 130, -signal.SIGKILL, -signal.SIGINT), f"exit code {self.exit_code}: {err[-300:]}")
        require_sound(self.directory)
        return seen


def kill_walk(kill: Kill) -> Counter[str]:
    """Check that logged attempts are still there, states can be read, and the next walk removes partial files."""
    directory = kill.directory
    seen = kill.strike(WALK, 12.0, lambda: rows(directory, "attempts"))
    logged = rows(directory, "attempts")
    law(logged[: len(seen)] == seen, "an attempt that was logged is gone or another")
    samples = 0
    project = Project(directory)
    if rows(directory, "runs"):
        with project.read_log() as log:
            run = log.run("last")
            attempts = list(log.attempts(run.id))
        law([a.position for a in attempts] == list(range(len(attempts))), "attempts are missing in between")
        # Ctrl-C while Python or the project is loaded ends the command at once
        law(kill.exit_code != 130 or not attempts or run.summary is not None, "an interrupted run has no summary")
        samples = readable_samples(states_path(project.runs_directory, run.id, 0), len(attempts))
        law(kill.exit_code != 130 or not attempts or samples > 0, "an interrupted run has no states")
        if attempts:
            done(directory, "replay", "last", "--verify")
    later = done(directory, "walk", "--transitions", "1", "--seed", "1", "--json")
    law(json.loads(later)["transitions"] == 1, "the next walk does not walk")
    done(directory, "log", "stats", "--json")
    require_swept(directory)
    return Counter(attempts=len(logged), seen=len(seen), samples=samples)


def readable_samples(path: Path, attempts: int) -> int:
    """Return the number of stored samples; each must belong to a logged attempt."""
    reader, samples, last = StateReader.open(path), 0, 0
    for piece in () if reader is None else reader.pieces():
        samples += len(piece.trace)
        law(int(piece.attempt[0]) >= last, "states are not in the order of their attempts")
        last = int(piece.attempt[-1])
    law(samples == 0 or last < attempts, "there are states of an attempt that was not logged")
    return samples


def require_swept(directory: Path) -> None:
    """Check that the next walk removes old partial files."""
    old = time.time() - OLD_S
    for path in directory.rglob(f".*{TEMPORARY_SUFFIX}*"):
        os.utime(path, (old, old))
    done(directory, "walk", "--transitions", "1", "--seed", "1", "--no-states", "--json")
    left = [path.name for path in (directory / "runs").rglob(f".*{TEMPORARY_SUFFIX}*")]
    law(not left, f"left behind: {left}")


@contextlib.contextmanager
def scratch() -> Iterator[Path]:
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as directory:
        yield make_small(Path(directory) / "project")


def attempt(seed: int, number: int) -> Verdict:
    """Make the kill of this number."""
    with scratch() as directory:
        kill = Kill(directory, random.Random(f"{seed} {number}"))
        outcome = kill.signal.name
        try:
            counted = kill_walk(kill)
        except Exception as error:  # any error is reported with the project
            left = {f"{path.relative_to(directory)}": path.read_bytes() for path in files(directory)}
            return Verdict(f"{outcome}, broken", f"{type(error).__name__}: {error}", left)
    return Verdict(outcome, sums=counted)


def files(directory: Path) -> list[Path]:
    return [path for path in directory.rglob("*") if path.is_file()]
