"""The digest (hash) by which logged results refer to a character.

A character file without roles gets the roles that are guessed from the names of its links. If a file states exactly
these roles, it has the same digest as the file without roles, so that earlier results stay valid. A file with other
roles is another character, because success conditions then refer to other links. Pairs (of a right and a left link or
joint) do not affect a motion and are not part of the digest.
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
    """Return the digest of a YAML character file, 16 hexadecimal digits.

    Args:
        source: the character file.
        roles: roles of the character, stated or guessed.
        named: roles that are guessed from the names of the character's links.
    """
    text = _without_roles(source)
    if _meaning(roles) != _meaning(named):
        text += json.dumps(_meaning(roles))
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def digest_of_meaning(character: Character) -> str:
    """Return the digest of a character from a MuJoCo model, 16 hexadecimal digits.

    It depends on the character only, not on the text of the model: comments, names of geoms and ignored elements have
    no effect. Numbers are rounded to 12 digits. Roles are part of the digest, pairs are not.
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
    """Return a torque range as text: one number if it is symmetric, as in earlier versions, else two numbers."""
    lower, upper = _rounded(-limit.lower), _rounded(limit.upper)
    return upper if lower == upper else [lower, upper]


def _rounded(value: float) -> str:
    """Return a number as text with a relative and absolute precision of 1e-12, so that it is equal on all machines."""
    return f"{round(value, 12) + 0.0:.12g}" if abs(value) < 1.0 else f"{value:.12g}"


def _meaning(roles: Roles) -> dict[str, list[int]]:
    """Return the indices of the links of each role, sorted, because their order has no meaning."""
    return {role: sorted(roles.of(role)) for role in ("trunk", "head", "axial", "feet", "hands", "shins")}


def _without_roles(source: YamlSource) -> str:
    """Return the text of a file without the entries `roles` and `pairs` and the comments right above them.

    If another entry shares a line or a YAML alias with these entries, return the whole text.
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
    """Return the index of the first blank line or comment right above the line that begins at `start`."""
    while start > 0:
        line = text.rfind("\n", 0, start - 1) + 1
        words = text[line:start].strip()
        if words and not words.startswith("#"):
            break
        start = line
    return start


def _end(node: yaml.Node) -> int:
    """Return the index at which a YAML node's text ends. PyYAML's end mark of a block is the start of the next node."""
    if not isinstance(node, yaml.CollectionNode) or node.flow_style or not node.value:
        return int(node.end_mark.index)
    return max(_end(part) for each in node.value for part in (each if isinstance(each, tuple) else (each,)))
