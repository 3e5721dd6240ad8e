"""XML texts made into elements with their places, within bounds that hold before anything is built of them.

Nothing but the text itself is read: a document type, which may declare entities and name other files, is a fault.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from io import StringIO
from pathlib import Path
from typing import NoReturn
from xml.sax import SAXParseException
from xml.sax.handler import ContentHandler, ErrorHandler
from xml.sax.xmlreader import AttributesImpl, InputSource, Locator

from defusedxml import DefusedXmlException
from defusedxml.sax import make_parser

from ctrlgraph.bounds import MAX_FILE_BYTES, MAX_FINDINGS, MAX_VALUES, MAX_XML_DEPTH
from ctrlgraph.errors import Finding, Severity, SourceError, Span
from ctrlgraph.yaml_source import LONGEST_LINE, cut_short, first_findings, read_source

_NAME = re.compile(r"<([^\s/>]+)")
_ATTRIBUTE = re.compile(r"""\s+([^\s=]+)\s*=\s*("[^"]*"|'[^']*')""")


@dataclass(slots=True, eq=False)
class XmlElement:
    """An element: its attributes as they stand there, its children, and where it begins (line and column from 1)."""

    tag: str
    attributes: dict[str, str]
    line: int
    column: int
    children: list[XmlElement] = field(default_factory=list)

    def named(self, tag: str) -> Iterator[XmlElement]:
        """Return the children of this tag."""
        return (child for child in self.children if child.tag == tag)


@dataclass(frozen=True)
class XmlSource:
    """An XML file: its text and its root element."""

    path: str
    text: str
    root: XmlElement

    def finding(
        self,
        code: str,
        message: str,
        element: XmlElement,
        attribute: str | None = None,
        *,
        hint: str | None = None,
        severity: Severity = "error",
    ) -> Finding:
        """Return a finding about an element, or about one of its attributes."""
        span = self._span(element, attribute)
        text = self._lines[span.line - 1] if span.line <= len(self._lines) else ""
        line = text if len(text) <= LONGEST_LINE else None
        hint = None if hint is None else cut_short(hint)
        return Finding(severity, code, cut_short(message), self.path, span, line, hint)

    @cached_property
    def _lines(self) -> list[str]:
        return self.text.split("\n")

    @cached_property
    def _starts(self) -> list[int]:
        starts = [0]
        for line in self._lines:
            starts.append(starts[-1] + len(line) + 1)
        return starts

    def _span(self, element: XmlElement, attribute: str | None) -> Span:
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
        before = self.text.count("\n", 0, index)
        return before + 1, index - self._starts[before] + 1


class EnoughFound(Exception):
    """More is wrong with a file than is told of one."""


class Findings:
    """What is wrong with a file, as it is found."""

    def __init__(self, source: XmlSource) -> None:
        self.source = source
        self._found: dict[Severity, list[Finding]] = {"error": [], "warning": []}
        self._kinds: dict[str, tuple[str, XmlElement, str | None, int]] = {}
        self._faulty: set[int] = set()
        self._said: set[tuple[int, str | None, str]] = set()

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
        """Note a finding about an element, or about one of its attributes.

        Raises:
            EnoughFound: there are more errors than are told.
        """
        found = self._found[severity]
        if severity == "error":
            self._faulty.add(id(element))  # elements live as long as their source
        if (id(element), attribute, message) in self._said:
            return  # of a default class that several take it from
        self._said.add((id(element), attribute, message))
        if len(found) <= MAX_FINDINGS:
            found.append(self.source.finding(code, message, element, attribute, hint=hint, severity=severity))
        elif severity == "error":
            raise EnoughFound

    def add_kind(self, kind: str, message: str, element: XmlElement, attribute: str | None = None) -> None:
        """Note one of many like ones: a warning at the first of a kind tells how many there are."""
        said, first, place, count = self._kinds.get(kind, (message, element, attribute, 0))
        self._kinds[kind] = (said, first, place, count + 1)

    def include(self, findings: Iterable[Finding]) -> None:
        """Note findings of another file that belongs to this one; its warnings only where nothing else is wrong, as
        they may come of that.
        """
        failed = self.failed
        for finding in findings:
            if finding.severity == "error" or not failed:
                self._found[finding.severity].append(finding)

    @property
    def failed(self) -> bool:
        """Tell whether an error has been found."""
        return bool(self._found["error"])

    def is_faulty(self, element: XmlElement) -> bool:
        """Tell whether an error of an element is noted; what else is wrong with it may only follow from that."""
        return id(element) in self._faulty

    def all(self) -> list[Finding]:
        """Return errors and warnings, each in the order of the text."""
        warnings = list(self._found["warning"])
        for kind, (message, element, attribute, count) in self._kinds.items():
            more = "" if count == 1 else f" ({count} places in all)"
            warnings.append(self.source.finding(kind, message + more, element, attribute, severity="warning"))
        return first_findings([*sorted(self._found["error"], key=self._order), *sorted(warnings, key=self._order)])

    def _order(self, finding: Finding) -> tuple[bool, int, int]:
        span, is_other = finding.span, finding.path != self.source.path
        return (is_other, 0, 0) if span is None else (is_other, span.line, span.column)


