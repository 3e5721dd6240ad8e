"""Recording of motions: the recorder of a simulation, which collects the samples of its rollouts as traces."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from ctrlgraph.engine.loop import IMPACT_S, POWER_S, Exertion, clear_exertion
from ctrlgraph.kernels.arrays import Floats, copy_arrays
from ctrlgraph.simulation.snapshot import overwrite_arrays


def zero_exertion(n_links: int, dimensions: int, applied: Floats, dt: float) -> Exertion:
    """Return an `Exertion` (sums and maxima of forces, slip and joint work since the last sample) with all values zero.

    Args:
        n_links: number of links.
        dimensions: 2 for planar characters, 3 for spatial ones.
        applied: (J,) torques of the joints in the last step, N m. The engine writes to this array; it is not copied.
        dt: time step, s.
    """
    width = np.array([max(1, round(seconds / dt)) for seconds in (IMPACT_S, POWER_S)], np.int64)
    return Exertion(
        pending=np.zeros(1, np.int64),
        applied=applied,
        impulse=np.zeros((n_links, dimensions)),
        slip=np.zeros(n_links),
        work=np.zeros((applied.size, 2)),
        peak=np.zeros((applied.size, 3)),
        mean_peak=np.zeros(2),
        recent=np.zeros((2, width.max())),
        total=np.zeros(2),
        width=width,
        place=np.zeros(2, np.int64),
    )


def exertion_arrays(rows: int, exertion: Exertion) -> dict[str, Any]:
    """Return the arrays of a buffer of samples that planar and spatial motions have in common.

    Args:
        rows: maximum number of samples.
        exertion: sums and maxima since the last sample, which give the sizes.
    """
    n_links, dimensions = exertion.impulse.shape
    n_joints = exertion.applied.size
    return {
        "contact": np.zeros((rows, n_links), np.int64),
        "phase": np.zeros(rows, np.int64),
        "impulse": np.zeros((rows, n_links, dimensions)),
        "slip": np.zeros((rows, n_links)),
        "work": np.zeros((rows, n_joints, 2)),
        "peak": np.zeros((rows, n_joints, 3)),
        "mean_peak": np.zeros((rows, 2)),
    }


def exertion_fields(record: Any, samples: int) -> dict[str, Any]:
    """Return the fields of a trace for the arrays of `exertion_arrays`.

    Args:
        record: buffer of samples.
        samples: number of filled samples.
    """
    fields = {
        "phase": record.phase,
        "impulse": record.impulse,
        "slip": record.slip,
        "joint_work": record.work,
        "joint_peak": record.peak,
        "mean_peak": record.mean_peak,
    }
    return {"contact": record.contact[:samples].astype(bool)} | {name: a[:samples] for name, a in fields.items()}


@dataclass(frozen=True)
class RecordedSoFar:
    """Copy of the recording of a rollout in progress, from which `Recorder.go_on_from` continues it."""

    samples: tuple[Any, ...]
    """Consecutive parts of the rollout's trace, in the order of time."""
    last_sample: int
    """Time step of the last sample; -1 for none."""
    exertion: Exertion
    """Sums and maxima since the last sample."""


_LONG = 1000  # samples; longer parts are not merged


class Recorder:
    """Recorder of the motion of a simulation. It keeps the current rollout and, on request, all previous ones."""

    def __init__(
        self,
        exertion: Exertion,
        every: int,
        keep: bool,
        new_samples: Callable[[int, int, int, Exertion], Any],
        trace_of: Callable[[Any], Any],
    ) -> None:
        """
        Args:
            exertion: sums and maxima that the simulation loop updates.
            every: time steps between samples.
            keep: whether to keep the motions of all rollouts; otherwise only the last one is kept.
            new_samples: function that returns an empty buffer of samples for the simulation loop.
            trace_of: function that returns the filled part of such a buffer as a trace.
        """
        self._exertion = exertion
        self._new_samples, self._trace_of = new_samples, trace_of
        self._every = every
        self._keep = keep
        self._all: list[Any] = []
        self._last: list[Any] = []
        self._last_sample = -1
        self.no_samples = new_samples(0, every, -1, exertion)
        """Empty buffer, for motions that are not recorded."""

    @property
    def trace(self) -> Any:
        """Return the motion of all rollouts that have ended and are kept, as one trace (recorded motion)."""
        # a controller begins in the state in which the previous one ended
        return self._joined(self._all).without_repeats()

    @property
    def last_trace(self) -> Any:
        """Return the motion of the current rollout, or of the last one if none is in progress."""
        return self._joined(self._last)

    def _joined(self, parts: list[Any]) -> Any:
        """Return the concatenation of consecutive traces; an empty trace for none."""
        return parts[0].concatenate(parts) if parts else self._trace_of(self._new_samples(0, 1, -1, self._exertion))

    def clear(self) -> None:
        """Discard all motions."""
        self._all, self._last = [], []

    def begin(self) -> None:
        """Begin the recording of a rollout, and discard the previous recording unless `end` has kept it."""
        self._last, self._last_sample = [], -1
        clear_exertion(self._exertion)

    def buffer(self, steps: int) -> Any:
        """Return an empty buffer for the samples of the next `steps` time steps."""
        return self._new_samples(steps // self._every + 2, self._every, self._last_sample, self._exertion)

    def add(self, filled: Any) -> None:
        """Add the samples in a filled buffer to the motion of the current rollout."""
        part = self._trace_of(filled)
        self._last_sample = int(filled.filled[1])
        if not len(part):
            return
        # merge short parts: a watched simulation is advanced a few steps at a time
        while self._last and len(self._last[-1]) <= len(part) < _LONG:
            part = part.concatenate([self._last.pop(), part])
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
