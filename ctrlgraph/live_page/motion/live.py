"""The live simulation of a session: a simulation whose scripts and world can be changed while it runs.

The simulation is recorded, and its state is stored at regular intervals in marks. After a change of a script or of the
world (slope, friction, engine, pushes), it continues from the last mark before the time at which the change first
affects the motion.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import pairwise, takewhile
from typing import TYPE_CHECKING, Any

from ctrlgraph.control.gait.gait import Gait
from ctrlgraph.control.script.correspondence import active_phases, entries
from ctrlgraph.engine import loop
from ctrlgraph.engine.planar_pushes import Push
from ctrlgraph.engine.spatial_pushes import SpatialPush
from ctrlgraph.errors import CtrlGraphError
from ctrlgraph.live_page.motion.played_walk import PlayedQueue, Situation
from ctrlgraph.live_page.motion.programs import Programs
from ctrlgraph.live_page.motion.recording import LiveRecording, Mark, SegmentRun, with_control
from ctrlgraph.live_page.motion.segments import LiveSegment, Queue
from ctrlgraph.live_page.motion.world import (
    Choice,
    Event,
    LiveWorld,
    Steering,
    WorldChange,
    common_changes,
    first_difference,
    sorted_events,
)
from ctrlgraph.simulation.execution import Execution
from ctrlgraph.simulation.moment import Moment
from ctrlgraph.simulation.outcome import Outcome
from ctrlgraph.simulation.rollout import Rollout
from ctrlgraph.simulation.signals.recorded_signals import SignalRecorder, Signals
from ctrlgraph.simulation.simulation import Simulation
from ctrlgraph.terrain.terrain import TerrainPreview
from ctrlgraph.walks.lookahead import SearchInterrupted

if TYPE_CHECKING:
    from ctrlgraph.project.project import Project

RATE = 100.0
"""Number of recorded samples of a live motion per simulated second."""

MARK_INTERVAL = 25
"""Number of samples between two marks (stored states). At most this many samples that a change does not affect are
simulated again after the change.
"""

FIRST_PIECE_SAMPLES = 5
"""Number of samples that are simulated and sent first after a change. It is small because the page waits for them."""

MAX_MOTION_S = 120.0
"""Maximum duration of a live motion, simulated s."""

MAX_PLAYED_S = 300.0
"""Maximum duration of a played motion, simulated s."""

MIN_CUT_S = 0.3
"""Minimum duration of a gait that ends at the choice of another node, s."""

_TOLERANCE_S = 1e-9


@dataclass(frozen=True)
class Branch:
    """The point of a motion from which it was simulated again after a change."""

    sample: int
    """Index of the first sample that was simulated again."""
    time: float
    """Time of the motion at the sample `sample`, s."""


class LiveSimulation:
    """Simulation of segments (one node or script each), whose scripts and world can be changed while it runs.

    `advance` simulates the next piece of the motion. `revise` goes back as far as a change requires.

    Args:
        project: Project with the character and the graph.
        programs: Cache of the controllers of the segments.
        world: Terrain and engine at the beginning of the motion.
        first: First segment.
        queue: Segments after the first.
        events: Pushes, desired velocities, and changes of slope, friction or engine.

    Attributes:
        recording: Recorded motion.
        ended: Reason why the motion has ended, as text. None: the motion continues.
        queue: Segments that have not begun yet.
        world: Terrain and engine at the time up to which the motion is simulated.

    Raises:
        CtrlGraphError: If the first segment cannot be run, for example because its script has errors.
    """

    def __init__(
        self,
        project: Project,
        programs: Programs,
        world: LiveWorld,
        first: LiveSegment,
        queue: Queue | PlayedQueue,
        events: Sequence[Event] = (),
    ) -> None:
        self.recording = LiveRecording()
        self.ended: str | None = None
        self.queue = queue
        self._project, self._programs = project, programs
        self.world, self._events, self._changes = world, sorted_events(events), 0
        self._runs: list[SegmentRun] = []
        self._samples = self._piece = self._since_mark = self._entries = 0
        self._first_piece, self._last_sample_ended = True, False
        self._longest = MAX_PLAYED_S if isinstance(queue, PlayedQueue) else MAX_MOTION_S
        self._unchanged_until = 0.0  # after a change: time up to which the motion is as before
        self._execution: Execution | None = None
        self._first_step = True
        self._recorder: SignalRecorder | None = None
        self._simulation = self._open_simulation()
        try:
            self._begin(first)
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """Free the simulation."""
        self._simulation.close()

    @property
    def time(self) -> float:
        """Return the time up to which the motion is simulated, s."""
        return self._simulation.time

    @property
    def preview(self) -> TerrainPreview:
        """Return the slope of the ground, and the obstacle ahead, at the time up to which the motion is simulated."""
        return self._simulation.preview

    @property
    def segments(self) -> list[tuple[LiveSegment, Outcome | None, float]]:
        """Return (segment, outcome, start time in s) of each segment that has begun. Outcome None: it still runs."""
        return [(run.segment, run.outcome, run.marks[0].time) for run in self._runs]

    @property
    def runs(self) -> Sequence[SegmentRun]:
        """Return the records of all segments that have begun."""
        return self._runs

    @property
    def events(self) -> Sequence[Event]:
        """Return the events of the motion in the order of time."""
        return self._events

    def gait_at(self, time: float) -> str | None:
        """Return the name of the segment that runs at a time (s) if it is a gait, else None."""
        run = next((run for run in reversed(self._runs) if run.marks[0].time <= time + _TOLERANCE_S), self._runs[0])
        return run.segment.name if run.rollout.controller.kind == Gait.kind else None

    # --- advancing ---

    def advance(self) -> Signals | None:
        """Simulate the next piece of the motion, and append it to the recording.

        Returns:
            The recorded signals of the piece. None: the piece has no samples.
        """
        piece_samples = FIRST_PIECE_SAMPLES if self._first_piece else MARK_INTERVAL
        # a command has interrupted the search for a path: the caller executes it, and the search begins again
        with suppress(SearchInterrupted):
            while self.ended is None and (self._piece < piece_samples or self.time < self._unchanged_until):
                self._step()
        assert self._recorder is not None
        taken = self._recorder.take(ended=self.ended is not None)
        self._piece = 0
        if taken is None:
            return None
        self._first_piece = False
        self.recording.cut(self._samples - len(self._recorder) - len(taken))
        self.recording.pieces.append(taken)
        return taken

    def _step(self) -> None:
        """Simulate up to the next recorded sample, or begin the next segment."""
        if self.time >= self._longest - _TOLERANCE_S:
            self.ended = f"a live motion ends after {self._longest:g} s"
            return
        if self._execution is None:
            self._begin_next()
            return
        self._change_world()
        run = self._runs[-1]
        self._steer(run)
        is_over = isinstance(self.queue, PlayedQueue) and self.queue.walk.is_over(self._situation())
        if isinstance(self.queue, PlayedQueue):
            self._simulation.end_after_cycle(ends=is_over)
        status = self._simulation.advance_watched(self._execution, first=self._first_step)
        self._first_step = False
        if status in loop.GOES_ON and self._is_cut(run, is_over=is_over):
            status, run.cut = loop.ENDED, self.time
        if status in loop.GOES_ON:
            self._since_mark += 1
            if self._since_mark >= MARK_INTERVAL:
                self._mark()
            return
        run.outcome = self._simulation.end(self._execution, status)
        run.cycles_left = self._simulation.cycles_left
        run.digests = self._simulation.state_digest(), self._simulation.history_digest()
        self._execution = None

    def _is_cut(self, run: SegmentRun, *, is_over: bool) -> bool:
        """Return whether the segment that runs ends now, and not after its cycles. Gaits can end at any time."""
        if run.segment.until is not None and self.time >= run.segment.until - _TOLERANCE_S:
            return True
        is_gait = run.rollout.controller.kind == Gait.kind
        return is_gait and is_over and self.time >= run.marks[0].time + MIN_CUT_S - _TOLERANCE_S

    def _situation(self) -> Situation:
        """Return the motion up to the present."""
        simulation = self._simulation
        choices = [e for e in self._events if isinstance(e, Choice) and e.time <= self.time + _TOLERANCE_S]
        return Situation(self.time, simulation.x, simulation.preview, choices, self.segments, simulation.snapshot)

    def _steer(self, run: SegmentRun) -> None:
        """Set the desired velocity of the gait that runs to that of the last event, if no other node has run since."""
        if run.rollout.controller.kind != Gait.kind:
            return
        steering = [
            each for each in self._events if isinstance(each, Steering) and each.time <= self.time + _TOLERANCE_S
        ]
        if steering and self._begin_of_node() <= steering[-1].time + _TOLERANCE_S:
            command = steering[-1].command
            self._simulation.command(**command._asdict())
            if not run.commands or run.commands[-1][1] != command:
                run.commands.append((self.time, command))

    def _begin_of_node(self) -> float:
        """Return the time since which the same node has run, with its repetitions, s."""
        name = self._runs[-1].segment.name
        runs = takewhile(lambda run: run.segment.name == name, reversed(self._runs))
        return min(run.marks[0].time for run in runs)

    def _begin_next(self) -> None:
        """Begin the next segment, or end the motion."""
        run = self._runs[-1]
        assert run.outcome is not None
        if isinstance(self.queue, PlayedQueue):
            segment = self.queue.next(self._situation())
        else:
            segment = self.queue.next(run.segment, run.outcome, lambda: self._simulation.preview)
        if segment is None:
            self.ended = describe_outcome(run.outcome)
            return
        try:
            self._begin(segment)
        except CtrlGraphError as error:
            self.ended = f"{segment.name} cannot be run: {str(error).splitlines()[0]}"

    def _begin(self, segment: LiveSegment) -> None:
        preview = self._simulation.preview
        rollout = self._programs.rollout(segment, preview)
        # the first sample replaces the last sample of the previous segment, since both have the same state
        sample = self._samples - self._last_sample_ended
        mark = Mark(sample, self.time, self.world, self._changes, self._simulation.snapshot())
        self._run(SegmentRun(segment, rollout, preview, [mark]))

    def _run(self, run: SegmentRun) -> None:
        """Begin to execute a segment in the present state of the simulation."""
        assert self._recorder is not None
        self._execution = self._simulation.begin(run.rollout)  # an error leaves the state unchanged
        self._runs.append(run)
        self._recorder.begin(run.segment.name)
        self._entries = entries(run.marks[0].snapshot.control)
        self._first_step, self._since_mark = True, 0

    def _record_sample(self, moment: Moment) -> None:
        """Record a sample and the phases of the script that are active in it."""
        assert self._recorder is not None
        self._recorder.see(moment)
        run = self._runs[-1]
        run.phases.append(active_phases(moment.state, self._entries))
        self._entries = entries(moment.state)
        self._samples += not self._last_sample_ended
        self._last_sample_ended = moment.last
        self._piece += 1

    def _mark(self) -> None:
        assert self._execution is not None
        run, execution = self._runs[-1], self._simulation.mark(self._execution)
        counts = len(run.phases), self._entries
        run.marks.append(
            Mark(self._samples, self.time, self.world, self._changes, execution.snapshot, execution, *counts)
        )
        self._since_mark = 0

    # --- the world ---

    def _open_simulation(self) -> Simulation:
        """Return a simulation with the present terrain and engine that calls `_record_sample` for each sample."""
        character, world = self._project.character, self.world
        simulation = Simulation(character, world.terrain, engine=world.engine, sample_rate=RATE, keep_trace=False)
        if self._recorder is None:
            self._recorder = SignalRecorder(simulation, RATE, self._project.relative)
        self._recorder.move_to(simulation)
        simulation.watch(self._record_sample, 1.0 / RATE)
        simulation.disturb(_pushes(self._events))
        return simulation

    def _change_world(self) -> None:
        """Make those changes of slope, friction and engine whose time the simulation has reached."""
        changes = [event for event in self._events if isinstance(event, WorldChange)]
        while self._changes < len(changes) and changes[self._changes].time <= self.time + _TOLERANCE_S:
            assert self._execution is not None
            self._mark()
            mark = self._runs[-1].marks[-1].execution
            assert mark is not None
            self._switch_world(self.world.changed(changes[self._changes], self._simulation.x))
            self._changes += 1
            self._execution = self._simulation.resume_at(mark)

    def _switch_world(self, world: LiveWorld) -> None:
        """Replace the simulation by one with another terrain or engine. The caller then restores the state."""
        before = self._simulation
        self.world, present = world, self.world
        try:
            self._simulation = self._open_simulation()
        except BaseException:
            self.world = present
            raise
        before.close()

    # --- going back ---

    def revise(self, events: Sequence[Event] | None = None) -> Branch | None:
        """Continue with changed scripts, constants or events, from the last mark before the change affects the motion.

        Args:
            events: New pushes, and new changes of slope, friction or engine. None: these stay unchanged.

        Returns:
            The point from which the motion is simulated again. None: all simulated samples are still valid.

        Raises:
            SimulationError: If a push is out of range. In this case nothing changes.
        """
        later = self._events if events is None else sorted_events(events)
        self._simulation.disturb(_pushes(later))
        candidates = [mark for mark in (self._first_event_difference(later), self._first_program_difference()) if mark]
        moment, self._events = first_difference(self._events, later), later
        if not candidates:
            return None
        index, mark = min(candidates, key=lambda found: (found[0], found[1].sample, found[1].changes))
        branch = self._branch(index, mark)
        self._unchanged_until = moment if moment < math.inf else 0.0
        return branch

    def _first_event_difference(self, later: Sequence[Event]) -> tuple[int, Mark] | None:
        moment = first_difference(self._events, later)
        if moment > self.time - _TOLERANCE_S:
            return None
        common = common_changes(self._events, later)
        marks = [(index, mark) for index, run in enumerate(self._runs) for mark in run.marks]
        common_marks = (m for m in reversed(marks) if m[1].time <= moment + _TOLERANCE_S and m[1].changes <= common)
        return next(common_marks, None)

    def _first_program_difference(self) -> tuple[int, Mark] | None:
        """Return the last mark before a changed script affects the motion, and the index of the segment with the mark.

        If the current segment has not reached a changed part of its script yet, the result is a new mark at the end of
        the motion. None: no script has changed in a way that affects the motion.
        """
        marks = ((index, self._last_common_mark(run)) for index, run in enumerate(self._runs))
        return next(((index, mark) for index, mark in marks if mark is not None), None)

    def _last_common_mark(self, run: SegmentRun) -> Mark | None:
        before, after = run.rollout.controller, self._rollout(run).controller
        if before is after:
            return None
        common = self._programs.correspondence(before, after)
        if common is None:
            alike = before.digest == after.digest and before.constants.tolist() == after.constants.tolist()
            return None if alike else run.marks[0]
        if common.complete:
            return None
        if not common.begins_alike:
            return run.marks[0]
        first = next((i for i, active in enumerate(run.phases) if not common.holds(active)), None)
        if first is not None:
            return next(mark for mark in reversed(run.marks) if mark.n_samples <= first)
        if run is not self._runs[-1] or self._execution is None:
            return None
        if not self._first_step:
            self._mark()
        return run.marks[-1]

    def _rollout(self, run: SegmentRun) -> Rollout:
        """Return the rollout of a segment with the present scripts. If these have errors, return the old rollout."""
        try:
            return self._programs.rollout(run.segment, run.preview)
        except CtrlGraphError:
            return run.rollout

    def _branch(self, index: int, mark: Mark) -> Branch | None:
        """Go back to a mark in the segment with the given index, and continue with the present scripts."""
        run = self._runs[index]
        rollout = self._rollout(run)
        self._requeue(index)
        branch = self._go_back(index, mark)
        if mark.execution is None:
            self._run(SegmentRun(run.segment, rollout, run.preview, [mark]))
        else:
            self._resume(index, mark, run, rollout)
        return branch

    def _resume(self, index: int, mark: Mark, run: SegmentRun, rollout: Rollout) -> None:
        """Continue a segment from a mark within it, with a new version of its controller.

        Args:
            index: Index of the segment.
            mark: The mark, whose state the simulation has.
            run: Execution of the segment with the old version of the controller.
            rollout: Rollout with the new version of the controller.
        """
        assert self._recorder is not None
        marks, phases = run.marks[: run.marks.index(mark) + 1], run.phases[: mark.n_samples]
        common = self._programs.correspondence(run.rollout.controller, rollout.controller)
        if common is not None and rollout.controller is not run.rollout.controller:
            marks = [with_control(each, common.carried) for each in marks]
            phases = [common.seen(each) for each in phases]
        commands = [(time, command) for time, command in run.commands if time < mark.time - _TOLERANCE_S]
        self._runs.append(SegmentRun(run.segment, rollout, run.preview, marks, phases, commands))
        execution = marks[-1].execution
        assert execution is not None
        self._execution = self._simulation.resume_at(execution, rollout)
        self._recorder.go_on_from(index, run.segment.name)
        self._first_step, self._since_mark, self._entries = False, 0, mark.entries

    def _requeue(self, index: int) -> None:
        """Put the segments after the segment with the given index back into the queue, up to the first failure.

        The walk of a played motion plans them again.
        """
        if isinstance(self.queue, PlayedQueue):
            self.queue.waiting.clear()
            return
        requeued = []
        for before, run in pairwise(self._runs[index:]):
            if before.outcome is None or not before.outcome.succeeded:
                break
            if run.segment.edge is not None and not run.segment.edge.planned:
                break
            requeued.append(run.segment)
        self.queue.waiting.extendleft(reversed(requeued))

    def set_queue(self, queue: Queue, time: float, *, cuts_gait: bool = False) -> Branch | None:
        """Replace all segments after the one that runs at a given time.

        Args:
            queue: Segments that are to follow.
            time: Time of the motion, s. The segment that runs at this time is the last one that is kept.
            cuts_gait: If this segment is a gait, it ends at this time, and not after its cycles.

        Returns:
            The point from which the motion is simulated again. None: all simulated samples are still valid.
        """
        index = self._index_at(time)
        self.queue = queue
        run = self._runs[index]
        if cuts_gait and run.rollout.controller.kind == Gait.kind and time < self._end_of(index) - _TOLERANCE_S:
            return self._cut(index, max(time, run.marks[0].time + MIN_CUT_S))
        if index + 1 == len(self._runs):
            self.ended = None
            return None
        return self._go_back(index + 1, self._runs[index + 1].marks[0])

    def end_at(self, time: float) -> None:
        """End the motion at a time (s), and simulate it up to there. A segment lasts at least `MIN_CUT_S`."""
        index = self._index_at(time)
        self.queue = Queue([])
        run = self._runs[index]
        if time < self._end_of(index) - _TOLERANCE_S:
            self._cut(index, max(time, run.marks[0].time + MIN_CUT_S))
        elif index + 1 < len(self._runs):
            self._go_back(index + 1, self._runs[index + 1].marks[0])
        while self.ended is None:
            self.advance()

    def _index_at(self, time: float) -> int:
        """Return the index of the segment that runs at a time (s)."""
        return max((i for i, run in enumerate(self._runs) if run.marks[0].time <= time + _TOLERANCE_S), default=0)

    def _end_of(self, index: int) -> float:
        """Return the time at which the segment with the given index has ended, s; infinity if it still runs."""
        if index + 1 < len(self._runs):
            return self._runs[index + 1].marks[0].time
        return self.time if self._runs[index].outcome is not None else math.inf

    def _cut(self, index: int, until: float) -> Branch | None:
        """End the segment with the given index at the time `until` (s), and simulate again what follows."""
        run = self._runs[index]
        if run.segment.until is not None:
            until = min(until, run.segment.until)
        mark = max((mark for mark in run.marks if mark.time <= until + _TOLERANCE_S), key=lambda mark: mark.time)
        run.segment = replace(run.segment, until=until)
        if index + 1 == len(self._runs) and self.time <= until - _TOLERANCE_S and run.outcome is None:
            return None  # the time is still to come
        branch = self._go_back(index, mark)
        self._unchanged_until = until
        if mark.execution is None:
            self._run(SegmentRun(run.segment, run.rollout, run.preview, [mark]))
        else:
            self._resume(index, mark, run, run.rollout)
        return branch

    def _go_back(self, index: int, mark: Mark) -> Branch | None:
        """Restore the state of a mark, and remove the segment with the given index and all later segments.

        Returns:
            The point from which the motion is to be simulated again. None: no sample is removed.
        """
        assert self._recorder is not None
        branch = Branch(mark.sample, mark.time) if mark.sample < self._samples else None
        self._runs = self._runs[:index]
        self._changes = mark.changes
        if mark.world is not self.world:
            self._switch_world(mark.world)
        self._simulation.restore(mark.snapshot)
        self._recorder.go_on_from(index - 1, "")
        self.recording.cut(mark.sample)
        self._samples, self._piece, self._last_sample_ended = mark.sample, 0, False
        self._first_piece, self.ended, self._execution, self._unchanged_until = True, None, None, 0.0
        return branch


def _pushes(events: Sequence[Event]) -> list[Any]:
    return [event for event in events if isinstance(event, Push | SpatialPush)]


def describe_outcome(outcome: Outcome) -> str:
    """Return an outcome as text: its conclusion (such as "failed"), and the reason if there is one."""
    return f"{outcome.conclusion.value}: {outcome.reason}" if outcome.reason else outcome.conclusion.value
