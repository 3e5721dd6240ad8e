"""Attributes of elements as values: numbers within bounds, words of a list; what cannot be is a finding.

An attribute that a default class gives has its place there.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from ctrlgraph.bounds import MAX_CONSTANT, MAX_NUMBER_LENGTH
from ctrlgraph.character.mjcf.schema import ACTUATOR_ATTRIBUTES, ACTUATORS, ATTRIBUTES, LEGACY, ORIENTATIONS, REFUSED
from ctrlgraph.character.mjcf.xml_source import Findings, XmlElement
from ctrlgraph.errors import quoted, suggestion


class Given(NamedTuple):
    """The text of an attribute, and the element in which it stands."""

    text: str
    element: XmlElement


def given_by(element: XmlElement) -> dict[str, Given]:
    """Return what an element itself gives; an empty attribute gives nothing."""
    return {name: Given(text, element) for name, text in element.attributes.items() if text.strip()}


def overlay(inherited: Mapping[str, Given], element: XmlElement) -> dict[str, Given]:
    """Return what an element gives, and of what it inherits the rest; one orientation takes the place of another."""
    own = given_by(element)
    if any(name in own for name in ORIENTATIONS):
        inherited = {name: given for name, given in inherited.items() if name not in ORIENTATIONS}
    return {**inherited, **own}


def overlay_actuator(inherited: Mapping[str, Given], element: XmlElement) -> dict[str, Given]:
    """Return what an actuator gives, and of what it inherits the rest.

    All kinds share their defaults; every kind but `general` begins with a gain and a bias of its own (MuJoCo, "Actuator
    shortcuts"), and is remembered as `shortcut`.
    """
    found = dict(inherited)
    if element.tag != "general":
        found = {name: given for name, given in found.items() if name not in _OF_GENERAL}
        found["shortcut"] = Given(element.tag, element)
    return found | given_by(element)


_OF_GENERAL = ("gaintype", "gainprm", "biastype", "biasprm", "dyntype", "dynprm")


def check_names(element: XmlElement, findings: Findings) -> None:
    """Note the attributes of an element that there are not, with the one that may be meant."""
    known = ACTUATOR_ATTRIBUTES if element.tag in ACTUATORS else ATTRIBUTES[element.tag]
    for name in element.attributes.keys() - known - LEGACY.get(element.tag, frozenset()):
        message = f"<{element.tag}> has no attribute {quoted(name)}"
        findings.add("unknown-attribute", message, element, name, hint=suggestion(name, sorted(known)))


def unknown_element(element: XmlElement, around: XmlElement, known: Iterable[str], findings: Findings) -> None:
    """Note an element that is refused, or that there is not."""
    if element.tag in REFUSED:
        message = f"<{element.tag}> is not supported"
        findings.add("not-supported", message, element, hint=REFUSED[element.tag])
    else:
        message = f"<{around.tag}> has no element {quoted(f'<{element.tag}>')}"
        findings.add("unknown-element", message, element, hint=suggestion(element.tag, sorted(known)))


class Attributes:
    """The attributes of an element, those of its default class included."""

    def __init__(self, element: XmlElement, findings: Findings, inherited: Mapping[str, Given] | None = None) -> None:
        self.element = element
        self._findings = findings
        self._given = {**(inherited or {}), **given_by(element)}

    def __contains__(self, name: str) -> bool:
        return name in self._given

    @property
    def is_faulty(self) -> bool:
        """Tell whether an error of the element is noted."""
        return self._findings.is_faulty(self.element)

    def fault(self, name: str, message: str, code: str = "bad-value", hint: str | None = None) -> None:
        """Note an error about an attribute, where it stands."""
        element = self._given[name].element if name in self._given else self.element
        self._findings.add(code, message, element, name, hint=hint)

    def warn(self, kind: str, name: str, message: str) -> None:
        """Note one of the warnings of a kind about an attribute."""
        self._findings.add_kind(kind, message, self._given[name].element, name)

    def text(self, name: str) -> str | None:
        """Return an attribute as it stands there; None where it is not given."""
        return self._given[name].text if name in self._given else None

    def word(self, name: str, known: tuple[str, ...], default: str) -> str:
        """Return an attribute that is one of some words."""
        text = self.text(name)
        if text is None or text in known:
            return default if text is None else text
        hint = suggestion(text, known) or f"one of {', '.join(known)}"
        self.fault(name, f"'{name}' cannot be {quoted(text)}", hint=hint)
        return default

    def flag(self, name: str, default: bool) -> bool:
        """Return an attribute that is "true" or "false"."""
        return self.word(name, ("false", "true"), "true" if default else "false") == "true"

    def numbers(self, name: str, least: int, most: int | None = None) -> tuple[float, ...] | None:
        """Return an attribute of `least` to `most` numbers (`least` where None); None where not or wrongly given."""
        text = self.text(name)
        if text is None:
            return None
        most = least if most is None else most
        words = text.split(maxsplit=most)
        if not least <= len(words) <= most:
            count = f"{least}" if least == most else f"{least} to {most}"
            what = f"{count} number{'s' * (most > 1)}"
            found = f"more than {most}" if len(words) > most else f"{len(words)}"
            self.fault(name, f"'{name}' has {what}, and this has {found}")
            return None
        values = [_number(word) for word in words]
        for word, value in zip(words, values, strict=True):
            if value is None:
                self.fault(name, f"'{name}' holds {quoted(word, 40)}, which is no number of at most {MAX_CONSTANT:g}")
                return None
        return tuple(value for value in values if value is not None)

    def number(self, name: str, default: float) -> float:
        """Return an attribute of one number."""
        values = self.numbers(name, 1)
        return default if values is None else values[0]

    def mask(self, name: str, default: int) -> int:
        """Return an attribute of one whole number, such as a bit mask."""
        value = self.number(name, default)
        if value != int(value):
            self.fault(name, f"'{name}' must be a whole number, not {value:g}")
            return default
        return int(value)

    def is_limited(self, limited: str, range_name: str, autolimits: bool) -> tuple[float, float] | None:
        """Return the range that is kept to; None where there is none.

        `limited` is true, false or auto, which is true where a range is given.
        """
        state = self.word(limited, ("auto", "true", "false"), "auto")
        values = self.numbers(range_name, 2)
        low, high = (0.0, 0.0) if values is None else values
        if state == "auto":
            if values is not None and not autolimits:
                message = f"'{range_name}' is given, '{limited}' is not, and the compiler's 'autolimits' is false"
                self.fault(range_name, message, hint=f'add {limited}="true" or {limited}="false"')
            state = "true" if low < high else "false"
        if state == "false":
            return None
        if not low < high:
            shown = "no range is given" if values is None else f"{low:g} is not below {high:g}"
            self.fault(range_name if range_name in self else limited, f"'{limited}' needs a range, and {shown}")
            return None
        return low, high


def _number(word: str) -> float | None:
    if len(word) > MAX_NUMBER_LENGTH or "_" in word:
        return None
    try:
        value = float(word)
    except ValueError:
        return None
    return value if math.isfinite(value) and abs(value) <= MAX_CONSTANT else None
