"""A character's digest: what logged evidence names the character by.

Roles are written into a file without a change of what it has shown: as long as they are those that the names stood
for, the digest is that of the file without them. Other roles are another character, since conditions then speak of
other links. Pairs decide nothing about a motion, and count for nothing.
"""

from __future__ import annotations

import hashlib
import json

import yaml

from ctrlgraph.character.model import Character, Roles, TorqueRange
from ctrlgraph.character.schema import ROLE_FIELDS
from ctrlgraph.errors import SourceError
from ctrlgraph.yaml_source import YamlSource, parse_yaml


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


def digest_of_meaning(character: Character) -> str:
    """Return the digest of a character that was made of a model of others, 16 hexadecimal digits.

    It is of what the character is, and not of how that is written down: numbers count to 12 digits, comments, names
    of geoms and what is read over not at all; of roles what counts in `digest_of`.
    """
    links = [
        [
            link.name,
            *map(_rounded, (link.mass, link.inertia, link.x, link.y)),
            [[_rounded(part) for part in (c.x, c.y, c.radius)] for c in link.contacts],
        ]
        for link in character.links
    ]
    joints = [
        [joint.name, joint.parent, joint.child]
        + [_rounded(value) for value in (joint.x, joint.y, joint.lower, joint.upper)]
        + [_torque(joint.torque_limit), _torque(joint.hard_torque_limit), _rounded(joint.kp), _rounded(joint.kd)]
        for joint in character.joints
    ]
    aliases = [sorted(character.link_aliases.items()), sorted(character.joint_aliases.items())]
    text = json.dumps([links, joints, aliases, _meaning(character.roles)])
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def _torque(limit: TorqueRange) -> str | list[str]:
    """One number where it is the same in both directions, as when there was no other way."""
    lower, upper = _rounded(-limit.lower), _rounded(limit.upper)
    return upper if lower == upper else [lower, upper]


def _rounded(value: float) -> str:
    """A number without what machines may differ in: relative and absolute to 1e-12."""
    return f"{round(value, 12) + 0.0:.12g}" if abs(value) < 1.0 else f"{value:.12g}"


def _meaning(roles: Roles) -> dict[str, list[int]]:
    """What conditions read of roles; the order of feet says nothing."""
    return {role: sorted(roles.of(role)) for role in ("trunk", "head", "axial", "feet", "hands", "shins")}


def _without_roles(source: YamlSource) -> str:
    """The text without the entries of roles and pairs and the comments right above them; the whole text where cutting
    them out would change what is said of anything else (they share a line or an alias with it).
    """
    root, text = source.root, source.text
    entries = root.value if isinstance(root, yaml.MappingNode) else []
    places = [(key.start_mark.index, _end(value)) for key, value in entries if key.value in ROLE_FIELDS]
    if not places:
        return text
    for start, end in sorted(places, reverse=True):
        start, newline = _above(text, text.rfind("\n", 0, start) + 1), text.find("\n", end)
        text = text[:start] + (text[newline + 1 :] if newline >= 0 else "")
    try:
        data = parse_yaml(text, source.path, "character").data
    except SourceError:
        return source.text
    return text if data == {key: value for key, value in source.data.items() if key not in ROLE_FIELDS} else source.text


def _above(text: str, start: int) -> int:
    """Where the blank lines and comments begin that end at `start`, the beginning of a line."""
    while start > 0:
        line = text.rfind("\n", 0, start - 1) + 1
        words = text[line:start].strip()
        if words and not words.startswith("#"):
            break
        start = line
    return start


def _end(node: yaml.Node) -> int:
    """Where a node's own text ends; a block ends with the last of its parts, its mark says where the next begins."""
    if not isinstance(node, yaml.CollectionNode) or node.flow_style or not node.value:
        return int(node.end_mark.index)
    return max(_end(part) for each in node.value for part in (each if isinstance(each, tuple) else (each,)))