def read_xml(path: Path | str, what: str) -> XmlSource:
    """Return the elements of a file; `what` names the file in messages ("character").

    Raises:
        SourceError: it is missing, no regular file, too large, or no XML.
    """
    text, shown = read_source(path, what)
    return parse_xml(text, shown, what)


def parse_xml(text: str, path: str, what: str) -> XmlSource:
    """Return as `read_xml`, of a text; `path` is the file's name in messages.

    Raises:
        SourceError: it is no XML, declares a document type, or goes beyond a bound.
    """
    if len(text) > MAX_FILE_BYTES:
        message = f"the {what} file has more than {MAX_FILE_BYTES / 1e6:g} MB"
        raise SourceError([Finding("error", "too-large", message, path)])
    builder = _Builder()
    try:
        parser = make_parser()
        parser.forbid_dtd = True
        parser.setContentHandler(builder)
        parser.setErrorHandler(_Faults())
        source = InputSource()
        source.setCharacterStream(StringIO(text))
        parser.parse(source)
    except _XmlFault as fault:
        raise _fault(text, path, fault.code, str(fault), fault.line, fault.column) from None
    except DefusedXmlException:
        message = "this declares a document type, which is not read: it may define entities and name other files"
        raise _fault(text, path, "not-xml", message, *builder.place()) from None
    except ValueError as error:
        raise _fault(text, path, "not-xml", f"this is not XML: {error}", *builder.place()) from None
    if builder.root is None:
        raise _fault(text, path, "not-xml", "this is not XML: it holds no element", 1, 1)
    return XmlSource(path, text, builder.root)


class _XmlFault(Exception):
    """What is wrong with a text, and where."""

    def __init__(self, code: str, message: str, line: int, column: int) -> None:
        super().__init__(message)
        self.code, self.line, self.column = code, line, column


class _Builder(ContentHandler):
    """Makes elements of the parser's events, as long as they stay within the bounds."""

    root: XmlElement | None = None
    _locator: Locator  # the parser sets it

    def __init__(self) -> None:
        super().__init__()
        self._open: list[XmlElement] = []
        self._values = 0

    def place(self) -> tuple[int, int]:
        """Return the line and column that the parser is at."""
        line, column = self._locator.getLineNumber(), self._locator.getColumnNumber()
        return max(line or 1, 1), max(column or 0, 0) + 1

    def startElement(self, name: str, attrs: AttributesImpl) -> None:
        line, column = self.place()
        self._values += 1 + len(attrs)
        if self._values > MAX_VALUES:
            message = f"it holds more than {MAX_VALUES} elements and attributes"
            raise _XmlFault("too-large", message, line, column)
        if len(self._open) >= MAX_XML_DEPTH:
            raise _XmlFault("too-deep", f"it is nested more than {MAX_XML_DEPTH} levels deep", line, column)
        element = XmlElement(name, {key: attrs.getValue(key) for key in attrs.getNames()}, line, column)
        if self._open:
            self._open[-1].children.append(element)
        else:
            self.root = element
        self._open.append(element)

    def endElement(self, name: str) -> None:
        self._open.pop()


class _Faults(ErrorHandler):
    def error(self, exception: BaseException) -> NoReturn:
        self.fatalError(exception)

    def fatalError(self, exception: BaseException) -> NoReturn:
        line, column, said = 1, 0, str(exception)
        if isinstance(exception, SAXParseException):
            line, column = exception.getLineNumber() or 1, exception.getColumnNumber() or 0
            said = exception.getMessage()
        raise _XmlFault("not-xml", f"this is not XML: {said}", line, column + 1)

    def warning(self, exception: BaseException) -> None:
        """Say nothing (the base class prints)."""


def _fault(text: str, path: str, code: str, message: str, line: int, column: int) -> SourceError:
    lines = text.split("\n")
    shown = lines[line - 1] if line <= len(lines) and len(lines[line - 1]) <= LONGEST_LINE else None
    span = Span(line, column, line, column + 1)
    return SourceError([Finding("error", code, cut_short(message), path, span, shown)])
