"""Samples of planar motions: buffers that the simulation loop fills, and traces that are made from the buffers."""

from __future__ import annotations

import numpy as np

from ctrlgraph.engine.loop import Exertion
from ctrlgraph.engine.planar_loop import SampleBuffer
from ctrlgraph.simulation.recording.planar_trace import Trace
from ctrlgraph.simulation.recording.recorder import exertion_arrays, exertion_fields


def new_samples(rows: int, every: int, last_sample: int, exertion: Exertion) -> SampleBuffer:
    """Return an empty buffer for samples of a motion.

    Args:
        rows: maximum number of samples.
        every: time steps between samples.
        last_sample: time step that is already recorded and is not to be recorded again; -1 for none.
        exertion: sums and maxima since the last sample. The arrays are not copied.
    """
    return SampleBuffer(
        filled=np.array([0, last_sample], np.int64),
        every=every,
        exertion=exertion,
        scalars=np.zeros((rows, 6)),
        links=np.zeros((rows, exertion.slip.size, 3)),
        **exertion_arrays(rows, exertion),
    )


def trace_of(record: SampleBuffer) -> Trace:
    """Return the samples in a buffer as a trace (a recorded motion). Samples that are not filled yet are omitted."""
    n = int(record.filled[0])
    scalars, links = record.scalars[:n], record.links[:n]
    return Trace(
        time=scalars[:, 0],
        position=links[:, :, :2],
        angle=links[:, :, 2],
        com=scalars[:, 1:3],
        com_velocity=scalars[:, 3:5],
        energy=scalars[:, 5],
        **exertion_fields(record, n),
    )
