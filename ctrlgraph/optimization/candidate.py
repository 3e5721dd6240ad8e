"""One candidate in one case: the test is simulated with the candidate's constants, and every term measured."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from ctrlgraph.control.script.sequence import Part, offsets
from ctrlgraph.experiments.evaluation_plan import EvaluationPlan, Segment
from ctrlgraph.experiments.evaluator import Begun, Evaluator
from ctrlgraph.experiments.initial_state import Failed, run_segment
from ctrlgraph.experiments.perturbation import Perturbations
from ctrlgraph.optimization.bound_edge import candidate_file, present_file
from ctrlgraph.optimization.problem import Case, LearnedTransition, Problem
from ctrlgraph.optimization.reference_motion import Trajectory, distances, trajectory
from ctrlgraph.optimization.scheduling import Condition, adapted_candidate, adapted_file
from ctrlgraph.optimization.search_space import ByPart, changed
from ctrlgraph.project.controllers import joined
from ctrlgraph.project.rollout import node_rollout
from ctrlgraph.simulation.environment import Environment
from ctrlgraph.simulation.measures import Conditions, broken, overshoot, scaled_conditions
from ctrlgraph.simulation.outcome import Outcome, Status
from ctrlgraph.simulation.rollout import Rollout
from ctrlgraph.simulation.trace import Trace
from ctrlgraph.terrain.profile import LEVEL, TerrainPreview

if TYPE_CHECKING:
    from ctrlgraph.control.controller import Controller
    from ctrlgraph.project.learned import LearnedFile
    from ctrlgraph.project.project import Project
    from ctrlgraph.simulation.simulation import Simulation

STAGE_COST = 10.0
"""Of a controller that was not reached."""

_PATIENCE, _GRACE_S = 2.0, 1.5
"""A controller is given up after so many times what it usually takes, and a little more."""


@dataclass(frozen=True)
class CaseResult:
    """What came of a candidate in a case: `terms` as in problem.TERMS; reason is empty where everything held.

    reached: how many of the test's and the following controllers held, of `stages`; failed: the one that did not;
    physics_s: wall time that the simulation took.
    """

    terms: Mapping[str, float]
    status: str
    reason: str
    failed: str
    reached: int
    stages: int
    simulated_s: float
    place: str = ""
    physics_s: float = field(default=0.0, compare=False)

    @property
    def held(self) -> bool:
        return self.reached == self.stages

    def as_dict(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in self.__dataclass_fields__} | {"terms": dict(self.terms)}


@dataclass
class CandidateEvaluator:
    """An evaluator for one problem, with what its cases share: usual durations and reference motions on each engine.

    What a candidate gives depends on the problem and the candidate alone.
    """

    evaluator: Evaluator
    problem: Problem
    _usual: dict[tuple[EvaluationPlan, str], tuple[float, ...]] = field(default_factory=dict)
    _references: dict[tuple[EvaluationPlan, str], Trajectory | None] = field(default_factory=dict)
    _before: tuple[LearnedFile | None] | None = None
    _written: tuple[ByPart, LearnedFile] | None = None
    _adapted: tuple[ByPart, dict[str, LearnedFile]] | None = None

    def run(self, case: Case, values: ByPart) -> CaseResult:
        """Simulate the case with these values."""
        self.usual(
            case.evaluation_plan, case.how.engine
        )  # may simulate, in the very simulation that is brought to the entry next
        begun = self.evaluator.begin(case.evaluation_plan, case.how, np.random.default_rng(case.seed))
        if isinstance(begun, Failed):
            stages = len(case.evaluation_plan.test) + len(case.evaluation_plan.recovery)
            terms = {"failure": STAGE_COST * stages}
            return CaseResult(terms, begun.outcome.status.value, begun.reason, begun.node, 0, stages, 0.0)
        return self._course(begun, case, values)

    def _course(self, begun: Begun, case: Case, values: ByPart) -> CaseResult:
        evaluation_plan, simulation = case.evaluation_plan, begun.simulation
        usual = self.usual(evaluation_plan, case.how.engine)
        stages = len(evaluation_plan.test) + len(evaluation_plan.recovery)
        environment = case.how.environment

        def make(i: int, segment: Segment) -> Rollout:
            return self._rollout(simulation, segment, i == 0, environment, values, usual[i])

        traces, spent = [], np.zeros(4)
        reached, failure, node = 0, 0.0, ""
        for i, (segment, outcome) in enumerate(self.evaluator.segments(begun, make)):
            spent += np.array(
                [outcome.energy_j, outcome.effort, outcome.saturation * outcome.simulated_s, outcome.wall_s]
            )
            if i < len(evaluation_plan.test):
                traces.append(self._compared(simulation.last_trace, segment) if i == 0 else simulation.last_trace)
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
        reference = self.reference(evaluation_plan, case.how.engine)
        if reference is not None:
            actual = trajectory(Trace.concatenate(traces), simulation.character, simulation.terrain)
            terms |= distances(actual, reference)
        place = "" if outcome.place is None or not node else f"{_file(outcome.place.path)}:{outcome.place.line}"
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

    def _rollout(
        self,
        simulation: Simulation,
        segment: Segment,
        first: bool,
        environment: Environment,
        values: ByPart,
        usual: float,
    ) -> Rollout:
        node = self.evaluator.project.graph.node(segment.node)
        controller = self.controller(segment, values, first, simulation.preview)
        timeout = min(node.timeout_for(segment.cycles), _PATIENCE * usual + _GRACE_S)
        return node_rollout(node, controller, segment.cycles, length=environment.body.length, timeout=timeout)

    def controller(
        self, segment: Segment, values: ByPart, first: bool, preview: TerrainPreview
    ) -> tuple[Controller, int]:
        """Return what a segment is run with, and how often; a test begins with the transition, where one is learned."""
        project, transition = self.evaluator.project, self.problem.transition
        if transition is not None and first:
            return joined_transition(
                project, transition, segment.cycles, values, preview, self._file(transition, values)
            )
        program, cycles = project.edge_controller(segment.edge, segment.node, segment.cycles, preview)
        scripts = values.get("", {})
        if self.problem.on is not None and segment.node in self.problem.adapting:
            file = self._adapted_file(segment.node, values, self.problem.on)
            return adapted_candidate(project, segment.node, file, preview), cycles
        return (changed(program, scripts) if scripts else program), cycles

    def _file(self, transition: LearnedTransition, values: ByPart) -> LearnedFile:
        """What a candidate would be written to; its cases come one after another."""
        project, on = self.evaluator.project, self.problem.on
        if self._written is not None and self._written[0] is values:
            return self._written[1]
        if on is None:
            before = None
        elif self._before is None:
            before = present_file(project, transition)
            self._before = (before,)
        else:
            (before,) = self._before
        self._written = values, candidate_file(project, transition, values, on, before)
        return self._written[1]

    def _adapted_file(self, name: str, values: ByPart, on: Condition) -> LearnedFile:
        """What a candidate for some ground would be written to for a node; its cases come one after another."""
        if self._adapted is None or self._adapted[0] is not values:
            self._adapted = values, {}
        files = self._adapted[1]
        if name not in files:
            project = self.evaluator.project
            adapted = project.graph.node(name).adapted
            before = None if adapted is None else project.resolver.learned(adapted).file
            files[name] = adapted_file(project, name, values.get("", {}), on, before)
        return files[name]

    def _compared(self, trace: Trace, segment: Segment) -> Trace:
        """The part of a segment's motion that is compared with the reference: of a transition, the target's."""
        transition = self.problem.transition
        if transition is None:
            return trace
        first = np.flatnonzero(trace.phase >= target_row(self.evaluator.project, transition, segment.cycles))
        return trace if not len(first) else trace.between(float(trace.time[first[0]]), math.inf)

    def _shortfall(self, outcome: Outcome, segment: Segment, environment: Environment, usual: float) -> float:
        node = self.evaluator.project.graph.node(segment.node)
        success = scaled_conditions(node.conditions, environment.body.length)
        return shortfall(outcome, success, scaled_conditions(node.bounds, environment.body.length), usual)

    def usual(self, evaluation_plan: EvaluationPlan, engine: str) -> tuple[float, ...]:
        """Return how long each segment of a plan takes on an engine as the controllers are now, on level ground, s."""
        if (evaluation_plan, engine) not in self._usual:
            self._measure(evaluation_plan, engine)
        return self._usual[evaluation_plan, engine]

    def reference(self, evaluation_plan: EvaluationPlan, engine: str) -> Trajectory | None:
        """Return the test's motion on an engine as the controllers are now, on level ground; None where it fails."""
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
                    Trace.concatenate(traces), simulation.character, simulation.terrain
                )
        transition = self.problem.transition
        if transition is not None:  # the source's last cycles and the bridge take their time
            usual[0] += 2.0
        self._usual[evaluation_plan, engine] = tuple(usual)

    def _known_good(self, evaluation_plan: EvaluationPlan) -> EvaluationPlan:
        """The plan itself; for a transition that is to be learned, the target as it is usually entered."""
        transition = self.problem.transition
        if transition is None:
            return evaluation_plan
        usual = self.evaluator.evaluation_plan(transition.reference)
        return replace(usual, test=(replace(usual.test[0], cycles=evaluation_plan.test[0].cycles),))


