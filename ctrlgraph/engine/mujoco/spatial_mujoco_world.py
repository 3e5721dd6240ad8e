"""A spatial character in MuJoCo: MuJoCo's model and data, and views of their arrays for compiled code."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ctrlgraph.character.spatial_model import SpatialCharacter
from ctrlgraph.engine.commands import Commands, new_commands
from ctrlgraph.engine.mujoco import library
from ctrlgraph.engine.mujoco.model import template_contact
from ctrlgraph.engine.mujoco.mujoco_settings import MujocoSettings
from ctrlgraph.engine.mujoco.spatial_mujoco_model import build_spatial
from ctrlgraph.kernels.arrays import Floats, Ints
from ctrlgraph.kernels.spatial.spatial_arrays import SpatialBody, spatial_body
from ctrlgraph.kernels.spatial.spatial_rotation import normalized, quaternion_at, rotate_back, vector_at
from ctrlgraph.terrain.spatial.spatial_terrain import SpatialTerrain


class SpatialMujocoData(NamedTuple):
    """A MuJoCo world of one spatial character, as arrays and addresses for compiled code.

    J joints and L links. With a floating root, there are V = J + 6 velocities and Q = J + 7 positions, of which the
    root's come first: position and unit quaternion; linear velocity in the world, and angular velocity in the frame of
    the root. With a fixed root, V = Q = J.
    """

    character: SpatialBody
    """Constants of the character."""
    model: int
    """Address of MuJoCo's structure mjModel."""
    data: int
    """Address of MuJoCo's structure mjData."""
    qpos: Floats
    """(Q,) positions, m and rad, and the quaternion."""
    qvel: Floats
    """(V,) velocities, m/s and rad/s."""
    qacc: Floats
    """(V,) accelerations, m/s^2 and rad/s^2."""
    applied: Floats
    """(V,) forces that are applied to the degrees of freedom: the torques of the motors, N m."""
    armature: Floats
    """(V,) inertias that are added to the diagonal of the mass matrix, kg m^2."""
    pushed: Floats
    """(B, 6) external force, N, and torque, N m, on each of MuJoCo's B bodies, in the world's frame."""
    dof: Ints
    """(J,) index in `qvel` of each joint."""
    angle: Ints
    """(J,) index in `qpos` of each joint."""
    rotor: Floats
    """(J,) inertia of each joint without the inertia of its motor, kg m^2."""
    angles: Floats
    """(J,) memory for the angles of the joints, rad."""
    rates: Floats
    """(J,) memory for the rates of the joints, rad/s."""
    body: Ints
    """(L,) index of the MuJoCo body of each link."""
    ground: int
    """Index of the MuJoCo geometry that represents the ground in contacts."""
    geometry: Ints
    """(L,) index of the MuJoCo geometry that represents each link in contacts."""
    saturated: Ints
    """(J,) -1 if the motor is at its lower torque limit, 1 if it is at the upper one, else 0."""
    commands: Commands
    """Motor commands of the last step."""
    contact: Floats
    """Memory of one structure mjContact as doubles, which is filled for each contact in turn."""
    geometries: Ints
    """The memory of `contact` as 32-bit words."""
    contact_address: int
    """Address of `contact`."""
    at_distance: int
    """Index in `contact` of the distance between the surfaces."""
    at_position: int
    """Index in `contact` of the three coordinates of the contact point."""
    at_frame: int
    """Index in `contact` of the nine elements of the contact frame."""
    at_geometry: int
    """Index in `geometries` of the two geometries in contact."""
    force: Floats
    """(6,) memory for the force of one contact: normal and two tangential components, N, and torques, N m."""
    force_address: int
    """Address of `force`."""
    dual: int
    """1 for a dual solver, which needs the contacts' inertia again after a change of the mass matrix; else 0."""


