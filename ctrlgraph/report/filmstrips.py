"""Filmstrips: pictures of the motions of nodes as rows of figures, each node simulated after its usual predecessors."""

from __future__ import annotations

import dataclasses
import io
from collections.abc import Iterator
from concurrent.futures import Executor
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib.figure import Figure as Canvas
from numpy.typing import NDArray

from ctrlgraph.character.planar_model import require_planar
from ctrlgraph.character.spatial_model import SpatialCharacter
from ctrlgraph.pictures.planar.clip import Clip
from ctrlgraph.pictures.planar.filmstrip import draw_filmstrip
from ctrlgraph.pictures.style import free_pixels
from ctrlgraph.playback.encoder import PlaybackEncoder
from ctrlgraph.report.drawing import plain_text
from ctrlgraph.robustness.usual_motion import UsualMotion, Visited, usual_motion
from ctrlgraph.robustness.worker_cache import WorkerCache
from ctrlgraph.simulation.environment import Environment
from ctrlgraph.simulation.recording.planar_trace import Trace
from ctrlgraph.simulation.recording.spatial_trace import SpatialTrace
from ctrlgraph.terrain.spatial.spatial_terrain import in_space

if TYPE_CHECKING:
    from ctrlgraph.project.project import Project

N_COLOURS = 96
"""Number of colours of a filmstrip. The limit reduces the file to a third without a visible difference."""

SAMPLE_RATE = 25.0
"""Sampling rate of the motion that the page plays back, Hz (simulated time). The page interpolates."""
MAX_MOTION_S = 12.0
"""Maximum duration of the motion that the page plays back, s."""

GAP = 18
"""Maximum number of consecutive white rows of pixels. Further ones, as above a lying figure, are removed."""


@dataclass(frozen=True, slots=True)
class Filmstrip:
    """Picture of a node's motion as a row of figures, and the motion itself for playback on the page."""

    png: bytes
    """Picture as PNG."""
    width: int
    """Width, pixels."""
    height: int
    """Height, pixels."""
    path: tuple[str, ...]
    """Names of the simulated nodes, from the start node to the node of the filmstrip."""
    status: str
    """How the node ended: `completed`, `failed` or another status (see `Outcome.status`)."""
    reason: str
    """Reason of a failure, empty otherwise."""
    duration_s: float
    """Simulated duration of the node, s."""
    motion: bytes
    """Motion of the node, up to `MAX_MOTION_S`, in the binary format of the player on the page; empty in space."""

    @property
    def caption(self) -> str:
        """Text below the filmstrip: path, duration and outcome."""
        path = " \N{RIGHTWARDS ARROW} ".join(name.replace("_", " ") for name in self.path)
        ended = self.status if not self.reason else f"{self.status}: {self.reason}"
        return f"Simulated along {path}; {self.duration_s:.1f} s, {ended}"


Targets = tuple[tuple[str, str | None], ...]
"""(name of a node, its usual predecessor or None) of each filmstrip."""

BATCH_SIZE = 4
"""Number of filmstrips in a job of a worker. Small jobs limit the loss if a worker dies, and the delay of Ctrl-C."""


def filmstrips_of(
    project: Project, targets: Targets, world: Environment, executor: Executor | None
) -> Iterator[tuple[str, Filmstrip | None]]:
    """Simulate nodes and draw their filmstrips. Return an iterator over (name of the node, filmstrip).

    A filmstrip is None if its node cannot be reached. With an executor, the work starts at the call; otherwise each
    filmstrip is drawn when the iterator reaches it.

    Args:
        project: Project with the nodes.
        targets: (name of the node, usual predecessor or None) of each filmstrip.
        world: Environment of the simulations.
        executor: Executor of worker processes. None: this process does the work.
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

    opened = _worker_cache.using((directory, engine), lambda: (Project(directory, engine=engine), {}))
    with opened as (project, visited):
        return [(node, filmstrip_of(project, node, source, world, visited)) for node, source in targets]


def filmstrip_of(
    project: Project, node: str, source: str | None, world: Environment, visited: Visited
) -> Filmstrip | None:
    """Simulate a node after a path of other nodes, and return its filmstrip, or None if the node cannot be reached.

    Args:
        project: Project with the node.
        node: Name of the node.
        source: Name of the node before it. None: the shortest path to the node is simulated.
        world: Environment of the simulation.
        visited: Cache of states at the ends of simulated paths, which is used and extended (see `usual_motion`).
    """
    motion = usual_motion(project, node, world, source=source, signals=(SAMPLE_RATE, MAX_MOTION_S), visited=visited)
    if motion is None:
        return None
    start = motion.began[-1]
    trace = motion.trace.between(start, float(motion.trace.time[-1]))
    trace = dataclasses.replace(trace, time=trace.time - start)
    phases = [(phase.time - start, phase.caption) for phase in motion.phases]
    with plain_text():
        drawn = _drawn(motion, trace, phases)
        canvas: Any = drawn.canvas
        canvas.draw()
        pixels = np.array(canvas.buffer_rgba())
        del canvas
    free_pixels(drawn)
    assert motion.signals is not None
    message = b""  # the player of the report shows planar motions only
    if not isinstance(motion.character, SpatialCharacter):
        message = PlaybackEncoder(motion.character, motion.terrain, lean=True).message(motion.signals)
    outcome = motion.outcome
    result = str(outcome.status), outcome.reason, outcome.simulated_s
    return Filmstrip(*_small_png(pixels), motion.path, *result, message)


def _drawn(motion: UsualMotion, trace: Trace | SpatialTrace, phases: list[tuple[float, str]]) -> Canvas:
    """Return the matplotlib figure of a filmstrip, of a motion in the plane or in space."""
    if isinstance(trace, SpatialTrace):
        from ctrlgraph.pictures.spatial.spatial_clip import SpatialClip
        from ctrlgraph.pictures.spatial.spatial_filmstrip import draw_spatial_filmstrip

        assert isinstance(motion.character, SpatialCharacter)
        return draw_spatial_filmstrip(SpatialClip(trace, motion.character, in_space(motion.terrain), phases=phases))
    character = require_planar(motion.character, "a filmstrip")
    return draw_filmstrip(Clip(trace, character, motion.terrain, phases=phases))


def _small_png(drawn: NDArray[np.uint8]) -> tuple[bytes, int, int]:
    """Convert a picture, (height, width, 4), to a PNG file with `N_COLOURS` colours.

    Returns:
        Contents of the file, and width and height of the picture, pixels.
    """
    from PIL import Image

    pixels = _without_gaps(drawn[..., :3])
    small = Image.fromarray(pixels).quantize(N_COLOURS, dither=Image.Dither.NONE)
    buffer = io.BytesIO()
    small.save(buffer, format="PNG", optimize=True)
    return buffer.getvalue(), small.width, small.height


def _without_gaps(pixels: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Return a picture, (height, width, 3), in which runs of white pixel rows are shortened to `GAP` rows."""
    white = (pixels == 255).all(axis=(1, 2))
    kept, run = [], 0
    for row, empty in enumerate(white):
        run = run + 1 if empty else 0
        if run <= GAP:
            kept.append(row)
    return pixels[kept]
