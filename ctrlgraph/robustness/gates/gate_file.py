"""Gate files: read the success that nodes, edges and scenarios are required to have."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from ctrlgraph.bounds import MAX_EDGES, MAX_FINDINGS, MAX_POINTS, MAX_SEED, MAX_TARGETS, MAX_TRIALS, MAX_TRIALS_IN_ALL
from ctrlgraph.errors import CtrlGraphError, Finding, SourceError
from ctrlgraph.paths import contained
from ctrlgraph.robustness.batch import Item
from ctrlgraph.robustness.evaluation_plan import ARROW, all_edges, all_targets, evaluation_plan
from ctrlgraph.robustness.evaluator import check
from ctrlgraph.robustness.perturbation import Perturbations
from ctrlgraph.robustness.sweeps.scenario import load_scenario
from ctrlgraph.robustness.sweeps.sweep_log import grid
from ctrlgraph.simulation.trial import Point
from ctrlgraph.statistics import SuccessCount
from ctrlgraph.yaml_source import Location, YamlSource, first_findings, read_yaml, validate

if TYPE_CHECKING:
    from ctrlgraph.project.project import Project

EVERY = "*"
"""Entry of a gate file for all nodes or edges that have no entry of their own."""

Criterion = Literal["share", "lower"]
"""Quantity that must reach `at_least`: the share of successful trials, or the lower bound of its interval."""


@dataclass(frozen=True, slots=True)
class Requirement:
    """Success that a target must have at each point of a grid of perturbations.

    A trial counts as successful if the tested nodes meet their conditions and a static pose is reached after them.
    """

    name: str
    """Name in reports: the target, after the name of the scenario if it comes from one."""
    target: str
    """Node ("walk"), edge ("walk->run") or path."""
    at_least: float
    """Minimum of `measure`, 0 to 1."""
    measure: Criterion
    """Quantity that must reach `at_least`."""
    trials: int
    """Number of trials at each point. A point without random perturbations has one."""
    fixed: Perturbations
    """Perturbations that are the same in all trials."""
    points: tuple[Point, ...] = ((),)
    """Points of the grid, each as (name, value) of the perturbations that vary. Default: one point, nothing varies."""

    @property
    def items(self) -> Iterator[Item]:
        """Point of the grid, and index at this point, of every trial."""
        return (
            (point, i)
            for point in self.points
            for i in range(self.fixed.with_values(point).distinct_trials(self.trials))
        )

    @property
    def count(self) -> int:
        """Number of trials at all points."""
        return sum(self.fixed.with_values(point).distinct_trials(self.trials) for point in self.points)


@dataclass(frozen=True, slots=True)
class Gate:
    """Contents of a gate file: the success that nodes, edges and scenarios must have."""

    requirements: tuple[Requirement, ...]
    """Requirements: of nodes, then edges, then scenarios."""
    seed: int
    """Seed of all trials."""


Share = Annotated[float, Field(strict=True, gt=0, le=1)]
Trials = Annotated[int, Field(strict=True, ge=1, le=MAX_TRIALS)]
Perturbed = dict[str, float | str]


class _Entry(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class _Required(_Entry):
    """Entry of a gate file that requires success of a node or an edge."""

    at_least: Share
    measure: Criterion | None = None
    trials: Trials | None = None
    with_: Perturbed = Field(default={}, alias="with")


class _Scenario(_Required):
    """Entry of a gate file that requires success in a scenario, from a scenario file or of a target."""

    name: str | None = None
    file: str | None = None
    target: str | None = None


def _shares(value: Any) -> Any:
    """Replace the short form of entries, `walk: 0.9`, by the long form, `walk: {at_least: 0.9}`."""
    if isinstance(value, dict):
        return {
            key: {"at_least": entry} if isinstance(entry, int | float) and not isinstance(entry, bool) else entry
            for key, entry in value.items()
        }
    return value


Required = Annotated[dict[str, _Required], Field(max_length=MAX_EDGES), BeforeValidator(_shares)]


class _GateEntry(_Entry):
    """Data of a gate file as it is written, before targets and perturbations are checked."""

    trials: Trials = 10
    seed: Annotated[int, Field(strict=True, ge=0, le=MAX_SEED)] = 0
    measure: Criterion = "share"
    with_: Perturbed = Field(default={}, alias="with")
    nodes: Required = {}
    edges: Required = {}
    scenarios: Annotated[list[_Scenario], Field(max_length=MAX_TARGETS)] = []


def load_gate(path: Path | str, project: Project) -> Gate:
    """Read a gate file and check that its targets and links exist in a project.

    Args:
        path: Gate file.
        project: Project to test.

    Raises:
        SourceError: The file has errors. The error contains the first `MAX_FINDINGS` of them.
    """
    source = read_yaml(path, "gate")
    entry, findings = validate(source, _GateEntry)
    if entry is None:
        raise SourceError(findings)
    reader = _Reader(project, source, entry, Path(path).parent)
    requirements = []
    for requirement in itertools.chain(reader.nodes(), reader.edges(), reader.scenarios()):
        requirements.append(requirement)
        if len(reader.findings) > MAX_FINDINGS:
            break
    if not requirements and not reader.findings:
        reader.findings.append(
            source.finding("empty-gate", "the gate requires nothing: add nodes, edges or scenarios", [])
        )
    if reader.findings:
        found = sorted(reader.findings, key=lambda f: (f.span.line, f.span.column) if f.span else (0, 0))
        raise SourceError(first_findings(found))
    return Gate(tuple(requirements), entry.seed)


class _Reader:
    """Converts the entries of a gate file to requirements, and collects errors of the entries in `findings`."""

    def __init__(self, project: Project, source: YamlSource, entry: _GateEntry, directory: Path) -> None:
        self.findings: list[Finding] = []
        self._project = project
        self._source = source
        self._entry = entry
        self._directory = directory
        self._points = self._trials = 0
        self._common = self._perturbed(Perturbations.of(project), entry.with_, ["with"])

    def nodes(self) -> Iterator[Requirement]:
        """Yield the requirements of nodes. The entry `*` is for every reachable node that has no entry."""
        yield from self._named("nodes", self._entry.nodes, all_targets(self._project.graph), lambda name: name)

    def edges(self) -> Iterator[Requirement]:
        """Yield the requirements of edges. The entry `*` is for every reachable planned edge that has no entry."""
        yield from self._named("edges", self._entry.edges, all_edges(self._project.graph), _edge_name)

    def scenarios(self) -> Iterator[Requirement]:
        for i, entry in enumerate(self._entry.scenarios):
            place: Location = ["scenarios", i]
            if (entry.file is None) == (entry.target is None):
                message = f"scenarios[{i}] must have either a 'file' or a 'target'"
                self.findings.append(self._source.finding("bad-value", message, place))
            elif entry.file is not None:
                yield from self._of_file(entry, entry.file, place)
            elif entry.target is not None:
                fixed = self._perturbed(self._common, entry.with_, [*place, "with"])
                yield from self._checked(entry, entry.target, fixed, [*place, "target"], entry.name or "")

    def _named(
        self, kind: str, entries: Mapping[str, _Required], every: list[str], spelling: Any
    ) -> Iterator[Requirement]:
        named = {spelling(name) for name in entries}
        for name, entry in entries.items():
            fixed = self._perturbed(self._common, entry.with_, [kind, name, "with"])
            targets = [target for target in every if target not in named] if name == EVERY else [spelling(name)]
            for target in targets:
                yield from self._checked(entry, target, fixed, [kind, name], is_edge=kind == "edges")

    def _of_file(self, entry: _Scenario, file: str, place: Location) -> Iterator[Requirement]:
        try:
            scenario = load_scenario(self._scenario_path(file), Perturbations.of(self._project))
        except SourceError as error:
            self.findings += error.findings
            return
        except CtrlGraphError as error:
            self.findings.append(self._source.finding("outside", str(error), [*place, "file"]))
            return
        if scenario.limit is not None:
            message = f"{file} searches for a limit, but a gate can only use scenarios with 'sweep' or 'with'"
            self.findings.append(self._source.finding("bad-value", message, [*place, "file"]))
            return
        fixed = self._perturbed(scenario.fixed, entry.with_, [*place, "with"])
        for target in scenario.targets:
            yield from self._checked(
                entry, target, fixed, [*place, "file"], entry.name or Path(file).stem, grid(scenario.axes),
                scenario.trials,
            )  # fmt: skip

    def _scenario_path(self, file: str) -> Path:
        """Return the path of a scenario file, which is given relative to the directory of the gate file.

        Raises:
            CtrlGraphError: The scenario file is outside the project, or, for a gate file outside the project, outside
                the directory of the gate file.
        """
        here, project = self._directory.resolve(), self._project.directory.resolve()
        if not here.is_relative_to(project):
            return contained(self._directory, file)
        return contained(self._project.directory, here.relative_to(project) / file)

    def _count(self, points: int = 0, trials: int = 0) -> None:
        """Add to the number of points (values of perturbations) and of trials of the whole gate, and check the limits.

        Raises:
            CtrlGraphError: The gate has more than `MAX_POINTS` points or `MAX_TRIALS_IN_ALL` trials.
        """
        self._points += points
        self._trials += trials
        if self._points > MAX_POINTS:
            raise CtrlGraphError(f"with this entry, the gate has more than {MAX_POINTS} points: give fewer values")
        if self._trials > MAX_TRIALS_IN_ALL:
            raise CtrlGraphError(f"with this entry, the gate has more than {MAX_TRIALS_IN_ALL} trials: reduce 'trials'")

    def _checked(
        self,
        entry: _Required,
        target: str,
        fixed: Perturbations,
        place: Location,
        name: str = "",
        points: list[Point] | None = None,
        trials: int | None = None,
        *,
        is_edge: bool = False,
    ) -> Iterator[Requirement]:
        points = points or [()]
        measure = entry.measure or self._entry.measure
        wanted = entry.trials or trials or self._entry.trials
        try:
            self._count(points=len(points))
            if is_edge and ARROW not in target:
                raise CtrlGraphError(f"'{target}' is not an edge: write it as NODE{ARROW}NODE")
            plan = evaluation_plan(self._project.graph, target)
            check(self._project, fixed)
            drawn = [fixed.with_values(point).drawn for point in points]
            self._count(trials=sum(wanted if random else 1 for random in drawn))
            if measure == "lower":
                _check_reachable(target, entry.at_least, wanted, all(drawn))
        except CtrlGraphError as error:
            self.findings.append(self._source.finding("bad-value", str(error), place, key=True))
            return
        label = f"{name}: {plan.target}" if name else plan.target
        wanted = wanted if any(drawn) else 1  # without random perturbations all trials are equal
        yield Requirement(label, plan.target, entry.at_least, measure, wanted, fixed, tuple(points))

    def _perturbed(self, fixed: Perturbations, values: Perturbed, place: Location) -> Perturbations:
        for name, value in values.items():
            try:
                fixed = fixed.with_value(name, value)
            except CtrlGraphError as error:
                self.findings.append(self._source.finding("bad-value", str(error), [*place, name]))
        return fixed


def _edge_name(name: str) -> str:
    """Return the name of an edge without spaces: "walk->run" for "walk -> run"."""
    return name if name == EVERY else ARROW.join(part.strip() for part in name.split(ARROW))


def _check_reachable(target: str, at_least: float, trials: int, drawn: bool) -> None:
    """Check that a requirement on the lower bound of the confidence interval is met if all trials succeed.

    Args:
        target: Node, edge or path that is tested, for the message.
        at_least: Required lower bound, 0 to 1.
        trials: Number of trials at each point.
        drawn: True if every point has random perturbations.

    Raises:
        CtrlGraphError: There are no random perturbations, or too few trials.
    """
    if not drawn:
        raise CtrlGraphError(f"'measure: lower' of {target} needs random trials, but all trials are equal: add noise")
    best = SuccessCount(trials, trials).lowest
    if best < at_least:
        raise CtrlGraphError(
            f"with {trials} trials of {target}, the lower bound is at most {best:.2f}, which is below {at_least:g}: set"
            " more 'trials' or a smaller 'at_least'"
        )
