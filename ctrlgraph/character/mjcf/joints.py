"""The joints of a MuJoCo model of a planar character: a root body that is free in the plane, and hinges about y.

MuJoCo's x axis is the character's x axis. MuJoCo's z axis is the character's y axis. A hinge about +y is positive
clockwise, like the joint angles of a character. For a hinge about -y, angles and torques change their sign.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ctrlgraph.character.mjcf.compilation import CompiledModel, is_limited
from ctrlgraph.character.mjcf.xml_source import Findings, XmlElement
from ctrlgraph.character.schema import WIDEST_ANGLE
from ctrlgraph.errors import quoted

_SKEW = 1e-4
"""Maximum angle at which a joint's axis counts as parallel to an axis of the world, rad.

It is not 0, because axes are written with a few digits.
"""

_ROOT_JOINTS = "two joints of type slide, with the axes 1 0 0 and 0 0 1, and a hinge with the axis 0 1 0"
_FREE = ["hinge y", "slide x", "slide z"]
"""Types and axes of the three joints that make a body free in the plane, in alphabetical order."""

_KINDS = ("free", "ball", "slide", "hinge")
_FORCES = {
    "damping": "damping",
    "stiffness": "springs",
    "springdamper": "springs",
    "armature": "inertia of motors",
    "frictionloss": "friction",
}
"""Attributes of MuJoCo's joints that a character's joints do not have, with a description for messages."""


@dataclass(frozen=True, slots=True, eq=False)
class Hinge:
    """A hinge of the model about MuJoCo's y axis, between a body and its parent, with its limits."""

    element: XmlElement
    """The hinge's element in the model."""
    name: str
    sign: float
    """+1 if the axis is +y (angles are positive clockwise), -1 if the axis is -y."""
    anchor: tuple[float, float]
    """Position x and z in the world in the reference pose, m."""
    lower: float
    """Lower limit of the clockwise angle, rad. The angle is 0 in the reference pose."""
    upper: float
    """Upper limit of the clockwise angle, rad."""
    force_range: tuple[float, float] | None
    """Limits of the joint for the sum of the torques of all actuators, about MuJoCo's axis, N m; None for no limits."""


def find_root(compiled: CompiledModel, worldbody: XmlElement, findings: Findings) -> Any | None:
    """Return the root of the character: the body that moves freely in the plane; None if no body has joints.

    Report an error if no body has joints, and for each further body that is connected to the world by joints.

    Args:
        compiled: the compiled model.
        worldbody: the element at which a missing root is reported.
        findings: receives the errors and warnings.
    """
    found = [body for body in compiled.spec.bodies if body.joints and compiled.is_static(body.parent)]
    if not found:
        message = "the model has no body with joints"
        findings.add("bad-root", message, worldbody, hint=f"give the first body the joints of a root: {_ROOT_JOINTS}")
        return None
    chosen = next((body for body in found if _kinds(body, compiled) == _FREE), found[0])
    for body in found:
        if body.id != chosen.id:
            message = f"{_called(body)} is a second root besides {_called(chosen)}: a file contains one character"
            hint = "move this body into the first root and give it a hinge, or remove this body"
            findings.add("bad-root", message, compiled.element(body), hint=hint)
    _check_root(chosen, compiled, findings)
    return chosen


def _kinds(body: Any, compiled: CompiledModel) -> list[str]:
    """Return the type and the axis of each joint of a body as text, such as "slide x", in alphabetical order."""
    kinds = []
    for joint in body.joints:
        kind, axis = _kind(joint), compiled.data.xaxis[joint.id]
        along = [i for i in range(3) if _is_along(axis, i)]
        kinds.append(f"{kind} {'xyz'[along[0]]}" if along and kind in ("slide", "hinge") else kind)
    return sorted(kinds)


def _check_root(body: Any, compiled: CompiledModel, findings: Findings) -> None:
    """Report an error if the root is not free in the plane, and warnings if its joints have limits or forces."""
    if _kinds(body, compiled) != _FREE:
        has = ", ".join(_described(joint, compiled) for joint in body.joints)
        message = f"the root {_called(body)} must have two slides, along x and z, and a hinge about y, not {has}"
        place = body.joints[0] if len(body.joints) == 1 else body
        findings.add("bad-root", message, compiled.element(place), hint=f"give the root {_ROOT_JOINTS}")
        return
    for joint in body.joints:
        _warn_of_forces(joint, compiled.element(joint), findings)
        if compiled.model.jnt_limited[joint.id]:
            message = "the range of a joint of the root is ignored: the root moves freely"
            findings.add_kind("root-range", message, compiled.element(joint), "range")


