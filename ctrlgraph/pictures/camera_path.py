"""Paths of cameras that follow a character."""

from __future__ import annotations

import numpy as np

from ctrlgraph.pictures.style import FloatArray

FOLLOW = 0.6
"""Half the width of the time window in which the path of the camera is smoothed, s."""
JUMP = 0.5
"""Displacement of the centre of mass between two samples above which it is a restart elsewhere, m."""


def smoothed_path(path: FloatArray, com: FloatArray, time: FloatArray) -> FloatArray:
    """Smooth a path over time, separately before and after each restart of the character elsewhere.

    Args:
        path: Points of the path (n, D), m.
        com: Positions of the centre of mass (n, D), m, which show the restarts.
        time: Time of each point (n,), s.

    Returns:
        The smoothed points (n, D), m.
    """
    steps = np.abs(np.diff(com, axis=0)).max(axis=1, initial=0.0)
    pieces = np.split(np.arange(len(time)), np.flatnonzero(steps > JUMP) + 1)
    return np.concatenate([_smoothed(path[piece], time[piece]) for piece in pieces])


def _smoothed(path: FloatArray, time: FloatArray) -> FloatArray:
    """Smooth a path over time with a Hann window that reaches `FOLLOW` seconds to both sides of each sample.

    Args:
        path: Points of the path (n, D), m. For the smoothing, the path is continued beyond its ends by reflection.
        time: Time of each point (n,), s.

    Returns:
        The smoothed points (n, D), m.
    """
    if len(time) < 3:
        return path
    reach = min(round(FOLLOW / float(np.median(np.diff(time)))), len(time) - 1)
    window = np.hanning(2 * reach + 3)[1:-1]
    padded = np.pad(path, ((reach, reach), (0, 0)), mode="reflect", reflect_type="odd")
    columns = [np.convolve(column, window / window.sum(), mode="valid") for column in padded.T]
    return np.column_stack(columns)
