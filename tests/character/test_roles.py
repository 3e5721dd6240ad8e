"""Roles and pairs: what a character file states about its links, messages about faults, and digests."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import yaml
from hypothesis import assume, given
from hypothesis import strategies as st
from mistakes import read_mistakes

from ctrlgraph.character.model import Character, Roles
from ctrlgraph.character.roles import guess_roles
from ctrlgraph.character.scaling import scale_lengths
from ctrlgraph.character.yaml_reader import check_character, load_character, parse_character
from ctrlgraph.errors import SourceError

ROOT = Path(__file__).resolve().parents[2]
HUMANOID = (ROOT / "characters" / "humanoid.yaml").read_text(encoding="utf-8")

BIPED = """\
name: biped
links:
  box: {mass: 10, size: [.6, .2], at: [0, .9], contacts: [[0, .2, .1]]}
  near: {mass: 2, size: [.6, .1], at: [0, .3], contacts: [[0, -.25, .05]]}
  far: {mass: 2, size: [.6, .1], at: [0, .3], contacts: [[0, -.25, .05]]}
joints:
  one: {parent: box, child: near, at: [0, .6], limits: [-1, 2], torque: [50, 90], aliases: [first]}
  two: {parent: box, child: far, at: [0, .6], limits: [-1, 2], torque: [50, 90], aliases: [second]}
