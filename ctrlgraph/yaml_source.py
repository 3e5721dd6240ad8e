"""YAML files with the line and column of every value, for findings (errors with their place in the file).

A `YamlSource` contains the plain data, which pydantic validates, and the node tree of PyYAML, which has the lines and
columns. `validate` converts all errors of pydantic to findings.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence, Sized
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from itertools import zip_longest
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar, cast, get_args

import yaml

from ctrlgraph.bounds import MAX_FINDINGS
from ctrlgraph.errors import Finding, Severity, SourceError, Span, suggestion
from ctrlgraph.paths import display_path
from ctrlgraph.yaml_loader import YamlFault, load, read_text, unprintable

if TYPE_CHECKING:
    from pydantic import BaseModel
    from pydantic_core import ErrorDetails

Location = Sequence[str | int]
"""Keys and list indices that lead from the root of the data to a value, as in ["edges", 3, "from"]."""
ModelT = TypeVar("ModelT", bound="BaseModel")


LONGEST_LINE = 500
"""Maximum number of characters of a source line in a finding. Longer lines are not shown."""
_LONGEST_MESSAGE = 500
_LONGEST_KEPT = 100_000  # characters; a node tree takes 50 to 230 bytes for each: eight cached trees, up to 180 MB
MORE_FAULTS = "there are more errors, which are not shown"


@dataclass(frozen=True)
class YamlSource:
    """A YAML file: its text, its data, and its node tree."""

    path: str
    """Path of the file, as messages show it."""
    text: str
    """Text of the file."""
    data: Any
    """Contents of the file as plain Python values."""
    root: yaml.Node | None
    """Root of PyYAML's node tree. None: the file is empty."""

    def span(self, location: Location, *, key: bool = False) -> Span | None:
        """Return the place of a value in the text, or None if the file is empty.

        If the value does not exist, return the place of the key of the innermost enclosing value that exists.

        Args:
            location: Keys and list indices from the root to the value.
            key: True returns the place of the value's key, not of the value.
        """
        found_key, node, is_missing = self._find(location)
        shown = found_key if (key or is_missing) and found_key is not None else node
        return None if shown is None else _span_of(shown)

    def number_span(self, location: Location) -> Span | None:
        """Return the place of the number at `location` in the text, or None if there is no number."""
        _, node, is_missing = self._find(location)
        return None if is_missing or node is None or not _is_number(node) else _span_of(node)

    def _find(self, location: Location) -> tuple[yaml.Node | None, yaml.Node | None, bool]:
        """Follow a location from the root until a key or index is missing.

        Returns:
            The key node and the value node of the last value that exists, and whether a key or index is missing. The
            key node is None for the root and for elements of lists.
        """
        pair: tuple[yaml.Node | None, yaml.Node | None] = None, self.root
        for step in location:
            inner = _child(pair[1], step)
            if inner is None:
                return *pair, True
            pair = inner
        return *pair, False

    def finding(
        self,
        code: str,
        message: str,
        location: Location,
        *,
        key: bool = False,
        hint: str | None = None,
        severity: Severity = "error",
    ) -> Finding:
        """Return a finding about the value at `location`.

        Args:
            code: Short stable identifier, such as "unknown-field".
            message: What is wrong.
            location: Keys and list indices from the root to the value.
            key: True marks the value's key, not the value.
            hint: What the user can do. None: no advice.
            severity: "error" or "warning".
        """
        return self._finding(code, message, self.span(location, key=key), hint, severity)

    def _finding(
        self, code: str, message: str, span: Span | None, hint: str | None = None, severity: Severity = "error"
    ) -> Finding:
        line = None if span is None else self._shown_line(span.line)
        hint = None if hint is None else cut_short(hint)
        return Finding(severity, code, cut_short(message), self.path, span, line, hint)

    @cached_property
    def _lines(self) -> list[str]:
        return self.text.splitlines()

    def _shown_line(self, number: int) -> str | None:
        """Return the text of a line for findings, or None if the line is longer than `LONGEST_LINE`.

        Args:
            number: Number of the line, from 1.
        """
        line = self._lines[number - 1] if number <= len(self._lines) else ""
        return line if len(line) <= LONGEST_LINE else None


def cut_short(text: str) -> str:
    """Return a message as one line of at most 500 characters. A longer message is truncated."""
    text = text.replace("\n", "\\n")
    return text if len(text) <= _LONGEST_MESSAGE else text[: _LONGEST_MESSAGE - 3] + "..."


