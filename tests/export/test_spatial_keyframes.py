"""Motion in space as MuJoCo's key frames, read back by MuJoCo: bodies and speeds are those of the recording."""

from __future__ import annotations

from dataclasses import replace

import mujoco
import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from ctrlgraph.character.mjcf import parse_mjcf, write_spatial_mjcf
from ctrlgraph.character.spatial_model import SpatialCharacter
from ctrlgraph.errors import CtrlGraphError
from ctrlgraph.export.spatial_keyframes import spatial_mjcf_of
from ctrlgraph.project.project import Project
from ctrlgraph.simulation.signals.recorded_signals import Signals
from ctrlgraph.terrain.spatial import parse_spatial
from tests.export.recorded import QUADRUPED, RATE, column, record, swinging
from tests.spatial_trees import SpatialTree, random_state, random_tree

Case = tuple[str, SpatialCharacter, Signals]


@pytest.fixture(scope="module", params=["ode", "mujoco"])
def case(request: pytest.FixtureRequest) -> Case:
    project = Project(QUADRUPED, engine=request.param)
    assert isinstance(project.character, SpatialCharacter)
    return request.param, project.character, record(project, "leap")


def test_links_are_where_the_simulation_had_them(case: Case) -> None:
    engine, character, signals = case
    assert largest_error(signals, character) < (0.001 if engine == "ode" else 1e-5)


def largest_error(signals: Signals, character: SpatialCharacter) -> float:
    """The largest distance of a link in the key frames from where it was, m."""
    model = mujoco.MjModel.from_xml_string(spatial_mjcf_of(signals, character, RATE))
    data, at, worst = mujoco.MjData(model), model.key_time.copy(), 0.0
    assert np.allclose(np.diff(at), 1 / RATE)
    assert model.body_mass.sum() == pytest.approx(character.mass)
    for k in range(model.nkey):
        mujoco.mj_resetDataKeyframe(model, data, k)
        mujoco.mj_forward(model, data)
        for link in character.link_names:
            wanted = [column(signals, f"{axis}.{link}", at)[k] for axis in "xyz"]
            worst = max(worst, float(np.linalg.norm(data.body(link).xipos - wanted)))
    return worst


@pytest.mark.parametrize("floating", [True, False])
def test_links_with_several_joints_are_where_they_were(floating: bool) -> None:
    character = random_tree(np.random.default_rng(3), 8, floating=floating)
    assert largest_error(swinging(character, 3), character) < 1e-5


def test_links_have_the_velocities_of_the_recording(case: Case) -> None:
    engine, character, signals = case
    model = mujoco.MjModel.from_xml_string(spatial_mjcf_of(signals, character, RATE))
    data, k, found = mujoco.MjData(model), model.nkey // 2, np.zeros(6)
    mujoco.mj_resetDataKeyframe(model, data, k)
    mujoco.mj_forward(model, data)
    for link in character.link_names:
        mujoco.mj_objectVelocity(model, data, mujoco.mjtObj.mjOBJ_BODY, model.body(link).id, found, 0)
        wanted = [column(signals, f"{name}.{link}", model.key_time)[k] for name in ("wx", "wy", "wz", "vx", "vy", "vz")]
        assert np.abs(found - wanted).max() < (0.1 if engine == "ode" else 1e-4)


GROUNDS = [
    "slope=6 bank=3",
    "stairs=1:3:0.3:0.1",
    "block=1:0.2:0.8:0.5:0.2:30,2:-1:0.5:0.5:0.1",
    "rough=0.05 seed=4",
    "slope=3 rough=0.03 seed=4 block=1:0:0.5:0.5:0.2",
]


@pytest.mark.parametrize("words", GROUNDS)
def test_the_ground_is_solid_below_the_motion(case: Case, words: str) -> None:
    _, character, signals = case
    ground = parse_spatial(words, 0.7)
    model = mujoco.MjModel.from_xml_string(spatial_mjcf_of(signals, character, RATE, ground))
    data, hit, seen = mujoco.MjData(model), np.zeros(1, np.int32), 0
    mujoco.mj_forward(model, data)
    rng = np.random.default_rng(2)
    for x, y in rng.uniform([-3.0, -3.0], [4.0, 3.0], (60, 2)).tolist():
        if "rough" in words:  # at the points of the grid, between which diagonals differ
            x, y = round(x / 0.0625) * 0.0625 + 1e-7, round(y / 0.0625) * 0.0625 + 1e-7
        start = np.array([x, y, 5.0])
        height = 5.0 - mujoco.mj_ray(model, data, start, np.array([0.0, 0.0, -1.0]), None, True, 1, hit, None)
        assert hit[0] >= 0
        if model.geom_bodyid[hit[0]] == 0:  # not the character
            seen += 1
            assert height == pytest.approx(ground.height(x, y), abs=1e-4)
            assert model.geom_friction[hit[0]][0] == 0.7
    assert seen > 50


def test_the_written_character_is_the_same_when_it_is_read_again(case: Case) -> None:
    _, character, _ = case
    again = parse_mjcf(write_spatial_mjcf(character), "again.xml")
    assert isinstance(again, SpatialCharacter)
    assert (again.digest, again.roles) == (character.digest, character.roles)
    assert again.poses.keys() == character.poses.keys()


@pytest.mark.parametrize("seed", range(8))
def test_random_trees_are_posed_by_mujoco_as_by_the_kernels(seed: int) -> None:
    rng = np.random.default_rng(seed)
    character = random_tree(rng, int(rng.integers(2, 20)), floating=bool(seed % 2))
    state = random_state(rng, character)
    model = mujoco.MjModel.from_xml_string(write_spatial_mjcf(character))
    data = mujoco.MjData(model)
    if character.floating:
        data.qpos[:7] = state.root
    for joint, angle in zip(character.joint_names, state.angles, strict=True):
        data.joint(joint).qpos = angle
    mujoco.mj_forward(model, data)
    poses = SpatialTree(character).at(state).poses
    for link, pose in zip(character.link_names, poses, strict=True):
        turned = Rotation.from_quat(data.body(link).xquat, scalar_first=True)
        assert np.abs(data.body(link).xpos - pose[:3]).max() < 1e-9
        assert (turned * Rotation.from_quat(pose[3:], scalar_first=True).inv()).magnitude() < 1e-7
    assert model.body_mass.sum() == pytest.approx(character.mass)


def test_a_link_that_is_called_like_the_ground_is_refused(case: Case) -> None:
    _, character, _ = case
    links = (replace(character.links[0], name="world"), *character.links[1:])
    with pytest.raises(CtrlGraphError, match="rename the link 'world' of quadruped: MuJoCo uses this name"):
        write_spatial_mjcf(replace(character, links=links))
