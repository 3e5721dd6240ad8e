"""Tabulation: the same table for any number of workers and interruptions, and nothing of an untrusted journal
believed."""

from __future__ import annotations

import math
import os
import signal
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

from ctrlgraph.errors import CtrlGraphError
from ctrlgraph.experiments.gaits.tabulation import JOURNAL_SUFFIX, StateOutcomes, tabulate
from ctrlgraph.experiments.worker_pool import Interrupted
from ctrlgraph.parallel import IsolatedProcesses
from ctrlgraph.policies import Grid, GridAxis, OutcomeSpace, OutcomeStatus, OutcomeTable, StaleFile


@dataclass(frozen=True)
class Pendulum:
    """A pendulum, pushed for a quarter of a second; slowly, where asked to. `deadly` is a state whose process dies."""

    states: int = 5
    digest: str = "as it is"
    wait: float = 0.0
    deadly: int | None = None
    interrupted_at: int | None = None

    @property
    def space(self) -> OutcomeSpace:
        axes = [GridAxis("angle", -1, 1, self.states, "rad"), GridAxis("speed", -2, 2, self.states, "rad/s")]
        return OutcomeSpace(
            Grid(axes), np.array([[-1.0], [1.0]]), ("torque",), ("angle", "speed"), {"plant": self.digest}
        )

    def outcomes(self, state: int) -> StateOutcomes:
        if state == self.deadly:
            os._exit(1)
        if state == self.interrupted_at:
            raise KeyboardInterrupt
        time.sleep(self.wait)
        rows = []
        for torque in self.space.actions[:, 0]:
            angle, speed = self.space.grid.point(state)
            for _ in range(25):
                speed += 0.01 * (torque - 9.81 * math.sin(angle))
                angle += 0.01 * speed
            rows.append((angle, speed))
        return StateOutcomes(np.zeros(2, np.uint8), np.array(rows), np.full(2, 0.25))


def journal_of(path: Path) -> Path:
    return path.with_name(path.name + JOURNAL_SUFFIX)


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """The file that every way of tabulating comes to."""
    path = tmp_path_factory.mktemp("whole") / "table.npz"
    tabulate(Pendulum(), path)
    assert not journal_of(path).exists()
    return path.read_bytes()


def test_every_action_from_every_state_is_in_the_table(whole: bytes, tmp_path: Path) -> None:
    (tmp_path / "table.npz").write_bytes(whole)
    table = OutcomeTable.load(tmp_path / "table.npz")
    for state in range(25):
        assert table.after[state].tolist() == Pendulum().outcomes(state).after.tolist()


@pytest.mark.slow
def test_two_workers_give_the_same_file(whole: bytes, tmp_path: Path) -> None:
    path = tmp_path / "table.npz"
    with IsolatedProcesses(2) as executor:
        tabulate(Pendulum(), path, executor=executor, width=2, block=3)
    assert path.read_bytes() == whole


@pytest.mark.parametrize("block", [1, 7])
def test_what_an_interruption_leaves_is_gone_on_with(whole: bytes, tmp_path: Path, block: int) -> None:
    path, reported = tmp_path / "table.npz", list[tuple[int, int]]()
    with pytest.raises(Interrupted):
        tabulate(Pendulum(interrupted_at=14), path, block=block)
    assert journal_of(path).exists() and not path.exists()
    tabulate(Pendulum(), path, block=block, progress=lambda done, total: reported.append((done, total)))
    assert reported[0] == (14, 25) and reported[-1] == (25, 25)
    assert path.read_bytes() == whole


@pytest.mark.parametrize("cut", [1, 5, 60])
def test_a_torn_record_is_done_again(whole: bytes, tmp_path: Path, cut: int) -> None:
    path = tmp_path / "table.npz"
    with pytest.raises(Interrupted):
        tabulate(Pendulum(interrupted_at=14), path, block=7)
    journal = journal_of(path)
    journal.write_bytes(journal.read_bytes()[:-cut])
    tabulate(Pendulum(), path)
    assert path.read_bytes() == whole


