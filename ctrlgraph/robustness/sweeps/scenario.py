"""Scenarios: what to sweep (targets, axes and fixed perturbations), from the command line or a scenario file."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from ctrlgraph.bounds import MAX_AXIS_VALUES, MAX_CONFIRMED, MAX_FINENESS, MAX_POINTS, MAX_SEED, MAX_TARGETS, MAX_TRIALS
from ctrlgraph.errors import CtrlGraphError, Finding, SourceError, quoted
from ctrlgraph.robustness.perturbation import Perturbations, axis_of, perturbations
from ctrlgraph.robustness.sweeps.sweep_log import Axes, grid_size
from ctrlgraph.yaml_source import Location, YamlSource, first_findings, read_yaml, validate


@dataclass(frozen=True, slots=True)
class Limit:
    """Settings of a search for the largest value of a perturbation with success."""

    axis: str
    """Name of the perturbation."""
    step: float
    """Resolution of the limit, in the unit of the axis."""
    confirm: int = 0
    """Number of evenly spaced values below the limit that must succeed too."""


@dataclass(frozen=True, slots=True)
class Scenario:
    """Targets to test, and the perturbations under which to test them.

    With `axes`, the targets are tested at each point of a grid. With `limit`, the largest value of one perturbation is
    searched for. Without either, they are tested under the fixed perturbations only.

    Raises:
        CtrlGraphError: There are more than two axes, too many points, both axes and a limit, a perturbation that is
            given twice, a value out of range, or an axis of the push although there is no push.
    """

    targets: tuple[str, ...] = ()
    """Nodes ("walk"), edges ("walk->run") or paths."""
    axes: Axes = ()
    """Perturbations to vary, with their values. At most two."""
    limit: Limit | None = None
    """Search for a limit, instead of `axes`."""
    fixed: Perturbations = field(default_factory=Perturbations)
    """Perturbations that are the same in all trials."""
    trials: int | None = None
    """Number of trials of each point with random perturbations. None: the default of the command."""
    seed: int | None = None
    """Seed of the trials. None: the default of the command."""
    description: str = ""
    """Purpose of the scenario, from its file."""
    source: str = ""
    """Origin of the scenario, such as a publication, from its file."""

    def __post_init__(self) -> None:
        names = [name for name, _ in self.axes]
        if len(names) > 2:
            raise CtrlGraphError(f"a sweep can have at most two axes, not {len(names)}")
        if len(set(names)) < len(names):
            raise CtrlGraphError(f"the axis {names[0]} is given twice: remove one of the two")
        if grid_size(self.axes) > MAX_POINTS:
            counts = " x ".join(str(len(values)) for _, values in self.axes)
            raise CtrlGraphError(
                f"the axes have {counts} = {grid_size(self.axes)} points, more than {MAX_POINTS}: give fewer values"
            )
        if self.limit is not None and self.axes:
            raise CtrlGraphError("give either 'axes' or a 'limit': a search for a limit chooses the values itself")
        for name, values in self.axes:
            for value in values:
                self.fixed.with_value(name, value)
        given = self.fixed.as_dict()
        for name in [*names, *([self.limit.axis] if self.limit else [])]:
            if name in given:
                raise CtrlGraphError(
                    f"{name} cannot be both an axis and fixed at {given[name]}: remove the axis or the fixed value"
                )
        pushed = [name for name in names if name.startswith("push_") or name == "phase"]
        if pushed and "push" not in names and self.fixed.push == 0.0:
            raise CtrlGraphError(f"{pushed[0]} has no effect without a push: give the force too (--with push=NEWTONS)")


def parse_value(text: str) -> tuple[str, str]:
    """Split and check the text of a perturbation: ("push", "250") for `push=250`.

    Raises:
        CtrlGraphError: The text is not NAME=VALUE, there is no such perturbation, or the value is invalid for it.
    """
    name, equals, value = text.partition("=")
    if not equals or not name or not value:
        raise CtrlGraphError(f"{quoted(text)} is not a perturbation: write NAME=VALUE, such as push=250")
    Perturbations().with_value(name, value)
    return name, value


def parse_values(words: Iterable[str]) -> list[tuple[str, str]]:
    """Split and check the texts of several perturbations: [("push", "250"), ("mass", "1.1")] for push=250 mass=1.1.

    Raises:
        CtrlGraphError: A text is invalid (see `parse_value`), or a name occurs twice.
    """
    pairs: dict[str, str] = {}
    for name, value in map(parse_value, words):
        if name in pairs:
            raise CtrlGraphError(f"{name} is given twice ({pairs[name]} and {value}): remove one")
        pairs[name] = value
    return list(pairs.items())


def parse_axis(text: str) -> tuple[str, tuple[float, ...]]:
    """Parse an axis and its values: ("slope", (0, 5, 10)) for `slope=0,5,10` or `slope=0:10:5`.

    Raises:
        CtrlGraphError: The text has another form, there is no such axis, or its values are invalid (see `axis_values`).
    """
    name, equals, value = text.partition("=")
    if not equals or not name or not value:
        raise CtrlGraphError(
            f"{quoted(text)} is not an axis: write AXIS=FROM:TO:STEP or AXIS=VALUE,VALUE..., such as slope=-12:12:0.5"
        )
    return name, axis_values(name, value)


def axis_values(name: str, text: str) -> tuple[float, ...]:
    """Parse the values of an axis: (0, 5, 10) for "0:10:5" (FROM:TO:STEP) or "0,5,10".

    Args:
        name: Name of the axis.
        text: Text of the values.

    Raises:
        CtrlGraphError: There is no such axis; the text has another form; or a value is out of range or given twice, or
            there are more than `MAX_AXIS_VALUES`.
    """
    axis = axis_of(name)
    if text.count(",") >= MAX_AXIS_VALUES:
        raise CtrlGraphError(
            f"the axis {name} has {text.count(',') + 1} values, more than {MAX_AXIS_VALUES}: give fewer values"
        )
    try:
        parts = [float(part) for part in text.split(":" if ":" in text else ",")]
    except ValueError:
        parts = []
    if not parts or (":" in text and len(parts) != 3) or not all(map(math.isfinite, parts)):
        raise CtrlGraphError(f"the values of {name} must be FROM:TO:STEP or VALUE,VALUE..., not {quoted(text)}")
    if ":" in text:
        low, high, step = parts
        if not step > 0 or high < low:
            raise CtrlGraphError(f"{name}={text} has no values: FROM must not be above TO, and STEP must be above 0")
        steps = (high - low) / step + 1e-9
        if not steps < MAX_AXIS_VALUES:
            many = f"{math.floor(steps) + 1} values, more than" if steps < 1e15 else "far more values than"
            raise CtrlGraphError(f"the axis {name}={text} has {many} {MAX_AXIS_VALUES}: give a larger STEP")
        count = math.floor(steps) + 1
        parts = [low + i * step for i in range(count)]
    # rounded, since points are looked up by their values
    values = tuple(axis.checked(round(value, 9) + 0.0) for value in parts)
    if len(set(values)) < len(values):
        raise CtrlGraphError(f"the axis {name}={text} contains a value twice: remove the repetition")
    return values


def parse_limit(text: str) -> Limit:
    """Parse the settings of a search for a limit, written as AXIS or AXIS=RESOLUTION, such as `slope=0.25`.

    Raises:
        CtrlGraphError: There is no such axis, or the resolution is not a number above 0, larger than the range of the
            axis, or too fine.
    """
    name, equals, value = text.partition("=")
    axis = axis_of(name)
    if not equals:
        return Limit(name, axis.step)
    try:
        step = float(value)
    except ValueError:
        step = math.nan
    if not 0 < step <= axis.high - axis.low:
        high = axis.high - axis.low
        raise CtrlGraphError(f"the resolution of {name} must be above 0 and at most {high:g}, not {quoted(value)}")
    if (axis.high - axis.low) / step > MAX_FINENESS:
        raise CtrlGraphError(
            f"the resolution {name}={value} makes more than {MAX_FINENESS} steps: give a larger resolution"
        )
    return Limit(name, step)


def _listed(value: Any) -> Any:
    return [value] if isinstance(value, str | int | float) else value


class _Entry(BaseModel):
    """Data of a scenario file as it is written, before axes and perturbations are checked."""

    model_config = ConfigDict(extra="forbid", populate_by_name=True)

    description: str = ""
    source: str = ""
    targets: Annotated[list[str], Field(max_length=MAX_TARGETS), BeforeValidator(_listed)] = []  # pydantic copies it
    with_: dict[str, float | str] = Field(default={}, alias="with")
    sweep: dict[str, str | Annotated[list[float], Field(max_length=MAX_AXIS_VALUES)]] = {}
    limit: str | None = None
    confirm: int | None = Field(default=None, ge=0, le=MAX_CONFIRMED)
    trials: int | None = Field(default=None, ge=1, le=MAX_TRIALS)
    seed: int | None = Field(default=None, ge=0, le=MAX_SEED)


def load_scenario(path: Path | str, base: Perturbations | None = None) -> Scenario:
    """Read a scenario file.

    Args:
        path: Scenario file.
        base: Perturbations that hold unless the file's `with` changes them, such as `Perturbations.of(project)`. None:
            no perturbations.

    Raises:
        SourceError: The file has errors. The error contains the first `MAX_FINDINGS` of them.
    """
    source = read_yaml(path, "scenario")
    entry, findings = validate(source, _Entry)
    if entry is None:
        raise SourceError(findings)
    fixed = []
    for name, value in entry.with_.items():
        pair = _found(source, findings, ["with", name], lambda n=name, v=value: (n, perturbations([(n, v)])))
        fixed += [(name, value)] if pair else []
    axes = []
    for name, given in entry.sweep.items():
        text = given if isinstance(given, str) else ",".join(map(repr, given))
        values = _found(source, findings, ["sweep", name], lambda n=name, t=text: axis_values(n, t))
        axes += [(name, values)] if values else []
    limit = _found(source, findings, ["limit"], lambda: parse_limit(entry.limit)) if entry.limit else None
    if entry.confirm is not None and limit is not None:
        limit = replace(limit, confirm=entry.confirm)
    elif entry.confirm is not None and not entry.limit:
        findings.append(source.finding("bad-value", "'confirm' needs a search for a limit: add 'limit'", ["confirm"]))
    if findings:
        raise SourceError(first_findings(findings))
    scenario: Scenario = _found(
        source,
        findings,
        ["sweep"] if axes else [],
        lambda: Scenario(
            targets=tuple(entry.targets),
            axes=tuple(axes),
            limit=limit,
            fixed=(base or Perturbations()).with_values(fixed),
            trials=entry.trials,
            seed=entry.seed,
            description=" ".join(entry.description.split()),
            source=" ".join(entry.source.split()),
        ),
    )
    if findings:
        raise SourceError(findings)
    return scenario


def _found(source: YamlSource, findings: list[Finding], place: Location, make: Any) -> Any:
    """Return the result of `make`. If it fails, add the error, with its position in the file, and return None.

    Args:
        source: File that is read.
        findings: Errors of the file so far, to which an error of `make` is added.
        place: Keys and indices that lead to the value in the file.
        make: Converts the value; may raise a `CtrlGraphError`.
    """
    try:
        return make()
    except CtrlGraphError as error:
        findings.append(source.finding("bad-value", str(error), place))
        return None
