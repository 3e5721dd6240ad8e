"""Messages to pages about the scripts of a session: text, findings, constants."""

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
"""Minimum share of constants with which the own script of a node is shown first. The share is the number of constants
of a script, divided by that of the script with the most constants."""
_MIN_OTHER_SHARE = 0.75
"""Minimum share of constants with which a script that the own script calls is shown first."""


class ScriptPanel:
    """Builder of messages about the scripts of a project, which are identified by name."""

    def __init__(self, project: Project, scripts: Scripts, programs: Programs) -> None:
        self._project, self._scripts, self._programs = project, scripts, programs

    def text(self, name: str) -> dict[str, Any]:
        """Return the message with the text of a script and the lines of its phases.

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
        """Return the message with the findings in a script and in the programs of the motion.

        Args:
            name: Name of the script.
            began: Time of the change, on the clock of `time.perf_counter`. The message contains the time since then.
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
        """Return the names of all scripts of the programs that contain a script, callers before callees.

        If no program contains the script, the list has only the script itself.

        Args:
            name: Name of the script.
            segments: Segments whose programs are searched.
            preview: Terrain preview, which selects learned parameters.
        """
        stem = self._scripts.get(name).path.stem
        found: dict[str, None] = {}
        for controller in self._programs.controllers_of(segments, preview):
            stems = scripts_of(controller)
            if stem in stems:
                found |= dict.fromkeys(filter(None, map(self._name_of, stems)))
        return list(found | {name: None})

    def default_script(self, own: str, segments: Sequence[LiveSegment], preview: TerrainPreview) -> str:
        """Return the name of the script of a node that a page shows first.

        This is the own script of the node. If it has few constants of its own because it calls others, it is a called
        script with many constants.

        Args:
            own: Name of the own script of the node.
            segments: Segments of the motion. The last one is that of the node.
            preview: Terrain preview, which selects learned parameters.
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
        """Return the message with the constants of a script and of the other scripts of its programs (`files`).

        Each constant has the value in its script and the range of its slider.

        Args:
            name: Name of the script.
            segments: Segments whose programs are searched.
            preview: Terrain preview, which selects learned parameters.
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
        """Return the parameters of the programs of some segments, by id.

        Args:
            segments: Segments whose programs are searched.
            preview: Terrain preview, which selects learned parameters.
        """
        return {name: parameter for name, (parameter, _) in self._programs.parameters(segments, preview).items()}

    def require_current(self, name: str, segments: Sequence[LiveSegment], preview: TerrainPreview) -> None:
        """Check that the programs of some segments were compiled from the current text of a script.

        Otherwise the constants of the programs can be at other positions in the text.

        Args:
            name: Name of the script.
            segments: Segments whose programs are checked.
            preview: Terrain preview, which selects learned parameters.

        Raises:
            CtrlGraphError: If a program was compiled from another text.
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
            except CtrlGraphError:  # no searchable parameter
                continue
            for item in space.items:
                for parameter in item.parameters:
                    found.setdefault(parameter.own_id, (min(item.low, item.high), max(item.low, item.high)))
        return found


def parameter_data(parameter: Parameter, name: str, value: float, low: float, high: float) -> dict[str, Any]:
    """Return a constant as JSON data for a slider.

    Args:
        parameter: Parameter with its position in the script.
        name: Id of the parameter.
        value: Value in the script.
        low: Lower end of the slider; the value if that is lower.
        high: Upper end of the slider; the value if that is higher.
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
