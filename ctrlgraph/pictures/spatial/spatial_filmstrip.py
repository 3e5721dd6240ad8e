"""Filmstrips of spatial motions: one picture that shows the character in key poses, in rows from left to right.

Each figure stands on its own round piece of the ground. All figures have the same scale.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import matplotlib
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure as Canvas

from ctrlgraph.arguments import checked
from ctrlgraph.character.spatial_model import SpatialCharacter
from ctrlgraph.errors import CtrlGraphError, printable
from ctrlgraph.files import replacing
from ctrlgraph.pictures.film_files import Frame
from ctrlgraph.pictures.filmstrip_layout import (
    BAND,
    GAP,
    PIXELS_PER_METRE,
    Slot,
    draw_page,
    draw_texts,
    full_title,
    rows_of,
    text_height,
)
from ctrlgraph.pictures.key_poses import key_poses
from ctrlgraph.pictures.spatial import DEFAULT_VIEW
from ctrlgraph.pictures.spatial.spatial_clip import SpatialClip, SpatialStage
from ctrlgraph.pictures.spatial.spatial_renderer import SpatialRenderer
from ctrlgraph.pictures.spatial.spatial_solids import IntArray
from ctrlgraph.pictures.spatial.spatial_view import ground_below, view_of
from ctrlgraph.pictures.style import DPI, FloatArray, Label, free_pixels, plain_lettering
from ctrlgraph.simulation.recording.spatial_trace import SpatialTrace
from ctrlgraph.terrain.spatial import SpatialTerrain

SUFFIXES = (".png", ".svg", ".pdf")
"""Suffixes of filmstrip files."""
FIGURE_SIZE = 1.5
"""Size of the drawn character, in m of the layout (`PIXELS_PER_METRE`)."""
BESIDE = 0.22
"""Width of the ground beside a figure, in m of the layout."""
MIN_WIDTH = 5.0
"""Minimum width of a picture, in m of the layout."""
STAMPS = 0.34
"""Height of the strip below a row that contains the time stamps, in m of the layout."""
SHARPNESS = 2
"""Number of pixels of a drawn figure per pixel of a PNG file, along each axis."""


@checked
def write_spatial_filmstrip(
    trace: SpatialTrace,
    path: Path | str,
    *,
    character: SpatialCharacter,
    terrain: SpatialTerrain | None = None,
    labels: Sequence[Label] = (),
    phases: Sequence[Label] = (),
    pushes: FloatArray | None = None,
    view: str = DEFAULT_VIEW,
    title: str = "",
    whole_s: float | None = None,
) -> None:
    """Write a spatial motion as a filmstrip: a picture that shows the character in key poses, in rows.

    If a motion is too long for a picture, only its beginning is shown, and the title states this.

    Args:
        trace: Recorded motion.
        path: Output file: .png, .svg or .pdf.
        character: Character that moves.
        terrain: The ground. None: level ground at height 0.
        labels: Start (s) and name of each node that runs.
        phases: Start (s) and caption of each phase of the controllers.
        pushes: Pushes that are drawn as arrows (P, 9): start and end, s, index of the link, force in the world, N, and
            the point at which it acts, in the frame of the link, m.
        view: Direction of view: "three-quarter", "side", "front", "top" or "behind".
        title: Title of the picture.
        whole_s: Duration of the whole motion, s. Only needed if the trace contains just the beginning of the motion.

    Raises:
        CtrlGraphError: The trace is empty, the view or the suffix is not supported, or the file cannot be written.
    """
    path = Path(path)
    suffix = path.suffix.lower()
    if suffix not in SUFFIXES:
        raise CtrlGraphError(f"a filmstrip must be a .png, .svg or .pdf file, not '{path.name}'")
    given = np.zeros((0, 9)) if pushes is None else pushes
    clip = SpatialClip(trace, character, terrain, labels, phases, given, title)
    canvas = draw_spatial_filmstrip(clip, view=view, whole_s=whole_s)
    undated = {".svg": {"Date": None}, ".pdf": {"CreationDate": None}}.get(suffix)
    with replacing(path) as temporary, plain_lettering(), matplotlib.rc_context({"svg.hashsalt": "ctrlgraph"}):
        canvas.savefig(temporary, format=suffix[1:], dpi=DPI, metadata=undated)
    free_pixels(canvas)


def draw_spatial_filmstrip(clip: SpatialClip, *, view: str = DEFAULT_VIEW, whole_s: float | None = None) -> Canvas:
    """Draw the matplotlib figure that `write_spatial_filmstrip` writes to a file.

    Args:
        clip: Motion to draw, with its texts.
        view: Direction of view: "three-quarter", "side", "front", "top" or "behind".
        whole_s: Duration of the whole motion, s. Only needed if the trace contains just the beginning of the motion.

    Raises:
        CtrlGraphError: The trace is empty, or the view is not supported.
    """
    trace = clip.trace
    if len(trace) == 0:
        raise CtrlGraphError("the trace has no samples to draw: record a longer motion")
    stage = SpatialStage(clip, view_of(view))
    enlargement = FIGURE_SIZE / stage.figure.size
    pushed = [(float(start), "push") for start in clip.pushes[:, 0]]
    poses = key_poses(
        _enlarged(trace, enlargement), clip.character, labels=clip.labels, phases=clip.phases, events=pushed
    )
    strip = _Strip(stage, np.array([pose.sample for pose in poses]), enlargement)
    with plain_lettering():
        rows = rows_of(trace, strip.outlines(), poses, level=False)
        title = full_title(trace, poses[: sum(map(len, rows))], clip.title, whole_s)
        spans = [strip.span(row, bool(clip.labels)) for row in rows]
        return draw_page(trace, rows, spans, strip.draw_row, clip.printable_labels, printable(title), MIN_WIDTH)


def _enlarged(trace: SpatialTrace, factor: float) -> SpatialTrace:
    """Return a trace with all positions multiplied by a factor, so that the lengths of the layout apply."""
    pose = trace.pose.copy()
    pose[:, :, :3] *= factor
    return replace(trace, pose=pose, com=trace.com * factor)


class _Strip:
    """The figures of a filmstrip.

    Args:
        stage: Motion to draw, and the view.
        samples: Indices of the key poses in the samples of the trace (k,).
        enlargement: Size in the layout divided by that in the world.
    """

    def __init__(self, stage: SpatialStage, samples: IntArray, enlargement: float) -> None:
        self.stage, self.samples, self.enlargement = stage, samples, enlargement
        self.below = ground_below(stage.clip.terrain, stage.clip.trace.com[samples])
        axes = stage.view.axes[:2]
        reach = stage.figure.extents(stage.clip.trace.pose[samples], axes) - (self.below @ axes.T)[:, :, None]
        self.extents = reach.reshape(-1, 4) * enlargement
        """Left, right, bottom and top of each figure, from the ground below it (k, 4), m of the layout."""

    def outlines(self) -> FloatArray:
        """Return left, right, bottom and top of the place of each figure (k, 4), with the ground beside it."""
        travelled = (self.below @ self.stage.view.right)[:, None] * self.enlargement
        sides = self.extents[:, :2] + travelled + (-BESIDE, BESIDE)
        return np.concatenate([sides, self.extents[:, 2:]], axis=1)

    def span(self, row: list[Slot], labelled: bool) -> tuple[float, float]:
        """Return the lowest and highest y that a row of figures needs, m of the layout.

        Args:
            row: Places of the figures in the row.
            labelled: Whether the names of nodes are drawn above the row.
        """
        rise = float(self.stage.view.viewer[2]) * max(slot.right - slot.left for slot in row) / 2.0
        bottom = min(-rise, *(slot.bottom - BESIDE / 2.0 for slot in row))
        top = max(rise, *(slot.top + BESIDE for slot in row))
        return bottom - STAMPS - text_height(row), top + (BAND + 0.12 if labelled else 0.05)

    def draw_row(self, axes: Axes, row: list[Slot]) -> None:
        """Draw the figures of a row and the texts below.

        Args:
            axes: Axes of the row.
            row: Places of the figures.
        """
        low, high = axes.get_ylim()
        floor = low + text_height(row)
        bottom = floor + STAMPS
        pixels = PIXELS_PER_METRE * SHARPNESS
        for slot in row:
            k = int(np.flatnonzero(self.samples == slot.sample)[0])
            width, height = slot.right - slot.left + GAP, high - bottom
            renderer = self.stage.renderer((round(width * pixels), round(height * pixels)))
            picture = self._figure(renderer, k, slot, (bottom + high) / 2.0)
            left = slot.left - GAP / 2.0
            axes.imshow(
                picture, extent=(left, left + width, bottom, high), aspect="auto", interpolation="antialiased", zorder=1
            )
        axes.set(ylim=(low, high))
        draw_texts(axes, row, floor)

    def _figure(self, renderer: SpatialRenderer, k: int, slot: Slot, height: float) -> Frame:
        """Return the picture of a figure on its piece of the ground.

        Args:
            renderer: Renderer of the size of the picture.
            k: Index of the key pose.
            slot: Place of the figure.
            height: y of the middle of the picture, m of the layout.
        """
        stage, scale = self.stage, 1.0 / (self.enlargement * PIXELS_PER_METRE * SHARPNESS)
        aside = (self.extents[k, 0] + self.extents[k, 1]) / 2.0 / self.enlargement
        center = self.below[k] + aside * stage.view.right
        middle = center + height / self.enlargement * stage.view.up
        radius = (slot.right - slot.left + GAP) / 2.0 / self.enlargement
        return stage.draw(renderer, slot.sample, middle, scale, center, (0.6 * radius, radius))
