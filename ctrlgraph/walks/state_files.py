"""Files of a walk's sampled states: several files (parts), which are written during the walk and read in pieces.

The parts are `walk-0.npz`, `walk-0.part2.npz` and so on. Each is written completely or not at all, so that the files of
a killed process can be read. The sizes that a file declares are checked before the file is read, nothing is unpickled,
and only one piece (at most `PIECE_SAMPLES` samples) is in memory at a time.
"""

from __future__ import annotations

import contextlib
import math
import os
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from ctrlgraph.array_archive import DAMAGED, described_array, exactly, opened_archive, opened_member
from ctrlgraph.errors import CtrlGraphError, RunLogError, printable
from ctrlgraph.files import replacing, sweep_temporaries
from ctrlgraph.paths import display_path
from ctrlgraph.simulation.recording.base_trace import BaseTrace
from ctrlgraph.simulation.recording.planar_trace import Trace
from ctrlgraph.simulation.recording.spatial_trace import SpatialTrace
from ctrlgraph.walks.states import StateRecorder, WalkStates

PART_SAMPLES = 6000
"""Number of samples after which a part (a file) is written: a minute of simulated time, about 2 MB on disk."""

PIECE_SAMPLES = 4096
"""Maximum number of samples in a piece, the amount that is read at once."""

MAX_DRAWN = 120_000
"""Maximum number of samples that are collected for a picture: 20 minutes of simulated time."""

MAX_LINKS, MAX_NAME = 1000, 256
"""Maximum number of links in a file, and maximum number of characters of a link's name."""
_SIZES = {"xy": 2, "xyz": 3, "pose": 7}
_DTYPES = {"contact": np.dtype(np.bool_), "phase": np.dtype(np.int64), "attempt": np.dtype(np.int64)}


def states_path(runs: Path, run: str, walk: int) -> Path:
    """Return the path of the first file of the sampled states of a walk. The other files are in the same directory.

    Args:
        runs: directory of all runs.
        run: id of the run.
        walk: index of the walk in the run.
    """
    return runs / run / f"walk-{walk}.npz"


def part_path(path: Path, part: int) -> Path:
    """Return the path of a file of a walk's sampled states.

    Args:
        path: path of the first file.
        part: number of the file, from 1.
    """
    return path if part == 1 else path.with_name(f"{path.stem}.part{part}{path.suffix}")


def parts_of(path: Path) -> list[Path]:
    """Return the paths of all existing files of a walk's sampled states, given the path of the first file."""
    parts: list[Path] = []
    while (part := part_path(path, len(parts) + 1)).is_file():
        parts.append(part)
    return parts


def save_states(states: WalkStates, path: Path) -> None:
    """Write sampled states of a walk to one file, completely or not at all.

    Raises:
        RunLogError: the file cannot be written.
    """
    arrays: dict[str, Any] = {name: np.ascontiguousarray(getattr(states.trace, name)) for name in states.trace.AXES}
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with replacing(path) as temporary:
            np.savez_compressed(temporary, attempt=states.attempt, links=np.array(states.links), **arrays)
    except (OSError, CtrlGraphError) as error:
        text = (error.strerror or str(error)).lower() if isinstance(error, OSError) else str(error)
        reason = text.rpartition(": ")[2] if isinstance(error, CtrlGraphError) else text
        raise RunLogError(f"the states of the walk cannot be written to {display_path(path)}: {reason}") from None


def sweep_runs(runs: Path) -> None:
    """Remove temporary files of killed processes from the directory `runs` and the directories of its runs."""
    sweep_temporaries(runs)
    with contextlib.suppress(OSError), os.scandir(runs) as entries:
        for entry in entries:
            if entry.is_dir(follow_symlinks=False):
                sweep_temporaries(Path(entry.path))


class StateWriter:
    """Writer of the sampled states of a walk to several files. Only the samples of one file are in memory at a time.

    Attributes:
        fault: error message if a file could not be written, else None. After an error nothing more is written.
    """

    def __init__(self, path: Path, links: tuple[str, ...]) -> None:
        self.fault: str | None = None
        self._path, self._links = path, links
        self._part = (1, StateRecorder(links))  # a single value, so that Ctrl-C cannot interrupt its update

    def add(self, trace: BaseTrace, attempt: int, shift: float) -> None:
        """Add the samples of an attempt (one execution of a node).

        Args:
            trace: samples of the attempt.
            attempt: number of the attempt in the walk, from 0.
            shift: offset that is added to the times of the trace, s, to get simulated times since the walk began.
        """
        if self.fault is None:
            self._part[1].add(trace, attempt, shift)
            if len(self._part[1]) >= PART_SAMPLES:
                self._write()

    def close(self) -> None:
        """Write the last file."""
        try:
            self._write()
        except KeyboardInterrupt:
            self._write()  # one Ctrl-C loses no states; a second one interrupts
            raise

    def __enter__(self) -> StateWriter:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _write(self) -> None:
        number, recorder = self._part
        states = recorder.states()
        if states is None or self.fault is not None:
            return
        try:
            save_states(states, part_path(self._path, number))
        except RunLogError as error:
            self.fault = str(error)
        self._part = (number + 1, StateRecorder(self._links))


