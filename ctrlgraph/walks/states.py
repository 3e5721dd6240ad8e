"""Sampled states of walks, which are stored next to the log and compared bit for bit with the states of replays."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ctrlgraph.simulation.recording.base_trace import BaseTrace

_COMPONENTS = {"position": ("x", "y"), "pose": ("x", "y", "z", "qw", "qx", "qy", "qz")}
"""Names of the components of the fields with several numbers for each link."""


@dataclass(frozen=True)
class WalkStates:
    """Sampled states of one walk: poses in n samples, and the attempt to which each sample belongs."""

    trace: BaseTrace
    """Poses in n samples. Times are in simulated s since the walk began, and continue after resets."""
    attempt: NDArray[np.int64]
    """(n,) number of the attempt (execution of a node) to which each sample belongs, from 0."""
    links: tuple[str, ...]
    """Names of the character's links, in the order of the columns of the trace."""

    def part(self, first: int, end: int | None = None) -> WalkStates:
        """Return the samples from index `first` up to, but without, index `end`; None for the end of the walk."""
        return WalkStates(self.trace.rows(slice(first, end)), self.attempt[first:end], self.links)


@dataclass(frozen=True, slots=True)
class Difference:
    """First difference between a logged walk and its replay."""

    attempt: int
    """Number of the attempt (execution of a node) in the walk, from 0."""
    time: float | None
    """Simulated time of the difference since the walk began, s; None if only the whole attempt is known to differ."""
    link: str | None
    """Name of the link that differs; None for a quantity of the whole character."""
    quantity: str
    """Name of the quantity that differs, such as "angle"."""
    logged: str
    """Logged value, as text."""
    replayed: str
    """Value in the replay, as text."""

    def sentence(self) -> str:
        """Return the difference as one line of text."""
        place = f"attempt {self.attempt}"
        if self.time is not None:
            place += f", {self.time:.3f} s"
        what = f"{self.link} {self.quantity}" if self.link is not None else self.quantity
        return f"first difference at {place}: {what} was {self.logged} and is now {self.replayed}"


class StateRecorder:
    """Recorder that collects the sampled states of a walk in memory, attempt by attempt."""

    def __init__(self, links: tuple[str, ...]) -> None:
        self._links = links
        self._parts: list[tuple[BaseTrace, NDArray[np.int64]]] = []  # a single list, so Ctrl-C cannot split its update

    def __len__(self) -> int:
        """Return the number of samples."""
        return sum(len(attempts) for _, attempts in self._parts)

    def add(self, trace: BaseTrace, attempt: int, shift: float) -> None:
        """Add the samples of an attempt (one execution of a node).

        Args:
            trace: samples of the attempt.
            attempt: number of the attempt in the walk, from 0.
            shift: offset that is added to the times of the trace, s, to get simulated times since the walk began.
        """
        shifted = dataclasses.replace(trace.poses(), time=trace.time + shift)
        self._parts.append((shifted, np.full(len(trace), attempt, dtype=np.int64)))

    def states(self) -> WalkStates | None:
        """Return all samples that were added; None without samples."""
        if not self._parts:
            return None
        traces, attempts = zip(*self._parts, strict=True)
        return WalkStates(traces[0].concatenate(traces), np.concatenate(attempts), self._links)


def first_difference(logged: WalkStates, replayed: WalkStates) -> Difference | None:
    """Return the first difference, in any bit, between the stored and the replayed states of a walk.

    Args:
        logged: sampled states that were stored with the log.
        replayed: sampled states of the replay.

    Returns:
        The difference; None if the states are equal up to the end of the shorter sequence.
    """
    samples, axes = min(len(logged.trace), len(replayed.trace)), logged.trace.AXES
    first: tuple[int, str] | None = None
    for name in sorted(axes, key=lambda name: not axes[name].startswith("link")):
        differs = _bits(getattr(logged.trace, name)[:samples]) != _bits(getattr(replayed.trace, name)[:samples])
        rows = np.flatnonzero(differs.reshape(samples, -1).any(axis=1))
        if rows.size and (first is None or rows[0] < first[0]):
            first = int(rows[0]), name
    return None if first is None else _difference_at(logged, replayed, *first)


def _difference_at(logged: WalkStates, replayed: WalkStates, row: int, name: str) -> Difference:
    old, new = getattr(logged.trace, name)[row], getattr(replayed.trace, name)[row]
    quantity, link = name.replace("com", "centre of mass").replace("_", " "), None
    if logged.trace.AXES[name].startswith("link"):
        place = np.argwhere(_bits(old) != _bits(new))[0].tolist()
        link = logged.links[place[0]]
        quantity = _COMPONENTS[name][place[1]] if name in _COMPONENTS else name
        old, new = old[tuple(place)], new[tuple(place)]
    time = float(logged.trace.time[row])
    return Difference(int(logged.attempt[row]), time, link, quantity, _shown(old), _shown(new))


def _bits(values: NDArray[Any]) -> NDArray[Any]:
    """Return the bits of floats as integers, so that NaN equals NaN and 0.0 differs from -0.0 in comparisons."""
    values = np.ascontiguousarray(values)
    return values.view(np.int64) if values.dtype == np.float64 else values


def _shown(value: Any) -> str:
    return " ".join(repr(item) for item in np.atleast_1d(value).tolist())
