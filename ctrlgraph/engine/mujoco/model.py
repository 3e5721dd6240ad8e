"""Planar MuJoCo models of characters, and a template of MuJoCo's contacts.

A model is a tree of bodies. The root body slides and rotates in the plane of x and z; every other body has one hinge.
MuJoCo's z axis is the character's y axis. Hinges about MuJoCo's y axis are positive clockwise, like the joint angles of
a character. The frame of a body is at the body's centre of mass.

Contacts come from ctrlgraph's own collision kernel, so that they are the same for all engines. The shape of the ground
is therefore not in the model, and the spheres for the contact circles never collide. In MuJoCo's list of contacts, the
first sphere of a body stands for the body.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any
from xml.etree.ElementTree import Element, SubElement, tostring

import numpy as np

from ctrlgraph.character.mjcf import body_element
from ctrlgraph.character.planar_model import PlanarCharacter
from ctrlgraph.engine.mujoco import library
from ctrlgraph.engine.mujoco.mujoco_settings import MujocoSettings
from ctrlgraph.errors import SimulationError
from ctrlgraph.kernels.arrays import Ints
from ctrlgraph.kernels.planar.collision import MAX_CONTACTS

ROOT_DOFS = 3
"""Number of degrees of freedom of the root, which come first: slide along x, slide along z, hinge."""


@dataclass(frozen=True)
class Model:
    """A MuJoCo model of a character, and the indices in it of the character's L links and J joints."""

    model: Any
    """The compiled model, MuJoCo's `MjModel`."""
    order: Ints
    """(J,) indices of the character's joints from the root outward."""
    dof: Ints
    """(J,) index of each joint's degree of freedom in the MuJoCo model."""
    body: Ints
    """(L,) index of each link's body in the MuJoCo model."""
    ground: int
    """Index of the geometry (MuJoCo's geom) that represents the ground in contacts."""
    geometry: Ints
    """(L,) index of the geometry that represents each link in contacts."""


def build(character: PlanarCharacter, settings: MujocoSettings) -> Model:
    """Return the MuJoCo model of a character.

    Raises:
        SimulationError: MuJoCo rejects the model; the message contains MuJoCo's reason.
    """
    mujoco = library.load()
    character = _renamed(character)
    root = Element("mujoco")
    SubElement(root, "compiler", angle="radian", inertiafromgeom="false", autolimits="true")
    SubElement(root, "worldbody").append(body_element(character, visual=False))
    try:
        spec = mujoco.MjSpec.from_string(tostring(root, encoding="unicode"))
        set_options(spec, settings)
        spec.memory = _memory(len(character.joints))
        plane = spec.worldbody.add_geom(type=mujoco.mjtGeom.mjGEOM_PLANE, size=[1, 1, 1], contype=0, conaffinity=0)
        for joint in character.joints:
            hinge = spec.joint(joint.name)
            hinge.solref_limit, hinge.solimp_limit = solref(settings), solimp(settings)
            hinge.actfrclimited = mujoco.mjtLimited.mjLIMITED_FALSE  # the stepper enforces the limits exactly
            motor = spec.add_actuator(target=joint.name, trntype=mujoco.mjtTrn.mjTRN_JOINT)
            motor.gainprm[0] = 1.0
        model = spec.compile()
    except (ValueError, TypeError) as error:
        sentence = " ".join(str(error).split())
        raise SimulationError(f"MuJoCo cannot simulate {character.name}: {sentence}") from None
    bodies = [model.body(link.name) for link in character.links]
    return Model(
        model=model,
        order=np.array(character.joints_outward, np.int64),
        dof=np.array([model.joint(joint.name).dofadr[0] for joint in character.joints], np.int64),
        body=np.array([body.id for body in bodies], np.int64),
        ground=int(plane.id),
        geometry=np.array([body.geomadr[0] for body in bodies], np.int64),
    )


def _renamed(character: PlanarCharacter) -> PlanarCharacter:
    """Return the character with numbers as names of links and joints, because MuJoCo reserves the name "world"."""
    links = tuple(replace(link, name=f"link {i}") for i, link in enumerate(character.links))
    joints = tuple(replace(joint, name=f"joint {j}") for j, joint in enumerate(character.joints))
    return replace(character, links=links, joints=joints)


