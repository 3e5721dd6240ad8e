"""The motions that pages show: the current motion, and the ghost (the motion before the last change)."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from ctrlgraph.engine.world_settings import WorldSettings
from ctrlgraph.errors import CtrlGraphError
from ctrlgraph.live_page.clients import Item
from ctrlgraph.live_page.motion.live import Branch, LiveSimulation, describe_outcome
from ctrlgraph.live_page.motion.played_walk import PlayedQueue, PlayedWalk
from ctrlgraph.live_page.motion.programs import Programs
from ctrlgraph.live_page.motion.recording import LiveRecording
from ctrlgraph.live_page.motion.segments import LiveSegment, Queue
from ctrlgraph.live_page.motion.world import Event, LiveWorld
from ctrlgraph.playback import PlaybackEncoder

if TYPE_CHECKING:
    from ctrlgraph.live_page.motion.world import Ground
    from ctrlgraph.project.project import Project

MIN_GHOST_S = 0.8
"""Minimum time for which pages must show a motion before it can become the ghost, s. While a slider is dragged, the
ghost therefore stays the motion before the first change."""

PRESENT, GHOST = "present", "ghost"
"""Ids of the current motion and of the ghost in messages. A variant (kept motion) has the id `variant:NUMBER`."""


class Stage:
    """The current motion of a session, and the ghost (the motion before the last change). Sends both to pages.

    Args:
        project: Project whose character moves.
        programs: Cache of the controllers of the current motion.
        send: Function that sends items to all pages.

    Attributes:
        live: Simulation of the current motion. None: the motion could not begin.
        version: Number of times that the current motion was replaced or simulated again.
        fault: Reason why the current motion could not begin. Empty: it has begun.
    """

    def __init__(self, project: Project, programs: Programs, send: Callable[[Sequence[Item]], None]) -> None:
        self.live: LiveSimulation | None = None
        self.version = 0
        self.fault = ""
        self._project, self._programs, self._send = project, programs, send
        self._ghost: LiveRecording | None = None
        self._is_new_ghost = False
        self._shown_at = 0.0
        self._encoder = PlaybackEncoder(project.character, tick=WorldSettings().dt)
        self._sent_ended: str | None = None

    def close(self) -> None:
        """Free the simulation."""
        if self.live is not None:
            self.live.close()

    @property
    def is_walking(self) -> bool:
        """Return whether the current motion is a walk, of which only a few seconds are simulated in advance."""
        return self.live is not None and self.live.queue.walk is not None

    # --- the current motion ---

    def begin(self, world: LiveWorld, segments: Sequence[LiveSegment], events: Sequence[Event]) -> None:
        """Restart the current motion.

        Args:
            world: Terrain and engine at the beginning.
            segments: Segments (nodes or scripts) to run, in order.
            events: Pushes, and changes of slope, friction or engine.
        """
        first, *others = segments
        self._begin(world, first, Queue(others), events)

    def begin_played(self, world: LiveWorld, walk: PlayedWalk) -> None:
        """Restart the current motion as one that a player steers.

        Args:
            world: Terrain and engine.
            walk: Walk that chooses the nodes.
        """
        self._begin(world, walk.first(), PlayedQueue(walk), ())

    def _begin(self, world: LiveWorld, first: LiveSegment, queue: Queue | PlayedQueue, events: Sequence[Event]) -> None:
        before, self.live = self.live, None
        if before is not None:
            self._keep_ghost(before.recording)
            before.close()
        self.fault = ""
        try:
            self.live = LiveSimulation(self._project, self._programs, world, first, queue, events)
        except CtrlGraphError as error:
            self.fault = str(error).splitlines()[0]
        self._announce_branch(Branch(0, 0.0))

    def revise(self, events: Sequence[Event] | None = None) -> None:
        """Simulate the current motion again from the time at which changed scripts, constants or events affect it.

        Args:
            events: New pushes, and new changes of slope, friction or engine. None: these stay unchanged.

        Raises:
            SimulationError: A push is out of range.
        """
        live = self.live
        assert live is not None
        before = live.recording.copy()
        self._announce_branch(live.revise(events), before)
        if live.ended is None:
            self.advance()  # the page waits for the first piece

    def set_queue(self, queue: Queue, time: float, *, cuts_gait: bool = False) -> None:
        """Replace all segments after the one that runs at a given time.

        Args:
            queue: Segments that are to follow.
            time: Time of the motion, s. The segment that runs at this time is the last one that is kept.
            cuts_gait: If this segment is a gait, it ends at this time, and not after its cycles.

        Raises:
            CtrlGraphError: If the current motion could not begin.
        """
        if self.live is None:
            raise CtrlGraphError("there is no motion to continue: run a node or script first")
        before = self.live.recording.copy()
        self._announce_branch(self.live.set_queue(queue, time, cuts_gait=cuts_gait), before)

    def advance(self) -> bool:
        """Simulate the next piece of the current motion, and send it to all pages.

        Returns:
            True if a segment has begun or the motion has ended. Pages then need the new state.
        """
        live = self.live
        assert live is not None
        count = len(live.segments)
        try:
            taken = live.advance()
        except CtrlGraphError as error:
            live.ended, taken = str(error), None
        except Exception:
            live.ended = "a fault in ctrlgraph itself"  # do not retry
            raise
        if taken is not None:
            self._encoder.set_terrain(live.world.terrain)
            data = self._encoder.message(taken, live.recording.samples - len(taken))
            self._send([self._header(PRESENT), data])
        return live.ended != self._sent_ended or len(live.segments) != count

    def _keep_ghost(self, recording: LiveRecording) -> None:
        """Keep a replaced motion as the ghost. A motion that was shown only briefly does not replace an older ghost."""
        if self._ghost is None or time.monotonic() - self._shown_at >= MIN_GHOST_S:
            self._ghost, self._is_new_ghost = recording.copy(), True

    def _announce_branch(self, branch: Branch | None, before: LiveRecording | None = None) -> None:
        """Tell all pages from which point on the motion is simulated again. None: no point, and nothing is sent.

        Keep the recording `before` as the ghost.
        """
        if branch is None:
            return
        if before is not None:
            self._keep_ghost(before)
        self.version += 1
        self._shown_at = time.monotonic()
        position = {"version": self.version, "sample": branch.sample, "time": branch.time}
        self._send([{"type": "branch", **position, "keeps_ghost": not self._is_new_ghost}])
        self._is_new_ghost = False

    # --- messages ---

    def motion(self, recording: LiveRecording, motion_id: str, terrain: Ground) -> list[Item]:
        """Return the items that send a whole recorded motion to a page.

        Args:
            recording: Recorded motion.
            motion_id: Id of the motion in messages: `PRESENT`, `GHOST` or that of a variant.
            terrain: Terrain at the end of the motion.
        """
        whole = recording.whole()
        if whole is None:
            return []
        encoder = PlaybackEncoder(self._project.character, tick=WorldSettings().dt)
        if motion_id == PRESENT:
            encoder = self._encoder.fork()
        encoder.set_terrain(terrain)
        return [self._header(motion_id), encoder.message(whole)]

    def join_messages(self, terrain: Ground) -> list[Item]:
        """Return the items that send the current motion and the ghost to a page that has connected.

        Args:
            terrain: Terrain of the ghost.
        """
        items: list[Item] = []
        if self.live is not None:
            items += self.motion(self.live.recording, PRESENT, self.live.world.terrain)
        if self._ghost is not None:
            items += self.motion(self._ghost, GHOST, terrain)
        return items

    def state(self) -> dict[str, Any]:
        """Return the fields about the current motion of the message with the session's state."""
        live = self.live
        self._sent_ended = None if live is None else live.ended
        return {
            "version": self.version,
            "samples": 0 if live is None else live.recording.samples,
            "segments": [] if live is None else [_segment_data(*each) for each in live.segments],
            "ended": self.fault or self._sent_ended,
            "walking": self.is_walking,
        }

    def _header(self, motion_id: str) -> dict[str, Any]:
        return {"type": "samples", "of": motion_id, "version": self.version}


def _segment_data(segment: LiveSegment, outcome: Any, begins: float) -> dict[str, Any]:
    return {
        "name": segment.name,
        "source": None if segment.edge is None else segment.edge.source,
        "kind": None if segment.edge is None else segment.edge.kind.value,
        "cycles": segment.cycles,
        "from": begins,
        "succeeded": None if outcome is None else outcome.succeeded,
        "outcome": "" if outcome is None else describe_outcome(outcome),
    }
