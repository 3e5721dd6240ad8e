"""The controllers of a live motion: with unsaved texts and slider values, and the last valid version while a script has
errors.
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
"""Parameter values by id."""


class Programs:
    """Controllers of segments, cached until a change affects them.

    `errors` maps segments to the findings since the last change. `notes` explains when a segment runs differently than
    the graph says.
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
        """Set parameter values by id. All other parameters have the values of their scripts."""
        self._values = dict(values)
        self._with_values.clear()

    def revise(self, path: Path, text: str | None) -> None:
        """Replace the text of a script.

        Args:
            path: Path of the script.
            text: New text; None for the content of its file.
        """
        self._project.revise(path, text)
        stale = [key for key, (controller, _) in self._controllers.items() if path.stem in scripts_of(controller)]
        for key in stale:
            del self._controllers[key]
            self._with_values.pop(key, None)
        self.errors.clear()

    def rollout(self, segment: LiveSegment, preview: TerrainPreview) -> Rollout:
        """Return the rollout of a segment.

        Args:
            segment: Segment to run.
            preview: Terrain preview, which selects learned parameters.

        Raises:
            SourceError: If its script has errors and never had a valid version.
            CtrlGraphError: If there is no such node.
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
        """Return what two programs have in common; None if one is not a script.

        Args:
            before: The one controller.
            after: The other controller.
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
        """Return the parameters of some segments by id, with the values in their scripts.

        Args:
            segments: Segments whose controllers are inspected.
            preview: Terrain preview, which selects learned parameters.
        """
        found: dict[str, tuple[Parameter, float]] = {}
        for controller in self.controllers_of(segments, preview):
            for parameter, value in zip(controller.parameters, controller.constants.tolist(), strict=True):
                if not parameter.is_argument:
                    found.setdefault(parameter.own_id, (parameter, value))
        return found

    def controllers_of(self, segments: Iterable[LiveSegment], preview: TerrainPreview) -> list[Controller]:
        """Return the distinct controllers of the segments that can be read, with the values of their scripts.

        Args:
            segments: Segments whose controllers are inspected.
            preview: Terrain preview, which selects learned parameters.
        """
        found: dict[int, Controller] = {}
        for segment in segments:
            with suppress(CtrlGraphError):
                controller = self._unmodified_controller((segment, same_ground(preview)), segment, preview)[0]
                found[id(controller)] = controller
        return list(found.values())

    def texts(self, segments: Iterable[LiveSegment], preview: TerrainPreview, stem: str) -> set[str]:
        """Return the texts of a script from which the parameters of some segments were read.

        While the present text has errors, this is the last valid text.

        Args:
            segments: Segments whose controllers are inspected.
            preview: Terrain preview, which selects learned parameters.
            stem: Name of the script.
        """
        known = (self._texts.get((segment, same_ground(preview)), {}) for segment in segments)
        return {text for texts in known for path, text in texts.items() if Path(path).stem == stem}

    def controllers(self) -> list[Controller]:
        """Return the controllers in use, with the values of their scripts."""
        return [controller for controller, _ in self._controllers.values()]

    def _unmodified_controller(self, key: Any, segment: LiveSegment, preview: TerrainPreview) -> tuple[Controller, int]:
        """Return a segment's controller without slider values, and its number of cycles."""
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
            # an error of the script itself is raised again; parameters learned for another text are ignored
            plain = self._project.program(node)
            name = segment.edge if segment.edge is not None else segment.name
            self.notes[str(name)] = f"{name} runs without its learned parameters: {error.findings[0].message}"
            return plain, segment.cycles
        self.notes.pop(str(segment.edge or segment.name), None)
        return found


def with_values(controller: Controller, values: Values) -> Controller:
    """Return a controller with other values of its parameters; the same object if no value changes.

    Args:
        controller: Controller to change.
        values: Values by parameter id. Ids of other controllers are ignored.
    """
    constants = controller.constants.copy()
    for i, parameter in enumerate(controller.parameters):
        constants[i] = values.get(parameter.own_id, constants[i])
    return controller if np.array_equal(constants, controller.constants) else controller.with_constants(constants)
