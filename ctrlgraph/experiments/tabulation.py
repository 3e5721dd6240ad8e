"""Tabulation: every action from every state of a grid is simulated once, by whoever can, and kept as it comes in.

What has come in stands in a journal beside the table that it becomes: a record for each state, with a checksum, so that
whatever ends the process costs at most the states under way. The table does not depend on the number of workers, or on
how often it was gone on with.
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
from dataclasses import dataclass, replace
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
"""States of a block: little is lost with a process, and little is sent."""
JOURNAL_SUFFIX = ".part"
_MAGIC = b"ctrlgraph tabulation 1\n"

Progress = Callable[[int, int], None]
"""Told how many states have been done, of how many."""


class StateOutcomes(NamedTuple):
    """What came of each action from one state: `status` (A,) of OutcomeStatus, `after` (A, D), `duration` (A,) in s."""

    status: NDArray[np.uint8]
    after: NDArray[np.float64]
    duration: NDArray[np.float64]


class OutcomeSampler(Protocol):
    """Simulates what is tabulated, in whatever process: it is pickled with each block, so it names files and keeps
    nothing that is large. What it gives depends on the state's number alone."""

    @property
    def space(self) -> OutcomeSpace: ...

    def outcomes(self, state: int) -> StateOutcomes: ...


@dataclass(frozen=True)
class TabulationBlock:
    """States (numbers of the grid) to be done by one worker; deaths: how many processes have died over them."""

    sampler: OutcomeSampler
    items: tuple[int, ...]
    deaths: int = 0

    def singly(self) -> list[TabulationBlock]:
        """Return each state as a block of its own."""
        return [replace(self, items=(item,)) for item in self.items]

    def crashed(self) -> list[StateOutcomes]:
        """Return what is kept of states over which too many processes have died."""
        space = self.sampler.space
        actions, columns = len(space.actions), len(space.columns)
        status = np.full(actions, OutcomeStatus.CRASHED, np.uint8)
        return [StateOutcomes(status, np.full((actions, columns), np.nan), np.zeros(actions)) for _ in self.items]


def simulate_block(block: TabulationBlock) -> list[StateOutcomes]:
    """Return the outcomes of a block's states, in order; fewer where the worker was asked to end early."""
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
    """Return the table of a sampler, from its file where that is complete; else what is left of it is simulated, and
    the file written.

    Args:
        path: of the table (.npz); its journal stands beside it until it is complete.
        executor: does the blocks; this process where None.
        width: how many blocks are worth sending to it at once.
        block: states of a block.

    Raises:
        StaleFile: the file or its journal was begun with something else.
        CtrlGraphError: one of them is damaged or cannot be written; the journal is a link.
        Interrupted: at Ctrl-C; what had come in by then is kept.
    """
    space = sampler.space
    if path.exists():
        found = OutcomeTable.load(path, space.digests)
        if _stamp(found.space) != _stamp(space):
            raise StaleFile(
                f"{display_path(path)} holds another grid or other actions: take another file, or remove it"
            )
        return found
    with _Journal(path.with_name(path.name + JOURNAL_SUFFIX), space) as journal:
        left = [state for state in range(space.grid.size) if state not in journal.done]
        tell = progress or (lambda done, total: None)
        tell(len(journal.done), space.grid.size)

        def keep(done: TabulationBlock, outcomes: list[StateOutcomes]) -> None:
            journal.add(dict(zip(done.items, outcomes, strict=False)))
            tell(len(journal.done), space.grid.size)

        blocks = (TabulationBlock(sampler, tuple(left[i : i + block])) for i in range(0, len(left), block))
        WorkerPool(executor, width, simulate_block).do(blocks, keep)
        table = journal.table()
        table.save(path)
        journal.remove()
    return table


def _stamp(space: OutcomeSpace) -> bytes:
    """The digest of everything that is tabulated."""
    text = json.dumps({**space.as_dict(), "digests": dict(space.digests)}, sort_keys=True)
    actions = np.ascontiguousarray(space.actions, np.float64)
    return hashlib.sha256(f"{text}{actions.shape}".encode() + actions.tobytes()).digest()


class _Journal:
    """The records that have come in, appended one by one: number of the state, status, after, duration, checksum."""

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
        """Keep what came of some states: it is with the operating system when this returns.

        Raises:
            CtrlGraphError: it cannot be written, or is not of the form that was agreed on.
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
        """Return everything as a table.

        Raises:
            CtrlGraphError: a state is missing, or the outcomes are none.
        """
        if len(self.done) != self._space.grid.size:
            raise CtrlGraphError(f"{self._space.grid.size - len(self.done)} states have not been simulated")
        try:
            return OutcomeTable(self._space, self._status, self._after, self._duration)
        except ValueError as error:
            raise CtrlGraphError(f"what was simulated is no table: {error}") from None

    def remove(self) -> None:
        """Take the journal away: the table holds all of it."""
        self._file.close()
        with suppress(OSError):
            self._path.unlink()

    def _opened(self) -> IO[bytes]:
        """The journal, open at its end; what it holds is taken, a torn record at its end cut off."""
        if self._path.is_symlink():  # a stranger's project could have anything written over
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
        """Take the records; return how many bytes of the file are sound."""
        size = self._payload + 4
        # a state that two processes have done stands twice: more than that is no journal
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
        """Note a record; False where it is none."""
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
