"""Roles and pairs of a character file: their checks, their conversion into `Roles`, and guesses from names."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from ctrlgraph.character.model import Character, Roles
from ctrlgraph.character.schema import CharacterEntry, Pair, RolesEntry, SidecarEntry
from ctrlgraph.errors import Finding, suggestion
from ctrlgraph.yaml_source import Location, YamlSource

SINGLE = ("trunk", "head")
"""Roles of one link."""

SEVERAL = ("axial", "feet", "hands", "shins")
"""Roles of any number of links."""

LIMBS = {"feet": "a foot", "hands": "a hand", "shins": "a shin"}
"""Roles of which a link can have only one, with their words in messages. Without contact circles they have no
effect."""

_TRUNKS = ("utorso", "uppertorso", "torso", "trunk", "chest", "thorax")
_WORDS = {
    "trunk": _TRUNKS,
    "head": ("head",),
    "axial": ("head", "neck", *_TRUNKS, "ltorso", "lowertorso", "abdomen", "waist", "lowerwaist", "pelvis"),
    "feet": ("foot",),
    "hands": ("hand",),
    "shins": ("shin", "calf", "shank", "lowerleg"),
}
"""Names that imply roles in files that do not state them, without side, case and separators."""


@dataclass(frozen=True)
class RoleStatement:
    """The roles and pairs that a file states, and the names that it can use."""

    links: Mapping[str, bool]
    """By name, whether the link touches the ground."""
    joints: Collection[str]
    """Names of the joints."""
    roles: RolesEntry
    pairs: Sequence[Pair]
    stated: Collection[str]
    """Names of the fields that the file contains."""

    @classmethod
    def of(
        cls, entry: CharacterEntry | SidecarEntry, links: Mapping[str, bool], joints: Collection[str]
    ) -> RoleStatement:
        """Return the roles and pairs that a file states.

        Args:
            entry: contents of the file.
            links: by name, whether the link touches the ground.
            joints: names of the joints.
        """
        return cls(links, joints, entry.roles, entry.pairs, entry.model_fields_set)


def check_roles(source: YamlSource, entry: RoleStatement) -> list[Finding]:
    """Return the faults of the roles and pairs of a file, and warnings of roles without effect.

    Args:
        source: the file, for locations.
        entry: what the file states.
    """
    findings: list[Finding] = []
    limbs: dict[str, str] = {}
    for role, names in _stated(entry).items():
        seen: set[str] = set()
        for i, name in enumerate(names):
            place: Location = ["roles", role] if role in SINGLE else ["roles", role, i]
            if name not in entry.links:
                hint = suggestion(name, entry.links)
                findings.append(source.finding("unknown-link", f"{role}: there is no link '{name}'", place, hint=hint))
            elif name in seen:
                findings.append(source.finding("bad-role", f"{role}: '{name}' is given twice", place))
            elif role in LIMBS and name in limbs:
                message = f"the link '{name}' is {LIMBS[limbs[name]]} and {LIMBS[role]}"
                findings.append(source.finding("bad-role", message, place))
            elif role in LIMBS:
                limbs[name] = role
                if not entry.links[name]:
                    message = f"the link '{name}' is {LIMBS[role]} and has no contact circles: it touches nothing"
                    findings.append(source.finding("no-contacts", message, place, severity="warning"))
            seen.add(name)
    return findings + _check_pairs(source, entry)


def _check_pairs(source: YamlSource, entry: RoleStatement) -> list[Finding]:
    findings: list[Finding] = []
    kinds: dict[str, Collection[str]] = {"link": entry.links, "joint": entry.joints}
    paired: set[tuple[str, str]] = set()
    for i, pair in enumerate(entry.pairs):
        known = [{kind for kind, names in kinds.items() if name in names} for name in pair]
        for k, name in enumerate(pair):
            if not known[k]:
                hint = suggestion(name, [*entry.links, *entry.joints])
                message = f"a pair: there is no link or joint '{name}'"
                findings.append(source.finding("unknown-link", message, ["pairs", i, k], hint=hint))
        if not all(known):
            continue
        place: Location = ["pairs", i]
        if pair[0] == pair[1]:
            findings.append(source.finding("bad-pair", f"'{pair[0]}' is paired with itself", place))
            continue
        shared = known[0] & known[1]
        if not shared:
            kinds_of = f"'{pair[0]}' is a {min(known[0])} and '{pair[1]}' a {min(known[1])}"
            message = f"{kinds_of}: a pair consists of two links or two joints"
            findings.append(source.finding("bad-pair", message, place))
        for kind in sorted(shared):
            for k, name in enumerate(pair):
                if (kind, name) in paired:
                    message = f"the {kind} '{name}' is in two pairs"
                    findings.append(source.finding("bad-pair", message, ["pairs", i, k]))
                paired.add((kind, name))
    return findings


def roles_of(entry: RoleStatement, named: Roles) -> Roles:
    """Return the roles and pairs of a file without faults.

    Args:
        entry: what the file states.
        named: roles and pairs that are used if the file does not state any.
    """
    links, joints = list(entry.links), list(entry.joints)
    roles = named
    if "roles" in entry.stated:
        stated = {role: tuple(links.index(name) for name in names) for role, names in _stated(entry).items()}
        singles = {role: next(iter(stated[role]), None) for role in SINGLE}
        roles = replace(named, **singles, **{role: stated[role] for role in SEVERAL})  # type: ignore[arg-type]
    if "pairs" in entry.stated:
        link_pairs, joint_pairs = _indices(entry.pairs, links), _indices(entry.pairs, joints)
        roles = replace(roles, link_pairs=link_pairs, joint_pairs=joint_pairs)
    return roles


def _stated(entry: RoleStatement) -> dict[str, list[str]]:
    given = {role: getattr(entry.roles, role) for role in (*SINGLE, *SEVERAL)}
    return {role: [value] if isinstance(value, str) else list(value or ()) for role, value in given.items()}


def _indices(pairs: Sequence[tuple[str, str]], names: list[str]) -> tuple[tuple[int, int], ...]:
    return tuple((names.index(r), names.index(left)) for r, left in pairs if r in names and left in names)


def guess_roles(character: Character) -> Roles:
    """Return the roles and pairs that follow from common names and aliases of links and joints.

    They apply to files that state none. Case, separators and the side do not count (`left_foot`, `footLeft`). A leg is
    a shin if there are thighs. The side is a word at any place of a name, or its beginning. If there is no right link,
    one without a side is the counterpart of the left one (`thigh`, `thigh_left`).
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
    """Return possible names of the left counterpart of a right link, or of one without a side; else the name."""
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
    """Return a name without side, case and separators; a name that is only a side is kept."""
    return _SEPARATORS.sub("", _SIDE.sub("", name)).lower() or name


