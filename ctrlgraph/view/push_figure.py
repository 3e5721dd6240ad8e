"""How motions answer a push, side by side: the source's figure 5 (Abe and Popovic 2011)."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import matplotlib
import numpy as np
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from numpy.typing import NDArray

from ctrlgraph.files import replacing
from ctrlgraph.view.figure import INK, MUTED, NEAR, PAPER, TRAIL
from ctrlgraph.view.lettering import plain_lettering

Floats = NDArray[np.float64]


class JointCourse(NamedTuple):
    """A motion over time (s): its phase (rad), which foot stands, a joint's angle (rad) and torque (N m)."""

    time: Floats
    phase: Floats
    stands: Floats
    angle: Floats
    torque: Floats


class Answer(NamedTuple):
    """A motion with a push and without."""

    name: str
    pushed: JointCourse
    alone: JointCourse


def write_push_figure(answers: Sequence[Answer], path: Path, *, push: tuple[float, float], joint: str) -> None:
    """Write the picture of `push_figure` (.png or .svg).

    Raises:
        CtrlGraphError: the file cannot be written.
    """
    with plain_lettering(), matplotlib.rc_context({"font.size": 8, "svg.hashsalt": "ctrlgraph"}):
        canvas = push_figure(answers, push=push, joint=joint)
        with replacing(path) as temporary:
            canvas.savefig(temporary, dpi=110, metadata={"Date": None} if path.suffix.lower() == ".svg" else None)


def push_figure(answers: Sequence[Answer], *, push: tuple[float, float], joint: str) -> Figure:
    """Return a picture, a column for each motion: a joint's angle over the phase, the phase and the torque over time.

    Args:
        push: when it begins and ends, s.
        joint: its name.
    """
    canvas = Figure(figsize=(4.2 * len(answers), 7.2), facecolor=PAPER, layout="constrained")  # inches
    FigureCanvasAgg(canvas)
    axes = canvas.subplots(3, len(answers), squeeze=False, sharey="row")
    for answer, (first, second, third) in zip(answers, axes.T, strict=True):
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
        _plain(place)
    return canvas


def _broken(course: JointCourse, x: Floats, y: Floats) -> tuple[Floats, Floats]:
    """Lines with a gap where another foot stands, since the phase is then measured from that."""
    swaps = np.flatnonzero(np.diff(course.stands) != 0) + 1
    return np.insert(x, swaps, np.nan), np.insert(y, swaps, np.nan)


def _plain(place: Axes) -> None:
    for side in ("top", "right"):
        place.spines[side].set_visible(False)
    place.tick_params(colors=INK)
