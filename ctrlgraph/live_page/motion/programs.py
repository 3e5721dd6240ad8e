"""The controllers of a live motion, compiled from the scripts on the pages, and with the values of the sliders.

The scripts on the pages may have unsaved changes. While a script has errors, its last version without errors is used.
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
"""Value of each constant that a slider has changed, by parameter id."""


class Programs:
    """Cache of the controllers of segments. A change of a script removes the controllers that the change affects.

    Attributes:
        errors: Errors in the scripts of each segment, by (segment, ground). Segments without errors are omitted.
        notes: Message about each node or edge that runs without its learned constants, by name of the node or edge.
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

    def set_values(self, values: Values) -> None:
        """Set the constants that sliders have changed. All other constants have the values in their scripts.

        Args:
            values: Value of each changed constant, by parameter id.
        """
        self._values = dict(values)
        self._with_values.clear()

    def revise(self, path: Path, text: str | None) -> None:
        """Use a new text of a script. The controllers that contain the script are compiled again when next needed.

        Args:
            path: Path of the script.
            text: New text. None: the contents of the file.
        """
        self._project.revise(path, text)
        stale = [key for key, (controller, _) in self._controllers.items() if path.stem in scripts_of(controller)]
        for key in stale:
            del self._controllers[key]
            self._with_values.pop(key, None)
        self.errors.clear()

    def rollout(self, segment: LiveSegment, preview: TerrainPreview) -> Rollout:
        """Return the rollout of a segment: its controller with the values of the sliders, and its conditions.

        Args:
            segment: Segment to run.
            preview: Ground at the beginning of the segment, on which learned constants depend.

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
        """Return which phases of two versions of a script behave alike. None: one of the controllers is not a script.

        Args:
            before: Controller that was compiled from the old version.
            after: Controller that was compiled from the new version.
        """
        key = (id(before), id(after))
        if key not in self._correspondences:
            if len(self._correspondences) > _CACHE_SIZE:
                self._correspondences.clear()
            found = correspondence(before, after, self._phase_digests)
            self._correspondences[key] = before, after, found  # the ids stay unique while the programs are referenced
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
        """Return (parameter, value without sliders) of each constant in the scripts of segments, by parameter id.

        Args:
            segments: Segments of the motion.
            preview: Ground at the beginning of the segments, on which learned constants depend.
        """
        found: dict[str, tuple[Parameter, float]] = {}
        for controller in self.controllers_of(segments, preview):
            for parameter, value in zip(controller.parameters, controller.constants.tolist(), strict=True):
                if not parameter.is_argument:
                    found.setdefault(parameter.own_id, (parameter, value))
        return found

    def controllers_of(self, segments: Iterable[LiveSegment], preview: TerrainPreview) -> list[Controller]:
        """Return the controllers of segments, without values of sliders and without duplicates.

        Segments whose controllers cannot be read are skipped.

        Args:
            segments: Segments of the motion.
            preview: Ground at the beginning of the segments, on which learned constants depend.
        """
        found: dict[int, Controller] = {}
        for segment in segments:
            with suppress(CtrlGraphError):
                controller = self._unmodified_controller((segment, same_ground(preview)), segment, preview)[0]
                found[id(controller)] = controller
        return list(found.values())

    def texts(self, segments: Iterable[LiveSegment], preview: TerrainPreview, stem: str) -> set[str]:
        """Return the texts of a script from which the controllers of segments were compiled, usually one text.

        While the present text has errors, the result is the last text without errors.

        Args:
            segments: Segments of the motion.
            preview: Ground at the beginning of the segments, on which learned constants depend.
            stem: File name of the script without the ending.
        """
        known = (self._texts.get((segment, same_ground(preview)), {}) for segment in segments)
        return {text for texts in known for path, text in texts.items() if Path(path).stem == stem}

    def controllers(self) -> list[Controller]:
        """Return all controllers in the cache, without values of sliders."""
        return [controller for controller, _ in self._controllers.values()]

    def _unmodified_controller(self, key: Any, segment: LiveSegment, preview: TerrainPreview) -> tuple[Controller, int]:
        """Return the controller of a segment without values of sliders, and how often to run the controller."""
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
            # raises an error if the script itself has errors; otherwise only the learned constants cannot be used
            plain = self._project.program(node)
            name = segment.edge if segment.edge is not None else segment.name
            self.notes[str(name)] = f"{name} runs without its learned constants: {error.findings[0].message}"
            return plain, segment.cycles
        self.notes.pop(str(segment.edge or segment.name), None)
        return found


def with_values(controller: Controller, values: Values) -> Controller:
    """Return a copy of a controller with new values of its constants. If no value changes, return the same object.

    Args:
        controller: Controller to copy.
        values: New value of each constant to change, by parameter id. Ids that the controller does not have are
            ignored.
    """
    constants = controller.constants.copy()
    for i, parameter in enumerate(controller.parameters):
        constants[i] = values.get(parameter.own_id, constants[i])
    return controller if np.array_equal(constants, controller.constants) else controller.with_constants(constants)
