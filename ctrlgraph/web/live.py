"""A live simulation: it is recorded as it goes, and when its scripts or its world change, it goes on from the last
moment of which nothing is different."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

from ctrlgraph.control.script.correspondence import active_phases, entries
from ctrlgraph.control.script.program import Program
from ctrlgraph.engine import loop
from ctrlgraph.engine.pushes import Push
from ctrlgraph.errors import CtrlGraphError
from ctrlgraph.simulation.execution import Execution
from ctrlgraph.simulation.moment import Moment
from ctrlgraph.simulation.outcome import Outcome
from ctrlgraph.simulation.rollout import Rollout
from ctrlgraph.simulation.signals import SignalRecorder, Signals
from ctrlgraph.simulation.simulation import Simulation
from ctrlgraph.terrain.profile import TerrainPreview
from ctrlgraph.web.marks import Mark, SegmentRun, with_control
from ctrlgraph.web.motion import LiveRecording
from ctrlgraph.web.programs import Programs
from ctrlgraph.web.segments import LiveSegment, Queue
from ctrlgraph.web.world import Event, LiveWorld, WorldChange, common_changes, first_difference, in_order

if TYPE_CHECKING:
    from ctrlgraph.project.project import Project

RATE = 100.0
"""Samples of a live motion a simulated second."""

BETWEEN_MARKS = 25
"""Samples from one mark to the next: so much is simulated again at most besides what has changed."""

FIRST_PIECE = 5
"""Samples of the first piece after a change: what the page waits for."""

MAX_MOTION_S = 120.0
"""So long may a live motion become, s of simulated time; who wants more of it logs a walk."""

_ALMOST = 1e-9


@dataclass(frozen=True)
class Branch:
    """Where a motion was left: the number of the first sample that is new, and its time, s."""

    sample: int
    time: float


class LiveSimulation:
    """A character that runs segments, one after another, and can be changed at any moment.

    Nothing here waits or has threads: `advance` simulates a little, `revise` goes back as far as it must, and not
    further. `ended` says how the motion has ended, None where it goes on.

    Args:
        project: whose character and graph it is.
        programs: what its segments run.
        world: where it begins.
        first: the segment that it begins with.
        queue: what comes after it.
        events: what changes in the world, and when.

    Raises:
        CtrlGraphError: the first segment cannot be run.
    """

    def __init__(
        self,
        project: Project,
        programs: Programs,
        world: LiveWorld,
        first: LiveSegment,
        queue: Queue,
        events: Sequence[Event] = (),
    ) -> None:
        self.recording = LiveRecording()
        self.ended: str | None = None
        self.queue = queue
        self._project, self._programs = project, programs
        self._world, self._events, self._changes = world, in_order(events), 0
        self._runs: list[SegmentRun] = []
        self._samples = self._piece = self._since_mark = self._entries = 0
        self._fresh, self._after_last = True, False
        self._execution: Execution | None = None
        self._first_step = True
        self._recorder: SignalRecorder | None = None
        self._simulation = self._opened()
        try:
            self._begin(first)
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """Free the world."""
        self._simulation.close()

    @property
    def time(self) -> float:
        """Return how far the motion has come, s."""
        return self._simulation.time

    @property
    def world(self) -> LiveWorld:
        """Return the world as it is at the motion's end."""
        return self._world

    @property
    def preview(self) -> TerrainPreview:
        """Return the ground under the character at the motion's end."""
        return self._simulation.preview

    @property
    def segments(self) -> list[tuple[LiveSegment, Outcome | None, float]]:
        """Return the segments so far, what came of each (None where it is under way), and when it began, s."""
        return [(run.segment, run.outcome, run.marks[0].time) for run in self._runs]

    # --- going on ---

    def advance(self) -> Signals | None:
        """Simulate on by a piece, and return its signals, which are the recording's last ones from then on; None where
        there are no new ones."""
        wanted = FIRST_PIECE if self._fresh else BETWEEN_MARKS
        while self.ended is None and self._piece < wanted:
            self._step()
        assert self._recorder is not None
        taken = self._recorder.take(ended=self.ended is not None)
        self._piece = 0
        if taken is None:
            return None
        self._fresh = False
        self.recording.cut(self._samples - len(self._recorder) - len(taken))
        self.recording.add(taken)
        return taken

    def _step(self) -> None:
        """Go on by a sample, or to the next segment."""
        if self.time >= MAX_MOTION_S - _ALMOST:
            self.ended = f"a live motion ends after {MAX_MOTION_S:g} s"
            return
        if self._execution is None:
            self._begin_next()
            return
        self._change_world()
        run = self._runs[-1]
        status = self._simulation.advance_watched(self._execution, first=self._first_step)
        self._first_step = False
        if status in loop.GOES_ON:
            self._since_mark += 1
            if self._since_mark >= BETWEEN_MARKS:
                self._mark()
            return
        run.outcome = self._simulation.end(self._execution, status)
        self._execution = None

    def _begin_next(self) -> None:
        """Begin what comes next, or end."""
        run = self._runs[-1]
        assert run.outcome is not None
        following = self.queue.next(run.segment, run.outcome, lambda: self._simulation.preview)
        if following is None:
            self.ended = told(run.outcome)
            return
        try:
            self._begin(following)
        except CtrlGraphError as error:
            self.ended = f"{following.name} cannot be run: {str(error).splitlines()[0]}"

    def _begin(self, segment: LiveSegment) -> None:
        preview = self._simulation.preview
        rollout = self._programs.rollout(segment, preview)
        # it begins in the state in which the one before it ended, and its sample is taken instead
        sample = self._samples - self._after_last
        mark = Mark(sample, self.time, self._world, self._changes, self._simulation.snapshot())
        self._run(SegmentRun(segment, rollout, preview, [mark]))

    def _run(self, run: SegmentRun) -> None:
        """Run a segment from its beginning, which is where the simulation is."""
        assert self._recorder is not None
        self._execution = self._simulation.begin(run.rollout)  # an error leaves everything as it was
        self._runs.append(run)
        self._recorder.begin(run.segment.name)
        before = run.marks[0].snapshot
        is_script = isinstance(run.rollout.controller, Program) and before.kind == run.rollout.controller.kind
        self._entries = entries(before.control) if is_script else 0
        self._first_step, self._since_mark = True, 0

    def _see(self, moment: Moment) -> None:
        """Look at a sample: which phases are under way."""
        assert self._recorder is not None
        self._recorder.see(moment)
        run = self._runs[-1]
        if isinstance(run.rollout.controller, Program):
            run.looks.append(active_phases(moment.state, self._entries))
            self._entries = entries(moment.state)
        self._samples += not self._after_last
        self._after_last = moment.last
        self._piece += 1

    def _mark(self) -> None:
        assert self._execution is not None
        run, execution = self._runs[-1], self._simulation.mark(self._execution)
        counts = len(run.looks), self._entries
        run.marks.append(
            Mark(self._samples, self.time, self._world, self._changes, execution.snapshot, execution, *counts)
        )
        self._since_mark = 0

    # --- the world ---

    def _opened(self) -> Simulation:
        """A simulation in the present world, watched."""
        character, world = self._project.character, self._world
        simulation = Simulation(character, world.terrain, engine=world.engine, sample_rate=RATE, keep_trace=False)
        if self._recorder is None:
            self._recorder = SignalRecorder(simulation, RATE, self._project.relative)
        self._recorder.move_to(simulation)
        simulation.watch(self._see, 1.0 / RATE)
        simulation.disturb([event for event in self._events if isinstance(event, Push)])
        return simulation

    def _change_world(self) -> None:
        """Make the changes of the world that are due."""
        changes = [event for event in self._events if isinstance(event, WorldChange)]
        while self._changes < len(changes) and changes[self._changes].time <= self.time + _ALMOST:
            assert self._execution is not None
            self._mark()
            mark = self._runs[-1].marks[-1].execution
            assert mark is not None
            self._enter(self._world.changed(changes[self._changes], self._simulation.x))
            self._changes += 1
            self._execution = self._simulation.resume_at(mark)

    def _enter(self, world: LiveWorld) -> None:
        """Simulate in another world from now on; the state is to be restored."""
        before = self._simulation
        self._world, present = world, self._world
        try:
            self._simulation = self._opened()
        except BaseException:
            self._world = present
            raise
        before.close()

    # --- going back ---

    def revise(self, events: Sequence[Event] | None = None) -> Branch | None:
        """Go on with the programs as they now are, and with other events where some are given, from the last mark of
        which nothing is different; returns where that is, None where nothing that has been simulated is lost.

        Raises:
            SimulationError: a push is out of range; then nothing has changed.
        """
        later = self._events if events is None else in_order(events)
        self._simulation.disturb([event for event in later if isinstance(event, Push)])
        places = [place for place in (self._where_events_differ(later), self._where_programs_differ()) if place]
        self._events = later
        if not places:
            return None
        index, mark = min(places, key=lambda place: (place[0], place[1].sample, place[1].changes))
        return self._branch(index, mark)

    def _where_events_differ(self, later: Sequence[Event]) -> tuple[int, Mark] | None:
        moment = first_difference(self._events, later)
        if moment > self.time - _ALMOST:
            return None
        common = common_changes(self._events, later)
        found = None
        for index, run in enumerate(self._runs):
            for mark in run.marks:
                if mark.time <= moment + _ALMOST and mark.changes <= common:
                    found = index, mark
        return found

    def _where_programs_differ(self) -> tuple[int, Mark] | None:
        """The last mark before a script does something else than it did; of the run under way a new one, where it has
        not yet come to that."""
        for index, run in enumerate(self._runs):
            mark = self._first_mark_of_difference(run)
            if mark is not None:
                return index, mark
        return None

    def _first_mark_of_difference(self, run: SegmentRun) -> Mark | None:
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
        pairs = pairwise([None, *run.looks])
        first = next((i for i, (last, now) in enumerate(pairs) if now and not common.holds(now, last)), None)
        if first is not None:
            return next(mark for mark in reversed(run.marks) if mark.looks <= first)
        if run is not self._runs[-1] or self._execution is None:
            return None
        if not self._first_step:
            self._mark()
        return run.marks[-1]

    def _rollout(self, run: SegmentRun) -> Rollout:
        """What a run's segment runs now."""
        try:
            return self._programs.rollout(run.segment, run.preview)
        except CtrlGraphError:
            return run.rollout

    def _branch(self, index: int, mark: Mark) -> Branch | None:
        """Go on from a mark of a run with what the programs now are."""
        run, seen = self._runs[index], self._samples
        rollout = self._rollout(run)
        self._requeue(index)
        self._go_back(index, mark)
        if mark.execution is None:
            self._run(SegmentRun(run.segment, rollout, run.preview, [mark]))
        else:
            self._resume(index, mark, run, rollout)
        return Branch(mark.sample, mark.time) if mark.sample < seen else None

    def _resume(self, index: int, mark: Mark, run: SegmentRun, rollout: Rollout) -> None:
        """Go on with a run from a mark in it, in which the simulation is, with what its segment runs now."""
        assert self._recorder is not None
        marks, looks = run.marks[: run.marks.index(mark) + 1], run.looks[: mark.looks]
        common = self._programs.correspondence(run.rollout.controller, rollout.controller)
        if common is not None and rollout.controller is not run.rollout.controller:
            marks = [with_control(each, common.carried) for each in marks]
            looks = [common.seen(each) for each in looks]
        self._runs.append(SegmentRun(run.segment, rollout, run.preview, marks, looks))
        execution = marks[-1].execution
        assert execution is not None
        self._execution = self._simulation.resume_at(execution, rollout)
        self._recorder.go_on_from(index, run.segment.name)
        self._first_step, self._since_mark, self._entries = False, 0, mark.entries

    def _requeue(self, index: int) -> None:
        """Let what was run after a run come after it again, as far as that was settled and answered no failure."""
        again = []
        for before, run in pairwise(self._runs[index:]):
            if before.outcome is None or not before.outcome.succeeded:
                break
            if run.segment.edge is not None and not run.segment.edge.planned:
                break
            again.append(run.segment)
        self.queue.waiting.extendleft(reversed(again))

    def follow(self, queue: Queue, time: float) -> Branch | None:
        """Let another queue say what comes after the segment that is run at a time (s)."""
        index = max((i for i, run in enumerate(self._runs) if run.marks[0].time <= time + _ALMOST), default=0)
        self.queue = queue
        if index + 1 == len(self._runs):
            self.ended = None
            return None
        mark, seen = self._runs[index + 1].marks[0], self._samples
        self._go_back(index + 1, mark)
        return Branch(mark.sample, mark.time) if mark.sample < seen else None

    def _go_back(self, index: int, mark: Mark) -> None:
        """Restore a mark of a run, and forget that run and what came after it."""
        assert self._recorder is not None
        self._runs = self._runs[:index]
        self._changes = mark.changes
        if mark.world is not self._world:
            self._enter(mark.world)
        self._simulation.restore(mark.snapshot)
        self._recorder.go_on_from(index - 1, "")
        self.recording.cut(mark.sample)
        self._samples, self._piece, self._after_last = mark.sample, 0, False
        self._fresh, self.ended, self._execution = True, None, None


def told(outcome: Outcome) -> str:
    """Return what came of a run, in a few words."""
    return f"{outcome.conclusion.value}: {outcome.reason}" if outcome.reason else outcome.conclusion.value
