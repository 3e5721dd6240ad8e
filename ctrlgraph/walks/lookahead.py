"""Look-ahead planner: tries transitions in a copy of the simulation to find a sequence that passes the obstacles ahead.

Simulations are deterministic, so the walk repeats exactly what the copy did. The planner makes a best-first search: it
simulates the transition with the lowest estimated cost next. The estimate is low if the transition promises an early
arrival behind the next obstacles (`walks.transition_costs`). A search simulates at most `MAX_TRIES` transitions of
about three seconds, 30 to 50 times faster than real time. This takes less than ten seconds.
"""

from __future__ import annotations

import heapq
import itertools
import math
from collections import defaultdict
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Self

from ctrlgraph.graph.model import Edge, EdgeKind
from ctrlgraph.graph.random_planner import PlannedTransition
from ctrlgraph.terrain.obstacles import Obstacle
from ctrlgraph.terrain.terrain import SIGHT
from ctrlgraph.walks.transition_costs import ANY_SOURCE, Reached, TransitionCosts

if TYPE_CHECKING:
    from ctrlgraph.project.project import Project
    from ctrlgraph.simulation.environment import Environment
    from ctrlgraph.simulation.simulation import Simulation
    from ctrlgraph.simulation.snapshot import Snapshot

MAX_TRIES = 100
"""Default maximum number of transitions that are simulated for one plan."""
MAX_CYCLES_TRIED = 40
"""Maximum number of choices of the cycles of one edge. A node with a larger range of cycles is sampled evenly.

The limit is needed because a graph can allow ten thousand cycles for each of ten thousand edges.
"""
STRIDE_ON = 1.0
"""Minimum distance forward after which a plan is complete if no obstacle is in sight, m."""
ENOUGH_TRIES = 30
"""Default number of simulated transitions after which a complete plan is not improved any more."""
STALLED_TRIES = 20
"""Number of simulated transitions in succession, none of which led further, after which a search without an obstacle in
sight ends. It is multiplied by the effort.

Such a search finds gaits within a few tries, unless the ground is too steep or too rough for all of them.
"""
FURTHER = 0.5
"""Minimum distance by which a transition leads further than all before it in the same search, m."""
CHECKED_FIRST = 20.0
"""By how much the cost of the transitions that check a plan is lowered, s."""
OTHER_GROUND, LEARNED_LATER = 10.0, 0.5
"""Number of transitions by which a path to a node seems longer with an edge for other ground, and a learned edge."""
FAR_ENOUGH = 4.0
"""Distance forward at which a plan aims if no obstacle is in sight, m."""
NEAR = 5.0
"""Distance within which a plan must pass an obstacle for which the graph has a motion, m.

Other obstacles need a run-up, so that a plan must pass them as soon as they are in sight.
"""
LEVEL_BEHIND = 0.6
"""Minimum distance from the end of a plan to the next obstacle, m. If the distance is smaller, the plan must pass this
obstacle too.
"""
MAX_PATH_TRIES = 16
"""Maximum number of transitions that are simulated to find a path to a node."""
MAX_AT_ONCE = 12
"""Maximum number of obstacles that one plan must pass, such as the steps of stairs."""


class SearchInterrupted(Exception):
    """Raised by a search if the function `LookAhead.is_interrupted` returns True."""


@dataclass(frozen=True, slots=True)
class Prospect:
    """A plan of the look-ahead planner: transitions that succeeded in a copy of the simulation, and their result."""

    path: tuple[PlannedTransition, ...]
    """Transitions to take, in this order; empty if none was found."""
    start: float
    """Position x of the centre of mass at the beginning of the plan, m."""
    end: float
    """Position x of the centre of mass at the end of the plan, m."""
    passes: tuple[Obstacle, ...]
    """Obstacles that the plan passes completely."""
    complete: bool
    """Whether the plan passes the goal or the next obstacles or, without obstacles, moves far enough forward."""
    tries: int
    """Number of transitions that the search simulated."""
    failed: str = ""
    """Node, status and reason of the last simulated transition that failed; empty if none failed."""
    exhausted: bool = False
    """Whether no transition was left to simulate, so that a longer search finds nothing else."""

    def sentence(self) -> str:
        """Return the plan as one line of text."""
        path = (
            ", ".join(f"{t.edge.target} x{t.cycles}" if t.cycles > 1 else t.edge.target for t in self.path) or "nothing"
        )
        over = " and ".join(f"the {o.kind} of {o.size:.2f} m at {o.start:.1f} m" for o in self.passes)
        found = f"{self.start:z.1f} m: {path} to {self.end:z.1f} m" + (f", over {over}" if over else "")
        return found + f" ({self.tries} tried)" + ("" if self.complete else ", and no further")


