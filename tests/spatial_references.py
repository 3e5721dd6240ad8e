"""Kinematics and dynamics of spatial characters by MuJoCo and by Pinocchio, in the coordinates of our kernels."""

from __future__ import annotations

import mujoco
import numpy as np
import pinocchio
from spatial_trees import GRAVITY, SpatialState

from ctrlgraph.character.spatial_model import SpatialCharacter


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
        """Potential and kinetic energy."""
        return self.data.energy.copy()

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


def pinocchio_model(character: SpatialCharacter) -> pinocchio.Model:
    """Return a model of Pinocchio with a floating root. The frame of a joint has the axes of the link below it."""
    model, turn, below = pinocchio.Model(), pinocchio.SE3, children_of(character)
    model.gravity.linear[2] = -GRAVITY

    def add(link: int, above: int, at: pinocchio.SE3) -> None:
        """Add a link that has, in its reference pose, the pose `at` in the frame of the joint `above`."""
        data, place = character.links[link], np.zeros(3)
        if link == character.root:
            above = model.addJoint(above, pinocchio.JointModelFreeFlyer(), at, "root")
            at = turn.Identity()
        for joint in character.joints:
            if joint.child == link:
                axis, place = pinocchio.JointModelRevoluteUnaligned(*joint.axis), np.array(joint.anchor)
                above = model.addJoint(above, axis, at * turn(np.eye(3), place), joint.name)
                model.armature[model.joints[above].idx_v] = joint.armature
                at = turn(np.eye(3), -place)
        xx, yy, zz, xy, xz, yz = data.inertia
        inertia = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
        model.appendBodyToJoint(above, pinocchio.Inertia(data.mass, np.zeros(3), inertia), at)
        model.addFrame(pinocchio.Frame(data.name, above, at, pinocchio.FrameType.OP_FRAME))
        for child in below[link]:
            offset = character.links[child]
            add(child, above, at * turn(rotation_matrix(offset.orientation), np.array(offset.position)))

    add(character.root, 0, turn.Identity())
    return model


class Pinocchio:
    """A character in Pinocchio. If its root is fixed, all velocities and accelerations of the root are zero."""

    def __init__(self, character: SpatialCharacter) -> None:
        self.character, self.model = character, pinocchio_model(character)
        self.data = self.model.createData()
        self.start = 6 * character.floating
        self.frames = [self.model.getFrameId(link.name) for link in character.links]
        self.joints = [self.model.getJointId(joint.name) for joint in character.joints]
        self.columns = [*range(self.start), *(self.model.joints[j].idx_v for j in self.joints)]
        """Index in Pinocchio of each of our velocities."""
        self.turn = np.eye(len(self.columns))
        """Our velocities by those of Pinocchio, where those of the root are in its frame."""

    def at(self, state: SpatialState) -> Pinocchio:
        model, data = self.model, self.data
        self.q, self.v, self.state = pinocchio.neutral(model), np.zeros(model.nv), state
        w, x, y, z = state.root[3:]
        self.q[:7] = [*state.root[:3], x, y, z, w]
        for j, angle in zip(self.joints, state.angles, strict=True):
            self.q[model.joints[j].idx_q] = angle
        if self.start:
            self.turn[:3, :3] = self.turn[3:6, 3:6] = rotation_matrix(state.root[3:])
        self.v[self.columns] = self.turn.T @ state.velocity
        pinocchio.computeAllTerms(model, data, self.q, self.v)
        pinocchio.updateFramePlacements(model, data)
        return self

    @property
    def poses(self) -> np.ndarray:
        found = [pinocchio.SE3ToXYZQUAT(self.data.oMf[frame]) for frame in self.frames]
        return np.array(found)[:, [0, 1, 2, 6, 3, 4, 5]]

    @property
    def twists(self) -> np.ndarray:
        frame = pinocchio.LOCAL_WORLD_ALIGNED
        return np.array([pinocchio.getFrameVelocity(self.model, self.data, f, frame).vector for f in self.frames])

    @property
    def axes(self) -> np.ndarray:
        found = zip(self.joints, self.character.joints, strict=True)
        return np.array([self.data.oMi[j].rotation @ joint.axis for j, joint in found]).reshape(-1, 3)

    @property
    def places(self) -> np.ndarray:
        return np.array([self.data.oMi[j].translation for j in self.joints]).reshape(-1, 3)

    @property
    def com(self) -> np.ndarray:
        return np.hstack([self.data.com[0], self.data.vcom[0]])

    @property
    def angular_momentum(self) -> np.ndarray:
        return pinocchio.computeCentroidalMomentum(self.model, self.data, self.q, self.v).angular

    @property
    def energy(self) -> np.ndarray:
        """Potential and kinetic energy; Pinocchio leaves out that of the armatures."""
        armature = 0.5 * np.sum(self.model.armature * self.v**2)
        return np.array([self.data.potential_energy, self.data.kinetic_energy + armature])

    @property
    def mass(self) -> np.ndarray:
        full = pinocchio.crba(self.model, self.data, self.q, pinocchio.Convention.WORLD)
        return self.turn @ full[np.ix_(self.columns, self.columns)] @ self.turn.T

    @property
    def bias(self) -> np.ndarray:
        return self.forces(np.zeros(len(self.columns)))

    def forces(self, acceleration: np.ndarray) -> np.ndarray:
        full, given = np.zeros(self.model.nv), acceleration.copy()
        if self.start:  # the frame of its velocities turns with the root
            given[:3] -= np.cross(self.state.velocity[3:6], self.state.velocity[:3])
        full[self.columns] = self.turn.T @ given
        return self.turn @ pinocchio.rnea(self.model, self.data, self.q, self.v, full)[self.columns]

    def jacobians(self, link: int, point: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the linear and the angular Jacobian of a point of a link."""
        frame = pinocchio.LOCAL_WORLD_ALIGNED
        found = pinocchio.getFrameJacobian(self.model, self.data, self.frames[link], frame)
        linear, angular = found[:3], found[3:]
        linear = linear - np.cross(point - self.data.oMf[self.frames[link]].translation, angular, axisb=0, axisc=0)
        return linear[:, self.columns] @ self.turn.T, angular[:, self.columns] @ self.turn.T

    @property
    def com_jacobian(self) -> np.ndarray:
        return pinocchio.jacobianCenterOfMass(self.model, self.data, self.q)[:, self.columns] @ self.turn.T
