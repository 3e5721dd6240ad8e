"""Collecting findings of one text, each with its source line."""

from __future__ import annotations

from ctrlgraph.errors import Finding, Severity, Span


class Report:
    """The findings of one file, in the order found; `sorted` gives them in the order of the text."""

    def __init__(self, path: str, text: str) -> None:
        self.path = path
        self.findings: list[Finding] = []
        self._lines = text.split("\n")

    def error(self, code: str, message: str, span: Span | None, hint: str | None = None) -> None:
        self._add("error", code, message, span, hint)

    def warning(self, code: str, message: str, span: Span | None, hint: str | None = None) -> None:
        self._add("warning", code, message, span, hint)

    def line(self, number: int) -> str:
        """The text of a line, counted from 1."""
        return self._lines[number - 1].rstrip("\r") if 0 < number <= len(self._lines) else ""

    def has_error_in(self, span: Span, code: str | None = None) -> bool:
        """Whether an error (with this code) stands on the line where the span begins."""
        found = (f for f in self.findings if f.severity == "error" and code in (None, f.code))
        return any(f.span is not None and f.span.line == span.line for f in found)

    @property
    def has_errors(self) -> bool:
        return any(finding.severity == "error" for finding in self.findings)

    def sorted(self) -> tuple[Finding, ...]:
        """Findings by line and column, those without a place first; each only once."""
        unique = dict.fromkeys(self.findings)
        return tuple(sorted(unique, key=lambda f: (f.span.line, f.span.column) if f.span else (0, 0)))

    def _add(self, severity: Severity, code: str, message: str, span: Span | None, hint: str | None) -> None:
        source = self.line(span.line) if span is not None else None
        self.findings.append(Finding(severity, code, message, self.path, span, source, hint))
