"""Kinematics and dynamics of spatial characters by MuJoCo and by Pinocchio, in the coordinates of our kernels."""

from __future__ import annotations

import mujoco
import numpy as np
import pinocchio
from spatial_trees import SpatialState

from ctrlgraph.character.spatial_model import SpatialCharacter

GRAVITY = 9.81


def rotation_matrix(q: np.ndarray) -> np.ndarray:
    return pinocchio.Quaternion(*q).toRotationMatrix()


def children_of(character: SpatialCharacter) -> dict[int, list[int]]:
    """Return the links below each link."""
    found: dict[int, list[int]] = {i: [] for i in range(len(character.links))}
    for joint in character.joints:
        if joint.child not in found[joint.parent]:
            found[joint.parent].append(joint.child)
    return found


def mujoco_model(character: SpatialCharacter) -> mujoco.MjModel:
    """Return a model of MuJoCo whose bodies have the frames of the character's links."""
    spec = mujoco.MjSpec()
    spec.option.gravity = [0.0, 0.0, -GRAVITY]
    spec.option.enableflags |= mujoco.mjtEnableBit.mjENBL_ENERGY
    below = children_of(character)

    def add(link: int, above: mujoco.MjsBody) -> None:
        data = character.links[link]
        body = above.add_body(name=data.name, pos=data.position, quat=data.orientation)
        body.mass, body.ipos, body.fullinertia, body.explicitinertial = data.mass, [0, 0, 0], data.inertia, True
        if link == character.root and character.floating:
            body.add_freejoint(name="root")
        for joint in character.joints:
            if joint.child == link:
                body.add_joint(name=joint.name, pos=joint.anchor, axis=joint.axis, armature=joint.armature)
        for child in below[link]:
            add(child, body)

    add(character.root, spec.worldbody)
    return spec.compile()


class Mujoco:
    """A character in MuJoCo."""

    def __init__(self, character: SpatialCharacter) -> None:
        self.character, self.model = character, mujoco_model(character)
        self.data = mujoco.MjData(self.model)
        self.start = 6 * character.floating
        self.links = [self.model.body(link.name).id for link in character.links]
        self.joints = [self.model.joint(joint.name).id for joint in character.joints]
        self.columns = [*range(self.start), *self.model.jnt_dofadr[self.joints]]
        """Degree of freedom in MuJoCo of each of our velocities."""
        self.turn = np.eye(self.start + len(self.joints))
        """Our velocities by those of MuJoCo, which are the same but for the root's angular velocity."""

    def at(self, state: SpatialState) -> Mujoco:
        if self.start:
            self.data.qpos[:7] = state.root
            self.turn[3:6, 3:6] = rotation_matrix(state.root[3:])
        self.data.qpos[self.model.jnt_qposadr[self.joints]] = state.angles
        self.data.qvel[self.columns] = self.turn.T @ state.velocity
        mujoco.mj_forward(self.model, self.data)
        mujoco.mj_subtreeVel(self.model, self.data)
        return self

    @property
    def poses(self) -> np.ndarray:
        return np.hstack([self.data.xipos, self.data.xquat])[self.links]

    @property
    def twists(self) -> np.ndarray:
        found = np.zeros((len(self.links), 6))
        for i, body in enumerate(self.links):
            mujoco.mj_objectVelocity(self.model, self.data, mujoco.mjtObj.mjOBJ_BODY, body, found[i], 0)
        return found[:, [3, 4, 5, 0, 1, 2]]

    @property
    def axes(self) -> np.ndarray:
        return self.data.xaxis[self.joints]

    @property
    def places(self) -> np.ndarray:
        return self.data.xanchor[self.joints]

    @property
    def com(self) -> np.ndarray:
        root = self.links[self.character.root]
        return np.hstack([self.data.subtree_com[root], self.data.subtree_linvel[root]])

    @property
    def angular_momentum(self) -> np.ndarray:
        return self.data.subtree_angmom[self.links[self.character.root]].copy()

    @property
    def energy(self) -> np.ndarray:
        """Potential and kinetic energy; without that of armatures, which no link has."""
        armature = 0.5 * np.sum(self.model.dof_armature * self.data.qvel**2)
        return self.data.energy - [0.0, armature]

    @property
    def mass(self) -> np.ndarray:
        full = np.zeros((self.model.nv, self.model.nv))
        mujoco.mj_fullM(self.model, self.data, full)
        return self.turn @ full[np.ix_(self.columns, self.columns)] @ self.turn.T

    @property
    def bias(self) -> np.ndarray:
        return self.turn @ self.data.qfrc_bias[self.columns]

    def forces(self, acceleration: np.ndarray) -> np.ndarray:
        self.data.qacc[self.columns] = self.turn.T @ acceleration
        mujoco.mj_inverse(self.model, self.data)
        return self.turn @ self.data.qfrc_inverse[self.columns]

    def jacobians(self, link: int, point: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the linear and the angular Jacobian of a point of a link."""
        found = np.zeros((2, 3, self.model.nv))
        mujoco.mj_jac(self.model, self.data, found[0], found[1], point, self.links[link])
        return tuple(found[:, :, self.columns] @ self.turn.T)

    @property
    def com_jacobian(self) -> np.ndarray:
        found = np.zeros((3, self.model.nv))
        mujoco.mj_jacSubtreeCom(self.model, self.data, found, self.links[self.character.root])
        return found[:, self.columns] @ self.turn.T
