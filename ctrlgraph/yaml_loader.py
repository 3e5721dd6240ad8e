"""Parser of YAML texts that checks the size and nesting of a text before it constructs any value.

A small file can expand to gigabytes (aliases of aliases), exhaust the stack (a hundred thousand brackets), or take
minutes (a number of a million digits, or keys with the same hash). The parser first counts the parser events of a text.
It constructs values only if the counts are within `ctrlgraph.bounds`.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import yaml

from ctrlgraph.bounds import MAX_DEPTH, MAX_DIRECTIVES, MAX_FILE_BYTES, MAX_INTEGER_BITS, MAX_NUMBER_LENGTH, MAX_VALUES
from ctrlgraph.errors import CtrlGraphError, printable
from ctrlgraph.files import NotRegular, TooLarge, read_bytes

NUMBER = re.compile(r"^[-+]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][-+]?[0-9]+)?$")
"""Pattern of unquoted texts that are read as numbers. To be read as a text, such a value must be in quotes."""

_TAG = "tag:yaml.org,2002:"
_KINDS = {
    f"{_TAG}bool": "true or false",
    f"{_TAG}int": "a whole number",
    f"{_TAG}float": "a number",
    f"{_TAG}timestamp": "a date",
    f"{_TAG}null": "empty",
    f"{_TAG}seq": "a list",
    f"{_TAG}map": "a mapping",
}
_NO_YAML = yaml.reader.Reader.NON_PRINTABLE
_SLOW_TEXT = 100_000  # characters that PyYAML's own scanner reads within a few seconds
# tokens of PyYAML that begin and end a mapping or list
_BEGINNINGS = ("<block mapping start>", "<block sequence start>", "{", "[")
_ENDS = ("<block end>", "}", "]")
_DIRECTIVE = re.compile(r"^%", re.MULTILINE)


class YamlFault(CtrlGraphError):
    """An error in a YAML text.

    Args:
        code: Short stable identifier of the error, such as "bad-value".
        message: What is wrong.
        line: Line of the error, counted from 0. None: the place is unknown.
        column: Column of the error, counted from 0.
    """

    def __init__(self, code: str, message: str, line: int | None = None, column: int = 0) -> None:
        super().__init__(message)
        self.code = code
        self.line = line
        self.column = column


class _Loader(yaml.SafeLoader):
    """PyYAML's safe loader with the number format of YAML 1.2 and without dates.

    1e-3 and -.3 are numbers, and 2001-02-28 is a text. A value that cannot be converted to the type of its tag raises a
    YamlFault with its line and column.
    """

    yaml_implicit_resolvers = {  # noqa: RUF012
        first: [(tag, pattern) for tag, pattern in resolvers if tag != f"{_TAG}timestamp"]
        for first, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()
    }

    def construct_object(self, node: yaml.Node, deep: bool = False) -> Any:
        if isinstance(node, yaml.ScalarNode) and node.tag != f"{_TAG}str" and len(node.value) > MAX_NUMBER_LENGTH:
            message = f"a number must have at most {MAX_NUMBER_LENGTH} characters, not {len(node.value)}"
            raise YamlFault("bad-value", message, node.start_mark.line, node.start_mark.column)
        try:
            value = super().construct_object(node, deep)
        except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError):
            # PyYAML uses the result of a lookup or match without a check that there is one
            wanted = _KINDS.get(node.tag, "a value of the type that its tag names")
            shown = repr(node.value[:40]) if isinstance(node, yaml.ScalarNode) else "this value"
            message = f"{shown} is not {wanted}"
            raise YamlFault("bad-value", message, node.start_mark.line, node.start_mark.column) from None
        if isinstance(value, int) and value.bit_length() > MAX_INTEGER_BITS:
            message = f"a whole number must have at most {MAX_INTEGER_BITS} bits, not {value.bit_length()}"
            raise YamlFault("bad-value", message, node.start_mark.line, node.start_mark.column)
        return value

    def construct_mapping(self, node: Any, deep: bool = False) -> dict[Any, Any]:
        """Construct a mapping, and raise a YamlFault if a key is not a text.

        Keys that are numbers would allow an attack. Python randomizes the hashes of strings, but not those of numbers:
        all multiples of 2^61 - 1 have the hash 0. A dict with n such keys takes time quadratic in n.
        """
        if isinstance(node, yaml.MappingNode):
            self.flatten_mapping(node)
            for key, _ in node.value:
                if key.tag != f"{_TAG}str":
                    message = "a key must be text"
                    kind = _KINDS.get(key.tag)
                    if kind is not None and isinstance(key, yaml.ScalarNode):
                        shown = f"{key.value[:40]} is {kind}" if key.value else f"this is {kind}"
                        message += f", and {shown}: put it in quotes"
                    elif kind is not None:
                        message += f", and this is {kind}"
                    raise YamlFault("bad-key", message, key.start_mark.line, key.start_mark.column)
        mapping: dict[Any, Any] = super().construct_mapping(node, deep)
        return mapping


_Loader.add_implicit_resolver(f"{_TAG}float", NUMBER, list("-+0123456789."))


if yaml.__with_libyaml__:

    class _QuickLoader(yaml.CSafeLoader):
        """Loader with the number format of `_Loader`, based on the C library libyaml and some thirty times as fast.

        Some installations of PyYAML lack libyaml.
        """

        yaml_implicit_resolvers = _Loader.yaml_implicit_resolvers


def read_text(path: Path) -> str:
    r"""Return the text of a regular file, with line ends converted to `\n`.

    Raises:
        YamlFault: The path is not a regular file (reading a device or a pipe may never end), the file has more than
            `MAX_FILE_BYTES` bytes, or it is not UTF-8.
        OSError: The file cannot be read.
    """
    try:
        data = read_bytes(path, MAX_FILE_BYTES)
    except NotRegular:
        raise YamlFault("unreadable-file", "must be a regular file, not a directory, pipe or device") from None
    except TooLarge:
        raise YamlFault("too-large", f"must not be larger than {MAX_FILE_BYTES / 1e6:g} MB") from None
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise YamlFault("not-text", f"is not UTF-8 text at byte {error.start}: save it as UTF-8") from None
    return text.replace("\r\n", "\n").replace("\r", "\n")


def unprintable(text: str) -> str | None:
    r"""Return the first forbidden character of a text as an escape such as `\x1b`, or None if there is none.

    Control characters and characters that YAML does not allow are forbidden.
    """
    if printable(text) == text and _NO_YAML.search(text) is None:
        return None
    bad = next(c for c in text if printable(c) != c or _NO_YAML.match(c))
    return printable(bad) if printable(bad) != bad else f"\\u{ord(bad):04x}"


def load(text: str, inspect: Callable[[yaml.Node | None], None]) -> tuple[yaml.Node | None, Any]:
    """Parse a YAML text.

    Args:
        text: The text.
        inspect: Function that is called with the root node before the data are constructed. Construction changes the
            nodes: it copies merged keys (`<<`) into the mappings that merge them.

    Returns:
        The root node (None for an empty text), and the data as plain Python values.

    Raises:
        YamlFault: The text is not YAML, exceeds a bound, contains an alias within the value that the alias refers to,
            or contains a value that cannot be converted to the type of its tag.
    """
    if _has_many_directives(text):
        raise YamlFault("too-large", f"a YAML file can have at most {MAX_DIRECTIVES} lines that begin with %")
    bad = _NO_YAML.search(text)
    if bad is not None:
        line, start = text.count("\n", 0, bad.start()), text.rfind("\n", 0, bad.start()) + 1
        message = (
            f"the text is not valid YAML, because it contains the character {unprintable(bad[0])}: remove the character"
        )
        raise YamlFault("not-yaml", message, line, bad.start() - start)
    loader = _Loader("")
    try:
        root = _composed(text)
        inspect(root)
        with _faults():
            data = loader.construct_document(root) if root is not None else None
    finally:
        loader.dispose()
    return root, data


def keys_of(text: str, field: str, seconds: float) -> Iterator[str]:
    """Yield the keys of a mapping in a YAML text, such as the names of the nodes in a graph file, in file order.

    This function is for shell completion, which must respond immediately even if the text is huge or truncated.
    Therefore it only reads tokens and constructs no data.

    Args:
        text: Text of at most some hundred kilobytes. In a longer text, a single token may take too long.
        field: Top-level field whose value is the mapping, such as "nodes".
        seconds: Maximum processor time, s. Keys that are not found in this time are omitted.

    Raises:
        yaml.YAMLError: The text is not YAML.
    """
    end = time.process_time() + seconds
    if _has_many_directives(text):
        return
    depth, is_inside, follows_key_mark = 0, False, False
    tokens: Iterator[Any] = yaml.scan(text, Loader=_QuickLoader if yaml.__with_libyaml__ else _Loader)
    for token in tokens:
        if time.process_time() > end or depth > MAX_DEPTH:
            return
        depth += (token.id in _BEGINNINGS) - (token.id in _ENDS)
        if follows_key_mark and isinstance(token, yaml.ScalarToken):
            if depth == 1:
                is_inside = token.value == field
            elif depth == 2 and is_inside:
                yield token.value
        follows_key_mark = isinstance(token, yaml.KeyToken)


def _has_many_directives(text: str) -> bool:
    """Return whether more than `MAX_DIRECTIVES` lines of a text begin with %.

    libyaml compares each such line with all others, which takes quadratic time.
    """
    return len(_DIRECTIVE.findall(text)) > MAX_DIRECTIVES


def _composed(text: str) -> yaml.Node | None:
    """Return the root node of a text, or None if the text is empty.

    libyaml parses the text. If it finds an error, PyYAML's own slower loader parses the text again, since the messages
    of this loader are better. Long texts are not parsed again.

    Raises:
        YamlFault: The text is not YAML, or exceeds a bound.
    """
    if yaml.__with_libyaml__:
        try:
            return _quickly(text)
        except (yaml.YAMLError, ValueError):
            if len(text) > _SLOW_TEXT:
                with _faults():
                    return _quickly(text)
    loader = _Loader(text)
    try:
        with _faults(loader):
            _count(text, _Loader)
            node: yaml.Node | None = loader.get_single_node()
            return node
    finally:
        loader.dispose()


def _quickly(text: str) -> yaml.Node | None:
    """Parse a text with libyaml, and return the root node, or None if the text is empty."""
    _count(text, _QuickLoader)
    node: yaml.Node | None = _QuickLoader(text).get_single_node()
    return node


def _count(text: str, loader: type[Any]) -> None:
    """Check the number of values and the depth of nesting of a text by its parser events, without constructing values.

    Args:
        text: The text.
        loader: PyYAML's loader class that yields the events.

    Raises:
        YamlFault: A bound is exceeded, or an alias is within the value that the alias refers to.
    """
    total = 0
    # of each open mapping or list: its anchor, the number of values before it, its deepest level so far
    opened: list[tuple[str | None, int, list[int]]] = []
    anchors: dict[str, tuple[int, int]] = {}  # number of values and of levels of an anchored value, by anchor
    for event in yaml.parse(text, Loader=loader):
        values, levels, anchor = 0, 1, None
        if isinstance(event, yaml.AliasEvent):
            if any(event.anchor == anchor for anchor, _, _ in opened):
                message = f"the alias *{event.anchor} is inside the value of &{event.anchor}: remove the alias"
                raise _fault("recursive-alias", message, event.start_mark)
            values, levels = anchors.get(event.anchor or "", (1, 1))
        elif isinstance(event, yaml.ScalarEvent):
            values, anchor = 1, event.anchor
        elif isinstance(event, yaml.CollectionStartEvent):
            opened.append((event.anchor, total, [len(opened) + 1]))
            values, levels = 1, 0
        elif isinstance(event, yaml.CollectionEndEvent):
            anchor, before, (deepest,) = opened.pop()
            if anchor is not None:
                anchors[anchor] = total - before, deepest - len(opened)
            levels, anchor = deepest - len(opened), None
        else:
            continue
        total += values
        if anchor is not None:
            anchors[anchor] = 1, 1
        if opened:
            deepest_here = opened[-1][2]
            deepest_here[0] = max(deepest_here[0], len(opened) + levels)
        if len(opened) + levels > MAX_DEPTH:
            message = f"values may be nested at most {MAX_DEPTH} levels deep: remove a level here"
            raise _fault("too-deep", message, event.start_mark)
        if total > MAX_VALUES:
            repeated = ", counted again for each alias" if anchors else ""
            message = f"a YAML file may contain at most {MAX_VALUES} values{repeated}: remove some"
            raise _fault("too-large", message, event.start_mark)


_PLAIN = {
    "mapping values are not allowed here": "no key can be here: compare the indentation with the lines above, and quote"
    " a text that contains ': '",
    "expected <block end>": "the indentation differs from that of the lines above",
}
"""Clearer messages for errors of PyYAML, by the beginning of PyYAML's message."""


def _fault(code: str, message: str, mark: yaml.Mark | Any) -> YamlFault:
    return YamlFault(code, message) if mark is None else YamlFault(code, message, mark.line, mark.column)


@contextmanager
def _faults(loader: _Loader | None = None) -> Iterator[None]:
    """Convert errors of PyYAML in a `with` block to YamlFault.

    Args:
        loader: Loader that reads the text. Its position is used for errors that have no place of their own. None: such
            errors remain without a place.
    """
    try:
        yield
    except yaml.MarkedYAMLError as error:
        reason = error.problem or error.context or "the text cannot be read"
        reason = next((better for start, better in _PLAIN.items() if reason.startswith(start)), reason)
        raise _fault(
            "not-yaml", f"the text is not valid YAML: {reason}", error.problem_mark or error.context_mark
        ) from None
    except (yaml.YAMLError, RecursionError, ValueError, OverflowError) as error:
        reason = "the values are nested too deeply" if isinstance(error, RecursionError) else str(error).splitlines()[0]
        mark = None if loader is None else loader.get_mark()
        raise _fault("not-yaml", f"the text is not valid YAML: {reason}", mark) from None
