"""A source's figures beside what was measured: what holds here, what fails, and what was not tried."""

from __future__ import annotations

import pytest

from ctrlgraph.experiments.sweeps.comparison_with_source import compare_with_source
from ctrlgraph.experiments.sweeps.reference import SourceReference
from ctrlgraph.experiments.sweeps.summary import PointSummary, range_everywhere, widest_range
from ctrlgraph.experiments.sweeps.sweep_log import Sweep


def points(*axes: str, **held) -> list[PointSummary]:
    """Points by their values, `p1_2=True` for the values 1 and 2; ten trials of which all or half followed."""
    made = []
    for name, holds in held.items():
        values = [float(part.replace("m", "-").replace("h", ".5")) for part in name[1:].split("_")]
        n = 10 if holds else 5
        made.append(PointSummary(tuple(zip(axes, values, strict=True)), 10, n, n))
    return made


SLOPES = points("slope", pm4=False, pm2=True, p0=True, p2=True, p4=False, p6=True)
SOURCE = SourceReference("slope", "backflip", holds=(2.0, 7.5), fails=(-4.0, 3.0, 6.0), text="they say")


def beside(reference: SourceReference, found: list[PointSummary], *axes: str):
    (row,) = compare_with_source(
        Sweep("s", "backflip", tuple((axis, ()) for axis in axes), 10, 1, reference=(reference,)), found
    )
    return row


def test_each_figure_is_held_against_what_was_tried_there() -> None:
    row = beside(SOURCE, SLOPES, "slope")
    assert [(figure.value, figure.succeeds, figure.succeeds_here) for figure in row.figures] == [
        (-4.0, False, False),
        (2.0, True, True),
        (3.0, False, False),  # between one that holds and one that fails
        (6.0, False, True),  # holds where the source fails
        (7.5, True, None),  # beyond what was tried
    ]
    assert row.everywhere == row.widest == (-2.0, 2.0)


def test_of_two_axes_a_figure_has_to_succeed_at_every_value_of_the_other() -> None:
    found = points("push", "phase", p0_0=True, p0_h=True, p100_0=True, p100_h=True, p200_0=True, p200_h=False)
    row = beside(SourceReference("push", holds=(100.0, 200.0, 500.0)), found, "push", "phase")
    assert [(f.succeeding, f.settings, f.succeeds_here) for f in row.figures] == [
        (2, 2, True),
        (1, 2, False),
        (0, 0, None),
    ]
    assert (row.everywhere, row.widest, row.other_axis) == ((0.0, 100.0), (0.0, 200.0), "phase")


def test_a_force_is_looked_up_as_it_is_for_this_body() -> None:
    found = points("push", p0=True, p480=True, p600=False)
    (figure,) = beside(SourceReference("push", holds=(350.0,), body_mass=51.0).for_body(70.0), found, "push").figures
    assert (figure.stated, figure.value, figure.succeeds_here) == (350.0, 480.0, True)


def test_where_the_undisturbed_fails_at_one_setting_nothing_succeeds_throughout() -> None:
    found = points("push", "phase", p0_0=True, p0_h=False, p100_0=True, p100_h=True)
    assert range_everywhere(found, "push") is None
    assert widest_range(found, "push") == (0.0, 100.0)


def test_without_figures_the_range_alone_is_reported() -> None:
    row = beside(SourceReference("slope", text="shown over slopes"), SLOPES, "slope")
    assert (row.figures, row.everywhere) == ((), (-2.0, 2.0))


@pytest.mark.parametrize("recovered", [8, 9])
def test_nine_of_ten_succeed(recovered: int) -> None:
    found = [PointSummary((("slope", 0.0),), 10, 10, recovered)]
    assert range_everywhere(found, "slope") == ((0.0, 0.0) if recovered == 9 else None)
