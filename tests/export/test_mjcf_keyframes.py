"""Motion as MuJoCo's key frames, read back by MuJoCo: bodies, joints and speeds are those of the recording."""

from __future__ import annotations

import numpy as np
import pytest

from ctrlgraph.character.mjcf import parse_mjcf, write_sidecar
from ctrlgraph.export import mjcf_of
from ctrlgraph.project.project import Project
from ctrlgraph.simulation.signals.recorded_signals import Signals
from ctrlgraph.terrain.words import parse
from tests.export.recorded import MOTIONS, RATE, centres, column, pins, record

mujoco = pytest.importorskip("mujoco")


@pytest.fixture(scope="module", params=MOTIONS)
def motion(request: pytest.FixtureRequest, project: Project) -> Signals:
    return record(project, request.param)


def test_links_and_joints_are_where_the_simulation_had_them_within_a_millimetre(motion, project: Project) -> None:
    character = project.character
    model = mujoco.MjModel.from_xml_string(mjcf_of(motion, character, RATE))
    data = mujoco.MjData(model)
    at = model.key_time.copy()
    assert np.allclose(np.diff(at), 1 / RATE)
    assert at[-1] == pytest.approx(motion.columns["time"][-1], abs=1 / RATE)
    links, joints, worst = centres(motion, character, at), pins(motion, character, at), 0.0
    for k in range(model.nkey):
        mujoco.mj_resetDataKeyframe(model, data, k)
        mujoco.mj_forward(model, data)
        for name, wanted in links.items():
            worst = max(worst, float(np.linalg.norm(data.body(name).xipos[[0, 2]] - wanted[k])))
        for name, wanted in joints.items():
            worst = max(worst, float(np.linalg.norm(data.joint(name).xanchor[[0, 2]] - wanted[k])))
    assert worst < 0.001


def test_speeds_are_those_of_the_recording(motion: Signals, project: Project) -> None:
    model = mujoco.MjModel.from_xml_string(mjcf_of(motion, project.character, RATE))
    at = model.key_time.copy()
    for joint in project.character.joints:
        found = model.key_qvel[:, model.joint(joint.name).dofadr[0]]
        assert np.allclose(found, column(motion, f"velocity.{joint.name}", at), atol=1e-5)
    data, k = mujoco.MjData(model), model.nkey // 2
    mujoco.mj_resetDataKeyframe(model, data, k)
    mujoco.mj_forward(model, data)
    mujoco.mj_subtreeVel(model, data)
    wanted = [column(motion, f"com_v{axis}", at)[k] for axis in "xy"]
    assert np.abs(data.subtree_linvel[1][[0, 2]] - wanted).max() < 0.05  # of links that are no play apart


def test_the_ground_is_solid_below_the_motion(motion: Signals, project: Project) -> None:
    ground = parse("course=1:stairs:3:0.3:0.1,3:gap:0.4:1", 0.7)
    text = mjcf_of(motion, project.character, RATE, ground)
    model = mujoco.MjModel.from_xml_string(text)
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    hit = np.zeros(1, np.int32)
    for x in (-1.0, 0.5, 1.15, 1.45, 3.2, 5.0):
        height = 5.0 - mujoco.mj_ray(model, data, [x, 1.0, 5.0], [0, 0, -1], None, True, -1, hit, None)
        assert height == pytest.approx(ground.height(x), abs=1e-6)
        assert model.geom_friction[hit[0]][0] == 0.7
    assert 'type="plane"' in mjcf_of(motion, project.character, RATE)  # level ground is a floor


def test_the_model_is_a_character_as_before(motion: Signals, project: Project) -> None:
    character = project.character
    again = parse_mjcf(mjcf_of(motion, character, RATE), "motion.xml", write_sidecar(character))
    assert sorted(again.link_names) == sorted(character.link_names)
    assert again.mass == pytest.approx(character.mass)
