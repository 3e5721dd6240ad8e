"""Frames of a motion at a fixed rate, interpolated between its samples."""

from __future__ import annotations

import numpy as np

from ctrlgraph.errors import CtrlGraphError
from ctrlgraph.kernels.arrays import Floats
from ctrlgraph.simulation.signals.recorded_signals import Signals


def frame_times(signals: Signals, rate: float) -> Floats:
    """Return the times (n,) of the frames of a motion, s: 1 / rate apart, beginning at the first sample.

    Args:
        signals: Recorded signals of the motion.
        rate: Frames per simulated second.

    Raises:
        CtrlGraphError: The motion is shorter than 1 / rate.
    """
    time = signals.columns["time"]
    n = int((time[-1] - time[0]) * rate + 1e-6) + 1
    if n < 2:
        raise CtrlGraphError("the motion is shorter than a frame: use more frames per second, or record longer")
    return np.asarray(time[0] + np.arange(n) / rate)


def sampled(signals: Signals, name: str, at: Floats) -> Floats:
    """Return the values of the signal `name` at the times `at` (n,), s, with linear interpolation."""
    return np.asarray(np.interp(at, signals.columns["time"], signals.columns[name]))
