"""The joints of a model as those of a planar character: a root that is free in the plane, and hinges about y.

MuJoCo's x is ours, its z is our y. A hinge about +y turns clockwise, as our angles do; one about -y turns the other
way, and its angles and torques change their sign.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from ctrlgraph.character.mjcf.attributes import Attributes
from ctrlgraph.character.mjcf.bodies import BodyJoint, BodyTree, ModelBody
from ctrlgraph.character.mjcf.frames import Array
from ctrlgraph.character.mjcf.settings import CompilerSettings
from ctrlgraph.character.mjcf.xml_source import Findings, XmlElement
from ctrlgraph.character.schema import WIDEST_ANGLE
from ctrlgraph.errors import quoted

_SKEW = 1e-4
"""rad by which an axis may be off the one that it is taken for: what numbers of a few digits leave."""

_ROOT_HINT = "give it two joints of type slide, with the axes 1 0 0 and 0 0 1, and a hinge with the axis 0 1 0"
_FREE = ["hinge y", "slide x", "slide z"]
"""The joints of a body that is free in the plane, in the order of the alphabet."""

_FORCES = {
    "damping": "damps the joint",
    "stiffness": "is a spring",
    "springdamper": "is a spring",
    "armature": "is inertia of a motor",
    "frictionloss": "is friction in the joint",
}
"""What acts in a joint of MuJoCo and not in one of ours."""


@dataclass(frozen=True, slots=True, eq=False)
class Hinge:
    """A hinge about y.

    sign: +1 where it turns clockwise, about +y, else -1. lower, upper: rad, ours: clockwise, 0 in the reference pose.
    force_range: N m, about MuJoCo's axis, of all actuators together; None where there is none.
    """

    joint: BodyJoint
    sign: float
    lower: float
    upper: float
    force_range: tuple[float, float] | None

    @property
    def values(self) -> Attributes:
        return self.joint.values


def find_root(tree: BodyTree, worldbody: XmlElement, findings: Findings) -> int | None:
    """Return the body that moves freely in the plane; None where there is none, which is noted."""
    found = [
        i for i, body in enumerate(tree.bodies) if body.joints and (body.parent < 0 or tree.is_static(body.parent))
    ]
    if not found:
        message = "no body moves: none has joints"
        findings.add("bad-root", message, worldbody, hint=f"the first one is the root; {_ROOT_HINT}")
        return None
    chosen = next((i for i in found if sorted(_kinds(tree.bodies[i])) == _FREE), found[0])
    for i in found:
        if i != chosen:
            body = tree.bodies[i]
            message = (
                f"{_called(body)} is a second root beside {_called(tree.bodies[chosen])}: a file holds one character"
            )
            findings.add("bad-root", message, body.element, hint="join it to the first one by a hinge, or remove it")
    _check_root(tree.bodies[chosen], findings)
    return chosen


def _kinds(body: ModelBody) -> list[str]:
    """What the joints of a body are, and along or about which axis."""
    kinds = []
    for joint in body.joints:
        along = [i for i in range(3) if _is_along(joint.axis, i)]
        kinds.append(f"{joint.kind} {'xyz'[along[0]]}" if along and joint.kind in ("slide", "hinge") else joint.kind)
    return kinds


def _check_root(body: ModelBody, findings: Findings) -> None:
    """Note a root that is not free in the plane, or is not free of limits and forces."""
    if any(findings.is_faulty(joint.values.element) for joint in body.joints):
        return
    if sorted(_kinds(body)) != _FREE:
        has = ", ".join(_described(joint) for joint in body.joints)
        message = f"the root {_called(body)} needs two slides, along x and along z, and a hinge about y; it has {has}"
        element = body.joints[0].values.element if len(body.joints) == 1 else body.element
        findings.add("bad-root", message, element, hint=_ROOT_HINT)
        return
    for joint in body.joints:
        _warn_of_forces(joint.values)
        if joint.values.is_limited("limited", "range", autolimits=True) is not None:
            place = "range" if "range" in joint.values else "limited"
            joint.values.warn("root-range", place, "a joint of the root has a range, which is not kept to here")


def read_hinge(body: ModelBody, settings: CompilerSettings, findings: Findings) -> Hinge | None:
    """Return the hinge by which a body hangs from the one around it; None where there is no such, which is noted."""
    first = body.joints[0]
    for joint in body.joints:
        if joint.kind != "hinge":
            message = f"{_called(body)} hangs from {_described(joint)}, and only the root has other joints than hinges"
            hint = "make it a hinge about y; a body without a joint is fixed to the one around it"
            findings.add("not-planar", message, joint.values.element, hint=hint)
            return None
    if len(body.joints) > 1:
        message = f"{_called(body)} hangs from {len(body.joints)} hinges: a link has one joint"
        findings.add("bad-joint", message, body.joints[1].values.element, hint="put a body with mass between them")
        return None
    if findings.is_faulty(first.values.element):
        return None
    if not _is_along(first.axis, 1):
        message = f"{_called(body)} hangs from {_described(first)}: a planar character has hinges about y only"
        hint = "mind that the axis is in the frame of the body, which may be turned: it has to lie along y in the world"
        findings.add("not-planar", message, first.values.element, "axis" if "axis" in first.values else None, hint=hint)
        return None
    _warn_of_forces(first.values)
    sign = 1.0 if first.axis[1] > 0.0 else -1.0
    lower, upper = _limits(first, sign, settings)
    forces = first.values.is_limited("actuatorfrclimited", "actuatorfrcrange", settings.autolimits)
    return Hinge(first, sign, lower, upper, forces)


def _limits(joint: BodyJoint, sign: float, settings: CompilerSettings) -> tuple[float, float]:
    """The limits of our angle, rad, which is 0 where MuJoCo's is the joint's `ref`."""
    values = joint.values
    unit = math.pi / 180.0 if settings.degrees else 1.0
    given = values.is_limited("limited", "range", settings.autolimits)
    if given is None and values.is_faulty:
        return -WIDEST_ANGLE, WIDEST_ANGLE
    if given is None:
        message = f"{_described(joint)} has no range: it turns by {WIDEST_ANGLE:g} rad either way, and no further"
        values.warn("no-range", "name" if "name" in values else "axis", message)
        return -WIDEST_ANGLE, WIDEST_ANGLE
    low, high = sorted(sign * (bound - values.number("ref", 0.0)) * unit for bound in given)
    if not low <= 0.0 <= high:
        message = (
            f"{_described(joint)}: its angle in the reference pose ({values.number('ref', 0.0):g}) is outside its"
            " range, which is widened to include it"
        )
        values.warn("widened-range", "range", message)
        low, high = min(low, 0.0), max(high, 0.0)
    if low < -WIDEST_ANGLE or high > WIDEST_ANGLE:
        values.warn("wide-range", "range", f"a range beyond {WIDEST_ANGLE:g} rad ends there")
    return max(low, -WIDEST_ANGLE) + 0.0, min(high, WIDEST_ANGLE) + 0.0  # no -0


def _warn_of_forces(values: Attributes) -> None:
    for name, what in _FORCES.items():
        given = values.numbers(name, 1, 3) or (0.0,)
        if any(given) and (name != "springdamper" or all(part > 0.0 for part in given)):
            values.warn(name, name, f"'{name}' {what}, which our joints do not have: it is left out")


def _is_along(axis: Array, i: int) -> bool:
    """Whether an axis (3,) is one of the world's, either way."""
    return float(np.linalg.norm(np.delete(axis, i))) <= _SKEW


def _called(body: ModelBody) -> str:
    return "the body" if body.name is None else quoted(body.name)


def _described(joint: BodyJoint) -> str:
    name = joint.values.text("name")
    called = "" if name is None else f" {quoted(name)}"
    if joint.kind in ("free", "ball"):
        return f"the {joint.kind} joint{called}"
    shown = ", ".join(f"{part:.3g}" for part in np.round(joint.axis, 4) + 0.0)
    return f"the {joint.kind}{called} {'about' if joint.kind == 'hinge' else 'along'} ({shown})"