class LookAhead:
    """Planner that tries the transitions of a walk in a separate simulation before the walk takes them.

    The distances that transitions moved are kept for the estimates of later plans. The planner is a context manager
    that frees its simulation at the end.

    Attributes:
        costs: cost estimates of transitions.
        tries: number of transitions simulated so far, for all plans.
        simulated_s: simulated duration of these transitions, s.
        is_interrupted: function that is called before each transition is simulated. If it returns True, the search
            raises `SearchInterrupted`.
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
        self.is_interrupted: Callable[[], bool] = lambda: False

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Free the simulation."""
        self._simulation.close()

    def plan(
        self, node: str, start: Snapshot, goal: float = math.inf, *, effort: int = 1, enough: int = ENOUGH_TRIES
    ) -> Prospect:
        """Search for transitions that pass `goal` or the next obstacles, and return the best plan.

        A plan is complete if it passes `goal` or the next obstacles in sight. If no obstacle is in sight, a complete
        plan moves forward by at least `STRIDE_ON`. If no complete plan is found, the best incomplete plan is returned,
        which can be empty.

        Args:
            node: name of the node that has just ended.
            start: current state of the walk.
            goal: position x that the centre of mass must pass, m; inf for no goal.
            effort: factor of the maximum number of simulated transitions, `MAX_TRIES`.
            enough: number of simulated transitions after which a complete plan is not improved any more.

        Raises:
            SimulationError: the snapshot belongs to another character.
        """
        return _Search(self, node, start, goal).run(effort, enough)

    def succeeds(self, node: str, start: Snapshot, transition: PlannedTransition) -> bool:
        """Try a transition, and return whether it succeeds and ends at least `LEVEL_BEHIND` before the next obstacle.

        Args:
            node: name of the node that has just ended.
            start: current state of the walk.
            transition: transition to try.
        """
        search = _Search(self, node, start, math.inf)
        reached, _ = self._tried(search.origin, transition)
        if reached is None:
            return False
        ahead = reached.preview.ahead
        return ahead is None or ahead.distance >= LEVEL_BEHIND

    def path_to(self, node: str, start: Snapshot, goals: Collection[str]) -> tuple[PlannedTransition, ...]:
        """Search for a path to a node of which all transitions succeed, and return it; empty if none was found.

        Paths with few transitions are tried first. Each node runs for its minimum number of cycles. Edges that require
        an obstacle ahead are not used.

        Args:
            node: name of the node that has just ended.
            start: current state of the walk.
            goals: names of the nodes to one of which the path leads.
        """
        self._simulation.restore(start)
        tries, count = self.tries, itertools.count()
        waiting: list[tuple[float, int, Reached, Edge]] = []

        def put(state: Reached) -> None:
            left = self.costs.hops(state.node, goals)
            for edge in self._graph.planned_edges(state.node):
                hops = self.costs.hops(edge.target, goals)
                if self._graph.take_off(edge) is not None or hops is None or (left and hops > left):
                    continue
                other_ground = OTHER_GROUND * (self._graph.beyond(edge, state.preview) > 0.0)
                cost = len(state.path) + hops + other_ground + LEARNED_LATER * (edge.kind is EdgeKind.LEARNED)
                heapq.heappush(waiting, (cost, next(count), state, edge))

        put(self._reached(node))
        while waiting and self.tries - tries < MAX_PATH_TRIES:
            _, _, state, edge = heapq.heappop(waiting)
            reached, _ = self._tried(state, PlannedTransition(edge, self._graph.node(edge.target).cycles[0]))
            if reached is not None and edge.target in goals:
                return reached.path
            if reached is not None:
                put(reached)
        return ()

    def ends_on_feet(self, prospect: Prospect) -> bool:
        """Return whether a plan ends on the feet, from which few transitions lead to the start node."""
        return not prospect.path or self.costs.is_on_its_feet(prospect.path[-1].edge.target)

    def _reached(
        self, node: str, transition: PlannedTransition | None = None, before: Reached | None = None
    ) -> Reached:
        simulation = self._simulation
        path = () if before is None or transition is None else (*before.path, transition)
        seconds = (
            0.0 if before is None else before.seconds + simulation.time - before.snapshot.step * simulation.settings.dt
        )
        return Reached(path, node, simulation.x, simulation.preview, simulation.snapshot(), before, seconds)

    def _tried(self, state: Reached, transition: PlannedTransition) -> tuple[Reached | None, str]:
        """Simulate a transition from a state of the search.

        Args:
            state: state in which the transition begins.
            transition: the transition.

        Returns:
            The new state and "" or, after a failure, None and the reason of the failure.
        """
        if self.is_interrupted():
            raise SearchInterrupted
        self._simulation.restore(state.snapshot)
        edge = transition.edge
        rollout = self._project.rollout(edge, edge.target, transition.cycles, state.preview, length=self._length)
        outcome = self._simulation.run_rollout(rollout)
        self.tries += 1
        self.simulated_s += outcome.simulated_s
        if not outcome.succeeded:
            return None, f"{edge.target} {outcome.status}" + (f": {outcome.reason}" if outcome.reason else "")
        reached = self._reached(edge.target, transition, state)
        self.costs.strides.note(edge, transition.cycles, reached.x - state.x, outcome.simulated_s)
        return reached, ""


