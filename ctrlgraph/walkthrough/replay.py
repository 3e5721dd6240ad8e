"""Logged walkthroughs simulated again, and compared with the log bit for bit."""

from __future__ import annotations

import math
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from ctrlgraph.arguments import checked
from ctrlgraph.bounds import MAX_TIMEOUT_S
from ctrlgraph.errors import CtrlGraphError, RunLogError
from ctrlgraph.graph.model import Edge, EdgeKind
from ctrlgraph.paths import contained
from ctrlgraph.runs.record import START, AttemptRecord, RunRecord
from ctrlgraph.simulation.environment import Environment
from ctrlgraph.simulation.phases import phase_starts
from ctrlgraph.simulation.run import run_rollout
from ctrlgraph.simulation.signals import SignalRecorder, Signals
from ctrlgraph.walkthrough.changes import Changes, changes_since
from ctrlgraph.walkthrough.state_files import MAX_DRAWN, StateReader, parts_of, states_path
from ctrlgraph.walkthrough.states import Difference, StateRecorder, WalkStates, first_difference

if TYPE_CHECKING:
    from ctrlgraph.project.project import Project
    from ctrlgraph.runs.store import RunLog
    from ctrlgraph.simulation.simulation import Simulation

WHOLE = (0.0, math.inf)
"""From when to when a walk is shown, s."""
_STEP_S = 0.02  # no time step is longer


@dataclass(frozen=True)
class WalkReplay:
    """A walk simulated again.

    attempts: those that were simulated; states: their beginning, or the part that is shown, where a picture is to be
    drawn of them;
    changes: what of the project is not as the log has it; difference: the first one from the log, None
    where there is none or none was looked for;
    compared_states: samples compared in every bit (besides the digests over every time step);
    signals: of what is shown of it, where they were asked for; logged: how many attempts the log has of the walk.
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
    changes: Changes = field(default_factory=Changes)
    signals: Signals | None = None
    logged: int = 0

    @property
    def is_part(self) -> bool:
        """Tell whether attempts of the walk were left out because they are not shown."""
        return self.difference is None and len(self.attempts) < self.logged

    @property
    def changed(self) -> tuple[str, ...]:
        """Return nodes whose controllers are not those of the log."""
        return self.changes.controllers

    @property
    def labels(self) -> list[tuple[float, str]]:
        """(start in s, node) of each attempt, on the walk's clock."""
        return attempt_labels(self.attempts)

    def as_dict(self) -> dict[str, Any]:
        return {
            "walk": self.walk,
            "attempts": len(self.attempts),
            "logged_attempts": self.logged,
            "simulated_s": self.simulated_s,
            "wall_s": self.wall_s,
            "identical": self.difference is None if self.verified else None,
            "compared_states": self.compared_states,
            "difference": None if self.difference is None else self.difference.as_dict(),
            "changed": list(self.changed),
            "changes": self.changes.as_dict(),
        }


def attempt_labels(attempts: tuple[AttemptRecord, ...] | list[AttemptRecord]) -> list[tuple[float, str]]:
    """(start in s, node) of each attempt, as filmstrips show them."""
    return [(attempt.started_s, attempt.node) for attempt in attempts]


def phase_captions(
    project: Project, attempts: Sequence[AttemptRecord], states: WalkStates, world: Environment
) -> list[tuple[float, str]]:
    """Return when each phase of a walk began, s on its clock, and what pictures call it.

    Args:
        attempts: of the walk; states: samples of its motion.
    """
    terrain = world.ground()
    found: list[tuple[float, str]] = []
    for attempt in attempts:
        part = states.trace.rows(states.attempt == attempt.position)
        if not len(part):
            continue
        preview = terrain.preview(float(part.com[0, 0]))
        node, edge = project.graph.node(attempt.node), _edge(project, attempt)
        rollout = project.rollout(edge, node, attempt.cycles, preview, length=world.body.length, timeout=node.timeout)
        found += [(phase.time, phase.caption) for phase in phase_starts(part, rollout.controller)]
    return found


def logged_walks(log: RunLog, run: str) -> list[int]:
    """Return the indices of a run's walks that have attempts.

    Raises:
        RunLogError: it has none.
    """
    walks = log.walks(run)
    if not walks:
        raise RunLogError(f"run {run} has no attempt to replay")
    return walks


