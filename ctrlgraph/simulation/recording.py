"""Samples of the motion: the rows that the compiled loop fills, the traces made of them, and who keeps these."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ctrlgraph.engine.loop import IMPACT_S, POWER_S, Exertion, SampleBuffer, clear_exertion
from ctrlgraph.kernels.arrays import Floats, copy_arrays
from ctrlgraph.simulation.trace import Trace


def new_exertion(n_links: int, applied: Floats, dt: float) -> Exertion:
    """Nothing counted yet; `applied` (J,) are the torques of the last step, as the world writes them; dt in s."""
    width = np.array([max(1, round(seconds / dt)) for seconds in (IMPACT_S, POWER_S)], np.int64)
    return Exertion(
        pending=np.zeros(1, np.int64),
        applied=applied,
        impulse=np.zeros((n_links, 2)),
        slip=np.zeros(n_links),
        work=np.zeros((applied.size, 2)),
        peak=np.zeros((applied.size, 3)),
        mean_peak=np.zeros(2),
        recent=np.zeros((2, width.max())),
        total=np.zeros(2),
        width=width,
        place=np.zeros(2, np.int64),
    )


def new_record(rows: int, every: int, last_sample: int, exertion: Exertion) -> SampleBuffer:
    """Room for `rows` samples, one every `every` steps; step `last_sample` is recorded already."""
    n_links, n_joints = exertion.slip.size, exertion.applied.size
    return SampleBuffer(
        filled=np.array([0, last_sample], np.int64),
        every=every,
        exertion=exertion,
        scalars=np.zeros((rows, 6)),
        links=np.zeros((rows, n_links, 3)),
        contact=np.zeros((rows, n_links), np.int64),
        phase=np.zeros(rows, np.int64),
        impulse=np.zeros((rows, n_links, 2)),
        slip=np.zeros((rows, n_links)),
        work=np.zeros((rows, n_joints, 2)),
        peak=np.zeros((rows, n_joints, 3)),
        mean_peak=np.zeros((rows, 2)),
    )


def trace_of(record: SampleBuffer) -> Trace:
    """Return the samples of a record."""
    n = int(record.filled[0])
    scalars, links = record.scalars[:n], record.links[:n]
    return Trace(
        time=scalars[:, 0],
        position=links[:, :, :2],
        angle=links[:, :, 2],
        contact=record.contact[:n].astype(bool),
        com=scalars[:, 1:3],
        com_velocity=scalars[:, 3:5],
        phase=record.phase[:n],
        energy=scalars[:, 5],
        impulse=record.impulse[:n],
        slip=record.slip[:n],
        joint_work=record.work[:n],
        joint_peak=record.peak[:n],
        mean_peak=record.mean_peak[:n],
    )


def joined(parts: Sequence[Trace], exertion: Exertion) -> Trace:
    """Return traces one after another; an empty one, of a body like that of `exertion`, where there is none."""
    return Trace.concatenate(parts) if parts else trace_of(new_record(0, 1, -1, exertion))


@dataclass(frozen=True)
class RecordedSoFar:
    """What was recorded of a controller up to a moment of its run, and what was counted since the last sample."""

    samples: tuple[Trace, ...]
    last_sample: int
    exertion: Exertion


_LONG = 1000  # samples; parts of these are left alone


class Recorder:
    """Keeps the motion of a simulation: of the controller that runs, and of those before it.

    Args:
        exertion: what the loop counts into; every: steps from sample to sample; keep: whether the motion of all
        controllers is kept, or that of the last alone.
    """

    def __init__(self, exertion: Exertion, every: int, keep: bool) -> None:
        self._exertion = exertion
        self._every = every
        self._keep = keep
        self._all: list[Trace] = []
        self._last: list[Trace] = []
        self._last_sample = -1
        self.no_samples = new_record(0, every, -1, exertion)
        """A buffer of size 0, for motions that are not recorded."""

    @property
    def trace(self) -> Trace:
        """Return the motion of all controllers that are kept and have ended."""
        # a controller begins with the very state in which the one before it ended
        return joined(self._all, self._exertion).without_repeats()

    @property
    def last_trace(self) -> Trace:
        """Return the motion of the last controller."""
        return joined(self._last, self._exertion)

    def clear(self) -> None:
        """Forget everything."""
        self._all, self._last = [], []

    def begin(self) -> None:
        """Begin with a controller."""
        self._last, self._last_sample = [], -1
        clear_exertion(self._exertion)

    def buffer(self, steps: int) -> SampleBuffer:
        """Return room for the samples of so many steps."""
        return new_record(steps // self._every + 2, self._every, self._last_sample, self._exertion)

    def add(self, filled: SampleBuffer) -> None:
        """Take the samples that such a buffer was filled with."""
        part = trace_of(filled)
        self._last_sample = int(filled.filled[1])
        if not len(part):
            return
        # who is watched is advanced by a few steps at a time: many short parts, each in a buffer of its own
        while self._last and len(self._last[-1]) <= len(part) < _LONG:
            part = Trace.concatenate([self._last.pop(), part])
        self._last.append(part)

    def end(self) -> None:
        """End with a controller."""
        self._all = self._all + self._last if self._keep else self._last

    def so_far(self) -> RecordedSoFar:
        """Return what is recorded of the controller that runs, to go on from with `go_on_from`."""
        return RecordedSoFar(tuple(self._last), self._last_sample, copy_arrays(self._exertion))

    def go_on_from(self, before: RecordedSoFar) -> None:
        """Go on with a controller of which this much is recorded already."""
        self._last, self._last_sample = list(before.samples), before.last_sample
        for mine, counted in zip(self._exertion, before.exertion, strict=True):
            mine[...] = counted

    def cut_back(self, time: float) -> None:
        """Forget what lies after a time (s); what lies before stays as it is: a search restores one state thousands of
        times."""
        kept = (part if part.time[-1] <= time else part.between(0.0, time) for part in self._all if len(part))
        self._all = [part for part in kept if len(part)]
        self._last = []