def template_contact(settings: MujocoSettings, friction: float) -> tuple[Any, dict[str, int]]:
    """Return a template of MuJoCo's structure `mjContact`, with the offsets of the fields to fill in for a contact.

    The template is copied from a simulated contact of a sphere with a plane, so that the memory layout of the library
    is not duplicated here.

    Args:
        settings: settings of MuJoCo, which contain the properties of contacts.
        friction: coefficient of friction of the ground.

    Returns:
        The bytes of the structure as an array, and the offsets in bytes of the fields `dist`, `pos`, `frame` and
        `geom`, by name.
    """
    mujoco = library.load()
    spec = mujoco.MjSpec()
    set_options(spec, settings)
    surface = _surface(settings, friction)
    spec.worldbody.add_geom(type=mujoco.mjtGeom.mjGEOM_PLANE, size=[1, 1, 1], **surface)
    body = spec.worldbody.add_body(pos=[0, 0, 1], explicitinertial=True, mass=1.0, inertia=[1, 1, 1])
    body.add_joint(type=mujoco.mjtJoint.mjJNT_SLIDE, axis=[0, 0, 1])
    body.add_geom(type=mujoco.mjtGeom.mjGEOM_SPHERE, size=[1.001, 0, 0], **surface)
    model = spec.compile()
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    contact = data.contact
    first = _address(contact.dist)
    offsets = {name: _address(getattr(contact, name)) - first for name in ("dist", "pos", "frame", "geom")}
    size = contact.dist.strides[0]
    raw = np.frombuffer((np.ctypeslib.as_ctypes_type(np.uint8) * size).from_address(first), np.uint8).copy()
    return raw, offsets


def _address(view: Any) -> int:
    return int(view.__array_interface__["data"][0])


def solref(settings: MujocoSettings) -> list[float]:
    """Return MuJoCo's `solref` parameters of contacts and joint limits: time constant, s, and damping ratio."""
    return [settings.contact_time, settings.contact_damping]


def solimp(settings: MujocoSettings) -> list[float]:
    """Return MuJoCo's `solimp` parameters of contacts and joint limits: the impedance as a function of the depth."""
    return [settings.impedance, settings.hard_impedance, settings.impedance_width, 0.5, 2.0]


def set_options(spec: Any, settings: MujocoSettings) -> None:
    """Set the options of a MuJoCo model that do not depend on the character.

    Args:
        spec: the model, MuJoCo's `MjSpec`.
        settings: settings of MuJoCo.
    """
    mujoco = library.load()
    option = spec.option
    option.timestep = settings.dt
    option.gravity = [0.0, 0.0, -settings.gravity]
    # the motors' damping is in the armature, so Euler's implicit damping is not needed
    option.integrator = mujoco.mjtIntegrator.mjINT_EULER
    option.disableflags = int(mujoco.mjtDisableBit.mjDSBL_AUTORESET) | int(mujoco.mjtDisableBit.mjDSBL_EULERDAMP)
    option.cone = mujoco.mjtCone.mjCONE_PYRAMIDAL if settings.cone == "pyramidal" else mujoco.mjtCone.mjCONE_ELLIPTIC
    option.jacobian = mujoco.mjtJacobian.mjJAC_DENSE  # 4.0.0 factors sparse ones wrongly
    quick = settings.solver == "quick"
    option.solver = mujoco.mjtSolver.mjSOL_PGS if quick else mujoco.mjtSolver.mjSOL_NEWTON
    option.iterations = settings.iterations if quick else 100
    option.ls_iterations = 50
    option.tolerance = 1e-8


def _surface(settings: MujocoSettings, friction: float) -> dict[str, Any]:
    return {
        "friction": [friction, 0.0, 0.0],
        "condim": 3 if friction > 0.0 else 1,
        "solref": solref(settings),
        "solimp": solimp(settings),
    }


def _memory(joints: int) -> int:
    """Return the size of MuJoCo's arena (working memory) for a planar character with `joints` joints, bytes."""
    return arena_size(joints + ROOT_DOFS, 4 * MAX_CONTACTS + joints)


def arena_size(degrees: int, rows: int) -> int:
    """Return a sufficient size of MuJoCo's arena (working memory), bytes.

    If the arena is too small, MuJoCo ends the process. Therefore the size is several times what the dual solver needs.
    Unused memory costs nothing.

    Args:
        degrees: number of degrees of freedom.
        rows: maximum number of constraint rows: four for each contact, one for each joint limit and dry friction.
    """
    return 32 * (6 * rows * degrees + 4 * rows * rows + 20 * degrees * degrees) + (1 << 24)
