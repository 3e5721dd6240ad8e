"""Trials of targets under perturbations, and the evaluator with their shared simulations and initial states."""

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
    """Result of a trial."""

    succeeded: bool
    recovered: bool
    outcome: Outcome
    """Outcome of the last controller."""
    reason: str
    """Node and reason of the failure."""
    simulated_s: float
    """Simulated time, s."""


@dataclass(frozen=True, slots=True)
class Begun:
    """A simulation in the state in which a plan is tested, with active disturbances."""

    simulation: Simulation
    plan: EvaluationPlan
    """Plan of the trial."""
    perturbations: Perturbations
    """Perturbations."""
    pushes: tuple[Push, ...]
    time: float
    """Time of the entry, s."""
    world: Environment
    """Environment of the simulation."""


class Evaluator:
    """Runner of trials, which simulates initial states once for each environment.

    The result of a trial depends on its arguments alone, not on earlier trials.

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
            project: Project with the targets.
            untried: True allows pairs of nodes without an edge.
        """
        self.project = project
        self._untried = untried
        self._plans: _Recent[EvaluationPlan] = _Recent(_ENTRIES)
        self._simulations: _Recent[Simulation] = _Recent(_SIMULATIONS, lambda simulation: simulation.close())
        self._entries: _Recent[InitialState | Failed] = _Recent(_ENTRIES)
        self._homes: _Recent[Environment] = _Recent(_ENTRIES)
        self._durations: _Recent[float] = _Recent(_ENTRIES)

    def close(self) -> None:
        """Free the simulations."""
        self._simulations.clear()

    def __enter__(self) -> Evaluator:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @checked
    def evaluation_plan(self, target: str, preview: TerrainPreview = LEVEL) -> EvaluationPlan:
        """Return the plan of a target on a terrain.

        Args:
            target: Node, edge or path.
            preview: Terrain.

        Raises:
            CtrlGraphError: The target does not exist.
        """
        return self._plans.get(
            (target, preview),
            lambda: evaluation_plan(self.project.graph, target, untried=self._untried, preview=preview),
        )

    @checked
    def trial(self, target: str, fixed: Perturbations, point: Point, index: int, seed: int) -> Trial:
        """Run one trial of a sweep.

        Args:
            target: Node, edge or path.
            fixed: Perturbations of all points.
            point: Values of the axes.
            index: Index of the trial at the point.
            seed: Seed of the sweep.
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
        """Run one trial of a plan.

        Args:
            plan: Plan to run.
            perturbations: Perturbations.
            rng: Random generator of the trial.
            on_entry: Called with the simulation at the entry.
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
        """Bring a simulation to the entry of a plan and activate the disturbances.

        Args:
            plan: Plan to run.
            perturbations: Perturbations.
            rng: Random generator of the trial.
            on_entry: Called with the simulation at the entry.
        """
        environment = self.world(plan, perturbations, rng)
        entry = self.entry(plan, environment)
        if isinstance(entry, Failed):
            return entry
        moment = float(rng.random())
        simulation = self.simulation(environment)
        if not enter(self.project, simulation, entry, perturbations.noise, rng):
            return _blown_up()
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
        """Run test and recovery up to the first failure, and yield each segment with its outcome.

        Args:
            begun: Simulation at the entry.
            make: Returns the rollout of a segment by its index. None: the controllers of the graph.
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
        """Return the environment of a trial.

        On the reference terrain, obstacles vary from trial to trial if there are random perturbations.

        Args:
            plan: Plan of the trial.
            perturbations: Perturbations.
            rng: Random generator of the trial.
        """
        placing = 0
        if perturbations.drawn and has_obstacles(self.project.graph, plan):
            placing = int(rng.integers(len(PLACINGS)))
        return self.home(plan, perturbations.environment, placing)

    def home(self, plan: EvaluationPlan, environment: Environment, placing: int = 0) -> Environment:
        """Return an environment with the obstacles of a plan (see `with_obstacles`).

        It is unchanged if the plan has none, or if the environment has a terrain of its own.

        Args:
            plan: Plan to run.
            environment: Environment to change.
            placing: Index of the placement of obstacles.
        """
        if not has_obstacles(self.project.graph, plan):
            return environment
        return self._homes.get(
            (plan.setup, plan.test, plan.recovery, environment, placing),
            lambda: with_obstacles(self.project.graph, plan, environment, self._reached, placing),
        )

    def entry(self, plan: EvaluationPlan, environment: Environment) -> InitialState | Failed:
        """Return the initial state of a plan's test, or the failure of its setup.

        Args:
            plan: Plan to enter.
            environment: Environment.
        """
        return self._reached(plan.setup, self.home(plan, environment))

    def _reached(self, setup: tuple[Segment, ...], environment: Environment) -> InitialState | Failed:
        return self._entries.get(
            (setup, environment),
            lambda: reach_initial_state(self.project, self.simulation(environment), setup, environment),
        )

    def simulation(self, environment: Environment) -> Simulation:
        """Return a simulation of an environment, in any state."""
        return self._simulations.get(environment, lambda: environment.simulation(self.project.character))

    def duration(self, plan: EvaluationPlan, environment: Environment) -> float:
        """Return the duration to which `phase` refers, s: one undisturbed cycle of a settled gait, or the whole test.

        Args:
            plan: Plan to run.
            environment: Environment.

        Raises:
            CtrlGraphError: The setup fails.
        """

        def measure() -> float:
            entry = self.entry(plan, environment)
            if isinstance(entry, Failed):
                raise CtrlGraphError(f"{plan.target} cannot be reached: {entry.node} {outcome_text(entry.outcome)}")
            simulation = self.simulation(self.home(plan, environment))
            simulation.disturb()
            simulation.restore(entry.state)
            segments = [replace(segment, cycles=1) for segment in plan.test] if plan.cyclic else plan.test
            return sum(run_segment(self.project, simulation, segment, environment).simulated_s for segment in segments)

        return self._durations.get((plan.setup, plan.test, environment), measure)

    def pushes(
        self, simulation: Simulation, plan: EvaluationPlan, perturbations: Perturbations, moment: float
    ) -> list[Push]:
        """Return the pushes of a trial at its entry.

        Args:
            simulation: Simulation at the entry.
            plan: Plan of the trial.
            perturbations: Perturbations.
            moment: Moment of a random push, as a fraction of the test.
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
        angle = math.radians(perturbations.push_angle)
        force = perturbations.push * math.cos(angle), perturbations.push * math.sin(angle)
        character = simulation.character
        link = character.links[character.trunk].name if perturbations.push_link is None else perturbations.push_link
        return [Push(simulation.time + after, perturbations.push_duration, link, *force)]


