"""The joints of a MuJoCo model of a spatial character: hinges, and ball joints as three hinges, with their motors."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from ctrlgraph.bounds import name_fault
from ctrlgraph.character.mjcf.actuators import force_range, torque_limits
from ctrlgraph.character.mjcf.compilation import CompiledModel, ParsedModel, is_limited
from ctrlgraph.character.mjcf.links import LinkBody
from ctrlgraph.character.mjcf.spatial_links import LinkFrame
from ctrlgraph.character.mjcf.spatial_tendons import TendonMotors
from ctrlgraph.character.mjcf.xml_source import Findings, XmlElement
from ctrlgraph.character.model import TorqueRange
from ctrlgraph.character.schema import LEAST, MOST_PASSIVE, WIDEST_ANGLE, GainsEntry, SidecarEntry
from ctrlgraph.character.spatial.spatial_frames import vector
from ctrlgraph.character.spatial.spatial_schema import MOST_HINGES, default_gains
from ctrlgraph.character.spatial_model import SpatialJoint, Vector
from ctrlgraph.errors import quoted, suggestion

_BALL, _SLIDE, _HINGE = 1, 2, 3
_ONE_AXIS = {_HINGE: ("",), _BALL: ("_x", "_y", "_z")}
"""Endings of the names of the hinges that replace a joint of MuJoCo, by the joint's type."""


class Motor(NamedTuple):
    """An actuator of a joint of MuJoCo."""

    element: XmlElement
    target: str
    """Name of the joint."""
    force: tuple[float, float]
    """Minimum and maximum force before the gear is applied, N; infinite without a limit."""
    gear: Vector
    """Torque about each axis of the joint per unit of force, m. A hinge has one axis."""
    kp: float
    """Force per unit of deviation from the control signal; 0 for an actuator that is not a position servo."""
    kd: float
    """Force per unit of velocity that opposes the motion; negative for a damping ratio."""
    of_tendon: bool = False
    """Whether the model has an actuator of a tendon in its place."""


@dataclass(frozen=True, slots=True, eq=False)
class SpatialHinge:
    """A hinge of the model: a joint of MuJoCo, or one axis of a ball joint."""

    joint: Any
    """The joint in MuJoCo's specification."""
    name: str
    """Name of the hinge as a joint of the character."""
    axis: int
    """Index of the axis in a ball joint; 0 for a hinge."""
    link: int
    """Index of the child link."""


def read_motors(parsed: ParsedModel, tendons: TendonMotors, findings: Findings) -> list[Motor]:
    """Return the actuators of joints in a parsed model. Report a warning for each attribute that is ignored.

    Args:
        parsed: the parsed model.
        tendons: the model, with the coefficients of tendons.
        findings: receives the warnings.
    """
    import mujoco

    found = []
    for actuator in parsed.spec.actuators:
        element = parsed.element(actuator)
        for name in ("damping", "armature"):
            if np.any(getattr(actuator, name)):
                message = f"'{name}' of an actuator is ignored"
                findings.add_kind(f"actuator-{name}", message, element, name)
        is_servo = (
            actuator.gaintype == mujoco.mjtGain.mjGAIN_FIXED and actuator.biastype == mujoco.mjtBias.mjBIAS_AFFINE
        )
        kp = max(0.0, -float(actuator.biasprm[1])) if is_servo else 0.0
        forces = force_range(actuator, bool(parsed.spec.compiler.autolimits))
        gear = vector(tendons.coefficient(element) * actuator.gear[:3])
        kd, of_tendon = -float(actuator.biasprm[2]), tendons.has_replaced(element)
        found.append(Motor(element, actuator.target, forces, gear, kp, kd, of_tendon))
    return found


