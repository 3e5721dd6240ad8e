"""Marks: moments of a live motion that it can be gone on from, and the runs of segments that they are of."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

from ctrlgraph.control.script.correspondence import ActivePhases
from ctrlgraph.simulation.execution import ExecutionMark
from ctrlgraph.simulation.outcome import Outcome
from ctrlgraph.simulation.rollout import Rollout
from ctrlgraph.simulation.snapshot import Snapshot
from ctrlgraph.terrain.profile import TerrainPreview
from ctrlgraph.web.segments import LiveSegment
from ctrlgraph.web.world import LiveWorld


@dataclass(frozen=True, eq=False)
class Mark:
    """A moment to go on from.

    sample: the number of the one that comes next; time: s; changes: of the world, made before; execution: what is under
    way, None at the beginning of a segment; looks, entries: how many samples had been looked at in the segment, and how
    many phases had begun.
    """

    sample: int
    time: float
    world: LiveWorld
    changes: int
    snapshot: Snapshot
    execution: ExecutionMark | None = None
    looks: int = 0
    entries: int = 0


@dataclass
class SegmentRun:
    """A segment as it is run.

    marks: the first one is its beginning; looks: at each sample, which phases of its script were under way.
    """

    segment: LiveSegment
    rollout: Rollout
    preview: TerrainPreview
    marks: list[Mark]
    looks: list[ActivePhases] = field(default_factory=list)
    outcome: Outcome | None = None


def with_control(mark: Mark, carried: Callable[[Any], Any]) -> Mark:
    """Return a mark whose controller's state is that of another program."""
    if mark.execution is None:
        return mark
    snapshot = replace(mark.snapshot, control=carried(mark.snapshot.control))
    return replace(mark, snapshot=snapshot, execution=replace(mark.execution, snapshot=snapshot))
