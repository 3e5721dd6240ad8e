"""A filmstrip of a node, simulated anew from the node that it usually follows."""

from __future__ import annotations

import dataclasses
import io
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ctrlgraph.experiments.usual_motion import usual_motion
from ctrlgraph.playback.encoder import PlaybackEncoder
from ctrlgraph.report.drawing import plain_text
from ctrlgraph.simulation.environment import Environment

if TYPE_CHECKING:
    from ctrlgraph.project.project import Project

COLOURS = 96
"""A filmstrip has few colours: with a palette of so many it is a third of the size and looks the same."""

MOTION_RATE = 25.0
"""Samples a simulated second of the motion that plays on a node's sheet; between two of them the page draws on."""
MOTION_S = 12.0
"""So much of it plays."""

GAP = 18  # rows of white that stay where there are more: lying characters leave much room above


@dataclass(frozen=True, slots=True)
class Filmstrip:
    """A node's filmstrip: the PNG's bytes and size in pixels, and how it came about; motion: the node's beginning as a
    playback."""

    png: bytes
    width: int
    height: int
    path: tuple[str, ...]
    status: str
    reason: str
    duration_s: float
    motion: bytes

    @property
    def caption(self) -> str:
        way = " \N{RIGHTWARDS ARROW} ".join(name.replace("_", " ") for name in self.path)
        ended = self.status if not self.reason else f"{self.status}: {self.reason}"
        return f"Simulated along {way}; {self.duration_s:.1f} s, {ended}"


def strip_of(project: Project, node: str, source: str | None, world: Environment, scratch: Path) -> Filmstrip | None:
    """Return the strip of a node in its usual motion; None where there is none.

    Raises:
        CtrlGraphError: the file cannot be written.
    """
    from ctrlgraph.view.filmstrip import write_filmstrip

    motion = usual_motion(project, node, world, source=source, signals=(MOTION_RATE, MOTION_S))
    if motion is None:
        return None
    start = motion.began[-1]
    trace = motion.trace.between(start, float(motion.trace.time[-1]))
    trace = dataclasses.replace(trace, time=trace.time - start)
    phases = [(phase.time - start, phase.caption) for phase in motion.phases]
    file = scratch / "strip.png"
    with plain_text():
        write_filmstrip(trace, file, character=motion.character, terrain=motion.terrain, phases=phases)
    assert motion.signals is not None
    message = PlaybackEncoder(motion.character, motion.terrain, lean=True).message(motion.signals)
    outcome = motion.outcome
    ended = str(outcome.status), outcome.reason, outcome.simulated_s
    return Filmstrip(*_with_palette(file), motion.path, *ended, message)


def _with_palette(file: Path) -> tuple[bytes, int, int]:
    """The picture as a small PNG, its width and its height."""
    from PIL import Image

    with Image.open(file) as image:
        pixels = _without_gaps(np.asarray(image.convert("RGB")))
        small = Image.fromarray(pixels).quantize(COLOURS, dither=Image.Dither.NONE)
        buffer = io.BytesIO()
        small.save(buffer, format="PNG", optimize=True)
    file.unlink()
    return buffer.getvalue(), small.width, small.height


def _without_gaps(pixels: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """The picture (h, w, 3) with at most `GAP` white rows on end."""
    white = (pixels == 255).all(axis=(1, 2))
    kept, run = [], 0
    for row, empty in enumerate(white):
        run = run + 1 if empty else 0
        if run <= GAP:
            kept.append(row)
    return pixels[kept]
