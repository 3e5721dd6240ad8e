"""The target of a session: what was asked for, as the segments that a motion is made of."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from ctrlgraph.errors import CtrlGraphError, printable
from ctrlgraph.paths import display_path
from ctrlgraph.project.controller_names import unknown_controller
from ctrlgraph.web.scripts import Scripts
from ctrlgraph.web.segments import LiveSegment, segments_of, way_there

if TYPE_CHECKING:
    from ctrlgraph.project.project import Project
    from ctrlgraph.terrain.profile import TerrainPreview


@dataclass(frozen=True)
class Target:
    """Nodes, one after another, and a script after them, where one is named; cycles: of the last of all."""

    names: tuple[str, ...] = ()
    script: str | None = None
    cycles: int | None = None

    def segments(self, project: Project, scripts: Scripts, preview: TerrainPreview) -> list[LiveSegment]:
        """Return the segments.

        Raises:
            CtrlGraphError: the project has no such node or script.
        """
        last = len(self.names) - 1
        cycles = {} if self.cycles is None or self.script is not None else {last: self.cycles}
        found = segments_of(project.graph, self.names, preview, cycles)
        if self.script is not None:
            path = scripts.get(self.script).path
            found.append(LiveSegment(path.stem, None, self.cycles or 1, path))
        return found

    def own_script(self, project: Project, scripts: Scripts) -> str | None:
        """Return the script of the last segment; None where it is none of a script."""
        if self.script is not None:
            return self.script
        file = printable(project.graph.node(self.names[-1]).file)
        return file if file in scripts.names() else None


def target_of(project: Project, scripts: Scripts, names: Sequence[str], preview: TerrainPreview) -> Target:
    """Return what is meant by words of the command line: nodes, or the path of a script; the start node without any.

    Raises:
        CtrlGraphError: a word is neither a node nor a script of the project.
    """
    graph = project.graph
    if not names:
        return Target((graph.start,))
    if len(names) == 1 and names[0] not in graph:
        script = scripts.name_of(Path(names[0]))
        if script is None and Path(names[0]).exists():
            raise CtrlGraphError(f"{display_path(names[0])} is no script of this project: it lies elsewhere")
        if script is None:
            raise unknown_controller(project, names[0])
        own = next((node.name for node in graph if printable(node.file) == script and not node.mirrored), None)
        return Target((), script) if own is None else Target(tuple(way_there(graph, own, preview)))
    for name in names:
        graph.node(name)
    return Target(tuple(way_there(graph, names[0], preview) if len(names) == 1 else names))
