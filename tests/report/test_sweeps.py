"""Sweeps as a report shows them."""

from __future__ import annotations

from dataclasses import replace

import pytest
from report_samples import MemorySweeps

from ctrlgraph.project.project import Project
from ctrlgraph.report.sweeps import axis_title, curves, maps, open_sweeps, read_sweeps, with_unit
from ctrlgraph.robustness.evaluation_plan import evaluation_plans, target_hashes
from ctrlgraph.robustness.sweeps.sweep_log import SweepStore

SLOPES = ("slope", (-4.0, -2.0, 0.0, 2.0, 4.0, 6.0))


@pytest.mark.parametrize(
    ("share", "held"),
    [
        (lambda slope: float(slope in (-2.0, 0.0, 2.0, 6.0)), (-2.0, 2.0)),  # 6 degrees are beyond 4, which fail
        (lambda slope: 0.9 if slope <= 0 else 0.8, (-4.0, 0.0)),
        (lambda slope: float(slope > 0), None),
    ],
)
def test_the_holding_range_is_around_the_undisturbed_value(sweeps: MemorySweeps, share, held) -> None:
    sweeps.add("walk", [SLOPES], share)
    sweeps.add("walk", [SLOPES, ("phase", (0.0, 0.5))], lambda slope, phase: 1.0)
    ranges = {len(view.axes): view.holding_range() for view in read_sweeps(sweeps)}
    assert ranges == {1: held, 2: None}


def test_only_the_newest_of_equal_sweeps_is_shown(sweeps: MemorySweeps) -> None:
    sweeps.add("walk", [SLOPES], lambda slope: 0.0, started="2026-02-02T00:00:00", noise=0.1)
    sweeps.add("walk", [SLOPES], lambda slope: 1.0, started="2026-01-01T00:00:00", noise=0.1)
    sweeps.add("walk", [SLOPES], lambda slope: 1.0, started="2026-01-01T00:00:00", noise=0.2)
    assert {view.sweep.id for view in read_sweeps(sweeps)} == {"0101-s0", "0101-s2"}


def test_a_sweep_without_trials_is_not_shown(sweeps: MemorySweeps) -> None:
    sweeps.add("walk", [SLOPES], lambda slope: 1.0, trials=0)
    assert read_sweeps(sweeps) == []


def test_an_edge_and_a_path_belong_to_their_last_node(sweeps: MemorySweeps) -> None:
    for target in ("squat->rise", "stand->squat->rise", "rise", "squat"):
        sweeps.add(target, [("mass", (0.8, 1.0))], lambda mass: 1.0)
    sweeps.add("rise", [SLOPES], lambda slope: 1.0)
    sweeps.add("rise", [("push", (0.0, 100.0)), ("phase", (0.0, 0.5))], lambda push, phase: 1.0)
    views = read_sweeps(sweeps)
    # the slope first
    assert [(v.axes[0], v.label) for v in curves(views, "rise")] == [
        ("slope", "noise 0.1"),
        ("mass", "noise 0.1"),
        ("mass", "squat → rise, noise 0.1"),
        ("mass", "stand → squat → rise, noise 0.1"),
    ]
    assert [v.axes for v in maps(views, "rise")] == [("push", "phase")]


def test_the_label_names_fixed_perturbations(sweeps: MemorySweeps) -> None:
    sweeps.add("walk", [SLOPES], lambda slope: 1.0, push=250.0, push_link="pelvis", push_duration=0.4, limit_step=0.5)
    assert read_sweeps(sweeps)[0].label == "noise 0.1, push 250 N, push link pelvis, push duration 0.4 s, by bisection"


@pytest.mark.parametrize(
    ("axis", "title", "value"),
    [
        ("slope", "slope (\N{DEGREE SIGN})", "2\N{DEGREE SIGN}"),
        ("mass", "mass (\N{MULTIPLICATION SIGN})", "2\N{MULTIPLICATION SIGN}"),
        ("push_duration", "push duration (s)", "2 s"),
        ("phase", "phase", "2"),
        ("of_the_future", "of the future", "2"),
    ],
)
def test_axes_carry_their_units(axis: str, title: str, value: str) -> None:
    assert (axis_title(axis), with_unit(axis, 2.0)) == (title, value)
    assert with_unit(axis, -2.0) == "\N{MINUS SIGN}" + value


def test_a_project_has_its_own_sweeps_or_none(project: Project, sweeps: MemorySweeps) -> None:
    with open_sweeps(project) as source:
        assert source is None
    sweeps.add("squat", [SLOPES], lambda slope: 1.0, trials=2)
    with SweepStore.open(project.runs_directory) as store:
        store.begin(sweeps.kept[0])
        store.add("0101-s0", sweeps.trials("0101-s0"))
    with open_sweeps(project) as source:
        (view,) = read_sweeps(source)
        (judged,) = read_sweeps(source, project)
    assert (view.node, len(view.trials), len(view.points)) == ("squat", 12, 6)
    assert judged.stale and judged.label == "noise 0.1, made with other scripts"


def test_a_sweep_of_the_present_scripts_is_not_stale(project: Project, sweeps: MemorySweeps) -> None:
    hashes = target_hashes(project, evaluation_plans(project.graph, "squat"))
    sweeps.add("squat", [SLOPES], lambda slope: 1.0)
    sweeps.kept[0] = replace(sweeps.kept[0], hashes=hashes)
    assert [view.stale for view in read_sweeps(sweeps, project)] == [False]
    script = project.directory / "controllers" / "poses" / "squat.t"
    script.write_text(script.read_text().replace("1.6", "1.5"))
    assert [view.stale for view in read_sweeps(sweeps, Project(project.directory))] == [True]
