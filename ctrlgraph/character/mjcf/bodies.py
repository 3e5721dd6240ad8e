"""The bodies of a model, in the world at its reference configuration: where they are, their joints, geoms and masses.

A body without joints is fixed to the one around it; one that is fixed to the world is part of the ground.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from ctrlgraph.character.mjcf.attributes import Attributes, check_names, unknown_element
from ctrlgraph.character.mjcf.frames import Array, Frame, identity, read_frame
from ctrlgraph.character.mjcf.geoms import Geom, read_geom
from ctrlgraph.character.mjcf.masses import MassProperties, combine, mass_properties, read_inertial
from ctrlgraph.character.mjcf.schema import BODY_READ_OVER, JOINT_TYPES
from ctrlgraph.character.mjcf.settings import CompilerSettings, DefaultClasses
from ctrlgraph.character.mjcf.xml_source import Findings, XmlElement

WORLD = -1
"""The place of the world among the bodies."""

_PARTS = ("inertial", "joint", "freejoint", "geom", "body", "frame", *sorted(BODY_READ_OVER))
_LEAST_TOTAL = 1e-9  # kg: what weighs less is not scaled, and told where a link has no mass
_MOST_BODIES = 1000
_MOST_GEOMS = 1000


class BodyJoint(NamedTuple):
    """A joint of a body: its attributes, its axis (3,) and a point (3,) of it in the world, m."""

    values: Attributes
    kind: str
    axis: Array
    anchor: Array


@dataclass(slots=True, eq=False)
class ModelBody:
    """A body: its place in the list is its number; `parent` is that of the body around it.

    `frame` is that of the body in the world; geoms and mass properties are in the frame of the body.
    """

    element: XmlElement
    name: str | None
    parent: int
    frame: Frame
    joints: list[BodyJoint] = field(default_factory=list)
    geoms: list[Geom] = field(default_factory=list)
    inertials: list[XmlElement] = field(default_factory=list)
    inertial: MassProperties | None = None
    mass_properties: MassProperties = field(default_factory=lambda: combine([]))


@dataclass(frozen=True, slots=True)
class BodyTree:
    """The bodies of a model in the order of its text, and the geoms of the world itself."""

    bodies: list[ModelBody]
    ground: list[Geom]

    def is_static(self, index: int) -> bool:
        """Tell whether a body is fixed to the world."""
        while index != WORLD:
            if self.bodies[index].joints:
                return False
            index = self.bodies[index].parent
        return True


def read_tree(root: XmlElement, settings: CompilerSettings, classes: DefaultClasses, findings: Findings) -> BodyTree:
    """Return the bodies of a model; what is wrong with them is noted."""
    reader = _TreeReader(settings, classes, findings)
    for section in root.named("worldbody"):
        check_names(section, findings)
        reader.read_parts(section, WORLD, identity(), None)
    tree = BodyTree(reader.bodies, reader.ground)
    for i, body in enumerate(tree.bodies):
        noted = None if tree.is_static(i) else findings
        body.mass_properties = mass_properties(body.element, body.inertial, body.geoms, settings, noted)
    total = sum(body.mass_properties.mass for body in tree.bodies)
    if settings.total_mass > 0.0 and total > _LEAST_TOTAL:
        for body in tree.bodies:
            body.mass_properties = body.mass_properties.scaled(settings.total_mass / total)
    return tree


class _TreeReader:
    """Goes through the bodies of a model."""

    def __init__(self, settings: CompilerSettings, classes: DefaultClasses, findings: Findings) -> None:
        self.bodies: list[ModelBody] = []
        self.ground: list[Geom] = []
        self._settings, self._classes, self._findings = settings, classes, findings
        self._geoms = 0

    def read_parts(self, around: XmlElement, body: int, frame: Frame, childclass: str | None) -> None:
        """Read what stands in a body or in a frame of it; `frame` is that of its parts in the body."""
        for child in around.children:
            if child.tag == "body":
                self._read_body(child, body, frame, childclass)
            elif child.tag == "frame":
                values = self._named(child)
                inner = read_frame(values, self._settings).within(frame)
                self.read_parts(child, body, inner, self._class_within(child, childclass))
            elif child.tag == "geom":
                self._read_geom(child, body, frame, childclass)
            elif child.tag in ("joint", "freejoint"):
                self._read_joint(child, body, frame, childclass)
            elif child.tag == "inertial":
                self._read_inertial(child, around, body)
            elif child.tag not in BODY_READ_OVER:
                unknown_element(child, around, _PARTS, self._findings)

    def _named(self, element: XmlElement) -> Attributes:
        check_names(element, self._findings)
        return Attributes(element, self._findings)

    def _class_within(self, element: XmlElement, around: str | None) -> str | None:
        name = element.attributes.get("childclass") or None
        if name is not None:
            self._classes.check(name, element, "childclass")
        return name or around

    def _read_body(self, element: XmlElement, parent: int, frame: Frame, childclass: str | None) -> None:
        if len(self.bodies) >= _MOST_BODIES:
            if len(self.bodies) == _MOST_BODIES:
                self._findings.add("too-large", f"there are more than {_MOST_BODIES} bodies", element)
            return
        values = self._named(element)
        if values.number("gravcomp", 0.0):
            values.warn("gravcomp", "gravcomp", "'gravcomp' lifts a body, which is not done here")
        outer = identity() if parent == WORLD else self.bodies[parent].frame
        own = read_frame(values, self._settings).within(frame).within(outer)
        self.bodies.append(ModelBody(element, values.text("name"), parent, own))
        self.read_parts(element, len(self.bodies) - 1, identity(), self._class_within(element, childclass))

    def _read_geom(self, element: XmlElement, body: int, frame: Frame, childclass: str | None) -> None:
        self._geoms += 1
        if self._geoms > _MOST_GEOMS:
            if self._geoms == _MOST_GEOMS + 1:
                self._findings.add("too-large", f"there are more than {_MOST_GEOMS} geoms", element)
            return
        check_names(element, self._findings)
        found = read_geom(self._classes.attributes(element, childclass), self._settings, frame)
        (self.ground if body == WORLD else self.bodies[body].geoms).append(found)

    def _read_joint(self, element: XmlElement, body: int, frame: Frame, childclass: str | None) -> None:
        check_names(element, self._findings)
        if body == WORLD:
            self._findings.add("bad-joint", "the world has no joints: they stand in what they move", element)
            return
        values = self._classes.attributes(element, childclass)
        kind = values.word("type", JOINT_TYPES, "hinge")
        if element.tag == "freejoint":  # takes nothing from default classes
            values, kind = Attributes(element, self._findings), "free"
        axis = np.array(values.numbers("axis", 3) or (0.0, 0.0, 1.0))
        length = float(np.linalg.norm(axis))
        if length < 1e-14:
            values.fault("axis", "'axis' has no direction: it is too short")
            axis, length = np.array([0.0, 0.0, 1.0]), 1.0
        own = self.bodies[body].frame
        anchor = own.point(frame.point(np.array(values.numbers("pos", 3) or (0.0, 0.0, 0.0))))
        self.bodies[body].joints.append(BodyJoint(values, kind, own.rotation @ frame.rotation @ axis / length, anchor))

    def _read_inertial(self, element: XmlElement, around: XmlElement, body: int) -> None:
        values = self._named(element)
        if body == WORLD or around.tag == "frame" or self.bodies[body].inertials:
            message = "<inertial> cannot stand here: a body has one, and the world and frames have none"
            self._findings.add("bad-inertial", message, element)
            return
        self.bodies[body].inertials.append(element)
        self.bodies[body].inertial = read_inertial(values, self._settings)
