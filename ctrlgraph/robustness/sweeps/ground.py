"""Ground ranges of edges (slopes on which an edge may be used), as measured by sweeps over the slope."""

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
"""Name of the axis that must vary in sweeps that measure ground ranges."""


def every_edge(graph: ControllerGraph) -> list[str]:
    """Return targets of trials that test every planned (naive or learned) edge.

    An edge from or to a gait gives two targets: with the minimum and with the maximum number of cycles of its gaits
    ("walk->run", "walk*8->run*6").
    """
    found = []
    for edge in graph.edges:
        if edge.planned:
            ends = (graph.node(edge.source), graph.node(edge.target))
            most = (f"{node.name}*{node.cycles[1]}" if is_cyclic(node) else node.name for node in ends)
            found += [ARROW.join(node.name for node in ends), ARROW.join(most)]
    return list(dict.fromkeys(found))


def check_question(question: Scenario) -> None:
    """Check that a scenario is a sweep of edges over the slope, which measures ground ranges of edges.

    Args:
        question: Scenario to check.

    Raises:
        CtrlGraphError: A target is not an edge, or the scenario is not a sweep over the slope.
    """
    if question.limit is not None or AXIS not in dict(question.axes):
        raise CtrlGraphError(f"the ground range of an edge needs a sweep over the slope: give {AXIS}=FROM:TO:STEP")
    for target in question.targets:
        if len(target_steps(target)) != 2:
            raise CtrlGraphError(f"'{target}' is not an edge (a->b): only edges have a ground range")


def found_grounds(
    graph: ControllerGraph, sweeps: Iterable[tuple[Sweep, Sequence[Trial]]]
) -> tuple[dict[tuple[str, str], GroundRange], list[str]]:
    """Determine the slopes on which edges succeed, and return the ground ranges that differ from the graph.

    If an edge was tested with different numbers of cycles, its ground range contains only slopes on which every test
    succeeds.

    Args:
        graph: Graph with the edges.
        sweeps: (sweep of an edge over the slope, results of its trials) of each sweep.

    Returns:
        New ground range by (source, target) of the edge; and a line of text for each edge that changes or fails.
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
            lines.append(f"{source} -> {target}: fails on level ground, not changed")
        elif ground != before:
            found[source, target] = ground
            lines.append(f"{source} -> {target}: slopes from {ground.slope[0]:g} to {ground.slope[1]:g} degrees")
    return found, lines


def ground_of(sweeps: Sequence[Sequence[PointSummary]], before: GroundRange) -> GroundRange | None:
    """Return the ground range of an edge (where it may be used), or None if the edge fails on level ground.

    Its slopes are the widest range around level ground in which every tested point succeeds. `before` is returned
    unchanged if every point succeeds and `before` has no limits of the slope.

    Args:
        sweeps: Summaries of each sweep of the edge over the slope.
        before: Ground range of the edge in the graph.
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
