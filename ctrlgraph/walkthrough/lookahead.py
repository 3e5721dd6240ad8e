"""The planner that looks ahead: it tries transitions in a copy of the simulation, and takes those that pass what lies
ahead.

A simulation is deterministic, and a snapshot of it goes on bit for bit: what a copy did, the walk will do. So the
planner searches over simulated transitions, best first. A transition that was not tried yet stands in the order by
what it promises: the way that its target is expected to go (`graph.stride`) should leave the next obstacle as far
ahead as a motion that takes it wants it. What it costs is that simulating: some thirtieth to fiftieth of the
simulated time on one core, for `MAX_TRIES` transitions of some three seconds at most, which is less than ten seconds
for a plan; most plans take a few tries.
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
from ctrlgraph.simulation.run import run_rollout
from ctrlgraph.terrain.obstacles import Obstacle
from ctrlgraph.terrain.profile import SIGHT
from ctrlgraph.walkthrough.way_costs import Reached, WayCosts

if TYPE_CHECKING:
    from types import TracebackType

    from ctrlgraph.project.project import Project
    from ctrlgraph.simulation.environment import Environment
    from ctrlgraph.simulation.simulation import Simulation
    from ctrlgraph.simulation.snapshot import Snapshot

MAX_TRIES = 100
"""Transitions that are simulated for one plan, at most."""
MAX_CYCLES_TRIED = 40
"""So many numbers of cycles of one edge are thought of, at most: of a wider range, ones evenly spaced. A graph may
allow ten thousand, for each of ten thousand edges."""
STRIDE_ON = 1.0
"""Where nothing stands in the way, a plan goes on at least so far, m."""
NEAR = 5.0
"""An obstacle further away than this is left to the next plan, where the graph has a motion for it, m."""
LEVEL_BEHIND = 0.6
"""A plan that leaves less plain ground before the next obstacle goes on to pass that one, too, m."""
NEAR_HOME = 2
"""So many planned edges at most lead from where a plan is complete to the start pose: who lies is further away."""
MAX_AT_ONCE = 12
"""Obstacles that one plan passes, at most: the stairs of a flight follow each other."""


@dataclass(frozen=True, slots=True)
class Prospect:
    """What a search has found.

    path: transitions to take; end: where they lead, m; passes: the obstacles on the way; complete: it gets as far as
    was wanted; tries: transitions that were simulated; simulated_s: for so long; failed: why the last one tried
    before the nearest obstacle did not succeed, empty where none failed.
    """

    path: tuple[PlannedTransition, ...]
    start: float
    end: float
    passes: tuple[Obstacle, ...]
    complete: bool
    tries: int
    simulated_s: float
    failed: str = ""

    def sentence(self) -> str:
        """Return what was chosen, in one line."""
        way = (
            ", ".join(f"{t.edge.target} x{t.cycles}" if t.cycles > 1 else t.edge.target for t in self.path) or "nothing"
        )
        over = " and ".join(f"the {o.kind} of {o.size:.2f} m at {o.start:.1f} m" for o in self.passes)
        found = f"{self.start:.1f} m: {way} to {self.end:.1f} m" + (f", over {over}" if over else "")
        return found + f" ({self.tries} tried)" + ("" if self.complete else ", and no further")


class LookAhead:
    """Plans transitions of a walk by trying them in a simulation of its own.

    What it learns of strides it keeps from plan to plan. A context manager: the simulation is freed at its end.
    """

    def __init__(self, project: Project, world: Environment, seed: int, *, max_tries: int = MAX_TRIES) -> None:
        self._project = project
        self._graph = project.graph
        self._length = world.body.length
        self._simulation: Simulation = world.simulation(project.character, seed, keep_trace=False)
        self._max_tries = max_tries
        self.costs = WayCosts(project.graph)
        self.tries = 0
        self.simulated_s = 0.0

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._simulation.close()

    def plan(self, node: str, start: Snapshot, goal: float = math.inf, *, effort: int = 1) -> Prospect:
        """Return the best way on from a state in which `node` has ended: past the next obstacle in sight and those that
        follow closely, or past `goal` (m), or where nothing is in sight, some way on.

        effort: so many times as many transitions are tried, at most.

        Raises:
            SimulationError: the snapshot is of another character.
        """
        return _Search(self, node, start, goal).run(effort * self._max_tries)

    def try_out(self, node: str, start: Snapshot, transition: PlannedTransition) -> bool:
        """Tell whether a transition would succeed, and not end too near to an obstacle for anything to be done."""
        search = _Search(self, node, start, math.inf)
        reached, _ = self._tried(search.origin, transition)
        if reached is None:
            return False
        ahead = reached.preview.ahead
        return ahead is None or ahead.distance >= LEVEL_BEHIND

    def _here(
        self,
        node: str,
        transition: PlannedTransition | None = None,
        before: Reached | None = None,
        detours: int = 0,
    ) -> Reached:
        simulation = self._simulation
        path = () if before is None or transition is None else (*before.path, transition)
        seconds = (
            0.0 if before is None else before.seconds + simulation.time - before.snapshot.step * simulation.settings.dt
        )
        return Reached(path, node, simulation.x, simulation.preview, simulation.snapshot(), before, seconds, detours)

    def _tried(self, state: Reached, transition: PlannedTransition, detours: int = 0) -> tuple[Reached | None, str]:
        """Run a transition from a state: where it leads, or why it failed."""
        self._simulation.restore(state.snapshot)
        edge = transition.edge
        rollout = self._project.rollout(edge, edge.target, transition.cycles, state.preview, length=self._length)
        outcome = run_rollout(self._simulation, rollout)
        self.tries += 1
        self.simulated_s += outcome.simulated_s
        if not outcome.succeeded:
            return None, f"{edge.target} {outcome.status}" + (f": {outcome.reason}" if outcome.reason else "")
        reached = self._here(edge.target, transition, state, detours)
        self.costs.strides.note(edge, transition.cycles, reached.x - state.x, outcome.simulated_s)
        return reached, ""


class _Search:
    """One search: what it wants, what it has reached, and what it could try next."""

    def __init__(self, planner: LookAhead, node: str, start: Snapshot, goal: float) -> None:
        self._planner = planner
        self._graph = planner._graph
        self._costs = planner.costs
        planner._simulation.restore(start)
        self.origin = planner._here(node)
        self._terrain = planner._simulation.terrain
        self._goal = goal
        first = self._terrain.next_obstacle(self.origin.x)
        ahead = self.origin.preview.ahead
        # what is made for an obstacle is chosen when it is near; what nothing is made for needs its run-up
        sight = SIGHT if ahead is None or not self._costs.takeoffs_over(ahead) else NEAR
        self._first = first if first is not None and first.start - self.origin.x <= sight else None
        self._waiting: list[tuple[float, int, Reached, PlannedTransition]] = []
        self._count = itertools.count()
        self._best = self.origin
        self._failed = ""
        self._failures: dict[tuple[str, str], int] = defaultdict(int)

    def run(self, max_tries: int) -> Prospect:
        """Try what promises most until something does what is wanted, or `max_tries` transitions were tried."""
        planner = self._planner
        tries, simulated = planner.tries, planner.simulated_s
        self._put(self.origin)
        complete = False
        while self._waiting and planner.tries - tries < max_tries and not complete:
            promised, _, state, transition = heapq.heappop(self._waiting)
            cost = self._cost(state, transition)
            if cost > promised and self._waiting and cost > self._waiting[0][0]:
                self._wait(cost, state, transition)  # since it was queued, the like of it has failed
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
            far = next((each for each in self._going_on(reached) if self._is_far_enough(each)), None)
            if far is not None:
                complete, self._best = True, far
            else:
                self._put(reached)
        best = self._best
        passes = tuple(o for o in self._terrain.obstacles if self.origin.x <= o.start and o.end <= best.x)
        return Prospect(
            best.path,
            self.origin.x,
            best.x,
            passes,
            complete,
            planner.tries - tries,
            planner.simulated_s - simulated,
            self._failed,
        )

    def _safe(self, state: Reached) -> Reached | None:
        """Return the last state up to this one that is no fall in the making: a pose at rest, or one from which
        something has succeeded. A walk that trips over a stair ends its last cycle with success."""
        static = self._graph.node(state.node).is_static
        return state if static or state.x >= self._goal else state.before

    def _going_on(self, state: Reached) -> Iterator[Reached]:
        """Yield the states up to this one with which a plan may be complete: past the goal, the start pose, or one from
        which two transitions have succeeded. A fall may take longer than one of them."""
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
        """Queue the transitions out of a state by what they promise."""
        for transition in self._transitions(state):
            cost = self._cost(state, transition)
            if math.isfinite(cost):
                self._wait(cost, state, transition)

    def _wait(self, cost: float, state: Reached, transition: PlannedTransition) -> None:
        heapq.heappush(self._waiting, (cost, next(self._count), state, transition))

    def _transitions(self, state: Reached) -> Iterator[PlannedTransition]:
        for edge in self._graph.planned_edges(state.node):
            for cycles in _numbers_within(*self._graph.node(edge.target).cycles):
                yield PlannedTransition(edge, cycles)

    def _cost(self, state: Reached, transition: PlannedTransition) -> float:
        edge = transition.edge
        return self._costs.cost(
            state,
            transition,
            passed=self._passed(state),
            failed=self._failures[edge.source, edge.target],
            begun=self.origin.x,
            is_plain=self._first is None,
        )


def _numbers_within(low: int, high: int) -> list[int]:
    """The numbers of cycles to think of, both ends among them."""
    count = min(high - low + 1, MAX_CYCLES_TRIED)
    return [low + (high - low) * k // max(count - 1, 1) for k in range(count)]