def check(project: Project, perturbations: Perturbations) -> None:
    """Check that the character has the links that perturbations name.

    Args:
        project: Project with the character.
        perturbations: Perturbations.

    Raises:
        CtrlGraphError: A link does not exist.
    """
    pushed = () if perturbations.push_link is None else (perturbations.push_link,)
    for name in (*pushed, *(name for name, _ in perturbations.mass_of)):
        link_index(project.character, name)


def _blown_up() -> Failed:
    reason = "the simulation diverged because of the noise before the entry"
    return Failed("", Outcome(Status.DIVERGED, reason, None, None, 0.0, 0.0, 0.0, ""))


class _Recent(Generic[T]):
    """A cache that frees the least recently used value."""

    def __init__(self, limit: int, free: Callable[[T], None] = lambda _: None) -> None:
        self._limit, self._free = limit, free
        self._values: OrderedDict[Hashable, T] = OrderedDict()

    def get(self, key: Hashable, make: Callable[[], T]) -> T:
        """Return the value of a key, which is made if it is unknown."""
        if key not in self._values:
            self._values[key] = make()
            while len(self._values) > self._limit:
                self._free(self._values.popitem(last=False)[1])
        self._values.move_to_end(key)
        return self._values[key]

    def clear(self) -> None:
        while self._values:
            self._free(self._values.popitem()[1])
