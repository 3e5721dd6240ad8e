"""Pictures of motions: where the pages of motions and of the gallery have them, and how they show them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from ctrlgraph.errors import CtrlGraphError
from ctrlgraph.paths import display_path
from ctrlgraph.report.markdown import escaped
from ctrlgraph.simulation.phases import phase_starts

if TYPE_CHECKING:
    from ctrlgraph.experiments.evaluator import Begun
    from ctrlgraph.project.project import Project
    from ctrlgraph.simulation.trace import Trace

PICTURES = Path("images") / "motions"
"""Where they are, from the page's directory."""
STRIP = ".png"
ANIMATION = ".webp"
"""Every browser shows it, and so do the hosts of code; without loss it has two thirds of a GIF's size."""


def pictures_directory(directory: Path) -> Path:
    """Return where the filmstrips and animations of pages in this directory are.

    Raises:
        CtrlGraphError: a link would take them elsewhere.
    """
    found = directory / PICTURES
    if not found.resolve().is_relative_to(directory.resolve()):
        raise CtrlGraphError(
            f"cannot write into '{display_path(found)}': it is a link that leads out of '{display_path(directory)}'"
        )
    return found


def phase_captions(project: Project, begun: Begun, trace: Trace) -> list[tuple[float, str]]:
    """Return when each phase of an example began, s on the trace's clock, and what pictures call it.

    Args:
        trace: of the node itself.
    """
    segment, ground = begun.way.test[-1], begun.simulation.terrain
    if not len(trace):
        return []
    preview = ground.preview(float(trace.com[0, 0]))
    rollout = project.rollout(segment.edge, segment.node, segment.cycles, preview, length=begun.world.body.length)
    return [(phase.time, phase.caption) for phase in phase_starts(trace, rollout.controller)]


def image(directory: Path, name: str, slug: str, suffix: str) -> str:
    """Return the picture of a motion as a page in this directory shows it; empty where there is none.

    Args:
        name: the motion's; slug: as its files are called; suffix: `STRIP` or `ANIMATION`.
    """
    path = PICTURES / f"{slug}{suffix}"
    return f"![{escaped(name)}]({path.as_posix()})" if (directory / path).is_file() else ""
