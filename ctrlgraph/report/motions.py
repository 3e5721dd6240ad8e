"""The page of motions, in Markdown: description, measures and reliability of each node, and comparison with humans.

The data are from the graph, simulated examples of each node (`robustness.examples`), the run log and the sweeps.
"""

from __future__ import annotations

import math
import os.path
import statistics
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import numpy as np

from ctrlgraph.files import finite
from ctrlgraph.report.evidence import gather
from ctrlgraph.report.gallery import FILMSTRIP, image
from ctrlgraph.report.human_figures import HumanFigure, human_motions
from ctrlgraph.report.markdown import escaped, row, sentence
from ctrlgraph.report.node_pages import Slugs
from ctrlgraph.report.sweeps import SweepView, axis_title, open_sweeps, read_sweeps, with_unit
from ctrlgraph.robustness.evaluation_plan import evaluation_plan, is_cyclic
from ctrlgraph.robustness.evaluator import Evaluator
from ctrlgraph.robustness.examples import entries, motion_of, run_example, starts
from ctrlgraph.robustness.initial_state import Failed
from ctrlgraph.robustness.reference_terrain import has_obstacles
from ctrlgraph.simulation.measures import MEASURES, Motion, SpatialMotion, measures_of, range_text
from ctrlgraph.statistics import SuccessCount

if TYPE_CHECKING:
    from ctrlgraph.graph.model import Node
    from ctrlgraph.project.project import Project
    from ctrlgraph.robustness.evaluator import Begun
    from ctrlgraph.terrain.obstacles import ObstacleAhead

_MEASURES = (
    "duration", "distance", "speed", "flight", "apex", "max_com_height", "turned", "peak_power", "mean_power",
    "peak_joint_speed", "impact", "slip", "settle",
)  # fmt: skip
_GAIT_MEASURES = (
    "stride_length", "cadence", "double_support", "knee_swing", "knee_strike", "trunk_lean", "pelvis_tilt",
    "hip_extension", "trunk_flexion", "head_tilt", "arm_range", "symmetry_index", "cost_of_transport",
)  # fmt: skip

Values = Mapping[str, float]
"""Values of measures, by the name of the measure."""


@dataclass
class MotionEntry:
    """Data of the motions page about one node: its neighbours, and the results of simulated examples of its motion."""

    node: Node
    """Node of the graph."""
    before: list[str]
    """Names of the nodes with a planned (naive or learned) edge to the node."""
    after: list[str]
    """Names of the nodes to which the node has a planned edge."""
    examples: list[Values] = field(default_factory=list)
    """Measures of each successful example, by name of the measure."""
    succeeded: SuccessCount = field(default_factory=lambda: SuccessCount(0, 0))
    """Number of successful examples, and of all examples."""
    settled: Values = field(default_factory=dict)
    """Measures of some cycles of a gait after its first cycles, by name. Empty for other nodes."""
    torque: tuple[float, str] = (0.0, "")
    """Largest torque in successful examples, as a share of the hard limit of its joint, and the name of the joint."""
    logged: SuccessCount | None = None
    """Number of successful attempts in the run log, and of all attempts. None without attempts."""
    limits: list[str] = field(default_factory=list)
    """For each sweep, a text with the range of a perturbation in which the node succeeds."""
    obstacles: list[ObstacleAhead] = field(default_factory=list)
    """Obstacle ahead at the start of each example. Empty if the node does not cross obstacles."""

    def median(self, measure: str) -> float:
        """Return the median of a measure over the successful examples, NaN without a successful example."""
        return statistics.median(each[measure] for each in self.examples) if self.examples else math.nan

    def as_dict(self) -> dict[str, Any]:
        """Return the data about the node for JSON, with the median of each measure."""
        data = {
            "name": self.node.name,
            "kind": self.node.kind.value,
            "description": self.node.description,
            "file": self.node.file,
            "entered_from": self.before,
            "leads_to": self.after,
            "examples": self.succeeded.trials,
            "succeeded": self.succeeded.successes,
            "measures": {name: self.median(name) for name in (self.examples[0] if self.examples else {})},
            "settled": dict(self.settled),
            "greatest_torque": {"share": self.torque[0], "joint": self.torque[1]},
            "logged": None if self.logged is None else [self.logged.successes, self.logged.trials],
            "limits": self.limits,
            "obstacles": [
                {"kind": each.kind.value, "size": each.size, "distance": each.distance} for each in self.obstacles
            ],
        }
        return {key: finite(value) for key, value in data.items()}


