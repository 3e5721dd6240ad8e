"""A filmstrip of a node, simulated anew from the node that it usually follows."""

from __future__ import annotations

import dataclasses
import io
from collections.abc import Iterator
from concurrent.futures import Executor
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ctrlgraph.experiments.resident import Resident
from ctrlgraph.experiments.usual_motion import Visited, usual_motion
from ctrlgraph.playback.encoder import PlaybackEncoder
from ctrlgraph.report.drawing import plain_text
from ctrlgraph.simulation.environment import Environment
from ctrlgraph.view.filmstrip import draw_filmstrip
from ctrlgraph.view.lettering import free_pixels

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


Asked = tuple[tuple[str, str | None], ...]
"""Nodes, each with the node that it usually follows."""

AT_ONCE = 4
"""So many strips are one piece of work: a worker that dies costs no more, and Ctrl-C waits for none."""


def strips_of(
    project: Project, asked: Asked, world: Environment, executor: Executor | None
) -> Iterator[tuple[str, Filmstrip | None]]:
    """Return the strips of nodes in their usual motions, by name, None where there is none.

    With an executor the work begins at once; what it has not begun when the strips are asked for is done here.
    """
    batches = [asked[i : i + AT_ONCE] for i in range(0, len(asked), AT_ONCE)]
    order = project.directory.absolute(), project.engine, world
    begun = [None if executor is None else executor.submit(_strips_elsewhere, *order, batch) for batch in batches]

    def collected() -> Iterator[tuple[str, Filmstrip | None]]:
        visited: Visited = {}
        waiting = list(zip(batches, begun, strict=True))
        while waiting:
            # from the end, as the worker begins with the first; a batch that cannot be cancelled has begun there
            here = next((each for each in reversed(waiting) if each[1] is None or each[1].cancel()), None)
            batch, future = here or waiting[0]
            waiting.remove((batch, future))
            if here is not None:
                yield from ((node, strip_of(project, node, source, world, visited)) for node, source in batch)
            elif future is not None:
                yield from future.result()

    return collected()


_opened: Resident[tuple[Project, Visited]] = Resident()


def _strips_elsewhere(
    directory: Path, engine: str, world: Environment, asked: Asked
) -> list[tuple[str, Filmstrip | None]]:
    from ctrlgraph.project.project import Project

    with _opened.holding((directory, engine), lambda: (Project(directory, engine=engine), {})) as (project, visited):
        return [(node, strip_of(project, node, source, world, visited)) for node, source in asked]


def strip_of(project: Project, node: str, source: str | None, world: Environment, visited: Visited) -> Filmstrip | None:
    """Return the strip of a node in its usual motion; None where there is none. `visited` is as for `usual_motion`."""
    motion = usual_motion(project, node, world, source=source, signals=(MOTION_RATE, MOTION_S), visited=visited)
    if motion is None:
        return None
    start = motion.began[-1]
    trace = motion.trace.between(start, float(motion.trace.time[-1]))
    trace = dataclasses.replace(trace, time=trace.time - start)
    phases = [(phase.time - start, phase.caption) for phase in motion.phases]
    with plain_text():
        drawn = draw_filmstrip(trace, character=motion.character, terrain=motion.terrain, phases=phases)
        canvas: Any = drawn.canvas
        canvas.draw()
        pixels = np.array(canvas.buffer_rgba())
        del canvas
    free_pixels(drawn)
    assert motion.signals is not None
    message = PlaybackEncoder(motion.character, motion.terrain, lean=True).message(motion.signals)
    outcome = motion.outcome
    ended = str(outcome.status), outcome.reason, outcome.simulated_s
    return Filmstrip(*_with_palette(pixels), motion.path, *ended, message)


def _with_palette(drawn: NDArray[np.uint8]) -> tuple[bytes, int, int]:
    """The picture (h, w, 4) as a small PNG, its width and its height."""
    from PIL import Image

    pixels = _without_gaps(drawn[..., :3])
    small = Image.fromarray(pixels).quantize(COLOURS, dither=Image.Dither.NONE)
    buffer = io.BytesIO()
    small.save(buffer, format="PNG", optimize=True)
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
