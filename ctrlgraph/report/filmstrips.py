"""Filmstrips of nodes, simulated from their usual predecessors."""

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

from ctrlgraph.pictures.planar.clip import Clip
from ctrlgraph.pictures.planar.filmstrip import draw_filmstrip
from ctrlgraph.pictures.style import free_pixels
from ctrlgraph.playback.encoder import PlaybackEncoder
from ctrlgraph.report.drawing import plain_text
from ctrlgraph.robustness.usual_motion import Visited, usual_motion
from ctrlgraph.robustness.worker_cache import WorkerCache
from ctrlgraph.simulation.environment import Environment

if TYPE_CHECKING:
    from ctrlgraph.project.project import Project

N_COLOURS = 96
"""Palette size of a filmstrip. The palette reduces the file to a third without a visible difference."""

SAMPLE_RATE = 25.0
"""Sample rate of the motion on a node page, samples per simulated second. The page interpolates."""
MAX_MOTION_S = 12.0
"""Maximum length of that motion, s."""

GAP = 18
"""Maximum number of consecutive white rows. Above figures that lie on the ground there is much empty space."""


@dataclass(frozen=True, slots=True)
class Filmstrip:
    """A node's filmstrip as PNG, how it was simulated, and the motion for the page."""

    png: bytes
    width: int
    """Width, pixels."""
    height: int
    """Height, pixels."""
    path: tuple[str, ...]
    """Nodes from the start to this one."""
    status: str
    reason: str
    duration_s: float
    motion: bytes
    """Beginning of the node's motion as playback data."""

    @property
    def caption(self) -> str:
        """Return the caption of the filmstrip."""
        path = " \N{RIGHTWARDS ARROW} ".join(name.replace("_", " ") for name in self.path)
        ended = self.status if not self.reason else f"{self.status}: {self.reason}"
        return f"Simulated along {path}; {self.duration_s:.1f} s, {ended}"


Targets = tuple[tuple[str, str | None], ...]
"""Nodes, each with its usual predecessor."""

BATCH_SIZE = 4
"""Filmstrips per job. Small jobs limit the loss if a worker dies, and the delay of Ctrl-C."""


def filmstrips_of(
    project: Project, targets: Targets, world: Environment, executor: Executor | None
) -> Iterator[tuple[str, Filmstrip | None]]:
    """Return the filmstrips of some nodes by name, None if there is none.

    With an executor the work starts immediately.

    Args:
        project: Project with the nodes.
        targets: Nodes with their usual predecessors.
        world: World of the simulation.
        executor: Executor; None to work in this process.
    """
    if executor is None:
        visited: Visited = {}
        return ((node, filmstrip_of(project, node, source, world, visited)) for node, source in targets)
    job = project.directory.absolute(), project.engine, world
    batches = [targets[i : i + BATCH_SIZE] for i in range(0, len(targets), BATCH_SIZE)]
    futures = [executor.submit(_filmstrips_in_worker, *job, batch) for batch in batches]
    return (found for future in futures for found in future.result())


_worker_cache: WorkerCache[tuple[Project, Visited]] = WorkerCache()


def _filmstrips_in_worker(
    directory: Path, engine: str, world: Environment, targets: Targets
) -> list[tuple[str, Filmstrip | None]]:
    from ctrlgraph.project.project import Project

    with _worker_cache.using((directory, engine), lambda: (Project(directory, engine=engine), {})) as (
        project,
        visited,
    ):
        return [(node, filmstrip_of(project, node, source, world, visited)) for node, source in targets]


def filmstrip_of(
    project: Project, node: str, source: str | None, world: Environment, visited: Visited
) -> Filmstrip | None:
    """Return the filmstrip of a node; None if there is none.

    Args:
        project: Project with the node.
        node: Name of the node.
        source: Usual predecessor.
        world: World of the simulation.
        visited: Cache of `usual_motion`.
    """
    motion = usual_motion(project, node, world, source=source, signals=(SAMPLE_RATE, MAX_MOTION_S), visited=visited)
    if motion is None:
        return None
    start = motion.began[-1]
    trace = motion.trace.between(start, float(motion.trace.time[-1]))
    trace = dataclasses.replace(trace, time=trace.time - start)
    phases = [(phase.time - start, phase.caption) for phase in motion.phases]
    with plain_text():
        drawn = draw_filmstrip(Clip(trace, motion.character, motion.terrain, phases=phases))
        canvas: Any = drawn.canvas
        canvas.draw()
        pixels = np.array(canvas.buffer_rgba())
        del canvas
    free_pixels(drawn)
    assert motion.signals is not None
    message = PlaybackEncoder(motion.character, motion.terrain, lean=True).message(motion.signals)
    outcome = motion.outcome
    result = str(outcome.status), outcome.reason, outcome.simulated_s
    return Filmstrip(*_small_png(pixels), motion.path, *result, message)


def _small_png(drawn: NDArray[np.uint8]) -> tuple[bytes, int, int]:
    """Return a picture (h, w, 4) as a PNG with a palette, its width and its height."""
    from PIL import Image

    pixels = _without_gaps(drawn[..., :3])
    small = Image.fromarray(pixels).quantize(N_COLOURS, dither=Image.Dither.NONE)
    buffer = io.BytesIO()
    small.save(buffer, format="PNG", optimize=True)
    return buffer.getvalue(), small.width, small.height


def _without_gaps(pixels: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Return a picture (h, w, 3) with at most `GAP` consecutive white rows."""
    white = (pixels == 255).all(axis=(1, 2))
    kept, run = [], 0
    for row, empty in enumerate(white):
        run = run + 1 if empty else 0
        if run <= GAP:
            kept.append(row)
    return pixels[kept]