def motion_entries(
    project: Project,
    *,
    trials: int,
    seed: int,
    on_example: Callable[[str], None] = lambda _: None,
    on_motion: Callable[[str, Motion | SpatialMotion, Begun], None] = lambda _name, _motion, _begun: None,
) -> list[MotionEntry]:
    """Simulate example motions of all nodes, and return the data of the motions page in the order of the graph file.

    Args:
        project: Project with the nodes.
        trials: Number of examples for each predecessor of a node. All but the first are perturbed (`examples.starts`).
        seed: Seed of the perturbations.
        on_example: Called with the name of the node after each example.
        on_motion: Called for the first successful example of each node, with the name of the node, the recorded motion,
            and the trial in which it was recorded.
    """
    graph = project.graph
    logged = {row.name: row.success.count for row in gather(project, current=True).statistics.nodes}
    with open_sweeps(project) as source:
        views = [view for view in read_sweeps(source, project) if not view.stale]
    found = []
    with Evaluator(project) as evaluator:
        for node in graph:
            before = list(dict.fromkeys(e.source for e in graph.edges if e.planned and e.target == node.name))
            after = list(dict.fromkeys(e.target for e in graph.planned_edges(node.name)))
            entry = MotionEntry(node, before, after, logged=logged.get(node.name), limits=_limits(views, node.name))
            _add_examples(evaluator, entry, trials, seed, on_example, on_motion)
            if is_cyclic(node):
                entry.settled = _settled(evaluator, node.name, seed)
            found.append(entry)
    return found


def _add_examples(
    evaluator: Evaluator,
    entry: MotionEntry,
    trials: int,
    seed: int,
    on_example: Callable[[str], None],
    on_motion: Callable[[str, Motion | SpatialMotion, Begun], None],
) -> None:
    name = entry.node.name
    for plan in entries(evaluator.project.graph, name):
        over_obstacles = has_obstacles(evaluator.project.graph, replace(plan, setup=plan.setup[-1:]))
        for begun, cycles in starts(evaluator, plan, trials, seed):
            ahead = begun.simulation.preview.ahead if over_obstacles and not isinstance(begun, Failed) else None
            if ahead is not None:
                entry.obstacles.append(ahead)
            succeeded = not isinstance(begun, Failed) and run_example(evaluator, begun, cycles).succeeded
            entry.succeeded = entry.succeeded.plus(succeeded)
            on_example(name)
            if succeeded and not isinstance(begun, Failed):
                motion = motion_of(begun)
                if not entry.examples:
                    on_motion(name, motion, begun)
                entry.examples.append(measures_of(motion))
                entry.torque = max(entry.torque, _max_torque(motion))


def _max_torque(motion: Motion | SpatialMotion) -> tuple[float, str]:
    """Return the largest torque in a motion, as a share of the joint's hard limit, and the name of this joint."""
    joints, peaks = motion.character.joints, motion.trace.joint_peak[1:, :, 1:].max(axis=0, initial=0.0)
    limits = np.array([(-joint.hard_torque_limit.lower, joint.hard_torque_limit.upper) for joint in joints])
    shares = np.divide(peaks, limits, out=np.zeros_like(peaks), where=limits > 0.0).max(axis=1)
    return float(shares.max(initial=0.0)), joints[int(shares.argmax())].name if joints else ""


def _settled(evaluator: Evaluator, name: str, seed: int) -> Values:
    """Simulate a gait and return measures of some cycles after its first ones, by name; empty if the gait fails."""
    begun, cycles = next(starts(evaluator, evaluation_plan(evaluator.project.graph, name, left=False), 1, seed))
    if isinstance(begun, Failed):
        return {}
    outcome = run_example(evaluator, begun, max(cycles, begun.plan.test[-1].cycles))
    return measures_of(motion_of(begun)) if outcome.succeeded else {}


def _limits(views: Sequence[SweepView], name: str) -> list[str]:
    found = []
    for view in views:
        found_range = view.holding_range() if view.node == name else None
        if found_range is not None:
            ends = " to ".join(with_unit(view.axes[0], end) for end in found_range)
            found.append(f"{axis_title(view.axes[0])}: {ends}" + (f" ({view.label})" if view.label else ""))
    return found


# --- the page ---


def page(project: Project, found: Sequence[MotionEntry], directory: Path, command: str) -> str:
    """Return the motions page as Markdown.

    Args:
        project: Project with the nodes.
        found: Data of each node, as returned by `motion_entries`.
        directory: Directory of the page, to which its links are relative.
        command: Command that makes the page, which is shown on it.
    """
    lines = [
        f"Written by `{command}`. Each node was simulated from each of its predecessors. The human comparison",
        "of a gait uses some cycles after the gait has settled. Motions over obstacles are simulated with an obstacle",
        "ahead. Its size and distance are in the middle of the ranges in the graph file; with noise they are random",
        "within these ranges. Other motions are simulated on level ground.",
        "",
        *_overview(found),
        *(_human(found) if len(project.character.roles.feet) == 2 else []),
    ]
    slugs = Slugs()
    for entry in found:
        lines += _section(project, entry, directory, slugs.of(entry.node.name))
    return "\n".join(lines).rstrip() + "\n"


def _overview(found: Sequence[MotionEntry]) -> list[str]:
    columns = ("duration", "peak_power", "peak_joint_speed", "impact", "slip")
    head = ["motion", "succeeded", *(f"{name}{_unit(name)}" for name in columns), "torque, % of hard limit"]
    lines = ["## All motions", "", row(head), row(["---"] * len(head))]
    for entry in found:
        cells = [_number(entry.median(name)) for name in columns]
        share = f"{100 * entry.torque[0]:.0f} ({escaped(entry.torque[1])})" if entry.examples else "-"
        lines.append(row([escaped(entry.node.name), _count(entry.succeeded), *cells, share]))
    return [
        *lines,
        "",
        "*torque*: the maximum over all joints, relative to the hard limit of the joint. Motors of a script without",
        "`TORQUELIMIT` have a lower limit (`limit` and `hard` in the character file).",
        "",
    ]