@checked
def replay_walk(
    project: Project,
    log: RunLog,
    run: RunRecord,
    walk: int,
    *,
    verify: bool = False,
    whole: bool = True,
    draw: bool = False,
    shown: tuple[float, float] = WHOLE,
    signal_rate: float | None = None,
    spare: Spare | None = None,
) -> WalkReplay:
    """Simulate a logged walk again: the same seed, controllers and cycles, resets where they were.

    With `verify`, each attempt's digests of its entry and exit states and of every state in between
    are compared with the log, and where they differ, the sampled states that were kept tell where;
    the replay then ends. With `draw`, the states of its beginning are kept for a picture, or those from one time to
    another (`shown`, s of the walk's clock). With `signal_rate`, its signals are recorded so many times a simulated
    second, as far as it is shown. With `spare`, attempts may take no longer than the log says and what is left of it.

    Where something is drawn or recorded, only the attempts from the last reset before `shown` to its end are
    simulated: a reset restores the start, so that they run as logged. With `verify` all attempts
    are, unless `whole` is false.

    Raises:
        RunLogError: the run has no such walk, it ends before what is to be shown, or takes far longer than logged.
        CtrlGraphError: a node of the walk is no longer in the graph.

    >>> from ctrlgraph import Project, replay_walk, walk_random
    >>> project = Project.find()
    >>> run = walk_random(project, transitions=1, seed=3).run
    >>> with project.read_log() as log:
    ...     replayed = replay_walk(project, log, log.run(run), 0, verify=True)
    >>> replayed.difference is None
    True
    """
    seen = draw or signal_rate is not None
    logged = _logged(log, run.id, walk, shown[0] if seen else -math.inf)
    attempts = _needed(logged, shown) if seen and not (verify and whole) else logged
    world = Environment.from_dict(run.settings.get("world", {}))
    edges = [_edge(project, attempt) for attempt in attempts]
    changes = changes_since(project, run, attempts, edges, world.digest)
    began = time.perf_counter()
    links = project.character.link_names
    recorder = StateRecorder(links)
    kept = _KeptStates(_reader(project, run.id, walk) if verify else None, links, attempts[0].position)
    digests: Difference | None = None
    done: list[AttemptRecord] = []
    with world.simulation(project.character, attempts[0].seed, keep_trace=False) as simulation:
        signals = None if signal_rate is None else SignalRecorder(simulation, signal_rate, project.relative, shown)
        for attempt, edge in zip(attempts, edges, strict=True):
            if attempt.edge_kind == START:
                simulation.reset()
            if signals is not None:
                signals.begin(attempt.node, attempt.started_s)
            left = math.inf if spare is None else attempt.simulated_s + spare.seconds
            differences, states, took = _replay_attempt(project, simulation, attempt, edge, world.body.length, left)
            if spare is not None:
                spare.take(took - attempt.simulated_s, f"walk {walk} of run {run.id}")
            done.append(attempt)
            if draw and len(recorder) < MAX_DRAWN:
                recorder.add(states.trace.between(*shown), attempt.position, 0.0)
            kept.compare(states)
            digests = next(differences, None) if verify else None
            if digests is not None:
                break
    return WalkReplay(
        run=run.id,
        walk=walk,
        attempts=tuple(done),
        states=recorder.states(),
        simulated_s=sum(attempt.simulated_s for attempt in done),
        wall_s=time.perf_counter() - began,
        verified=verify,
        compared_states=kept.compared,
        difference=kept.difference or digests,
        changes=changes,
        signals=None if signals is None else signals.signals(),
        logged=len(logged),
    )


def _needed(attempts: list[AttemptRecord], shown: tuple[float, float]) -> list[AttemptRecord]:
    """The attempts from the last reset before what is shown to its end; all from the first where none is a reset."""
    begins = [i for i, each in enumerate(attempts) if each.edge_kind == START and each.started_s <= shown[0]]
    first = begins[-1] if begins else 0
    return [attempts[first], *(attempt for attempt in attempts[first + 1 :] if attempt.started_s <= shown[1])]


def _logged(log: RunLog, run: str, walk: int, begins: float) -> list[AttemptRecord]:
    """The attempts of a walk, which goes on for longer than so many seconds.

    Raises:
        RunLogError: the run has no such walk, it ends before, or its log is damaged.
    """
    attempts = list(log.attempts(run, walk=walk))
    if not attempts:
        walks = ", ".join(str(index) for index in logged_walks(log, run))
        raise RunLogError(f"run {run} has no walk {walk} (it has {walks})")
    _check_clock(run, attempts)
    seconds = attempts[-1].started_s + attempts[-1].simulated_s
    if begins >= seconds:
        raise RunLogError(f"walk {walk} of run {run} ends at {seconds:.1f} s: nothing of it comes after {begins:g} s")
    return attempts


