"""The gallery: a Markdown page with an animation of each motion, and picture files for this and the motions page."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar
from urllib.parse import quote

import numpy as np

from ctrlgraph.errors import CtrlGraphError
from ctrlgraph.paths import display_path
from ctrlgraph.report.markdown import anchor, escaped, row, sentence
from ctrlgraph.report.node_pages import Slugs
from ctrlgraph.robustness.initial_state import run_segment
from ctrlgraph.simulation.recording.base_trace import BaseTrace
from ctrlgraph.simulation.recording.phases import phase_starts
from ctrlgraph.simulation.recording.planar_trace import Trace
from ctrlgraph.simulation.recording.spatial_trace import SpatialTrace
from ctrlgraph.terrain.spatial.spatial_terrain import SpatialTerrain

if TYPE_CHECKING:
    from ctrlgraph.graph.model import Node
    from ctrlgraph.project.project import Project
    from ctrlgraph.robustness.evaluator import Begun
    from ctrlgraph.terrain.terrain import Terrain, TerrainPreview

TraceT = TypeVar("TraceT", Trace, SpatialTrace)

PICTURES = Path("images") / "motions"
"""Directory of filmstrips and animations, relative to the page."""
FILMSTRIP = ".png"
"""Suffix of filmstrips."""
ANIMATION = ".webp"
"""Suffix of animations. Browsers and code hosts show WebP, and its lossless files are a third smaller than GIF."""


def pictures_directory(directory: Path) -> Path:
    """Return the directory of the filmstrips and animations that belong to the pages in a directory.

    Args:
        directory: Directory of the pages.

    Raises:
        CtrlGraphError: The directory of the pictures is a link that leads out of `directory`.
    """
    found = directory / PICTURES
    if not found.resolve().is_relative_to(directory.resolve()):
        shown, outer = display_path(found), display_path(directory)
        raise CtrlGraphError(
            f"cannot write into '{shown}': it is a link that leads out of '{outer}', so replace it by a directory"
        )
    return found


def writers_of(trace: BaseTrace) -> tuple[Callable[..., None], Callable[..., None]]:
    """Return the functions that write a filmstrip and a video of a motion, in the plane or in space."""
    if isinstance(trace, SpatialTrace):
        from ctrlgraph.pictures.spatial.spatial_filmstrip import write_spatial_filmstrip
        from ctrlgraph.pictures.spatial.spatial_video import write_spatial_video

        return write_spatial_filmstrip, write_spatial_video
    from ctrlgraph.pictures.planar.filmstrip import write_filmstrip
    from ctrlgraph.pictures.planar.video import write_video

    return write_filmstrip, write_video


def phase_captions(project: Project, begun: Begun, trace: BaseTrace) -> list[tuple[float, str]]:
    """Return the phases of a node in an example of its motion, each as (start on the clock of the trace, s; caption).

    Args:
        project: Project with the node.
        begun: Example of the node's motion (a simulated trial).
        trace: Recorded motion of the node, without the nodes before it.
    """
    segment = begun.plan.test[-1]
    if not len(trace):
        return []
    preview = _preview(begun.simulation.terrain, trace)
    rollout = project.rollout(segment.edge, segment.node, segment.cycles, preview, length=begun.world.body.length)
    return [(phase.time, phase.caption) for phase in phase_starts(trace, rollout.controller)]


def _preview(ground: Terrain | SpatialTerrain, trace: BaseTrace) -> TerrainPreview:
    """Return the preview of the ground at the beginning of a trace; in space ahead along the x axis."""
    if isinstance(ground, SpatialTerrain):
        x, y = trace.com[0, :2].tolist()
        return ground.preview(x, y, 0.0)
    return ground.preview(float(trace.com[0, 0]))


def image(directory: Path, name: str, slug: str, suffix: str) -> str:
    """Return Markdown that shows the picture of a motion, empty if the picture file does not exist.

    Args:
        directory: Directory of the page.
        name: Name of the motion.
        slug: Name of the motion in file names (see `Slugs`).
        suffix: `FILMSTRIP` or `ANIMATION`.
    """
    path = PICTURES / f"{slug}{suffix}"
    return f"![{escaped(name)}]({path.as_posix()})" if (directory / path).is_file() else ""


GALLERY = "gallery.md"
"""File name of the gallery, next to the page of motions."""

SIZE = (320, 240)
"""Size of an animation, pixels."""
RATES = (15, 12, 10, 8)
"""Frame rates to try, 1/s. The first rate that keeps an animation within `MAX_BYTES` is used, otherwise the last."""
MAX_BYTES = 120_000
"""Maximum size of an animation, bytes, for which its frame rate is reduced."""
LEAD_S = 0.4
"""Duration of the end of the previous motion that an animation shows, s."""
REST_S = 0.4
"""Duration that an animation shows after the last movement, s."""
REST_SPEED = 0.1
"""Speed of the fastest link up to which the character counts as at rest, m/s."""
MAX_S = 8.0
"""Maximum duration of an animation, s."""

GROUPS = ("poses", "gaits", "ground", "recovery", "gestures", "stunts", "obstacles")
"""Groups of motions (directories of their scripts) in the order of the page. Other groups follow."""
COLUMNS = 3
"""Number of motions side by side."""


def animate(project: Project, begun: Begun, path: Path) -> None:
    """Write an animation of a node's motion, from shortly before the node begins until its end or until it rests.

    The nodes before it are simulated again for the beginning of the animation.

    Args:
        project: Project with the node.
        begun: Example of the node's motion (a simulated trial).
        path: WebP file to write.

    Raises:
        CtrlGraphError: The file cannot be written.
    """
    labels = []
    with begun.world.simulation(project.character) as simulation:
        for segment in (*begun.plan.setup, *begun.plan.test):
            labels.append((simulation.time, segment.node))
            run_segment(project, simulation, segment, begun.world)
        trace, terrain, character = simulation.trace.without_repeats(), simulation.terrain, simulation.character
    shown = trimmed(trace, max(labels[-1][0] - LEAD_S, 0.0), labels[-1][0])
    start = float(shown.time[0])
    shown = dataclasses.replace(shown, time=shown.time - start)
    first = -1 if labels[-1][0] <= start else -2
    names = [(max(began - start, 0.0), name) for began, name in labels[first:]]
    phases = phase_captions(project, begun, shown.between(names[-1][0], float(shown.time[-1])))
    _, write_video = writers_of(shown)
    clip: dict[str, Any] = {"character": character, "terrain": terrain, "labels": names, "phases": phases}
    if not isinstance(shown, SpatialTrace):
        clip["still"] = True  # films in space always follow the character
    for rate in RATES:
        write_video(shown, path, fps=rate, size=SIZE, **clip)
        if path.stat().st_size <= MAX_BYTES:
            return


def trimmed(trace: TraceT, start: float, began: float) -> TraceT:
    """Return a part of a trace that ends `REST_S` after the last movement.

    A longer part than `MAX_S` loses its beginning, since the end of a long motion, such as a step down after an
    approach, matters more.

    Args:
        trace: Trace to trim.
        start: Earliest time at which the returned part starts, s.
        began: Time at which the node of the animation begins, s. Earlier movements do not count.
    """
    step = np.diff(trace.time)
    speed = np.hypot.reduce(np.diff(trace.position, axis=0), axis=-1).max(axis=1) / np.maximum(step, 1e-9)
    moving = np.flatnonzero((speed > REST_SPEED) & (trace.time[1:] > began))
    end = (float(trace.time[moving[-1] + 1]) if moving.size else began) + REST_S
    end = min(end, float(trace.time[-1]))
    return trace.between(max(start, end - MAX_S), end)


def group_of(node: Node) -> str:
    """Return the group of a node on the page: the directory name of the node's file, or "" for `controllers` itself."""
    name = Path(node.file).parent.name
    return "" if name == "controllers" else name


