"""Random planar MuJoCo models, and what MuJoCo itself says about a model: the second opinion for what we read."""

from __future__ import annotations

import math
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any
from xml.etree.ElementTree import Element, SubElement, tostring

import mujoco
import numpy as np
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation

from ctrlgraph.character.model import Character
from ctrlgraph.engine.mujoco import library
from ctrlgraph.kernels.planar.arrays import body_arrays
from ctrlgraph.kernels.planar.kinematics import pose_links

library.load()  # its warnings would go to a file in the current directory

_spec = find_spec("gymnasium")
assert _spec is not None and _spec.submodule_search_locations is not None
GYMNASIUM = Path(_spec.submodule_search_locations[0]) / "envs" / "mujoco" / "assets"
"""Where Gymnasium keeps its models."""


# --- what MuJoCo says ---


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


# --- random models ---

_small = st.floats(-0.4, 0.4).map(lambda x: round(x, 3))
_size = st.floats(0.02, 0.3).map(lambda x: round(x, 3))
_turns = st.lists(st.floats(-1, 1).map(lambda x: round(x, 3)), min_size=4, max_size=4).filter(
    lambda q: sum(x * x for x in q) > 0.1
)


def _text(values: Any) -> str:
    return " ".join(repr(float(value)) for value in values)


@st.composite
def orientations(draw: st.DrawFn, degrees: bool) -> dict[str, str]:
    """Attributes that say how a frame is turned, in one of the ways of MJCF."""
    way = draw(st.sampled_from(["none", "quat", "axisangle", "xyaxes", "zaxis", "euler"]))
    turn, factor = draw(_turns), 180.0 if degrees else 3.0
    if way == "none":
        return {}
    if way == "quat":
        return {way: _text(turn)}
    if way == "axisangle":
        return {way: _text([*turn[:2], turn[2] + 2.0, factor * turn[3]])}
    if way == "xyaxes":
        return {way: _text([1.0, turn[0] / 2, turn[1] / 2, turn[2] / 2, 1.0, turn[3] / 2])}
    return {way: _text([turn[0], turn[1], turn[2] + 1.5]) if way == "zaxis" else _text(factor * x for x in turn[:3])}


@st.composite
def geoms(draw: st.DrawFn, degrees: bool) -> Element:
    shape = draw(st.sampled_from(["sphere", "capsule", "cylinder", "ellipsoid", "box"]))
    element = Element("geom", type=shape)
    sizes = draw(st.lists(_size, min_size=3, max_size=3))
    if shape != "sphere" and draw(st.booleans()):
        begin, step = draw(st.lists(_small, min_size=3, max_size=3)), draw(st.lists(_small, min_size=3, max_size=3))
        end = [x + d for x, d in zip(begin, [step[0], step[1], step[2] + 0.5], strict=True)]
        element.attrib |= {"fromto": _text([*begin, *end]), "size": _text(sizes[:1])}
    else:
        element.attrib |= {"size": _text(sizes), "pos": _text(draw(st.lists(_small, min_size=3, max_size=3)))}
        element.attrib |= draw(orientations(degrees))
    element.attrib |= draw(
        st.sampled_from([{}, {"mass": "1.25"}, {"density": "300"}, {"mass": "0.5", "density": "9"}, {"class": "light"}])
    )
    if draw(st.integers(0, 5)) == 0:
        element.set("group", "4")
    return element


@st.composite
def inertials(draw: st.DrawFn, degrees: bool) -> Element:
    """Mass properties that are written down, of some box."""
    x, y, z = (s * s for s in draw(st.lists(_size, min_size=3, max_size=3)))
    mass = draw(st.sampled_from([0.4, 3.0]))
    moments = mass * np.array([y + z, x + z, x + y])
    element = Element("inertial", mass=repr(mass), pos=_text(draw(st.lists(_small, min_size=3, max_size=3))))
    if draw(st.booleans()):
        element.attrib |= {"diaginertia": _text(moments), **draw(orientations(degrees))}
    else:
        r = Rotation.from_quat(draw(_turns)).as_matrix()
        full = r @ np.diag(moments) @ r.T
        element.set("fullinertia", _text([*full.diagonal(), full[0, 1], full[0, 2], full[1, 2]]))
    return element


