"""Two sweeps compared: point by point, with the limits before and after."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from report_samples import MemorySweeps, report_with

from ctrlgraph.errors import RunLogError
from ctrlgraph.project.project import Project
from ctrlgraph.report.comparison import ChangeVerdict, SweepsComparison, compare_named, compare_sweeps
from ctrlgraph.report.sweeps import views_of
from ctrlgraph.statistics import SuccessCount, fisher_p, newcombe_interval

SLOPES = ("slope", (-2.0, 0.0, 2.0))
PUSHES, PHASES = ("push", (0.0, 100.0, 200.0)), ("phase", (0.0, 0.5))


def compare(sweeps: MemorySweeps) -> SweepsComparison:
    """The sweeps whose ids begin with a, with those whose ids begin with b."""
    a, b = ([view for view in views_of(sweeps, sweeps.kept) if view.sweep.id.startswith(x)] for x in "ab")
    return compare_sweeps("a", a, "b", b)


def verdicts(comparison: SweepsComparison) -> list[ChangeVerdict]:
    (pair,) = comparison.pairs
    return [change.verdict for _, change in pair.points]


def test_each_point_is_tested_and_limits_are_listed(sweeps: MemorySweeps) -> None:
    sweeps.add("walk", [SLOPES], lambda slope: float(slope <= 0), 20, id="a")
    sweeps.add("walk", [SLOPES], lambda slope: 0.95 if slope >= 0 else 0.0, 20, id="b")
    comparison = compare(sweeps)
    assert verdicts(comparison) == [ChangeVerdict.WORSE, ChangeVerdict.UNCLEAR, ChangeVerdict.BETTER]
    assert comparison.count("better") == comparison.count("worse") == 1
    (pair,) = comparison.pairs
    (limit,) = pair.limits
    assert (limit.axis, limit.before, limit.after) == ("slope", (-2.0, 0.0), (0.0, 2.0))
    change = pair.points[1][1]
    assert (change.before, change.after) == (SuccessCount(20, 20), SuccessCount(19, 20))
    assert change.interval == newcombe_interval(change.before, change.after)
    assert change.p == fisher_p(change.before, change.after)


def test_many_points_require_stronger_evidence(sweeps: MemorySweeps) -> None:
    few, many = ("slope", (0.0,)), ("mass", tuple(1 + i / 100 for i in range(20)))
    for name, share in (("a", 0.5), ("b", 0.85)):
        sweeps.add("walk", [few], lambda slope, s=share: s, 20, id=name)
    assert verdicts(compare(sweeps)) == [ChangeVerdict.BETTER]
    for name in ("a.2", "b.2"):
        sweeps.add("run", [many], lambda mass: 0.5, 20, id=name)
    alone, among = compare(sweeps).pairs
    assert alone.count("better") == 0 and among.count("no significant change") == 20


def test_without_randomness_a_difference_is_certain(sweeps: MemorySweeps) -> None:
    sweeps.add("walk", [SLOPES], lambda slope: 1.0, 1, id="a", noise=0.0)
    sweeps.add("walk", [SLOPES], lambda slope: float(slope < 2), 1, id="b", noise=0.0)
    comparison = compare(sweeps)
    assert verdicts(comparison) == [ChangeVerdict.UNCLEAR, ChangeVerdict.UNCLEAR, ChangeVerdict.WORSE]
    (worse,) = comparison.pairs[0].shown
    assert worse.certain and worse.p is None and worse.interval is None


def test_a_single_random_trial_is_no_evidence(sweeps: MemorySweeps) -> None:
    sweeps.add("walk", [SLOPES], lambda slope: 1.0, 1, id="a")
    sweeps.add("walk", [SLOPES], lambda slope: 0.0, 1, id="b")
    assert verdicts(compare(sweeps)) == [ChangeVerdict.UNCLEAR] * 3


def test_the_limit_over_phases_is_that_of_the_weakest_and_the_best(sweeps: MemorySweeps) -> None:
    sweeps.add("walk", [PUSHES, PHASES], lambda push, phase: float(push < 200), id="a")
    sweeps.add("walk", [PHASES, PUSHES], lambda push, phase: float(push < 200 or phase > 0), id="b")
    (pair,) = compare(sweeps).pairs
    (limit,) = pair.limits
    assert (limit.axis, limit.before, limit.after) == ("push", (0.0, 100.0), (0.0, 100.0))
    assert (limit.widest_before, limit.widest_after) == ((0.0, 100.0), (0.0, 200.0))
    assert [change.name for change in pair.shown] == ["phase 0.5, push 200 N"]


def test_unpaired_points_and_targets_are_listed(sweeps: MemorySweeps) -> None:
    sweeps.add("walk", [("slope", (0.0, 1.0))], lambda slope: 1.0, id="a.1")
    sweeps.add("run", [SLOPES], lambda slope: 1.0, id="a.2")
    sweeps.add("walk", [("slope", (1.0, 2.0))], lambda slope: 1.0, id="b.1", noise=0.3)
    comparison = compare(sweeps)
    assert verdicts(comparison) == [ChangeVerdict.ONE_SIDED, ChangeVerdict.UNCLEAR, ChangeVerdict.ONE_SIDED]
    assert (comparison.unpaired, comparison.settings) == (("run",), ("noise (0.1 and 0.3)",))


def test_sweeps_of_different_things_do_not_compare(sweeps: MemorySweeps) -> None:
    sweeps.add("walk", [SLOPES], lambda slope: 1.0, id="a")
    sweeps.add("walk", [("mass", (1.0,))], lambda mass: 1.0, id="b")
    with pytest.raises(
        RunLogError,
        match=r"^'a' and 'b' have no target in common that was swept over the same axes: choose other sweeps$",
    ):
        compare(sweeps)


A, B = "1121-aaaaa", "1122-bbbbb"


@pytest.fixture
def stored(sweeps: MemorySweeps) -> MemorySweeps:
    sweeps.add("squat", [SLOPES], lambda slope: float(slope <= 0), 20, id=f"{A}.1")
    sweeps.add("squat", [SLOPES], lambda slope: 1.0, 20, id=f"{B}.1", started="2026-02-02T00:00:00")
    sweeps.add("stand", [PUSHES, PHASES], lambda push, phase: 1.0, id=f"{A}.2")
    sweeps.add("stand", [PUSHES, PHASES], lambda push, phase: float(push < 200), id=f"{B}.2")
    return sweeps


@pytest.mark.parametrize("names", [(A, B), ("1121", "1122"), (f"sweep:{A}", "sweep:1122"), ("sweep:1121", f"{B}")])
def test_sweeps_are_named_by_their_ids(project: Project, stored: MemorySweeps, names: tuple[str, str]) -> None:
    comparison = compare_named(project, names, stored)
    assert isinstance(comparison, SweepsComparison)
    assert (comparison.name_a, comparison.name_b) == (f"sweep {A}", f"sweep {B}")
    assert [pair.after.sweep.target for pair in comparison.pairs] == ["squat", "stand"]


@pytest.mark.parametrize(
    ("names", "message"),
    [
        (("sweep:9", B), "there is no sweep '9': give the id of a stored sweep"),
        (("sweep:112", B), f"the ids of several sweeps begin with '112' ({A}, {B}): give a whole id"),
        ((A, f"sweep:{A}"), "'sweep 1121-aaaaa' and 'sweep 1121-aaaaa' are the same sweeps: give two different sweeps"),
        ((A, "1123-ccccc"), f"'{A}' is a sweep, but '1123-ccccc' is a run: give two runs or two sweeps"),
    ],
)
def test_invalid_names_are_reported(
    project: Project, stored: MemorySweeps, logged: Callable[..., None], names: tuple[str, str], message: str
) -> None:
    logged("1123-ccccc")
    with pytest.raises(RunLogError) as caught:
        compare_named(project, names, stored)
    assert str(caught.value) == message


def test_a_name_that_is_a_run_as_well_is_a_run(
    project: Project, stored: MemorySweeps, logged: Callable[..., None]
) -> None:
    logged(A)
    logged(B, started=2e9)
    assert not isinstance(compare_named(project, (A, B), stored), SweepsComparison)


def test_the_page_shows_the_comparison(project: Project, stored: MemorySweeps, tmp_path: Path) -> None:
    page = report_with(stored, project, tmp_path, compare_runs=(A, B))
    text = page.read_text(encoding="utf-8")
    assert 'id="comparison"' in text
    data = json.loads((tmp_path / "report.json").read_text())
    changed = {(p["push"], p["phase"]): p["verdict"] for p in data["sweep_comparison"]["targets"][1]["points"]}
    assert {key for key, verdict in changed.items() if verdict == "worse"} == {(200.0, 0.0), (200.0, 0.5)}
    for name in ("comparison-squat-slope", "comparison-stand-push-phase"):
        assert (tmp_path / "figures" / f"{name}.csv").is_file()
    assert (tmp_path / "figures" / "comparison-squat-slope.png").is_file()
