"""The picture of a frequency response: what was measured as markers, the theory as a curve over the whole range."""

from __future__ import annotations

import itertools
import math

import pytest

from ctrlgraph.experiments.frequency_response import expected_response
from ctrlgraph.view.response_figure import response_figure

FREQUENCIES = (0.5, 3.0)
STIFFNESSES = (200.0, 800.0)
ROWS = [(kp, f, 1.0 + kp / 1e4, 10.0 * f) for kp in STIFFNESSES for f in FREQUENCIES]


def theory(kp: float, frequency: float) -> tuple[float, float]:
    return expected_response(2.0, kp, kp / 10, frequency)


@pytest.mark.parametrize("quantity", [0, 1], ids=["gain", "lag"])
@pytest.mark.parametrize(("column", "ends"), [(0, FREQUENCIES), (1, STIFFNESSES)], ids=["frequency", "kp"])
def test_markers_are_measured_and_curves_are_theory_over_the_whole_range(quantity, column, ends) -> None:
    axes = response_figure(ROWS, theory).axes[2 * quantity + column]
    markers = [line for line in axes.lines if line.get_linestyle() == "None"]
    curves = [line for line in axes.lines if line.get_linestyle() == "-"]
    assert [len(markers), len(curves)] == [2, 2]
    for fixed, curve, dots in zip((STIFFNESSES, FREQUENCIES)[column], curves, markers, strict=True):
        x, y = (values.tolist() for values in curve.get_data())
        assert (x[0], x[-1]) == ends
        assert max(b - a for a, b in itertools.pairwise(x)) < (ends[1] - ends[0]) / 100
        wanted = [theory(fixed, each) if column == 0 else theory(each, fixed) for each in x]
        assert y == [pair[quantity] for pair in wanted]
        measured = {row[1 - column]: row[2 + quantity] for row in ROWS if row[column] == fixed}
        assert dict(zip(*dots.get_data(), strict=True)) == measured
        assert curve.get_color() == dots.get_color()


def test_a_resonance_between_two_measured_frequencies_is_drawn() -> None:
    """Of 800 N m/rad on 2 kg m^2, lightly damped, at 3.18 Hz: neither end is near it."""
    found = response_figure(
        [(800.0, f, 1.0, 0.0) for f in (1.0, 6.0)], lambda kp, f: expected_response(2.0, kp, 4.0, f)
    )
    (curve,) = [line for line in found.axes[0].lines if line.get_linestyle() == "-"]
    x, y = curve.get_data()
    assert x[y.argmax()] == pytest.approx(math.sqrt(800 / 2) / (2 * math.pi), rel=0.02)
    assert y.max() > 3 * max(y[0], y[-1])


def test_legends_name_the_series_and_the_markers() -> None:
    figure = response_figure(ROWS, theory)
    (marks,) = figure.legends
    assert [text.get_text() for text in marks.get_texts()] == ["measured", "linear theory"]
    named = [[text.get_text() for text in axes.get_legend().get_texts()] for axes in figure.axes[:2]]
    assert named == [["kp 200", "kp 800"], ["0.5 Hz", "3 Hz"]]
