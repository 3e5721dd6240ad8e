"""A spatial character in ODE: bodies, joints, motors, passive elements and stops, built with the structures of odepy.

One joint between two links is a hinge of ODE, two are a universal joint, and three a ball joint. Angular motors of ODE
drive the joints, stop them at their limits, and act as passive elements; each has an axis for every joint between the
two links. The root of a character that does not float is a kinematic body, which nothing moves.

Contacts come from ctrlgraph's collision kernel, so the world has no geometries.
"""

from __future__ import annotations

import ctypes

import numpy as np

from ctrlgraph.character.spatial_model import SpatialCharacter
from ctrlgraph.engine.commands import Commands, new_commands
from ctrlgraph.engine.ode import library as ode
from ctrlgraph.engine.ode.ode_settings import OdeSettings
from ctrlgraph.engine.ode.spatial_body_check import check_spatial_body
from ctrlgraph.engine.ode.spatial_ode_state import SpatialDrives, SpatialFriction, SpatialWorldData, placed_in_space
from ctrlgraph.engine.ode.state import BODY_DOUBLES, Handles, load_bodies, save_bodies
from ctrlgraph.kernels.arrays import Floats, Ints
from ctrlgraph.kernels.spatial.spatial_arrays import SpatialKinematics, new_spatial_kinematics, spatial_body
from ctrlgraph.kernels.spatial.spatial_kinematics import place_links
from ctrlgraph.terrain.spatial.spatial_terrain import SpatialTerrain

ode.load()  # raises an installation hint if the library is missing; odepy does not

with ode.importing_odepy():
    from odepy.common import dJointFeedback
    from odepy.contact import dContact
    from odepy.mass import dMass

_MU2, _FDIR1, _SOFT_ERP, _SOFT_CFM, _SLIP2, _APPROX1 = 0x001, 0x002, 0x008, 0x010, 0x200, 0x7000


