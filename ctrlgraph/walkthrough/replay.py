"""Logged walkthroughs simulated again, and compared with the log bit for bit."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ctrlgraph.errors import CtrlGraphError, RunLogError
from ctrlgraph.graph.model import Edge, EdgeKind
from ctrlgraph.runs.record import START, AttemptRecord, RunRecord
from ctrlgraph.walkthrough.states import (
    Difference,
    StateRecorder,
    WalkStates,
    first_difference,
    load_states,
    states_path,
)
from ctrlgraph.walkthrough.world import WalkWorld

if TYPE_CHECKING:
    from ctrlgraph.project import Project
    from ctrlgraph.runs.store import RunLog
    from ctrlgraph.simulation import Simulation


@dataclass(frozen=True)
class WalkReplay:
    """A walk simulated again.

    attempts: how many were simulated; changed: nodes whose controllers are not those of the log;
    difference: the first one from the log, None where there is none or none was looked for;
    compared_states: samples compared in every bit (besides the digests over every time step).
    """

    run: str
    walk: int
    attempts: tuple[AttemptRecord, ...]
    states: WalkStates | None
    simulated_s: float
    wall_s: float
    verified: bool
    compared_states: int = 0
    difference: Difference | None = None
    changed: tuple[str, ...] = ()

    @property
    def labels(self) -> list[tuple[float, str]]:
        """(start in s, node) of each attempt, on the walk's clock."""
        return attempt_labels(self.attempts)

    def as_dict(self) -> dict[str, Any]:
        return {
            "walk": self.walk,
            "attempts": len(self.attempts),
            "simulated_s": self.simulated_s,
            "wall_s": self.wall_s,
            "identical": self.difference is None if self.verified else None,
            "compared_states": self.compared_states,
            "difference": None if self.difference is None else self.difference.as_dict(),
            "changed": list(self.changed),
        }


def attempt_labels(attempts: tuple[AttemptRecord, ...] | list[AttemptRecord]) -> list[tuple[float, str]]:
    """(start in s, node) of each attempt, as filmstrips show them."""
    return [(attempt.started_s, attempt.node) for attempt in attempts]


def logged_walks(log: RunLog, run: str) -> list[int]:
    """The indices of a run's walks that have attempts.

    Raises:
        RunLogError: it has none.
    """
    walks = sorted({attempt.walk for attempt in log.attempts(run)})
    if not walks:
        raise RunLogError(f"run {run} has no attempt to replay")
    return walks


def replay_walk(project: Project, log: RunLog, run: RunRecord, walk: int, *, verify: bool = False) -> WalkReplay:
    """Simulate a logged walk again: the same seed, controllers and cycles, resets where they were.

    With `verify`, each attempt's digests of its entry and exit states and of every state in between
    are compared with the log, and where they differ, the sampled states that were kept tell where;
    the replay then ends.

    Raises:
        RunLogError: the run has no such walk.
        CtrlGraphError: a node of the walk is no longer in the graph.
    """
    attempts = list(log.attempts(run.id, walk=walk))
    if not attempts:
        walks = ", ".join(str(index) for index in logged_walks(log, run.id))
        raise RunLogError(f"run {run.id} has no walk {walk} (it has {walks})")
    world = WalkWorld.from_dict(run.settings["world"])
    edges = [_edge(project, attempt) for attempt in attempts]
    changed = _changed(project, attempts, edges, world)
    began = time.perf_counter()
    recorder = StateRecorder(project.character.link_names)
    digests: Difference | None = None
    done: list[AttemptRecord] = []
    with world.simulation(project.character, attempts[0].seed) as simulation:
        for attempt, edge in zip(attempts, edges, strict=True):
            differences = _replay_attempt(project, simulation, recorder, attempt, edge)
            done.append(attempt)
            digests = next(differences, None) if verify else None
            if digests is not None:
                break
    states = recorder.states()
    compared, difference = 0, digests
    if verify:
        compared, located = _compare_states(project, run.id, walk, states)
        difference = located or digests
    return WalkReplay(
        run=run.id,
        walk=walk,
        attempts=tuple(done),
        states=states,
        simulated_s=sum(attempt.simulated_s for attempt in done),
        wall_s=time.perf_counter() - began,
        verified=verify,
        compared_states=compared,
        difference=difference,
        changed=changed,
    )


