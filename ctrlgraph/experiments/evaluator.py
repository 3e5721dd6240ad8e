"""One trial of a target under perturbations, and the evaluator that keeps what trials share."""

from __future__ import annotations

import math
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Generic, TypeVar

import numpy as np

from ctrlgraph.arguments import checked
from ctrlgraph.character.scaling import link_index
from ctrlgraph.engine.pushes import Push
from ctrlgraph.errors import CtrlGraphError
from ctrlgraph.experiments.evaluation_plan import EvaluationPlan, Segment, evaluation_plan
from ctrlgraph.experiments.home_ground import PLACINGS, goes_over_obstacles, home_ground
from ctrlgraph.experiments.initial_state import Failed, InitialState, enter, reach_initial_state, run_segment, told
from ctrlgraph.experiments.noise import torque_noise, trial_seed
from ctrlgraph.experiments.perturbation import Perturbations
from ctrlgraph.experiments.sweeps.sweep_log import Point, Trial
from ctrlgraph.simulation.environment import Environment
from ctrlgraph.simulation.outcome import Outcome, Status
from ctrlgraph.simulation.rollout import Rollout
from ctrlgraph.simulation.run import run_rollout
from ctrlgraph.simulation.simulation import Simulation
from ctrlgraph.terrain.profile import LEVEL, TerrainPreview

if TYPE_CHECKING:
    from ctrlgraph.project.project import Project

T = TypeVar("T")

# A simulation holds an engine world, an entry two snapshots of 10 kB.
_SIMULATIONS = 16
_ENTRIES = 256


@dataclass(frozen=True, slots=True)
class Result:
    """How a trial ended: the outcome that decided it and its node, and what was reached."""

    succeeded: bool
    recovered: bool
    outcome: Outcome
    reason: str
    simulated_s: float


@dataclass(frozen=True, slots=True)
class Begun:
    """A simulation in the state from which a plan is tested, at `time` (s), with its disturbances acting; `world` is
    the one that it simulates."""

    simulation: Simulation
    way: EvaluationPlan
    how: Perturbations
    pushes: tuple[Push, ...]
    time: float
    world: Environment


