"""Key frames: reading files of joint angles, and tracking them."""

from __future__ import annotations

import numpy as np
import pytest

from ctrlgraph.control.keyframes.keyframes_file import keyframes_text, parse_keyframes, resampled
from ctrlgraph.simulation.simulation import Simulation
from tests.control.findings import errors_of

CLOSE = "nod.yaml:7:6: error: frames must be at least 0.001 s apart, not 1e-300 s"

NOD = """\
joints: [neck2head, uTorso2neck]
loop: true
duration: 0.8
gains: {neck2head: [100, 10]}
frames:
  - [0.0, 0.0, 0.0]
  - [0.4, 0.3, 0.1]
"""


def target(keyframes, time: float) -> np.ndarray:
    """The angles that the polynomials give at a time."""
    begins, polynomials = keyframes.segments()
    row = min(np.searchsorted(begins, time, side="right") - 1, len(polynomials) - 1)
    return np.array([np.polyval(p, time - begins[row]) for p in polynomials[row]])


def test_angles_are_joined_by_straight_lines_and_a_loop_leads_back_to_the_first(humanoid) -> None:
    nod = parse_keyframes(NOD, humanoid)
    np.testing.assert_allclose(target(nod, 0.1), [0.075, 0.025])
    np.testing.assert_allclose(target(nod, 0.4), [0.3, 0.1])
    np.testing.assert_allclose(target(nod, 0.7), [0.075, 0.025])


def test_without_a_loop_the_last_frame_lasts_until_the_end(humanoid) -> None:
    nod = parse_keyframes(NOD.replace("loop: true", "loop: false"), humanoid)
    np.testing.assert_allclose(target(nod, 0.75), [0.3, 0.1])


@pytest.mark.parametrize("loop", ["true", "false"])
def test_cubic_frames_are_passed_without_a_jump_of_speed(humanoid, loop: str) -> None:
    text = NOD.replace("loop: true", f"loop: {loop}\ninterpolation: cubic").replace(
        "0.3, 0.1]", "0.3, 0.1]\n  - [0.6, 0.1, 0.2]"
    )
    nod = parse_keyframes(text, humanoid)
    begins, polynomials = nod.segments()
    for row in range(len(polynomials) - 1):
        length = begins[row + 1] - begins[row]
        for before, after in zip(polynomials[row], polynomials[row + 1], strict=True):
            assert np.polyval(before, length) == pytest.approx(after[3])
            assert np.polyval(np.polyder(before), length) == pytest.approx(after[2])


def test_gains_default_to_those_of_the_character(humanoid) -> None:
    nod = parse_keyframes(NOD, humanoid)
    neck = humanoid.joints[humanoid.joint_index("uTorso2neck")]
    np.testing.assert_array_equal(nod.gains, [[100, 10], [neck.kp, neck.kd]])


def test_every_error_is_found_at_its_place(humanoid) -> None:
    text = NOD.replace("[neck2head, uTorso2neck]", "[neck2haed, uTorso2neck]").replace("[0.4, 0.3, 0.1]", "[0.4, 0.3]")
    assert errors_of(parse_keyframes, text, humanoid, "nod.yaml") == [
        "nod.yaml:1:10: error: the character humanoid has no joint 'neck2haed'",
        "nod.yaml:4:9: error: gains are given for 'neck2head', which is not in 'joints': add the joint, or"
        " remove its gains",
        "nod.yaml:7:5: error: a frame needs a time and an angle for each joint: 3 numbers, not 2",
    ]


@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        ("[0.0, 0.0, 0.0]", "[0.1, 0.0, 0.0]", "nod.yaml:6:6: error: the first frame must be at time 0, not 0.1"),
        (
            "[0.4, 0.3, 0.1]",
            "[0.0, 0.3, 0.1]",
            "nod.yaml:7:6: error: times of frames must rise from frame to frame, but 0 comes after 0",
        ),
        (
            "duration: 0.8",
            "duration: 0.3",
            "nod.yaml:3:11: error: a pass of 0.3 s ends before the last frame at 0.4 s: give a longer 'duration'",
        ),
        (
            "duration: 0.8\n",
            "",
            "nod.yaml:6:5: error: the last frame of a loop must equal the first one, and neck2head differs by 0.3 rad:"
            " repeat the first frame, or give a 'duration' beyond the last frame",
        ),
        ("[0.4, 0.3, 0.1]", "[1.0e-300, 0.3, 0.1]", CLOSE),
        ("uTorso2neck]", "neck2head]", "nod.yaml:1:21: error: the joint 'neck2head' is listed twice: remove one"),
        ("loop: true", "loop: maybe", "nod.yaml:2:7: error: loop must be true or false, not 'maybe'"),
        ("[0.4, 0.3, 0.1]", "[0.4, .nan, 0.1]", "nod.yaml:7:11: error: frames[1][1] must be a finite number, not .nan"),
    ],
)
def test_invalid_frames_are_refused(humanoid, old: str, new: str, fault: str) -> None:
    assert errors_of(parse_keyframes, NOD.replace(old, new), humanoid, "nod.yaml") == [fault]


