"""Responses of motions to a push, side by side (figure 5 of Abe and Popovic 2011)."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from matplotlib.figure import Figure

from ctrlgraph.view.figure import INK, MUTED, NEAR, PAPER, TRAIL, FloatArray
from ctrlgraph.view.lettering import write_figure


class JointMotion(NamedTuple):
    """A joint over time."""

    time: FloatArray
    """Time, s."""
    phase: FloatArray
    """Phase of the gait, rad."""
    stands: FloatArray
    """Stance foot."""
    angle: FloatArray
    """Angle, rad."""
    torque: FloatArray
    """Torque, N m."""


class PushedMotion(NamedTuple):
    """A motion with and without a push."""

    name: str
    pushed: JointMotion
    alone: JointMotion
    """The motion without the push."""


def write_push_figure(motions: Sequence[PushedMotion], path: Path, *, push: tuple[float, float], joint: str) -> None:
    """Write the picture of `push_figure` as .png or .svg.

    Args:
        motions: Motions, one per column.
        path: Output file.
        push: Start and end of the push, s.
        joint: Name of the joint.

    Raises:
        CtrlGraphError: If the file cannot be written.
    """
    write_figure(path, lambda: push_figure(motions, push=push, joint=joint))


def push_figure(motions: Sequence[PushedMotion], *, push: tuple[float, float], joint: str) -> Figure:
    """Return a picture with a column per motion: angle over phase, phase over time, torque over time.

    Args:
        motions: Motions, one per column.
        push: Start and end of the push, s.
        joint: Name of the joint.
    """
    canvas = Figure(figsize=(4.2 * len(motions), 7.2), facecolor=PAPER, layout="constrained")  # inches
    axes = canvas.subplots(3, len(motions), squeeze=False, sharey="row")
    for answer, (first, second, third) in zip(motions, axes.T, strict=True):
        for course, colour, word in ((answer.alone, TRAIL, "undisturbed"), (answer.pushed, NEAR, "pushed")):
            style = {"color": colour, "linewidth": 1.0, "label": word}
            first.plot(*_broken(course, course.phase, course.angle), **style)
            second.plot(*_broken(course, course.time, course.phase), **style)
            third.plot(course.time, course.torque, **style)
        first.set(title=answer.name, xlabel="phase, rad")
        third.set(xlabel="time, s")
        for place in (second, third):
            place.axvspan(*push, color=MUTED, alpha=0.3, linewidth=0)
        first.legend(frameon=False, loc="best", labelcolor=INK)
    for place, word in zip(axes[:, 0], (f"{joint}, rad", "phase, rad", f"torque of {joint}, N m"), strict=True):
        place.set_ylabel(word)
    for place in axes.flat:
        place.spines[["top", "right"]].set_visible(False)
        place.tick_params(colors=INK)
    return canvas


def _broken(course: JointMotion, x: FloatArray, y: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Insert gaps at changes of the stance foot, because the phase is measured from this foot."""
    swaps = np.flatnonzero(np.diff(course.stands) != 0) + 1
    return np.insert(x, swaps, np.nan), np.insert(y, swaps, np.nan)
