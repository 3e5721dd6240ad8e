"""Spatial MuJoCo models of characters.

A model is a tree of bodies with a free joint at the root, or with a root that is fixed to the world, and with hinges
between the other bodies. The frame of a body is the frame of the link: at the centre of mass, with the link's axes.

As in the plane, contacts come from ctrlgraph's own collision kernel. No geometry of the model collides; a small sphere
at the centre of each body stands for the body in MuJoCo's list of contacts.

The passive springs and dampers of the joints are implicit, like the motors: with stiffness k, damping d and time step
dt, their torque is that of the angle and the velocity after the step. This is a torque with the damping d + dt k at the
velocity before the step, and an additional inertia dt (d + dt k) of the joint. A light link with strong damping is
therefore stable.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from ctrlgraph.character.spatial_model import SpatialCharacter, SpatialJoint
from ctrlgraph.engine.mujoco import library
from ctrlgraph.engine.mujoco.model import arena_size, set_options, solimp, solref
from ctrlgraph.engine.mujoco.mujoco_settings import MujocoSettings
from ctrlgraph.errors import SimulationError
from ctrlgraph.kernels.arrays import Floats, Ints
from ctrlgraph.kernels.spatial.spatial_arrays import MAX_SPATIAL_CONTACTS, spatial_body

ROOT_VELOCITIES = 6
"""Number of velocities of a floating root, which come first: linear velocity, and angular velocity in its own frame."""


@dataclass(frozen=True)
class SpatialMujocoModel:
    """A MuJoCo model of a character, and the indices in it of the character's L links and J joints."""

    model: Any
    """The compiled model, MuJoCo's `MjModel`."""
    dof: Ints
    """(J,) index in the model of each joint's velocity."""
    angle: Ints
    """(J,) index in the model of each joint's angle."""
    rotor: Floats
    """(J,) inertia of each joint's rotor, and the additional inertia of its passive spring and damper, kg m^2."""
    body: Ints
    """(L,) index in the model of each link's body."""
    ground: int
    """Index of the geometry (MuJoCo's geom) that represents the ground in contacts."""
    geometry: Ints
    """(L,) index of the geometry that represents each link in contacts."""


def build_spatial(character: SpatialCharacter, settings: MujocoSettings) -> SpatialMujocoModel:
    """Return the MuJoCo model of a spatial character.

    Args:
        character: the character.
        settings: settings of MuJoCo.

    Raises:
        SimulationError: MuJoCo rejects the model; the message contains MuJoCo's reason.
    """
    mujoco = library.load()
    joints = character.joints
    try:
        spec = mujoco.MjSpec()
        spec.compiler.degree, spec.compiler.alignfree = False, False
        set_options(spec, settings)
        rows = 4 * MAX_SPATIAL_CONTACTS + 2 * len(joints)
        spec.memory = arena_size(ROOT_VELOCITIES + len(joints), rows)
        disembodied = {"contype": 0, "conaffinity": 0, "mass": 0.0}
        ground = spec.worldbody.add_geom(type=mujoco.mjtGeom.mjGEOM_PLANE, size=[1, 1, 1], **disembodied)
        _add_bodies(spec, character, settings, disembodied)
        model = spec.compile()
    except (ValueError, TypeError) as error:
        sentence = " ".join(str(error).split())
        raise SimulationError(f"MuJoCo cannot simulate {character.name}: {sentence}") from None
    bodies = [model.body(f"link {i}") for i in range(len(character.links))]
    hinges = [model.joint(f"joint {j}") for j in range(len(joints))]
    dt = settings.dt
    return SpatialMujocoModel(
        model=model,
        dof=np.array([hinge.dofadr[0] for hinge in hinges], np.int64),
        angle=np.array([hinge.qposadr[0] for hinge in hinges], np.int64),
        rotor=np.array([joint.armature + dt * _implicit_damping(joint, dt) for joint in joints], np.float64),
        body=np.array([body.id for body in bodies], np.int64),
        ground=int(ground.id),
        geometry=np.array([body.geomadr[0] for body in bodies], np.int64),
    )


def _implicit_damping(joint: SpatialJoint, dt: float) -> float:
    """Return the damping of a joint with an implicit passive spring and damper, N m s/rad."""
    return joint.damping + dt * joint.stiffness


def _add_bodies(spec: Any, character: SpatialCharacter, settings: MujocoSettings, disembodied: dict[str, Any]) -> None:
    """Add the links and joints of a character to a model.

    Args:
        spec: the model, MuJoCo's `MjSpec`.
        character: the character.
        settings: settings of MuJoCo.
        disembodied: properties of a geometry that does not collide and has no mass.
    """
    mujoco = library.load()
    tree = spatial_body(character)
    bodies: dict[int, Any] = {}
    for i in tree.order:
        link, above = character.links[i], int(tree.above[i])
        body = bodies[int(i)] = (spec.worldbody if above < 0 else bodies[above]).add_body(
            name=f"link {i}",
            pos=link.position,
            quat=link.orientation,
            explicitinertial=True,
            ipos=(0.0, 0.0, 0.0),
            mass=link.mass,
            fullinertia=link.inertia,
        )
        body.add_geom(type=mujoco.mjtGeom.mjGEOM_SPHERE, size=[0.01, 0, 0], **disembodied)
        if above < 0 and character.floating:
            body.add_joint(type=mujoco.mjtJoint.mjJNT_FREE)
    for j, joint in enumerate(character.joints):
        bounded = math.isfinite(joint.lower) and math.isfinite(joint.upper)
        bodies[joint.child].add_joint(
            name=f"joint {j}",
            type=mujoco.mjtJoint.mjJNT_HINGE,
            axis=joint.axis,
            pos=joint.anchor,
            limited=mujoco.mjtLimited.mjLIMITED_TRUE if bounded else mujoco.mjtLimited.mjLIMITED_FALSE,
            range=(joint.lower, joint.upper) if bounded else (0.0, 0.0),
            solref_limit=solref(settings),
            solimp_limit=solimp(settings),
            armature=joint.armature,
            stiffness=[joint.stiffness, 0.0, 0.0],  # linear, quadratic and cubic
            springref=joint.spring_angle,
            damping=[_implicit_damping(joint, settings.dt), 0.0, 0.0],
            frictionloss=joint.friction_loss,
            solref_friction=solref(settings),
            solimp_friction=solimp(settings),
        )
