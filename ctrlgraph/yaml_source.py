"""YAML files read with the place of every value, so that a fault is shown where it stands.

A file becomes a `YamlSource`: plain data for pydantic and PyYAML's node tree for line and column.
`validate` turns pydantic's complaints into findings, all of them at once.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar, get_args

import yaml

from ctrlgraph.errors import Finding, Severity, SourceError, Span, suggestion
from ctrlgraph.paths import display_path

if TYPE_CHECKING:
    from pydantic import BaseModel
    from pydantic_core import ErrorDetails

Location = Sequence[str | int]
ModelT = TypeVar("ModelT", bound="BaseModel")


NUMBER = re.compile(r"^[-+]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][-+]?[0-9]+)?$")
"""What is read as a number; a text of this form has to be quoted where one is written."""


class _Loader(yaml.SafeLoader):
    """PyYAML's safe loader with YAML 1.2's floats: 1e-3 and -.3 are numbers, not words."""

    yaml_implicit_resolvers = {k: list(v) for k, v in yaml.SafeLoader.yaml_implicit_resolvers.items()}  # noqa: RUF012


_Loader.add_implicit_resolver("tag:yaml.org,2002:float", NUMBER, list("-+0123456789."))

_DEEPEST = 50  # levels that libyaml's loader is trusted with: it recurses on the C stack

if yaml.__with_libyaml__:

    class _QuickLoader(yaml.CSafeLoader):
        """The same by libyaml, some thirty times as fast; not every PyYAML comes with it."""

        yaml_implicit_resolvers = _Loader.yaml_implicit_resolvers


@dataclass(frozen=True)
class YamlSource:
    """A YAML file: its text, its data, and its node tree."""

    path: str
    text: str
    data: Any
    root: yaml.Node | None

    def span(self, location: Location, *, key: bool = False) -> Span | None:
        """Where the value (or its key) at `location` stands; the innermost place that exists."""
        node, found_key = self.root, None
        for step in location:
            pair = _child(node, step)
            if pair is None:
                # what is missing is shown at the key that should hold it
                key = True
                break
            found_key, node = pair
        shown = found_key if key and found_key is not None else node
        return None if shown is None else _span_of(shown)

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
        """A finding about the value (or the key) at `location`."""
        span = self.span(location, key=key)
        line = None
        if span is not None:
            lines = self.text.splitlines()
            line = lines[span.line - 1] if span.line <= len(lines) else ""
        return Finding(severity, code, message, self.path, span, line, hint)


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


def _span_of(node: yaml.Node) -> Span:
    start, end = node.start_mark, node.end_mark
    if isinstance(node, yaml.CollectionNode) and not node.flow_style and end.line > start.line:
        # a block ends where the next one begins; its first line says enough
        return Span(start.line + 1, start.column + 1, start.line + 2, 1)
    return Span(start.line + 1, start.column + 1, end.line + 1, end.column + 1)


def read_yaml(path: Path | str, what: str) -> YamlSource:
    """The file's mapping and places; `what` names the file in messages ("graph").

    Raises:
        SourceError: it cannot be read, is not YAML, repeats a key, or holds no mapping.
    """
    shown = display_path(path)
    try:
        text = Path(path).read_text(encoding="utf-8")
    except FileNotFoundError:
        raise SourceError([Finding("error", "missing-file", f"there is no such {what} file", shown)]) from None
    except UnicodeDecodeError as error:
        message = f"the {what} file is not UTF-8 text (byte {error.start})"
        raise SourceError([Finding("error", "not-text", message, shown)]) from None
    except OSError as error:
        message = f"the {what} file cannot be read: {error.strerror}"
        raise SourceError([Finding("error", "unreadable-file", message, shown)]) from None
    return parse_yaml(text, shown, what)


def parse_yaml(text: str, path: str, what: str) -> YamlSource:
    """As `read_yaml`, of a text; `path` is the file's name in messages.

    Raises:
        SourceError: it is not YAML, repeats a key, or holds no mapping.
    """
    loader: _Loader | None = None
    try:
        loader = _Loader(text)
        root = _quickly(text) or loader.get_single_node()
        findings = _repeated_keys(YamlSource(path, text, None, root))
        data = loader.construct_document(root) if root is not None else None
    except yaml.MarkedYAMLError as error:
        raise SourceError([_syntax_finding(error, text, path)]) from None
    except (yaml.YAMLError, RecursionError, ValueError, OverflowError) as error:
        reason = "it is nested too deeply" if isinstance(error, RecursionError) else str(error).splitlines()[0]
        raise SourceError([Finding("error", "not-yaml", f"this is not YAML: {reason}", path)]) from None
    finally:
        if loader is not None:
            loader.dispose()
    source = YamlSource(path, text, data, root)
    if not isinstance(data, dict):
        findings.append(source.finding("not-a-mapping", f"a {what} file is a mapping of fields to values", []))
    if findings:
        raise SourceError(findings)
    return source


def _quickly(text: str) -> yaml.Node | None:
    """The node tree by libyaml: the same nodes and places. None where it cannot tell, so that PyYAML's own loader
    does and finds the words for what is wrong."""
    if not yaml.__with_libyaml__:
        return None
    try:
        depth = 0
        for event in yaml.parse(text, Loader=_QuickLoader):
            depth += isinstance(event, yaml.CollectionStartEvent) - isinstance(event, yaml.CollectionEndEvent)
            if depth > _DEEPEST:
                return None
        node: yaml.Node | None = _QuickLoader(text).get_single_node()
        return node
    except (yaml.YAMLError, ValueError):
        return None


def _syntax_finding(error: yaml.MarkedYAMLError, text: str, path: str) -> Finding:
    mark = error.problem_mark or error.context_mark
    problem = error.problem or error.context or "it cannot be read"
    if mark is None:
        return Finding("error", "not-yaml", f"this is not YAML: {problem}", path)
    lines = text.splitlines()
    line = lines[mark.line] if mark.line < len(lines) else ""
    span = Span(mark.line + 1, mark.column + 1, mark.line + 1, mark.column + 2)
    return Finding("error", "not-yaml", f"this is not YAML: {problem}", path, span, line)


def _repeated_keys(source: YamlSource) -> list[Finding]:
    findings: list[Finding] = []
    stack, seen_nodes = [source.root], set()
    while stack:
        node = stack.pop()
        if node is None or id(node) in seen_nodes:
            continue
        seen_nodes.add(id(node))
        if isinstance(node, yaml.SequenceNode):
            stack += node.value
        elif isinstance(node, yaml.MappingNode):
            first: dict[str, int] = {}
            for key, value in node.value:
                stack.append(value)
                if not isinstance(key, yaml.ScalarNode) or key.tag == "tag:yaml.org,2002:merge":
                    continue
                if key.value in first:
                    span = _span_of(key)
                    message = f"'{key.value}' is given twice (first in line {first[key.value]})"
                    line = source.text.splitlines()[span.line - 1]
                    findings.append(Finding("error", "repeated-key", message, source.path, span, line))
                first.setdefault(key.value, key.start_mark.line + 1)
    return sorted(findings, key=lambda f: f.span.line if f.span else 0)


def validate(source: YamlSource, model: type[ModelT]) -> tuple[ModelT | None, list[Finding]]:
    """The data as `model`, or None and one finding for each fault."""
    from pydantic import ValidationError

    try:
        return model.model_validate(source.data), []
    except ValidationError as error:
        return None, [_pydantic_finding(source, model, details) for details in error.errors()]


def _pydantic_finding(source: YamlSource, model: type[BaseModel], details: ErrorDetails) -> Finding:
    location = [step for step in details["loc"] if step != "[key]"]
    kind, context, value = details["type"], details.get("ctx", {}), details["input"]
    label = dotted(location)
    if kind == "missing":
        parent = dotted(location[:-1]) or "the file"
        return source.finding("missing-field", f"{parent} needs the field '{location[-1]}'", location[:-1], key=True)
    if kind == "extra_forbidden":
        name = str(location[-1])
        known = _fields_at(model, location[:-1])
        hint = suggestion(name, known) or (f"known fields: {', '.join(known)}" if known else None)
        where = f" in {dotted(location[:-1])}" if location[:-1] else ""
        return source.finding("unknown-field", f"unknown field '{name}'{where}", location, key=True, hint=hint)
    if kind in ("literal_error", "enum"):
        expected = str(context["expected"])
        hint = suggestion(value, re.findall(r"'([^']*)'", expected)) if isinstance(value, str) else None
        return source.finding("bad-value", f"{label} must be {expected}, not {shown_value(value)}", location, hint=hint)
    if kind == "value_error":
        return source.finding("bad-value", f"{label} {context['error']}", location)
    return source.finding("bad-value", f"{label} {_requirement(kind, context, value)}", location)


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
        return f"must have {words} {bound} items, not {context['actual_length']}"
    return f"is not accepted ({kind.replace('_', ' ')})"


def shown_value(value: object) -> str:
    """A value as messages show it, cut short where it is long."""
    if value is None:
        return "empty"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float) and not math.isfinite(value):
        return "nan" if math.isnan(value) else f"{'-' if value < 0 else ''}.inf"
    if isinstance(value, dict):
        return "a mapping"
    if isinstance(value, list | tuple):
        return "a list" if len(value) > 4 else "[" + ", ".join(shown_value(item) for item in value) + "]"
    text = repr(value) if isinstance(value, str) else str(value)
    return text if len(text) <= 40 else text[:37] + "..."


def dotted(location: Location) -> str:
    """A location as messages show it: `nodes.walk.cycles`, `edges[3].from`."""
    text = ""
    for step in location:
        text += f"[{step}]" if isinstance(step, int) else f".{step}" if text else str(step)
    return text


def _fields_at(model: type[BaseModel], location: Location) -> list[str]:
    """Names of the fields that the model at `location` inside `model` knows."""
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