def missing_roles(stated: RoleStatement, character: Character) -> dict[str, str]:
    """Return the roles and pairs that were guessed from names, as YAML by field.

    Args:
        stated: what the file states.
        character: the character with its roles.
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
    if parts and "roles" not in stated.stated:
        missing["roles"] = f"{{{', '.join(parts)}}}"
    if pairs and "pairs" not in stated.stated:
        missing["pairs"] = _flow(_flow(map(_word, pair)) for pair in pairs)
    return missing


def suggest_roles(source: YamlSource, entry: RoleStatement, character: Character) -> list[Finding]:
    """Return a warning with the entries to add to a character file whose roles or pairs were guessed from names.

    Args:
        source: the file.
        entry: what the file states.
        character: the character with its roles.
    """
    missing = missing_roles(entry, character)
    if not missing:
        return []
    what = "links" if "roles" in missing else "links and joints"
    message = f"the file states no {' and no '.join(missing)}: they are guessed from the names of its {what}"
    hint = f"add {' and '.join(f'{field}: {text}' for field, text in missing.items())}"
    return [source.finding("no-roles", message, ["links"], key=True, hint=hint, severity="warning")]


def _flow(values: Iterable[str]) -> str:
    """Return a list in YAML's flow style."""
    return f"[{', '.join(values)}]"


_PLAIN = re.compile(r"(?!(?i:true|false|null|yes|no|on|off|y|n)$)[^\W\d][\w.-]*")


def _word(name: str) -> str:
    """Return a name in YAML syntax."""
    return name if _PLAIN.fullmatch(name) else json.dumps(name, ensure_ascii=False)