def _child(node: yaml.Node | None, step: str | int) -> tuple[yaml.Node | None, yaml.Node] | None:
    if isinstance(node, yaml.MappingNode):
        for key, value in reversed(node.value):
            if key.value == str(step):
                return key, value
        merged = [value for key, value in node.value if key.tag == "tag:yaml.org,2002:merge"]
        return next((pair for value in merged if (pair := _child(value, step)) is not None), None)
    if isinstance(node, yaml.SequenceNode) and isinstance(step, int) and step < len(node.value):
        return None, node.value[step]
    return None


def _is_number(node: yaml.Node) -> bool:
    return isinstance(node, yaml.ScalarNode) and node.tag in ("tag:yaml.org,2002:int", "tag:yaml.org,2002:float")


def _span_of(node: yaml.Node) -> Span:
    start, end = node.start_mark, node.end_mark
    if isinstance(node, yaml.CollectionNode) and not node.flow_style and end.line > start.line:
        # PyYAML ends a block where the next one begins, so only the first line of the block is marked
        return Span(start.line + 1, start.column + 1, start.line + 2, 1)
    return Span(start.line + 1, start.column + 1, end.line + 1, end.column + 1)


def read_yaml(path: Path | str, what: str) -> YamlSource:
    """Read a YAML file whose top level is a mapping.

    Args:
        path: Path of the file.
        what: Kind of file for messages, such as "graph".

    Raises:
        SourceError: The file is missing, is not a regular file, is too large, is not YAML, repeats a key, or does not
            contain a mapping.
    """
    text, shown = read_source(path, what)
    return parse_yaml(text, shown, what)


def read_source(path: Path | str, what: str) -> tuple[str, str]:
    """Return the text of a file, and the path of the file as messages show it.

    Args:
        path: Path of the file.
        what: Kind of file for messages, such as "graph".

    Raises:
        SourceError: The file is missing, is not a regular file, is too large, or is not UTF-8.
    """
    shown = display_path(path)
    try:
        return read_text(Path(path)), shown
    except FileNotFoundError:
        message = f"the {what} file does not exist: correct its path or create it"
        raise SourceError([Finding("error", "missing-file", message, shown)]) from None
    except YamlFault as fault:
        raise SourceError([Finding("error", fault.code, f"the {what} file {fault}", shown)]) from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        message = f"the {what} file cannot be read: {reason}"
        raise SourceError([Finding("error", "unreadable-file", message, shown)]) from None


def parse_yaml(text: str, path: str, what: str) -> YamlSource:
    """Parse a YAML text whose top level is a mapping.

    Args:
        text: The text.
        path: Path of the file, as messages show it.
        what: Kind of file for messages, such as "graph".

    Raises:
        SourceError: The text is not YAML, exceeds a bound, repeats a key, or does not contain a mapping.
    """
    kept = _kept(text) if len(text) <= _LONGEST_KEPT else None
    return replace(kept, path=path) if kept is not None else _parsed(text, path, what)


@lru_cache(maxsize=8)
def _kept(text: str) -> YamlSource | None:
    """Return the parsed text with an empty path, or None if the text has errors. The last eight results are cached.

    Projects and digests of characters read the same few files again and again. The cached data are never changed.
    """
    try:
        return _parsed(text, "", "")
    except SourceError:
        return None


def _parsed(text: str, path: str, what: str) -> YamlSource:
    """Parse a text without the cache.

    Raises:
        SourceError: As in `parse_yaml`.
    """
    findings: list[Finding] = []
    try:
        root, data = load(text, lambda root: findings.extend(_text_findings(YamlSource(path, text, None, root))))
    except YamlFault as fault:
        source = YamlSource(path, text, None, None)
        line, column = fault.line, fault.column
        span = None if line is None else Span(line + 1, column + 1, line + 1, column + 2)
        raise SourceError(first_findings([source._finding(fault.code, str(fault), span), *findings])) from None
    source = YamlSource(path, text, data, root)
    if not isinstance(data, dict):
        findings.append(source.finding("not-a-mapping", f"a {what} file must consist of lines 'FIELD: VALUE'", []))
    if findings:
        raise SourceError(first_findings(findings))
    return source


