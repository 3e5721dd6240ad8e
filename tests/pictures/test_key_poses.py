"""Which poses of a motion are shown."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from ctrlgraph.pictures import key_poses as key_poses_module
from ctrlgraph.pictures.key_poses import MAX_MOTION_S, MAX_POSES, STILL, KeyPose, key_poses
from ctrlgraph.simulation.recording.planar_trace import Trace
from tests.pictures.posing import flipping, humanoid, motion, walking
from tests.pictures.spatial.spatial_posing import quadruped, trotting

CHARACTER = humanoid()
LEFT, RIGHT = (next(i for i, link in enumerate(CHARACTER.links) if link.name == name) for name in ("lFoot", "rFoot"))
WAVING = motion(CHARACTER, 3.0, lambda t: ({"rShoulder": -1.5 * min(t, 1.0)}, 0.0, 0.0, 0.0))


def jumping() -> Trace:
    """A flip that is on its feet before 0.4 s and from 1.2 s on."""
    trace = flipping(CHARACTER)
    contact = trace.contact.copy()
    contact[:, [LEFT, RIGHT]] = ((trace.time < 0.4) | (trace.time > 1.2))[:, None]
    return replace(trace, contact=contact)


def captioned(trace: Trace, poses: list[KeyPose]) -> list[tuple[float, str]]:
    return [(round(float(trace.time[pose.sample]), 2), " + ".join(pose.captions)) for pose in poses if pose.captions]


def test_a_jump_has_poses_at_lift_off_apex_and_landing() -> None:
    trace = jumping()
    assert captioned(trace, key_poses(trace, CHARACTER)) == [(0.39, "lift-off"), (0.78, "apex"), (1.21, "landing")]


def test_a_short_flight_phase_of_a_step_is_no_flight() -> None:
    trace = jumping()
    contact = np.repeat((np.abs(trace.time - 0.8) > 0.035)[:, None], trace.contact.shape[1], axis=1)
    assert captioned(trace, key_poses(replace(trace, contact=contact), CHARACTER)) == []


def test_each_phase_has_a_pose_where_it_begins_with_its_caption() -> None:
    trace = jumping()
    phases = [(0.0, "0 crouch"), (0.25, "1 push"), (1.21, "2 land")]
    found = captioned(trace, key_poses(trace, CHARACTER, phases=phases))
    assert found == [
        (0.0, "0 crouch"),
        (0.25, "1 push"),
        (0.39, "lift-off"),
        (0.78, "apex"),
        (1.21, "2 land + landing"),
    ]


def test_a_part_starts_with_the_caption_of_its_phase() -> None:
    trace = jumping().between(0.3, 1.0)
    assert captioned(trace, key_poses(trace, CHARACTER, phases=[(0.0, "0 a"), (0.25, "1 b")]))[0] == (0.3, "1 b")


def test_without_captions_the_phases_of_the_trace_have_poses() -> None:
    trace = replace(jumping(), phase=np.where(jumping().time < 0.7, 0, 1))
    assert 70 in [pose.sample for pose in key_poses(trace, CHARACTER)]


def test_a_resting_pose_is_shown_once_with_its_duration() -> None:
    poses = key_poses(WAVING, CHARACTER, phases=[(0.0, "0 wave"), (1.0, "1 hold"), (2.0, "2 hold on")])
    assert [caption for pose in poses for caption in pose.captions] == ["0 wave", "1 hold", "2 hold on"]
    assert poses[-1].captions == ("1 hold", "2 hold on")
    assert WAVING.time[poses[-1].sample] == pytest.approx(1.0) and poses[-1].until == pytest.approx(3.0)


@pytest.mark.parametrize("trace", [WAVING, jumping(), walking(CHARACTER, 5.0)])
def test_each_pose_differs_from_the_one_before_it(trace: Trace) -> None:
    poses = key_poses(trace, CHARACTER)
    for before, after in pairwise(poses):
        way = trace.position[before.sample : after.sample + 1] - trace.position[before.sample]
        assert np.abs(way).max() > STILL
    assert poses[0].sample == 0 and poses[-1].until == pytest.approx(trace.time[-1])


def test_where_a_node_begins_there_is_a_pose_even_if_nothing_moves() -> None:
    labels = [(0.0, "wave"), (1.5, "stand"), (2.5, "bow")]
    samples = [pose.sample for pose in key_poses(WAVING, CHARACTER, labels=labels)]
    assert {0, 150, 250} <= set(samples)


@pytest.mark.slow
def test_a_long_motion_has_as_many_poses_as_can_be_read_over_all_of_it() -> None:
    trace = walking(CHARACTER, 60.0)
    phases = [(0.5 * i, f"{i}") for i in range(120)]
    times = trace.time[[pose.sample for pose in key_poses(trace, CHARACTER, phases=phases)]]
    assert MAX_POSES / 2 < len(times) <= MAX_POSES
    assert np.diff(times).max() < 3 * 60.0 / MAX_POSES
    longer = replace(trace, time=3.0 * trace.time)
    assert longer.time[key_poses(longer, CHARACTER)[-1].sample] <= MAX_MOTION_S


def test_repeated_poses_are_removed_first() -> None:
    node, phase = key_poses_module._NODE, key_poses_module._PHASE
    steps = [KeyPose(i, ("foot forward",), rank=phase) for i in range(1, 40)]
    poses = [KeyPose(0, ("start",), rank=node), *steps, KeyPose(40, ("lift-off",)), KeyPose(41, (), rank=node)]
    fewer = key_poses_module._with_fewer_repeats(poses, 30)
    assert len(fewer) == len(poses) - 30
    assert [pose.sample for pose in fewer if pose.captions != ("foot forward",)] == [0, 40, 41]
    assert fewer[1].sample == 1  # the first of the repeats stays
    assert key_poses_module._with_fewer_repeats(poses, 0) == poses


def test_the_poses_of_a_gait_in_space_show_its_whole_cycle() -> None:
    trace = trotting(20.0)  # with 1.6 cycles per second
    times = trace.time[[pose.sample for pose in key_poses(trace, quadruped())]]
    assert times[0] == 0.0
    assert set(np.round(8 * 1.6 * times).astype(int) % 8) == set(range(8))
