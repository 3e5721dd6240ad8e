"""Courses of gaps: what may be drawn, what counts as crossed, and that what was planned is what is walked."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from ctrlgraph.character.files import load_character
from ctrlgraph.control.stepping.gait_set import GaitSet
from ctrlgraph.control.stepping.planning import gaps_of
from ctrlgraph.control.stepping.sampler import StepSampler
from ctrlgraph.control.stepping.stepping import Stepping, read_entry, read_stepping
from ctrlgraph.errors import CtrlGraphError, SourceError
from ctrlgraph.policies import StaleFile, tabulate
from ctrlgraph.robustness.gaits.stepping import (
    BEGIN,
    GAP_CLEAR,
    GAP_LIMITS,
    Crossing,
    Foothold,
    _begin_in_gait,
    cross,
    cross_ideally,
    gap_course,
    summary,
)
from ctrlgraph.simulation.outcome import Status
from ctrlgraph.simulation.simulation import Simulation
from ctrlgraph.terrain import parse

PROJECT = Path(__file__).parents[3] / "projects" / "tracking"
FILE = PROJECT / "stepping" / "over_gaps.yaml"
SOLE = 0.26


@pytest.fixture(scope="module")
def stepping(tmp_path_factory) -> Stepping:
    """With 12 of the hundred gaits."""
    folder = tmp_path_factory.mktemp("stepping")
    character = load_character(PROJECT / "characters" / "walker.yaml")
    every = GaitSet.load(PROJECT / "stepping" / "gaits.npz", character.digest)
    kept = [i for i in range(every.count) if every.speed[i] in (0.7, 0.8) and round(every.stride[i] * 100) % 8 != 2]
    kept = sorted({*kept, every.nearest(*BEGIN), every.nearest(0.66, 0.7), every.nearest(0.3, 0.6)})
    few = GaitSet(**{name: array[kept] for name, array in every._arrays.items()}, character=every.character)
    few.save(folder / "gaits.npz")
    (folder / "over_gaps.yaml").write_text(FILE.read_text())
    entry = read_entry(FILE)[1]
    sampler = StepSampler(character, few, entry.feedback)
    tabulate(sampler.space, sampler.outcomes, folder / "steps.npz")
    return read_stepping(folder / "over_gaps.yaml", character)


def test_a_drawn_course_has_gaps_that_the_longest_stride_leads_over_and_room_between() -> None:
    low, high = GAP_LIMITS["gap"]["width"]
    assert high + SOLE + 2 * 0.03 <= 0.66
    for seed in range(50):
        gaps = gaps_of(gap_course(seed, 10.0))
        widths = [end - start for start, end in gaps]
        rooms = [after[0] - before[1] for before, after in pairwise(gaps)]
        assert gaps and gaps[0][0] >= 2.0 and gaps[-1][1] < 10.0
        assert low - 1e-9 <= min(widths) and max(widths) <= high + 1e-9
        assert not rooms or (GAP_CLEAR[0] - 2e-3 <= min(rooms) and max(rooms) <= GAP_CLEAR[1] + 2e-3)
    assert gap_course(7, 10.0).name == gap_course(7, 10.0).name != gap_course(8, 10.0).name


@pytest.mark.slow
def test_on_the_reduced_dynamics_a_planned_course_is_crossed_without_a_foot_on_a_gap(stepping) -> None:
    for words in ("flat", "course=3:gap:0.2:1,5:gap:0.3:1,7:gap:0.25:1"):
        found = cross_ideally(stepping, parse(words), 0)
        assert found.crossed and found.reachable and found.lost == 0 and found.reason == ""
        assert found.steps[-1].ankle + found.steps[-1].stride >= 10.0
        assert all(step.over == 0.0 for step in found.steps)
        assert all(step.stride == pytest.approx(stepping.gaits.stride[step.target], abs=1e-9) for step in found.steps)


@pytest.mark.slow
def test_in_the_engine_it_steps_over_two_gaps(stepping) -> None:
    found = cross(stepping, parse("course=2.4:gap:0.2:1,4:gap:0.3:1"), 0)
    assert found.crossed, found.reason
    strides = np.array([step.stride - stepping.gaits.stride[step.target] for step in found.steps[:-1]])
    assert np.abs(strides).max() < 0.03
    again = cross(stepping, parse("course=2.4:gap:0.2:1,4:gap:0.3:1"), 0)
    assert again.steps[:-1] == found.steps[:-1]


def test_a_summary_counts_reasons() -> None:
    step = Foothold(0.0, 0.0, 0, 0, 1.0, 0.4, 0.0)
    good = Crossing(1, True, "", True, 0, (step,), 9.0)
    bad = Crossing(2, False, "fell", True, 1, (step,), 3.0)
    reported = summary([good, good, bad])
    assert (reported["courses"], reported["crossed"], reported["reasons"]) == (3, 2, {"fell": 1})
    assert reported["low"] < 2 / 3 < reported["high"]


def test_a_stepping_file_names_files_beside_it_and_nothing_else(tmp_path) -> None:
    path = tmp_path / "over.yaml"
    for name in ("../gaits.npz", "/etc/gaits.npz", "gaits.txt", ".npz"):
        path.write_text(f"gaits: {name}\nsteps: steps.npz\n")
        with pytest.raises(SourceError):
            read_entry(path)
    path.write_text("gaits: gaits.npz\nsteps: steps.npz\neps: 0\nstrange: 1\n")
    with pytest.raises(SourceError) as caught:
        read_entry(path)
    assert len(caught.value.findings) == 2


@pytest.mark.slow
@pytest.mark.parametrize("name", ["gaits.npz", "steps.npz"])
def test_a_link_to_gaits_or_a_table_elsewhere_is_not_opened(stepping, tmp_path, name: str) -> None:
    there, here = Path(stepping.path).parent, tmp_path / "project"
    here.mkdir()
    for each in ("over_gaps.yaml", "gaits.npz", "steps.npz"):
        if each != name:
            (here / each).write_bytes((there / each).read_bytes())
    (here / name).symlink_to((there / name).resolve())
    with pytest.raises(CtrlGraphError, match=f"'{name}' lies outside the project: give a relative path"):
        read_stepping(here / "over_gaps.yaml", stepping.character)


@pytest.mark.slow
def test_a_table_of_other_gaits_or_feedback_is_stale(stepping) -> None:
    folder = Path(stepping.path).parent
    assert read_stepping(folder / "over_gaps.yaml", stepping.character).digest
    other = folder / "other.yaml"
    other.write_text(FILE.read_text().replace("feedback: 0.05", "feedback: 0.06"))
    with pytest.raises(StaleFile, match="was computed with another policy of the zero-moment point"):
        read_stepping(other, stepping.character)


@pytest.mark.slow
def test_on_level_ground_it_steps_for_its_cycles_from_any_position(stepping) -> None:
    gait = stepping.gaits.nearest(*BEGIN)
    with Simulation(stepping.character, keep_trace=False) as simulation:
        _begin_in_gait(simulation, stepping, gait, float(stepping.gaits.begin_rate[gait]))
        for _ in range(3):
            begun = simulation.x
            outcome = simulation.run(stepping, cycles=4, timeout=20.0)
            assert outcome.status is Status.COMPLETED
            assert simulation.x - begun > 8 * 0.28
        assert simulation.x > 8.0
