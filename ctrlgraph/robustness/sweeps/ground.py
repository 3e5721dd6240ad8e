"""Ground ranges of edges, measured by slope sweeps and written to the graph file."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from ctrlgraph.errors import CtrlGraphError
from ctrlgraph.graph.ground import EVERYWHERE, GroundRange
from ctrlgraph.robustness.evaluation_plan import ARROW, is_cyclic, target_steps
from ctrlgraph.robustness.sweeps.summary import PointSummary, range_everywhere, summarize

if TYPE_CHECKING:
    from ctrlgraph.graph.model import ControllerGraph
    from ctrlgraph.robustness.sweeps.scenario import Scenario
    from ctrlgraph.robustness.sweeps.sweep_log import Sweep
    from ctrlgraph.simulation.trial import Trial

AXIS = "slope"


def every_edge(graph: ControllerGraph) -> list[str]:
    """Return every planned edge as a target. Gaits occur with the least and the greatest number of cycles."""
    found = []
    for edge in graph.edges:
        if edge.planned:
            ends = (graph.node(edge.source), graph.node(edge.target))
            most = (f"{node.name}*{node.cycles[1]}" if is_cyclic(node) else node.name for node in ends)
            found += [ARROW.join(node.name for node in ends), ARROW.join(most)]
    return list(dict.fromkeys(found))


def check_question(question: Scenario) -> None:
    """Check that the results of a scenario can be written as the terrain of edges.

    Raises:
        CtrlGraphError: A target is not an edge, or the scenario is not a sweep over slopes.
    """
    if question.limit is not None or AXIS not in dict(question.axes):
        raise CtrlGraphError(f"only a sweep over slopes finds the ground of an edge: give {AXIS}=FROM:TO:STEP")
    for target in question.targets:
        if len(target_steps(target)) != 2:
            raise CtrlGraphError(f"'{target}' is not an edge (a->b): only edges have a ground")


def found_grounds(
    graph: ControllerGraph, sweeps: Iterable[tuple[Sweep, Sequence[Trial]]]
) -> tuple[dict[tuple[str, str], GroundRange], list[str]]:
    """Return the changed terrain of edges, and a line about each edge that changes or fails.

    All sweeps of an edge, with different cycles, have to succeed.

    Args:
        graph: Graph with the edges.
        sweeps: Sweeps with their trials.
    """
    points: dict[tuple[str, str], list[list[PointSummary]]] = {}
    for sweep, trials in sweeps:
        (source, _), (target, _) = target_steps(sweep.target)
        points.setdefault((source, target), []).append(summarize(trials))
    found, lines = {}, []
    for (source, target), each in points.items():
        edge = graph.planned_edge(source, target)
        before = EVERYWHERE if edge is None else edge.ground
        ground = ground_of(each, before)
        if ground is None:
            lines.append(f"{source} -> {target}: fails on level ground, left as it is")
        elif ground != before:
            found[source, target] = ground
            lines.append(f"{source} -> {target}: slopes from {ground.slope[0]:g} to {ground.slope[1]:g} degrees")
    return found, lines


def ground_of(sweeps: Sequence[Sequence[PointSummary]], before: GroundRange) -> GroundRange | None:
    """Return an edge's ground range from its sweeps over slopes, or None if it fails on level ground.

    It is the widest range around level ground in which every point succeeds. An edge without a ground range that
    succeeds everywhere is unchanged.

    Args:
        sweeps: Trials of the edge.
        before: Present terrain.
    """
    ranges = [range_everywhere(points, AXIS) for points in sweeps]
    found = [each for each in ranges if each is not None]
    if len(found) < len(ranges):
        return None
    low, high = max(low for low, _ in found), min(high for _, high in found)
    if not low <= 0.0 <= high:
        return None
    if before.slope == EVERYWHERE.slope and all(point.succeeds for points in sweeps for point in points):
        return before
    return replace(before, slope=(low, high))