def find_hinges(compiled: CompiledModel, links: Sequence[LinkBody], findings: Findings) -> list[SpatialHinge]:
    """Return the hinges between links, in the order of the links. Report errors about joints that are not supported.

    A joint without a name has the name of its body, followed by a number if the body has several such joints.

    Args:
        compiled: the compiled model.
        links: the links, the root first.
        findings: receives the errors.
    """
    hinges: list[SpatialHinge] = []
    for index, link in enumerate(links[1:], start=1):
        unnamed = [joint for joint in link.body.joints if not joint.name]
        before = len(hinges)
        for joint in link.body.joints:
            element = compiled.element(joint)
            kind = int(joint.type)
            if kind not in _ONE_AXIS:
                message = f"the link {quoted(link.name)} cannot have a {'slide' if kind == _SLIDE else 'free'} joint"
                hint = "make the joint a hinge, or remove the joint to fix the body to its parent"
                findings.add("not-supported", f"{message}: links are joined by hinges", element, hint=hint)
                continue
            number = "" if len(unnamed) == 1 else f"_{unnamed.index(joint) + 1}" if joint in unnamed else ""
            name = joint.name or link.name + number
            fault = name_fault(name)
            if fault is not None:
                findings.add("bad-name", f"the name of the joint {fault}", element, "name")
            hinges += [SpatialHinge(joint, name + end, i, index) for i, end in enumerate(_ONE_AXIS[kind])]
        if len(hinges) - before > MOST_HINGES:
            message = (
                f"the link {quoted(link.name)} has {len(hinges) - before} hinges, but can have at most {MOST_HINGES}"
            )
            findings.add(
                "bad-joint",
                message,
                compiled.element(link.body.joints[-1]),
                hint="put a body with mass between the hinges",
            )
    seen: set[str] = set()
    for hinge in hinges:
        if hinge.name in seen:
            message = (
                f"several joints would be called {quoted(hinge.name)}: a joint without a name gets the name of its body"
            )
            findings.add("repeated-name", message, compiled.element(hinge.joint), hint="give every joint a name")
        seen.add(hinge.name)
    return hinges


def check_motors(motors: Sequence[Motor], hinges: Sequence[SpatialHinge], others: set[str], findings: Findings) -> None:
    """Report a warning for each actuator that moves no link of the character, and an error for an unknown joint.

    Args:
        motors: the actuators of the model.
        hinges: the hinges of the character.
        others: names of all joints of the model.
        findings: receives the errors and warnings.
    """
    known = {hinge.joint.name for hinge in hinges}
    for motor in motors:
        if motor.target in known:
            continue
        if motor.target in others:
            message = "an actuator is ignored: its joint is the root's, or not part of the character"
            findings.add_kind("root-actuator", message, motor.element, "joint")
        else:
            hint = suggestion(motor.target, sorted(known))
            findings.add(
                "unknown-joint", f"there is no joint {quoted(motor.target)}", motor.element, "joint", hint=hint
            )


def build_spatial_joint(
    hinge: SpatialHinge,
    parent: int,
    frame: LinkFrame,
    motors: Sequence[Motor],
    entry: SidecarEntry,
    compiled: CompiledModel,
    findings: Findings,
) -> SpatialJoint:
    """Return a joint of the character. Report errors about values that are not allowed, and warnings.

    Args:
        hinge: the hinge.
        parent: index of the parent link.
        frame: frame of the child link.
        motors: the actuators of the hinge's joint.
        entry: contents of the file of roles, whose torque limits and gains take precedence.
        compiled: the compiled model.
        findings: receives the errors and warnings.
    """
    model, data, joint = compiled.model, compiled.data, hinge.joint
    element, dof = compiled.element(joint), int(model.jnt_dofadr[joint.id]) + hinge.axis
    is_ball = int(joint.type) == _BALL
    axis = np.eye(3)[hinge.axis] if is_ball else frame.rotation.T @ data.xaxis[joint.id]
    lower, upper = _limits(hinge, compiled, findings)
    stiffness, spring = float(model.jnt_stiffness[joint.id]), 0.0
    if stiffness and not is_ball:
        at = model.jnt_qposadr[joint.id]
        spring = float(model.qpos_spring[at] - model.qpos0[at])
    passive = (stiffness, float(model.dof_damping[dof]), float(model.dof_armature[dof]))
    friction = float(model.dof_frictionloss[dof])
    for name, value in zip(("stiffness", "damping", "armature", "frictionloss"), (*passive, friction), strict=True):
        if not 0.0 <= value <= MOST_PASSIVE:
            message = f"'{name}' of the joint {quoted(hinge.name)} must be 0 to {MOST_PASSIVE:g}, not {value:g}"
            findings.add("bad-joint", message, element, name)
    if model.jnt_stiffnesspoly[joint.id].any() or model.dof_dampingpoly[dof].any():
        message = "stiffness and damping are linear: coefficients of higher order are ignored"
        findings.add_kind("nonlinear", message, element)
    torque = _torques(hinge, motors, upper - lower, entry, compiled, findings)
    gains = _gains(hinge, motors, torque[1], entry, 1.0 / float(model.dof_invweight0[dof]))
    return SpatialJoint(
        name=hinge.name,
        parent=parent,
        child=hinge.link,
        lower=lower,
        upper=upper,
        torque_limit=torque[0],
        hard_torque_limit=torque[1],
        kp=gains.kp,
        kd=gains.kd,
        axis=vector(axis / np.linalg.norm(axis)),
        anchor=vector(frame.rotation.T @ (data.xanchor[joint.id] - frame.centre)),
        stiffness=passive[0],
        spring_angle=spring,
        damping=passive[1],
        armature=passive[2],
        friction_loss=friction,
    )