def shortfall(outcome: Outcome, success: Conditions, bounds: Conditions, usual: float) -> float:
    """Return how much of a failed controller was done, 0 to STAGE_COST: half for lasting, half for its conditions.

    A controller that was stopped (out of its bounds, out of time, diverged) gets a part of the first half, by how
    long it lasted; one that ended gets that half and a part of the second, by how far its conditions are from
    holding. So a search always has a slope to follow.
    """
    half, near = 0.5 * STAGE_COST, closeness(outcome.measures, success)
    if outcome.status is Status.FAILED and not broken(outcome.measures, bounds):
        return half + 0.9 * half * near
    lasted = min(1.0, outcome.simulated_s / usual) if usual > 0 else 0.0
    return half * (0.8 * lasted + 0.2 * near)


def closeness(measures: Mapping[str, float], conditions: Conditions) -> float:
    """Return how near all conditions are to holding: 1 where they do, towards 0 with the distance from their ranges."""
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


def joined_transition(
    project: Project,
    transition: LearnedTransition,
    cycles: int,
    values: ByPart,
    preview: TerrainPreview = LEVEL,
    file: LearnedFile | None = None,
) -> tuple[Controller, int]:
    """Return what a transition runs with a candidate's constants on the ground ahead, and how often: what the edge
    will run once the candidate is written.

    `file` is what the candidate would be written to, where that is known.
    """
    return joined(transition.edge, transition_parts(project, transition, cycles, values, preview, file))


def transition_parts(
    project: Project,
    transition: LearnedTransition,
    cycles: int,
    values: ByPart,
    preview: TerrainPreview = LEVEL,
    file: LearnedFile | None = None,
) -> list[Part]:
    """Return the parts of `joined_transition`, one after another."""
    if file is None:
        file = candidate_file(project, transition, values)
    bridge = None
    if transition.bridge is not None:
        bridge = changed(project.compile(project.directory / transition.bridge), values.get("bridge", {}))
    return project.resolver.parts(transition.edge, file, bridge, cycles, preview)


def target_row(project: Project, transition: LearnedTransition, cycles: int) -> int:
    """Return the first row of the target's phases in what `joined_transition` runs for so many cycles."""
    parts = transition_parts(project, transition, cycles, {})
    before = bool(transition.source_cycles) + (transition.bridge is not None)
    return offsets(parts)[before].phases if len(parts) > 1 else 0


def _file(path: str) -> str:
    return path.rpartition("/")[2]
