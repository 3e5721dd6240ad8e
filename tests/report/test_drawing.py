"""Figures: text stays text and is escaped, colours follow the page, and the numbers are all there."""

from __future__ import annotations

import re
import warnings
from pathlib import Path
from xml.etree import ElementTree

import pytest
from PIL import Image
from report_samples import MemorySweeps

from ctrlgraph.pictures.style import INK
from ctrlgraph.report import figures
from ctrlgraph.report.drawing import ReportFigure, new_canvas, plain_text
from ctrlgraph.report.sweeps import read_sweeps


def titled(text: str, name: str = "a") -> ReportFigure:
    with plain_text():
        canvas, axes = new_canvas(3, 2)
        axes.set_xlabel(text)
        axes.plot([0, 1], [0, 1], color=INK)
    return ReportFigure(name, canvas, [], f"alt of {text}")


@pytest.mark.parametrize("name", ["<script>alert(1)</script>", "a & b", '"', "$x", "$\\frac{1}{", "$a$"])
def test_any_name_is_drawn_as_it_is(name: str) -> None:
    root = ElementTree.fromstring(titled(name).inline())
    texts = ["".join(element.itertext()) for element in root.iter() if element.tag.endswith("text")]
    assert name in texts
    assert root.get("aria-label") == f"alt of {name}"


def test_colours_and_font_are_those_of_the_page() -> None:
    svg = titled("x").inline()
    assert "var(--ink)" in svg and "var(--font)" in svg
    assert INK not in svg and "DejaVu" not in svg


def test_every_id_begins_with_the_figures_name_and_is_found() -> None:
    svg = titled("x", "walk-map-1").inline()
    ids = set(re.findall(r' id="([^"]*)"', svg))
    assert ids and all(name.startswith("walk-map-1-") for name in ids)
    assert set(re.findall(r'(?:url\(#|href="#)([^")]*)', svg)) <= ids


@pytest.mark.slow
def test_the_same_figure_gives_the_same_bytes() -> None:
    assert titled("x").inline() == titled("x").inline()


def test_a_drawing_fills_its_place_up_to_its_own_width() -> None:
    head = titled("x").inline().partition(">")[0]
    assert not re.search(r' (width|height)="', head)
    assert 'style="max-width:288px"' in head  # 3 in


def test_a_curve_has_a_row_for_each_point(sweeps: MemorySweeps, tmp_path: Path) -> None:
    sweeps.add("walk", [("slope", (-1.0, 0.0, 1.0))], lambda slope: 0.5 if slope else 1.0)
    figure = figures.curve(read_sweeps(sweeps)[0], "walk-slope")
    assert [(row["slope"], row["recovered"], row["share"]) for row in figure.rows] == [
        (-1.0, 5, 0.5),
        (0.0, 10, 1.0),
        (1.0, 5, 0.5),
    ]
    assert figure.rows[0]["low"] == pytest.approx(0.2366, abs=1e-4)  # Wilson, 5 of 10
    assert figure.alt == "Success of walk over slope (°): holds from 0° to 0° at 90 % or more."
    figure.write_png(tmp_path / "a.png")
    with Image.open(tmp_path / "a.png") as image:
        assert image.size[0] > 800


def test_certain_results_have_no_interval(sweeps: MemorySweeps) -> None:
    for noise, bands in ((0.0, 0), (0.1, 2)):
        sweeps.add("walk", [("slope", (0.0, 1.0))], lambda slope: 1.0, noise=noise, started=f"{noise}")
        view = next(view for view in read_sweeps(sweeps) if view.fixed["noise"] == noise)
        figure = figures.curve(view, "c")
        assert len(figure.canvas.axes[0].collections) == bands
        assert ("one trial a point, without random perturbations" in figure.caption) == (noise == 0.0)


def test_a_map_has_phases_from_left_to_right_and_holes_where_nothing_was_tried(sweeps: MemorySweeps) -> None:
    sweeps.add("walk", [("push", (0.0, 100.0)), ("phase", (0.0, 0.5))], lambda push, phase: 1.0, trials=1)
    sweeps.results["0101-s0"] = sweeps.results["0101-s0"][:3]
    figure = figures.heat_map(read_sweeps(sweeps)[0], "m")
    axes = figure.canvas.axes[0]
    assert (axes.get_xlabel(), axes.get_ylabel()) == ("phase", "push (N)")
    cells = axes.collections[0].get_array()
    assert [bool(hole) for hole in cells.mask.ravel()] == [False, False, False, True]
    assert len(figure.rows) == 3


def test_one_row_is_a_map_too(sweeps: MemorySweeps) -> None:
    sweeps.add("walk", [("push", (50.0,)), ("slope", (0.0, 1.0))], lambda push, slope: 1.0)
    figure = figures.heat_map(read_sweeps(sweeps)[0], "m")
    axes = figure.canvas.axes[0]
    assert axes.collections[0].get_array().shape == (1, 2)
    assert (axes.get_xlabel(), axes.get_ylabel()) == ("slope (°)", "push (N)")
    assert len(figure.rows) == 2
    ElementTree.fromstring(figure.inline())


def test_equal_durations_have_no_figure() -> None:
    assert figures.durations([1.0] * 9, [], "d") is None
    drawn = figures.durations([1.0] * 9, [1.2], "d")
    assert drawn is not None
    assert [sum(row[name] for row in drawn.rows) for name in ("succeeded", "failed")] == [9, 1]
    assert drawn.caption == "Durations of the successes and, in red, of the failures"


def test_a_name_that_leaves_no_room_is_drawn_without_a_warning(tmp_path: Path) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        figure = titled("x")
        figure.canvas.axes[0].set_yticks([0, 1], ["W" * 100] * 2)
        figure.write_png(tmp_path / "a.png")
        assert "W" * 100 in figure.inline()
    with Image.open(tmp_path / "a.png") as image:
        assert image.size[0] > image.size[1] > 0