def _human(found: Sequence[MotionEntry]) -> list[str]:
    """Return the lines of the section that compares nodes with human motions, empty if no node is compared."""
    by_name = {entry.node.name: entry for entry in found if entry.examples}
    rows = [
        _human_row(title, figure, by_name[name])
        for title, human in human_motions().items()
        for figure in human.figures
        for name in human.nodes
        if name in by_name
    ]
    if not rows:
        return []
    head = ["human motion", "measure", "human", "node", "measured", "beyond", "basis"]
    return [
        "## Comparison with human motions",
        "",
        "*seen*: the figure is from the source in `ctrlgraph/report/human_figures.yaml`; *estimate*: our estimate",
        "without a source.",
        "",
        *(row(head), row(["---"] * len(head)), *rows, ""),
    ]


def _human_row(title: str, figure: HumanFigure, entry: MotionEntry) -> str:
    values = entry.settled or {name: entry.median(name) for name in entry.examples[0]}
    value = values.get(figure.measure, math.nan)
    unit = "" if figure.unit == "1" else figure.unit
    beyond = figure.deviation(value)
    cells = [
        title.replace("_", " "),
        f"`{figure.measure}`",
        range_text(*figure.range, unit),
        escaped(entry.node.name),
        _number(figure.of(value)),
        "within" if beyond == 0.0 else f"{100 * beyond:.0f} %" if math.isfinite(beyond) else "-",
        figure.basis,
    ]
    return row(cells)


def _section(project: Project, entry: MotionEntry, directory: Path, slug: str) -> list[str]:
    node = entry.node
    script = os.path.relpath((project.directory / node.file).absolute(), directory.absolute()).replace(os.sep, "/")
    lines = [f"## {escaped(node.name)}", "", f"{sentence(node.description)}", ""]
    picture = image(directory, node.name, slug, FILMSTRIP)
    if picture:
        lines += [picture, ""]
    lines.append(f"- {node.kind}, [{escaped(node.file)}]({quote(script)})")
    lines.append(f"- entered from {_names(entry.before)}; leads to {_names(entry.after)}")
    logged = "" if entry.logged is None else f"; in the log {entry.logged}"
    lines.append(f"- {_count(entry.succeeded)} examples succeeded{logged}")
    lines += [f"- tested on ground with {each}" for each in _obstacles(entry.obstacles)]
    lines += [f"- succeeds for {limit}" for limit in entry.limits]
    lines += [
        f"- {measure}: {range_text(*node.plausible[measure])}, because {escaped(why)}"
        for measure, why in node.widened.items()
    ]
    if not entry.examples:
        return [*lines, ""]
    shown = [*_MEASURES, *(_GAIT_MEASURES if entry.settled else ())]
    head = ["measure", "median", "minimum", "maximum", *(["settled"] if entry.settled else [])]
    lines += ["", row(head), row(["---"] * len(head))]
    for measure in shown:
        if measure in entry.examples[0]:
            values = [each[measure] for each in entry.examples]
            cells = [entry.median(measure), min(values), max(values)]
            cells += [entry.settled[measure]] if entry.settled else []
            lines.append(row([f"`{measure}`{_unit(measure)}", *map(_number, cells)]))
    share, joint = entry.torque
    return [*lines, "", f"The maximum torque is {100 * share:.0f} % of the hard limit of {escaped(joint)}.", ""]


def _obstacles(ahead: Sequence[ObstacleAhead]) -> list[str]:
    """Return a text with the sizes and distances of the obstacles in examples, for each kind of obstacle."""
    found = []
    for kind in dict.fromkeys(each.kind for each in ahead):
        sizes, distances = zip(*((each.size, each.distance) for each in ahead if each.kind is kind), strict=True)
        found.append(f"a {kind.value} of {_ends(sizes)} m that begins {_ends(distances)} m ahead of the centre of mass")
    return found


def _ends(values: Sequence[float]) -> str:
    low, high = f"{min(values):.2f}", f"{max(values):.2f}"
    return low if low == high else f"{low} to {high}"


def _names(names: Sequence[str]) -> str:
    return ", ".join(map(escaped, names)) or "nowhere"


def _count(count: SuccessCount) -> str:
    return f"{count.successes} of {count.trials}"


def _unit(measure: str) -> str:
    unit = MEASURES[measure].unit if measure in MEASURES else "1"
    return "" if unit == "1" else f", {unit}"


def _number(value: float) -> str:
    if not math.isfinite(value):
        return "-"
    if abs(value) < 0.0005:  # below the resolution of the measures
        return "0"
    return f"{value:.3g}" if abs(value) < 1000 else f"{value:.0f}"