def with_numbers(text: str, changes: Mapping[tuple[int, int], float]) -> str:
    """Return a YAML text in which some numbers are replaced. Layout, comments and line ends are kept.

    Args:
        text: Text of the file.
        changes: New value of each number to replace, by the line and column at which the number begins, as in
            `YamlSource.number_span`.

    Raises:
        SourceError: The text is not YAML.
        ValueError: No number begins at a place in `changes`, or a new value is not finite.
    """
    marks = {
        (node.start_mark.line + 1, node.start_mark.column + 1): (node.start_mark.index, node.end_mark.index)
        for node in _nodes(parse_yaml(text, "the file", "YAML").root)
        if _is_number(node)
    }
    for place, value in sorted(changes.items(), reverse=True):
        if place not in marks:
            raise ValueError(f"line {place[0]}, column {place[1]} has no number to replace: read the file again")
        if not math.isfinite(value):
            raise ValueError(f"line {place[0]}, column {place[1]}: the value must be finite, not {value}")
        start, end = marks[place]
        text = text[:start] + _written(float(value)) + text[end:]
    return text


def _written(value: float) -> str:
    """Return a number in the notation of YAML, which reads 1e-05 as a text because it has no decimal point."""
    number = repr(value)
    mantissa, e, exponent = number.partition("e")
    return f"{mantissa}.0{e}{exponent}" if e and "." not in mantissa else number


def first_findings(findings: Sequence[Finding]) -> list[Finding]:
    """Return the first `MAX_FINDINGS` findings of a file. If some are left out, an additional last finding says so."""
    if len(findings) <= MAX_FINDINGS:
        return list(findings)
    return [*findings[:MAX_FINDINGS], Finding("error", "more-faults", MORE_FAULTS, findings[0].path)]


def _text_findings(source: YamlSource) -> list[Finding]:
    """Return findings about repeated keys and about texts with forbidden characters, in the order of their lines."""
    findings: list[Finding] = []
    for node in _nodes(source.root):
        if isinstance(node, yaml.ScalarNode):
            bad = unprintable(node.value)
            if bad is not None:
                message = f"a text must not contain the character {bad}"
                findings.append(source._finding("unprintable", message, _span_of(node)))
        elif isinstance(node, yaml.MappingNode):
            findings += _repeated_keys(source, node)
    return sorted(findings, key=lambda f: f.span.line if f.span else 0)


def _repeated_keys(source: YamlSource, mapping: yaml.MappingNode) -> Iterator[Finding]:
    first: dict[str, int] = {}
    for key, _ in mapping.value:
        if not isinstance(key, yaml.ScalarNode) or key.tag == "tag:yaml.org,2002:merge":
            continue
        if key.value in first:
            message = f"'{key.value}' is given twice (first in line {first[key.value]})"
            yield source._finding("repeated-key", message, _span_of(key))
        first.setdefault(key.value, key.start_mark.line + 1)


def _nodes(root: yaml.Node | None) -> Iterator[yaml.Node]:
    """Yield every node below `root` once, including `root` and the nodes of keys."""
    stack, seen = [root], set()
    while stack:
        node = stack.pop()
        if node is None or id(node) in seen:
            continue
        seen.add(id(node))
        yield node
        if isinstance(node, yaml.MappingNode):
            stack += [child for pair in node.value for child in pair]
        elif isinstance(node, yaml.SequenceNode):
            stack += node.value


def validate(source: YamlSource, model: type[ModelT]) -> tuple[ModelT | None, list[Finding]]:
    """Validate the data of a file with a pydantic model.

    Args:
        source: Parsed file.
        model: Pydantic class that describes the fields of the file.

    Returns:
        An object of the class and no findings; or None and a finding for each error.
    """
    from pydantic import ValidationError

    try:
        return model.model_validate(source.data), []
    except ValidationError as error:
        # the search for the place of each error would take minutes for a hundred thousand errors
        faults = error.errors(include_url=False)[: MAX_FINDINGS + 1]
        kept = [each for each, following in zip_longest(faults, faults[1:]) if not _lacks_more(each, following)]
        return None, first_findings([_pydantic_finding(source, model, details) for details in kept])


def _lacks_more(details: ErrorDetails, following: ErrorDetails | None) -> bool:
    """Return whether an error is about a missing item of a list, and the following one about the next item."""
    if following is None or not details["type"] == following["type"] == "missing":
        return False
    *parent, item = details["loc"]
    return isinstance(item, int) and following["loc"] == (*parent, item + 1)


