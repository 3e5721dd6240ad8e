"""The record of a live motion: its signals in pieces, its segment runs, and the checkpoints it can resume from."""

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
    """The signals of a motion in pieces."""

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
        """Return an independent recording that shares the present pieces."""
        return LiveRecording(list(self.pieces))

    def whole(self) -> Signals | None:
        """Return all signals in one piece; None if there are none."""
        if not self.pieces:
            return None
        names = self.pieces[0].columns
        return Signals({name: np.concatenate([piece.columns[name] for piece in self.pieces]) for name in names})


@dataclass(frozen=True, eq=False)
class Mark:
    """A point from which a live motion can resume."""

    sample: int
    """Number of the next sample."""
    time: float
    """Time, s."""
    world: LiveWorld
    changes: int
    """Number of world changes made before."""
    snapshot: Snapshot
    execution: ExecutionMark | None = None
    """State of the running execution; None at the start of a segment."""
    n_samples: int = 0
    """Number of samples recorded in the segment."""
    entries: int = 0
    """Number of phases begun in the segment."""


@dataclass
class SegmentRun:
    """One run of a segment."""

    segment: LiveSegment
    rollout: Rollout
    preview: TerrainPreview
    marks: list[Mark]
    """Marks in order; the first is the start of the segment."""
    phases: list[ActivePhases] = field(default_factory=list)
    """Active phases of the script, per sample."""
    outcome: Outcome | None = None


def with_control(mark: Mark, convert: Callable[[Any], Any]) -> Mark:
    """Return a mark with the controller state converted for another program.

    Args:
        mark: Mark to convert.
        convert: Maps the old controller state to the new one.
    """
    if mark.execution is None:
        return mark
    snapshot = replace(mark.snapshot, control=convert(mark.snapshot.control))
    return replace(mark, snapshot=snapshot, execution=replace(mark.execution, snapshot=snapshot))
