"""The picture of return maps: labels of fixed points do not overlap."""

from __future__ import annotations

import numpy as np

from ctrlgraph.pictures.return_map_figure import WIDEST_TITLE, ReturnMapPlot, return_map_figure

RATES = np.linspace(0.5, 1.7, 13)


def test_close_fixed_points_are_listed_above_the_map() -> None:
    drawn = ReturnMapPlot("constant, 0.025 m", RATES, RATES, [(1.04, 1.01), (1.06, 1.04), (1.2, 0.4)])
    place = return_map_figure([drawn], unit="rad/s").axes[0]
    lines = place.get_title().splitlines()
    assert lines[0] == "constant, 0.025 m"
    assert " ".join(lines[1:]) == "1.04 rad/s: slope 1.01; 1.06 rad/s: slope 1.04; 1.20 rad/s: slope 0.40"
    assert max(map(len, lines)) <= WIDEST_TITLE
    assert place.get_xlabel().endswith("rad/s")
    assert not place.texts


def test_a_map_without_falls_and_fixed_points_names_none() -> None:
    fallen = np.where(RATES < 0.8, np.nan, RATES + 0.1)
    figure = return_map_figure([ReturnMapPlot("a", RATES, RATES + 0.1, []), ReturnMapPlot("b", RATES, fallen, [])])
    labels = [[text.get_text() for text in place.get_legend().get_texts()] for place in figure.axes]
    assert labels == [["next = this", "measured"], ["next = this", "measured", "fall"]]
    assert figure.axes[0].get_title() == "a\nno fixed point"