def _pydantic_finding(source: YamlSource, model: type[BaseModel], details: ErrorDetails) -> Finding:
    location = [step for step in details["loc"] if step != "[key]"]
    kind, context, value = details["type"], details.get("ctx", {}), details["input"]
    label = dotted(location)
    if kind == "missing":
        parent = dotted(location[:-1]) or "the file"
        if isinstance(location[-1], int):
            message = f"{parent} must have {location[-1] + 1} items, not {len(cast(Sized, value))}"
            return source.finding("missing-item", message, location[:-1])
        return source.finding("missing-field", f"{parent} needs the field '{location[-1]}'", location[:-1], key=True)
    if kind == "extra_forbidden":
        name = str(location[-1])
        known = _fields_at(model, location[:-1])
        hint = suggestion(name, known) or (f"known fields: {', '.join(known)}" if known else None)
        where = f" in {dotted(location[:-1])}" if location[:-1] else ""
        return source.finding(
            "unknown-field",
            f"unknown field '{name}'{where}: correct or remove the field",
            location,
            key=True,
            hint=hint,
        )
    if kind in ("literal_error", "enum"):
        expected = str(context["expected"])
        hint = suggestion(value, re.findall(r"'([^']*)'", expected)) if isinstance(value, str) else None
        return source.finding("bad-value", f"{label} must be {expected}, not {shown_value(value)}", location, hint=hint)
    fault = context["error"] if kind == "value_error" else _requirement(kind, context, value)
    if details["loc"][-1] == "[key]":
        parent = dotted(location[:-1]) or "the file"
        return source.finding("bad-name", f"a key of {parent} {fault}", location, key=True)
    return source.finding("too-large" if kind == "too_long" else "bad-value", f"{label} {fault}", location)


_TYPES = {
    "float_type": "a number",
    "float_parsing": "a number",
    "finite_number": "a finite number",
    "int_type": "a whole number",
    "int_parsing": "a whole number",
    "int_from_float": "a whole number",
    "bool_type": "true or false",
    "string_type": "a text",
    "list_type": "a list",
    "tuple_type": "a list",
    "dict_type": "a mapping",
    "model_type": "a mapping",
    "model_attributes_type": "a mapping",
}
_COMPARISONS = {
    "greater_than": ("greater than", "gt"),
    "greater_than_equal": ("at least", "ge"),
    "less_than": ("less than", "lt"),
    "less_than_equal": ("at most", "le"),
}


def _requirement(kind: str, context: dict[str, Any], value: object) -> str:
    if kind in _TYPES:
        return f"must be {_TYPES[kind]}, not {shown_value(value)}"
    if kind in _COMPARISONS:
        words, name = _COMPARISONS[kind]
        return f"must be {words} {context[name]:g}, not {shown_value(value)}"
    if kind in ("too_short", "too_long"):
        bound = context.get("min_length", context.get("max_length"))
        words = "at least" if kind == "too_short" else "at most"
        return f"must have {words} {bound} items, not {len(cast(Sized, value))}"
    if kind == "string_too_short":
        return "must not be empty" if not value else f"must have at least {context['min_length']} characters"
    if kind == "string_too_long":
        return f"must have at most {context['max_length']} characters, not {len(str(value))}"
    return f"is not accepted ({kind.replace('_', ' ')})"


def shown_value(value: object) -> str:
    """Return a value in the notation of YAML, as messages show it. Long values are truncated or described."""
    if value is None:
        return "empty"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float) and not math.isfinite(value):
        return ".nan" if math.isnan(value) else f"{'-' if value < 0 else ''}.inf"
    if isinstance(value, dict):
        return "a mapping"
    if isinstance(value, list | tuple):
        return "a list" if len(value) > 4 else "[" + ", ".join(shown_value(item) for item in value) + "]"
    text = repr(value) if isinstance(value, str) else str(value)
    return text if len(text) <= 40 else text[:37] + "..."


def dotted(location: Location) -> str:
    """Return a location as messages show it: `nodes.walk.cycles`, `edges[3].from`."""
    text = ""
    for step in location:
        text += f"[{step}]" if isinstance(step, int) else f".{step}" if text else str(step)
    return text


def _fields_at(model: type[BaseModel], location: Location) -> list[str]:
    """Return the names of the fields that the value at `location` can have; empty if it is not a mapping of fields.

    Args:
        model: Pydantic class that describes the whole file.
        location: Keys and list indices from the root to the value.
    """
    from pydantic import BaseModel

    current: Any = model
    for step in location:
        if isinstance(current, type) and issubclass(current, BaseModel):
            fields = {field.alias or name: field for name, field in current.model_fields.items()}
            current = fields[str(step)].annotation if str(step) in fields else None
        else:
            current = next(iter(get_args(current)[::-1]), None)
    if isinstance(current, type) and issubclass(current, BaseModel):
        return [field.alias or name for name, field in current.model_fields.items()]
    return []
