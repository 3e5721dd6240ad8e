"""The controllers of a live motion.

They are compiled from the texts in the session, saved or not, and have the values of the sliders. While a script has
errors, its last valid version is used.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ctrlgraph.control.controller import Controller
from ctrlgraph.control.parameters import Parameter
from ctrlgraph.control.script.correspondence import Correspondence, correspondence
from ctrlgraph.control.script.identity import PhaseDigests, phase_digests
from ctrlgraph.control.script.program import Program, scripts_of
from ctrlgraph.errors import CtrlGraphError, Finding, SourceError
from ctrlgraph.live_page.motion.segments import LiveSegment
from ctrlgraph.project.controllers import same_ground
from ctrlgraph.project.rollout import node_rollout
from ctrlgraph.simulation.rollout import DEFAULT_TIMEOUT, Rollout

if TYPE_CHECKING:
    from ctrlgraph.project.project import Project
    from ctrlgraph.terrain.terrain import TerrainPreview

_CACHE_SIZE = 64

Values = Mapping[str, float]
"""Values of parameters by parameter id."""


class Programs:
    """Controllers of segments, which are cached until a change affects them.

    Attributes:
        errors: findings in the scripts of segments since the last change of a text.
        notes: messages about nodes and edges whose learned parameters are not used, by name.
    """

    def __init__(self, project: Project) -> None:
        self._project = project
        self._values: dict[str, float] = {}
        self._controllers: dict[Any, tuple[Controller, int]] = {}
        self._last_valid: dict[Any, tuple[Controller, int]] = {}
        self._texts: dict[Any, dict[str, str]] = {}  # source texts of `_last_valid`, by path
        self._with_values: dict[Any, Controller] = {}
        self._correspondences: dict[tuple[int, int], tuple[Controller, Controller, Correspondence | None]] = {}
        self._digests: dict[int, tuple[Program, PhaseDigests]] = {}
        self.errors: dict[Any, tuple[Finding, ...]] = {}
        self.notes: dict[str, str] = {}

    @property
    def values(self) -> Values:
        """Return the slider values."""
        return self._values

    def set_values(self, values: Values) -> None:
        """Set the slider values. All other parameters have the values in their scripts."""
        self._values = dict(values)
        self._with_values.clear()

    def revise(self, path: Path, text: str | None) -> None:
        """Replace the text of a script.

        Args:
            path: Path of the script.
            text: New text; None for the content of the file.
        """
        self._project.revise(path, text)
        stale = [key for key, (controller, _) in self._controllers.items() if path.stem in scripts_of(controller)]
        for key in stale:
            del self._controllers[key]
            self._with_values.pop(key, None)
        self.errors.clear()

    def rollout(self, segment: LiveSegment, preview: TerrainPreview) -> Rollout:
        """Return the rollout that runs a segment with the slider values.

        Args:
            segment: Segment to run.
            preview: Terrain preview, which selects learned parameters.

        Raises:
            SourceError: If the script of the segment has errors and had no valid version before.
            CtrlGraphError: If the node of the segment is not in the graph.
        """
        key = (segment, same_ground(preview))
        controller, cycles = self._unmodified_controller(key, segment, preview)
        if self._values:
            if key not in self._with_values:
                self._with_values[key] = with_values(controller, self._values)
            controller = self._with_values[key]
        if segment.script is not None:
            return Rollout(controller, cycles, DEFAULT_TIMEOUT)
        return node_rollout(self._project.graph.node(segment.name), (controller, cycles), segment.cycles)

    def correspondence(self, before: Controller, after: Controller) -> Correspondence | None:
        """Return which parts of two versions of a script behave alike; None if a controller is not a script.

        Args:
            before: Controller of the old version.
            after: Controller of the new version.
        """
        key = (id(before), id(after))
        if key not in self._correspondences:
            if len(self._correspondences) > _CACHE_SIZE:
                self._correspondences.clear()
            found = correspondence(before, after, self._phase_digests)
            self._correspondences[key] = before, after, found  # keep the programs alive so that their ids stay unique
        return self._correspondences[key][2]

    def _phase_digests(self, program: Program) -> PhaseDigests:
        if id(program) not in self._digests:
            if len(self._digests) > _CACHE_SIZE:
                self._digests.clear()
            self._digests[id(program)] = program, phase_digests(program, self._project.character)
        return self._digests[id(program)][1]

    def parameters(
        self, segments: Iterable[LiveSegment], preview: TerrainPreview
    ) -> dict[str, tuple[Parameter, float]]:
        """Return the parameters of some segments by id, each with the value in its script.

        Args:
            segments: Segments with the parameters.
            preview: Terrain preview, which selects learned parameters.
        """
        found: dict[str, tuple[Parameter, float]] = {}
        for controller in self.controllers_of(segments, preview):
            for parameter, value in zip(controller.parameters, controller.constants.tolist(), strict=True):
                if not parameter.is_argument:
                    found.setdefault(parameter.own_id, (parameter, value))
        return found

    def controllers_of(self, segments: Iterable[LiveSegment], preview: TerrainPreview) -> list[Controller]:
        """Return the different controllers of some segments, with the values in their scripts.

        Segments whose controllers cannot be read are skipped.

        Args:
            segments: Segments with the controllers.
            preview: Terrain preview, which selects learned parameters.
        """
        found: dict[int, Controller] = {}
        for segment in segments:
            with suppress(CtrlGraphError):
                controller = self._unmodified_controller((segment, same_ground(preview)), segment, preview)[0]
                found[id(controller)] = controller
        return list(found.values())

    def texts(self, segments: Iterable[LiveSegment], preview: TerrainPreview, stem: str) -> set[str]:
        """Return the texts of a script from which the controllers of some segments were compiled.

        While the current text has errors, this is the last valid text.

        Args:
            segments: Segments with the controllers.
            preview: Terrain preview, which selects learned parameters.
            stem: File name of the script without the ending.
        """
        known = (self._texts.get((segment, same_ground(preview)), {}) for segment in segments)
        return {text for texts in known for path, text in texts.items() if Path(path).stem == stem}

    def controllers(self) -> list[Controller]:
        """Return the controllers in the cache, with the values in their scripts."""
        return [controller for controller, _ in self._controllers.values()]

    def _unmodified_controller(self, key: Any, segment: LiveSegment, preview: TerrainPreview) -> tuple[Controller, int]:
        """Return the controller of a segment without slider values, and its number of cycles."""
        if key in self._controllers:
            return self._controllers[key]
        try:
            found = self._read(segment, preview)
        except SourceError as error:
            if key not in self._last_valid:
                raise
            self.errors[key] = error.findings
            found = self._last_valid[key]
        else:
            self._last_valid[key] = found
            paths = {parameter.path for parameter in found[0].parameters if not parameter.is_argument}
            self._texts[key] = {path: self._project.library.parse(Path(path)).text for path in paths}
        self._controllers[key] = found
        return found

    def _read(self, segment: LiveSegment, preview: TerrainPreview) -> tuple[Controller, int]:
        if segment.script is not None:
            return self._project.compile(segment.script), segment.cycles
        node = self._project.graph.node(segment.name)
        try:
            found = self._project.edge_controller(segment.edge, node, segment.cycles, preview)
        except SourceError as error:
            # if the script itself has errors, this raises them; parameters learned for another text are ignored
            plain = self._project.program(node)
            name = segment.edge if segment.edge is not None else segment.name
            self.notes[str(name)] = f"{name} runs without its learned parameters: {error.findings[0].message}"
            return plain, segment.cycles
        self.notes.pop(str(segment.edge or segment.name), None)
        return found


def with_values(controller: Controller, values: Values) -> Controller:
    """Return a copy of a controller with new values of its parameters; the same object if no value changes.

    Args:
        controller: Controller to copy.
        values: Values by parameter id. Ids that the controller does not have are ignored.
    """
    constants = controller.constants.copy()
    for i, parameter in enumerate(controller.parameters):
        constants[i] = values.get(parameter.own_id, constants[i])
    return controller if np.array_equal(constants, controller.constants) else controller.with_constants(constants)
