"""Look-ahead planner: tries transitions in a copy of the simulation to find a sequence that passes the obstacles ahead.

Simulations are deterministic, so the walk repeats exactly what the copy did. The planner searches over simulated
transitions, best first. The cost of an untried transition is an estimate. It is low if the next obstacle is then at a
distance from which a motion can pass it, given the expected distance of the transition's target (`graph.stride`). A
plan simulates at most `MAX_TRIES` transitions of about three seconds, 30 to 50 times faster than real time. This takes
less than ten seconds. Most plans need a few tries.
"""

from __future__ import annotations

import heapq
import itertools
import math
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Self

from ctrlgraph.graph.random_planner import PlannedTransition
from ctrlgraph.terrain.obstacles import Obstacle
from ctrlgraph.terrain.terrain import SIGHT
from ctrlgraph.walks.transition_costs import Reached, TransitionCosts

if TYPE_CHECKING:
    from ctrlgraph.project.project import Project
    from ctrlgraph.simulation.environment import Environment
    from ctrlgraph.simulation.planar_snapshot import Snapshot
    from ctrlgraph.simulation.simulation import Simulation

MAX_TRIES = 100
"""Default of the maximum number of transitions simulated for one plan."""
MAX_CYCLES_TRIED = 40
"""Maximum number of different cycles considered for one edge; wider ranges are sampled evenly.

A graph can allow ten thousand cycles for each of ten thousand edges.
"""
STRIDE_ON = 1.0
"""Minimum distance of a plan without obstacles, m."""
NEAR = 5.0
"""Distance beyond which an obstacle is left to the next plan, m. This applies to obstacles for which the graph has a
motion."""
LEVEL_BEHIND = 0.6
"""Minimum level ground after a plan, m; with less, the plan also passes the next obstacle."""
NEAR_HOME = 2
"""Maximum number of planned edges from the end of a complete plan to the start pose. A path from a lying pose has more
edges."""
MAX_AT_ONCE = 12
"""Maximum number of obstacles that one plan passes, such as a flight of stairs."""


@dataclass(frozen=True, slots=True)
class Prospect:
    """Result of a search."""

    path: tuple[PlannedTransition, ...]
    """Transitions to take."""
    start: float
    """Position at the beginning, m."""
    end: float
    """Position at the end, m."""
    passes: tuple[Obstacle, ...]
    """Obstacles that are passed."""
    complete: bool
    """Whether the plan reaches its goal."""
    tries: int
    """Number of simulated transitions."""
    failed: str = ""
    """Reason of the last failed try; empty if none failed."""

    def sentence(self) -> str:
        """Return the plan as one line of text."""
        path = (
            ", ".join(f"{t.edge.target} x{t.cycles}" if t.cycles > 1 else t.edge.target for t in self.path) or "nothing"
        )
        over = " and ".join(f"the {o.kind} of {o.size:.2f} m at {o.start:.1f} m" for o in self.passes)
        found = f"{self.start:.1f} m: {path} to {self.end:.1f} m" + (f", over {over}" if over else "")
        return found + f" ({self.tries} tried)" + ("" if self.complete else ", and no further")


class LookAhead:
    """Planner that tries the transitions of a walk in its own simulation.

    Learned strides are kept from plan to plan. The planner is a context manager that frees the simulation.
    """

    def __init__(self, project: Project, world: Environment, seed: int) -> None:
        """
        Args:
            project: the project of the walk.
            world: environment of the walk.
            seed: seed of the walk's simulation.
        """
        self._project = project
        self._graph = project.graph
        self._length = world.body.length
        self._simulation: Simulation = world.simulation(project.character, seed, keep_trace=False)
        self.costs = TransitionCosts(project.graph)
        self.tries = 0
        self.simulated_s = 0.0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._simulation.close()

    def plan(self, node: str, start: Snapshot, goal: float = math.inf, *, effort: int = 1) -> Prospect:
        """Return the best plan found.

        A complete plan passes `goal` or the next obstacles in sight. If no obstacle is in sight, it moves forward by at
        least `STRIDE_ON`.

        Args:
            node: node that has just ended.
            start: present state.
            goal: place to go past, m.
            effort: factor by which the maximum number of tries is multiplied.

        Raises:
            SimulationError: the snapshot belongs to another character.
        """
        return _Search(self, node, start, goal).run(effort * MAX_TRIES)

    def succeeds(self, node: str, start: Snapshot, transition: PlannedTransition) -> bool:
        """Return whether a transition would succeed and end with enough room before the next obstacle.

        Args:
            node: node that has just ended.
            start: present state.
            transition: the transition to try.
        """
        search = _Search(self, node, start, math.inf)
        reached, _ = self._tried(search.origin, transition)
        if reached is None:
            return False
        ahead = reached.preview.ahead
        return ahead is None or ahead.distance >= LEVEL_BEHIND

    def _reached(
        self, node: str, transition: PlannedTransition | None = None, before: Reached | None = None, detours: int = 0
    ) -> Reached:
        simulation = self._simulation
        path = () if before is None or transition is None else (*before.path, transition)
        seconds = (
            0.0 if before is None else before.seconds + simulation.time - before.snapshot.step * simulation.settings.dt
        )
        return Reached(path, node, simulation.x, simulation.preview, simulation.snapshot(), before, seconds, detours)

    def _tried(self, state: Reached, transition: PlannedTransition, detours: int = 0) -> tuple[Reached | None, str]:
        """Run a transition from a state; return the new state, or the reason of its failure."""
        self._simulation.restore(state.snapshot)
        edge = transition.edge
        rollout = self._project.rollout(edge, edge.target, transition.cycles, state.preview, length=self._length)
        outcome = self._simulation.run_rollout(rollout)
        self.tries += 1
        self.simulated_s += outcome.simulated_s
        if not outcome.succeeded:
            return None, f"{edge.target} {outcome.status}" + (f": {outcome.reason}" if outcome.reason else "")
        reached = self._reached(edge.target, transition, state, detours)
        self.costs.strides.note(edge, transition.cycles, reached.x - state.x, outcome.simulated_s)
        return reached, ""


