"""Roles and pairs of a character file: checked, made into `Roles`, and, for files without, read off the names."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from ctrlgraph.character.model import Character, Roles
from ctrlgraph.character.schema import CharacterEntry
from ctrlgraph.errors import Finding, suggestion
from ctrlgraph.yaml_source import Location, YamlSource

SINGLE = ("trunk", "head")
"""Roles of one link."""

SEVERAL = ("axial", "feet", "hands", "shins")
"""Roles of any number of links."""

LIMBS = {"feet": "a foot", "hands": "a hand", "shins": "a shin"}
"""Roles of which a link has one at most, as messages call it; a link without contact circles has them in vain."""

_NAMES = {
    "trunk": ("uTorso",),
    "head": ("head",),
    "axial": ("head", "neck", "uTorso", "lTorso", "pelvis"),
    "feet": ("rFoot", "lFoot"),
    "hands": ("rHand", "lHand"),
    "shins": ("rShin", "lShin"),
}
"""The names that stood for roles before files stated them."""


def check_roles(source: YamlSource, entry: CharacterEntry) -> list[Finding]:
    """Return what is wrong with the roles and pairs of a file, and, as warnings, what they cannot be good for."""
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
                if not entry.links[name].contacts:
                    message = f"the link '{name}' is {LIMBS[role]} and has no contact circles: it touches nothing"
                    findings.append(source.finding("no-contacts", message, place, severity="warning"))
            seen.add(name)
    return findings + _check_pairs(source, entry)


def _check_pairs(source: YamlSource, entry: CharacterEntry) -> list[Finding]:
    findings: list[Finding] = []
    kinds: dict[str, Mapping[str, object]] = {"link": entry.links, "joint": entry.joints}
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
            message = f"'{pair[0]}' is a {min(known[0])} and '{pair[1]}' a {min(known[1])}: a pair is of two alike"
            findings.append(source.finding("bad-pair", message, place))
        for kind in sorted(shared):
            for k, name in enumerate(pair):
                if (kind, name) in paired:
                    message = f"the {kind} '{name}' stands in two pairs"
                    findings.append(source.finding("bad-pair", message, ["pairs", i, k]))
                paired.add((kind, name))
    return findings


def roles_of(entry: CharacterEntry, named: Roles) -> Roles:
    """Return the roles and pairs of a file without faults; those that the names stand for where it states none."""
    links, joints = list(entry.links), list(entry.joints)
    roles = named
    if entry.states("roles"):
        stated = {role: tuple(links.index(name) for name in names) for role, names in _stated(entry).items()}
        singles = {role: next(iter(stated[role]), None) for role in SINGLE}
        roles = replace(named, **singles, **{role: stated[role] for role in SEVERAL})  # type: ignore[arg-type]
    if entry.states("pairs"):
        link_pairs, joint_pairs = _indices(entry.pairs, links), _indices(entry.pairs, joints)
        roles = replace(roles, link_pairs=link_pairs, joint_pairs=joint_pairs)
    return roles


def _stated(entry: CharacterEntry) -> dict[str, list[str]]:
    given = {role: getattr(entry.roles, role) for role in (*SINGLE, *SEVERAL)}
    return {role: [value] if isinstance(value, str) else list(value or ()) for role, value in given.items()}


def _indices(pairs: Sequence[tuple[str, str]], names: list[str]) -> tuple[tuple[int, int], ...]:
    return tuple((names.index(r), names.index(left)) for r, left in pairs if r in names and left in names)


def names_as_roles(character: Character) -> Roles:
    """Return the roles that the names and aliases of links stand for where a file states none: the shipped humanoid's,
    and left and right by what names begin with.

    Files that were written before there were roles are read so; what is named otherwise has no role.
    """
    found: dict[str, tuple[int, ...]] = {}
    for role, names in _NAMES.items():
        indices = (character.link_index(name) for name in names)
        found[role] = tuple(dict.fromkeys(i for i in indices if i is not None))
    return Roles(
        trunk=next(iter(found["trunk"]), None),
        head=next(iter(found["head"]), None),
        **{role: found[role] for role in SEVERAL},
        link_pairs=_named_pairs({name: character.link_index(name) for name in character.known_links}),
        joint_pairs=_named_pairs({name: character.joint_index(name) for name in character.known_joints}),
    )


def _named_pairs(index: Mapping[str, int | None]) -> tuple[tuple[int, int], ...]:
    pairs: dict[int, int] = {}
    for right, left in (("r", "l"), ("right", "left")):
        for name, i in index.items():
            j = index.get(left + name.removeprefix(right)) if name.startswith(right) else None
            if i is not None and j is not None and i != j and not {i, j} & {*pairs, *pairs.values()}:
                pairs[i] = j
    return tuple(pairs.items())


def suggest_roles(source: YamlSource, entry: CharacterEntry, character: Character) -> list[Finding]:
    """Return a warning that says what to add to a file whose roles or pairs were read off names; none where none
    were."""
    roles, names = character.roles, character.link_names
    stated = {role: [names[i] for i in roles.of(role)] for role in (*SINGLE, *SEVERAL)}
    parts = [f"{role}: {_flow(found, role in SINGLE)}" for role, found in stated.items() if found]
    pairs = [(names[r], names[left]) for r, left in roles.link_pairs]
    pairs += [(character.joint_names[r], character.joint_names[left]) for r, left in roles.joint_pairs]
    missing = {}
    if parts and not entry.states("roles"):
        missing["roles"] = f"{{{', '.join(parts)}}}"
    if pairs and not entry.states("pairs"):
        missing["pairs"] = _flow([_flow(pair) for pair in pairs])
    if not missing:
        return []
    what = "links" if "roles" in missing else "links and joints"
    message = (
        f"the file states no {' and no '.join(missing)}: they are read off the names of its {what}, "
        "which the next version will not do"
    )
    hint = f"add {' and '.join(f'{field}: {text}' for field, text in missing.items())}"
    return [source.finding("no-roles", message, ["links"], key=True, hint=hint, severity="warning")]


def _flow(names: Sequence[str], single: bool = False) -> str:
    """Names as YAML writes them on one line."""
    return names[0] if single else f"[{', '.join(names)}]"
