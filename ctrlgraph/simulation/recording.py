"""Samples of the motion: the rows that the compiled loop fills, and the traces made of them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ctrlgraph.engine.loop import SampleBuffer
from ctrlgraph.simulation.trace import Trace


def new_record(rows: int, n_links: int, every: int, last_sample: int) -> SampleBuffer:
    """Room for `rows` samples, one every `every` steps; step `last_sample` is recorded already."""
    return SampleBuffer(
        filled=np.array([0, last_sample], np.int64),
        every=every,
        scalars=np.zeros((rows, 6)),
        links=np.zeros((rows, n_links, 3)),
        contact=np.zeros((rows, n_links), np.int64),
        phase=np.zeros(rows, np.int64),
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
    )


def joined(parts: Sequence[Trace], n_links: int) -> Trace:
    """Return traces one after another; an empty one where there is none."""
    return Trace.concatenate(parts) if parts else trace_of(new_record(0, n_links, 1, -1))
