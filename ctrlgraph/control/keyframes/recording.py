"""From a recorded motion to a file of key frames."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import yaml
from numpy.typing import NDArray

from ctrlgraph.control.keyframes.reader import SAME_ANGLE
from ctrlgraph.errors import CtrlGraphError

FloatArray = NDArray[np.float64]


def resampled(times: FloatArray, angles: FloatArray, rate: float) -> FloatArray:
    """Return frames at so many a second, the last one at the motion's end: rows of a time from 0 on and the angles.

    Args:
        times: (n,) s, rising.
        angles: (n, K) rad.
        rate: frames a second.

    Raises:
        CtrlGraphError: the motion is shorter than one frame lasts.
    """
    since = times - times[0]
    count = round(float(since[-1]) * rate)
    if count < 1:
        raise CtrlGraphError(f"a motion of {since[-1]:g} s has no two frames at {rate:g} a second")
    at = np.linspace(0.0, since[-1], count + 1)
    return np.column_stack([at, *(np.interp(at, since, column) for column in angles.T)])


def keyframes_text(frames: FloatArray, joints: Sequence[str], *, loop: bool, comment: str) -> str:
    """Return a file of key frames that are passed as cubic splines, once or in a loop.

    Args:
        frames: (F, 1 + K) rows of a time in s and angles in rad.
        loop: the motion goes on where it began; its last frame is made like its first.
        comment: lines to begin with.
    """
    frames = frames.copy()
    if loop and np.abs(frames[-1, 1:] - frames[0, 1:]).max() <= SAME_ANGLE:
        frames[-1, 1:] = frames[0, 1:]
    elif loop:  # the last frame gives way to the first
        return _text(frames[:-1], joints, f"loop: true\nduration: {frames[-1, 0]:.6g}\n", comment)
    return _text(frames, joints, "loop: true\n" if loop else "", comment)


def _text(frames: FloatArray, joints: Sequence[str], how: str, comment: str) -> str:
    rows = ("  - [" + ", ".join(f"{value:.6g}" for value in row) + "]" for row in frames)
    head = "".join(f"# {line}\n" for line in comment.splitlines())
    named = yaml.safe_dump(list(joints), default_flow_style=True, width=math.inf, allow_unicode=True).strip()
    return f"{head}joints: {named}\n{how}interpolation: cubic\nframes:\n" + "\n".join(rows) + "\n"
