"""One walk through a simulation: node after node, corrective edges after a failure, each attempt logged."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from ctrlgraph.errors import SimulationError
from ctrlgraph.graph.model import ControllerGraph, Edge, Node
from ctrlgraph.graph.random_planner import PlannedTransition
from ctrlgraph.runs.record import START, AttemptRecord, outcome_fields
from ctrlgraph.simulation.outcome import Outcome, Status
from ctrlgraph.simulation.run import run_rollout

if TYPE_CHECKING:
    from ctrlgraph.project.project import Project
    from ctrlgraph.runs.store import RunLog
    from ctrlgraph.simulation.simulation import Simulation
    from ctrlgraph.terrain.profile import TerrainPreview
    from ctrlgraph.walkthrough.state_files import StateWriter

MAX_RECOVERY_ATTEMPTS = 8
"""After a failure, so many attempts are made to come back to a static pose before a reset."""


class WalkObserver(Protocol):
    """Who watches a walk: told what begins, how simulated time goes on, and what has ended."""

    def began(self, node: str, cycles: int) -> None: ...

    def simulated(self, seconds: float) -> None: ...

    def ended(self, attempt: AttemptRecord) -> None: ...


@dataclass(frozen=True, slots=True)
class WalkIdentity:
    """Where attempts are logged: the run, the index of the walk in it, the seed of its simulation."""

    run: str
    walk: int
    seed: int
    world: str  # digest of the environment
    length: float = 1.0  # of the body, as a factor


class StartFailed(SimulationError):
    """The start node fails from the start pose: there is nothing to walk from."""


class Walker:
    """Walks the graph of a project in a simulation.

    `node` is where it is, `outcome` what came of the last attempt. Attempts go on from the state in
    which the last one ended; only `start` begins anew. `log` gets the attempts and `states` the samples;
    None keeps none.
    """

    def __init__(
        self,
        project: Project,
        simulation: Simulation,
        log: RunLog | None,
        identity: WalkIdentity,
        observer: WalkObserver | None = None,
        states: StateWriter | None = None,
    ) -> None:
        self.project = project
        self.graph = project.graph
        self.simulation = simulation
        self.identity = identity
        self.node = self.graph.start
        self.outcome: Outcome | None = None
        self._states = states
        self._log = log
        self._observer = observer
        self._position = 0
        self._walk_s = 0.0

    @property
    def walked_s(self) -> float:
        """Return the simulated time of all attempts, s."""
        return self._walk_s

    def start(self) -> AttemptRecord:
        """Reset the simulation and run the start node.

        Raises:
            StartFailed: it fails.
        """
        self.simulation.reset()
        node = self.graph.node(self.graph.start)
        attempt = self._attempt(node, None, node.cycles[0], planned=False)
        if not attempt.succeeded:
            raise StartFailed(f"the start node '{node.name}' fails from the start pose: {_how(attempt)}")
        return attempt

    def take(self, transition: PlannedTransition) -> AttemptRecord:
        """Run the target of a planned edge from the present state."""
        return self._attempt(self.graph.node(transition.edge.target), transition.edge, transition.cycles, planned=True)

    def recover(self) -> bool:
        """After a failure: follow corrective edges until a static pose succeeds; False where none does.

        Where a corrective edge leads to a dynamic motion that succeeds, the planned edges from there
        to the nearest static pose are taken. A state that has diverged cannot be gone on from.
        """
        for _ in range(MAX_RECOVERY_ATTEMPTS):
            attempt = self.correct()
            if attempt is None:
                return False
            if attempt.succeeded and self.graph.node(attempt.node).is_static:
                return True
        return False

    def correct(self) -> AttemptRecord | None:
        """Take the next edge on the way back to a static pose (`next_correction`); None where none leads on."""
        edge = self._next_correction()
        if edge is None:
            return None
        target = self.graph.node(edge.target)
        return self._attempt(target, edge, target.cycles[0], planned=False)

    def answer_failure(self, *, anew: bool = True) -> bool:
        """After a failure: follow corrective edges until one of them succeeds; begin anew, and return False, where none
        does.

        Args:
            anew: if not, who would have to begin anew stays where he is.

        Raises:
            StartFailed: the start node fails.
        """
        for _ in range(MAX_RECOVERY_ATTEMPTS):
            attempt = self.correct()
            if attempt is None:
                break
            if attempt.succeeded:
                return True
        if anew:
            self.start()
        return False

    def recover_or_restart(self) -> bool:
        """Recover as `recover` does; where that does not help, begin anew.

        Raises:
            StartFailed: the start node fails.
        """
        if self.recover():
            return True
        self.start()
        return False

    def _next_correction(self) -> Edge | None:
        if self.outcome is None:
            return None
        return next_correction(self.graph, self.node, self.outcome, self.simulation.preview)

    def _attempt(self, node: Node, edge: Edge | None, cycles: int, *, planned: bool) -> AttemptRecord:
        length = self.identity.length
        rollout = self.project.rollout(edge, node, cycles, self.simulation.preview, length=length)
        if self._observer is not None:
            self._observer.began(node.name, cycles)
        began = self.simulation.time
        outcome = run_rollout(self.simulation, rollout, on_progress=self._progress(began))
        attempt = AttemptRecord(
            run=self.identity.run,
            walk=self.identity.walk,
            position=self._position,
            node=node.name,
            source=None if edge is None else edge.source,
            edge_kind=START if edge is None else edge.kind.value,
            condition=None if edge is None or edge.when is None else edge.when.value,
            planned=planned,
            args=node.args,
            cycles=cycles,
            started_s=self._walk_s,
            exit_digest=self.simulation.state_digest(),
            history_digest=self.simulation.history_digest(),
            seed=self.identity.seed,
            program_hash=rollout.controller.digest,
            graph_hash=self.graph.digest,
            edge_hash=self.project.edge_hash(edge, self.identity.world),
            **outcome_fields(outcome, self.project.relative),
        )
        if self._log is not None:
            self._log.add(attempt)
        if self._states is not None:
            self._states.add(self.simulation.last_trace, self._position, self._walk_s - began)
        self.node, self.outcome = node.name, outcome
        self._position += 1
        self._walk_s += outcome.simulated_s
        if self._observer is not None:
            self._observer.ended(attempt)
        return attempt

    def _progress(self, began: float) -> Callable[[float], None] | None:
        observer = self._observer
        if observer is None:
            return None
        return lambda now: observer.simulated(now - began)


def next_correction(graph: ControllerGraph, node: str, outcome: Outcome, preview: TerrainPreview) -> Edge | None:
    """Return the edge to take on the way back to a static pose; None where none leads on.

    After a failure that is a corrective edge; after a success the first edge of the shortest planned way to rest.
    """
    if outcome.status is Status.DIVERGED:
        return None
    if not outcome.succeeded:
        return graph.correction(node, outcome)
    ways = graph.shortest_paths(node, preview).items()  # in the order of their lengths
    static = [path for name, path in ways if graph.node(name).is_static and len(path) > 1]
    return graph.planned_edge(node, static[0][1], preview) if static else None


def _how(attempt: AttemptRecord) -> str:
    return f"{attempt.status}: {attempt.reason}" if attempt.reason else attempt.status
