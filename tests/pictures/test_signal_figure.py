"""The picture of signals: lanes selected by words, on one clock."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from ctrlgraph.errors import CtrlGraphError
from ctrlgraph.pictures.signal_figure import Lane, lanes_of, write_signal_figure
from ctrlgraph.simulation.signals.planar_signals import PLANAR_QUANTITIES
from ctrlgraph.simulation.signals.recorded_signals import Signals, names_of


@pytest.fixture
def signals(humanoid) -> Signals:
    """Return one second of two nodes in which all signals change."""
    n = 101
    columns = {name: np.sin(np.linspace(0, 6, n) + i) for i, name in enumerate(names_of(humanoid))}
    columns |= {name: (values > 0).astype(int) for name, values in columns.items() if name.startswith("contact.")}
    columns["time"] = np.linspace(0, 1, n)
    columns["phase"] = np.arange(n) // 20
    columns["node"] = np.where(np.arange(n) < 60, "walk", "$stop$")
    columns["line"], columns["script"] = np.ones(n, int), np.full(n, "walk.t")
    return Signals(columns)


def test_a_word_is_a_lane(humanoid) -> None:
    words = ["phase", "contacts", "joints=rKnee", "torques=lHip", "forces=rFoot", "energy", "com_x"]
    lanes = lanes_of(words, names_of(humanoid))
    assert lanes[2] == Lane("rKnee joints", ("angle.rKnee", "target.rKnee"))
    assert lanes[-1] == Lane("com_x", ("com_x",))
    assert [bool(lane.columns) for lane in lanes] == [False, False, True, True, True, True, True]


@pytest.mark.parametrize(
    ("word", "hint"),
    [
        ("phse", "phase"),
        ("joints=rKnie", "joints=rKnee"),
        ("torque=rKnee", "torques=rKnee"),
        ("forces=rfoot", "forces=rFoot"),
    ],
)
def test_an_unknown_lane_gets_a_suggestion(word: str, hint: str, humanoid) -> None:
    with pytest.raises(CtrlGraphError, match=f"'{word}' is not the name of a signal or lane; did you mean '{hint}'"):
        lanes_of([word], names_of(humanoid))


@pytest.mark.parametrize("word", ["node", "script", "time", "", "joints=", "x" * 1000])
def test_texts_and_nonsense_cannot_be_drawn(word: str, humanoid) -> None:
    with pytest.raises(CtrlGraphError, match="is not the name of a signal or lane"):
        lanes_of([word], names_of(humanoid))


@pytest.mark.slow
def test_more_lanes_make_a_taller_picture_of_the_same_width(signals, humanoid, tmp_path: Path) -> None:
    sizes = []
    for i, words in enumerate(
        (["phase"], ["phase", "contacts", "joints=rKnee", *(f"{name}.rKnee" for name in PLANAR_QUANTITIES.joint)])
    ):
        write_signal_figure(signals, lanes_of(words, names_of(humanoid)), tmp_path / f"{i}.png", title="$x$")
        with Image.open(tmp_path / f"{i}.png") as image:
            sizes.append(image.size)
    assert sizes[0][0] == sizes[1][0]
    assert sizes[0][1] < sizes[1][1]


@pytest.mark.slow
def test_an_svg_is_the_same_every_time_and_names_what_ran(signals, humanoid, tmp_path: Path) -> None:
    lanes = lanes_of(["contacts", *(f"{name}.rFoot" for name in PLANAR_QUANTITIES.link)], names_of(humanoid))
    texts = []
    for name in ("a.svg", "b.svg"):
        write_signal_figure(signals, lanes, tmp_path / name)
        texts.append((tmp_path / name).read_text(encoding="utf-8"))
    assert texts[0] == texts[1]
    assert "<!-- $stop$ -->" in texts[0]
