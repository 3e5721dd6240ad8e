"""Execution of a walk in a simulation: transitions, corrective edges after failures, and a log of all attempts."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, Self

from ctrlgraph.control.falls import has_fallen
from ctrlgraph.errors import SimulationError
from ctrlgraph.graph.model import ControllerGraph, Edge, Node
from ctrlgraph.graph.random_planner import PlannedTransition
from ctrlgraph.run_log.record import START, AttemptRecord
from ctrlgraph.simulation.disturbances import UNDISTURBED, Disturbances
from ctrlgraph.simulation.outcome import Outcome, Status

if TYPE_CHECKING:
    import numpy as np

    from ctrlgraph.graph.goal_planner import GoalPlan
    from ctrlgraph.project.project import Project
    from ctrlgraph.run_log.run_log import RunLog
    from ctrlgraph.simulation.environment import Environment
    from ctrlgraph.simulation.rollout import Rollout
    from ctrlgraph.simulation.simulation import Simulation
    from ctrlgraph.terrain.terrain import TerrainPreview
    from ctrlgraph.walks.lookahead import Prospect
    from ctrlgraph.walks.state_files import StateWriter

MAX_RECOVERY_ATTEMPTS = 8
"""Maximum number of attempts (executions of nodes) in a recovery from a failure. Then the recovery is given up."""
MAX_GET_UP_ATTEMPTS = 24
"""The same on the way to a static pose on the feet, which needs more motions."""
MAX_GET_UPS = 3
"""Maximum number of times that a recovery gets up. Then lying still is a recovery, as for a body that cannot get up."""
MAX_TRIED, TRIED_S = 8, 15.0
"""Limits of the number of corrective edges that are tried after a failure, and of the simulated time of each, s."""
SLOW = 0.3
"""Speed of the centre of mass below which an upright character at the end of a tried motion does not fall, m/s."""
ON_FEET = 0.9
"""Minimum share of the weight on the feet in a static pose at which a recovery with predicted falls ends."""


class WalkObserver(Protocol):
    """Observer of a logged run, for example a progress display. Its methods are called on events and do nothing here.

    A subclass overrides the methods that it needs. For walks in worker processes only `run_began` and `ended` are
    called, and `ended` is called with a delay.
    """

    def run_began(self, run: str, seed: int) -> None:
        """Called once, after the beginning of the run has been logged.

        Args:
            run: id of the run.
            seed: seed of the run.
        """

    def planned(self, plan: GoalPlan) -> None:
        """Called with each planned path of a walk to a goal node, before the walk follows the path."""

    def looked_ahead(self, prospect: Prospect) -> None:
        """Called with each plan of a walk over a course (terrain with obstacles), before the walk follows the plan."""

    def began(self, node: str, cycles: int) -> None:
        """Called before a node is executed for a number of cycles."""

    def simulated(self, seconds: float) -> None:
        """Called repeatedly during the execution of a node, with the simulated time since the node's beginning, s."""

    def ended(self, attempt: AttemptRecord) -> None:
        """Called after each execution of a node (attempt), with its log record."""


@dataclass(frozen=True, slots=True)
class WalkIdentity:
    """Run, index and seed of a walk in the log, with the properties of the walk's environment that attempts need."""

    run: str
    """Id of the run to which the walk belongs."""
    walk: int
    """Index of the walk in the run."""
    seed: int
    """Seed of the simulation."""
    world: str
    """Hash of the environment of the simulation."""
    length: float = 1.0
    """Factor by which all lengths of the character are scaled."""
    disturbances: Disturbances = UNDISTURBED
    """Random pushes and torque noise during the walk."""
    predicts_falls: bool = False
    """True: an attempt ends when a fall is predicted, and recoveries must lead back to standing."""

    @classmethod
    def of(cls, run: str, walk: int, seed: np.random.SeedSequence, world: Environment) -> Self:
        """Return the identity of a walk in the log.

        Args:
            run: id of the run.
            walk: index of the walk in the run.
            seed: seed of the walk, from which the seed of the simulation is derived.
            world: environment of the simulation.
        """
        own = int(seed.generate_state(1)[0])
        return cls(run, walk, own, world.digest, world.body.length, world.disturbances, world.predicts_falls)


class StartFailed(SimulationError):
    """Raised if the start node fails from the start pose, so that no walk can begin."""


