"""Collection of the findings (errors and warnings) in one text, each with its line of the text."""

from __future__ import annotations

from ctrlgraph.errors import Finding, Severity, Span

MAX_FINDINGS = 200
"""Maximum number of errors, and of warnings, that are kept for one text."""


class FindingCollector:
    """Collector of the errors and warnings in one text.

    At most `MAX_FINDINGS` errors and as many warnings are kept. If there are more, a last one reports this.

    Args:
        path: Name of the file in the findings.
        text: Text of the file.
    """

    def __init__(self, path: str, text: str) -> None:
        self.path = path
        self.findings: list[Finding] = []
        self._lines = text.split("\n")
        self._counts: dict[Severity, int] = {"error": 0, "warning": 0}

    def error(self, code: str, message: str, span: Span | None, hint: str | None = None) -> None:
        """Add an error.

        Args:
            code: short stable word for the kind of error, such as "unknown-joint".
            message: what is wrong.
            span: place of the error in the text; None for the whole file.
            hint: what to do, or None.
        """
        self._add("error", code, message, span, hint)

    def warning(self, code: str, message: str, span: Span | None, hint: str | None = None) -> None:
        """Add a warning.

        Args:
            code: short stable word for the kind of warning, such as "unused-parameter".
            message: what is doubtful.
            span: place of the warning in the text; None for the whole file.
            hint: what to do, or None.
        """
        self._add("warning", code, message, span, hint)

    def line(self, number: int) -> str:
        """Return line `number` of the text, counted from 1; empty if there is no such line."""
        return self._lines[number - 1].rstrip("\r") if 0 < number <= len(self._lines) else ""

    def has_error_in(self, span: Span, code: str | None = None) -> bool:
        """Return whether there is an error in the line where a span of the text begins.

        Args:
            span: the span.
            code: kind of error that is searched for; None for any error.
        """
        found = (f for f in self.findings if f.severity == "error" and code in (None, f.code))
        return any(f.span is not None and f.span.line == span.line for f in found)

    @property
    def is_full(self) -> bool:
        """Return whether further errors will be dropped, so that hints that are slow to compute are not needed."""
        return self._counts["error"] > MAX_FINDINGS

    def sorted(self) -> tuple[Finding, ...]:
        """Return the findings sorted by line and column, without duplicates. Those for the whole file come first."""
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
