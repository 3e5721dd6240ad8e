"""The record of a live motion: its signals, its segments, and the marks from which it can resume."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from ctrlgraph.control.script.correspondence import ActivePhases
from ctrlgraph.live_page.motion.segments import LiveSegment
from ctrlgraph.live_page.motion.world import LiveWorld
from ctrlgraph.simulation.execution import ExecutionMark
from ctrlgraph.simulation.outcome import Outcome
from ctrlgraph.simulation.planar_snapshot import Snapshot
from ctrlgraph.simulation.rollout import Rollout
from ctrlgraph.simulation.signals import Signals
from ctrlgraph.terrain.terrain import TerrainPreview


@dataclass
class LiveRecording:
    """Recorded signals of a motion, in consecutive pieces."""

    pieces: list[Signals] = field(default_factory=list)

    @property
    def samples(self) -> int:
        """Return the number of samples."""
        return sum(map(len, self.pieces))

    def cut(self, samples: int) -> None:
        """Keep only the first `samples` samples."""
        kept: list[Signals] = []
        for piece in self.pieces:
            left = samples - sum(map(len, kept))
            if left <= 0:
                break
            kept.append(piece if left >= len(piece) else piece.part(0, left))
        self.pieces = kept

    def copy(self) -> LiveRecording:
        """Return a copy, which later changes of this recording do not affect."""
        return LiveRecording(list(self.pieces))

    def whole(self) -> Signals | None:
        """Return all signals in one piece; None if there are none."""
        if not self.pieces:
            return None
        names = self.pieces[0].columns
        return Signals({name: np.concatenate([piece.columns[name] for piece in self.pieces]) for name in names})


@dataclass(frozen=True, eq=False)
class Mark:
    """Stored state of a live motion, from which it can resume."""

    sample: int
    """Number of the next sample in the motion, from 0."""
    time: float
    """Time of the motion, s."""
    world: LiveWorld
    """World at this time."""
    changes: int
    """Number of changes of the world before."""
    snapshot: Snapshot
    """State of the simulation."""
    execution: ExecutionMark | None = None
    """State of the execution of the controller; None at the beginning of a segment."""
    n_samples: int = 0
    """Number of samples of the segment before the mark."""
    entries: int = 0
    """Number of phases of the segment that have begun before the mark."""


@dataclass
class SegmentRun:
    """One execution of a segment in a live motion."""

    segment: LiveSegment
    rollout: Rollout
    """Rollout with the controller that is executed."""
    preview: TerrainPreview
    """Terrain preview at the beginning."""
    marks: list[Mark]
    """Marks in order of time. The first is at the beginning of the segment."""
    phases: list[ActivePhases] = field(default_factory=list)
    """Active phases of the script in each sample."""
    outcome: Outcome | None = None
    """Outcome; None while the segment runs."""


def with_control(mark: Mark, convert: Callable[[Any], Any]) -> Mark:
    """Return a mark whose state of the controller is converted for another controller.

    Args:
        mark: Mark to convert.
        convert: Function that returns the state of the new controller, given that of the old one.
    """
    if mark.execution is None:
        return mark
    snapshot = replace(mark.snapshot, control=convert(mark.snapshot.control))
    return replace(mark, snapshot=snapshot, execution=replace(mark.execution, snapshot=snapshot))
