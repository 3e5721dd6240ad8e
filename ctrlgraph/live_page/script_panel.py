"""Messages to pages about scripts: the text, the findings (errors and warnings), and the constants with sliders."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ctrlgraph.control.parameters import Parameter
from ctrlgraph.control.script.checks.checker import check_script
from ctrlgraph.control.script.program import scripts_of
from ctrlgraph.errors import CtrlGraphError
from ctrlgraph.learning.search_space import search_space
from ctrlgraph.live_page.motion.programs import Programs
from ctrlgraph.live_page.motion.segments import LiveSegment
from ctrlgraph.live_page.scripts import Scripts
from ctrlgraph.playback.script_data import phases_of

if TYPE_CHECKING:
    from ctrlgraph.project.project import Project
    from ctrlgraph.terrain.terrain import TerrainPreview

_MAX_FINDINGS = 100
"""Maximum number of findings in a message."""
_MIN_OWN_SHARE = 0.25
"""Minimum number of constants of a node's own script for which the page shows this script first, as a share of the
number of constants of the script that has most of them."""
_MIN_OTHER_SHARE = 0.75
"""Minimum number of constants of a called script for which the page can show this script first, as a share of the
number of constants of the script that has most of them."""


class ScriptPanel:
    """Builder of the messages to pages about scripts. The name of a script is its path relative to the project."""

    def __init__(self, project: Project, scripts: Scripts, programs: Programs) -> None:
        self._project, self._scripts, self._programs = project, scripts, programs

    def text(self, name: str) -> dict[str, Any]:
        """Return the message with the text of a script, and with the lines of each phase in it.

        Raises:
            CtrlGraphError: If the project has no script of this name, or the script cannot be read.
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
        """Return the message with the errors and warnings in a script and in the other scripts of the motion.

        Args:
            name: Name of the script.
            began: Value of `time.perf_counter` when the script was changed, s. The message has the time since then.
        """
        script = self._scripts.get(name)
        found = list(check_script(self._project.library, script.path, self._project.character))
        others = [each for errors in self._programs.errors.values() for each in errors]
        found += [each for each in others if each not in found and Path(each.path).name != script.path.name]
        return {
            "type": "findings",
            "path": name,
            "revision": script.revision,
            "findings": [
                {**each.as_dict(), "path": self._project.relative(each.path), "rendered": each.render()}
                for each in found[:_MAX_FINDINGS]
            ],
            "ms": 1000 * (time.perf_counter() - began),
        }

    def files(self, name: str, segments: Sequence[LiveSegment], preview: TerrainPreview) -> list[str]:
        """Return the names of all scripts that run in a program together with a given script, callers before callees.

        If no program contains the script, the list has only the script itself.

        Args:
            name: Name of the given script.
            segments: Segments (nodes or scripts) of the motion; their programs contain the constants.
            preview: Ground at the beginning of the segments, on which learned constants depend.
        """
        stem = self._scripts.get(name).path.stem
        found: dict[str, None] = {}
        for controller in self._programs.controllers_of(segments, preview):
            stems = scripts_of(controller)
            if stem in stems:
                found |= dict.fromkeys(filter(None, map(self._name_of, stems)))
        return list(found | {name: None})

    def default_script(self, own: str, segments: Sequence[LiveSegment], preview: TerrainPreview) -> str:
        """Return the name of the script that a page shows first for a node.

        This is the script that the graph file names for the node. If this script has few constants because it mainly
        calls other scripts, it is a called script with many constants.

        Args:
            own: Name of the script that the graph file names.
            segments: Segments (nodes or scripts) of the motion. The last segment is that of the node.
            preview: Ground at the beginning of the segments, on which learned constants depend.
        """
        counts: Counter[str] = Counter()
        stems: list[str] = []
        stem = self._scripts.get(own).path.stem
        for controller in self._programs.controllers_of(segments[-1:], preview):
            stems = scripts_of(controller)
            counts.update(Path(each.path).stem for each in controller.parameters if not each.is_argument)
        most = max(counts.values(), default=0)
        if counts[stem] >= _MIN_OWN_SHARE * most:
            return own
        chosen = [each for each in stems if counts[each] >= _MIN_OTHER_SHARE * most]
        return self._name_of(chosen[-1]) or own

    def _name_of(self, stem: str) -> str | None:
        path = self._project.library.find(stem)
        return None if path is None else self._scripts.name_of(path)

    def constants(self, name: str, segments: Sequence[LiveSegment], preview: TerrainPreview) -> dict[str, Any]:
        """Return the message with the constants of a script and of the scripts that run with it (see `files`).

        Each constant has the value in its script and the range of its slider.

        Args:
            name: Name of the script.
            segments: Segments (nodes or scripts) of the motion; their programs contain the constants.
            preview: Ground at the beginning of the segments, on which learned constants depend.
        """
        files, ranges = self.files(name, segments, preview), self._ranges()
        places = {self._scripts.get(each).path.stem: each for each in files}
        items = []
        for each, (parameter, value) in self._programs.parameters(segments, preview).items():
            path = places.get(Path(parameter.path).stem)
            if path is not None:
                reach = abs(value) + 0.1
                low, high = ranges.get(each, (value - reach, value + reach))
                items.append(parameter_data(parameter, each, value, low, high) | {"path": path})
        order = {each: k for k, each in enumerate([name, *files])} | {name: -1}
        items.sort(key=lambda item: (order[item["path"]], item["line"], item["column"]))
        return {"type": "constants", "path": name, "files": files, "items": items}

    def parameters(self, segments: Sequence[LiveSegment], preview: TerrainPreview) -> dict[str, Parameter]:
        """Return the parameters (constants that can be changed) of all programs of a motion, by parameter id.

        Args:
            segments: Segments (nodes or scripts) of the motion.
            preview: Ground at the beginning of the segments, on which learned constants depend.
        """
        return {name: parameter for name, (parameter, _) in self._programs.parameters(segments, preview).items()}

    def require_current(self, name: str, segments: Sequence[LiveSegment], preview: TerrainPreview) -> None:
        """Check that the programs of a motion were compiled from the current text of a script.

        In another text, the constants of the programs can be at other positions.

        Args:
            name: Name of the script.
            segments: Segments (nodes or scripts) of the motion.
            preview: Ground at the beginning of the segments, on which learned constants depend.

        Raises:
            CtrlGraphError: If a program was compiled from another text of the script.
        """
        script = self._scripts.get(name)
        if self._programs.texts(segments, preview, script.path.stem) - {script.text}:
            raise CtrlGraphError(
                f"the motion still runs an earlier version of {name}: correct the errors in the current version first"
            )

    def _ranges(self) -> dict[str, tuple[float, float]]:
        found: dict[str, tuple[float, float]] = {}
        for controller in self._programs.controllers():
            try:
                space = search_space(controller, self._project.character, tied=False)
            except CtrlGraphError:  # no searchable parameter
                continue
            for item in space.items:
                for parameter in item.parameters:
                    found.setdefault(parameter.own_id, (min(item.low, item.high), max(item.low, item.high)))
        return found


def parameter_data(parameter: Parameter, name: str, value: float, low: float, high: float) -> dict[str, Any]:
    """Return a constant and its slider as data for JSON.

    Args:
        parameter: The constant as a parameter, with its position in the script.
        name: Id of the parameter.
        value: Value in the script. If it is outside the range of the slider, the range is extended to it.
        low: Lower end of the range of the slider.
        high: Upper end of the range of the slider.
    """
    return {
        "id": name,
        "role": parameter.role,
        "quantity": parameter.quantity,
        "phase": parameter.phase,
        "unit": parameter.unit,
        "line": parameter.line,
        "column": parameter.column,
        "endColumn": parameter.end_column,
        "value": value,
        "low": min(low, value),
        "high": max(high, value),
    }
