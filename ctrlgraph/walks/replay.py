"""Replays of logged walks: a walk is simulated again and, on request, compared with the log bit for bit."""

from __future__ import annotations

import math
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from ctrlgraph.arguments import checked
from ctrlgraph.bounds import MAX_CYCLES, MAX_TIMEOUT_S
from ctrlgraph.errors import CtrlGraphError, RunLogError
from ctrlgraph.graph.model import Edge, EdgeKind
from ctrlgraph.paths import contained
from ctrlgraph.run_log.record import START, AttemptRecord, RunRecord
from ctrlgraph.simulation.environment import Environment
from ctrlgraph.simulation.recording.phases import phase_starts
from ctrlgraph.simulation.signals.recorded_signals import SignalRecorder, Signals
from ctrlgraph.walks.changes import Changes, changes_since
from ctrlgraph.walks.played import STEERING_INTERVAL_S, Played
from ctrlgraph.walks.state_files import MAX_DRAWN, StateReader, parts_of, states_path
from ctrlgraph.walks.states import Difference, StateRecorder, WalkStates, first_difference
from ctrlgraph.walks.walker import outcome_text

if TYPE_CHECKING:
    from ctrlgraph.project.project import Project
    from ctrlgraph.run_log.run_log import RunLog
    from ctrlgraph.simulation.simulation import Simulation

WHOLE = (0.0, math.inf)
"""Interval that contains every walk from beginning to end, s."""
_STEP_S = 0.02  # longest time step, s: a replay can exceed its time limit by a step


@dataclass(frozen=True)
class WalkReplay:
    """Result of the replay of a logged walk: what was simulated, and how it differs from the log."""

    run: str
    """Id of the logged run."""
    walk: int
    """Index of the walk in its run."""
    attempts: tuple[AttemptRecord, ...]
    """Log records of the attempts (executions of nodes) that were simulated again."""
    states: WalkStates | None
    """Sampled states of the replay for a picture; None if none were requested."""
    simulated_s: float
    """Simulated duration of the attempts according to the log, s."""
    wall_s: float
    """Wall time of the replay, s."""
    verified: bool
    """Whether the replay was compared with the log."""
    compared_states: int = 0
    """Number of stored sampled states that were compared bit for bit, in addition to the hashes of all states."""
    difference: Difference | None = None
    """First difference from the log; None if there is no difference or the replay was not compared."""
    changes: Changes = field(default_factory=Changes)
    """Changes of the project since the walk was logged."""
    signals: Signals | None = None
    """Signals (quantities over time) of the shown interval; None if none were requested."""
    logged: int = 0
    """Number of attempts of the walk in the log."""

    @property
    def is_part(self) -> bool:
        """Return whether no difference was found, but only a part of the logged attempts was simulated."""
        return self.difference is None and len(self.attempts) < self.logged

    @property
    def labels(self) -> list[tuple[float, str]]:
        """Return for each attempt its beginning, in simulated s since the walk began, and the name of its node."""
        return attempt_labels(self.attempts)

    def as_dict(self) -> dict[str, Any]:
        """Return the replay as JSON data."""
        return {
            "walk": self.walk,
            "attempts": len(self.attempts),
            "logged_attempts": self.logged,
            "simulated_s": self.simulated_s,
            "wall_s": self.wall_s,
            "identical": self.difference is None if self.verified else None,
            "compared_states": self.compared_states,
            "difference": None if self.difference is None else asdict(self.difference),
            "changes": asdict(self.changes),
        }


def attempt_labels(attempts: tuple[AttemptRecord, ...] | list[AttemptRecord]) -> list[tuple[float, str]]:
    """Return for each attempt its beginning, in simulated s since the walk began, and the name of its node.

    Filmstrips show these pairs as labels.
    """
    return [(attempt.started_s, attempt.node) for attempt in attempts]


