"""BVH files read as planar motions: round trips, and errors at their places."""

from __future__ import annotations

import numpy as np
import pytest

from ctrlgraph.character.model import Character
from ctrlgraph.errors import SourceError
from ctrlgraph.simulation.formats.bvh import bvh_of
from ctrlgraph.simulation.formats.bvh_reader import parse_bvh
from ctrlgraph.simulation.signals import SignalRecorder, Signals
from ctrlgraph.simulation.simulation import Simulation


@pytest.fixture(scope="module")
def signals(humanoid: Character, handmade) -> Signals:
    with Simulation(humanoid) as simulation:
        recorder = SignalRecorder(simulation)
        recorder.begin("fall")
        simulation.run(handmade.program(), timeout=0.3)
        return recorder.signals()


@pytest.fixture(scope="module")
def text(signals: Signals, humanoid: Character) -> str:
    return bvh_of(signals, humanoid, 50.0)


def test_what_was_exported_is_read_again(text: str, signals: Signals, humanoid: Character) -> None:
    motion = parse_bvh(text, humanoid)
    assert np.diff(motion.time) == pytest.approx(0.02)
    last = motion.q[-1]
    assert last[:2] == pytest.approx([signals.columns[f"{axis}.pelvis"][-1] for axis in "xy"], abs=2e-3)
    angles = [signals.columns[f"angle.{joint.name}"][-1] for joint in humanoid.joints]
    assert last[3:] == pytest.approx(angles, abs=5e-3)


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("JOINT rShin", "JOINT rShim", r"error: humanoid has no link 'rShim'"),
        (
            "Frame Time: 0.02",
            "Frame Time: 0",
            r"expected 'Frame Time:' with a positive number after MOTION, found 'Frame Time: 0'",
        ),
        ("MOTION", "MOTOIN", r"error: the file ends before MOTION"),
        ("Zrotation Xrotation", "Wrotation Xrotation", r"error: there is no channel 'Wrotation'"),
        ("Frames: 16", "Frames: 17", r"error: frame 17 of 17 has 0 numbers"),
        ("Frames: 16", "Frames: 300000", r"error: there are at most 200000 frames"),
    ],
)
def test_an_error_is_reported_at_its_place(text: str, humanoid: Character, old: str, new: str, said: str) -> None:
    assert old in text
    with pytest.raises(SourceError, match=said) as caught:
        parse_bvh(text.replace(old, new, 1), humanoid, "walk.bvh")
    assert str(caught.value).startswith("walk.bvh:")


def test_a_motion_out_of_the_plane_is_refused(text: str, humanoid: Character) -> None:
    lines = text.splitlines()
    words = lines[-1].split()
    words[3] = "12"  # the root's Zrotation
    with pytest.raises(SourceError, match="pelvis rotates by 12 degrees of Zrotation, but humanoid is planar"):
        parse_bvh("\n".join([*lines[:-1], " ".join(words)]), humanoid)
