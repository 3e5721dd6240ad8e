"""The digest (hash) by which logged results refer to a character.

Roles (foot, hand, trunk and so on) are guessed from the names of links if a character file does not state them. If a
file states exactly the guessed roles, it has the same digest as without them, so that earlier results stay valid. With
other roles, the digest is different, because success conditions then refer to other links. Pairs of a right and a left
link or joint do not affect a motion and are not part of the digest.
"""

from __future__ import annotations

import hashlib
import json

import yaml

from ctrlgraph.character.model import Roles, TorqueRange
from ctrlgraph.character.planar_model import PlanarCharacter
from ctrlgraph.character.schema import ROLE_FIELDS
from ctrlgraph.errors import SourceError
from ctrlgraph.yaml_source import YamlSource, parse_yaml


def digest_of(source: YamlSource, roles: Roles, named: Roles) -> str:
    """Return the digest of a YAML character file, 16 hexadecimal digits.

    Args:
        source: the character file.
        roles: roles of the character, which the file states or which are guessed.
        named: roles that are guessed from the names of the character's links, whether or not the file states roles.
    """
    text = _without_roles(source)
    if meaning_of_roles(roles) != meaning_of_roles(named):
        text += json.dumps(meaning_of_roles(roles))
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def digest_of_meaning(character: PlanarCharacter) -> str:
    """Return the digest of a character from a MuJoCo model, 16 hexadecimal digits.

    The digest depends on the character only, not on the text of the model: comments, names of geoms and ignored
    elements have no effect. Numbers are rounded to 12 digits. Roles are part of the digest, pairs of right and left
    links or joints are not.
    """
    links = [
        [
            link.name,
            *map(rounded, (link.mass, link.inertia, link.x, link.y)),
            [[rounded(part) for part in (c.x, c.y, c.radius)] for c in link.contacts],
        ]
        for link in character.links
    ]
    joints = [
        [joint.name, joint.parent, joint.child]
        + [rounded(value) for value in (joint.x, joint.y, joint.lower, joint.upper)]
        + [
            rounded_torque(joint.torque_limit),
            rounded_torque(joint.hard_torque_limit),
            rounded(joint.kp),
            rounded(joint.kd),
        ]
        for joint in character.joints
    ]
    aliases = [sorted(character.link_aliases.items()), sorted(character.joint_aliases.items())]
    text = json.dumps([links, joints, aliases, meaning_of_roles(character.roles)])
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def rounded_torque(limit: TorqueRange) -> str | list[str]:
    """Return a torque range for the digest: one number as text if the range is symmetric, else a list of two."""
    lower, upper = rounded(-limit.lower), rounded(limit.upper)
    return upper if lower == upper else [lower, upper]


def rounded(value: float) -> str:
    """Return a number as text, rounded to about 12 digits, so that rounding errors of a machine do not matter."""
    return f"{round(value, 12) + 0.0:.12g}" if abs(value) < 1.0 else f"{value:.12g}"


def meaning_of_roles(roles: Roles) -> dict[str, list[int]]:
    """Return the indices of the links with each role, by role. They are sorted, because their order has no meaning."""
    return {role: sorted(roles.of(role)) for role in ("trunk", "head", "axial", "feet", "hands", "shins")}


def _without_roles(source: YamlSource) -> str:
    """Return the text of a character file without the fields `roles` and `pairs` and the comments right above them.

    If another field shares a line or a YAML alias with these fields, return the whole text.
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
    """Return the index in the text at which the blank lines and comments right above a line begin.

    Args:
        text: text of the file.
        start: index at which the line begins. Without blank lines and comments above it, this index is returned.
    """
    while start > 0:
        line = text.rfind("\n", 0, start - 1) + 1
        words = text[line:start].strip()
        if words and not words.startswith("#"):
            break
        start = line
    return start


def _end(node: yaml.Node) -> int:
    """Return the index at which the text of a YAML node ends.

    The end mark of a block is not used, because PyYAML sets it to the start of the next node.
    """
    if not isinstance(node, yaml.CollectionNode) or node.flow_style or not node.value:
        return int(node.end_mark.index)
    return max(_end(part) for each in node.value for part in (each if isinstance(each, tuple) else (each,)))
