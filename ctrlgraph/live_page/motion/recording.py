"""The record of a live motion: its signals, its segments, and marks (stored states from which it can continue)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from ctrlgraph.control.controller import Command
from ctrlgraph.control.script.correspondence import ActivePhases
from ctrlgraph.live_page.motion.segments import LiveSegment
from ctrlgraph.live_page.motion.world import LiveWorld
from ctrlgraph.simulation.execution import ExecutionMark
from ctrlgraph.simulation.outcome import Outcome
from ctrlgraph.simulation.rollout import Rollout
from ctrlgraph.simulation.signals.recorded_signals import Signals
from ctrlgraph.simulation.snapshot import Snapshot
from ctrlgraph.terrain.terrain import TerrainPreview


@dataclass
class LiveRecording:
    """Recorded signals (quantities over time) of a motion, in consecutive pieces."""

    pieces: list[Signals] = field(default_factory=list)
    """Signals of each piece, in the order of time."""

    @property
    def samples(self) -> int:
        """Return the number of samples of all pieces."""
        return sum(map(len, self.pieces))

    def cut(self, samples: int) -> None:
        """Remove all samples after the first `samples` samples of the motion."""
        kept: list[Signals] = []
        for piece in self.pieces:
            left = samples - sum(map(len, kept))
            if left <= 0:
                break
            kept.append(piece if left >= len(piece) else piece.part(0, left))
        self.pieces = kept

    def copy(self) -> LiveRecording:
        """Return a copy of the recording, which later changes of this recording do not affect."""
        return LiveRecording(list(self.pieces))

    def whole(self) -> Signals | None:
        """Return the signals of the whole motion in one piece. None: nothing is recorded."""
        if not self.pieces:
            return None
        first = self.pieces[0]
        whole = {name: np.concatenate([piece.columns[name] for piece in self.pieces]) for name in first.columns}
        return replace(first, columns=whole)


@dataclass(frozen=True, eq=False)
class Mark:
    """Stored state of a live motion, from which the motion can continue."""

    sample: int
    """Index in the motion of the next sample after the mark, from 0."""
    time: float
    """Time of the motion at the mark, s."""
    world: LiveWorld
    """Terrain and engine at this time."""
    changes: int
    """Number of changes of slope, friction or engine before the mark."""
    snapshot: Snapshot
    """State of the simulation."""
    execution: ExecutionMark | None = None
    """State of the execution of the controller. None: the mark is at the beginning of a segment."""
    n_samples: int = 0
    """Number of samples of the segment before the mark."""
    entries: int = 0
    """Number of phases of the segment that have begun before the mark."""


@dataclass
class SegmentRun:
    """Record of one execution of a segment (a node or script) in a live motion."""

    segment: LiveSegment
    """Segment that is executed."""
    rollout: Rollout
    """Rollout with the controller that is executed."""
    preview: TerrainPreview
    """Slope of the ground at the beginning of the segment, and the obstacle ahead."""
    marks: list[Mark]
    """Marks (stored states) in order of time. The first mark is at the beginning of the segment."""
    phases: list[ActivePhases] = field(default_factory=list)
    """Active phases of the script, for each sample of the segment."""
    commands: list[tuple[float, Command]] = field(default_factory=list)
    """Time of the motion, s, and desired velocity of each command that a gait has taken."""
    outcome: Outcome | None = None
    """Outcome of the segment. None: the segment still runs."""
    cut: float | None = None
    """Time of the motion at which the segment ended before its cycles were over, s. None: it ended by itself."""
    cycles_left: int | None = None
    """Number of cycles that were left at the end. None: the controller does not count them."""
    digests: tuple[str, str] = ("", "")
    """Digests of the state at the end, and of all states since the beginning of the motion."""


def with_control(mark: Mark, convert: Callable[[Any], Any]) -> Mark:
    """Convert a mark (stored state) so that the motion can continue from it with another version of its controller.

    Args:
        mark: Mark to convert.
        convert: Function that returns the state of the new controller, given the state of the old controller.
    """
    if mark.execution is None:
        return mark
    snapshot = replace(mark.snapshot, control=convert(mark.snapshot.control))
    return replace(mark, snapshot=snapshot, execution=replace(mark.execution, snapshot=snapshot))
