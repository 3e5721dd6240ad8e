"""The stage: the motion that goes on, the one before it as its ghost, and how pages are told of them."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from ctrlgraph.engine.settings import WorldSettings
from ctrlgraph.errors import CtrlGraphError
from ctrlgraph.playback import PlaybackEncoder
from ctrlgraph.web.clients import Item
from ctrlgraph.web.live import Branch, LiveSimulation, told
from ctrlgraph.web.motion import LiveRecording
from ctrlgraph.web.programs import Programs
from ctrlgraph.web.segments import EndsHere, LiveSegment, Queue
from ctrlgraph.web.world import Event, LiveWorld

if TYPE_CHECKING:
    from ctrlgraph.project.project import Project
    from ctrlgraph.terrain.profile import Terrain

GHOST_AFTER_S = 0.8
"""A motion that was seen for less (s) is no ghost of the next one: a slider that is drawn leaves one, not fifty."""

PRESENT, GHOST, SEARCH = "present", "ghost", "search"
"""What pages know motions by; variants are `variant:NUMBER`."""


class Stage:
    """The motions of a session.

    Args:
        project: whose character moves.
        programs: what the present motion runs.
        say: sends items to all pages.
    """

    def __init__(self, project: Project, programs: Programs, say: Callable[[Sequence[Item]], None]) -> None:
        self.live: LiveSimulation | None = None
        self.beside: LiveSimulation | None = None
        self.version = 0
        self.fault = ""
        self._project, self._programs, self._say = project, programs, say
        self._ghost: LiveRecording | None = None
        self._is_new_ghost = False
        self._shown_since = 0.0
        self._encoders: dict[str, tuple[PlaybackEncoder, Terrain]] = {}
        self._ended_told: str | None = None

    def close(self) -> None:
        """Free the worlds."""
        for live in (self.live, self.beside):
            if live is not None:
                live.close()

    @property
    def is_walking(self) -> bool:
        """Tell whether the present motion goes on for as long as somebody looks."""
        return self.live is not None and not isinstance(self.live.queue.way, EndsHere)

    # --- the present motion ---

    def begin(self, world: LiveWorld, segments: Sequence[LiveSegment], events: Sequence[Event]) -> None:
        """Begin the motion anew."""
        before, self.live = self.live, None
        if before is not None:
            self._leave(before.recording)
            before.close()
        self.fault = ""
        first, *others = segments
        try:
            self.live = LiveSimulation(self._project, self._programs, world, first, Queue(others, EndsHere()), events)
        except CtrlGraphError as error:
            self.fault = str(error).splitlines()[0]
        self._branched(Branch(0, 0.0))

    def revise(self, events: Sequence[Event] | None = None) -> None:
        """Go on with programs and world as they now are.

        Raises:
            SimulationError: a push is out of range.
        """
        live = self.live
        assert live is not None
        before = live.recording.copy()
        branch = live.revise(events)
        if branch is not None:
            self._leave(before)
        self._branched(branch)
        if live.ended is None:
            self.advance()  # what the page waits for

    def follow(self, following: Queue, moment: float) -> None:
        """Let another queue say what comes after the segment that is run at a moment (s).

        Raises:
            CtrlGraphError: there is no motion.
        """
        if self.live is None:
            raise CtrlGraphError("there is no motion to go on from")
        before = self.live.recording.copy()
        branch = self.live.follow(following, moment)
        if branch is not None:
            self._leave(before)
        self._branched(branch)

    def advance(self) -> bool:
        """Simulate the present motion by a piece, and tell of it; returns whether a segment has begun or ended, or the
        motion."""
        live = self.live
        assert live is not None
        count = len(live.segments)
        self._advance(live, PRESENT)
        return live.ended != self._ended_told or len(live.segments) != count

    def _advance(self, live: LiveSimulation, of: str) -> None:
        try:
            taken = live.advance()
        except CtrlGraphError as error:
            live.ended, taken = str(error), None
        except Exception:
            live.ended = "a fault in ctrlgraph itself"  # it is not tried again and again
            raise
        if taken is not None:
            data = self._encoder(of, live.world.terrain).message(taken, live.recording.samples - len(taken))
            self._say([self._head(of), data])

    def _leave(self, recording: LiveRecording) -> None:
        """Keep a motion that is left as the ghost of what comes now, unless it was seen for a moment only."""
        if self._ghost is None or time.monotonic() - self._shown_since >= GHOST_AFTER_S:
            self._ghost, self._is_new_ghost = recording.copy(), True

    def _branched(self, branch: Branch | None) -> None:
        """Tell where the motion goes on from."""
        if branch is None:
            return
        self.version += 1
        self._shown_since = time.monotonic()
        told_branch = {"version": self.version, "sample": branch.sample, "time": branch.time}
        self._say([{"type": "branch", **told_branch, "keeps_ghost": not self._is_new_ghost}])
        self._is_new_ghost = False

    # --- the one beside it ---

    def move_beside(self, programs: Programs, world: LiveWorld, segments: Sequence[LiveSegment]) -> None:
        """Let a motion of other programs move beside the present one, from the beginning.

        Raises:
            CtrlGraphError: it cannot be run.
        """
        self.leave_beside()
        first, *others = segments
        self.beside = LiveSimulation(self._project, programs, world, first, Queue(others, EndsHere()))

    def leave_beside(self) -> None:
        """Let nothing move beside the present motion."""
        if self.beside is not None:
            self.beside.close()
        self.beside = None
        self._encoders.pop(SEARCH, None)

    def advance_beside(self) -> None:
        """Simulate what moves beside the present motion by a piece, and tell of it."""
        assert self.beside is not None
        self._advance(self.beside, SEARCH)

    # --- what is told ---

    def motion(self, recording: LiveRecording, of: str, terrain: Terrain) -> list[Item]:
        """Return a recorded motion as a whole, for pages that have nothing of it."""
        whole = recording.whole()
        if whole is None:
            return []
        if of in self._encoders:
            encoder = self._encoder(of, terrain).for_newcomer()
        else:
            encoder = PlaybackEncoder(self._project.character, terrain, tick=WorldSettings().dt)
        return [self._head(of), encoder.message(whole)]

    def for_newcomer(self, terrain: Terrain) -> list[Item]:
        """Return the present motion and its ghost, for a page that joins."""
        items: list[Item] = []
        if self.live is not None:
            items += self.motion(self.live.recording, PRESENT, self.live.world.terrain)
        if self._ghost is not None:
            items += self.motion(self._ghost, GHOST, terrain)
        if self.beside is not None:
            items += self.motion(self.beside.recording, SEARCH, self.beside.world.terrain)
        return items

    def state(self) -> dict[str, Any]:
        """Return what has been run and how it goes."""
        live = self.live
        self._ended_told = None if live is None else live.ended
        return {
            "version": self.version,
            "samples": 0 if live is None else live.recording.samples,
            "segments": [] if live is None else [_told_segment(*each) for each in live.segments],
            "ended": self.fault or self._ended_told,
            "walking": self.is_walking,
        }

    def _head(self, of: str) -> dict[str, Any]:
        return {"type": "samples", "of": of, "version": self.version}

    def _encoder(self, of: str, terrain: Terrain) -> PlaybackEncoder:
        """The one encoder of a motion that goes on, over the ground that is there now."""
        encoder, before = self._encoders.get(of, (None, None))
        if encoder is None:
            encoder = PlaybackEncoder(self._project.character, terrain, tick=WorldSettings().dt)
        elif before is not terrain:
            encoder.go_over(terrain)
        self._encoders[of] = encoder, terrain
        return encoder


def _told_segment(segment: LiveSegment, outcome: Any, begins: float) -> dict[str, Any]:
    return {
        "name": segment.name,
        "source": None if segment.edge is None else segment.edge.source,
        "kind": None if segment.edge is None else segment.edge.kind.value,
        "cycles": segment.cycles,
        "from": begins,
        "succeeded": None if outcome is None else outcome.succeeded,
        "told": "" if outcome is None else told(outcome),
    }
