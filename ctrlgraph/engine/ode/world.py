"""A planar character in ODE: bodies, joints, motors and stops, built with the structures of odepy.

A joint of the character consists of a pin, an angular motor that drives the joint, and another angular motor that stops
the joint at its limits.

By default, a pin consists of two distance constraints at right angles, made of two DBall joints of ODE. Each keeps the
joint's point on the child at 1 m from a point of the parent, one along x and one along y. Each has one constraint row.
A ball joint would have three rows, one of them useless in the plane.

No force acts out of the plane z = 0, and rounding errors are removed after each step. Contacts come from ctrlgraph's
collision kernel, so the world has no geometries.
"""

from __future__ import annotations

import ctypes

import numpy as np

from ctrlgraph.character.planar_model import PlanarCharacter
from ctrlgraph.engine.commands import Commands, new_commands
from ctrlgraph.engine.ode import library as ode
from ctrlgraph.engine.ode.body_check import check_body
from ctrlgraph.engine.ode.ode_settings import OdeSettings
from ctrlgraph.engine.ode.state import (
    BODY_DOUBLES,
    Friction,
    Handles,
    WorldData,
    load_bodies,
    placed_bodies,
    save_bodies,
)
from ctrlgraph.kernels.arrays import Floats, Ints
from ctrlgraph.terrain.terrain import Terrain

ode.load()  # raises an installation hint if the library is missing; odepy does not

with ode.importing_odepy():
    from odepy.common import dJointFeedback
    from odepy.contact import dContact
    from odepy.mass import dMass

_MU2, _FDIR1, _SOFT_ERP, _SOFT_CFM, _APPROX1_1 = 0x001, 0x002, 0x008, 0x010, 0x1000


