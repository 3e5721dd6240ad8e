"""Tabulation of the outcomes of every action from every state of a grid, resumable and independent of the workers.

A journal beside the table has a record with a checksum for each finished state, so an interruption loses at most the
states in progress.
"""

from __future__ import annotations

import hashlib
import json
import os
import struct
import zlib
from collections.abc import Callable, Mapping
from concurrent.futures import Executor
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from ctrlgraph.errors import CtrlGraphError
from ctrlgraph.experiments.worker_pool import WorkerPool
from ctrlgraph.files import read_bytes
from ctrlgraph.parallel import until_stopped
from ctrlgraph.paths import display_path
from ctrlgraph.policies.array_file import StaleFile
from ctrlgraph.policies.outcome_table import OutcomeSpace, OutcomeStatus, OutcomeTable

BLOCK = 8
"""Number of states of a block, small enough to lose little with a process."""
JOURNAL_SUFFIX = ".part"
_MAGIC = b"ctrlgraph tabulation 1\n"

Progress = Callable[[int, int], None]
"""Called with the number of finished states and of all states."""


class StateOutcomes(NamedTuple):
    """Outcomes of all A actions from one state."""

    status: NDArray[np.uint8]
    """`OutcomeStatus`, (A,)."""
    after: NDArray[np.float64]
    """Next states, (A, D)."""
    duration: NDArray[np.float64]
    """Durations, (A,), s."""


class OutcomeSampler(Protocol):
    """Simulates what is tabulated. It is pickled with each block, so it names files instead of large data. Its results
    depend on the state's index alone.
    """

    @property
    def space(self) -> OutcomeSpace:
        """Return the states and actions of the table."""

    def outcomes(self, state: int) -> StateOutcomes:
        """Return the outcomes of all actions from a state."""


@dataclass(frozen=True)
class TabulationBlock:
    """States for one worker."""

    sampler: OutcomeSampler
    items: tuple[int, ...]
    """Indices of the states."""
    deaths: int = 0
    """Number of processes that died while they simulated them."""

    def crashed(self) -> list[StateOutcomes]:
        """Return the outcomes of a block that killed too many processes."""
        space = self.sampler.space
        actions, columns = len(space.actions), len(space.columns)
        status = np.full(actions, OutcomeStatus.CRASHED, np.uint8)
        return [StateOutcomes(status, np.full((actions, columns), np.nan), np.zeros(actions)) for _ in self.items]


def simulate_block(block: TabulationBlock) -> list[StateOutcomes]:
    """Return the outcomes of a block's states, fewer when the worker is stopped."""
    outcomes: list[StateOutcomes] = []
    with until_stopped():
        for state in block.items:
            outcomes.append(block.sampler.outcomes(state))
    return outcomes


def tabulate(
    sampler: OutcomeSampler,
    path: Path,
    *,
    executor: Executor | None = None,
    width: int = 1,
    progress: Progress | None = None,
    block: int = BLOCK,
) -> OutcomeTable:
    """Return the table of a sampler, from its file if it is complete. Otherwise simulate the missing states and write
    it.

    Args:
        sampler: Simulates the states.
        path: File of the table (.npz), with the journal beside it.
        executor: Executor of the blocks. None: this process.
        width: Number of workers.
        progress: Called with the numbers of states.
        block: Number of states of a block.

    Raises:
        StaleFile: The file or its journal is of another table.
        CtrlGraphError: A file is damaged or cannot be written, or the journal is a link.
        Interrupted: Ctrl-C was pressed. Finished states are kept.
    """
    space = sampler.space
    if path.exists():
        found = OutcomeTable.load(path, space.digests)
        if _stamp(found.space) != _stamp(space):
            raise StaleFile(
                f"{display_path(path)} contains another grid or other actions: take another file, or remove it"
            )
        return found
    with _Journal(path.with_name(path.name + JOURNAL_SUFFIX), space) as journal:
        left = [state for state in range(space.grid.size) if state not in journal.done]
        report = progress or (lambda done, total: None)
        report(len(journal.done), space.grid.size)

        def keep(done: TabulationBlock, outcomes: list[StateOutcomes]) -> None:
            journal.add(dict(zip(done.items, outcomes, strict=False)))
            report(len(journal.done), space.grid.size)

        blocks = (TabulationBlock(sampler, tuple(left[i : i + block])) for i in range(0, len(left), block))
        WorkerPool(executor, width, simulate_block).do(blocks, keep)
        table = journal.table()
        table.save(path)
        journal.remove()
    return table


