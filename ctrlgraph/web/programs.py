"""The controllers of a live motion as the scripts now stand: with drafts, the sliders' values, and the last good one
while there are errors."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ctrlgraph.control.controller import Controller
from ctrlgraph.control.parameters import Parameter
from ctrlgraph.control.script.correspondence import Correspondence
from ctrlgraph.control.script.identity import PhaseDigests, phase_digests
from ctrlgraph.control.script.program import Program
from ctrlgraph.errors import CtrlGraphError, Finding, SourceError
from ctrlgraph.project.controllers import same_ground
from ctrlgraph.project.rollout import node_rollout
from ctrlgraph.simulation.rollout import DEFAULT_TIMEOUT, Rollout
from ctrlgraph.web.segments import LiveSegment

if TYPE_CHECKING:
    from ctrlgraph.project.project import Project
    from ctrlgraph.terrain.profile import TerrainPreview

_MOST_KEPT = 64

Values = Mapping[str, float]
"""Of parameters, by id."""


class Programs:
    """What segments run; asked anew after each change, it answers at once for what has not changed.

    findings: by path, what is wrong with the scripts since the last change; notes: what is run otherwise than the graph
    says, and why.
    """

    def __init__(self, project: Project) -> None:
        self._project = project
        self._values: dict[str, float] = {}
        self._plain: dict[Any, tuple[Controller, int]] = {}
        self._good: dict[Any, tuple[Controller, int]] = {}
        self._texts: dict[Any, dict[str, str]] = {}  # of the good ones: by the path of a script, what it was read from
        self._valued: dict[Any, Controller] = {}
        self._correspondences: dict[tuple[int, int], tuple[Controller, Controller, Correspondence]] = {}
        self._digests: dict[int, tuple[Program, PhaseDigests]] = {}
        self.errors: dict[Any, tuple[Finding, ...]] = {}
        self.notes: dict[str, str] = {}

    @property
    def values(self) -> Values:
        """Return the sliders' values."""
        return self._values

    def set_values(self, values: Values) -> None:
        """Let parameters have these values, by id, and all others those of their scripts."""
        self._values = dict(values)
        self._valued.clear()

    def revise(self, path: Path, text: str | None) -> None:
        """Let a script be this text, or what its file holds where None."""
        self._project.revise(path, text)
        stale = [key for key, (controller, _) in self._plain.items() if path.stem in scripts_of(controller)]
        for key in stale:
            del self._plain[key]
            self._valued.pop(key, None)
        self.errors.clear()

    def rollout(self, segment: LiveSegment, preview: TerrainPreview) -> Rollout:
        """Return what a segment runs.

        Raises:
            SourceError: its script has errors, and has never been without.
            CtrlGraphError: there is no such node.
        """
        key = (segment, same_ground(preview))
        controller, cycles = self._plain_controller(key, segment, preview)
        if self._values:
            if key not in self._valued:
                self._valued[key] = with_values(controller, self._values)
            controller = self._valued[key]
        if segment.script is not None:
            return Rollout(controller, cycles, DEFAULT_TIMEOUT)
        return node_rollout(self._project.graph.node(segment.name), (controller, cycles), segment.cycles)

    def correspondence(self, before: Controller, after: Controller) -> Correspondence | None:
        """Return what two controllers have in common; None where they are no scripts."""
        if not isinstance(before, Program) or not isinstance(after, Program):
            return None
        key = (id(before), id(after))
        if key not in self._correspondences:
            if len(self._correspondences) > _MOST_KEPT:
                self._correspondences.clear()
            found = Correspondence(before, after, self._phase_digests)
            self._correspondences[key] = before, after, found  # held, so that no other gets their ids
        return self._correspondences[key][2]

    def _phase_digests(self, program: Program) -> PhaseDigests:
        if id(program) not in self._digests:
            if len(self._digests) > _MOST_KEPT:
                self._digests.clear()
            self._digests[id(program)] = program, phase_digests(program, self._project.character)
        return self._digests[id(program)][1]

    def parameters(
        self, segments: Iterable[LiveSegment], preview: TerrainPreview
    ) -> dict[str, tuple[Parameter, float]]:
        """Return the parameters of what these segments run, by id, with the values that their scripts give them."""
        found: dict[str, tuple[Parameter, float]] = {}
        for segment in segments:
            try:
                controller, _ = self._plain_controller((segment, same_ground(preview)), segment, preview)
            except CtrlGraphError:
                continue
            for parameter, value in zip(controller.parameters, controller.constants.tolist(), strict=True):
                if not parameter.is_argument:
                    found.setdefault(parameter.own_id, (parameter, value))
        return found

    def programs(self, segments: Iterable[LiveSegment], preview: TerrainPreview) -> list[Program]:
        """Return what these segments run, so far as it is of scripts and can be read, each once."""
        found: dict[int, Program] = {}
        for segment in segments:
            try:
                controller, _ = self._plain_controller((segment, same_ground(preview)), segment, preview)
            except CtrlGraphError:
                continue
            if isinstance(controller, Program):
                found[id(controller)] = controller
        return list(found.values())

    def texts(self, segments: Iterable[LiveSegment], preview: TerrainPreview, stem: str) -> set[str]:
        """Return the texts of a script from which the parameters of these segments were read: others than the present
        one where that has errors."""
        known = (self._texts.get((segment, same_ground(preview)), {}) for segment in segments)
        return {text for texts in known for path, text in texts.items() if Path(path).stem == stem}

    def controllers(self) -> list[Controller]:
        """Return the controllers that have been asked for since they changed, as their scripts have them."""
        return [controller for controller, _ in self._plain.values()]

    def _plain_controller(self, key: Any, segment: LiveSegment, preview: TerrainPreview) -> tuple[Controller, int]:
        """A segment's controller without the sliders' values, and how often it runs."""
        if key in self._plain:
            return self._plain[key]
        try:
            found = self._read(segment, preview)
        except SourceError as error:
            if key not in self._good:
                raise
            self.errors[key] = error.findings
            found = self._good[key]
        else:
            self._good[key] = found
            paths = {parameter.path for parameter in found[0].parameters if not parameter.is_argument}
            self._texts[key] = {path: self._project.library.parse(Path(path)).text for path in paths}
        self._plain[key] = found
        return found

    def _read(self, segment: LiveSegment, preview: TerrainPreview) -> tuple[Controller, int]:
        if segment.script is not None:
            return self._project.compile(segment.script), segment.cycles
        node = self._project.graph.node(segment.name)
        try:
            found = self._project.edge_controller(segment.edge, node, segment.cycles, preview)
        except SourceError as error:
            # an error of the script itself comes again; what was learned for another text of it is passed over
            plain = self._project.program(node)
            where = segment.edge if segment.edge is not None else segment.name
            self.notes[str(where)] = f"{where} runs without what was learned for it: {error.findings[0].message}"
            return plain, segment.cycles
        self.notes.pop(str(segment.edge or segment.name), None)
        return found


def scripts_of(controller: Controller) -> frozenset[str]:
    """Return the names of the scripts that a controller is made of; none where it is no script."""
    return frozenset(stems_of(controller)) if isinstance(controller, Program) else frozenset()


def stems_of(program: Program) -> list[str]:
    """Return the names of the scripts that a program is made of, each before those that it calls."""
    return list(dict.fromkeys(place.script for place in program.places))


def with_values(controller: Controller, values: Values) -> Controller:
    """Return a controller with the values of those of its parameters that are given; itself, where it has none."""
    constants = controller.constants.copy()
    for i, parameter in enumerate(controller.parameters):
        constants[i] = values.get(parameter.own_id, constants[i])
    return controller if np.array_equal(constants, controller.constants) else controller.with_constants(constants)