class Evaluator:
    """Runs trials of a project's targets; entry states are simulated once for each world and body.

    What a trial gives depends on its arguments alone, never on the trials before it.

    >>> from ctrlgraph import Evaluator, Project, perturbations
    >>> with Evaluator(Project.find()) as evaluator:
    ...     trial = evaluator.trial("stand", perturbations({"push": 100, "phase": 0.4}), (), index=0, seed=1)
    >>> trial.succeeded, trial.recovered
    (True, True)
    """

    @checked
    def __init__(self, project: Project, *, untried: bool = False) -> None:
        """`untried` lets pairs of nodes without an edge be targets."""
        self.project = project
        self._untried = untried
        self._plans: dict[tuple[str, TerrainPreview], EvaluationPlan] = {}
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
        """Return the plan of a target on some ground.

        Raises:
            CtrlGraphError: the target does not exist.
        """
        if (target, preview) not in self._plans:
            self._plans[target, preview] = evaluation_plan(
                self.project.graph, target, untried=self._untried, preview=preview
            )
        return self._plans[target, preview]

    @checked
    def trial(self, target: str, fixed: Perturbations, point: Point, index: int, seed: int) -> Trial:
        """Trial number `index` of a point of a sweep with this seed."""
        own = trial_seed(seed, target, point, index)
        how = fixed.with_values(point)
        way = self.evaluation_plan(target, how.environment.preview)
        result = self.run(way, how, np.random.default_rng(own))
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
        way: EvaluationPlan,
        how: Perturbations,
        rng: np.random.Generator,
        on_entry: Callable[[Simulation], None] = lambda _: None,
    ) -> Result:
        """Return one trial of a plan; `on_entry` sees the simulation in the state from which it is tested."""
        check(self.project, how)
        begun = self.begin(way, how, rng, on_entry)
        if isinstance(begun, Failed):
            return Result(False, False, begun.outcome, begun.reason, 0.0)
        run = list(self.segments(begun))
        seconds, (last, outcome) = begun.simulation.time - begun.time, run[-1]
        if len(run) <= len(way.test) and not outcome.succeeded:
            return Result(False, False, outcome, outcome.reason, seconds)
        reason = "" if outcome.succeeded else f"then {last.node} {told(outcome)}"
        return Result(True, outcome.succeeded, run[len(way.test) - 1][1], reason, seconds)

    def begin(
        self,
        way: EvaluationPlan,
        how: Perturbations,
        rng: np.random.Generator,
        on_entry: Callable[[Simulation], None] = lambda _: None,
    ) -> Begun | Failed:
        """Bring a simulation to where the plan is tested, and let the disturbances act from there on."""
        environment = self.world(way, how, rng)
        entry = self.entry(way, environment)
        if isinstance(entry, Failed):
            return entry
        moment = float(rng.random())
        simulation = self.simulation(environment)
        if not enter(self.project, simulation, entry, how.noise, rng):
            return _blown_up()
        on_entry(simulation)
        pushes = self.pushes(simulation, way, how, moment)
        noise = None
        if how.actuator_noise:
            seconds = sum(self.project.graph.node(segment.node).timeout for segment in way.test)
            n_joints = len(simulation.character.joints)
            noise = torque_noise(rng, n_joints, simulation.time, seconds, how.actuator_noise)
        simulation.disturb(pushes, noise, how.delay)
        return Begun(simulation, way, how, tuple(pushes), simulation.time, environment)

    def segments(
        self, begun: Begun, make: Callable[[int, Segment], Rollout] | None = None
    ) -> Iterator[tuple[Segment, Outcome]]:
        """Run the test and then the way on, as far as they hold: each segment with its outcome, the last of which
        is the first that fails.

        Args:
            make: what is run for a segment by its number; without it, what the graph has for it.
        """
        simulation, way = begun.simulation, begun.way
        for i, segment in enumerate((*way.test, *way.recovery)):
            if i == len(way.test):
                simulation.disturb(begun.pushes)  # noise and delay are over; a push that has begun is not
            if make is None:
                outcome = run_segment(self.project, simulation, segment, begun.how.environment)
            else:
                outcome = run_rollout(simulation, make(i, segment))
            yield segment, outcome
            if not outcome.succeeded:
                return

    def world(self, way: EvaluationPlan, how: Perturbations, rng: np.random.Generator) -> Environment:
        """Return the world of a trial of a plan: its home ground, on which obstacles are put elsewhere from trial to
        trial where anything else is drawn, too."""
        placing = 0
        if how.drawn and goes_over_obstacles(self.project.graph, way):
            placing = int(rng.integers(len(PLACINGS)))
        return self.home(way, how.environment, placing)

    def home(self, way: EvaluationPlan, environment: Environment, placing: int = 0) -> Environment:
        """Return a world with the obstacles that a plan goes over (see `home_ground`); the world itself where it goes
        over none, or its ground is said already."""
        if not goes_over_obstacles(self.project.graph, way):
            return environment
        key = (way.setup, way.test, way.recovery, environment, placing)
        found = self._homes.get(key)
        if found is None:
            found = home_ground(self.project.graph, way, environment, self._reached, placing)
            self._homes.keep(key, found)
        return found

    def entry(self, way: EvaluationPlan, environment: Environment) -> InitialState | Failed:
        """Return where the plan's test is entered in a world (at home in it), or what fails on the way there."""
        return self._reached(way.setup, self.home(way, environment))

    def _reached(self, setup: tuple[Segment, ...], environment: Environment) -> InitialState | Failed:
        key = (setup, environment)
        entry = self._entries.get(key)
        if entry is None:
            entry = reach_initial_state(self.project, self.simulation(environment), setup, environment)
            self._entries.keep(key, entry)
        return entry

    def simulation(self, environment: Environment) -> Simulation:
        """Return a simulation of this world and body, in whatever state."""

        simulation = self._simulations.get(environment)
        if simulation is None:
            simulation = environment.simulation(self.project.character)
            self._simulations.keep(environment, simulation)
        return simulation

    def duration(self, way: EvaluationPlan, environment: Environment) -> float:
        """Return the seconds that `phase` is a share of: one undisturbed cycle of a settled gait, or the whole test.

        Raises:
            CtrlGraphError: the setup fails in this world.
        """

        def measure() -> float:
            entry = self.entry(way, environment)
            if isinstance(entry, Failed):
                raise CtrlGraphError(f"{way.target} cannot be entered: {entry.node} {told(entry.outcome)}")
            simulation = self.simulation(self.home(way, environment))
            simulation.disturb()
            simulation.restore(entry.state)
            segments = [replace(segment, cycles=1) for segment in way.test] if way.cyclic else way.test
            return sum(run_segment(self.project, simulation, segment, environment).simulated_s for segment in segments)

        key = (way.setup, way.test, environment)
        seconds = self._durations.get(key)
        if seconds is None:
            seconds = measure()
            self._durations.keep(key, seconds)
        return seconds

    def pushes(self, simulation: Simulation, way: EvaluationPlan, how: Perturbations, moment: float) -> list[Push]:
        """Return the push of a trial that is entered now; `moment` is its share of the test where it is drawn."""
        if how.push == 0.0:
            return []
        if how.push_time is not None:
            after = how.push_time
        else:
            # where the state is before the push is kept: to measure the duration is to simulate
            state = simulation.snapshot()
            after = (moment if how.phase is None else how.phase) * self.duration(way, how.environment)
            simulation.disturb()
            simulation.restore(state)
        angle = math.radians(how.push_angle)
        force = how.push * math.cos(angle), how.push * math.sin(angle)
        character = simulation.character
        link = character.links[character.trunk].name if how.push_link is None else how.push_link
        return [Push(simulation.time + after, how.push_duration, link, *force)]


def check(project: Project, how: Perturbations) -> None:
    """Check that the perturbations name links that the character has.

    Raises:
        CtrlGraphError: they do not.
    """
    pushed = () if how.push_link is None else (how.push_link,)
    for name in (*pushed, *(name for name, _ in how.mass_of)):
        link_index(project.character, name)


def _blown_up() -> Failed:
    reason = "the noise before the entry made the state impossible"
    return Failed("", Outcome(Status.DIVERGED, reason, None, None, 0.0, 0.0, 0.0, ""))


class _Recent(Generic[T]):
    """The values that were used last, by key; of a full store the one that was used longest ago is freed."""

    def __init__(self, limit: int, free: Callable[[T], None] = lambda _: None) -> None:
        self._limit, self._free = limit, free
        self._values: OrderedDict[Hashable, T] = OrderedDict()

    def get(self, key: Hashable) -> T | None:
        found = self._values.get(key)
        if found is not None:
            self._values.move_to_end(key)
        return found

    def keep(self, key: Hashable, value: T) -> None:
        self._values[key] = value
        while len(self._values) > self._limit:
            self._free(self._values.popitem(last=False)[1])

    def clear(self) -> None:
        while self._values:
            self._free(self._values.popitem()[1])
