"""Parsing of XML into elements with their positions in the text. Limits of size and depth are checked meanwhile.

No other file is read. A document type (`<!DOCTYPE>`) is an error, because it can declare entities and name other files.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import NoReturn
from xml.parsers import expat

from ctrlgraph.bounds import MAX_FILE_BYTES, MAX_FINDINGS, MAX_VALUES, MAX_XML_DEPTH
from ctrlgraph.errors import Finding, Severity, SourceError, Span
from ctrlgraph.yaml_source import LONGEST_LINE, cut_short, first_findings, read_source

_NAME = re.compile(r"<([^\s/>]+)")
_ATTRIBUTE = re.compile(r"""\s+([^\s=]+)\s*=\s*("[^"]*"|'[^']*')""")


@dataclass(slots=True, eq=False)
class XmlElement:
    """An XML element with its attributes, its position in the text and its children."""

    tag: str
    attributes: dict[str, str]
    """Texts of the attributes by name, not converted to numbers."""
    line: int
    """Line on which the element begins, from 1."""
    column: int
    """Column at which the element begins, from 1."""
    children: list[XmlElement] = field(default_factory=list)

    def named(self, tag: str) -> Iterator[XmlElement]:
        """Return the direct children that have this tag."""
        return (child for child in self.children if child.tag == tag)


@dataclass(frozen=True)
class XmlSource:
    """The text of an XML file and its root element."""

    path: str
    """Path of the file as shown in messages."""
    text: str
    root: XmlElement

    @cached_property
    def _starts(self) -> list[int]:
        return [0, *(match.end() for match in re.finditer("\n", self.text))]

    def span(self, element: XmlElement, attribute: str | None) -> Span:
        """Return the position in the text of an element's tag, or of one of the element's attributes.

        Args:
            element: element of this file.
            attribute: name of an attribute. If it is None or not an attribute of the element, the position of the tag
                is returned.
        """
        begin = self._starts[element.line - 1] + element.column - 1
        name = _NAME.match(self.text, begin)
        start, end = begin, begin + 1 if name is None else name.end()
        at = end
        while attribute is not None and (found := _ATTRIBUTE.match(self.text, at)):
            at = found.end()
            if found[1] == attribute:
                start, end = found.span(1)[0], found.end()
                break
        return Span(*self._place(start), *self._place(end))

    def _place(self, index: int) -> tuple[int, int]:
        line = bisect_right(self._starts, index)
        return line, index - self._starts[line - 1] + 1


class EnoughFound(Exception):
    """Raised to end the checks of a file when the maximum number of reported errors has been reached."""


class Findings:
    """Collection of the errors and warnings about an XML file, with their positions in the text."""

    def __init__(self, source: XmlSource) -> None:
        self.source = source
        self._lines = source.text.split("\n")
        self._found: dict[Severity, list[Finding]] = {"error": [], "warning": []}
        self._kinds: dict[str, tuple[str, XmlElement, str | None, int]] = {}
        self._faulty: set[int] = set()
        self._reported: set[tuple[int, str | None, str]] = set()

    def add(
        self,
        code: str,
        message: str,
        element: XmlElement,
        attribute: str | None = None,
        *,
        hint: str | None = None,
        severity: Severity = "error",
    ) -> None:
        """Add a finding (error or warning) about an element, or about one of its attributes.

        Args:
            code: identifier of the kind of finding, such as "bad-root".
            message: what is wrong.
            element: element with the fault.
            attribute: name of the attribute with the fault; None for the element itself.
            hint: how to correct the fault.
            severity: "error" or "warning".

        Raises:
            EnoughFound: the maximum number of errors has already been found.
        """
        found = self._found[severity]
        if severity == "error":
            self._faulty.add(id(element))  # elements live as long as their source
        if (id(element), attribute, message) in self._reported:
            return  # the finding is about a default class that several elements use
        self._reported.add((id(element), attribute, message))
        if len(found) <= MAX_FINDINGS:
            span = self.source.span(element, attribute)
            found.append(_finding(self._lines, self.source.path, code, message, span, hint, severity))
        elif severity == "error":
            raise EnoughFound

    def add_kind(self, kind: str, message: str, element: XmlElement, attribute: str | None = None) -> None:
        """Add one of several similar warnings, which are reported as one warning at the first place, with their number.

        Args:
            kind: identifier of the kind of warning. All warnings of a kind are reported together.
            message: what is wrong. The message of the first call of a kind is reported.
            element: element with the fault.
            attribute: name of the attribute with the fault; None for the element itself.
        """
        first = self._kinds.get(kind, (message, element, attribute, 0))
        self._kinds[kind] = (*first[:3], first[3] + 1)

    def include(self, findings: Iterable[Finding]) -> None:
        """Add errors and warnings about another file that belongs to this one, such as the file of roles.

        If errors have been found before, the warnings are omitted, because they can be consequences of the errors.
        """
        failed = self.failed
        for finding in findings:
            if finding.severity == "error" or not failed:
                self._found[finding.severity].append(finding)

    @property
    def failed(self) -> bool:
        """Return whether an error has been found."""
        return bool(self._found["error"])

    def is_faulty(self, element: XmlElement) -> bool:
        """Return whether an error about this element has been added."""
        return id(element) in self._faulty

    def all(self) -> list[Finding]:
        """Return all errors in the order of the text, then all warnings in the order of the text."""
        for kind, (message, element, attribute, count) in self._kinds.items():
            more = "" if count == 1 else f" ({count} places in all)"
            self.add(kind, message + more, element, attribute, severity="warning")
        return first_findings([each for found in self._found.values() for each in sorted(found, key=self._order)])

    def _order(self, finding: Finding) -> tuple[bool, int, int]:
        span, is_other = finding.span, finding.path != self.source.path
        return (is_other, 0, 0) if span is None else (is_other, span.line, span.column)


