"""What holds for a whole model: the compiler's settings and the default classes."""

from __future__ import annotations

from dataclasses import dataclass

from ctrlgraph.character.mjcf.attributes import (
    Attributes,
    Given,
    check_names,
    given_by,
    overlay,
    overlay_actuator,
    unknown_element,
)
from ctrlgraph.character.mjcf.schema import ACTUATORS, DEFAULTS_READ_OVER
from ctrlgraph.character.mjcf.xml_source import Findings, XmlElement
from ctrlgraph.errors import quoted, suggestion

MAIN = "main"
"""The class of what names none."""

ACTUATOR = "actuator"
"""What all kinds of actuators share in a class."""

_READ = ("joint", "geom", "pair")
_MOST_CLASSES = 1000


@dataclass(frozen=True, slots=True)
class CompilerSettings:
    """What `<compiler>` decides about the body."""

    degrees: bool = True
    autolimits: bool = True
    euler_sequence: str = "xyz"
    inertia_from_geom: str = "auto"
    inertia_groups: tuple[float, float] = (0.0, 5.0)
    least_mass: float = 0.0
    least_inertia: float = 0.0
    balances_inertia: bool = False
    total_mass: float = -1.0


def read_compiler(root: XmlElement, findings: Findings) -> CompilerSettings:
    """Return the compiler's settings; of those that are given several times, the last holds."""
    given: dict[str, Given] = {}
    last = root
    for last in root.named("compiler"):
        check_names(last, findings)
        given |= given_by(last)
    values = Attributes(XmlElement("compiler", {}, last.line, last.column), findings, given)
    if values.word("coordinate", ("local", "global"), "local") == "global":
        hint = "write every frame in that of its parent, or save the model with a version of MuJoCo before 2.3.4"
        values.fault("coordinate", "global coordinates are not read", "not-supported", hint)
    sequence = values.text("eulerseq") or "xyz"
    if len(sequence) != 3 or set(sequence.lower()) - set("xyz"):
        values.fault("eulerseq", f"'eulerseq' is three of x, y, z, X, Y and Z, not {quoted(sequence)}")
        sequence = "xyz"
    groups = values.numbers("inertiagrouprange", 2) or (0.0, 5.0)
    return CompilerSettings(
        degrees=values.word("angle", ("degree", "radian"), "degree") == "degree",
        autolimits=values.flag("autolimits", True),
        euler_sequence=sequence,
        inertia_from_geom=values.word("inertiafromgeom", ("auto", "true", "false"), "auto"),
        inertia_groups=(groups[0], groups[1]),
        least_mass=values.number("boundmass", 0.0),
        least_inertia=values.number("boundinertia", 0.0),
        balances_inertia=values.flag("balanceinertia", False),
        total_mass=values.number("settotalmass", -1.0),
    )


class DefaultClasses:
    """The default classes of a model, by name.

    A class has all that the one around it has, wherever in it that stands, and its own on top (MuJoCo, "Default
    settings").
    """

    def __init__(self, root: XmlElement, findings: Findings) -> None:
        self._findings = findings
        self._has_includes = next(root.named("include"), None) is not None
        self._classes: dict[str, dict[str, dict[str, Given]]] = {MAIN: {}}
        for section in root.named("default"):
            name = section.attributes.get("class", MAIN)
            if name != MAIN:
                message = f"the outermost class is '{MAIN}', and cannot be {quoted(name)}"
                findings.add("bad-default", message, section, "class", hint="put it into another <default>")
            self._read(section, MAIN)

    def _read(self, section: XmlElement, name: str) -> None:
        check_names(section, self._findings)
        found = self._classes[name]
        for child in section.children:
            if child.tag in _READ:
                check_names(child, self._findings)
                found[child.tag] = overlay(found.get(child.tag, {}), child)
            elif child.tag in ACTUATORS:
                check_names(child, self._findings)
                found[ACTUATOR] = overlay_actuator(found.get(ACTUATOR, {}), child)
            elif child.tag != "default" and child.tag not in DEFAULTS_READ_OVER:
                unknown_element(child, section, (*_READ, *ACTUATORS, *DEFAULTS_READ_OVER, "default"), self._findings)
        for child in section.named("default"):
            inner = child.attributes.get("class", "")
            if not inner or inner in self._classes:
                said = f"a default class {quoted(inner)} is there already" if inner else "a default class needs a name"
                self._findings.add("bad-default", said, child, "class")
            elif len(self._classes) > _MOST_CLASSES:
                said = f"there are more than {_MOST_CLASSES} default classes"
                self._findings.add("too-large", said, child)
                return
            else:
                self._classes[inner] = dict(found)
                self._read(child, inner)

    def attributes(self, element: XmlElement, around: str | None = None) -> Attributes:
        """Return the attributes of an element: its own, and those of the class that it names, else of what is around it
        (`childclass`), else of the main one."""
        name = element.attributes.get("class") or around or MAIN
        if element.attributes.get("class"):  # what is around it was looked at there
            self.check(name, element, "class")
        found = self._classes.get(name, self._classes[MAIN])
        if element.tag in ACTUATORS:
            return Attributes(element, self._findings, overlay_actuator(found.get(ACTUATOR, {}), element))
        return Attributes(element, self._findings, overlay(found.get(element.tag, {}), element))

    def check(self, name: str, element: XmlElement, attribute: str) -> None:
        """Note where there is no class of a name."""
        if name not in self._classes:
            message, hint = f"there is no default class {quoted(name)}", suggestion(name, self._classes)
            if hint is None and self._has_includes:
                hint = "it may be in an included file, which is not opened: copy it here"
            self._findings.add("unknown-class", message, element, attribute, hint=hint)
