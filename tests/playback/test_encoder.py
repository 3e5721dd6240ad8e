"""Playbacks: decoded motions equal the recorded ones within the format's resolution."""

from __future__ import annotations

import base64
from collections.abc import Callable

import numpy as np
import pytest

from ctrlgraph.errors import CtrlGraphError
from ctrlgraph.playback import PlaybackEncoder, read_message
from ctrlgraph.playback.assets import embedded_bytes, joined
from ctrlgraph.playback.message import quantised
from ctrlgraph.project.project import Project
from ctrlgraph.simulation.signals.recorded_signals import SignalRecorder, Signals
from ctrlgraph.simulation.simulation import Simulation

WALK = ("stand", "walk", "backflip")


@pytest.fixture(scope="module")
def signals(project: Project) -> Signals:
    with Simulation(project.character) as simulation:
        recorder = SignalRecorder(simulation, 100.0, project.relative)
        for name in WALK:
            recorder.begin(name)
            simulation.run_rollout(project.rollout(None, name, 3 if name == "walk" else 1))
        return recorder.signals()


def of(signals: Signals, quantity: str, names: tuple[str, ...]) -> np.ndarray:
    return np.array([signals.columns[f"{quantity}.{name}"] for name in names])


def test_poses_are_decoded_within_the_resolution_of_the_format(project: Project, signals: Signals) -> None:
    _, arrays = read_message(PlaybackEncoder(project.character).message(signals))
    links, joints = project.character.link_names, project.character.joint_names
    for axis, name in enumerate(("x", "y")):
        assert np.abs(arrays[name] + arrays["com"][axis] - of(signals, name, links)).max() < 1e-4
    assert np.abs(arrays["rotation"] - of(signals, "rotation", links)).max() < 2e-4
    assert np.abs(arrays["angle"] - of(signals, "angle", joints)).max() < 2e-4


def test_exact_columns_are_unchanged(project: Project, signals: Signals) -> None:
    header, arrays = read_message(PlaybackEncoder(project.character).message(signals))
    assert (arrays["time"] == signals.columns["time"]).all()
    assert (arrays["visit"] == signals.columns["visit"]).all()
    names = project.character.link_names
    touching = np.unpackbits(arrays["contact"], axis=0, count=len(names), bitorder="little")
    assert (touching == of(signals, "contact", names)).all()
    places = [header["places"][i] for i in arrays["place"]]
    for name in ("node", "phase", "line", "script"):
        assert [place[name] for place in places] == signals.columns[name].tolist()


def test_missing_values_stay_missing(project: Project, signals: Signals) -> None:
    _, arrays = read_message(PlaybackEncoder(project.character).message(signals))
    for name in ("target", "torque"):
        assert (np.isnan(arrays[name]) == np.isnan(of(signals, name, project.character.joint_names))).all()


def test_numbers_beyond_the_scale_make_it_coarser_instead_of_being_cut_off() -> None:
    packed = quantised("torque", np.array([[1.0, -5000.0, np.nan, np.inf]]), 0.02)
    assert packed.scale == pytest.approx(5000 / 32767)
    assert packed.values[0, 1] == -32767
    assert packed.values[0, 2] == packed.values[0, 3] == -32768


@pytest.mark.parametrize(
    "damage", [b"", b"CGPB", b"PNG\0 and more", b"CGPB\x05\0\0\0{[]}", b'CGPB\x0d\0\0\0{"arrays":[1]}']
)
def test_invalid_data_is_reported(damage: bytes) -> None:
    with pytest.raises(CtrlGraphError, match="recorded motion"):
        read_message(damage)


SCRIPT = """async ([script, messages]) => {
  const bytes = (text) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  const { Playback } = await import("data:text/javascript;base64," + script);
  const played = new Playback();
  for (const message of messages) played.append(bytes(message));
  const poses = Array.from({ length: played.samples }, (_, i) => played.pose(played.timeOf(i)));
  return {
    samples: played.samples,
    x: poses.map((pose) => Array.from(pose.x)), rotation: poses.map((pose) => Array.from(pose.rotation)),
    visits: played.stretches("visit").map((stretch) => [stretch.place.node, stretch.from]),
    knee: poses.map((_, i) => played.signal("torque.rKnee")(i)).map((value) => Number.isNaN(value) ? null : value),
    between: played.pose((played.timeOf(10) + played.timeOf(11)) / 2).x[0],
  };
}"""


def test_a_browser_decodes_pieces_to_the_motion_that_was_recorded(
    project: Project, signals: Signals, open_page: Callable
) -> None:
    encoder = PlaybackEncoder(project.character)
    # the second piece is sent twice, and the third overwrites part of it
    cuts = [(0, 100), (100, 200), (100, 200), (150, None)]
    messages = [encoder.message(signals.part(first, end), first) for first, end in cuts]
    script = joined(["playback.js"]) + "\nexport { Playback };"
    page = open_page("about:blank")
    encoded = [base64.b64encode(message).decode() for message in messages]
    played = page.evaluate(SCRIPT, [base64.b64encode(script.encode()).decode(), encoded])
    assert played["samples"] == len(signals)
    names = project.character.link_names
    assert np.abs(np.array(played["x"]).T - of(signals, "x", names)).max() < 1e-4
    assert np.abs(np.array(played["rotation"]).T - of(signals, "rotation", names)).max() < 2e-4
    began = {node: signals.columns["time"][signals.columns["visit"] == k][0] for k, node in enumerate(WALK)}
    assert played["visits"] == [[node, pytest.approx(time)] for node, time in began.items()]
    knee = np.array([np.nan if value is None else value for value in played["knee"]])
    assert np.nanmax(np.abs(knee - signals.columns["torque.rKnee"])) < 0.011
    x = signals.columns[f"x.{names[0]}"]
    assert played["between"] == pytest.approx((x[10] + x[11]) / 2, abs=1e-4)
    assert page.errors == []


def test_a_minute_at_fifty_samples_a_second_takes_less_than_a_megabyte_of_a_page(
    project: Project, signals: Signals
) -> None:
    every_other = Signals({name: values[::2] for name, values in signals.columns.items()})
    element = embedded_bytes(PlaybackEncoder(project.character).message(every_other), "motion")
    assert len(element) / len(every_other) * 50 * 60 < 1e6
