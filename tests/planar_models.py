"""What MuJoCo itself says about a model: the second opinion for what we read."""

from __future__ import annotations

import math
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import mujoco
import numpy as np

from ctrlgraph.character.model import Character
from ctrlgraph.engine.mujoco import library
from ctrlgraph.kernels.planar.arrays import body_arrays
from ctrlgraph.kernels.planar.kinematics import pose_links

library.load()  # its warnings would go to a file in the current directory

_spec = find_spec("gymnasium")
assert _spec is not None and _spec.submodule_search_locations is not None
GYMNASIUM = Path(_spec.submodule_search_locations[0]) / "envs" / "mujoco" / "assets"
"""Where Gymnasium keeps its models."""


def compiled(text: str) -> tuple[Any, Any]:
    """A model and its state at the reference configuration, as MuJoCo compiles it."""
    model = mujoco.MjModel.from_xml_string(text)
    data = mujoco.MjData(model)
    mujoco.mj_kinematics(model, data)
    mujoco.mj_comPos(model, data)
    return model, data


@dataclass(frozen=True)
class Rigid:
    """Mass, centre of mass (x, z) and moment of inertia about y of bodies that are fixed to each other."""

    mass: float
    centre: np.ndarray
    inertia: float


def rigid_bodies(model: Any, data: Any) -> dict[str, Rigid]:
    """The bodies of a model that move, by the name of the one with the joint."""
    found = {}
    for first in range(1, model.nbody):
        group = [b for b in range(1, model.nbody) if model.body_weldid[b] == first]
        if not group:
            continue
        mass = model.body_mass[group]
        places = data.xipos[group][:, [0, 2]]
        centre = mass @ places / mass.sum()
        turned = [data.ximat[b].reshape(3, 3) for b in group]
        about_y = [(r @ np.diag(model.body_inertia[b]) @ r.T)[1, 1] for r, b in zip(turned, group, strict=True)]
        inertia = sum(about_y) + mass @ ((places - centre) ** 2).sum(axis=1)
        found[model.body(first).name] = Rigid(float(mass.sum()), centre, float(inertia))
    return found


def set_pose(
    model: Any, data: Any, character: Character, angles: np.ndarray, rates: np.ndarray, root: np.ndarray
) -> None:
    """Put a model into a pose and motion of its character: joint angles and rates (J,), and of the root displacement
    and angle (3,) at rest."""
    data.qpos[:] = model.qpos0
    data.qvel[:] = 0.0
    for j in range(model.njnt):
        joint, axis, address = model.joint(j), data.xaxis[j], model.jnt_qposadr[j]
        if model.jnt_type[j] == mujoco.mjtJoint.mjJNT_SLIDE:
            i = int(np.abs(axis).argmax())
            data.qpos[address] += math.copysign(root[0 if i == 0 else 1], axis[i] * root[0 if i == 0 else 1])
        elif model.body_parentid[model.jnt_bodyid[j]] == 0:
            data.qpos[address] += math.copysign(1.0, axis[1]) * root[2]
        else:
            k = character.joint_index(joint.name)
            assert k is not None
            data.qpos[address] += math.copysign(1.0, axis[1]) * angles[k]
            data.qvel[model.jnt_dofadr[j]] = math.copysign(1.0, axis[1]) * rates[k]


def link_motion(
    character: Character, angles: np.ndarray, rates: np.ndarray, root: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Poses (L, 3) and velocities (L, 3) of a character's links in such a pose."""
    body, first, h = body_arrays(character), character.links[character.root], 1e-6

    def posed(step: float) -> np.ndarray:
        place = (first.x + root[0], first.y + root[1], root[2])
        return pose_links(body, angles + step * rates, character.root, *place)

    return posed(0.0), (posed(h) - posed(-h)) / (2 * h)


def kinetic_energy(character: Character, velocities: np.ndarray) -> float:
    masses = np.array([link.mass for link in character.links])
    inertias = np.array([link.inertia for link in character.links])
    return float(masses @ (velocities[:, :2] ** 2).sum(axis=1) + inertias @ velocities[:, 2] ** 2) / 2
