"""Samples of the motion: the rows that the compiled loop fills, and the traces made of them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ctrlgraph.engine.loop import IMPACT_S, POWER_S, Exertion, SampleBuffer
from ctrlgraph.kernels.arrays import Floats
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