class Walker:
    """A walk in progress: it executes nodes of a graph one after another in a simulation, and logs each execution.

    Each execution of a node (attempt) continues from the state in which the previous one ended. Only `start` resets
    the simulation.

    Attributes:
        node: name of the node that was executed last.
        outcome: outcome of this execution; None before the first one.
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
        """
        Args:
            project: the project whose graph is walked.
            simulation: simulation of the project's character.
            log: log to which attempts are written; None to log nothing.
            identity: run, index and seed of the walk, for the log.
            observer: object that is notified of each attempt; None for none.
            states: writer of the sampled states of the walk to files; None to store no states.
        """
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
        self.walked_s = 0.0
        """Simulated duration of all attempts so far, s."""

    @property
    def states_fault(self) -> str | None:
        """Return why the sampled states could not be written to files; None if there was no error."""
        return None if self._states is None else self._states.fault

    def start(self) -> AttemptRecord:
        """Reset the simulation and run the start node.

        Raises:
            StartFailed: the start node fails.
        """
        self.simulation.reset()
        node = self.graph.node(self.graph.start)
        attempt = self._attempt(node, None, node.cycles[0], planned=False)
        if not attempt.succeeded:
            raise StartFailed(
                f"the start node '{node.name}' fails from the start pose, so correct its controller or"
                f" conditions: {outcome_text(attempt)}"
            )
        return attempt

    def take(self, transition: PlannedTransition) -> AttemptRecord:
        """Execute the target node of a planned edge from the current state, and return the log record."""
        return self._attempt(self.graph.node(transition.edge.target), transition.edge, transition.cycles, planned=True)

    def recover(self) -> bool:
        """Take corrective edges after a failure until a static pose succeeds.

        If a corrective edge leads to a dynamic motion that succeeds, planned edges to the nearest static pose follow
        (`next_corrections`). With predicted falls, corrective edges are first tried from a copy of the state, and the
        recovery continues on the way to the start node until a static pose succeeds on the feet.

        Returns:
            Whether a static pose succeeded. There is no recovery from a diverged state.
        """
        getting_up, lying = self.identity.predicts_falls, 0
        for _ in range(MAX_GET_UP_ATTEMPTS if getting_up else MAX_RECOVERY_ATTEMPTS):
            if self.outcome is None:
                return False
            goal = self.graph.start if getting_up else None
            edges = next_corrections(self.graph, self.node, self.outcome, self.simulation.preview, goal)
            if not edges:  # no path leads to the feet
                return lying > 0 and self.outcome.succeeded
            tried = edges[:MAX_TRIED] if getting_up and len(edges) > 1 else []
            edge = next((edge for edge in tried if self._would_stop_fall(edge)), edges[0])
            target = self.graph.node(edge.target)
            attempt = self._attempt(target, edge, target.cycles[0], planned=False)
            if attempt.succeeded and target.is_static:
                lying += _is_lying(attempt)
                if not getting_up or not _is_lying(attempt) or lying > MAX_GET_UPS:
                    return True
        return False

    def recover_or_restart(self) -> None:
        """Recover from a failure by corrective edges or, if this fails, reset the simulation and run the start node.

        Raises:
            StartFailed: the start node fails.
        """
        if not self.recover():
            self.start()

    def _would_stop_fall(self, edge: Edge) -> bool:
        """Return whether the target of an edge would succeed or end upright and slowly, without further disturbances.

        The present state is restored.
        """
        here, target = self.simulation.snapshot(), self.graph.node(edge.target)
        self.simulation.disturb()
        preview, length = self.simulation.preview, self.identity.length
        rollout = self.project.rollout(edge, target, target.cycles[0], preview, length=length, timeout=TRIED_S)
        outcome = self.simulation.run_rollout(rollout)
        self.simulation.restore(here)
        if outcome.succeeded or outcome.status is Status.DIVERGED:
            return outcome.succeeded
        torso, height, speed = (outcome.measures.get(name, math.inf) for name in ("torso", "com_height", "com_speed"))
        return not has_fallen(torso, height) and speed < SLOW

    def _attempt(self, node: Node, edge: Edge | None, cycles: int, *, planned: bool) -> AttemptRecord:
        length, predicts = self.identity.length, self.identity.predicts_falls and edge is not None
        rollout = self.project.rollout(
            edge, node, cycles, self.simulation.preview, length=length, predicts_falls=predicts
        )
        seconds = 0.0 if edge is None else rollout.timeout
        self.identity.disturbances.disturb(self.simulation, self.identity.seed, self.walked_s, seconds)
        if self._observer is not None:
            self._observer.began(node.name, cycles)
        observer, began = self._observer, self.simulation.time
        outcome = self.simulation.run_rollout(
            rollout, on_progress=None if observer is None else lambda now: observer.simulated(now - began)
        )
        attempt = attempt_record(
            self.project,
            self.identity,
            ExecutedNode(
                node, edge, cycles, rollout, outcome, self.simulation.state_digest(), self.simulation.history_digest()
            ),
            position=self._position,
            planned=planned,
            started_s=self.walked_s,
        )
        if self._log is not None:
            self._log.add(attempt)
        if self._states is not None:
            self._states.add(self.simulation.last_trace, self._position, self.walked_s - began)
        self.node, self.outcome = node.name, outcome
        self._position += 1
        self.walked_s += outcome.simulated_s
        if self._observer is not None:
            self._observer.ended(attempt)
        return attempt


@dataclass(frozen=True, slots=True)
class ExecutedNode:
    """One execution of a node, from which its log record is made."""

    node: Node
    edge: Edge | None
    """Edge by which the node was entered. None: the node ran from the start pose."""
    cycles: int
    """Number of cycles that the node was to run."""
    rollout: Rollout
    """Rollout that was simulated."""
    outcome: Outcome
    exit_digest: str
    """Digest of the state at the end."""
    history_digest: str
    """Digest of all states since the last reset."""


def attempt_record(
    project: Project, identity: WalkIdentity, done: ExecutedNode, *, position: int, planned: bool, started_s: float
) -> AttemptRecord:
    """Return the log record of an execution of a node.

    Args:
        project: the project of the walk.
        identity: run, index and seed of the walk.
        done: the execution.
        position: index of the attempt in the walk.
        planned: whether a planner, or a player, has chosen the transition.
        started_s: simulated time from the beginning of the walk to that of the attempt, s.
    """
    edge, outcome = done.edge, done.outcome
    place = outcome.place
    return AttemptRecord(
        run=identity.run,
        walk=identity.walk,
        position=position,
        node=done.node.name,
        source=None if edge is None else edge.source,
        edge_kind=START if edge is None else edge.kind.value,
        condition=None if edge is None or edge.when is None else edge.when.value,
        planned=planned,
        args=done.node.args,
        cycles=done.cycles,
        status=outcome.status.value,
        reason=outcome.reason,
        phase=outcome.phase,
        script=None if place is None else project.relative(place.path),
        line=None if place is None else place.line,
        started_s=started_s,
        simulated_s=outcome.simulated_s,
        wall_s=outcome.wall_s,
        energy_j=outcome.energy_j,
        entry_digest=outcome.entry_digest,
        exit_digest=done.exit_digest,
        history_digest=done.history_digest,
        seed=identity.seed,
        program_hash=done.rollout.controller.digest,
        graph_hash=project.graph.digest,
        edge_hash=project.edge_hash(edge, identity.world),
        engine_messages=outcome.engine_messages,
        measures=dict(outcome.measures),
    )


def next_corrections(
    graph: ControllerGraph, node: str, outcome: Outcome, preview: TerrainPreview, goal: str | None = None
) -> list[Edge]:
    """Return the edges that can be next on the way to a static pose, the preferred one first.

    After a failure these are the corrective edges whose conditions hold. After a success it is the first edge of the
    shortest path of planned edges to another node that is a static pose, or to `goal`.

    Args:
        graph: the graph that is walked.
        node: name of the node that has ended.
        outcome: outcome of this node.
        preview: ground under and ahead of the character.
        goal: name of the node to which the path leads; None for the nearest static pose.
    """
    if outcome.status is Status.DIVERGED:
        return []
    if not outcome.succeeded:
        return graph.corrections(node, outcome)
    paths = graph.shortest_paths(node, preview).items()  # the shortest first
    static = [path for name, path in paths if (name == goal if goal else graph.node(name).is_static) and len(path) > 1]
    edge = graph.planned_edge(node, static[0][1], preview) if static else None
    return [] if edge is None else [edge]


def failure_text(attempt: AttemptRecord) -> str:
    """Return the node, the status and the reason of a failed attempt as text: "walk failed: torso 1.3 is above 1"."""
    return f"{attempt.node} {outcome_text(attempt)}"


def _is_lying(attempt: AttemptRecord) -> bool:
    return attempt.measures.get("feet_load", 1.0) < ON_FEET


def outcome_text(ended: AttemptRecord | Outcome) -> str:
    """Return the status and the reason of an attempt or outcome as text, such as "failed: torso 1.3 is above 1"."""
    return f"{ended.status}: {ended.reason}" if ended.reason else str(ended.status)