def _stamp(space: OutcomeSpace) -> bytes:
    """Return the digest of everything that is tabulated."""
    text = json.dumps({**space.as_dict(), "digests": dict(space.digests)}, sort_keys=True)
    actions = np.ascontiguousarray(space.actions, np.float64)
    return hashlib.sha256(f"{text}{actions.shape}".encode() + actions.tobytes()).digest()


class _Journal:
    """File with a record for each finished state: its index, `StateOutcomes` and a checksum."""

    def __init__(self, path: Path, space: OutcomeSpace) -> None:
        states, actions, columns = space.grid.size, len(space.actions), len(space.columns)
        self.done: set[int] = set()
        self._path, self._space = path, space
        self._status = np.zeros((states, actions), np.uint8)
        self._after = np.zeros((states, actions, columns))
        self._duration = np.zeros((states, actions))
        self._payload = struct.calcsize("<q") + actions * (1 + 8 * columns + 8)
        self._header = _MAGIC + _stamp(space)
        self._file: IO[bytes] = self._opened()

    def __enter__(self) -> _Journal:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()

    def add(self, found: Mapping[int, StateOutcomes]) -> None:
        """Append the outcomes of states, which survive a kill of the process.

        Raises:
            CtrlGraphError: The file cannot be written, or an outcome has another shape.
        """
        records = [_record(state, outcomes) for state, outcomes in found.items()]
        if any(len(record) != self._payload for record in records) or not all(map(self._take, records)):
            raise CtrlGraphError("what was simulated is not what is tabulated: it has other actions or quantities")
        try:
            self._file.write(b"".join(record + struct.pack("<I", zlib.crc32(record)) for record in records))
            self._file.flush()
        except OSError as error:
            raise self._fault("written", error) from None

    def table(self) -> OutcomeTable:
        """Return all records as a table.

        Raises:
            CtrlGraphError: A state is missing, or the outcomes are invalid.
        """
        if len(self.done) != self._space.grid.size:
            raise CtrlGraphError(f"{self._space.grid.size - len(self.done)} states have not been simulated")
        try:
            return OutcomeTable(self._space, self._status, self._after, self._duration)
        except ValueError as error:
            raise CtrlGraphError(f"what was simulated is no table: {error}") from None

    def remove(self) -> None:
        """Remove the journal after the table is written."""
        self._file.close()
        with suppress(OSError):
            self._path.unlink()

    def _opened(self) -> IO[bytes]:
        """Return the journal open at its end, without a torn last record."""
        if self._path.is_symlink():  # a link in an untrusted project could overwrite any file
            raise CtrlGraphError(f"{display_path(self._path)} is a link: remove it, a journal is written in its place")
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            if not self._path.exists() or self._path.stat().st_size < len(self._header):
                self._path.write_bytes(self._header)
            sound = self._read()
            file = open(self._path, "r+b")  # noqa: SIM115  # closed by __exit__
            file.truncate(sound)
            file.seek(0, os.SEEK_END)
            return file
        except OSError as error:
            raise self._fault("read or written", error) from None

    def _read(self) -> int:
        """Read the records and return the number of valid bytes."""
        size = self._payload + 4
        # two processes may write the same state; more is damage
        data = read_bytes(self._path, len(self._header) + 2 * self._space.grid.size * size)
        if not data.startswith(self._header):
            raise StaleFile(
                f"{display_path(self._path)} was begun with something else than is tabulated now: remove it, or take"
                " another file"
            )
        place = len(self._header)
        while place + size <= len(data):
            record = data[place : place + self._payload]
            (checksum,) = struct.unpack_from("<I", data, place + self._payload)
            if checksum != zlib.crc32(record) or not self._take(record):
                break
            place += size
        return place

    def _take(self, record: bytes) -> bool:
        """Store a record, and return False if it is invalid."""
        (state,) = struct.unpack_from("<q", record)
        if not 0 <= state < len(self._status):
            return False
        parts, place = (self._status[state], self._after[state], self._duration[state]), struct.calcsize("<q")
        for part in parts:
            part[...] = np.frombuffer(record, part.dtype, part.size, place).reshape(part.shape)
            place += part.nbytes
        self.done.add(state)
        return True

    def _fault(self, what: str, error: OSError) -> CtrlGraphError:
        return CtrlGraphError(f"{display_path(self._path)} cannot be {what}: {(error.strerror or str(error)).lower()}")


def _record(state: int, outcomes: StateOutcomes) -> bytes:
    status, after = np.ascontiguousarray(outcomes.status, np.uint8), np.ascontiguousarray(outcomes.after, "<f8")
    return (
        struct.pack("<q", state)
        + status.tobytes()
        + after.tobytes()
        + np.ascontiguousarray(outcomes.duration, "<f8").tobytes()
    )
