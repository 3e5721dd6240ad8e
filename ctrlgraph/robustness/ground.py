"""Which ground an edge is for: what a sweep over slopes found, as it stands in the graph."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from ctrlgraph.errors import CtrlGraphError
from ctrlgraph.graph.ground import EVERYWHERE, GroundRange
from ctrlgraph.robustness.summary import PointSummary, range_everywhere, summarize
from ctrlgraph.robustness.target import ARROW, split_target

if TYPE_CHECKING:
    from ctrlgraph.graph.model import ControllerGraph
    from ctrlgraph.robustness.scenario import Scenario
    from ctrlgraph.robustness.table import Sweep, Trial

AXIS = "slope"


def every_edge(graph: ControllerGraph) -> list[str]:
    """Every pair of nodes with a planned edge, as targets in the order of the file."""
    pairs = (f"{edge.source}{ARROW}{edge.target}" for edge in graph.edges if edge.planned)
    return list(dict.fromkeys(pairs))


def check_question(question: Scenario) -> None:
    """Whether the answer can be written as the ground of edges.

    Raises:
        CtrlGraphError: a target is no edge, or what is asked is no sweep over slopes.
    """
    if question.limit is not None or AXIS not in dict(question.axes):
        raise CtrlGraphError(f"only a sweep over slopes tells the ground of an edge: give --sweep {AXIS}=FROM:TO:STEP")
    for target in question.targets:
        if len(split_target(target)) != 2:
            raise CtrlGraphError(f"'{target}' is no edge (a->b), and only edges are bound to a ground")


def found_grounds(
    graph: ControllerGraph, sweeps: Iterable[tuple[Sweep, Sequence[Trial]]]
) -> tuple[dict[tuple[str, str], GroundRange], list[str]]:
    """The grounds of edges that other ones than before were found for, and a line about each edge that fails."""
    found, lines = {}, []
    for sweep, trials in sweeps:
        source, target = split_target(sweep.target)
        edge = graph.planned_edge(source, target)
        before = EVERYWHERE if edge is None else edge.ground
        ground = ground_of(summarize(trials), before)
        if ground is None:
            lines.append(f"{source} -> {target}: fails on level ground, left as it is")
        elif ground != before:
            found[source, target] = ground
            lines.append(f"{source} -> {target}: slopes from {ground.slope[0]:g} to {ground.slope[1]:g} degrees")
    return found, lines


def ground_of(points: Sequence[PointSummary], before: GroundRange) -> GroundRange | None:
    """The ground of an edge by a whole sweep over slopes; None where it does not even hold on level ground.

    It is the widest range around level in which every point holds. An edge that holds everywhere, and was bound to
    no slopes before, stays so: nothing was found against it.
    """
    held = range_everywhere(points, AXIS)
    if held is None or not held[0] <= 0.0 <= held[1]:
        return None
    if before.slope == EVERYWHERE.slope and all(point.holds for point in points):
        return before
    return GroundRange(slope=held, obstacle=before.obstacle)
