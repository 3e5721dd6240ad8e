"""The key frames of a MuJoCo model as named poses of a spatial character."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from ctrlgraph.bounds import MAX_CONSTANT, MAX_NUMBER_LENGTH, name_fault
from ctrlgraph.character.mjcf.compilation import CompiledModel
from ctrlgraph.character.mjcf.spatial_joints import SpatialHinge
from ctrlgraph.character.mjcf.spatial_links import LinkFrame, SpatialRoot
from ctrlgraph.character.mjcf.xml_source import Findings, XmlElement
from ctrlgraph.character.schema import FARTHEST
from ctrlgraph.character.spatial.spatial_frames import Array, quaternion_of, rotation_matrix, unit_quaternion, vector
from ctrlgraph.character.spatial.spatial_schema import MAX_POSES
from ctrlgraph.character.spatial_model import NamedPose, SpatialJoint
from ctrlgraph.errors import quoted

MAX_ANGLE = 1e3
"""Maximum magnitude of an angle in a key frame, rad."""

_BALL = 1


def read_poses(
    root: XmlElement,
    free: SpatialRoot,
    frame: LinkFrame,
    hinges: Sequence[SpatialHinge],
    joints: Sequence[SpatialJoint],
    compiled: CompiledModel,
    findings: Findings,
) -> dict[str, NamedPose]:
    """Return the poses of the key frames by name; an unnamed one is called `keyN`, where N is its number from 0.

    Report an error for a key frame that is not valid, and a warning for angles beyond the limits of a joint.

    Args:
        root: the element `<mujoco>`.
        free: the root of the character.
        frame: frame of the root link in the reference configuration.
        hinges: the hinges of the character.
        joints: the joints of the character, in the same order.
        compiled: the compiled model.
        findings: receives the errors and warnings.
    """
    model = compiled.model
    poses: dict[str, NamedPose] = {}
    elements = [element for section in root.named("keyframe") for element in section.children]
    if len(elements) > MAX_POSES:
        findings.add("too-large", f"the model has more than {MAX_POSES} key frames", elements[MAX_POSES])
        return poses
    for number, element in enumerate(elements):
        if element.tag != "key":
            findings.add("unknown-element", f"<keyframe> has no element {quoted(f'<{element.tag}>')}", element)
            continue
        name = element.attributes.get("name") or f"key{number}"
        fault = name_fault(name)
        if fault is not None:
            findings.add("bad-name", f"the name of the key frame {fault}", element, "name")
            continue
        if name in poses:
            findings.add("repeated-name", f"two key frames are called {quoted(name)}: rename one", element, "name")
            continue
        qpos = _positions(element, np.array(model.qpos0), findings)
        if qpos is None:
            continue
        position, rotation = frame.centre, frame.rotation
        if free.floating:
            at = int(model.jnt_qposadr[free.body.joints[0].id])
            if not np.linalg.norm(qpos[at + 3 : at + 7]) > 1e-6:
                findings.add("bad-key", "the quaternion of the root must not be 0", element, "qpos")
                continue
            rotation = rotation_matrix(unit_quaternion(qpos[at + 3 : at + 7]))
            arm = frame.rotation.T @ (frame.centre - compiled.data.xpos[free.body.id])
            position = qpos[at : at + 3] + rotation @ arm
        angles = [_angle(hinge, qpos, compiled) for hinge in hinges]
        if not (max(map(abs, position)) <= FARTHEST and all(abs(angle) <= MAX_ANGLE for angle in angles)):
            message = (
                f"positions of a key frame must be within {FARTHEST:g} m of the origin, and angles at most"
                f" {MAX_ANGLE:g} rad"
            )
            findings.add("bad-key", message, element, "qpos")
            continue
        for joint, angle in zip(joints, angles, strict=True):
            if not joint.lower - 1e-6 <= angle <= joint.upper + 1e-6:
                message = (
                    f"the angle of the joint {quoted(joint.name)} in the key frame {quoted(name)} is outside the"
                    " joint's range"
                )
                findings.add_kind("key-range", message, element, "qpos")
        poses[name] = NamedPose(vector(position), quaternion_of(rotation), tuple(angles))
    return poses


def _positions(element: XmlElement, reference: Array, findings: Findings) -> Array | None:
    """Return the generalized positions of a key frame, or None with an error if they are not valid.

    Args:
        element: element of the key frame.
        reference: generalized positions of the reference configuration, which are used if the element has none.
        findings: receives the error.
    """
    text = element.attributes.get("qpos")
    if text is None or not text.strip():
        return reference
    words = text.split()
    if len(words) != reference.size:
        message = f"'qpos' has {len(words)} numbers, but the model has {reference.size}"
        findings.add("bad-key", message, element, "qpos")
        return None
    values = []
    for word in words:
        try:
            value = float(word) if len(word) <= MAX_NUMBER_LENGTH else math.nan
        except ValueError:
            value = math.nan
        if not abs(value) <= MAX_CONSTANT:
            message = f"'qpos' contains {quoted(word, 40)}: numbers must be finite and at most {MAX_CONSTANT:g}"
            findings.add("bad-value", message, element, "qpos")
            return None
        values.append(value)
    return np.array(values)


def _angle(hinge: SpatialHinge, qpos: Array, compiled: CompiledModel) -> float:
    """Return the angle of a hinge in a configuration of the model, rad. It is 0 in the reference configuration."""
    model, joint = compiled.model, hinge.joint
    at = int(model.jnt_qposadr[joint.id])
    if int(joint.type) != _BALL:
        return float(qpos[at] - model.qpos0[at]) + 0.0
    m = rotation_matrix(unit_quaternion(qpos[at : at + 4])) if qpos[at : at + 4].any() else np.eye(3)
    # the rotation is that about x, followed by those about the new y and the new z axis
    middle = math.asin(min(1.0, max(-1.0, m[0, 2])))
    angles = (math.atan2(-m[1, 2], m[2, 2]), middle, math.atan2(-m[0, 1], m[0, 0]))
    return angles[hinge.axis] + 0.0
