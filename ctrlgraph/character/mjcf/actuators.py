"""Torque limits of joints from the actuators of a MuJoCo model, and from the joints themselves."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from ctrlgraph.character.mjcf.compilation import ParsedModel, is_limited
from ctrlgraph.character.mjcf.xml_source import Findings, XmlElement
from ctrlgraph.character.model import TorqueRange
from ctrlgraph.character.schema import LEAST, MOST
from ctrlgraph.errors import quoted, suggestion

DEFAULT_TORQUE = 100.0
"""Torque limit of a joint for which the model states none, N m."""


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
                message = f"'{name}' of an actuator is ignored: characters have no damping or armature of motors"
                findings.add_kind(name, message, element, name)
        found.append(Actuator(element, actuator.target, _torque(actuator, bool(parsed.spec.compiler.autolimits))))
    return found


def joint_torques(
    actuators: list[Actuator], hinges: set[str], root: set[str], known: set[str], findings: Findings
) -> dict[str, TorqueRange]:
    """Return the torque range of each hinge, N m, by name of the hinge: the sum of the ranges of its actuators.

    Torques are about the axis in the MuJoCo model. Hinges without actuators are not in the result.

    Args:
        actuators: the actuators of the model.
        hinges: names of the hinges between links.
        root: names of the joints of the root. Their actuators are ignored with a warning.
        known: names of all joints of the model. An actuator of an unknown joint is an error.
        findings: receives the errors and warnings.
    """
    found: dict[str, TorqueRange] = {}
    for element, target, torque in actuators:
        if target in hinges:
            low, high = found.get(target, (0.0, 0.0))
            found[target] = TorqueRange(low + torque.lower, high + torque.upper)
        elif target in root:
            findings.add_kind("root-actuator", "an actuator of the root is ignored", element, "joint")
        elif target not in known:
            hint = suggestion(target, sorted(hinges))
            findings.add("unknown-joint", f"there is no joint {quoted(target)}", element, "joint", hint=hint)
    return found


def _torque(actuator: Any, autolimits: bool) -> TorqueRange:
    low, high = force_range(actuator, autolimits)
    gear = float(actuator.gear[0])
    return TorqueRange(0.0, 0.0) if gear == 0.0 else TorqueRange(*sorted((gear * low, gear * high)))


def force_range(actuator: Any, autolimits: bool) -> tuple[float, float]:
    """Return the minimum and the maximum force of an actuator, which its gear multiplies; infinite without a limit.

    Args:
        actuator: the actuator in MuJoCo's specification.
        autolimits: whether a range without the attribute "limited" is a limit.
    """
    low, high = -math.inf, math.inf
    control = is_limited(actuator.ctrllimited, actuator.ctrlrange, autolimits)
    if control is not None and _is_direct(actuator):
        low, high = sorted(float(actuator.gainprm[0]) * bound for bound in control)
    force = is_limited(actuator.forcelimited, actuator.forcerange, autolimits)
    if force is not None:
        low, high = (min(max(bound, force[0]), force[1]) for bound in (low, high))
    return low, high


def torque_limits(
    name: str,
    element: XmlElement,
    actuators: tuple[float, float] | None,
    force_range: tuple[float, float] | None,
    findings: Findings,
) -> tuple[TorqueRange, TorqueRange]:
    """Return the default torque limit, given by the actuators, and the hard torque limit, given by the joint, N m.

    If only one is given, it is used for both. Report invalid limits.

    Args:
        name: name of the joint.
        element: element of the joint in the model.
        actuators: minimum and maximum torque of the joint's actuators, N m; None without actuators.
        force_range: limits of the joint for the sum of the torques of all actuators, N m; None for no limits.
        findings: receives the errors and warnings.
    """
    motor, taken = (_both_ways(name, element, limits, findings) for limits in (actuators, force_range))
    if math.isinf(motor.upper) and math.isinf(taken.upper):
        message = f"the joint {quoted(name)} has no torque limit: {DEFAULT_TORQUE:g} N m is used"
        findings.add_kind("no-torque", message, element)
        return TorqueRange.symmetric(DEFAULT_TORQUE), TorqueRange.symmetric(DEFAULT_TORQUE)
    hard = motor if math.isinf(taken.upper) else taken
    limit = TorqueRange(max(motor.lower, hard.lower), min(motor.upper, hard.upper))
    least, most = min(map(abs, limit)), max(map(abs, hard))
    if not LEAST <= least <= most <= MOST:
        message = (
            f"the torque limit of the joint {quoted(name)} must be {LEAST:g} to {MOST:g} N m, not"
            f" {least if least < LEAST else most:g}"
        )
        hint = f"change the model, or write torque: {{{name}: [default, hard]}} into the file of roles"
        findings.add("bad-torque", message, element, hint=hint)
    return limit, hard


def _both_ways(name: str, element: XmlElement, limits: tuple[float, float] | None, findings: Findings) -> TorqueRange:
    """Return torque limits as a range; an infinite range for None.

    If the torque can act in one direction only, the larger limit is used in both directions, with a warning.

    Args:
        name: name of the joint.
        element: element of the joint in the model.
        limits: lower and upper limit, N m; None for infinite limits.
        findings: receives the warning.
    """
    if limits is None:
        return TorqueRange.symmetric(math.inf)
    largest = max(map(abs, limits))
    if limits[0] < 0.0 < limits[1] or largest == 0.0:
        return TorqueRange(*limits)
    message = (
        f"the torque limits of the joint {quoted(name)} are {limits[0]:g} and {limits[1]:g}, not on both sides of 0"
    )
    findings.add_kind("one-way-torque", f"{message}: the larger limit is used in both directions", element)
    return TorqueRange.symmetric(largest)


def _is_direct(actuator: Any) -> bool:
    """Return whether the force of an actuator is proportional to its control signal, which MuJoCo may filter."""
    import mujoco

    dynamics = (mujoco.mjtDyn.mjDYN_NONE, mujoco.mjtDyn.mjDYN_FILTER, mujoco.mjtDyn.mjDYN_FILTEREXACT)
    has_gain = actuator.gaintype == mujoco.mjtGain.mjGAIN_FIXED and actuator.biastype == mujoco.mjtBias.mjBIAS_NONE
    return bool(has_gain and actuator.dyntype in dynamics)
