"""The texts of a film's frames: the time, the node that runs, the phase of its controller, and the title."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from matplotlib.axes import Axes

from ctrlgraph.pictures.style import INK, MUTED, PAPER, Label, shortened

FULL_HEIGHT = 432
"""Height of a frame below which texts are drawn smaller, pixels."""
MIN_TEXT_SCALE = 0.7
"""Minimum factor by which texts are drawn smaller."""

CLOCK_SIZE, NAME_SIZE, CAPTION_SIZE, NOTE_SIZE = 11.0, 12.0, 9.5, 8.0
"""Text sizes of the time, the node's name, the phase's caption, and notes such as the title, points."""


class FrameTexts:
    """The texts of a film on axes that fill the frame.

    Args:
        axes: Axes to draw on.
        size: Width and height of the frame, pixels.
        labels: Start (s) and name of each node that runs, in order.
        phases: Start (s) and caption of each phase of the controllers, in order.
        title: Title, at the lower left.
        colours: Colour of each node's label, by name of the node.
    """

    def __init__(
        self,
        axes: Axes,
        size: tuple[int, int],
        labels: Sequence[Label],
        phases: Sequence[Label],
        title: str,
        colours: dict[str, str],
    ) -> None:
        self.scale = min(1.0, max(MIN_TEXT_SCALE, size[1] / FULL_HEIGHT))
        self._size, self._labels, self._phases, self._colours = size, labels, phases, colours
        corner: dict[str, Any] = {"transform": axes.transAxes}
        box = {"boxstyle": "round,pad=0.4,rounding_size=0.3", "edgecolor": "none", "facecolor": INK}
        down = NAME_SIZE * self.scale * 3.0 / size[1]  # bottom of the box with the node's name
        name_style: dict[str, Any] = {"fontsize": NAME_SIZE * self.scale, "fontweight": "bold", "bbox": box}
        caption_style: dict[str, Any] = {"fontsize": CAPTION_SIZE * self.scale, "va": "top"}
        clock_style: dict[str, Any] = {"fontsize": CLOCK_SIZE * self.scale, "ha": "right", "va": "top"}
        self.clock = axes.text(0.975, 0.955, "", color=MUTED, **clock_style, **corner)
        self.name = axes.text(0.03, 0.95, "", color=PAPER, va="top", **name_style, **corner)
        self.caption = axes.text(0.03 - 0.008, 0.95 - down, "", color=INK, **caption_style, **corner)
        fitted = self._fitted(title, NOTE_SIZE, 0.94)
        axes.text(0.03, 0.02, fitted, color=MUTED, fontsize=NOTE_SIZE * self.scale, va="bottom", **corner)

    def show(self, time: float) -> None:
        """Change the texts to the texts of another moment. `time` is the simulated time, s."""
        self.clock.set_text(f"{time:.1f} s")
        name = _current(self._labels, time)
        self.name.set_text(self._fitted(name.replace("_", " "), NAME_SIZE, 0.66, bold=True))
        self.name.set_visible(bool(name))
        box = self.name.get_bbox_patch()
        if name and box is not None:
            box.set_facecolor(self._colours[name])
        self.caption.set_text(self._fitted(_current(self._phases, time), CAPTION_SIZE, 0.94))

    def _fitted(self, text: str, size: float, share: float, bold: bool = False) -> str:
        """Shorten a text so that it fits into the frame.

        Args:
            text: Text to draw.
            size: Text size before it is scaled to the frame, points.
            share: Maximum width as a share of the frame's width, 0 to 1.
            bold: Whether the text is bold.
        """
        return shortened(text, size * self.scale, share * self._size[0], bold)


def _current(labels: Sequence[Label], time: float) -> str:
    """Return the name or caption that is valid at a time (s): that of the last label that starts by then, or ""."""
    return next((name for start, name in reversed(labels) if start <= time + 1e-9), "")