def _reader(project: Project, run: str, walk: int) -> StateReader | None:
    """The states that were kept of a walk, in files of the project: a stranger's run may have any name.

    Raises:
        CtrlGraphError: its name, or a link, leads out of the project.
    """
    path = states_path(project.runs_directory, run, walk)
    contained(project.runs_directory, f"{run}/{path.name}")  # before anything is looked for there
    for part in parts_of(path):
        contained(project.runs_directory, f"{run}/{part.name}")
    return StateReader.open(path)


def _check_clock(run: str, attempts: list[AttemptRecord]) -> None:
    """See to it that attempts began when they can have: a picture is as long as the log's clock says.

    Raises:
        RunLogError: one did not.
    """
    for i, attempt in enumerate(attempts):
        if not 0 <= attempt.started_s <= i * MAX_TIMEOUT_S:
            what = f"attempt {attempt.position} of walk {attempt.walk} of run '{run}' begins at {attempt.started_s:g} s"
            raise RunLogError(f"the run log is damaged: {what}, where no walk has come to by then")


class Spare:
    """Simulated time that replays may take beyond what the log says, all together: the log may be a stranger's.

    seconds: what is left of it.
    """

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self._whole = seconds

    def take(self, seconds: float, what: str) -> None:
        """Take so many seconds of it, none where it is less than 0.

        Raises:
            RunLogError: nothing is left.
        """
        self.seconds -= max(seconds, 0.0)
        if self.seconds <= _STEP_S:
            raise RunLogError(f"{what} takes over {self._whole:g} simulated seconds longer than its log says")


class _KeptStates:
    """The states that were kept of a walk, compared with those of its replay as these come.

    compared: how many samples were; difference: the first of them that differs.
    """

    def __init__(self, reader: StateReader | None, links: tuple[str, ...], first: int) -> None:
        """`first` is the position of the first attempt that is simulated.

        Raises:
            RunLogError: the states are of a character with other links, or damaged.
        """
        if reader is not None and reader.links != links:
            raise RunLogError("the character has other links than when the walk was logged")
        self.compared = 0
        self.difference: Difference | None = None
        self._pieces = iter(()) if reader is None else _from_attempt(reader.pieces(), first)
        self._left: WalkStates | None = None

    def compare(self, states: WalkStates) -> None:
        """Compare the next samples of the replay with the next that were kept, as far as there are any."""
        while len(states.trace):
            if self._left is None or not len(self._left.trace):
                self._left = next(self._pieces, None)
            if self._left is None:
                return
            n = min(len(states.trace), len(self._left.trace))
            self.difference = self.difference or first_difference(self._left.part(0, n), states.part(0, n))
            self.compared += n
            self._left, states = self._left.part(n), states.part(n)


def _from_attempt(pieces: Iterator[WalkStates], first: int) -> Iterator[WalkStates]:
    """The pieces without the samples of attempts before the first."""
    for piece in pieces:
        later = np.flatnonzero(piece.attempt >= first)
        if len(later):
            yield piece.part(int(later[0]))


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
    project: Project, simulation: Simulation, attempt: AttemptRecord, edge: Edge | None, length: float, most_s: float
) -> tuple[Iterator[Difference], WalkStates, float]:
    """Run the attempt, for so many seconds at most; what differs from the log, the earliest first, its samples on the
    walk's clock, and how long it took, s."""
    node = project.graph.node(attempt.node)
    began = simulation.time
    # its cycles were within the node's when it was logged, whatever the node's are now
    timeout = min(node.timeout, most_s)
    rollout = project.rollout(edge, node, attempt.cycles, simulation.preview, length=length, timeout=timeout)
    outcome = run_rollout(simulation, rollout)
    recorder = StateRecorder(project.character.link_names)
    recorder.add(simulation.last_trace, attempt.position, attempt.started_s - began)
    states = recorder.states()
    assert states is not None
    compared = (
        ("the digest of its entry state", attempt.entry_digest, outcome.entry_digest),
        ("the digest of all its states", attempt.history_digest, simulation.history_digest()),
        ("the digest of its exit state", attempt.exit_digest, simulation.state_digest()),
        ("its simulated time", f"{attempt.simulated_s!r} s", f"{outcome.simulated_s!r} s"),
        ("its outcome", _outcome(attempt.status, attempt.reason), _outcome(outcome.status, outcome.reason)),
    )
    differences = (
        Difference(attempt.position, None, None, what, logged, replayed)
        for what, logged, replayed in compared
        if logged != replayed
    )
    return differences, states, outcome.simulated_s


def _outcome(status: str, reason: str) -> str:
    return f"{status}: {reason}" if reason else str(status)
