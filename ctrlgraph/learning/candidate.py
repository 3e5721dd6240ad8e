"""Evaluation of one candidate (values of parameters) in one case: simulate its constants, measure the cost terms."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ctrlgraph.learning.learned_edges import candidate_file, joined_transition, present_file
from ctrlgraph.learning.problem import Case, LearnedTransition, Problem
from ctrlgraph.learning.scheduling import Condition, adapted_candidate, adapted_file
from ctrlgraph.learning.search_space import ByPart, changed
from ctrlgraph.project.rollout import node_rollout
from ctrlgraph.robustness.evaluation_plan import EvaluationPlan, Segment
from ctrlgraph.robustness.evaluator import Evaluator
from ctrlgraph.robustness.initial_state import Failed, run_segment
from ctrlgraph.robustness.perturbation import Perturbations
from ctrlgraph.simulation.environment import Environment
from ctrlgraph.simulation.measures import Conditions, broken, overshoot, scaled_conditions
from ctrlgraph.simulation.outcome import Outcome, Status
from ctrlgraph.simulation.recording.base_trace import BaseTrace
from ctrlgraph.simulation.rollout import Rollout
from ctrlgraph.terrain.terrain import TerrainPreview

if TYPE_CHECKING:
    from ctrlgraph.character.model import Character
    from ctrlgraph.control.controller import Controller
    from ctrlgraph.project.learned import LearnedFile
    from ctrlgraph.terrain.spatial.spatial_terrain import SpatialTerrain
    from ctrlgraph.terrain.terrain import Terrain

STAGE_COST = 10.0
"""Cost of each controller of an evaluation plan that did not run because an earlier controller failed."""

_PATIENCE, _GRACE_S = 2.0, 1.5
"""Timeout of a controller: `_PATIENCE` times its usual duration, plus `_GRACE_S`, s."""


@dataclass(frozen=True)
class CaseResult:
    """Result of simulating one candidate (values of the parameters) in one case (plan under perturbations)."""

    terms: Mapping[str, float]
    """Values of the cost terms by name, without weights (see `problem.TERMS`)."""
    status: str
    """Why the last simulated controller ended (see `simulation.outcome.Status`); "crashed" if worker processes died."""
    reason: str
    """Reason of the failure, empty if all controllers succeeded."""
    failed: str
    """Node whose controller failed, empty if none failed or if the failure has no single node."""
    reached: int
    """Number of controllers that succeeded in the test and in the recovery after the test."""
    stages: int
    """Number of controllers that should run: those of the test and of the recovery after the test."""
    simulated_s: float
    """Simulated time of test and recovery, s."""
    place: str = ""
    """Line of the script in which the failed controller ended, as FILE:LINE, empty if unknown."""
    physics_s: float = field(default=0.0, compare=False)
    """Wall time of the simulation, s."""

    @property
    def succeeded(self) -> bool:
        """True if all controllers of the test and of the recovery after it succeeded."""
        return self.reached == self.stages


@dataclass
class CandidateEvaluator:
    """Simulates candidates (values of the parameters) in the cases of one search problem.

    It caches the durations and the motion with the original constants, for each evaluation plan and engine. Results
    depend only on the search problem and the candidate.
    """

    evaluator: Evaluator
    """Evaluator that simulates the cases."""
    problem: Problem
    """Search problem with the cases."""
    _usual: dict[tuple[EvaluationPlan, str], tuple[float, ...]] = field(default_factory=dict)
    _references: dict[tuple[EvaluationPlan, str], Trajectory | None] = field(default_factory=dict)
    _files: tuple[ByPart, dict[str, LearnedFile]] = field(default_factory=lambda: ({}, {}))

    def run(self, case: Case, values: ByPart) -> CaseResult:
        """Simulate a candidate in a case, and return its cost terms and success.

        Args:
            case: Evaluation plan and perturbations to simulate.
            values: Constants of the candidate, by part of the transition and parameter id.
        """
        evaluation_plan, environment = case.evaluation_plan, case.perturbations.environment
        stages = len(evaluation_plan.test) + len(evaluation_plan.recovery)
        usual = self.usual(evaluation_plan, case.perturbations.engine)  # may simulate, so it precedes `begin`
        begun = self.evaluator.begin(evaluation_plan, case.perturbations, np.random.default_rng(case.seed))
        if isinstance(begun, Failed):
            failed = {"failure": STAGE_COST * stages}
            return CaseResult(failed, begun.outcome.status.value, begun.reason, begun.node, 0, stages, 0.0)
        simulation = begun.simulation

        def make(i: int, segment: Segment) -> Rollout:
            node = self.evaluator.project.graph.node(segment.node)
            controller = self.controller(segment, values, i == 0, simulation.preview)
            timeout = _PATIENCE * usual[i] + _GRACE_S
            return node_rollout(node, controller, segment.cycles, length=environment.body.length, timeout=timeout)

        traces, spent = [], np.zeros(4)
        reached, failure, node = 0, 0.0, ""
        for i, (segment, outcome) in enumerate(self.evaluator.segments(begun, make)):
            spent += np.array(
                [outcome.energy_j, outcome.effort, outcome.saturation * outcome.simulated_s, outcome.wall_s]
            )
            if i < len(evaluation_plan.test):
                traces.append(simulation.judged_trace)
            if outcome.succeeded:
                reached += 1
            else:
                node = segment.node
                failure = STAGE_COST * (stages - i) - self._shortfall(outcome, segment, environment, usual[i])
        seconds = simulation.time - begun.time
        terms = {
            "failure": failure,
            "time": seconds,
            "energy": spent[0] / 1e3,
            "effort": spent[1] / 1e4,
            "saturation": spent[2] / seconds if seconds > 0 else 0.0,
        }
        reference = self.reference(evaluation_plan, case.perturbations.engine)
        if reference is not None:
            actual = trajectory(type(traces[0]).concatenate(traces), simulation.character, simulation.terrain)
            terms |= distances(actual, reference)
        place = ""
        if outcome.place is not None and node:
            place = f"{outcome.place.path.rpartition('/')[2]}:{outcome.place.line}"
        return CaseResult(
            terms={name: float(value) for name, value in terms.items()},
            status=outcome.status.value,
            reason=outcome.reason,
            failed=node,
            reached=reached,
            stages=stages,
            simulated_s=seconds,
            place=place,
            physics_s=float(spent[3]),
        )

    def controller(
        self, segment: Segment, values: ByPart, first: bool, preview: TerrainPreview
    ) -> tuple[Controller, int]:
        """Return the controller of a segment with the constants of a candidate, and the number of cycles to run it.

        If the problem is a transition to learn, the first segment of the test runs that transition.

        Args:
            segment: Node of the test or the recovery, with its edge and cycles.
            values: Constants of the candidate, by part of the transition and parameter id.
            first: True for the first segment of the test.
            preview: Terrain ahead of the character.
        """
        project, transition = self.evaluator.project, self.problem.transition
        if transition is not None and first:
            file = self._file(transition, values)
            return joined_transition(project, transition, segment.cycles, values, preview, file)
        program, cycles = project.edge_controller(segment.edge, segment.node, segment.cycles, preview)
        scripts = values.get("", {})
        if self.problem.on is not None and segment.node in self.problem.adapting:
            file = self._adapted_file(segment.node, values, self.problem.on)
            return adapted_candidate(project, segment.node, file, preview), cycles
        return (changed(program, scripts) if scripts else program), cycles

    def _file(self, transition: LearnedTransition, values: ByPart) -> LearnedFile:
        """Return the contents of a learned file for the transition, with the constants of a candidate."""
        project, on = self.evaluator.project, self.problem.on
        return self._cached(values, "", lambda: candidate_file(project, transition, values, on, self._present))

    @functools.cached_property
    def _present(self) -> LearnedFile | None:
        """File of the learned edge that the graph has already, whose constants for other terrain are kept."""
        transition, on = self.problem.transition, self.problem.on
        return None if transition is None or on is None else present_file(self.evaluator.project, transition)

    def _adapted_file(self, name: str, values: ByPart, on: Condition) -> LearnedFile:
        """Return the contents of a learned file for a gain-scheduled node, with the constants of a candidate.

        Args:
            name: Name of the node.
            values: Constants of the candidate, by part of the transition and parameter id.
            on: Scheduling variable and the value for which the constants are searched.
        """
        project = self.evaluator.project

        def made() -> LearnedFile:
            adapted = project.graph.node(name).adapted
            before = None if adapted is None else project.resolver.learned(adapted).file
            return adapted_file(project, name, values.get("", {}), on, before)

        return self._cached(values, name, made)

    def _cached(self, values: ByPart, name: str, make: Callable[[], LearnedFile]) -> LearnedFile:
        """Return a learned file of a candidate, from the cache if it was made for an earlier case of the candidate.

        Args:
            values: Constants of the candidate. The same object means the same candidate.
            name: Key of the file in the cache.
            make: Creates the file if it is not in the cache.
        """
        if self._files[0] is not values:
            self._files = values, {}
        if name not in self._files[1]:
            self._files[1][name] = make()
        return self._files[1][name]

    def _shortfall(self, outcome: Outcome, segment: Segment, environment: Environment, usual: float) -> float:
        node = self.evaluator.project.graph.node(segment.node)
        success = scaled_conditions(node.conditions, environment.body.length)
        return shortfall(outcome, success, scaled_conditions(node.bounds, environment.body.length), usual)

    def usual(self, evaluation_plan: EvaluationPlan, engine: str) -> tuple[float, ...]:
        """Return the duration of each segment of test and recovery with the original constants, s.

        For a segment that fails, or that is not reached, it is the timeout of the node. For a transition to learn, the
        first duration also includes the expected time of the source cycles and the bridging script.

        Args:
            evaluation_plan: Plan to simulate on level ground, with obstacles for nodes that cross them.
            engine: Name of the engine.
        """
        if (evaluation_plan, engine) not in self._usual:
            self._measure(evaluation_plan, engine)
        return self._usual[evaluation_plan, engine]

    def reference(self, evaluation_plan: EvaluationPlan, engine: str) -> Trajectory | None:
        """Return the motion of the test with the original constants, or None if the test fails.

        For a transition to learn, it is the motion of the target after `LearnedTransition.reference`, an existing edge.

        Args:
            evaluation_plan: Plan to simulate on level ground, with obstacles for nodes that cross them.
            engine: Name of the engine.
        """
        if (evaluation_plan, engine) not in self._references:
            self._measure(evaluation_plan, engine)
        return self._references[evaluation_plan, engine]

    def _measure(self, evaluation_plan: EvaluationPlan, engine: str) -> None:
        evaluator, level = self.evaluator, Perturbations(engine=engine).environment
        known = self._known_good(evaluation_plan)
        usual = [
            evaluator.project.graph.node(segment.node).timeout
            for segment in (*evaluation_plan.test, *evaluation_plan.recovery)
        ]
        self._references[evaluation_plan, engine] = None
        home = evaluator.home(known, level)
        entry = evaluator.entry(known, home)
        if not isinstance(entry, Failed):
            simulation = evaluator.simulation(home)
            simulation.disturb()
            simulation.restore(entry.state)
            traces = []
            for i, segment in enumerate((*known.test, *known.recovery)):
                outcome = run_segment(evaluator.project, simulation, segment, level)
                if not outcome.succeeded:
                    break
                usual[i] = outcome.simulated_s
                if i < len(known.test):
                    traces.append(simulation.last_trace)
            if len(traces) == len(known.test):
                self._references[evaluation_plan, engine] = trajectory(
                    type(traces[0]).concatenate(traces), simulation.character, simulation.terrain
                )
        transition = self.problem.transition
        if transition is not None:
            usual[0] += transition.before_s
        self._usual[evaluation_plan, engine] = tuple(usual)

    def _known_good(self, evaluation_plan: EvaluationPlan) -> EvaluationPlan:
        """Return the plan that shows the usual motion of the tested nodes.

        It is `evaluation_plan` itself, or for a transition to learn a plan that enters the target by the existing edge
        `LearnedTransition.reference`.
        """
        transition = self.problem.transition
        if transition is None:
            return evaluation_plan
        usual = self.evaluator.evaluation_plan(transition.reference)
        return replace(usual, test=(replace(usual.test[0], cycles=evaluation_plan.test[0].cycles),))


def shortfall(outcome: Outcome, success: Conditions, bounds: Conditions, usual: float) -> float:
    """Return the partial success of a failed controller, from 0 to `STAGE_COST`, which is subtracted from its cost.

    One half is for the duration, one half for the success conditions. A controller that was stopped early (out of
    bounds, timeout, diverged) gets part of the first half: most of it by its duration, the rest by how nearly its
    conditions were met. A controller that ended gets the first half and part of the second half, by how nearly its
    conditions were met. A small improvement of a failing candidate therefore always lowers the cost.

    Args:
        outcome: Outcome of the failed controller.
        success: Required range (low, high) of measures at the end, by name of the measure.
        bounds: Required range of measures during the whole motion, by name of the measure.
        usual: Duration of the controller with the original constants, s.
    """
    half, near = 0.5 * STAGE_COST, closeness(outcome.measures, success)
    if outcome.status is Status.FAILED and not broken(outcome.measures, bounds):
        return half + 0.9 * half * near
    lasted = min(1.0, outcome.simulated_s / usual) if usual > 0 else 0.0
    return half * (0.8 * lasted + 0.2 * near)


def closeness(measures: Mapping[str, float], conditions: Conditions) -> float:
    """Return how nearly conditions are met: the mean over all conditions, from 0 (far from met) to 1 (all are met).

    A measure that is missing or not finite counts as 0.

    Args:
        measures: Values of the measures by name.
        conditions: Required range (low, high) of each measure.
    """
    if not conditions:
        return 1.0
    total = 0.0
    for name, (low, high) in conditions.items():
        value = measures.get(name, math.nan)
        if not math.isfinite(value):
            continue
        outside = abs(overshoot(name, value, low, high))
        width = high - low if math.isfinite(high - low) else 1.0
        scale = max(0.5 * width, 0.25 * max(abs(low) if math.isfinite(low) else 0.0, 0.2))
        total += 1.0 / (1.0 + outside / scale)
    return total / len(conditions)


FloatArray = NDArray[np.float64]


@dataclass(frozen=True)
class Trajectory:
    """A motion as n samples at equal time intervals, for the comparison of two motions."""

    com: FloatArray
    """Position of the centre of mass from the point of the ground under its first position, (n, 2) or (n, 3), m."""
    trunk: FloatArray
    """Orientation of the trunk in the world: its angle, (n,), rad, or quaternions, (n, 4)."""
    joints: FloatArray
    """Joint angles, (n, J), rad."""
    step: float
    """Sampling interval, s."""


def trajectory(trace: BaseTrace, character: Character, terrain: Terrain | SpatialTerrain) -> Trajectory:
    """Extract the trajectory of a recorded motion. Orientations are in the world frame, not relative to a slope.

    Args:
        trace: Recorded motion.
        character: Character that moved.
        terrain: Terrain on which it moved.
    """
    start = trace.com[0].copy()
    start[-1] = terrain.height(*start[:-1])
    step = float(np.median(np.diff(trace.time))) if len(trace) > 1 else 0.01
    return Trajectory(trace.com - start, trace.rotation(character.trunk), trace.joint_angles(character), step)


def distances(actual: Trajectory, desired: Trajectory) -> dict[str, float]:
    """Return the cost terms "com", "trunk" and "joints": squared distances of two motions, integrated over time.

    They are F1, F2 and F3 of Firmin 2014 (section 6.2.2), up to the end of the shorter motion. Firmin sums over time
    steps; the integrals here do not depend on the sampling interval.

    Args:
        actual: Motion of the candidate.
        desired: Reference motion.
    """
    n = min(len(actual.trunk), len(desired.trunk))
    step = desired.step
    return {
        "com": float(((actual.com[:n] - desired.com[:n]) ** 2).sum()) * step,
        "trunk": float((_turns_between(actual.trunk[:n], desired.trunk[:n]) ** 2).sum()) * step,
        "joints": float(((actual.joints[:n] - desired.joints[:n]) ** 2).sum()) * step,
    }


def _turns_between(actual: FloatArray, desired: FloatArray) -> FloatArray:
    """Return the angles between two sequences of orientations, (n,), rad; see `Trajectory.trunk`."""
    if actual.ndim == 2:
        return np.asarray(2.0 * np.arccos(np.minimum(np.abs((actual * desired).sum(axis=1)), 1.0)))
    # full turns do not count as a difference
    turns = 2 * np.pi * np.round((actual[0] - desired[0]) / (2 * np.pi)) if actual.size else 0.0
    return actual - turns - desired
