"""The ground of a model: which geoms can touch it. What it looks like is not read; a character walks on our terrain."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from ctrlgraph.character.mjcf.attributes import Attributes, check_names, unknown_element
from ctrlgraph.character.mjcf.bodies import WORLD, BodyTree
from ctrlgraph.character.mjcf.geoms import Geom
from ctrlgraph.character.mjcf.xml_source import Findings, XmlElement
from ctrlgraph.errors import quoted

_GRAVITY = (0.0, 0.0, -9.81)


class Ground:
    """The geoms that do not move, and what contacts with them there are.

    Without any, a floor is assumed that touches what MuJoCo's own would: contype and conaffinity 1.
    """

    def __init__(self, root: XmlElement, tree: BodyTree, findings: Findings) -> None:
        self._tree = tree
        self._geoms = [(WORLD, geom) for geom in tree.ground]
        for i, body in enumerate(tree.bodies):
            if tree.is_static(i):
                self._geoms += [(i, geom) for geom in body.geoms]
        standing = {geom.name for _, geom in self._geoms}
        self._masks = {(i, geom.contype, geom.conaffinity) for i, geom in self._geoms}
        self._paired: set[str | None] = set()
        self._excluded: set[frozenset[str]] = set()
        for one, other in self._read_contacts(root, findings):
            self._paired |= {one} if other in standing else set()
            self._paired |= {other} if one in standing else set()
        self._warn_of_shapes(findings)

    def touches(self, body: int, geom: Geom) -> bool:
        """Tell whether contacts of a geom of a body with the ground are looked for."""
        if not self._geoms:
            return bool((geom.contype | geom.conaffinity) & 1)
        return geom.name in self._paired or any(
            (geom.contype & conaffinity or contype & geom.conaffinity)
            and frozenset((self._name(body), self._name(other))) not in self._excluded
            for other, contype, conaffinity in self._masks
        )

    def _name(self, body: int) -> str:
        return "world" if body == WORLD else self._tree.bodies[body].name or ""

    def _read_contacts(self, root: XmlElement, findings: Findings) -> Iterator[tuple[str, str]]:
        """The pairs of geoms that are to touch; of bodies that are not to, those are kept."""
        bodies = {"world", *(body.name for body in self._tree.bodies)}
        geoms = {geom.name for _, geom in self._geoms} | {g.name for body in self._tree.bodies for g in body.geoms}
        for element, section in _children(root, "contact"):
            if element.tag not in ("pair", "exclude"):
                unknown_element(element, section, ("pair", "exclude"), findings)
                continue
            check_names(element, findings)
            is_pair = element.tag == "pair"
            ends, known = (("geom1", "geom2"), geoms) if is_pair else (("body1", "body2"), bodies)
            one, other = (element.attributes.get(end, "") for end in ends)
            for end, name in zip(ends, (one, other), strict=True):
                if name not in known or not name:
                    message = f"there is no {end[:4]} {quoted(name)}" if name else f"<{element.tag}> needs '{end}'"
                    findings.add("unknown-name", message, element, end)
            if is_pair:
                yield one, other
            else:
                self._excluded.add(frozenset((one, other)))

    def _warn_of_shapes(self, findings: Findings) -> None:
        """Tell of what stands in the world beside a level floor."""
        for i, geom in self._geoms:
            frame = geom.frame if i == WORLD else geom.frame.within(self._tree.bodies[i].frame)
            is_floor = geom.shape == "plane" and frame.rotation[2, 2] > 1.0 - 1e-9
            if not is_floor and (geom.contype or geom.conaffinity):
                message = "the ground is not read: a character stands on the terrain that a command is given"
                findings.add_kind("ground", message, geom.element)


def _children(root: XmlElement, tag: str) -> Iterator[tuple[XmlElement, XmlElement]]:
    for section in root.named(tag):
        for element in section.children:
            yield element, section


def warn_of_options(root: XmlElement, findings: Findings) -> None:
    """Tell of options under which the same body moves otherwise."""
    for option in root.named("option"):
        values = Attributes(option, findings)
        gravity = values.numbers("gravity", 3)
        if gravity is not None and math.dist(gravity, _GRAVITY) > 0.02:
            values.warn("gravity", "gravity", "gravity is -9.81 m/s2 along z here, whatever the model says")
        for name, count in (("density", 1), ("viscosity", 1), ("wind", 3)):
            if np.any(values.numbers(name, count) or 0.0):
                values.warn("fluid", name, "there is no fluid around a character: it is left out")
        for flag in option.named("flag"):
            for name in ("gravity", "contact", "limit", "actuation"):
                if flag.attributes.get(name) == "disable":
                    findings.add_kind("flag", f"'{name}' cannot be disabled here", flag, name)
