"""Characters from YAML: what is read, and the one sentence for everything that is wrong."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st
from mistakes import read_mistakes

from ctrlgraph.character.model import Character
from ctrlgraph.character.yaml_reader import check_character, load_character, parse_character
from ctrlgraph.errors import SourceError

ROOT = Path(__file__).resolve().parents[2]

WALKER = """\
name: walker
gains: {kp: 100, kd: 10}
links:
  trunk: {mass: 10, size: [.6, .2], at: [0, .9], contacts: [[0, .2, .1]]}
  leg: {mass: 2, size: [.6, .1], at: [0, .3]}
joints:
  hip: {parent: trunk, child: leg, at: [0, .6], limits: [-1, 2], torque: [50, 90], aliases: [hüfte]}
aliases: {torso: trunk}
"""


def faults(text: str) -> str:
    """What the reader says about a faulty text."""
    with pytest.raises(SourceError) as error:
        parse_character(text, "walker.yaml")
    return str(error.value)


def test_a_character_is_read_with_the_inertia_of_boxes_and_with_its_names() -> None:
    character = parse_character(WALKER)
    trunk, segment = character.links
    assert trunk.inertia == pytest.approx(10 * (0.6**2 + 0.2**2) / 12)
    assert (trunk.contacts[0].y, trunk.contacts[0].radius) == (0.2, 0.1)
    hip = character.joints[0]
    assert (hip.kp, hip.kd, hip.torque_limit.upper, hip.hard_torque_limit.upper) == (100, 10, 50, 90)
    assert character.link_index("torso") == character.link_index("trunk") == 0
    assert character.joint_index("hüfte") == 0
    assert character.root == 0
    assert segment.contacts == ()


def test_a_joint_may_be_stronger_in_one_direction_than_in_the_other() -> None:
    uneven = WALKER.replace("torque: [50, 90]", "torque: {limit: [-50, 30], hard: [-90, 45]}")
    hip = parse_character(uneven).joints[0]
    assert (hip.torque_limit, hip.hard_torque_limit) == ((-50, 30), (-90, 45))
    even = parse_character(WALKER).joints[0]
    assert (even.torque_limit, even.hard_torque_limit) == ((-50, 50), (-90, 90))


@pytest.mark.parametrize(
    ("torque", "said"),
    [
        ("{limit: [-95, 5], hard: [-90, 45]}", "joint 'hip': the default torque limit -95 is below the hard limit -90"),
        ("{limit: [-50, 50], hard: [-90, 45]}", "joint 'hip': the default torque limit 50 is above the hard limit 45"),
        ("{limit: [50, 50], hard: [-90, 90]}", "joints.hip.torque.limit[0] must be less than 0, not 50"),
        ("{limit: [-1e-9, 50], hard: [-90, 90]}", "joints.hip.torque.limit[0] must be at most -0.0001, not -1e-09"),
    ],
)
def test_torque_limits_that_make_no_sense_are_told_at_their_place(torque: str, said: str) -> None:
    first = faults(WALKER.replace("[50, 90]", torque)).splitlines()[0]
    place, _, message = first.partition(": error: ")
    assert message == said
    assert place.startswith("walker.yaml:7:")


def test_the_shipped_humanoid_has_human_size_and_weight() -> None:
    character = load_character(ROOT / "characters" / "humanoid.yaml")
    assert len(character.links) == 17
    assert len(character.joints) == 16
    assert character.mass == pytest.approx(70.0)
    head = character.links[character.link_index("head")]
    assert head.y + head.height / 2 == pytest.approx(1.73, abs=0.02)
    assert character.links[character.root].name == "pelvis"


def test_every_left_link_and_joint_of_the_humanoid_mirrors_a_right_one() -> None:
    character = load_character(ROOT / "characters" / "humanoid.yaml")
    for group in (character.links, character.joints):
        by_name = {part.name: part for part in group}
        for name, right in by_name.items():
            if not name.startswith("r"):
                continue
            left = by_name["l" + name[1:]]
            for field in ("x", "y", "mass", "inertia", "contacts", "lower", "upper", "torque_limit", "kp", "kd"):
                assert getattr(left, field, None) == getattr(right, field, None)


def test_sides_and_chains_of_the_tree_are_consistent(humanoid) -> None:
    """A link is on a joint's child side where a walk from it to the root passes the joint."""
    parent_of = {joint.child: j for j, joint in enumerate(humanoid.joints)}
    for link in range(len(humanoid.links)):
        above, here = set(), link
        while here in parent_of:
            above.add(parent_of[here])
            here = humanoid.joints[parent_of[here]].parent
        np.testing.assert_array_equal(humanoid.side[:, link] > 0, [j in above for j in range(len(humanoid.joints))])


MISTAKES = read_mistakes("characters.txt")


@pytest.mark.parametrize("name", MISTAKES)
def test_a_mistake_is_shown_at_its_place(name: str) -> None:
    assert faults(MISTAKES[name].made_in(WALKER)) == MISTAKES[name].shown


def test_several_faults_are_told_at_once() -> None:
    text = WALKER.replace("mass: 10", "mass: -1").replace("kp: 100", "kp: stiff")
    assert faults(text).count(": error: ") == 2


def test_a_missing_file_is_a_finding(tmp_path) -> None:
    (finding,) = check_character(tmp_path / "none.yaml")
    assert finding.message == "the character file does not exist: correct its path or create it"


keys = st.sampled_from(
    ["name", "links", "joints", "gains", "planar", "aliases", "trunk", "leg", "hip", "mass", "at", "parent"]
)
values = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 5) | st.floats() | st.sampled_from(["trunk", "leg", "hip", "x"]),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(keys, inner, max_size=4),
    max_leaves=12,
)


@given(st.dictionaries(keys, values, max_size=6).map(yaml.safe_dump) | st.text(max_size=60))
def test_whatever_stands_in_the_file_it_is_a_character_or_has_findings(text) -> None:
    try:
        assert isinstance(parse_character(text), Character)
    except SourceError as error:
        assert error.findings


@given(st.data())
def test_any_value_put_into_a_good_character_is_accepted_or_told(data) -> None:
    """Characters that are accepted can be simulated: positive masses, ordered limits, one tree."""
    tree = yaml.safe_load(WALKER)
    place = data.draw(
        st.sampled_from(["links.trunk.mass", "links.leg.at", "joints.hip.limits", "joints.hip.child", "gains.kp"])
    )
    *path, last = place.split(".")
    node = tree
    for step in path:
        node = node[step]
    node[last] = data.draw(values)
    try:
        character = parse_character(yaml.safe_dump(tree))
    except SourceError as error:
        assert all(finding.span is not None for finding in error.findings) and error.findings
        return
    assert all(link.mass > 0 and link.inertia > 0 and math.isfinite(link.inertia) for link in character.links)
    assert all(joint.lower < joint.upper for joint in character.joints)
    assert len(character.joints) == len(character.links) - 1


def test_a_joint_can_have_a_speed_without_torque_and_a_rise_time_of_its_torque() -> None:
    text = WALKER.replace("torque: [50, 90]", "torque: [50, 90], max_speed: 20, rise_time: .05")
    hip = parse_character(text).joints[0]
    assert (hip.max_speed, hip.rise_time, hip.max_torque_rate) == (20.0, 0.05, 1800.0)
    plain = parse_character(WALKER).joints[0]
    assert (plain.max_speed, plain.rise_time, plain.max_torque_rate) == (None, 0.0, math.inf)
    assert "joints.hip.max_speed must be at least 1, not 0" in faults(text.replace("max_speed: 20", "max_speed: 0"))
