"""A character's digest: what logged evidence names the character by.

Roles are written into a file without a change of what it has shown: as long as they are those that the names stood
for, the digest is that of the file without them. Other roles are another character, since conditions then speak of
other links. Pairs decide nothing about a motion, and count for nothing.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator

import yaml

from ctrlgraph.character.model import Roles
from ctrlgraph.character.schema import ROLE_FIELDS
from ctrlgraph.yaml_source import YamlSource


def digest_of(source: YamlSource, roles: Roles, named: Roles) -> str:
    """Return the digest of a character file, 16 hexadecimal digits.

    Args:
        source: its text, with the places of its entries.
        roles: those that the character has.
        named: those that its links' names stand for.
    """
    text = _without_roles(source)
    if _meaning(roles) != _meaning(named):
        text += json.dumps(_meaning(roles))
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def _meaning(roles: Roles) -> dict[str, list[int]]:
    """What conditions read of roles; the order of feet says nothing."""
    return {role: sorted(roles.of(role)) for role in ("trunk", "head", "axial", "feet", "hands", "shins")}


def _without_roles(source: YamlSource) -> str:
    """The text without the entries of roles and pairs and the comments right above them; the whole text where they
    cannot be cut out of it without touching another one."""
    root, text = source.root, source.text
    if not isinstance(root, yaml.MappingNode) or root.flow_style:
        return text
    cut = [(key, value) for key, value in root.value if key.value in ROLE_FIELDS]
    kept = {id(node) for key, value in root.value if key.value not in ROLE_FIELDS for node in _nodes(value)}
    if any(id(node) in kept for _, value in cut for node in _nodes(value)):
        return text  # an alias in one entry stands for a part of another
    for key, value in reversed(cut):
        start, end = key.start_mark.index, max(_end(node) for node in _nodes(value))
        if not text.startswith(key.value, start):
            return text
        start = _above(text, text.rfind("\n", 0, start) + 1)
        newline = text.find("\n", end)
        text = text[:start] + (text[newline + 1 :] if newline >= 0 else "")
    return text


def _above(text: str, start: int) -> int:
    """Where the blank lines and comments begin that end at `start`, the beginning of a line."""
    while start > 0:
        line = text.rfind("\n", 0, start - 1) + 1
        words = text[line:start].strip()
        if words and not words.startswith("#"):
            break
        start = line
    return start


def _nodes(root: yaml.Node) -> Iterator[yaml.Node]:
    yield root
    if isinstance(root, yaml.CollectionNode):
        for child in root.value:
            for node in child if isinstance(child, tuple) else (child,):
                yield from _nodes(node)


def _end(node: yaml.Node) -> int:
    """Where a node's own text ends; a block ends with the last of its parts, its mark says where the next begins."""
    block = isinstance(node, yaml.CollectionNode) and not node.flow_style and bool(node.value)
    return 0 if block else int(node.end_mark.index)
