"""Trials under perturbations, and the evaluator that runs them.

A trial tests a target: a node ("walk"), an edge ("walk->run") or a longer path. Its evaluation plan has three parts:
setup (from the start pose to the initial state), test (the tested nodes) and recovery (on to a static pose). In the
initial state, the setup ends and the test begins. Trials share simulations and initial states where they can.
"""

from __future__ import annotations

import math
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Generic, TypeVar

import numpy as np

from ctrlgraph.arguments import checked
from ctrlgraph.character.scaling import link_index
from ctrlgraph.engine.planar_pushes import Push
from ctrlgraph.errors import CtrlGraphError
from ctrlgraph.robustness.evaluation_plan import EvaluationPlan, Segment, evaluation_plan
from ctrlgraph.robustness.initial_state import (
    Failed,
    InitialState,
    enter,
    outcome_text,
    reach_initial_state,
    run_segment,
)
from ctrlgraph.robustness.noise import torque_noise, trial_seed
from ctrlgraph.robustness.perturbation import Perturbations
from ctrlgraph.robustness.reference_terrain import PLACINGS, has_obstacles, with_obstacles
from ctrlgraph.simulation.environment import Environment
from ctrlgraph.simulation.outcome import Outcome, Status
from ctrlgraph.simulation.rollout import Rollout
from ctrlgraph.simulation.simulation import Simulation
from ctrlgraph.simulation.trial import Point, Trial
from ctrlgraph.terrain.terrain import LEVEL, TerrainPreview

if TYPE_CHECKING:
    from ctrlgraph.project.project import Project

T = TypeVar("T")

# A simulation has an engine world, an initial state two snapshots of 10 kB.
_SIMULATIONS = 16
_ENTRIES = 256


@dataclass(frozen=True, slots=True)
class Result:
    """Result of one trial: whether the tested nodes succeeded, and whether a static pose was reached after them."""

    succeeded: bool
    """True if all tested nodes succeeded."""
    recovered: bool
    """True if the tested nodes succeeded and a static pose was reached after them."""
    outcome: Outcome
    """Outcome of the node that failed before or in the test. Without a failure: outcome of the last tested node."""
    reason: str
    """Why the setup, the test or the recovery failed; empty if none of them did."""
    simulated_s: float
    """Simulated time since the start of the test, s."""


@dataclass(frozen=True, slots=True)
class Begun:
    """A trial at the start of its test: the nodes before the test have run, and the disturbances are active."""

    simulation: Simulation
    """Simulation in the state in which the test begins."""
    plan: EvaluationPlan
    """Evaluation plan of the trial."""
    perturbations: Perturbations
    """Perturbations of the trial."""
    pushes: tuple[Push, ...]
    """Pushes on the character during the test."""
    time: float
    """Time of the simulation at the start of the test, s."""
    world: Environment
    """Environment of the simulation."""


