"""Recording of planar motions: buffers that the simulation loop fills, and traces that are made from the buffers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ctrlgraph.engine.planar_loop import IMPACT_S, POWER_S, Exertion, SampleBuffer, clear_exertion
from ctrlgraph.kernels.arrays import Floats, copy_arrays
from ctrlgraph.simulation.planar_snapshot import overwrite_arrays
from ctrlgraph.simulation.planar_trace import Trace


def zero_exertion(n_links: int, applied: Floats, dt: float) -> Exertion:
    """Return an `Exertion` (sums and maxima of forces, slip and joint work since the last sample) with all values zero.

    Args:
        n_links: number of links.
        applied: (J,) torques of the joints in the last step, N m. The engine writes to this array; it is not copied.
        dt: time step, s.
    """
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
    """Return an empty buffer for samples of a motion.

    Args:
        rows: maximum number of samples.
        every: time steps between samples.
        last_sample: time step that is already recorded and is not to be recorded again; -1 for none.
        exertion: sums and maxima since the last sample. The arrays are not copied.
    """
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
    """Return the samples in a buffer as a trace (a recorded motion). Samples that are not filled yet are omitted."""
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
    """Return the concatenation of traces (recorded motions).

    Args:
        parts: the traces, in the order of time. If there are none, an empty trace is returned.
        exertion: arrays that provide the numbers of links and joints of the empty trace.
    """
    return Trace.concatenate(parts) if parts else trace_of(new_record(0, 1, -1, exertion))


@dataclass(frozen=True)
class RecordedSoFar:
    """Copy of the recording of a rollout in progress, from which `Recorder.go_on_from` continues it."""

    samples: tuple[Trace, ...]
    """Consecutive parts of the rollout's trace, in the order of time."""
    last_sample: int
    """Time step of the last sample; -1 for none."""
    exertion: Exertion
    """Sums and maxima since the last sample."""


_LONG = 1000  # samples; longer parts are not merged


class Recorder:
    """Recorder of the motion of a simulation. It keeps the current rollout and, on request, all previous ones."""

    def __init__(self, exertion: Exertion, every: int, keep: bool) -> None:
        """
        Args:
            exertion: sums and maxima that the simulation loop updates.
            every: time steps between samples.
            keep: whether to keep the motions of all rollouts; otherwise only the last one is kept.
        """
        self._exertion = exertion
        self._every = every
        self._keep = keep
        self._all: list[Trace] = []
        self._last: list[Trace] = []
        self._last_sample = -1
        self.no_samples = new_record(0, every, -1, exertion)
        """Empty buffer, for motions that are not recorded."""

    @property
    def trace(self) -> Trace:
        """Return the motion of all rollouts that have ended and are kept, as one trace (recorded motion)."""
        # a controller begins in the state in which the previous one ended
        return joined(self._all, self._exertion).without_repeats()

    @property
    def last_trace(self) -> Trace:
        """Return the motion of the current rollout, or of the last one if none is in progress."""
        return joined(self._last, self._exertion)

    def clear(self) -> None:
        """Discard all motions."""
        self._all, self._last = [], []

    def begin(self) -> None:
        """Begin the recording of a rollout, and discard that of the previous one unless `end` has kept it."""
        self._last, self._last_sample = [], -1
        clear_exertion(self._exertion)

    def buffer(self, steps: int) -> SampleBuffer:
        """Return an empty buffer for the samples of the next `steps` time steps."""
        return new_record(steps // self._every + 2, self._every, self._last_sample, self._exertion)

    def add(self, filled: SampleBuffer) -> None:
        """Add the samples in a filled buffer to the motion of the current rollout."""
        part = trace_of(filled)
        self._last_sample = int(filled.filled[1])
        if not len(part):
            return
        # merge short parts: a watched simulation is advanced a few steps at a time
        while self._last and len(self._last[-1]) <= len(part) < _LONG:
            part = Trace.concatenate([self._last.pop(), part])
        self._last.append(part)

    def end(self) -> None:
        """End the recording of the current rollout, and add it to the kept motions, or let it replace the kept one."""
        self._all = self._all + self._last if self._keep else self._last

    def so_far(self) -> RecordedSoFar:
        """Return a copy of the recording of the current rollout up to now, for `go_on_from`."""
        return RecordedSoFar(tuple(self._last), self._last_sample, copy_arrays(self._exertion))

    def go_on_from(self, before: RecordedSoFar) -> None:
        """Continue the recording of a rollout from a copy that `so_far` has returned."""
        self._last, self._last_sample = list(before.samples), before.last_sample
        overwrite_arrays(self._exertion, before.exertion)

    def cut_back(self, time: float) -> None:
        """Discard the current rollout, and all samples after a simulated time, s, because an earlier state is restored.

        Parts of the trace that end before this time are not copied, because searches restore states very often.
        """
        kept = (part if part.time[-1] <= time else part.between(0.0, time) for part in self._all if len(part))
        self._all = [part for part in kept if len(part)]
        self._last = []
