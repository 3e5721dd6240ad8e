"""Reports of an insertion as text and as data for JSON."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import yaml

from ctrlgraph.insertion.candidate_edges import CandidateReport
from ctrlgraph.insertion.candidate_transitions import own_successes
from ctrlgraph.insertion.insertion import Integration, after_text, fall_text
from ctrlgraph.insertion.probe import TerminalState
from ctrlgraph.learning.validation import Validation
from ctrlgraph.simulation.measures import Conditions, range_text

COLUMNS = ("from", "to", "edge", "naive", "learned", "mean s", "commonest failure", "learning s")


def as_dict(found: Integration) -> dict[str, Any]:
    """Return the result of an insertion as data for the option `--json`."""
    return {
        "node": {"name": found.node.name, **found.node.as_dict()},
        "known": found.known,
        "proposed": list(found.proposed),
        "ends": [
            {"like": group.label, "pose": group.pose, "after": list(group.sources), "meant": i == 0}
            for i, group in enumerate(found.groups)
        ],
        "looks": [_look(ending) for ending in found.looks],
        "pairs": [report.as_dict() for report in found.reports],
        "joined": [[edge.source, edge.target, edge.kind.value] for edge in found.edges],
        "confused": list(found.confused),
        "fulfilled": list(found.fulfilled),
        "unanswered": [condition.value for condition in found.unanswered],
        "draft": found.node.draft or None,
        "seed": found.seed,
        "trials": found.trials,
        "interrupted": found.interrupted,
        "wall_s": round(found.wall_s, 2),
    }


def _look(ending: TerminalState) -> dict[str, Any]:
    return {
        "after": ending.source or None,
        "cycles": list(ending.cycles),
        "completed": ending.completed,
        "how": how_it_ended(ending),
        "place": ending.place,
        "entry": None if ending.entry is None else ending.entry.as_dict(),
        "end": None if ending.end is None else ending.end.as_dict(),
        "carrying": None if ending.end is None else list(ending.end.carrying or ()),
        "measures": {name: round(value, 4) for name, value in ending.measures.items()},
    }


# --- words ---


def how_it_ended(ending: TerminalState) -> str:
    """Describe in a few words how a probe rollout (single run of the script after a node) ended."""
    if ending.fall_exit:
        return f"fell: left through '{ending.fall_exit}'"
    if ending.entry is None:
        return f"not reached: {ending.reason}"
    return f"{ending.status}: {ending.reason}" if ending.reason else ending.status


def conditions_text(conditions: Conditions) -> str:
    """Return success conditions as text, such as "torso -0.3 to 0.3, com_height at least 0.8", or "none"."""
    return ", ".join(f"{name} {range_text(*ends)}" for name, ends in conditions.items()) or "none"


NAMED = 8
"""Maximum number of nodes that a line of the report lists by name. Of further nodes, the line gives only the number."""


def _few(sources: Sequence[str]) -> str:
    """Return names of nodes as text, at most `NAMED` of them. An empty name stands for the start pose."""
    names = [source or "the start pose" for source in sources]
    more = f" and {len(names) - NAMED} more" if len(names) > NAMED else ""
    return ", ".join(names[:NAMED]) + more


def _joined(found: Integration) -> list[str]:
    """Return a line about the new edges into the inserted node, and a line about the new edges out of it."""
    lines, name = [], found.node.name
    for what, end in (("into", 1), ("out of", 0)):
        mine = [r for r in ranked(found) if r.edge is not None and r.pair[end] == name and r.pair[1 - end] != name]
        if mine:
            lines.append(f"new edges {what} it ({len(mine)}): {_few([_held(report, 1 - end) for report in mine])}")
    return lines


def _held(report: CandidateReport, other: int) -> str:
    """Return the name of the source or the target of a transition, followed by the transition's success count.

    Args:
        report: Result of the transition.
        other: 0 for the name of the source, 1 for the name of the target.
    """
    validation = report.naive if report.learned is None else report.learned
    kind = " learned" if report.edge is not None and report.edge.kind.value == "learned" else ""
    count = f" {validation.successes}/{validation.trials}" if validation is not None and validation.trials else ""
    return f"{report.pair[other]}{kind}{count}"


def _confusion(found: Integration) -> list[str]:
    """Return warnings about nodes whose motions the success conditions confuse with those of the inserted node."""
    lines, name = [], found.node.name
    if found.confused:
        lines.append(confusion_warning(name, found.confused))
    if found.fulfilled:
        lines.append(f"warning: the motion of {name} also meets the success conditions of {_few(found.fulfilled)}")
    return lines


def confusion_warning(name: str, others: Sequence[str]) -> str:
    """Return the warning that the motions of other nodes meet the success conditions of a node.

    Args:
        name: Name of the node with the conditions.
        others: Names of the other nodes.
    """
    return (
        f"warning: the success conditions of {name} also accept {_few(others)}: narrow the conditions, or give a reason"
        " with 'also' in the graph file"
    )


def _nearest(found: Integration) -> list[str]:
    """Return lines about the transitions of a draft that succeed most often, with their most frequent failures."""
    lines, name = [], found.node.name
    for what, end in (("into", 1), ("out of", 0)):
        mine = [r for r in ranked(found) if r.pair[end] == name and r.naive is not None and r.naive.trials]
        if mine:
            lines.append(f"best edges {what} it: {_few([_held(r, 1 - end) for r in mine[:3]])}{_what_failed(mine[0])}")
        elif found.reports:
            lines.append(f"transitions {what} it: not tried")
    return lines


def _what_failed(report: CandidateReport) -> str:
    """Describe the most frequent failure of a transition, in the target or in the recovery after the target."""
    failure, validation = report.failure, report.naive
    if failure is None or validation is None:
        return ""
    target = report.pair[1]
    own = f"{target}'s own conditions were met in {own_successes(validation)} of {validation.trials}"
    if failure.after:
        where = f" ({failure.place})" if failure.place else ""
        return f"; {own}, but {after_text(failure, target)}{where}"
    return f"; {own}; most often {failure}"


def success(validation: Validation | None) -> str:
    """Return the success count of trials as text, or "not tried" if there were no trials."""
    return "not tried" if validation is None or not validation.trials else validation.sentence()


def row(report: CandidateReport) -> tuple[str, ...]:
    """Return the result of a tried transition as the cells of a table row, with the columns `COLUMNS`."""
    failure, mean_s = report.failure, report.mean_s
    return (
        *report.pair,
        "" if report.edge is None else report.edge.kind.value,
        success(report.naive),
        success(report.learned),
        "-" if mean_s is None else f"{mean_s:.2f}",
        "" if failure is None else str(failure),
        f"{report.wall_s:.0f}" if report.tries else "-",
    )


def ranked(found: Integration) -> list[CandidateReport]:
    """Return the results of all transitions, first with a new edge and then without, each sorted by success rate."""

    def rate(report: CandidateReport) -> float:
        validation = report.naive
        return validation.successes / validation.trials if validation is not None and validation.trials else -1.0

    return sorted(found.reports, key=lambda report: (report.edge is None, -rate(report)))


def summary(found: Integration) -> list[str]:
    """Return the result of an insertion as lines of text."""
    node, lines = found.node, []
    cycles = "" if node.cycles == (1, 1) else f", {node.cycles[0]} to {node.cycles[1]} cycles"
    lines.append(f"{node.name}: {node.file}, {node.kind.value}{cycles}, at most {node.timeout:g} s")
    for i, group in enumerate(found.groups):
        meant = " (probably the intended end)" if i == 0 and len(found.groups) > 1 else ""
        ends = f"like {group.pose}" if group.pose is not None else group.label
        lines.append(f"it ends {ends} after {_few(group.sources)}{meant}")
    if not node.draft and (fallen := fall_text(found.looks)):
        lines.append(fallen)
    proposed = f"proposed: {conditions_text(node.success)}; check them"
    lines.append(f"success, {proposed}" if "success" in found.proposed else f"success: {conditions_text(node.success)}")
    lines += _confusion(found)
    lines += _joined(found) or [f"no further edges of {node.name}" if found.known else f"no edges of {node.name}"]
    if node.draft:
        lines.append(f"a draft: {node.draft}")
        lines += _nearest(found)
    if found.unanswered:
        which = ", ".join(f"'{condition.value}'" for condition in found.unanswered)
        lines.append(f"no corrective edge of {node.name} handles {which}: a walk that fails like this starts again")
    if found.interrupted:
        lines.append("interrupted: not every pair that nearly succeeds was learned")
    return lines


def plan(found: Integration, details: bool = True) -> list[str]:
    """Return lines that list what an insertion will write: the node, the edges with success counts, the learned files.

    Args:
        found: Result of the insertion.
        details: True lists all edges. False gives only the number of edges if there are more than `NAMED`.
    """
    if not found.is_change:
        return []
    lines = ["to be written:"]
    if not found.known:
        fields = found.node.as_dict().items()
        kind = "draft" if found.node.draft else "node"
        lines += [f"  {kind} {found.node.name}", *(f"    {name}: {_flow(value)}" for name, value in fields)]
    edges = []
    for report in found.reports:
        if report.edge is not None:
            validation = report.naive if report.learned is None else report.learned
            count = f"succeeded {success(validation)}" if validation is not None and validation.trials else "not tried"
            edges.append(f"  edge {report.edge} ({report.edge.kind.value}), {count}")
    lines += edges if details or len(edges) <= NAMED else [f"  {len(edges)} edges, as above"]
    return [*lines, *(f"  file {path}" for path in found.files)]


def _flow(value: Any) -> str:
    text: str = yaml.safe_dump(value, width=10**6, allow_unicode=True, default_flow_style=True, sort_keys=False)
    return text.removesuffix("\n").removesuffix("\n...")
