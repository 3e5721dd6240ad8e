"""Collecting findings of one text, each with its source line."""

from __future__ import annotations

from ctrlgraph.errors import Finding, Severity, Span

MAX_FINDINGS = 200


class FindingCollector:
    """The findings of one file, in the order of their discovery. `sorted` returns them in the order of the text.

    At most `MAX_FINDINGS` errors and as many warnings are kept. A last finding reports that others were dropped.
    """

    def __init__(self, path: str, text: str) -> None:
        self.path = path
        self.findings: list[Finding] = []
        self._lines = text.split("\n")
        self._counts: dict[Severity, int] = {"error": 0, "warning": 0}

    def error(self, code: str, message: str, span: Span | None, hint: str | None = None) -> None:
        """Add an error."""
        self._add("error", code, message, span, hint)

    def warning(self, code: str, message: str, span: Span | None, hint: str | None = None) -> None:
        """Add a warning."""
        self._add("warning", code, message, span, hint)

    def line(self, number: int) -> str:
        """Return the text of a line, counted from 1."""
        return self._lines[number - 1].rstrip("\r") if 0 < number <= len(self._lines) else ""

    def has_error_in(self, span: Span, code: str | None = None) -> bool:
        """Return whether there is an error (with this code) on the line where the span begins."""
        found = (f for f in self.findings if f.severity == "error" and code in (None, f.code))
        return any(f.span is not None and f.span.line == span.line for f in found)

    @property
    def is_full(self) -> bool:
        """Return whether further errors are dropped. Callers then skip hints that are slow to compute."""
        return self._counts["error"] > MAX_FINDINGS

    def sorted(self) -> tuple[Finding, ...]:
        """Return the findings by line and column, without duplicates. Findings without a place come first."""
        unique = dict.fromkeys(self.findings)
        return tuple(sorted(unique, key=lambda f: (f.span.line, f.span.column) if f.span else (0, 0)))

    def _add(self, severity: Severity, code: str, message: str, span: Span | None, hint: str | None) -> None:
        self._counts[severity] += 1
        if self._counts[severity] > MAX_FINDINGS:
            if self._counts[severity] > MAX_FINDINGS + 1:
                return
            message, hint = f"more than {MAX_FINDINGS} {severity}s; the rest are not shown", None
        source = self.line(span.line) if span is not None else None
        self.findings.append(Finding(severity, code, message, self.path, span, source, hint))