def gallery(project: Project, directory: Path, motions: str, command: str) -> str:
    """Return the gallery page as Markdown. It shows the animations whose files exist.

    Args:
        project: Project with the motions.
        directory: Directory of the gallery.
        motions: Path of the page of motions, relative to `directory`. Each motion links to its section on that page.
        command: Command that makes the gallery, which is shown on the page.
    """
    slugs = Slugs()
    names = {node.name: slugs.of(node.name) for node in project.graph}
    groups: dict[str, list[Node]] = {name: [] for name in GROUPS}
    for node in project.graph:
        groups.setdefault(group_of(node), []).append(node)
    lines = [
        f"Written by `{command}`: {len(project.graph)} motions, each with the end of the previous motion. "
        f"A longer animation than {MAX_S:g} s loses its beginning.",
        "",
    ]
    for group, nodes in groups.items():
        if nodes:
            lines += [f"## {escaped((group or 'others').replace('_', ' ').capitalize())}", ""]
            lines += [row([" "] * COLUMNS), row(["---"] * COLUMNS)]
            cells = [_cell(node, names[node.name], directory, motions) for node in nodes]
            for first in range(0, len(cells), COLUMNS):
                part = cells[first : first + COLUMNS]
                lines.append(row([*part, *([" "] * (COLUMNS - len(part)))]))
            lines.append("")
    return "\n".join(lines).rstrip() + "\n"


def _cell(node: Node, slug: str, directory: Path, motions: str) -> str:
    section, picture = f"{quote(motions)}#{quote(anchor(node.name))}", image(directory, node.name, slug, ANIMATION)
    parts = [f"**[{escaped(node.name)}]({section})**", sentence(node.description)]
    if picture:
        parts.insert(0, f"[{picture}]({section})")
    return "<br>".join(parts)