roles: {trunk: box, feet: [near, far]}
pairs: [[near, far], [one, two]]
"""


def without_roles(text: str) -> str:
    """A file as it was written before there were roles."""
    return re.sub(r"\n# What the links are.*", "", text, flags=re.DOTALL)


def faults(text: str) -> str:
    with pytest.raises(SourceError) as error:
        parse_character(text, "biped.yaml")
    return str(error.value)


def named(character: Character, indices: tuple[int, ...]) -> list[str]:
    return [character.link_names[i] for i in indices]


def test_roles_are_the_links_that_the_file_names() -> None:
    biped = parse_character(BIPED)
    assert (biped.trunk, biped.root, biped.roles.head) == (0, 0, None)
    assert named(biped, biped.roles.feet) == ["near", "far"]
    assert (biped.roles.hands, biped.roles.of("head"), biped.roles.of("feet")) == ((), (), (1, 2))
    assert (biped.roles.link_pairs, biped.roles.joint_pairs) == (((1, 2),), ((0, 1),))


def test_every_paired_name_has_its_counterpart_and_aliases_theirs() -> None:
    assert parse_character(BIPED).mirrored == {
        **{"near": "far", "far": "near", "one": "two", "two": "one"},
        **{"first": "second", "second": "first"},
    }
    uneven = parse_character(BIPED.replace(", aliases: [second]", ""))
    assert [uneven.mirrored[name] for name in ("first", "one", "two")] == ["two", "two", "one"]


def test_without_a_trunk_the_root_is_it() -> None:
    assert parse_character(BIPED.replace("trunk: box, ", "")).trunk == 0


def test_the_shipped_humanoid_states_what_its_names_stand_for() -> None:
    humanoid = parse_character(HUMANOID)
    assert humanoid.roles == guess_roles(humanoid)
    assert named(humanoid, humanoid.roles.axial) == ["head", "neck", "uTorso", "lTorso", "pelvis"]
    assert len(humanoid.roles.link_pairs) == len(humanoid.roles.joint_pairs) == 6
    assert check_character(ROOT / "characters" / "humanoid.yaml") == []


MISTAKES = read_mistakes("roles.txt")


@pytest.mark.parametrize("name", MISTAKES)
def test_a_mistake_is_shown_at_its_place(name: str) -> None:
    assert faults(MISTAKES[name].made_in(BIPED)) == MISTAKES[name].shown


def test_a_foot_that_touches_nothing_is_a_warning(tmp_path) -> None:
    path = tmp_path / "biped.yaml"
    path.write_text(BIPED.replace(", contacts: [[0, -.25, .05]]", "", 1))
    (finding,) = check_character(path)
    assert (finding.severity, finding.span.line, finding.span.column) == ("warning", 9, 28)
    assert finding.message == "the link 'near' is a foot, but has no contact circles with which it can touch the ground"
    assert load_character(path).roles.feet == (1, 2)


def test_a_file_without_roles_is_read_by_its_names_and_told_what_to_add(tmp_path) -> None:
    path = tmp_path / "old.yaml"
    path.write_text(without_roles(HUMANOID))
    assert load_character(path) == parse_character(HUMANOID)
    (finding,) = check_character(path)
    assert (finding.severity, finding.code) == ("warning", "no-roles")
    assert finding.hint is not None
    roles, pairs = re.fullmatch(r"add roles: (\{.*\}) and pairs: (\[.*\])", finding.hint).groups()
    stated = yaml.safe_load(HUMANOID)
    assert (yaml.safe_load(roles), yaml.safe_load(pairs)) == (stated["roles"], stated["pairs"])


@pytest.mark.parametrize(("field", "other"), [("roles", "pairs"), ("pairs", "roles")])
def test_roles_and_pairs_are_each_read_off_names_where_they_are_not_stated(tmp_path, field: str, other: str) -> None:
    tree = yaml.safe_load(HUMANOID)
    del tree[field]
    path = tmp_path / "half.yaml"
    path.write_text(yaml.safe_dump(tree, sort_keys=False))
    assert load_character(path).roles == parse_character(HUMANOID).roles
    (finding,) = check_character(path)
    assert finding.message.startswith(f"the file has no {field}: ")
    assert finding.hint is not None and f"{field}: " in finding.hint and f"{other}: " not in finding.hint


def test_who_states_that_there_are_none_has_none() -> None:
    tree = yaml.safe_load(HUMANOID) | {"roles": {}, "pairs": []}
    assert parse_character(yaml.safe_dump(tree)).roles == Roles()


def test_a_file_whose_names_stand_for_nothing_has_no_roles_and_no_warning(tmp_path) -> None:
    path = tmp_path / "biped.yaml"
    path.write_text(BIPED.partition("roles:")[0])
    assert check_character(path) == []
    assert load_character(path).roles == Roles()


def test_aliases_stand_for_roles_in_a_file_without_them() -> None:
    text = BIPED.partition("roles:")[0] + "aliases: {rFoot: near, lFoot: far, uTorso: box}\n"
    character = parse_character(text)
    assert (character.trunk, character.roles.feet, character.roles.link_pairs) == (0, (1, 2), ((1, 2),))


# --- digests ---


def test_the_shipped_humanoid_has_its_digest_with_roles_and_without() -> None:
    """Run logs name the character by it: with another one, all evidence of the shipped graph would be of no use."""
    assert parse_character(HUMANOID).digest == parse_character(without_roles(HUMANOID)).digest == "60ad606d649a4abb"


@pytest.mark.parametrize("places", ["end", "before aliases", "one of them first"])
def test_roles_that_say_what_the_names_said_leave_the_digest_alone(places: str) -> None:
    old, block = without_roles(HUMANOID), HUMANOID[len(without_roles(HUMANOID)) :]
    roles, pairs = block.split("\npairs:")
    new = {
        "end": old + block,
        "before aliases": old.replace("\n\naliases:", f"\n{roles}\npairs:{pairs}\naliases:"),
        "one of them first": old.replace("\n\naliases:", f"\n\npairs:{pairs}\naliases:") + roles,
    }[places]
    assert parse_character(new).roles == parse_character(old).roles
    assert parse_character(new).digest == parse_character(old).digest


def test_other_roles_are_another_character_and_other_pairs_are_not() -> None:
    digest = parse_character(HUMANOID).digest
    assert parse_character(HUMANOID.replace("feet: [rFoot, lFoot]", "feet: [rFoot]")).digest != digest
    assert parse_character(HUMANOID.replace("trunk: uTorso", "trunk: pelvis")).digest != digest
    assert parse_character(HUMANOID.replace("feet: [rFoot, lFoot]", "feet: [lFoot, rFoot]")).digest == digest
    assert parse_character(HUMANOID.replace("  - [rArm, lArm]\n", "")).digest == digest


@pytest.mark.parametrize("shape", ["one line", "an alias of a part", "merged on the line of another entry"])
def test_what_cannot_be_cut_out_of_the_text_counts_whole(shape: str) -> None:
    def written(mass: float) -> str:
        tree = yaml.safe_load(BIPED)
        if shape.startswith("merged"):
            body = BIPED.partition("pairs:")[0]
            entry = re.search(r"links:\n(.*)joints:", body, re.DOTALL)[1].strip().splitlines()
            links = ", ".join(line.strip() for line in entry).replace("mass: 10", f"mass: {mass}")
            _, _, rest = body.partition("joints:")
            return f"name: biped\njoints:{rest}<<: {{pairs: [], links: {{{links}}}}}\n"
        if shape == "one line":
            tree["links"]["box"]["mass"] = mass
            return yaml.safe_dump(tree, default_flow_style=True, width=10**6)
        # the name of a role is, by its anchor, also a link's mass
        text = BIPED.replace("  near:", f'  "{mass:g}":').replace("[near, far]", f'["{mass:g}", far]')
        text = text.replace("child: near", f'child: "{mass:g}"')
        text = text.replace("roles: {", f'roles: {{axial: [&m "{mass:g}"], ')
        head, _, tail = text.partition("links:")
        links, _, roles = tail.partition("roles:")
        role, _, pairs = roles.partition("\n")
        return f"{head}roles:{role}\nlinks:{links.replace('mass: 10', 'mass: *m')}{pairs}"

    light, heavy = parse_character(written(10)), parse_character(written(20))
    assert (light.links[0].mass, heavy.links[0].mass) == (10, 20)
    assert light.digest != heavy.digest


@given(st.data())
def test_whatever_differs_in_the_body_differs_in_the_digest(data) -> None:
    lines = BIPED.splitlines(keepends=True)
    i = data.draw(st.integers(0, 7))
    numbers = list(re.finditer(r"\d+(?=[,}\]])", lines[i]))
    assume(numbers)
    found = data.draw(st.sampled_from(numbers))
    lines[i] = f"{lines[i][: found.start()]}{int(found[0]) + 1}{lines[i][found.end() :]}"
    try:
        changed = parse_character("".join(lines))
    except SourceError:
        assume(False)
    assert changed.digest != parse_character(BIPED).digest


def test_a_scaled_body_keeps_its_roles() -> None:
    biped = parse_character(BIPED)
    assert scale_lengths(biped, 1.1).roles == biped.roles