def _limits(hinge: SpatialHinge, compiled: CompiledModel, findings: Findings) -> tuple[float, float]:
    """Return the lower and upper limit of the angle of a hinge, rad, where 0 is the reference pose."""
    model, joint = compiled.model, hinge.joint
    element = compiled.element(joint)
    if not model.jnt_limited[joint.id]:
        message = f"the joint {quoted(hinge.name)} has no range, so {-WIDEST_ANGLE:g} to {WIDEST_ANGLE:g} rad are used"
        findings.add_kind("no-range", message, element)
        return -WIDEST_ANGLE, WIDEST_ANGLE
    low, high = map(float, model.jnt_range[joint.id])
    if int(joint.type) == _BALL:
        message = "the range of a ball joint limits each of its three hinges"
        findings.add_kind("ball-range", message, element, "range")
        low = -high
    else:
        reference = float(model.qpos0[model.jnt_qposadr[joint.id]])
        low, high = low - reference, high - reference
    if low < -WIDEST_ANGLE or high > WIDEST_ANGLE:
        findings.add_kind(
            "wide-range",
            f"the range of the joint is limited to {-WIDEST_ANGLE:g} to {WIDEST_ANGLE:g} rad",
            element,
            "range",
        )
        low, high = max(low, -WIDEST_ANGLE), min(high, WIDEST_ANGLE)
    if not low < high:
        message = f"the range of the joint {quoted(hinge.name)} is empty: its lower limit must be below its upper limit"
        findings.add("bad-limits", message, element, "range")
    return low + 0.0, high + 0.0  # no -0


def _torques(
    hinge: SpatialHinge,
    motors: Sequence[Motor],
    width: float,
    entry: SidecarEntry,
    compiled: CompiledModel,
    findings: Findings,
) -> tuple[TorqueRange, TorqueRange]:
    """Return the default and the hard torque limit of a hinge, N m; both are 0 for a hinge without an actuator.

    A position servo without a limit has that which it reaches if it is at one end of the range of its joint, and its
    target at the other.

    Args:
        hinge: the hinge.
        motors: the actuators of the hinge's joint.
        width: width of the range of the hinge, rad.
        entry: contents of the file of roles, whose torque limits take precedence.
        compiled: the compiled model.
        findings: receives the errors and warnings.
    """
    stated = entry.torque.get(hinge.name)
    if stated is not None:
        return stated.ranges
    joint, lower, upper = hinge.joint, 0.0, 0.0
    for motor in motors:
        gear = motor.gear[hinge.axis]
        if gear != 0.0:
            low, high = sorted(gear * force for force in motor.force)
            if motor.kp > 0.0 and compiled.model.jnt_limited[joint.id]:
                most = gear * gear * motor.kp * abs(width)
                low, high = max(low, -most), min(high, most)
            if motor.of_tendon and max(abs(low), abs(high)) < LEAST:
                continue
            lower, upper = lower + low, upper + high
    if lower == upper == 0.0:
        return TorqueRange(0.0, 0.0), TorqueRange(0.0, 0.0)
    limits = is_limited(joint.actfrclimited, joint.actfrcrange, bool(compiled.spec.compiler.autolimits))
    return torque_limits(hinge.name, compiled.element(joint), (lower, upper), limits, findings)


def _gains(
    hinge: SpatialHinge, motors: Sequence[Motor], hard: TorqueRange, entry: SidecarEntry, inertia: float
) -> GainsEntry:
    """Return the PD gains of a hinge: stated ones, those of a position servo, or gains that suit its torque limit.

    Args:
        hinge: the hinge.
        motors: the actuators of the hinge's joint.
        hard: torque limits of the hinge, N m.
        entry: contents of the file of roles.
        inertia: inertia that the hinge moves in the reference configuration, kg m^2.
    """
    if hinge.name in entry.gains.joints or entry.gains.model_fields_set & {"kp", "kd"}:
        return entry.gains_of(hinge.name)
    kp = kd = 0.0
    for motor in motors:
        if motor.kp > 0.0:
            square = motor.gear[hinge.axis] ** 2
            kp += square * motor.kp
            kd += square * motor.kd if motor.kd >= 0.0 else -2.0 * motor.kd * math.sqrt(square * motor.kp * inertia)
    if kp == 0.0:
        return default_gains(hard)
    return GainsEntry(kp=min(kp, 1e6), kd=min(kd, 1e6))


def by_target(motors: Sequence[Motor]) -> Mapping[str, list[Motor]]:
    """Return the actuators of each joint, by the joint's name."""
    found: dict[str, list[Motor]] = {}
    for motor in motors:
        found.setdefault(motor.target, []).append(motor)
    return found