class Evaluator:
    """Runs trials of a project's nodes and edges. Trials that begin in the same state share the simulation up to it.

    The result of a trial depends only on its arguments, not on earlier trials.

    >>> from ctrlgraph import Evaluator, Project, perturbations
    >>> with Evaluator(Project.find()) as evaluator:
    ...     trial = evaluator.trial("stand", perturbations({"push": 100, "phase": 0.4}), (), index=0, seed=1)
    >>> trial.succeeded, trial.recovered
    (True, True)
    """

    @checked
    def __init__(self, project: Project, *, untried: bool = False) -> None:
        """
        Args:
            project: Project whose nodes and edges are tested.
            untried: True also allows targets "a->b" of two nodes without an edge between them.
        """
        self.project = project
        self._untried = untried
        self._plans: _Recent[EvaluationPlan] = _Recent(_ENTRIES)
        self._simulations: _Recent[Simulation] = _Recent(_SIMULATIONS, lambda simulation: simulation.close())
        self._entries: _Recent[InitialState | Failed] = _Recent(_ENTRIES)
        self._homes: _Recent[Environment] = _Recent(_ENTRIES)
        self._durations: _Recent[float] = _Recent(_ENTRIES)

    def close(self) -> None:
        """Free the simulations that the evaluator has kept for further trials."""
        self._simulations.clear()

    def __enter__(self) -> Evaluator:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @checked
    def evaluation_plan(self, target: str, preview: TerrainPreview = LEVEL) -> EvaluationPlan:
        """Return the evaluation plan of a target on a terrain.

        Args:
            target: Node ("walk"), edge ("walk->run") or path.
            preview: Slope and obstacle ahead, which determine the edges that can be used.

        Raises:
            CtrlGraphError: The graph has no such node or edge, or the node cannot be reached from the start node.
        """
        return self._plans.get(
            (target, preview),
            lambda: evaluation_plan(self.project.graph, target, untried=self._untried, preview=preview),
        )

    @checked
    def trial(self, target: str, fixed: Perturbations, point: Point, index: int, seed: int) -> Trial:
        """Run one trial of a sweep and return its result.

        Args:
            target: Node ("walk"), edge ("walk->run") or path.
            fixed: Perturbations that are the same at all points of the sweep.
            point: Point of the sweep: (name, value) of each varied perturbation.
            index: Index of the trial among those at the point.
            seed: Seed of the sweep. Each trial derives its own seed from it.
        """
        own = trial_seed(seed, target, point, index)
        perturbations = fixed.with_values(point)
        plan = self.evaluation_plan(target, perturbations.environment.preview)
        result = self.run(plan, perturbations, np.random.default_rng(own))
        outcome, place = result.outcome, result.outcome.place
        return Trial(
            target=target,
            point=point,
            index=index,
            seed=own,
            succeeded=result.succeeded,
            recovered=result.recovered,
            status=outcome.status.value,
            reason=result.reason,
            phase=outcome.phase,
            script=None if place is None else self.project.relative(place.path),
            line=None if place is None else place.line,
            simulated_s=round(result.simulated_s, 9),
        )

    def run(
        self,
        plan: EvaluationPlan,
        perturbations: Perturbations,
        rng: np.random.Generator,
        on_entry: Callable[[Simulation], None] = lambda _: None,
    ) -> Result:
        """Run one trial of an evaluation plan and return its result.

        Args:
            plan: Evaluation plan to run.
            perturbations: Perturbations of the trial.
            rng: Random generator of the trial.
            on_entry: Called with the simulation before the test begins, unless a node before the test fails.
        """
        check(self.project, perturbations)
        begun = self.begin(plan, perturbations, rng, on_entry)
        if isinstance(begun, Failed):
            return Result(False, False, begun.outcome, begun.reason, 0.0)
        run = list(self.segments(begun))
        seconds, (last, outcome) = begun.simulation.time - begun.time, run[-1]
        if len(run) <= len(plan.test) and not outcome.succeeded:
            return Result(False, False, outcome, outcome.reason, seconds)
        reason = "" if outcome.succeeded else f"then {last.node} {outcome_text(outcome)}"
        return Result(True, outcome.succeeded, run[len(plan.test) - 1][1], reason, seconds)

    def begin(
        self,
        plan: EvaluationPlan,
        perturbations: Perturbations,
        rng: np.random.Generator,
        on_entry: Callable[[Simulation], None] = lambda _: None,
    ) -> Begun | Failed:
        """Bring a simulation to the state in which the test of a plan begins, and activate the disturbances.

        Args:
            plan: Evaluation plan to run.
            perturbations: Perturbations of the trial.
            rng: Random generator of the trial.
            on_entry: Called with the simulation before the disturbances are activated, unless the setup fails.

        Returns:
            The trial at the start of its test, or the failure of a node before the test.
        """
        environment = self.world(plan, perturbations, rng)
        entry = self.entry(plan, environment)
        if isinstance(entry, Failed):
            return entry
        moment = float(rng.random())
        simulation = self.simulation(environment)
        if not enter(self.project, simulation, entry, perturbations.noise, rng):
            reason = "the simulation diverged under the random noise before the start of the test"
            return Failed("", Outcome(Status.DIVERGED, reason, None, None, 0.0, 0.0, 0.0, ""))
        on_entry(simulation)
        pushes = self.pushes(simulation, plan, perturbations, moment)
        noise = None
        if perturbations.actuator_noise:
            seconds = sum(self.project.graph.node(segment.node).timeout for segment in plan.test)
            n_joints = len(simulation.character.joints)
            noise = torque_noise(rng, n_joints, simulation.time, seconds, perturbations.actuator_noise)
        simulation.disturb(pushes, noise, perturbations.delay)
        return Begun(simulation, plan, perturbations, tuple(pushes), simulation.time, environment)

    def segments(
        self, begun: Begun, make: Callable[[int, Segment], Rollout] | None = None
    ) -> Iterator[tuple[Segment, Outcome]]:
        """Run the test and the recovery of a trial, and yield each segment (node to run) with its outcome.

        A segment that fails is the last.

        Args:
            begun: Trial at the start of its test.
            make: Called with a segment's index (0: first of the test) and the segment; returns the rollout to simulate.
                None: the rollouts of the project's graph.
        """
        simulation, plan = begun.simulation, begun.plan
        for i, segment in enumerate((*plan.test, *plan.recovery)):
            if i == len(plan.test):
                simulation.disturb(begun.pushes)  # ends noise and delay, but not a push that has started
            if make is None:
                outcome = run_segment(self.project, simulation, segment, begun.perturbations.environment)
            else:
                outcome = simulation.run_rollout(make(i, segment))
            yield segment, outcome
            if not outcome.succeeded:
                return

    def world(self, plan: EvaluationPlan, perturbations: Perturbations, rng: np.random.Generator) -> Environment:
        """Return the environment of a trial, with an obstacle for each node of the plan that crosses one.

        With random perturbations, sizes and positions of the obstacles are random in each trial. No obstacles are added
        to a terrain that is neither level nor a slope.

        Args:
            plan: Evaluation plan of the trial.
            perturbations: Perturbations of the trial.
            rng: Random generator of the trial.
        """
        placing = 0
        if perturbations.drawn and has_obstacles(self.project.graph, plan):
            placing = int(rng.integers(len(PLACINGS)))
        return self.home(plan, perturbations.environment, placing)

    def home(self, plan: EvaluationPlan, environment: Environment, placing: int = 0) -> Environment:
        """Return an environment with an obstacle for each node of a plan that crosses one (see `with_obstacles`).

        The environment is returned unchanged if no node of the plan crosses an obstacle, or if its terrain is neither
        level ground nor a slope.

        Args:
            plan: Evaluation plan to run.
            environment: Environment to change.
            placing: Index in `PLACINGS` of the sizes and distances of the obstacles.
        """
        if not has_obstacles(self.project.graph, plan):
            return environment
        return self._homes.get(
            (plan.setup, plan.test, plan.recovery, environment, placing),
            lambda: with_obstacles(self.project.graph, plan, environment, self._reached, placing),
        )

    def entry(self, plan: EvaluationPlan, environment: Environment) -> InitialState | Failed:
        """Return the state in which the test of a plan begins, or the failure of the plan's setup.

        Args:
            plan: Evaluation plan whose setup is simulated.
            environment: Environment, to which the obstacles of the plan are added (see `home`).
        """
        return self._reached(plan.setup, self.home(plan, environment))

    def _reached(self, setup: tuple[Segment, ...], environment: Environment) -> InitialState | Failed:
        return self._entries.get(
            (setup, environment),
            lambda: reach_initial_state(self.project, self.simulation(environment), setup, environment),
        )

    def simulation(self, environment: Environment) -> Simulation:
        """Return the simulation of an environment, in the state of its last use: reset it or restore a state first."""
        return self._simulations.get(environment, lambda: environment.simulation(self.project.character))

    def duration(self, plan: EvaluationPlan, environment: Environment) -> float:
        """Return the undisturbed duration of a test, or of one cycle of a gait, s.

        The perturbation `phase` is the start of a push as a fraction of this duration.

        Args:
            plan: Evaluation plan of the test.
            environment: Environment, to which the obstacles of the plan are added (see `home`).

        Raises:
            CtrlGraphError: A node of the setup fails.
        """

        def measure() -> float:
            entry = self.entry(plan, environment)
            if isinstance(entry, Failed):
                raise CtrlGraphError(f"{plan.target} cannot be tested, because a node before it fails: {entry.reason}")
            simulation = self.simulation(self.home(plan, environment))
            simulation.disturb()
            simulation.restore(entry.state)
            segments = [replace(segment, cycles=1) for segment in plan.test] if plan.cyclic else plan.test
            return sum(run_segment(self.project, simulation, segment, environment).simulated_s for segment in segments)

        return self._durations.get((plan.setup, plan.test, environment), measure)

    def pushes(
        self, simulation: Simulation, plan: EvaluationPlan, perturbations: Perturbations, moment: float
    ) -> list[Push]:
        """Return the pushes of a trial: one, or none if `perturbations.push` is 0.

        Args:
            simulation: Simulation at the start of the test. Its state is unchanged.
            plan: Evaluation plan of the trial.
            perturbations: Perturbations of the trial.
            moment: Start of the push as a fraction (0 to 1) of `duration`, used if `perturbations` sets no time.
        """
        if perturbations.push == 0.0:
            return []
        if perturbations.push_time is not None:
            after = perturbations.push_time
        else:
            # saves the state, since measuring the duration simulates
            state = simulation.snapshot()
            after = (moment if perturbations.phase is None else perturbations.phase) * self.duration(
                plan, perturbations.environment
            )
            simulation.disturb()
            simulation.restore(state)
        angle, yaw = math.radians(perturbations.push_angle), math.radians(perturbations.push_yaw)
        level = perturbations.push * math.cos(angle)
        force = level * math.cos(yaw), perturbations.push * math.sin(angle), level * math.sin(yaw)
        character = simulation.character
        link = character.links[character.trunk].name if perturbations.push_link is None else perturbations.push_link
        return [Push(simulation.time + after, perturbations.push_duration, link, *force)]


def check(project: Project, perturbations: Perturbations) -> None:
    """Check that the character has the links that perturbations push or make heavier or lighter.

    Args:
        project: Project with the character.
        perturbations: Perturbations to check.

    Raises:
        CtrlGraphError: A link named by `push_link` or `mass.LINK` is not in the character.
    """
    pushed = () if perturbations.push_link is None else (perturbations.push_link,)
    for name in (*pushed, *(name for name, _ in perturbations.mass_of)):
        link_index(project.character, name)


class _Recent(Generic[T]):
    """A cache of a limited number of values. When it is full, the least recently used value is freed."""

    def __init__(self, limit: int, free: Callable[[T], None] = lambda _: None) -> None:
        self._limit, self._free = limit, free
        self._values: OrderedDict[Hashable, T] = OrderedDict()

    def get(self, key: Hashable, make: Callable[[], T]) -> T:
        """Return the value of a key. If the cache does not have the key, `make` creates the value."""
        if key not in self._values:
            self._values[key] = make()
            while len(self._values) > self._limit:
                self._free(self._values.popitem(last=False)[1])
        self._values.move_to_end(key)
        return self._values[key]

    def clear(self) -> None:
        while self._values:
            self._free(self._values.popitem()[1])