class SpatialOdeWorld:
    """A spatial character in ODE, an implementation of `ctrlgraph.engine.engine.SpatialWorld`."""

    def __init__(
        self, character: SpatialCharacter, settings: OdeSettings, terrain: SpatialTerrain, max_contacts: int
    ) -> None:
        """
        Args:
            character: the character.
            settings: settings of ODE. Those of pins and friction rows concern planar characters only.
            terrain: the ground, of which only the friction is used.
            max_contacts: maximum number of contacts in a step.

        Raises:
            SimulationError: ODE cannot simulate the character (see `ctrlgraph.engine.ode.spatial_body_check`).
        """
        self.character, self.settings = character, settings
        self._body = spatial_body(character)
        check_spatial_body(character, self._body)
        lib = self._lib = ode.load().handle
        world = self._world = lib.dWorldCreate()
        self._group = lib.dJointGroupCreate(0)
        lib.dWorldSetGravity(world, 0.0, 0.0, -settings.gravity)
        lib.dWorldSetERP(world, settings.erp)
        lib.dWorldSetCFM(world, settings.cfm)
        lib.dWorldSetQuickStepNumIterations(world, settings.iterations)
        lib.dWorldSetAutoDisableFlag(world, 0)
        self._contact, self._bounded_contact = dContact(), dContact()
        self._feedback = (dJointFeedback * max_contacts)()
        self._set_surfaces(terrain.friction)
        bodies = np.array([self._make_body(i) for i in range(len(character.links))], np.int64)
        n_links, n_joints = len(character.links), len(character.joints)
        joints = np.zeros((4, n_joints), np.int64)
        group = np.zeros(n_joints, np.int64)
        handles = self._collect(bodies, joints[0], joints[1])
        reference = self._reference()
        load_bodies(handles, placed_in_space(reference.pose, reference.twist))  # ODE's joints keep this pose
        for link in range(n_links):
            self._join(link, reference, bodies, joints, group)
        drives = SpatialDrives(
            group=group,
            linear=joints[2],
            dry=joints[3],
            motor_at=np.zeros(n_joints, np.int64),
            dry_at=np.zeros(n_joints, np.int64),
            angle=np.zeros(n_joints),
            rate=np.zeros(n_joints),
            joint=np.zeros((n_joints, 2)),
            twist=np.zeros((n_links, 6)),
        )
        state, loads, direction = (np.zeros(s) for s in ((n_links, BODY_DOUBLES), (n_links, 6), (max_contacts, 3)))
        slip, *bounds = (np.zeros(max_contacts) for _ in range(5))
        narrow = np.zeros(max_contacts, np.int64)
        cone, coefficient = int(settings.friction == "cone"), np.array([terrain.friction])
        size, surface = ctypes.sizeof(ctypes.c_double), type(self._contact.surface)
        self.data = SpatialWorldData(
            handles=handles,
            drives=drives,
            body=self._body,
            inverse=np.ascontiguousarray(np.linalg.inv(self._body.inertia), np.float64),
            commands=new_commands(n_joints),
            quick=int(settings.solver == "quick"),
            friction=SpatialFriction(cone, coefficient, state, loads, direction, slip, narrow, *bounds),
            contact_friction_2=(dContact.surface.offset + surface.mu2.offset) // size,
            contact_slip_2=(dContact.surface.offset + surface.slip2.offset) // size,
        )

    @property
    def closed(self) -> bool:
        """Return whether the world has been freed and must not be used."""
        return self._world is None

    def close(self) -> None:
        """Free the world. Further calls have no effect."""
        if self._world is not None:
            self._lib.dJointGroupDestroy(self._group)
            self._lib.dWorldDestroy(self._world)
            self._world = None

    @property
    def commands(self) -> Commands:
        """Return the motor commands of the last step, and the torques that resulted from them."""
        return self.data.commands

    def bodies(self) -> Floats:
        """Return a copy of the poses and velocities of the bodies (links) and of the joints' angles and rates."""
        out = np.zeros((len(self.character.links), BODY_DOUBLES))
        save_bodies(self.data.handles, out)
        return np.concatenate((out.ravel(), self.data.drives.angle, self.data.drives.rate))

    def load(self, bodies: Floats) -> None:
        """Restore a state that the method `bodies` has returned, bit for bit."""
        end = len(self.character.links) * BODY_DOUBLES
        load_bodies(self.data.handles, bodies[:end].reshape(-1, BODY_DOUBLES))
        self.data.drives.angle[:], self.data.drives.rate[:] = bodies[end:].reshape(2, -1)

    def place(self, pose: Floats, twist: Floats, angles: Floats, rates: Floats) -> None:
        """Set the poses and velocities of all L links and J joints, which must be consistent.

        Args:
            pose: position of the centre of mass, m, and orientation of each link (L, 7).
            twist: velocity of the centre of mass, m/s, and angular velocity, rad/s, in the world frame (L, 6).
            angles: angle of each joint (J,), rad.
            rates: angular velocity of each joint (J,), rad/s.
        """
        load_bodies(self.data.handles, placed_in_space(pose, twist))
        self.data.drives.angle[:], self.data.drives.rate[:] = angles, rates

    def seed(self, seed: int) -> None:
        """Set the state of the quick solver's random generator, which all ODE worlds of a process share."""
        self._lib.dRandSetSeed(seed)

    def seed_now(self) -> int:
        """Return the state of the quick solver's random generator."""
        return int(self._lib.dRandGetSeed())

    def __del__(self) -> None:
        if getattr(self, "_world", None) is not None:
            self.close()

    def _set_surfaces(self, friction: float) -> None:
        """Set the surface parameters of the structures `_contact` and `_bounded_contact`, templates of all contacts.

        In the first one, ODE's parameters `mu` and `mu2` are coefficients of friction. In the second one, they are
        forces, N, which are set for each contact.
        """
        usual = _MU2 | _FDIR1 | _SOFT_ERP | _SOFT_CFM
        for contact, mode in ((self._contact, usual | _APPROX1), (self._bounded_contact, usual | _SLIP2)):
            surface = contact.surface
            surface.mode = mode
            surface.mu = surface.mu2 = friction
            surface.soft_erp = self.settings.contact_erp
            surface.soft_cfm = self.settings.contact_cfm

    def _make_body(self, index: int) -> int:
        lib = self._lib
        body = lib.dBodyCreate(self._world)
        mass = dMass()
        mass.mass = float(self._body.mass[index])
        for row in range(3):
            for column in range(3):
                mass.I[4 * row + column] = float(self._body.inertia[index, row, column])
        lib.dBodySetMass(body, ctypes.byref(mass))
        lib.dBodySetGyroscopicMode(body, 0)  # ours keeps the angular momentum
        lib.dBodySetFiniteRotationMode(body, 1)  # turns by the angle w dt
        if index == self.character.root and not self.character.floating:
            lib.dBodySetKinematic(body)
        return int(body)

    def _reference(self) -> SpatialKinematics:
        """Return the kinematics of the reference pose."""
        character = self.character
        kin = new_spatial_kinematics(len(character.links), len(character.joints))
        root = character.links[character.root]
        kin.pose[character.root] = [*root.position, *root.orientation]
        place_links(self._body, kin, np.zeros(len(character.joints)))
        return kin

    def _join(self, link: int, reference: SpatialKinematics, bodies: Ints, joints: Ints, group: Ints) -> None:
        """Join a link with its parent by ODE's joint and angular motors.

        Args:
            link: index of the link.
            reference: kinematics of the reference pose, in which the bodies are.
            bodies: handles of the bodies (L,).
            joints: receives the handles of the angular motors of each joint (4, J): motor, stop, linear and dry.
            group: receives the number that is added to that of a parameter for the axis of each joint (J,).
        """
        first, count = int(self._body.first[link]), int(self._body.n_joints[link])
        numbers = [int(j) for j in self._body.joints[first : first + count]]
        if not numbers:
            return
        lib = self._lib
        pair = (int(bodies[link]), int(bodies[self._body.above[link]]))
        axes = [reference.axis[j] for j in numbers]
        self._make_pin(pair, axes, reference.place[numbers[0]])
        motor, stop, linear, dry = (self._make_angular_motor(pair, axes) for _ in range(4))
        for k, j in enumerate(numbers):
            group[j] = shift = ode.PARAM_GROUP * k
            joints[:, j] = motor, stop, linear, dry
            lib.dJointSetAMotorParam(stop, ode.PARAM_LO_STOP + shift, self._body.limits[j, 0])
            lib.dJointSetAMotorParam(stop, ode.PARAM_HI_STOP + shift, self._body.limits[j, 1])
            lib.dJointSetAMotorParam(stop, ode.PARAM_STOP_ERP + shift, 0.2)
            lib.dJointSetAMotorParam(stop, ode.PARAM_STOP_CFM + shift, 1e-9)

    def _make_pin(self, pair: tuple[int, int], axes: list[Floats], place: Floats) -> None:
        """Make the joint of ODE that keeps two links together.

        Args:
            pair: handles of the child and the parent.
            axes: axes of the one to three joints in the world, from the parent outward.
            place: position of the joints in the world, m.
        """
        lib, kind = self._lib, ("Hinge", "Universal", "Ball")[len(axes) - 1]
        joint = getattr(lib, f"dJointCreate{kind}")(self._world, None)
        lib.dJointAttach(joint, *pair)
        getattr(lib, f"dJointSet{kind}Anchor")(joint, *place)
        if len(axes) == 1:
            lib.dJointSetHingeAxis(joint, *axes[0])
        elif len(axes) == 2:  # ODE fixes axis 1 to the child and axis 2 to the parent
            lib.dJointSetUniversalAxis1(joint, *axes[1])
            lib.dJointSetUniversalAxis2(joint, *axes[0])

    def _make_angular_motor(self, pair: tuple[int, int], axes: list[Floats]) -> int:
        """Return the handle of a new angular motor between two links.

        The axis of one joint, and the second of two, moves with the child, the first of two with the parent. Those of
        three joints are set in each step.

        Args:
            pair: handles of the child and the parent.
            axes: axes of the one to three joints in the world, from the parent outward.
        """
        lib = self._lib
        motor = lib.dJointCreateAMotor(self._world, None)
        lib.dJointAttach(motor, *pair)
        lib.dJointSetAMotorMode(motor, 0)
        lib.dJointSetAMotorNumAxes(motor, len(axes))
        for k, axis in enumerate(axes):
            carrier = 0 if len(axes) == 3 else 1 if k == len(axes) - 1 else 2
            lib.dJointSetAMotorAxis(motor, k, carrier, *axis)
        return int(motor)

    def _collect(self, bodies: Ints, motors: Ints, stops: Ints) -> Handles:
        """Return handles and addresses for compiled code; the handles of motors and stops are filled later."""

        def addresses(getter: str) -> Ints:
            return np.array([getattr(self._lib, getter)(int(body)) for body in bodies], dtype=np.int64)

        size = ctypes.sizeof(ctypes.c_double)
        geom = dContact.geom.offset
        geometry = type(self._contact.geom)
        return Handles(
            world=int(self._world),
            group=int(self._group),
            body=bodies,
            position=addresses("dBodyGetPosition"),
            rotation=addresses("dBodyGetRotation"),
            quaternion=addresses("dBodyGetQuaternion"),
            velocity=addresses("dBodyGetLinearVel"),
            spin=addresses("dBodyGetAngularVel"),
            motor=motors,
            stop=stops,
            force=addresses("dBodyGetForce"),
            torque=addresses("dBodyGetTorque"),
            contact=ctypes.addressof(self._contact),
            bounded_contact=ctypes.addressof(self._bounded_contact),
            contact_friction=(dContact.surface.offset + type(self._contact.surface).mu.offset) // size,
            contact_point=(geom + geometry.pos.offset) // size,
            contact_normal=(geom + geometry.normal.offset) // size,
            contact_depth=(geom + geometry.depth.offset) // size,
            contact_direction=dContact.fdir1.offset // size,
            feedback=ctypes.addressof(self._feedback),
            feedback_size=ctypes.sizeof(dJointFeedback) // size,
        )
