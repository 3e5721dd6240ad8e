"""The sampled states of a walkthrough: kept beside the log, and compared bit for bit with a replay."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ctrlgraph.simulation.trace import POSES, Trace

TRACE_FIELDS = POSES
"""What is kept of a trace: forces and work can be had again by a replay, and would double the files."""

# quantity, its field of the trace, and the column of its last axis where it has one
_QUANTITIES: tuple[tuple[str, str, int | None], ...] = (
    ("x", "position", 0),
    ("y", "position", 1),
    ("angle", "angle", None),
    ("contact", "contact", None),
)
_WHOLE_BODY = ("com", "com_velocity", "energy", "phase", "time")


@dataclass(frozen=True)
class WalkStates:
    """The samples of one walk, one after another, on one clock that goes on over resets.

    trace: n samples; attempt (n,): the position of each sample's attempt; links: names of the links.
    """

    trace: Trace
    attempt: NDArray[np.int64]
    links: tuple[str, ...]

    def part(self, first: int, end: int | None = None) -> WalkStates:
        """Return some of the samples."""
        return WalkStates(self.trace.rows(slice(first, end)), self.attempt[first:end], self.links)


@dataclass(frozen=True, slots=True)
class Difference:
    """The first place where two walks differ; times in s of the walk's clock.

    link is None for a quantity of the whole character; values are those logged and replayed.
    """

    attempt: int
    time: float | None
    link: str | None
    quantity: str
    logged: str
    replayed: str

    def sentence(self) -> str:
        place = f"attempt {self.attempt}"
        if self.time is not None:
            place += f", {self.time:.3f} s"
        what = f"{self.link} {self.quantity}" if self.link is not None else self.quantity
        return f"first difference at {place}: {what} was {self.logged} and is now {self.replayed}"

    def as_dict(self) -> dict[str, Any]:
        return dataclasses.asdict(self)


class StateRecorder:
    """Collects the samples of a walk, attempt by attempt, in memory."""

    def __init__(self, links: tuple[str, ...]) -> None:
        self._links = links
        self._parts: list[tuple[Trace, NDArray[np.int64]]] = []  # in one list: Ctrl-C may come between two lines

    def __len__(self) -> int:
        """Samples that are held."""
        return sum(len(attempts) for _, attempts in self._parts)

    def add(self, trace: Trace, attempt: int, shift: float) -> None:
        """Add the samples of an attempt; `shift` takes its clock to that of the walk."""
        shifted = dataclasses.replace(trace.poses(), time=trace.time + shift)
        self._parts.append((shifted, np.full(len(trace), attempt, dtype=np.int64)))

    def states(self) -> WalkStates | None:
        """Return all samples that are held; None where there are none."""
        if not self._parts:
            return None
        traces, attempts = zip(*self._parts, strict=True)
        return WalkStates(Trace.concatenate(traces), np.concatenate(attempts), self._links)


def first_difference(logged: WalkStates, replayed: WalkStates) -> Difference | None:
    """Return the first sample in which any bit differs; None where the shorter walk is the other's beginning."""
    samples = min(len(logged.trace), len(replayed.trace))
    first = samples
    for name in TRACE_FIELDS:
        differs = _bits(getattr(logged.trace, name)[:samples]) != _bits(getattr(replayed.trace, name)[:samples])
        rows = np.flatnonzero(differs.reshape(samples, -1).any(axis=1))
        first = min(first, int(rows[0])) if rows.size else first
    return None if first == samples else _difference_at(logged, replayed, first)


def _difference_at(logged: WalkStates, replayed: WalkStates, row: int) -> Difference:
    attempt, time = int(logged.attempt[row]), float(logged.trace.time[row])
    for quantity, name, column in _QUANTITIES:
        old, new = getattr(logged.trace, name)[row], getattr(replayed.trace, name)[row]
        if column is not None:
            old, new = old[:, column], new[:, column]
        links = np.flatnonzero(_bits(old) != _bits(new))
        if links.size:
            link = int(links[0])
            return Difference(attempt, time, logged.links[link], quantity, _shown(old[link]), _shown(new[link]))
    for name in _WHOLE_BODY:
        old, new = getattr(logged.trace, name)[row], getattr(replayed.trace, name)[row]
        if (_bits(np.atleast_1d(old)) != _bits(np.atleast_1d(new))).any():
            return Difference(attempt, time, None, name.replace("com", "centre of mass"), _shown(old), _shown(new))
    raise AssertionError("the rows differ in no field")


def _bits(values: NDArray[Any]) -> NDArray[Any]:
    """Floats as integers: NaN equals itself, and 0.0 differs from -0.0."""
    values = np.ascontiguousarray(values)
    return values.view(np.int64) if values.dtype == np.float64 else values


def _shown(value: Any) -> str:
    return " ".join(repr(item) for item in np.atleast_1d(value).tolist())
