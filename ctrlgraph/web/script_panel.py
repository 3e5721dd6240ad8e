"""The script beside a live motion: its text, its findings, its constants, as pages are told of them."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ctrlgraph.control.parameters import Parameter
from ctrlgraph.control.script.compiler import check_script
from ctrlgraph.errors import CtrlGraphError
from ctrlgraph.optimization.search_space import search_space
from ctrlgraph.playback.script_data import phases_of
from ctrlgraph.web.programs import Programs, stems_of
from ctrlgraph.web.scripts import Scripts
from ctrlgraph.web.segments import LiveSegment
from ctrlgraph.web.told import is_of, told_finding, told_parameter

if TYPE_CHECKING:
    from ctrlgraph.project.project import Project
    from ctrlgraph.terrain.profile import TerrainPreview

_MOST_FINDINGS = 100
_OWN_SHARE = 0.25
_LIKE_SHARE = 0.75
"""Of the constants of the script that has the most: with so many a node's own script is the one to look at; with so
many another one is as much worth looking at."""


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

    def files(self, name: str, segments: Sequence[LiveSegment], preview: TerrainPreview) -> list[str]:
        """Return the scripts of those programs of these segments that a script is part of, each before those that it
        calls; it alone, where it is part of none."""
        stem = self._scripts.get(name).path.stem
        found: dict[str, None] = {}
        for program in self._programs.programs(segments, preview):
            stems = stems_of(program)
            if stem in stems:
                found |= dict.fromkeys(filter(None, map(self._name_of, stems)))
        return list(found | {name: None})

    def first(self, own: str, segments: Sequence[LiveSegment], preview: TerrainPreview) -> str:
        """Return the script of a node that is worth looking at: its own one, or where that does little more than call
        others, the last of those that have the most constants."""
        counts: Counter[str] = Counter()
        stems: list[str] = []
        stem = self._scripts.get(own).path.stem
        for program in self._programs.programs(segments[-1:], preview):
            stems = stems_of(program)
            counts.update(Path(each.path).stem for each in program.parameters if not each.is_argument)
        most = max(counts.values(), default=0)
        if counts[stem] >= _OWN_SHARE * most:
            return own
        chosen = [each for each in stems if counts[each] >= _LIKE_SHARE * most]
        return self._name_of(chosen[-1]) or own

    def _name_of(self, stem: str) -> str | None:
        path = self._project.library.find(stem)
        return None if path is None else self._scripts.name_of(path)

    def constants(self, name: str, segments: Sequence[LiveSegment], preview: TerrainPreview) -> dict[str, Any]:
        """Return the constants of a script and of the others of its programs, so far as these segments run them: their
        values in the text, and from where to where a search would go with them; and the names of these scripts."""
        files, ranges = self.files(name, segments, preview), self._ranges()
        places = {self._scripts.get(each).path.stem: each for each in files}
        items = []
        for each, (parameter, value) in self._programs.parameters(segments, preview).items():
            path = places.get(Path(parameter.path).stem)
            if path is not None:
                reach = abs(value) + 0.1
                low, high = ranges.get(each, (value - reach, value + reach))
                items.append(told_parameter(parameter, each, value, low, high) | {"path": path})
        order = {each: k for k, each in enumerate([name, *files])} | {name: -1}
        items.sort(key=lambda item: (order[item["path"]], item["line"], item["column"]))
        return {"type": "constants", "path": name, "files": files, "items": items}

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