def read_hinge(body: Any, name: str, compiled: CompiledModel, findings: Findings) -> Hinge | None:
    """Return the hinge between a body and its parent. Report an error if the body has another joint or several joints.

    Args:
        body: the child body of the hinge.
        name: name that the hinge gets as a joint of the character.
        compiled: the compiled model.
        findings: receives the errors and warnings.

    Returns:
        The hinge; None if an error was reported.
    """
    first = body.joints[0]
    for joint in body.joints:
        if _kind(joint) != "hinge":
            message = f"{_called(body)} cannot have {_described(joint, compiled)}: only the root has joints other"
            hint = "make the joint a hinge about y, or remove the joint to fix the body to its parent"
            findings.add("not-planar", f"{message} than hinges", compiled.element(joint), hint=hint)
            return None
    if len(body.joints) > 1:
        message = f"{_called(body)} has {len(body.joints)} hinges, but a link can have only one joint to its parent"
        hint = "put a body with mass between the hinges"
        findings.add("bad-joint", message, compiled.element(body.joints[1]), hint=hint)
        return None
    axis, element = compiled.data.xaxis[first.id], compiled.element(first)
    if not _is_along(axis, 1):
        message = (
            f"{_called(body)} cannot have {_described(first, compiled)}: a planar character has only hinges about y"
        )
        hint = "in the world the axis must be along y; 'axis' is given in the frame of the body, which may be rotated"
        findings.add("not-planar", message, element, "axis", hint=hint)
        return None
    _warn_of_forces(first, element, findings)
    sign = 1.0 if axis[1] > 0.0 else -1.0
    lower, upper = _limits(first, sign, compiled, findings)
    forces = is_limited(first.actfrclimited, first.actfrcrange, bool(compiled.spec.compiler.autolimits))
    x, _, z = map(float, compiled.data.xanchor[first.id])
    return Hinge(element, name, sign, (x, z), lower, upper, forces)


def _limits(joint: Any, sign: float, compiled: CompiledModel, findings: Findings) -> tuple[float, float]:
    """Return the lower and upper limit of the clockwise angle of a hinge, rad, where 0 is the reference pose.

    Report a warning if the range is missing, too wide, or does not include the reference pose.

    Args:
        joint: the hinge in MuJoCo's specification.
        sign: +1 if MuJoCo's axis is clockwise, else -1.
        compiled: the compiled model.
        findings: receives the warnings.
    """
    element, model = compiled.element(joint), compiled.model
    if not model.jnt_limited[joint.id]:
        message = f"{_described(joint, compiled)} has no range, so {-WIDEST_ANGLE:g} to {WIDEST_ANGLE:g} rad are used"
        findings.add_kind("no-range", message, element, "name" if "name" in element.attributes else "axis")
        return -WIDEST_ANGLE, WIDEST_ANGLE
    reference = float(model.qpos0[model.jnt_qposadr[joint.id]])
    low, high = sorted(sign * (float(bound) - reference) for bound in model.jnt_range[joint.id])
    if not low <= 0.0 <= high:
        message = (
            f"{_described(joint, compiled)}: its angle in the reference pose ({float(joint.ref):g}) is outside its"
            " range, which is widened to include it"
        )
        findings.add_kind("widened-range", message, element, "range")
        low, high = min(low, 0.0), max(high, 0.0)
    if low < -WIDEST_ANGLE or high > WIDEST_ANGLE:
        findings.add_kind(
            "wide-range",
            f"the range of the joint is limited to {-WIDEST_ANGLE:g} to {WIDEST_ANGLE:g} rad",
            element,
            "range",
        )
    return max(low, -WIDEST_ANGLE) + 0.0, min(high, WIDEST_ANGLE) + 0.0  # no -0


def _warn_of_forces(joint: Any, element: XmlElement, findings: Findings) -> None:
    for name, what in _FORCES.items():
        values = np.atleast_1d(getattr(joint, name))
        if values.any() and (name != "springdamper" or (values > 0.0).all()):
            message = f"'{name}' is ignored: joints of a planar character have no {what}"
            findings.add_kind(name, message, element, name)


def _kind(joint: Any) -> str:
    return _KINDS[int(joint.type)]


def _is_along(axis: Any, i: int) -> bool:
    """Return whether an axis, a unit vector (3,), is parallel to axis `i` of the world."""
    return float(np.linalg.norm(np.delete(axis, i))) <= _SKEW


def _called(body: Any) -> str:
    return quoted(body.name) if body.name else "the body"


def _described(joint: Any, compiled: CompiledModel) -> str:
    kind = _kind(joint)
    called = f" {quoted(joint.name)}" if joint.name else ""
    if kind in ("free", "ball"):
        return f"the {kind} joint{called}"
    shown = ", ".join(f"{part:.3g}" for part in np.round(compiled.data.xaxis[joint.id], 4) + 0.0)
    return f"the {kind}{called} {'about' if kind == 'hinge' else 'along'} ({shown})"