class StateReader:
    """Reader of the sampled states of a walk in pieces. All methods raise RunLogError if a file is damaged.

    Attributes:
        links: names of the character's links.
    """

    def __init__(self, path: Path) -> None:
        """
        Args:
            path: path of the first file.

        Raises:
            RunLogError: the first file is damaged.
        """
        self._parts = parts_of(path)
        with _sound(path), _opened_part(path) as part:
            self.links = part.links

    @classmethod
    def open(cls, path: Path) -> StateReader | None:
        """Return a reader of a walk's sampled states; None if the first file, `path`, is missing."""
        return cls(path) if path.is_file() else None

    def pieces(self) -> Iterator[WalkStates]:
        """Yield all sampled states in the order of time, at most `PIECE_SAMPLES` samples at a time."""
        for path in self._parts:
            with _sound(path), _opened_part(path) as part:
                if part.links != self.links:
                    raise ValueError("the links in this file differ from the links in the first file of the walk")
                for first in range(0, part.samples, PIECE_SAMPLES):
                    yield part.read(min(part.samples - first, PIECE_SAMPLES))


def load_states(path: Path, *, at_most: int | None = None) -> WalkStates | None:
    """Return the stored sampled states of a walk; None if there are none.

    Args:
        path: path of the first file.
        at_most: number of samples after which no further piece is read; None to read all samples.

    Raises:
        RunLogError: a file is damaged.
    """
    reader = StateReader.open(path)
    if reader is None:
        return None
    traces, attempts, samples = [], [], 0
    for piece in reader.pieces():
        traces.append(piece.trace)
        attempts.append(piece.attempt)
        samples += len(piece.trace)
        if at_most is not None and samples >= at_most:
            break
    if not traces:
        return None
    return WalkStates(traces[0].concatenate(traces), np.concatenate(attempts), reader.links)


@contextlib.contextmanager
def _opened_part(path: Path) -> Iterator[_Part]:
    with contextlib.ExitStack() as stack:
        archive = stack.enter_context(opened_archive(path))
        kind = SpatialTrace if "pose.npy" in archive.namelist() else Trace
        names = (*kind.AXES, "attempt", "links")
        yield _Part(kind, {name: stack.enter_context(opened_member(archive, f"{name}.npy")) for name in names})


class _Part:
    """An open file of sampled states: the next samples are read from all arrays of the file at once."""

    def __init__(self, kind: type[Trace] | type[SpatialTrace], streams: dict[str, IO[bytes]]) -> None:
        shapes, dtypes = {}, {}
        for name, stream in streams.items():
            shapes[name], dtypes[name] = described_array(stream, name)
        self.links = _names(streams.pop("links"), shapes.pop("links"), dtypes.pop("links"))
        self.samples = shapes["time"][0] if shapes["time"] else 0
        sizes = {"link": len(self.links), **_SIZES}
        if "joint_angle" in shapes:
            sizes["joint"] = min(shapes["joint_angle"][-1] if shapes["joint_angle"] else 0, MAX_LINKS)
        for name in streams:
            expected = (self.samples, *(sizes[axis] for axis in kind.AXES.get(name, "").split()))
            if shapes[name] != expected:
                raise ValueError(f"the array '{name}' must have the shape {expected}, not {shapes[name]}")
            dtype = _DTYPES.get(name, np.dtype(np.float64))
            if dtypes[name] != dtype:
                raise ValueError(f"the array '{name}' must have the type {dtype}, not {dtypes[name]}")
        self._kind, self._streams, self._shapes, self._dtypes = kind, streams, shapes, dtypes

    def read(self, samples: int) -> WalkStates:
        """Return the next `samples` samples of the file.

        Raises:
            ValueError: the file has fewer samples than it declares, or a time is not finite.
        """
        rows: dict[str, Any] = {name: self._rows(name, samples) for name in self._streams}
        attempt = rows.pop("attempt")
        if not np.isfinite(rows["time"]).all():
            raise ValueError("the array 'time' must contain finite numbers")
        return WalkStates(self._kind(**rows), attempt, self.links)

    def _rows(self, name: str, samples: int) -> NDArray[np.generic]:
        shape, dtype = (samples, *self._shapes[name][1:]), self._dtypes[name]
        data = exactly(self._streams[name], math.prod(shape) * dtype.itemsize, name)
        return np.frombuffer(data, dtype).reshape(shape)


def _names(stream: IO[bytes], shape: tuple[int, ...], dtype: np.dtype[np.generic]) -> tuple[str, ...]:
    if len(shape) != 1 or not 1 <= shape[0] <= MAX_LINKS:
        raise ValueError(f"the array 'links' must be a list of 1 to {MAX_LINKS} names, not of the shape {shape}")
    if dtype.kind != "U" or not 0 < dtype.itemsize <= 4 * MAX_NAME:
        raise ValueError(f"the array 'links' must contain texts of at most {MAX_NAME} characters, not {dtype}")
    data = exactly(stream, shape[0] * dtype.itemsize, "links")
    return tuple(str(name) for name in np.frombuffer(data, dtype))


@contextlib.contextmanager
def _sound(path: Path) -> Iterator[None]:
    """Return a context manager that turns errors about a damaged file into a RunLogError with a message in one line."""
    try:
        yield
    except DAMAGED as error:
        reason = printable(str(error)).replace("\n", " ")[:200] or type(error).__name__
        raise RunLogError(
            f"the states in {display_path(path)} are damaged, so delete the file or walk again: {reason}"
        ) from None
