"""The gallery: an animation of each motion, and a page that shows them side by side."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote

import numpy as np

from ctrlgraph.experiments.initial_state import run_segment
from ctrlgraph.manual import anchor
from ctrlgraph.report.markdown import escaped, row, sentence
from ctrlgraph.report.motion_pictures import ANIMATION, image, phase_captions
from ctrlgraph.report.node_pages import Slugs
from ctrlgraph.simulation.trace import Trace

if TYPE_CHECKING:
    from ctrlgraph.experiments.evaluator import Begun
    from ctrlgraph.graph.model import Node
    from ctrlgraph.project.project import Project

GALLERY = "gallery.md"
"""The page's name; it lies beside the page of motions."""

SIZE = (320, 240)
RATES = (15, 12, 10, 8)
"""Pictures a second: the first of these with which an animation has `MOST_BYTES` at most, or the last."""
MOST_BYTES = 120_000
LEAD_S = 0.4
"""So much of the motion before is shown."""
REST_S = 0.4
"""So much is shown of a body that has come to rest, and no more."""
RESTS = 0.1  # m/s of the fastest link
MOST_S = 8.0

GROUPS = ("poses", "gaits", "ground", "recovery", "gestures", "stunts", "obstacles")
"""Directories of scripts, in the order in which the page has them; any other follows."""
COLUMNS = 3


def animate(project: Project, begun: Begun, path: Path) -> None:
    """Film an example of a motion from a moment before its beginning on, up to its end or to rest.

    The way in is simulated anew, since an example begins from a state that was kept.

    Raises:
        CtrlGraphError: the file cannot be written.
    """
    from ctrlgraph.view.video import write_video

    labels = []
    with begun.world.simulation(project.character) as simulation:
        for segment in (*begun.way.setup, *begun.way.test):
            labels.append((simulation.time, segment.node))
            run_segment(project, simulation, segment, begun.world)
        trace, terrain, character = simulation.trace.without_repeats(), simulation.terrain, simulation.character
    start = max(labels[-1][0] - LEAD_S, 0.0)
    shown = trimmed(trace, start, labels[-1][0])
    shown = dataclasses.replace(shown, time=shown.time - start)
    names = [(max(began - start, 0.0), name) for began, name in labels[-2:]]
    phases = phase_captions(project, begun, shown.between(names[-1][0], float(shown.time[-1])))
    for rate in RATES:
        write_video(
            shown,
            path,
            character=character,
            terrain=terrain,
            labels=names,
            phases=phases,
            fps=rate,
            size=SIZE,
            still=True,
        )
        if path.stat().st_size <= MOST_BYTES:
            return


def trimmed(trace: Trace, start: float, began: float) -> Trace:
    """Return a trace from a time (s) on, up to `REST_S` after the last movement after `began`, `MOST_S` at most."""
    step = np.diff(trace.time)
    speed = np.hypot(*np.moveaxis(np.diff(trace.position, axis=0), -1, 0)).max(axis=1) / np.maximum(step, 1e-9)
    moving = np.flatnonzero((speed > RESTS) & (trace.time[1:] > began))
    end = (float(trace.time[moving[-1] + 1]) if moving.size else began) + REST_S
    return trace.between(start, min(end, start + MOST_S))


def group_of(node: Node) -> str:
    """Return the group of a node: the directory of its script, empty where that is `controllers` itself."""
    name = Path(node.file).parent.name
    return "" if name == "controllers" else name


def gallery(project: Project, directory: Path, motions: str, command: str) -> str:
    """Return the page as Markdown, with the animations that are there.

    Args:
        directory: where the page lies.
        motions: the page of motions, from there; each motion leads to its section.
        command: what the page is made with.
    """
    slugs = Slugs()
    names = {node.name: slugs.of(node.name) for node in project.graph}
    groups: dict[str, list[Node]] = {name: [] for name in GROUPS}
    for node in project.graph:
        groups.setdefault(group_of(node), []).append(node)
    lines = [f"Written by `{command}`: {len(project.graph)} motions, each with a moment of the one before it.", ""]
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
