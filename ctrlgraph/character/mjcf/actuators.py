"""Actuators as what limits the torques of joints; how they make forces is not read."""

from __future__ import annotations

import math
from collections.abc import Collection

from ctrlgraph.character.mjcf.attributes import Attributes, check_names, unknown_element
from ctrlgraph.character.mjcf.schema import ACTUATORS
from ctrlgraph.character.mjcf.settings import CompilerSettings, DefaultClasses
from ctrlgraph.character.mjcf.xml_source import Findings, XmlElement
from ctrlgraph.character.model import TorqueRange
from ctrlgraph.errors import quoted, suggestion

_TRANSMISSIONS = ("tendon", "site", "body", "cranksite", "slidersite", "refsite")
_FOLLOWING = ("none", "filter", "filterexact")
"""Dynamics under which an activation stays within the range of the control."""


def read_actuators(
    root: XmlElement,
    joints: Collection[str],
    root_joints: Collection[str | None],
    other_joints: Collection[str | None],
    settings: CompilerSettings,
    classes: DefaultClasses,
    findings: Findings,
) -> dict[str, TorqueRange]:
    """Return the torques of the joints that have actuators, by the joint's name; what is wrong is noted.

    They are what all actuators of a joint can do together, about MuJoCo's axis; infinite where nothing limits them.

    Args:
        joints: the names of the hinges.
        root_joints: those of the joints of the root, which no actuator of a character moves.
        other_joints: those of joints that are no part of a character, which is said elsewhere.
    """
    found: dict[str, TorqueRange] = {}
    for section in root.named("actuator"):
        for element in section.children:
            if element.tag not in ACTUATORS:
                unknown_element(element, section, ACTUATORS, findings)
                continue
            check_names(element, findings)
            values = classes.attributes(element)
            target = values.text("joint") or values.text("jointinparent")
            torque = _torque(values, settings)
            if target is None:
                _note_other_target(values, findings)
            elif target in joints:
                low, high = found.get(target, (0.0, 0.0))
                found[target] = TorqueRange(low + torque.lower, high + torque.upper)
            elif target in root_joints:
                values.warn("root-actuator", "joint", "an actuator of the root is left out: nothing else moves it")
            elif target not in other_joints:
                hint = suggestion(target, sorted(joints))
                values.fault("joint", f"there is no joint {quoted(target)}", "unknown-joint", hint)
    return found


def _note_other_target(values: Attributes, findings: Findings) -> None:
    other = next((name for name in _TRANSMISSIONS if name in values), None)
    if other is None:
        findings.add("bad-actuator", "an actuator needs 'joint': what it moves", values.element)
    else:
        values.warn("other-actuator", other, f"an actuator of a {other} is left out: only joints are moved")


def _torque(values: Attributes, settings: CompilerSettings) -> TorqueRange:
    """The torque that one actuator can make."""
    for name in ("damping", "armature"):
        if any(values.numbers(name, 1, 3) or ()):
            values.warn(name, name, f"'{name}' of an actuator acts in the joint, which is left out")
    low, high = -math.inf, math.inf
    control = values.is_limited("ctrllimited", "ctrlrange", settings.autolimits)
    if control is not None and _is_direct(values):
        gain = (values.numbers("gainprm", 1, 10) or (1.0,))[0]
        low, high = sorted(gain * bound for bound in control)
    force = values.is_limited("forcelimited", "forcerange", settings.autolimits)
    if force is not None:
        low, high = (min(max(bound, force[0]), force[1]) for bound in (low, high))
    gear = (values.numbers("gear", 1, 6) or (1.0,))[0]
    if gear == 0.0:
        return TorqueRange(0.0, 0.0)
    return TorqueRange(*sorted((gear * low, gear * high)))


def _is_direct(values: Attributes) -> bool:
    """Whether the force is the control times a gain."""
    is_motor = values.text("shortcut") in (None, "motor")
    plain = {"gaintype": "fixed", "biastype": "none", "dyntype": "none"} if is_motor else {}
    gain, bias, dynamics = (values.text(name) or plain.get(name) for name in ("gaintype", "biastype", "dyntype"))
    return gain == "fixed" and bias == "none" and dynamics in _FOLLOWING