class SpatialMujocoWorld:
    """A spatial character in MuJoCo, an implementation of `ctrlgraph.engine.engine.SpatialWorld`."""

    def __init__(
        self, character: SpatialCharacter, settings: MujocoSettings, terrain: SpatialTerrain, max_contacts: int
    ) -> None:
        """
        Args:
            character: the character.
            settings: settings of MuJoCo.
            terrain: the ground, of which only the friction is used. It applies to contacts between links, too.
            max_contacts: not used.

        Raises:
            SimulationError: MuJoCo rejects the model of the character.
        """
        mujoco = library.load()
        self.character = character
        self.settings = settings
        self._built = built = build_spatial(character, settings)
        self._model = model = built.model
        self._data = data = mujoco.MjData(model)
        raw, at = template_contact(settings, terrain.friction)
        contact, words, force, n = raw.view(np.float64), raw.view(np.int32), np.zeros(6), len(character.joints)
        self.data = SpatialMujocoData(
            character=spatial_body(character),
            model=int(model._address),
            data=int(data._address),
            qpos=data.qpos,
            qvel=data.qvel,
            qacc=data.qacc,
            applied=data.qfrc_applied,
            armature=model.dof_armature,
            pushed=data.xfrc_applied,
            dof=built.dof,
            angle=built.angle,
            rotor=built.rotor,
            angles=np.zeros(n),
            rates=np.zeros(n),
            body=built.body,
            ground=built.ground,
            geometry=built.geometry,
            saturated=np.zeros(n, np.int64),
            commands=new_commands(n),
            contact=contact,
            geometries=words,
            contact_address=contact.ctypes.data,
            at_distance=at["dist"] // 8,
            at_position=at["pos"] // 8,
            at_frame=at["frame"] // 8,
            at_geometry=at["geom"] // 4,
            force=force,
            force_address=force.ctypes.data,
            dual=int(settings.solver == "quick"),
        )

    @property
    def closed(self) -> bool:
        """Return whether the world has been freed and must not be used."""
        return self._data is None

    def close(self) -> None:
        """Free the world. Further calls have no effect."""
        self._data = self._model = self._built = self.data = None  # type: ignore[assignment]  # not used after closing

    @property
    def commands(self) -> Commands:
        """Return the motor commands of the last step, and the torques that resulted from them."""
        return self.data.commands

    def bodies(self) -> Floats:
        """Return a copy of the physical state, (Q + 2 V + J,), see `SpatialMujocoData`.

        It contains the positions, the velocities, the accelerations with which the solver starts, and
        `SpatialMujocoData.saturated`.
        """
        data = self._data
        return np.concatenate([data.qpos, data.qvel, data.qacc_warmstart, self.data.saturated])

    def load(self, bodies: Floats) -> None:
        """Restore a state that the method `bodies` has returned, bit for bit."""
        nq, nv, data = self._model.nq, self._model.nv, self._data
        data.qpos[:], data.qvel[:], data.qacc_warmstart[:], self.data.saturated[:] = np.split(
            bodies, [nq, nq + nv, nq + 2 * nv]
        )

    def place(self, pose: Floats, twist: Floats, angles: Floats, rates: Floats) -> None:
        """Set the pose and velocity of the root link and the angles and rates of all J joints.

        Args:
            pose: (L, 7) position of each link's centre of mass, m, and its orientation. The root's row is used, unless
                the root is fixed.
            twist: (L, 6) velocity of each link's centre of mass, m/s, and its angular velocity, rad/s, in the world.
                The root's row is used, unless the root is fixed.
            angles: (J,) angle of each joint, rad.
            rates: (J,) rate of each joint, rad/s.
        """
        world, root = self.data, self.character.root
        world.qpos[world.angle], world.qvel[world.dof] = angles, rates
        if self.character.floating:
            turn = normalized(quaternion_at(pose, root, 3))
            world.qpos[:3], world.qpos[3:7] = pose[root, :3], turn
            world.qvel[:3], world.qvel[3:6] = twist[root, :3], rotate_back(turn, vector_at(twist, root, 3))
        self._data.qacc_warmstart[:] = 0.0
        world.saturated[:] = 0

    def seed(self, seed: int) -> None:
        """Store the seed for `seed_now`. MuJoCo has no random generator."""
        self._seed = seed

    def seed_now(self) -> int:
        """Return the seed that `seed` has stored."""
        return self._seed
