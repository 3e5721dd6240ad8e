"""Torque limits of joints from the actuators of a MuJoCo model. How actuators generate forces is ignored."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from ctrlgraph.character.mjcf.compilation import ParsedModel, is_limited
from ctrlgraph.character.mjcf.xml_source import Findings, XmlElement
from ctrlgraph.character.model import TorqueRange
from ctrlgraph.errors import quoted, suggestion


class Actuator(NamedTuple):
    """A motor of a MuJoCo model: the joint that it moves and the torque that it can exert."""

    element: XmlElement
    """The actuator's element in the model."""
    target: str
    """Name of the joint that the actuator moves."""
    torque: TorqueRange
    """Range of the torque about the joint's axis in the MuJoCo model, N m; infinite without a limit."""


def read_actuators(parsed: ParsedModel, findings: Findings) -> list[Actuator]:
    """Return the actuators of joints in a parsed model. Report a warning for each attribute that is ignored."""
    found = []
    for actuator in parsed.spec.actuators:
        element = parsed.element(actuator)
        for name in ("damping", "armature"):
            if np.any(getattr(actuator, name, 0.0)):
                message = f"'{name}' of an actuator acts in the joint and is ignored"
                findings.add_kind(name, message, element, name)
        found.append(Actuator(element, actuator.target, _torque(actuator, bool(parsed.spec.compiler.autolimits))))
    return found


def joint_torques(
    actuators: list[Actuator], hinges: set[str], root: set[str], others: set[str], findings: Findings
) -> dict[str, TorqueRange]:
    """Return the torque range of each hinge, N m, by name of the hinge: the sum of the ranges of its actuators.

    Torques are about the axis in the MuJoCo model. Hinges without actuators are not in the result.

    Args:
        actuators: the actuators of the model.
        hinges: names of the hinges between links.
        root: names of the joints of the root. Their actuators are ignored with a warning.
        others: names of all joints of the model. An actuator of an unknown joint is an error.
        findings: receives the errors and warnings.
    """
    found: dict[str, TorqueRange] = {}
    for element, target, torque in actuators:
        if target in hinges:
            low, high = found.get(target, (0.0, 0.0))
            found[target] = TorqueRange(low + torque.lower, high + torque.upper)
        elif target in root:
            findings.add_kind("root-actuator", "an actuator of the root is ignored", element, "joint")
        elif target not in others:
            hint = suggestion(target, sorted(hinges))
            findings.add("unknown-joint", f"there is no joint {quoted(target)}", element, "joint", hint=hint)
    return found


def _torque(actuator: Any, autolimits: bool) -> TorqueRange:
    low, high = -math.inf, math.inf
    control = is_limited(actuator.ctrllimited, actuator.ctrlrange, autolimits)
    if control is not None and _is_direct(actuator):
        low, high = sorted(float(actuator.gainprm[0]) * bound for bound in control)
    force = is_limited(actuator.forcelimited, actuator.forcerange, autolimits)
    if force is not None:
        low, high = (min(max(bound, force[0]), force[1]) for bound in (low, high))
    gear = float(actuator.gear[0])
    return TorqueRange(0.0, 0.0) if gear == 0.0 else TorqueRange(*sorted((gear * low, gear * high)))


def _is_direct(actuator: Any) -> bool:
    """Return whether the force of an actuator is proportional to its control signal, which MuJoCo may filter."""
    import mujoco

    dynamics = (mujoco.mjtDyn.mjDYN_NONE, mujoco.mjtDyn.mjDYN_FILTER, mujoco.mjtDyn.mjDYN_FILTEREXACT)
    has_gain = actuator.gaintype == mujoco.mjtGain.mjGAIN_FIXED and actuator.biastype == mujoco.mjtBias.mjBIAS_NONE
    return bool(has_gain and actuator.dyntype in dynamics)