class _Search:
    """One search: its goal, the states reached, and a queue of untried transitions."""

    def __init__(self, planner: LookAhead, node: str, start: Snapshot, goal: float) -> None:
        self._planner = planner
        self._graph = planner._graph
        self._costs = planner.costs
        planner._simulation.restore(start)
        self.origin = planner._reached(node)
        self._terrain = planner._simulation.terrain
        self._goal = goal
        first = self._terrain.next_obstacle(self.origin.x)
        ahead = self.origin.preview.ahead
        # an obstacle with a motion for it is planned when it is near; other obstacles need a run-up
        sight = SIGHT if ahead is None or not self._costs.takeoffs_over(ahead) else NEAR
        self._first = first if first is not None and first.start - self.origin.x <= sight else None
        self._waiting: list[tuple[float, int, Reached, PlannedTransition]] = []
        self._count = itertools.count()
        self._best = self.origin
        self._failed = ""
        self._failures: dict[tuple[str, str], int] = defaultdict(int)

    def run(self, max_tries: int) -> Prospect:
        """Try the most promising transitions until a plan is complete, or `max_tries` were tried."""
        planner = self._planner
        tries = planner.tries
        self._put(self.origin)
        complete = False
        while self._waiting and planner.tries - tries < max_tries and not complete:
            promised, _, state, transition = heapq.heappop(self._waiting)
            cost = self._cost(state, transition)
            if cost > promised and self._waiting and cost > self._waiting[0][0]:
                self._wait(cost, state, transition)  # its edge has failed since it was queued
                continue
            detours = state.detours + self._costs.is_detour(state, transition)
            reached, why = planner._tried(state, transition, detours)
            if reached is None:
                self._failed = why
                self._failures[transition.edge.source, transition.edge.target] += 1
                continue
            ends = self._safe(reached)
            if ends is not None and self._merit(ends) > self._merit(self._best):
                self._best = ends
            far = next((each for each in self._completing(reached) if self._is_far_enough(each)), None)
            if far is not None:
                complete, self._best = True, far
            else:
                self._put(reached)
        best = self._best
        passes = tuple(o for o in self._terrain.obstacles if self.origin.x <= o.start and o.end <= best.x)
        return Prospect(best.path, self.origin.x, best.x, passes, complete, planner.tries - tries, self._failed)

    def _safe(self, state: Reached) -> Reached | None:
        """Return the last state up to this one that is not the beginning of a fall.

        Such a state is a static pose, or a state from which a transition has succeeded. A success alone is not enough:
        a walk that trips over a stair ends its last cycle with success.
        """
        static = self._graph.node(state.node).is_static
        return state if static or state.x >= self._goal else state.before

    def _completing(self, state: Reached) -> Iterator[Reached]:
        """Yield the states up to this one that can complete a plan.

        These are states past the goal, the start pose, and states from which two transitions have succeeded. One
        transition is not enough, because a fall can take longer.
        """
        if state.x >= self._goal or state.node == self._graph.start:
            yield state
        if state.before is not None and state.before.before is not None:
            yield state.before.before

    def _passed(self, state: Reached) -> int:
        return sum(self.origin.x <= o.start and o.end <= state.x for o in self._terrain.obstacles)

    def _merit(self, state: Reached) -> float:
        return self._costs.merit(state, self._passed(state))

    def _is_far_enough(self, state: Reached) -> bool:
        if state.x >= self._goal:
            return True
        if self._first is None:
            return state.x >= self.origin.x + STRIDE_ON and self._costs.has_room(state)
        passed = self._passed(state)
        ahead = state.preview.ahead
        if passed == 0:
            return False
        home = self._costs.lead(state.node, self._graph.start)
        if home is None or home[0] > NEAR_HOME:
            return False
        return passed >= MAX_AT_ONCE or ahead is None or ahead.distance >= LEVEL_BEHIND

    def _put(self, state: Reached) -> None:
        """Queue the transitions out of a state by their cost."""
        for transition in self._transitions(state):
            cost = self._cost(state, transition)
            if math.isfinite(cost):
                self._wait(cost, state, transition)

    def _wait(self, cost: float, state: Reached, transition: PlannedTransition) -> None:
        heapq.heappush(self._waiting, (cost, next(self._count), state, transition))

    def _transitions(self, state: Reached) -> Iterator[PlannedTransition]:
        for edge in self._graph.planned_edges(state.node):
            for cycles in _cycles_within(*self._graph.node(edge.target).cycles):
                yield PlannedTransition(edge, cycles)

    def _cost(self, state: Reached, transition: PlannedTransition) -> float:
        edge = transition.edge
        return self._costs.cost(
            state,
            transition,
            passed=self._passed(state),
            failed=self._failures[edge.source, edge.target],
            origin=self.origin.x,
            is_plain=self._first is None,
        )


def _cycles_within(low: int, high: int) -> list[int]:
    """Return the numbers of cycles to consider, including both ends."""
    count = min(high - low + 1, MAX_CYCLES_TRIED)
    return [low + (high - low) * k // max(count - 1, 1) for k in range(count)]
