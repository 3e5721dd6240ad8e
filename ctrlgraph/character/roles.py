"""Roles of links, and pairs of right and left links or joints: checks, conversion to `Roles`, guesses from names."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from ctrlgraph.character.model import Character, Roles
from ctrlgraph.character.schema import RolesSource
from ctrlgraph.errors import Finding, suggestion
from ctrlgraph.yaml_source import Location, YamlSource

SINGLE = ("trunk", "head")
"""Roles that at most one link has."""

SEVERAL = ("axial", "feet", "hands", "shins")
"""Roles that any number of links can have."""

CONTACT_CIRCLES = "contact circles"
"""Name, in messages, of the shapes with which a link of a planar character touches the ground."""

LIMBS = {"feet": "a foot", "hands": "a hand", "shins": "a shin"}
"""Roles of which a link can have only one, with their words in messages. Such links need contact circles."""

_TRUNKS = ("utorso", "uppertorso", "torso", "trunk", "chest", "thorax")
_WORDS = {
    "trunk": _TRUNKS,
    "head": ("head", "skull"),
    "axial": ("head", "skull", "neck", *_TRUNKS, "ltorso", "lowertorso", "abdomen", "waist", "lowerwaist", "pelvis"),
    "feet": ("foot",),
    "hands": ("hand",),
    "shins": ("shin", "calf", "shank", "lowerleg"),
}
"""Names of links from which each role is guessed, by role. Side (left, right), case and separators are ignored."""


@dataclass(frozen=True)
class RoleStatement:
    """The roles and pairs that a character file states, with the links and joints to which they can refer."""

    links: Mapping[str, bool]
    """Whether a link can touch the ground, by name of the link; all links of the character."""
    joints: Collection[str]
    """Names of all joints of the character."""
    contents: RolesSource
    """Contents of the file. Its fields `roles` and `pairs` are guessed from names if the file does not state them."""
    contacts: str = CONTACT_CIRCLES
    """Name, in messages, of the shapes with which a link touches the ground."""

    def states(self, field: str) -> bool:
        """Return whether the file contains the field "roles" or "pairs"."""
        return field in self.contents.model_fields_set


def check_roles(source: YamlSource, entry: RoleStatement) -> list[Finding]:
    """Return errors in the roles and pairs of a file, and warnings about feet, hands and shins without contact circles.

    Args:
        source: the file, which provides locations for the findings.
        entry: the roles and pairs in the file.
    """
    findings: list[Finding] = []
    limbs: dict[str, str] = {}
    for role, names in _stated(entry).items():
        seen: set[str] = set()
        for i, name in enumerate(names):
            place: Location = ["roles", role] if role in SINGLE else ["roles", role, i]
            if name not in entry.links:
                hint = suggestion(name, entry.links)
                findings.append(
                    source.finding("unknown-link", f"{role}: the character has no link '{name}'", place, hint=hint)
                )
            elif name in seen:
                findings.append(
                    source.finding("bad-role", f"{role}: the link '{name}' is given twice: remove one", place)
                )
            elif role in LIMBS and name in limbs:
                message = f"the link '{name}' cannot be both {LIMBS[limbs[name]]} and {LIMBS[role]}: remove one role"
                findings.append(source.finding("bad-role", message, place))
            elif role in LIMBS:
                limbs[name] = role
                if not entry.links[name]:
                    message = (
                        f"the link '{name}' is {LIMBS[role]}, but has no {entry.contacts} with which it can touch"
                        " the ground"
                    )
                    findings.append(source.finding("no-contacts", message, place, severity="warning"))
            seen.add(name)
    return findings + _check_pairs(source, entry)


def _check_pairs(source: YamlSource, entry: RoleStatement) -> list[Finding]:
    findings: list[Finding] = []
    kinds: dict[str, Collection[str]] = {"link": entry.links, "joint": entry.joints}
    paired: set[tuple[str, str]] = set()
    for i, pair in enumerate(entry.contents.pairs):
        known = [{kind for kind, names in kinds.items() if name in names} for name in pair]
        for k, name in enumerate(pair):
            if not known[k]:
                hint = suggestion(name, [*entry.links, *entry.joints])
                message = f"pairs: the character has no link or joint '{name}'"
                findings.append(source.finding("unknown-link", message, ["pairs", i, k], hint=hint))
        if not all(known):
            continue
        place: Location = ["pairs", i]
        if pair[0] == pair[1]:
            findings.append(
                source.finding(
                    "bad-pair",
                    f"pairs: '{pair[0]}' is paired with itself: name the link or joint on the other side",
                    place,
                )
            )
            continue
        shared = known[0] & known[1]
        if not shared:
            kinds_of = f"'{pair[0]}' is a {min(known[0])} and '{pair[1]}' a {min(known[1])}"
            message = f"{kinds_of}: a pair must be two links or two joints"
            findings.append(source.finding("bad-pair", message, place))
        for kind in sorted(shared):
            for k, name in enumerate(pair):
                if (kind, name) in paired:
                    message = f"the {kind} '{name}' is in two pairs: remove one"
                    findings.append(source.finding("bad-pair", message, ["pairs", i, k]))
                paired.add((kind, name))
    return findings


def roles_of(entry: RoleStatement, named: Roles) -> Roles:
    """Return the roles and pairs of a character, from its file or, if the file has none, guessed from names.

    Args:
        entry: the roles and pairs in the file, which `check_roles` has found to be valid.
        named: roles and pairs that are guessed from names, for a file that does not state roles or pairs.
    """
    links, joints = list(entry.links), list(entry.joints)
    roles = named
    if entry.states("roles"):
        stated = {role: tuple(links.index(name) for name in names) for role, names in _stated(entry).items()}
        singles = {role: next(iter(stated[role]), None) for role in SINGLE}
        roles = replace(named, **singles, **{role: stated[role] for role in SEVERAL})  # type: ignore[arg-type]
    if entry.states("pairs"):
        pairs = entry.contents.pairs
        roles = replace(roles, link_pairs=_indices(pairs, links), joint_pairs=_indices(pairs, joints))
    return roles


def _stated(entry: RoleStatement) -> dict[str, list[str]]:
    given = {role: getattr(entry.contents.roles, role) for role in (*SINGLE, *SEVERAL)}
    return {role: [value] if isinstance(value, str) else list(value or ()) for role, value in given.items()}


def _indices(pairs: Sequence[tuple[str, str]], names: list[str]) -> tuple[tuple[int, int], ...]:
    return tuple((names.index(r), names.index(left)) for r, left in pairs if r in names and left in names)


def guess_roles(character: Character) -> Roles:
    """Guess roles and pairs from common names and aliases of links and joints, for a file that does not state them.

    For a role, the side, case and separators in a name are ignored: `left_foot` and `footLeft` are feet. A link named
    "leg" is a shin if the character has thighs.

    For a pair, the word for the side is a separate word anywhere in a name, or the beginning of the name. A link
    without a side can be the right counterpart of a left one (`thigh`, `thigh_left`).
    """
    bare: dict[str, list[int]] = {}
    for name in character.known_links:
        index = character.link_index(name)
        if index is not None:
            bare.setdefault(_without_side(name), []).append(index)
    words = {**_WORDS, "shins": (*_WORDS["shins"], *(("leg",) if {"thigh", "upperleg"} & bare.keys() else ()))}
    found = {
        role: tuple(dict.fromkeys(i for word in candidates for i in bare.get(word, [])))
        for role, candidates in words.items()
    }
    return Roles(
        trunk=next(iter(found["trunk"]), None),
        head=next(iter(found["head"]), None),
        **{role: found[role] for role in SEVERAL},
        link_pairs=_named_pairs({name: character.link_index(name) for name in character.known_links}),
        joint_pairs=_named_pairs({name: character.joint_index(name) for name in character.known_joints}),
    )


def _named_pairs(index: Mapping[str, int | None]) -> tuple[tuple[int, int], ...]:
    candidates = [_left_counterparts(name) for name in index]
    pairs: dict[int, int] = {}
    for choice in range(max(map(len, candidates), default=0)):
        for (name, i), lefts in zip(index.items(), candidates, strict=True):
            j = index.get(lefts[choice]) if choice < len(lefts) and lefts[choice] != name else None
            if i is not None and j is not None and i != j and not {i, j} & {*pairs, *pairs.values()}:
                pairs[i] = j
    return tuple(pairs.items())


_RIGHT = re.compile(r"(?<![A-Za-z])(?:right|r|R)(?![A-Za-z])|(?<![A-Z])Right(?![a-z])|RIGHT")
_LEFT_OF = {"right": "left", "r": "l", "R": "L", "Right": "Left", "RIGHT": "LEFT"}
_SIDE = re.compile(r"(?i:(?<![a-z])(?:left|right|l|r)(?![a-z]))|(?:Left|Right)(?![a-z])|^[lr](?=[A-Z])|^(?:left|right)")
_SEPARATORS = re.compile(r"[\W_]+")


def _left_counterparts(name: str) -> list[str]:
    """Return possible names of the left counterpart of a link or joint, the most likely first.

    Args:
        name: name of a right link or joint, or of one without a side. An item of the result that equals `name` is to be
            ignored.
    """
    word = _RIGHT.sub(lambda match: _LEFT_OF[match[0]], name)
    marked = [
        f"{name[:at]}{mark}{name[at:]}"
        for at in (*(match.start() for match in _SEPARATORS.finditer(name)), len(name))
        for mark in ("_left", "-left", ".left", "_l", "_L", ".L", "Left")
    ]
    unmarked = [name] * len(marked) if _SIDE.search(name) else marked
    beginnings = [
        left + name.removeprefix(right) if name.startswith(right) else name
        for right, left in (("r", "l"), ("right", "left"))
    ]
    return [word, *beginnings, f"left_{name}" if not _SIDE.search(name) else name, *unmarked]


def _without_side(name: str) -> str:
    """Return a name in lower case, without the word for the side and without separators: "foot" for "Left_Foot".

    A name that consists only of a side is returned unchanged.
    """
    return _SEPARATORS.sub("", _SIDE.sub("", name)).lower() or name


def missing_roles(stated: RoleStatement, character: Character) -> dict[str, str]:
    """Return the roles and pairs that a file does not state, as YAML text by field ("roles", "pairs").

    Args:
        stated: the roles and pairs in the file.
        character: the character with all roles and pairs, including those that were guessed from names.
    """
    roles, names = character.roles, character.link_names
    known = {role: [names[i] for i in roles.of(role)] for role in (*SINGLE, *SEVERAL)}
    parts = [
        f"{role}: {_word(found[0]) if role in SINGLE else _flow(map(_word, found))}"
        for role, found in known.items()
        if found
    ]
    pairs = [(names[r], names[left]) for r, left in roles.link_pairs]
    pairs += [(character.joint_names[r], character.joint_names[left]) for r, left in roles.joint_pairs]
    missing = {}
    if parts and not stated.states("roles"):
        missing["roles"] = f"{{{', '.join(parts)}}}"
    if pairs and not stated.states("pairs"):
        missing["pairs"] = _flow(_flow(map(_word, pair)) for pair in pairs)
    return missing


def suggest_roles(source: YamlSource, entry: RoleStatement, character: Character) -> list[Finding]:
    """Return a warning with the fields to add to a character file that does not state roles or pairs, else nothing.

    Args:
        source: the character file.
        entry: the roles and pairs in the file.
        character: the character with all roles and pairs, including those that were guessed from names.
    """
    missing = missing_roles(entry, character)
    if not missing:
        return []
    what = "links" if "roles" in missing else "links and joints"
    message = f"the file has no {' and no '.join(missing)}: they are guessed from the names of its {what}"
    hint = f"add {' and '.join(f'{field}: {text}' for field, text in missing.items())}"
    return [source.finding("no-roles", message, ["links"], key=True, hint=hint, severity="warning")]


def _flow(values: Iterable[str]) -> str:
    """Return texts as a YAML list on one line: "[a, b]"."""
    return f"[{', '.join(values)}]"


_PLAIN = re.compile(r"(?!(?i:true|false|null|yes|no|on|off|y|n)$)[^\W\d][\w.-]*")


def _word(name: str) -> str:
    """Return a name in YAML syntax, quoted if necessary."""
    return name if _PLAIN.fullmatch(name) else json.dumps(name, ensure_ascii=False)