class OdeWorld:
    """A planar character in ODE, an implementation of `ctrlgraph.engine.engine.World`."""

    def __init__(self, character: PlanarCharacter, settings: OdeSettings, terrain: Terrain, max_contacts: int) -> None:
        """
        Args:
            character: the character.
            settings: settings of ODE.
            terrain: the ground, of which only the friction is used.
            max_contacts: maximum number of contacts in a step.

        Raises:
            SimulationError: ODE cannot simulate the character (see `ctrlgraph.engine.ode.body_check`).
        """
        check_body(character)
        self._lib = ode.load().handle
        self.character = character
        self.settings = settings
        self._world = self._lib.dWorldCreate()
        self._group = self._lib.dJointGroupCreate(0)
        lib, world = self._lib, self._world
        lib.dWorldSetGravity(world, 0.0, -settings.gravity, 0.0)
        lib.dWorldSetERP(world, settings.erp)
        lib.dWorldSetCFM(world, settings.cfm)
        lib.dWorldSetQuickStepNumIterations(world, settings.iterations)
        lib.dWorldSetAutoDisableFlag(world, 0)
        self._contact, self._bounded_contact = dContact(), dContact()
        self._feedback = (dJointFeedback * max_contacts)()
        self._set_surfaces(terrain.friction)
        bodies = [self._make_body(i) for i in range(len(character.links))]
        motors, stops = [], []
        for index in range(len(character.joints)):
            motor, stop = self._make_joint(index, bodies)
            motors.append(motor)
            stops.append(stop)
        if settings.pins != "distances":
            plane = lib.dJointCreatePlane2D(world, None)
            lib.dJointAttach(plane, bodies[character.root], None)
        self.handles = self._collect(bodies, motors, stops)
        commands = new_commands(len(character.joints))
        state, loads = np.zeros((len(bodies), BODY_DOUBLES)), np.zeros((len(bodies), 6))
        bounds = (np.zeros(max_contacts) for _ in range(4))
        kept = Friction(int(settings.friction == "cone"), np.array([terrain.friction]), state, loads, *bounds)
        self.data = WorldData(self.handles, commands, int(settings.solver == "quick"), kept)

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
        """Return a copy of pose and velocities of every body (link), (L, BODY_DOUBLES)."""
        out = np.zeros((len(self.character.links), BODY_DOUBLES))
        save_bodies(self.handles, out)
        return out

    def load(self, bodies: Floats) -> None:
        """Restore a state that the method `bodies` has returned, bit for bit."""
        load_bodies(self.handles, bodies)

    def place(self, links: Floats) -> None:
        """Set the poses and velocities of all L links.

        Args:
            links: (L, 6) for each link: world x and y of the centre of mass, m, clockwise angle, rad, and the rates of
                these three, m/s and rad/s.
        """
        load_bodies(self.handles, placed_bodies(links))

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

        In the first one, ODE's parameter `mu` is a coefficient of friction. In the second one, it is a force, N, which
        is set for each contact.
        """
        usual = _MU2 | _FDIR1 | _SOFT_ERP | _SOFT_CFM
        for contact, mode in ((self._contact, usual | _APPROX1_1), (self._bounded_contact, usual)):
            surface = contact.surface
            surface.mode = mode
            surface.mu = friction
            surface.mu2 = 0.0 if self.settings.friction_rows == 1 else friction  # one row: none across the plane
            surface.soft_erp = self.settings.contact_erp
            surface.soft_cfm = self.settings.contact_cfm

    def _make_body(self, index: int) -> int:
        lib, link = self._lib, self.character.links[index]
        body = lib.dBodyCreate(self._world)
        mass = dMass()
        mass.mass = link.mass
        mass.I[0] = mass.I[5] = mass.I[10] = link.inertia
        lib.dBodySetMass(body, ctypes.byref(mass))
        lib.dBodySetGyroscopicMode(body, 0)
        lib.dBodySetPosition(body, link.x, link.y, 0.0)
        return int(body)

    def _make_joint(self, index: int, bodies: list[int]) -> tuple[int, int]:
        lib, joint = self._lib, self.character.joints[index]
        child, parent = bodies[joint.child], bodies[joint.parent]
        self._make_pin(child, parent, joint.x, joint.y)
        motor, stop = (self._make_angular_motor(child, parent) for _ in range(2))
        lib.dJointSetAMotorParam(stop, ode.PARAM_LO_STOP, joint.lower)
        lib.dJointSetAMotorParam(stop, ode.PARAM_HI_STOP, joint.upper)
        lib.dJointSetAMotorParam(stop, ode.PARAM_STOP_ERP, 0.2)
        lib.dJointSetAMotorParam(stop, ode.PARAM_STOP_CFM, 1e-9)
        return motor, stop

    def _make_pin(self, child: int, parent: int, x: float, y: float) -> None:
        """Pin the bodies with the handles `child` and `parent` together at the world position (x, y), m."""
        lib, world = self._lib, self._world
        if self.settings.pins == "hinges":
            hinge = lib.dJointCreateHinge(world, None)
            lib.dJointAttach(hinge, child, parent)
            lib.dJointSetHingeAnchor(hinge, x, y, 0.0)
            lib.dJointSetHingeAxis(hinge, 0.0, 0.0, -1.0)
        elif self.settings.pins == "balls":
            ball = lib.dJointCreateBall(world, None)
            lib.dJointAttach(ball, child, parent)
            lib.dJointSetBallAnchor(ball, x, y, 0.0)
        else:
            for along_x, along_y in ((1.0, 0.0), (0.0, 1.0)):
                distance = lib.dJointCreateDBall(world, None)
                lib.dJointAttach(distance, child, parent)
                lib.dJointSetDBallAnchor1(distance, x, y, 0.0)
                lib.dJointSetDBallAnchor2(distance, x + along_x, y + along_y, 0.0)
                lib.dJointSetDBallDistance(distance, 1.0)

    def _make_angular_motor(self, child: int, parent: int) -> int:
        lib = self._lib
        motor = lib.dJointCreateAMotor(self._world, None)
        lib.dJointAttach(motor, child, parent)
        lib.dJointSetAMotorMode(motor, 0)
        lib.dJointSetAMotorNumAxes(motor, 1)
        lib.dJointSetAMotorAxis(motor, 0, 0, 0.0, 0.0, -1.0)
        return int(motor)

    def _collect(self, bodies: list[int], motors: list[int], stops: list[int]) -> Handles:
        def addresses(getter: str) -> Ints:
            return np.array([getattr(self._lib, getter)(body) for body in bodies], dtype=np.int64)

        size = ctypes.sizeof(ctypes.c_double)
        geom = dContact.geom.offset
        geometry = type(self._contact.geom)
        return Handles(
            world=int(self._world),
            group=int(self._group),
            body=np.array(bodies, dtype=np.int64),
            position=addresses("dBodyGetPosition"),
            rotation=addresses("dBodyGetRotation"),
            quaternion=addresses("dBodyGetQuaternion"),
            velocity=addresses("dBodyGetLinearVel"),
            spin=addresses("dBodyGetAngularVel"),
            motor=np.array(motors, dtype=np.int64),
            stop=np.array(stops, dtype=np.int64),
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
