"""Where the figures of a filmstrip stand: in rows, at their true distance or just apart, each with its words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from ctrlgraph.errors import printable
from ctrlgraph.simulation.trace import Trace
from ctrlgraph.view.figure import Figure, FloatArray
from ctrlgraph.view.key_poses import KeyPose
from ctrlgraph.view.lettering import text_width, wrapped

PIXELS_PER_METRE = 110
ROW_WIDTH = 13.0  # m
MAX_ROWS = 16
GAP = 0.14  # m between the outlines of two figures
FARTHEST = 1.5  # m of empty ground between two figures: beyond, they are moved together
STAMP_SIZE, CAPTION_SIZE = 8.0, 7.5  # points
CAPTION_LINES = 4
CAPTION_WIDTH = 0.95  # m, of a caption below a narrower figure
CAPTION_GAP = 0.1  # m between two captions


@dataclass(frozen=True, slots=True)
class FigureText:
    """What stands under a figure: its time, and its caption in lines; both in the width (m) that they need."""

    stamp: str
    lines: tuple[str, ...]
    width: float


@dataclass(frozen=True, slots=True)
class Slot:
    """One figure in a row: its sample, its shift to the row's x, and its outline's extent there, m; and what is said of
    it."""

    sample: int
    shift: float
    left: float
    right: float
    bottom: float
    top: float
    text: FigureText

    @property
    def middle(self) -> float:
        return (self.left + self.right) / 2

    @property
    def text_left(self) -> float:
        return self.middle - self.text.width / 2

    @property
    def text_right(self) -> float:
        return self.middle + self.text.width / 2

    @property
    def begin(self) -> float:
        """Where figure and text begin, m."""
        return min(self.left, self.text_left)

    @property
    def end(self) -> float:
        """Where they end, m."""
        return max(self.right, self.text_right)


def rows_of(trace: Trace, figure: Figure, poses: Sequence[KeyPose], level: bool = True) -> list[list[Slot]]:
    """Figures placed in rows of about the same width, as many as a picture holds."""
    samples = [pose.sample for pose in poses]
    extents = figure.extents(trace.position[samples], trace.angle[samples])
    texts = [_text(trace, pose, right - left) for pose, (left, right, _, _) in zip(poses, extents, strict=True)]
    rows = _placed(samples, extents, texts, ROW_WIDTH, level)
    narrow, width = rows, ROW_WIDTH
    while len(narrow) == len(rows) and width > ROW_WIDTH / 2:
        rows, width = narrow, width - 0.25
        narrow = _placed(samples, extents, texts, width, level)
    return rows[:MAX_ROWS]


def _text(trace: Trace, pose: KeyPose, width: float) -> FigureText:
    """What stands under a figure of this width (m)."""
    began = float(trace.time[pose.sample])
    stamp = f"{_seconds(began)} s"
    if pose.until - began > 0.25:
        stamp = f"{_seconds(began)} \u2013 {_seconds(pose.until)} s"
    room = max(width, CAPTION_WIDTH) * PIXELS_PER_METRE
    lines = [line for caption in pose.captions for line in wrapped(printable(caption), CAPTION_SIZE, room, 3)]
    widths = [text_width(stamp, STAMP_SIZE), *(text_width(line, CAPTION_SIZE) for line in lines[:CAPTION_LINES])]
    return FigureText(stamp, tuple(lines[:CAPTION_LINES]), max(widths) / PIXELS_PER_METRE + CAPTION_GAP)


def _seconds(time: float) -> str:
    return f"{time:.2f}".rstrip("0").rstrip(".")


def _placed(
    samples: list[int], extents: FloatArray, texts: list[FigureText], width: float, level: bool
) -> list[list[Slot]]:
    """Rows of figures, each beginning at x = 0 and at most `width` m wide where two figures fit; on ground that is not
    level each may have a piece of it to itself."""
    rows: list[list[Slot]] = []
    for sample, text, extent in zip(samples, texts, extents.tolist(), strict=True):
        left, right, bottom, top = extent
        at_home = Slot(sample, 0.0, left, right, bottom, top, text)
        slot = None
        if rows:
            last = rows[-1][-1]
            apart = max(last.right + GAP - at_home.left, last.text_right - at_home.text_left)
            if not level:
                apart = max(apart, last.end - at_home.begin)
            farthest = max(last.right + FARTHEST - at_home.left, apart)
            slot = _moved(at_home, min(max(last.shift, apart), farthest))  # true distance, or just apart
        if slot is None or slot.end > width:
            slot = _moved(at_home, -at_home.begin)
            rows.append([])
        rows[-1].append(slot)
    return rows


def _moved(slot: Slot, shift: float) -> Slot:
    return replace(slot, shift=slot.shift + shift, left=slot.left + shift, right=slot.right + shift)
