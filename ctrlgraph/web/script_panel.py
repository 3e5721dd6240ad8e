"""The script beside a live motion: its text, its findings, its constants, as pages are told of them."""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ctrlgraph.control.parameters import Parameter
from ctrlgraph.control.script.compiler import check_script
from ctrlgraph.errors import CtrlGraphError
from ctrlgraph.optimization.search_space import search_space
from ctrlgraph.web.programs import Programs
from ctrlgraph.web.scripts import Scripts
from ctrlgraph.web.segments import LiveSegment
from ctrlgraph.web.told import is_of, phases_of, told_finding, told_parameter

if TYPE_CHECKING:
    from ctrlgraph.project.project import Project
    from ctrlgraph.terrain.profile import TerrainPreview

_MOST_FINDINGS = 100


class ScriptPanel:
    """Tells of the scripts of a project, by the path that pages know them by."""

    def __init__(self, project: Project, scripts: Scripts, programs: Programs) -> None:
        self._project, self._scripts, self._programs = project, scripts, programs

    def text(self, name: str) -> dict[str, Any]:
        """Return a script's text, and where its phases stand in it.

        Raises:
            CtrlGraphError: the project has no such script, or it cannot be read.
        """
        script = self._scripts.get(name)
        return {
            "type": "script",
            "path": name,
            "text": script.text,
            "revision": script.revision,
            "digest": script.digest,
            "saved": script.saved,
            "phases": phases_of(self._project.library.parse(script.path).script),
        }

    def findings(self, name: str, began: float) -> dict[str, Any]:
        """Return what is wrong with a script, and with those that it is part of.

        Args:
            began: on the clock of `time.perf_counter`, when it was changed.
        """
        script = self._scripts.get(name)
        found = list(check_script(self._project.library, script.path, self._project.character))
        known = set(found)
        for errors in self._programs.errors.values():
            found += [each for each in errors if each not in known and not is_of(each, script.path)]
        return {
            "type": "findings",
            "path": name,
            "revision": script.revision,
            "findings": [told_finding(each, self._project) for each in found[:_MOST_FINDINGS]],
            "ms": 1000 * (time.perf_counter() - began),
        }

    def constants(self, name: str, segments: Sequence[LiveSegment], preview: TerrainPreview) -> dict[str, Any]:
        """Return a script's constants, so far as these segments run it: their values in the text, and from where to
        where a search would go with them."""
        script, ranges = self._scripts.get(name), self._ranges()
        items = []
        for each, (parameter, value) in self._programs.parameters(segments, preview).items():
            if Path(parameter.path).stem == script.path.stem:
                reach = abs(value) + 0.1
                low, high = ranges.get(each, (value - reach, value + reach))
                items.append(told_parameter(parameter, each, value, low, high))
        items.sort(key=lambda item: (item["line"], item["column"]))
        return {"type": "constants", "path": name, "items": items}

    def parameters(self, segments: Sequence[LiveSegment], preview: TerrainPreview) -> dict[str, Parameter]:
        """Return the constants of what these segments run, by id."""
        return {name: parameter for name, (parameter, _) in self._programs.parameters(segments, preview).items()}

    def require_current(self, name: str, segments: Sequence[LiveSegment], preview: TerrainPreview) -> None:
        """
        Raises:
            CtrlGraphError: what these segments run was read from an older text of a script, in which constants stood
                elsewhere.
        """
        script = self._scripts.get(name)
        if self._programs.texts(segments, preview, script.path.stem) - {script.text}:
            raise CtrlGraphError(
                f"{name} has changed since the motion's constants were read from it; correct its errors first"
            )

    def _ranges(self) -> dict[str, tuple[float, float]]:
        found: dict[str, tuple[float, float]] = {}
        for controller in self._programs.controllers():
            try:
                space = search_space(controller, self._project.character, tied=False)
            except CtrlGraphError:  # nothing that a search would change
                continue
            for item in space.items:
                for parameter in item.parameters:
                    found.setdefault(parameter.own_id, (min(item.low, item.high), max(item.low, item.high)))
        return found