def test_the_digest_depends_on_the_motion_and_not_on_the_text(humanoid) -> None:
    nod = parse_keyframes(NOD, humanoid)
    assert parse_keyframes(f"# nods\n{NOD}".replace("0.0, 0.0, 0.0", "0, 0, 0.00"), humanoid).digest == nod.digest
    for old, new in (("0.3", "0.31"), ("true", "false"), ("0.8", "0.9"), ("100", "101"), ("neck2head", "rElbow")):
        assert parse_keyframes(NOD.replace(old, new), humanoid).digest != nod.digest
    assert nod.with_constants(nod.constants + 1e-9).digest != nod.digest


def test_a_recorded_motion_is_tracked(still, humanoid) -> None:
    """On the way down to a squat the joints stay within a few degrees of the recording; doing nothing does not."""
    with Simulation(humanoid) as simulation:
        simulation.run(still.controller("stand"), timeout=4.0)
        standing = simulation.snapshot()
        simulation.run(still.controller("squat"), timeout=4.0)
        trace = simulation.last_trace
        angles, first = trace.joint_angles(humanoid), trace.time - trace.time[0] <= 0.4
        frames = resampled(trace.time, angles, 25.0)
        motion = keyframes_text(frames, humanoid.joint_names, loop=False, comment="")
        pose = f"joints: [{', '.join(humanoid.joint_names)}]\nduration: 3\nframes:\n  - {frames[0].tolist()}\n"
        errors = {}
        for name, text in {"tracked": motion, "nothing": pose}.items():
            simulation.restore(standing)
            simulation.run(parse_keyframes(text, humanoid), timeout=float(frames[-1, 0]))
            own = simulation.last_trace.joint_angles(humanoid)
            errors[name] = float(np.sqrt(np.mean((own[: len(angles)][first[: len(own)]] - angles[first]) ** 2)))
    assert errors["tracked"] < 0.05
    assert errors["nothing"] > 4 * errors["tracked"]


def test_a_loop_repeats_for_each_cycle_and_joints_without_frames_hold_their_angle(humanoid) -> None:
    with Simulation(humanoid) as simulation:
        simulation.reset({"rElbow": -0.5})
        outcome = simulation.run(parse_keyframes(NOD, humanoid), cycles=2, timeout=4.0)
        assert outcome.status == "completed" and outcome.simulated_s == pytest.approx(1.6)
        held = simulation.snapshot().held
        assert held.angle[humanoid.joint_index("rElbow")] == -0.5
        assert set(simulation.last_trace.phase.tolist()) == {0, 1}


def test_a_blend_begins_where_the_joints_are(humanoid) -> None:
    nod = parse_keyframes(NOD.replace("loop: true", "blend: 0.2"), humanoid)
    with Simulation(humanoid) as simulation:
        simulation.reset({"neck2head": -0.6})
        neck = humanoid.joint_index("neck2head")
        simulation.run(nod, timeout=0.002)
        assert simulation.snapshot().held.angle[neck] == pytest.approx(-0.6, abs=0.02)
        simulation.run(nod, timeout=0.2, resume=True)
        assert simulation.snapshot().held.angle[neck] == pytest.approx(0.15, abs=0.01)


def test_a_resumed_run_is_bit_identical(humanoid) -> None:
    nod = parse_keyframes(NOD, humanoid)
    with Simulation(humanoid) as simulation:
        simulation.run(nod, cycles=2, timeout=4.0)
        whole = simulation.history_digest()
        simulation.reset()
        simulation.run(nod, cycles=2, timeout=0.7)
        middle = simulation.snapshot()
        simulation.run(nod, cycles=2, timeout=4.0, resume=True)
        assert simulation.history_digest() == whole
        simulation.restore(middle)
        simulation.run(nod, cycles=2, timeout=4.0, resume=True)
        assert simulation.history_digest() == whole
