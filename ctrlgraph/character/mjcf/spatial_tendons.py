"""Actuators of fixed tendons in a MuJoCo model of a spatial character, as motors of the tendons' joints.

The length of a fixed tendon is the sum of the angles of some joints, times coefficients c. An actuator with the force F
exerts the torque c F about each of these joints. PD control does not couple joints. Therefore each joint gets a motor
with this torque range and, if the actuator is a position servo, with the diagonal element c^2 kp of its stiffness
matrix.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import NamedTuple

from ctrlgraph.bounds import MAX_CONSTANT, MAX_NUMBER_LENGTH
from ctrlgraph.character.mjcf.xml_source import Findings, XmlElement
from ctrlgraph.errors import quoted


class TendonMotors(NamedTuple):
    """A model whose actuators of fixed tendons are replaced by actuators of the tendons' joints."""

    root: XmlElement
    """The element `<mujoco>`."""
    coefficients: dict[int, float]
    """Coefficient of the joint in the tendon, by `id` of the XML element of the actuator that was added for the
    joint."""

    def coefficient(self, element: XmlElement) -> float:
        """Return the factor for the gear of an actuator; 1 if the actuator was not added for a tendon."""
        return self.coefficients.get(id(element), 1.0)

    def has_replaced(self, element: XmlElement) -> bool:
        """Return whether an actuator replaces an actuator of a tendon."""
        return id(element) in self.coefficients


def replace_tendon_actuators(root: XmlElement, findings: Findings) -> TendonMotors:
    """Return a model in which each actuator of a fixed tendon is replaced by actuators of its joints.

    Each replacement is reported in a warning.

    Args:
        root: the element `<mujoco>`. It is not changed.
        findings: receives the warning, and errors about coefficients.
    """
    tendons = {
        tendon.attributes.get("name", ""): [joint for joint in tendon.named("joint") if joint.attributes.get("joint")]
        for section in root.named("tendon")
        for tendon in section.named("fixed")
    }
    coefficients: dict[int, float] = {}
    sections = []
    for section in root.children:
        if section.tag != "actuator":
            sections.append(section)
            continue
        actuators: list[XmlElement] = []
        for actuator in section.children:
            joints = tendons.get(actuator.attributes.get("tendon", ""))
            if not joints or actuator.attributes.get("joint"):
                actuators.append(actuator)
                continue
            message = (
                "an actuator of a tendon is replaced by a motor at each joint of the tendon: the motors are not coupled"
            )
            findings.add_kind("tendon-actuator", message, actuator, "tendon")
            kept = {name: text for name, text in actuator.attributes.items() if name not in ("name", "tendon")}
            for joint in joints:
                own = replace(actuator, attributes=kept | {"joint": joint.attributes["joint"]}, children=[])
                coefficients[id(own)] = _coefficient(joint, findings)
                actuators.append(own)
        sections.append(replace(section, children=actuators))
    return TendonMotors(replace(root, children=sections), coefficients)


def _coefficient(joint: XmlElement, findings: Findings) -> float:
    """Return the coefficient of a joint in a tendon. Report an error and return 0 if it is not a number."""
    text = joint.attributes.get("coef", "")
    try:
        value = float(text) if len(text) <= MAX_NUMBER_LENGTH else math.nan
    except ValueError:
        value = math.nan
    if abs(value) <= MAX_CONSTANT:
        return value
    message = f"'coef' must be a finite number of at most {MAX_CONSTANT:g}, not {quoted(text, 40)}"
    findings.add("bad-value", message, joint, "coef")
    return 0.0
