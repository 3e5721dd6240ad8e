"""Comparison of spatial characters with the same models as MuJoCo compiles them."""

from __future__ import annotations

import mujoco
import numpy as np
import pytest
from numpy.typing import ArrayLike
from spatial_forward import placed, tensor

from ctrlgraph.character.spatial_model import NamedPose, SpatialCharacter


def assert_agrees(character: SpatialCharacter, model: mujoco.MjModel, qpos: ArrayLike, pose: NamedPose) -> None:
    """Assert that links and joints are where MuJoCo has them to 1e-9, with the same masses and inertia."""
    data = mujoco.MjData(model)
    model.body_sameframe[:] = 0  # MuJoCo treats frames that differ by less than 1e-6 as equal
    data.qpos[:] = qpos
    mujoco.mj_kinematics(model, data)
    mujoco.mj_comPos(model, data)
    ours = placed(character, pose)
    for i, link in enumerate(character.links):
        body = mujoco.mj_name2id(model, mujoco.mjtObj.mjOBJ_BODY, link.name)
        body = int(link.name.removeprefix("body")) if body < 0 else body  # a body without a name
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