def _turned_by(body: Element, degrees: bool, outer: Rotation) -> Rotation:
    """How a body is turned in the world, after scipy; only the ways that `_body` draws."""
    if "quat" in body.attrib:
        return outer * Rotation.from_quat(np.array(body.get("quat", "").split(), float), scalar_first=True)
    if "euler" in body.attrib:
        return outer * Rotation.from_euler("XYZ", np.array(body.get("euler", "").split(), float), degrees=degrees)
    return outer


@st.composite
def models(draw: st.DrawFn) -> str:
    """The text of a random planar model, of two to six links and bodies that are fixed to them."""
    degrees = draw(st.booleans())
    root = Element("mujoco", model="random")
    compiler = SubElement(root, "compiler", angle="degree" if degrees else "radian", inertiagrouprange="0 3")
    compiler.attrib |= draw(
        st.sampled_from(
            [{}, {}, {"boundmass": "2"}, {"boundinertia": "0.02"}, {"settotalmass": "20"}, {"inertiafromgeom": "true"}]
        )
    )
    defaults = SubElement(root, "default")
    SubElement(defaults, "geom", density=repr(draw(st.sampled_from([500.0, 1000.0]))))
    light = SubElement(defaults, "default", {"class": "light"})
    SubElement(light, "geom", density="100")
    world = SubElement(root, "worldbody")
    count = draw(st.integers(2, 6))
    bodies: list[tuple[Element, Rotation]] = []
    for i in range(count + draw(st.integers(0, 2))):
        around, outer = (world, Rotation.identity()) if i == 0 else draw(st.sampled_from(bodies))
        body = SubElement(around, "body", name=f"b{i}", pos=_text(draw(st.lists(_small, min_size=3, max_size=3))))
        if draw(st.booleans()):
            turn = draw(_turns)
            unit = 90.0 if degrees else 1.5
            body.attrib |= draw(st.sampled_from([{"quat": _text(turn)}, {"euler": _text(unit * x for x in turn[:3])}]))
        turned = _turned_by(body, degrees, outer)
        bodies.append((body, turned))
        _add_joints(draw, body, i, turned, degrees, is_link=i < count)
        if draw(st.integers(0, 3)) == 0:
            body.append(draw(inertials(degrees)))
        for _ in range(draw(st.integers(0, 2))):
            body.append(draw(geoms(degrees)))
        SubElement(body, "geom", type="sphere", size="0.05")  # none is without mass
    return tostring(root, encoding="unicode")


def _add_joints(draw: st.DrawFn, body: Element, i: int, turned: Rotation, degrees: bool, *, is_link: bool) -> None:
    inward = turned.inv()
    if i == 0:
        signs = draw(st.lists(st.sampled_from([-1.0, 1.0]), min_size=3, max_size=3))
        joints = [("slide", [signs[0], 0, 0]), ("slide", [0, 0, signs[1]]), ("hinge", [0, signs[2], 0])]
        for n, (kind, axis) in enumerate(draw(st.permutations(joints))):
            SubElement(body, "joint", name=f"root{n}", type=kind, axis=_text(inward.apply(axis)), limited="false")
    elif is_link:
        joint = SubElement(body, "joint", name=f"j{i}", pos=_text(draw(st.lists(_small, min_size=3, max_size=3))))
        joint.set("axis", _text(inward.apply([0.0, draw(st.sampled_from([-3.0, 1.0])), 0.0])))
        unit = 180.0 / math.pi if degrees else 1.0
        ref = draw(st.sampled_from([0.0, 0.2, -0.1]))
        low, high = draw(st.sampled_from([(-0.3, 0.6), (-1.0, 0.2), (0.0, 1.0), (-2.5, 2.9)]))
        joint.attrib |= {"range": _text([unit * (low + ref), unit * (high + ref)]), "ref": repr(unit * ref)}