def phase_captions(
    project: Project, attempts: Sequence[AttemptRecord], states: WalkStates, world: Environment
) -> list[tuple[float, str]]:
    """Return for each phase of the controllers in a walk its beginning, in s since the walk began, and its caption.

    Args:
        project: the project of the walk.
        attempts: attempts of the walk.
        states: sampled states of the walk.
        world: environment of the walk.
    """
    terrain = world.ground()
    found: list[tuple[float, str]] = []
    for attempt in attempts:
        part = states.trace.rows(states.attempt == attempt.position)
        if not len(part):
            continue
        preview = terrain.preview(float(part.x[0]))
        node, edge = project.graph.node(attempt.node), _edge(project, attempt)
        rollout = project.rollout(edge, node, attempt.cycles, preview, length=world.body.length, timeout=node.timeout)
        found += [(phase.time, phase.caption) for phase in phase_starts(part, rollout.controller)]
    return found


def logged_walks(log: RunLog, run: str) -> list[int]:
    """Return the indices of the walks of a run that have attempts in the log.

    Args:
        log: the log.
        run: id of the run.

    Raises:
        RunLogError: no walk of the run has attempts.
    """
    walks = log.walks(run)
    if not walks:
        raise RunLogError(f"run {run} has no logged attempt to replay: choose another run")
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
    """Simulate a logged walk again, with the logged seed, controllers, cycles and resets.

    With `draw` or `signal_rate`, only the attempts (executions of nodes) from the last reset before the interval
    `shown` to the end of this interval are simulated. A reset restores the start pose, so that these attempts repeat
    exactly. Without `draw` and `signal_rate`, or with both `verify` and `whole`, all attempts are simulated.

    Args:
        project: the project of the walk.
        log: log of the project.
        run: log record of the run.
        walk: index of the walk in the run.
        verify: whether to compare the replay with the log. The replay ends after the first attempt that differs. The
            time and the link of a difference are known if the sampled states of the walk were written to files.
        whole: whether to verify attempts outside `shown`, too.
        draw: whether the result contains sampled states for a picture.
        shown: interval (from, to) for `draw` and `signal_rate`, simulated s since the walk began.
        signal_rate: number of samples of the signals per simulated second; None records no signals.
        spare: limit of the simulated time by which attempts may last longer than logged; None for no limit.

    Raises:
        RunLogError: the run has no walk of this index, the walk ends before `shown`, it exceeds `spare`, or the log is
            damaged.
        CtrlGraphError: a node or learned edge of the walk is no longer in the graph.

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
    played = Played.of(run)
    if played is not None and signal_rate is not None and signal_rate != 1.0 / STEERING_INTERVAL_S:
        raise RunLogError(f"signals of a played run have {1.0 / STEERING_INTERVAL_S:g} samples per second")
    edges = [_edge(project, attempt) for attempt in attempts]
    changes = changes_since(project, run, attempts, edges)
    began = time.perf_counter()
    links = project.character.link_names
    recorder = StateRecorder(links)
    kept = _KeptStates(_reader(project, run.id, walk) if verify else None, links, attempts[0].position)
    digests: Difference | None = None
    done: list[AttemptRecord] = []
    with world.simulation(project.character, attempts[0].seed, keep_trace=False) as simulation:
        if played is not None:
            played.begin(simulation)
        signals = None if signal_rate is None else SignalRecorder(simulation, signal_rate, project.relative, shown)
        for attempt, edge in zip(attempts, edges, strict=True):
            if attempt.edge_kind == START:
                simulation.reset()
            if signals is not None:
                signals.begin(attempt.node, attempt.started_s)
            left = math.inf if spare is None else attempt.simulated_s + spare.seconds
            differences, states, took = _replay_attempt(project, simulation, attempt, edge, world, left, played)
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
    """Return the attempts from the last reset before the interval `shown` (from, to) to the end of this interval.

    Args:
        attempts: all attempts of the walk.
        shown: interval, simulated s since the walk began.
    """
    begins = [i for i, each in enumerate(attempts) if each.edge_kind == START and each.started_s <= shown[0]]
    first = begins[-1] if begins else 0
    return [attempts[first], *(attempt for attempt in attempts[first + 1 :] if attempt.started_s <= shown[1])]


def _logged(log: RunLog, run: str, walk: int, begins: float) -> list[AttemptRecord]:
    """Return the logged attempts of a walk.

    Raises:
        RunLogError: the run has no walk of this index, the walk ends before the time `begins`, s since the walk began,
            or the log is damaged.
    """
    attempts = list(log.attempts(run, walk=walk))
    if not attempts:
        walks = ", ".join(str(index) for index in logged_walks(log, run))
        raise RunLogError(f"run {run} has no walk {walk}: give a walk of the run ({walks})")
    _check_attempts(run, attempts)
    seconds = attempts[-1].started_s + attempts[-1].simulated_s
    if begins >= seconds:
        raise RunLogError(
            f"walk {walk} of run {run} ends at {seconds:.1f} s: --between must begin earlier than {begins:g} s"
        )
    return attempts


def _reader(project: Project, run: str, walk: int) -> StateReader | None:
    """Return a reader of the sampled states of a walk; None if the states were not written to files.

    Raises:
        CtrlGraphError: the path of a file leads out of the project, because of a link or of a damaged id of the run.
    """
    path = states_path(project.runs_directory, run, walk)
    contained(project.runs_directory, f"{run}/{path.name}")  # before any file there is accessed
    for part in parts_of(path):
        contained(project.runs_directory, f"{run}/{part.name}")
    return StateReader.open(path)


def _check_attempts(run: str, attempts: list[AttemptRecord]) -> None:
    """Check that the logged times and cycles of attempts are possible: they determine how long a replay lasts.

    Raises:
        RunLogError: an attempt begins later than the time limits of the attempts before it allow, lasts longer than
            its own limit, or has an impossible number of cycles.
    """
    for i, attempt in enumerate(attempts):
        if not 0 <= attempt.started_s <= i * MAX_TIMEOUT_S:
            what = f"begins at {attempt.started_s:g} s, an impossible time"
        elif not 0 <= attempt.simulated_s <= MAX_TIMEOUT_S + 1.0:
            what = f"lasts {attempt.simulated_s:g} s, an impossible time"
        elif not 1 <= attempt.cycles <= MAX_CYCLES:
            what = f"has {attempt.cycles} cycles, but must have 1 to {MAX_CYCLES}"
        else:
            continue
        where = f"attempt {attempt.position} of walk {attempt.walk} of run '{run}'"
        raise RunLogError(f"the run log is damaged, so restore or delete it: {where} {what}")


class Spare:
    """Limit of the total simulated time by which replays may last longer than logged.

    A damaged or forged log could otherwise make a replay run for a very long time.

    Attributes:
        seconds: time that is left, s.
    """

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self._whole = seconds

    def take(self, seconds: float, what: str) -> None:
        """Subtract the time by which an attempt has lasted longer than logged from the time that is left.

        Args:
            seconds: duration minus logged duration of the attempt, simulated s. Negative values count as 0.
            what: name of the walk for the error message.

        Raises:
            RunLogError: no time is left.
        """
        self.seconds -= max(seconds, 0.0)
        if self.seconds <= _STEP_S:
            raise RunLogError(
                f"the replay of {what} differs from the log: it lasts at least {self._whole:g}"
                " simulated seconds longer than logged"
            )


class _KeptStates:
    """Comparison of the stored sampled states of a walk, which are read piece by piece, with those of the replay.

    Attributes:
        compared: number of samples compared so far.
        difference: first difference; None if there is no difference so far.
    """

    def __init__(self, reader: StateReader | None, links: tuple[str, ...], first: int) -> None:
        """
        Args:
            reader: reader of the stored states; None to compare nothing.
            links: names of the character's links.
            first: number of the first attempt that is simulated, from 0.

        Raises:
            RunLogError: the stored states have other links than `links`, or a file is damaged.
        """
        if reader is not None and reader.links != links:
            raise RunLogError(
                "the walk cannot be compared, because the links of the character have changed: restore the"
                " character file"
            )
        self.compared = 0
        self.difference: Difference | None = None
        self._pieces = iter(()) if reader is None else _from_attempt(reader.pieces(), first)
        self._left: WalkStates | None = None

    def compare(self, states: WalkStates) -> None:
        """Compare the next samples of the replay with the next stored samples, as long as there are stored samples."""
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
    """Yield the pieces of stored states from the attempt with the number `first` on. Earlier samples are left out."""
    for piece in pieces:
        later = np.flatnonzero(piece.attempt >= first)
        if len(later):
            yield piece.part(int(later[0]))


def _edge(project: Project, attempt: AttemptRecord) -> Edge | None:
    """Return the learned edge that an attempt took; None if the attempt took another kind of edge.

    Raises:
        CtrlGraphError: the attempt's node or learned edge is no longer in the graph.
    """
    if attempt.node not in project.graph:
        raise CtrlGraphError(
            f"the walk cannot be replayed: restore the node '{attempt.node}', which is no longer in the graph"
        )
    if attempt.edge_kind != EdgeKind.LEARNED or attempt.source is None:
        return None
    for edge in project.graph.planned_edges(attempt.source):
        if edge.target == attempt.node and edge.kind is EdgeKind.LEARNED:
            return edge
    missing = Edge(attempt.source, attempt.node, EdgeKind.LEARNED)
    raise CtrlGraphError(
        f"the walk cannot be replayed: restore the learned edge {missing}, which is no longer in the graph"
    )


def _replay_attempt(
    project: Project,
    simulation: Simulation,
    attempt: AttemptRecord,
    edge: Edge | None,
    world: Environment,
    most_s: float,
    played: Played | None,
) -> tuple[Iterator[Difference], WalkStates, float]:
    """Simulate an attempt (one execution of a node) again, for at most `most_s` simulated seconds.

    A `played` attempt is simulated with the commands of the player.

    Returns:
        The differences from the log, the earliest first; the sampled states, with times since the walk began; and the
        simulated duration, s.
    """
    node = project.graph.node(attempt.node)
    began = simulation.time
    # the logged number of cycles can be outside the current range of the node
    timeout = min(node.timeout if played is None else node.timeout_for(attempt.cycles), most_s)
    predicts = world.predicts_falls and attempt.edge_kind != START
    length = world.body.length
    rollout = project.rollout(
        edge, node, attempt.cycles, simulation.preview, length=length, timeout=timeout, predicts_falls=predicts
    )
    seconds = 0.0 if attempt.edge_kind == START else timeout
    if played is None:
        world.disturbances.disturb(simulation, attempt.seed, attempt.started_s, seconds)
        outcome = simulation.run_rollout(rollout)
    else:
        outcome = played.run(simulation, rollout, attempt.position)
    recorder = StateRecorder(project.character.link_names)
    recorder.add(simulation.last_trace, attempt.position, attempt.started_s - began)
    states = recorder.states()
    assert states is not None
    compared = (
        ("the digest of its entry state", attempt.entry_digest, outcome.entry_digest),
        ("the digest of all its states", attempt.history_digest, simulation.history_digest()),
        ("the digest of its exit state", attempt.exit_digest, simulation.state_digest()),
        ("its simulated time", f"{attempt.simulated_s!r} s", f"{outcome.simulated_s!r} s"),
        ("its outcome", outcome_text(attempt), outcome_text(outcome)),
    )
    differences = (
        Difference(attempt.position, None, None, what, logged, replayed)
        for what, logged, replayed in compared
        if logged != replayed
    )
    return differences, states, outcome.simulated_s