def _edge(project: Project, attempt: AttemptRecord) -> Edge | None:
    """The edge that the attempt took; None where its target runs as it is."""
    if attempt.node not in project.graph:
        raise CtrlGraphError(f"the walk goes through node '{attempt.node}', which is no longer in the graph")
    if attempt.edge_kind != EdgeKind.LEARNED or attempt.source is None:
        return None
    for edge in project.graph.planned_edges(attempt.source):
        if edge.target == attempt.node and edge.kind is EdgeKind.LEARNED:
            return edge
    gone = Edge(attempt.source, attempt.node, EdgeKind.LEARNED)
    raise CtrlGraphError(f"the walk takes the learned edge {gone}, which is no longer in the graph")


def _replay_attempt(
    project: Project, simulation: Simulation, recorder: StateRecorder, attempt: AttemptRecord, edge: Edge | None
) -> Iterator[Difference]:
    """Run the attempt; what differs from the log, the earliest first."""
    node = project.graph.node(attempt.node)
    if attempt.edge_kind == START:
        simulation.reset()
    began = simulation.time
    program, cycles = project.course(edge, node, attempt.cycles, simulation.ahead)
    outcome = simulation.run(program, cycles=cycles, timeout=node.timeout, success=node.success, bounds=node.bounds)
    recorder.add(simulation.last_trace, attempt.position, attempt.started_s - began)
    compared = (
        ("the digest of its entry state", attempt.entry_digest, outcome.entry_digest),
        ("the digest of all its states", attempt.history_digest, simulation.history_digest()),
        ("the digest of its exit state", attempt.exit_digest, simulation.state_digest()),
        ("its simulated time", f"{attempt.simulated_s!r} s", f"{outcome.simulated_s!r} s"),
        ("its outcome", _outcome(attempt.status, attempt.reason), _outcome(outcome.status, outcome.reason)),
    )
    return iter(
        Difference(attempt.position, None, None, what, logged, replayed)
        for what, logged, replayed in compared
        if logged != replayed
    )


def _outcome(status: str, reason: str) -> str:
    return f"{status}: {reason}" if reason else str(status)


def _compare_states(
    project: Project, run: str, walk: int, replayed: WalkStates | None
) -> tuple[int, Difference | None]:
    """How many samples were compared, and the first that differs."""
    logged = load_states(states_path(project.runs_directory, run, walk))
    if logged is None or replayed is None:
        return 0, None
    if logged.links != replayed.links:
        raise RunLogError("the character has other links than when the walk was logged")
    return min(len(logged.trace), len(replayed.trace)), first_difference(logged, replayed)


def _changed(
    project: Project, attempts: list[AttemptRecord], edges: list[Edge | None], world: WalkWorld
) -> tuple[str, ...]:
    """Nodes whose controllers are others than the log's: by their programs, and where constants were learned by all
    that decides the edge, since a program's digest does not cover them."""
    nodes = set()
    for attempt, edge in zip(attempts, edges, strict=True):
        program, _ = project.course(edge, attempt.node, attempt.cycles)
        searched = edge is not None or project.graph.node(attempt.node).adapted is not None
        if attempt.program_hash != program.digest or (searched and not _compares(project, attempt, world)):
            nodes.add(attempt.node)
    return tuple(sorted(nodes))


def _compares(project: Project, attempt: AttemptRecord, world: WalkWorld) -> bool:
    """Whether the attempt was made with all that decides its edge now; an edge that is gone does not."""
    if attempt.source is None:
        return attempt.edge_hash == project.edge_hash(None, world.digest)
    identity = (attempt.source, attempt.node, attempt.edge_kind, attempt.condition)
    same = (e for e in project.graph.edges if (e.source, e.target, e.kind.value, e.when) == identity)
    return any(attempt.edge_hash == project.edge_hash(edge, world.digest) for edge in same)