class _Search:
    """A best-first search for one plan, with a queue of transitions that are not simulated yet."""

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
        # obstacles with a motion for them are planned for when they are near; other obstacles need a run-up
        sight = SIGHT if ahead is None or not self._costs.takeoffs_over(ahead) else NEAR
        self._first = first if first is not None and first.start - self.origin.x <= sight else None
        self._end = min(self._end_of_plan(), goal)
        self._waiting: list[tuple[float, int, Reached, PlannedTransition]] = []
        self._count = itertools.count()
        self._best = self.origin
        self._found: Reached | None = None
        self._failed = ""
        self._failed_from: dict[int, int] = defaultdict(int)  # keys: id of a state
        self._failures: dict[tuple[str, str], int] = defaultdict(int)

    def run(self, effort: int, enough: int = ENOUGH_TRIES) -> Prospect:
        """Simulate transitions, those of lowest estimated cost first, and return the best plan.

        The search ends if no other transition promises a faster plan than the complete plan that was found.

        Args:
            effort: factor of `MAX_TRIES` and `STALLED_TRIES`, after which the search ends without a complete plan.
            enough: number of simulated transitions after which a complete plan is not improved any more.
        """
        planner = self._planner
        tries = further_at = planner.tries
        furthest = self.origin.x
        self._put(self.origin)
        while self._waiting:
            used = planner.tries - tries
            if self._first is None and planner.tries - further_at >= effort * STALLED_TRIES:
                break
            if used >= effort * MAX_TRIES or (self._found is not None and used >= enough):
                break
            promised, _, state, transition = heapq.heappop(self._waiting)
            cost = self._cost(state, transition)
            if cost > promised and self._waiting and cost > self._waiting[0][0]:
                self._wait(cost, state, transition)  # its edge has failed since it was queued
                continue
            if self._found is not None and cost >= self._costs.total(self._found, self._end):
                break
            reached, why = planner._tried(state, transition)
            if reached is None:
                self._failed = why
                self._failures[transition.edge.source, transition.edge.target] += 1
                self._failures[ANY_SOURCE, transition.edge.target] += 1
                self._failed_from[id(state)] += 1
                continue
            if reached.x >= furthest + FURTHER:
                furthest, further_at = reached.x, planner.tries
            ends = self._safe(reached)
            if ends is not None and self._merit(ends) > self._merit(self._best):
                self._best = ends
            far = next((each for each in self._completing(reached) if self._is_far_enough(each)), None)
            if far is None:
                self._put(reached)
            elif self._found is None or self._costs.total(far, self._end) < self._costs.total(self._found, self._end):
                self._found = far
        best = self._found or self._best
        passes = tuple(o for o in self._terrain.obstacles if self.origin.x <= o.start and o.end <= best.x)
        complete = self._found is not None
        used = planner.tries - tries
        return Prospect(
            best.path, self.origin.x, best.x, passes, complete, used, self._failed, exhausted=not self._waiting
        )

    def _end_of_plan(self) -> float:
        """Return the position x behind the obstacles that the plan must pass or, without obstacles, some way ahead."""
        if self._first is None:
            return self.origin.x + FAR_ENOUGH
        end: float = self._first.end
        for obstacle in self._terrain.obstacles:
            if self._first.end < obstacle.end and obstacle.start < end + LEVEL_BEHIND:
                end = obstacle.end
        return end

    def _safe(self, state: Reached) -> Reached | None:
        """Return the last state on the path to `state` that is surely not the beginning of a fall; None if none is.

        A static pose and a state past the goal on clear ground are sure. The success of a node is not enough: a gait
        that trips over a stair can end its last cycle with success. The state two transitions earlier is sure, because
        both transitions have succeeded.
        """
        static = self._graph.node(state.node).is_static
        return state if static or self._has_arrived(state) else state.before and state.before.before

    def _has_arrived(self, state: Reached) -> bool:
        """Return whether a state is past the goal and `LEVEL_BEHIND` away from all obstacles, so that it is no fall."""
        obstacles = self._terrain.obstacles
        near = any(o.start - LEVEL_BEHIND < state.x < o.end + LEVEL_BEHIND for o in obstacles)
        return state.x >= self._goal and not near

    def _completing(self, state: Reached) -> Iterator[Reached]:
        """Yield the states on the path to `state`, including `state` itself, in which a complete plan can end.

        A plan can end in `state` if it has arrived (`_has_arrived`) or its node is the start node. It can end two
        transitions before `state`: the two transitions that follow have succeeded, so the character is not falling
        there. One successful transition does not exclude a fall. If these two transitions pass another obstacle, they
        do not show that there is a way past it, because the second one may begin a fall.
        """
        if self._has_arrived(state):
            yield state
        if state.before is not None and state.before.before is not None:
            end = state.before.before
            if self._passed(end) == self._passed(state):
                yield end
        if state.node == self._graph.start:
            yield state

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
        if not self._costs.is_on_its_feet(state.node):
            return False
        return passed >= MAX_AT_ONCE or ahead is None or ahead.distance >= LEVEL_BEHIND

    def _put(self, state: Reached) -> None:
        """Add the transitions out of a state to the queue, which is ordered by cost."""
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
        left = sum(state.x <= obstacle.start and obstacle.end <= self._end for obstacle in self._terrain.obstacles)
        cost = self._costs.cost(state, transition, end=self._end, obstacles=left, failures=self._failures)
        return cost - self._urgency(state)

    def _urgency(self, state: Reached) -> float:
        """Return by how much the cost of transitions out of a state is lower because they check a plan, s.

        A plan that may be complete is checked at once, unless a better one is known.
        """
        first = state if state.before is None or not self._is_far_enough(state.before) else state.before
        if first is self.origin or not self._is_far_enough(first):
            return 0.0
        if self._found is not None and self._costs.total(first, self._end) >= self._costs.total(self._found, self._end):
            return 0.0
        return max(CHECKED_FIRST - 2.0 * self._failed_from[id(state)], 0.0)


def _cycles_within(low: int, high: int) -> list[int]:
    """Return at most `MAX_CYCLES_TRIED` numbers of cycles to try, evenly from `low` to `high`, including both."""
    count = min(high - low + 1, MAX_CYCLES_TRIED)
    return [low + (high - low) * k // max(count - 1, 1) for k in range(count)]