def _finding(
    lines: list[str], path: str, code: str, message: str, span: Span, hint: str | None, severity: Severity
) -> Finding:
    text = lines[span.line - 1] if span.line <= len(lines) else ""
    shown = text if len(text) <= LONGEST_LINE else None
    hint = None if hint is None else cut_short(hint)
    return Finding(severity, code, cut_short(message), path, span, shown, hint)


def read_xml(path: Path | str, what: str) -> XmlSource:
    """Read and parse an XML file.

    Args:
        path: path of the file.
        what: kind of file for messages, such as "character".

    Raises:
        SourceError: the file is missing, is not a regular file, is not XML, declares a document type, or is too large.
    """
    text, shown = read_source(path, what)
    return parse_xml(text, shown, what)


def parse_xml(text: str, path: str, what: str) -> XmlSource:
    """Parse an XML text.

    Args:
        text: text to parse.
        path: path of the file as shown in messages.
        what: kind of file for messages, such as "character".

    Raises:
        SourceError: the text is not XML, declares a document type, is too large or is nested too deeply.
    """
    if len(text) > MAX_FILE_BYTES:
        message = f"the {what} file must not be larger than {MAX_FILE_BYTES / 1e6:g} MB"
        raise SourceError([Finding("error", "too-large", message, path)])
    builder = _Builder()
    try:
        return XmlSource(path, text, builder.root_of(text))
    except _XmlFault as fault:
        code, message, line, column = fault.args
    except expat.ExpatError as error:
        code, message = "not-xml", f"the text is not valid XML: {expat.ErrorString(error.code)}"
        line, column = error.lineno, error.offset + 1
    except ValueError as error:
        code, message = "not-xml", f"the text is not valid XML: {error}"
        line, column = builder.place()
    span = Span(line, column, line, column + 1)
    raise SourceError([_finding(text.split("\n"), path, code, message, span, None, "error")]) from None


class _XmlFault(Exception):
    """A fault in an XML text. Its arguments are the code, the message, the line and the column, both from 1."""


class _Builder:
    """Builder of a tree of elements from the events of the XML parser. It checks the limits of size and depth."""

    def __init__(self) -> None:
        self._document = XmlElement("", {}, 1, 1)
        self._open = [self._document]
        self._n_values = 0
        self._parser = expat.ParserCreate()
        self._parser.StartElementHandler = self._start
        self._parser.EndElementHandler = lambda name: self._open.pop()
        self._parser.StartDoctypeDeclHandler = self._refuse_document_type

    def root_of(self, text: str) -> XmlElement:
        """Parse a text, and return its root element."""
        self._parser.Parse(text, True)
        return self._document.children[0]

    def place(self) -> tuple[int, int]:
        """Return the current line and column of the parser, from 1."""
        return self._parser.CurrentLineNumber, self._parser.CurrentColumnNumber + 1

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        self._n_values += 1 + len(attributes)
        if self._n_values > MAX_VALUES:
            self._refuse("too-large", f"the file has more than {MAX_VALUES} elements and attributes")
        if len(self._open) > MAX_XML_DEPTH:
            self._refuse("too-deep", f"the elements are nested more than {MAX_XML_DEPTH} levels deep")
        element = XmlElement(name, attributes, *self.place())
        self._open[-1].children.append(element)
        self._open.append(element)

    def _refuse_document_type(self, *_: object) -> NoReturn:
        message = "a document type is not allowed, because it may define entities and name other files: remove it"
        self._refuse("not-xml", message)

    def _refuse(self, code: str, message: str) -> NoReturn:
        raise _XmlFault(code, message, *self.place())  # the parser advances before it returns
