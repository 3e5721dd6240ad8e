"""Samples of spatial motions: buffers that the simulation loop fills, and traces that are made from the buffers."""

from __future__ import annotations

import numpy as np

from ctrlgraph.engine.loop import Exertion
from ctrlgraph.engine.spatial_loop import SpatialSampleBuffer
from ctrlgraph.simulation.recording.recorder import exertion_arrays, exertion_fields
from ctrlgraph.simulation.recording.spatial_trace import SpatialTrace


def new_spatial_samples(rows: int, every: int, last_sample: int, exertion: Exertion) -> SpatialSampleBuffer:
    """Return an empty buffer for samples of a motion.

    Args:
        rows: maximum number of samples.
        every: time steps between samples.
        last_sample: time step that is already recorded and is not to be recorded again; -1 for none.
        exertion: sums and maxima since the last sample. The arrays are not copied.
    """
    n_links, n_joints = exertion.slip.size, exertion.applied.size
    return SpatialSampleBuffer(
        filled=np.array([0, last_sample], np.int64),
        every=every,
        exertion=exertion,
        scalars=np.zeros((rows, 8)),
        pose=np.zeros((rows, n_links, 7)),
        angle=np.zeros((rows, n_joints)),
        **exertion_arrays(rows, exertion),
    )


def spatial_trace_of(record: SpatialSampleBuffer) -> SpatialTrace:
    """Return the samples in a buffer as a trace. Samples that are not filled yet are omitted."""
    n = int(record.filled[0])
    scalars = record.scalars[:n]
    return SpatialTrace(
        time=scalars[:, 0],
        pose=record.pose[:n],
        joint_angle=record.angle[:n],
        com=scalars[:, 1:4],
        com_velocity=scalars[:, 4:7],
        energy=scalars[:, 7],
        **exertion_fields(record, n),
    )
