"""A planar character in MuJoCo: MuJoCo's model and data, and views of their arrays for compiled code."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ctrlgraph.character.planar_model import PlanarCharacter
from ctrlgraph.engine.commands import Commands, new_commands
from ctrlgraph.engine.mujoco import library
from ctrlgraph.engine.mujoco.model import ROOT_DOFS, build, template_contact
from ctrlgraph.engine.mujoco.mujoco_settings import MujocoSettings
from ctrlgraph.kernels.arrays import Floats, Ints
from ctrlgraph.kernels.planar.arrays import Body, body_arrays
from ctrlgraph.terrain.terrain import Terrain


class MujocoData(NamedTuple):
    """A MuJoCo world of one character, as arrays and addresses for compiled code.

    J joints, L links, V = J + 3 degrees of freedom: x, y and angle of the root link, then joint angles.
    """

    character: Body
    """Constants of the character."""
    model: int
    """Address of MuJoCo's structure mjModel."""
    data: int
    """Address of MuJoCo's structure mjData."""
    qpos: Floats
    """(V,) positions, m and rad."""
    qvel: Floats
    """(V,) velocities, m/s and rad/s."""
    qacc: Floats
    """(V,) accelerations, m/s^2 and rad/s^2."""
    ctrl: Floats
    """(J,) torques of the motors, N m."""
    armature: Floats
    """(V,) inertias that are added to the diagonal of the mass matrix, kg m^2."""
    pushed: Floats
    """(B, 6) external force, N, and torque, N m, on each of MuJoCo's B bodies, in the world's frame."""
    dof: Ints
    """(J,) index of each joint's degree of freedom."""
    order: Ints
    """(J,) indices of the joints from the root outward."""
    root: int
    """Index of the root link."""
    body: Ints
    """(L,) index of the MuJoCo body of each link."""
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


class MujocoWorld:
    """A planar character in MuJoCo, an implementation of `ctrlgraph.engine.engine.World`."""

    def __init__(
        self, character: PlanarCharacter, settings: MujocoSettings, terrain: Terrain, max_contacts: int
    ) -> None:
        """
        Args:
            character: the character.
            settings: settings of MuJoCo.
            terrain: the ground, of which only the friction is used.
            max_contacts: not used.

        Raises:
            SimulationError: MuJoCo rejects the model of the character.
        """
        mujoco = library.load()
        self.character = character
        self.settings = settings
        self._built = build(character, settings)
        self._model = model = self._built.model
        self._data = data = mujoco.MjData(model)
        raw, at = template_contact(settings, terrain.friction)
        contact, words, force = raw.view(np.float64), raw.view(np.int32), np.zeros(6)
        words[at["geom"] // 4] = self._built.ground
        self.data = MujocoData(
            character=body_arrays(character),
            model=int(model._address),
            data=int(data._address),
            qpos=data.qpos,
            qvel=data.qvel,
            qacc=data.qacc,
            ctrl=data.ctrl,
            armature=model.dof_armature,
            pushed=data.xfrc_applied,
            dof=self._built.dof,
            order=self._built.order,
            root=character.root,
            body=self._built.body,
            geometry=self._built.geometry,
            saturated=np.zeros(len(character.joints), np.int64),
            commands=new_commands(len(character.joints)),
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
        """Return a copy of the physical state, (4, J + 3) for J joints.

        The rows are positions, velocities, the accelerations with which the solver starts, and `MujocoData.saturated`
        after three zeros.
        """
        out = np.zeros((4, self._model.nv))
        out[0], out[1], out[2] = self._data.qpos, self._data.qvel, self._data.qacc_warmstart
        out[3, ROOT_DOFS:] = self.data.saturated
        return out

    def load(self, bodies: Floats) -> None:
        """Restore a state that the method `bodies` has returned, bit for bit."""
        self._data.qpos[:], self._data.qvel[:], self._data.qacc_warmstart[:] = bodies[:3]
        self.data.saturated[:] = bodies[3, ROOT_DOFS:]

    def place(self, links: Floats) -> None:
        """Set the poses and velocities of all L links.

        Args:
            links: (L, 6) for each link: world x and y of the centre of mass, m, clockwise angle, rad, and the rates of
                these three, m/s and rad/s.
        """
        joints, dof = self.character.joints, self.data.dof
        state = np.zeros((4, self._model.nv))
        for row, column in ((0, 2), (1, 5)):
            state[row, :2], state[row, 2] = links[self.data.root, column - 2 : column], links[self.data.root, column]
            for j, joint in enumerate(joints):
                state[row, dof[j]] = links[joint.child, column] - links[joint.parent, column]
        self.load(state)

    def seed(self, seed: int) -> None:
        """Store the seed for `seed_now`. MuJoCo has no random generator."""
        self._seed = seed

    def seed_now(self) -> int:
        """Return the seed that `seed` has stored."""
        return self._seed