def test_a_record_that_has_changed_is_done_again(whole: bytes, tmp_path: Path) -> None:
    path = tmp_path / "table.npz"
    with pytest.raises(Interrupted):
        tabulate(Pendulum(interrupted_at=14), path, block=7)
    data = bytearray(journal_of(path).read_bytes())
    data[-30] ^= 1
    journal_of(path).write_bytes(data)
    tabulate(Pendulum(), path)
    assert path.read_bytes() == whole


@pytest.mark.slow
def test_a_killed_process_loses_only_what_was_under_way(whole: bytes, tmp_path: Path) -> None:
    path = tmp_path / "table.npz"
    code = (
        f"import sys; sys.path.insert(0, {str(Path(__file__).parent)!r})\n"
        "from pathlib import Path\nfrom test_tabulation import Pendulum, tabulate\n"
        f"tabulate(Pendulum(wait=0.1), Path({str(path)!r}), block=1)"
    )
    process = subprocess.Popen([sys.executable, "-c", code])
    header, deadline = 60, time.monotonic() + 60
    while not (journal_of(path).exists() and journal_of(path).stat().st_size > header + 200):
        assert time.monotonic() < deadline and process.poll() is None
        time.sleep(0.02)
    process.send_signal(signal.SIGKILL)
    process.wait()
    done: list[int] = []
    tabulate(Pendulum(), path, progress=lambda count, _: done.append(count))
    assert 0 < done[0] < 25 and path.read_bytes() == whole


@pytest.mark.slow
def test_a_state_over_which_processes_die_is_kept_as_crashed(tmp_path: Path) -> None:
    with IsolatedProcesses(1) as executor:
        table = tabulate(Pendulum(2, deadly=2), tmp_path / "table.npz", executor=executor)
    assert (table.status[2] == OutcomeStatus.CRASHED).all() and table.count(OutcomeStatus.CONTINUED) == 6


def test_a_complete_table_is_not_simulated_again(whole: bytes, tmp_path: Path) -> None:
    (tmp_path / "table.npz").write_bytes(whole)
    assert tabulate(Pendulum(interrupted_at=0), tmp_path / "table.npz").space.grid.size == 25


def test_a_table_or_a_journal_of_something_else_is_stale(whole: bytes, tmp_path: Path) -> None:
    path = tmp_path / "table.npz"
    path.write_bytes(whole)
    with pytest.raises(StaleFile, match=r"was made with another plant: it has to be made again$"):
        tabulate(Pendulum(digest="another"), path)
    with pytest.raises(StaleFile, match=r"contains another grid or other actions: take another file, or remove it$"):
        tabulate(Pendulum(4), path)
    path.unlink()
    with pytest.raises(Interrupted):
        tabulate(Pendulum(interrupted_at=14), path)
    with pytest.raises(
        StaleFile, match=r"was begun with something else than is tabulated now: remove it, or take another"
    ):
        tabulate(Pendulum(digest="another"), path)


def test_a_journal_that_is_too_long_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "table.npz"
    with pytest.raises(Interrupted):
        tabulate(Pendulum(interrupted_at=14), path)
    with open(journal_of(path), "ab") as file:
        file.truncate(10**10)
    with pytest.raises(CtrlGraphError, match=r"cannot be read or written: "):
        tabulate(Pendulum(), path)


@pytest.mark.parametrize("there", [True, False])
def test_nothing_is_written_through_a_journal_that_is_a_link(tmp_path: Path, there: bool) -> None:
    elsewhere = tmp_path / "elsewhere"
    if there:
        elsewhere.write_text("mine")
    journal_of(tmp_path / "table.npz").symlink_to(elsewhere)
    with pytest.raises(CtrlGraphError, match=r"table\.npz\.part is a link: remove it"):
        tabulate(Pendulum(), tmp_path / "table.npz")
    assert (elsewhere.read_text() if elsewhere.exists() else None) == ("mine" if there else None)
