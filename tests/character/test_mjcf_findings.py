"""What the reader of MuJoCo models says about those that are no planar characters: each fault at its place, all of
them at once, and one sentence for a text that is no model."""

from __future__ import annotations

import re
from pathlib import Path

import mujoco
import pytest
from mistakes import read_mistakes

from ctrlgraph.bounds import MAX_FINDINGS
from ctrlgraph.character.mjcf import check_mjcf, load_mjcf, parse_mjcf
from ctrlgraph.character.model import TorqueRange
from ctrlgraph.errors import Finding, SourceError

GOOD = """\
<mujoco model="biped">
  <compiler angle="radian"/>
  <worldbody>
    <geom type="plane" size="9 9 1"/>
    <body name="trunk" pos="0 0 1">
      <joint name="rx" type="slide" axis="1 0 0"/>
      <joint name="rz" type="slide" axis="0 0 1"/>
      <joint name="ry" axis="0 1 0"/>
      <geom type="box" size=".1 .1 .3"/>
      <body name="leg" pos="0 0 -.3">
        <joint name="hip" axis="0 1 0" range="-1 1"/>
        <geom type="capsule" fromto="0 0 0 0 0 -.5" size=".05"/>
      </body>
    </body>
  </worldbody>
  <actuator>
    <motor joint="hip" forcerange="-50 50"/>
  </actuator>
</mujoco>
"""
ROLES = "roles: {trunk: trunk, feet: [leg]}\npairs: []\n"


def faults(text: str, roles: str | None = ROLES) -> str:
    """What the reader says about a faulty text."""
    with pytest.raises(SourceError) as error:
        parse_mjcf(text, "biped.xml", roles)
    return str(error.value)


def heads(text: str, roles: str | None = ROLES) -> list[str]:
    """The first lines of errors."""
    return [line for line in faults(text, roles).splitlines() if line.startswith("biped.") and " error: " in line]


def changed(old: str, new: str) -> str:
    assert old in GOOD
    return GOOD.replace(old, new, 1)


def warnings(tmp_path: Path, text: str, roles: str | None = ROLES) -> list[Finding]:
    (tmp_path / "biped.xml").write_text(text, encoding="utf-8")
    if roles is not None:
        (tmp_path / "biped.roles.yaml").write_text(roles, encoding="utf-8")
    found = check_mjcf(tmp_path / "biped.xml")
    assert all(finding.severity == "warning" for finding in found)
    return found


def test_a_good_model_has_no_findings(tmp_path: Path) -> None:
    assert warnings(tmp_path, GOOD) == []
    character = load_mjcf(tmp_path / "biped.xml")
    assert (character.name, character.links[1].mass > 0) == ("biped", True)


def test_what_is_not_planar_is_told_at_its_place_all_at_once() -> None:
    text = changed('axis="0 1 0" range="-1 1"', 'axis="1 0 0" range="-1 1"')
    ball = '    <body name="ball"><geom size=".1"/><freejoint/></body>\n'
    text = text.replace("    <geom type", f"{ball}    <geom type", 1)
    text = text.replace(
        "  </worldbody>",
        """\
  </worldbody>
  <equality>
    <connect name="loop" body1="leg" body2="trunk" anchor="0 0 0"/>
  </equality>""",
    )
    assert (
        faults(text)
        == """\
biped.xml:4:5: error: 'ball' is a second root besides 'trunk': a file contains one character
        <body name="ball"><geom size=".1"/><freejoint/></body>
        ^^^^^
    move this body into the first root and give it a hinge, or remove this body
biped.xml:12:27: error: 'leg' cannot have the hinge 'hip' about (1, 0, 0): a planar character has only hinges about y
            <joint name="hip" axis="1 0 0" range="-1 1"/>
                              ^^^^^^^^^^^^
    in the world the axis must be along y; 'axis' is given in the frame of the body, which may be rotated
biped.xml:18:5: error: <equality> 'loop' is not supported
        <connect name="loop" body1="leg" body2="trunk" anchor="0 0 0"/>
        ^^^^^^^^
    the links of a character form a tree without loops: remove the element"""
    )


HIP = '<joint name="hip" axis="0 1 0" range="-1 1"/>'
THIGH = '<geom type="capsule" fromto="0 0 0 0 0 -.5" size=".05"/>'
INERTIAL = '<inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/>'


ERRORS, WARNINGS = read_mistakes("model_errors.txt"), read_mistakes("model_warnings.txt")


@pytest.mark.parametrize("name", ERRORS)
def test_an_error_is_reported_once_at_its_location(name: str) -> None:
    found = heads(ERRORS[name].made_in(GOOD))
    assert [line for line in found if line.startswith(f"biped.xml:{ERRORS[name].shown}")], found
    own = [line for line in found if not line.startswith("biped.roles.yaml")]
    assert len(own) <= 3


def test_a_misspelt_word_comes_with_the_one_that_is_meant() -> None:
    assert "did you mean 'motor'?" in faults(changed("<motor", "<moter"))
    assert "did you mean 'compiler'?" in faults(changed("<compiler", "<compilre"))


def test_a_hinge_of_a_body_that_is_turned_is_judged_in_the_world() -> None:
    upright = changed('name="leg"', 'name="leg" quat="1 1 0 0"').replace(HIP, HIP.replace("0 1 0", "0 0 -1"))
    assert parse_mjcf(upright).joints[0].lower == -1.0
    assert heads(changed('name="leg"', 'name="leg" quat="1 1 0 0"'))[0].startswith(
        "biped.xml:11:27: error: 'leg' cannot have the hinge 'hip' about (0, 0, 1): a planar character"
    )


# --- warnings ---


@pytest.mark.parametrize("name", WARNINGS)
def test_what_changes_the_motion_and_is_left_out_is_a_warning(tmp_path: Path, name: str) -> None:
    found = warnings(tmp_path, WARNINGS[name].made_in(GOOD))
    assert len(found) == 1
    assert found[0].message.startswith(WARNINGS[name].shown)
    assert found[0].span is not None


def test_many_of_a_kind_are_one_warning(tmp_path: Path) -> None:
    text = GOOD.replace('axis="', 'damping="2" axis="')
    (found,) = warnings(tmp_path, text)
    assert found.message.endswith("have no damping (4 places in all)")
    assert found.span is not None and found.span.line == 6


def test_a_range_without_the_reference_pose_is_widened_to_hold_it() -> None:
    assert parse_mjcf(changed("-1 1", ".5 1")).joints[0].lower == 0.0
    assert parse_mjcf(changed("-1 1", "-1 -.5")).joints[0].upper == 0.0


def test_a_model_that_includes_what_is_only_seen_is_the_same_character() -> None:
    seen = "".join(f'<include file="./common/{name}.xml"/>' for name in ("visual", "skybox", "materials"))
    text = changed("<worldbody>", f"{seen}<worldbody>").replace('type="box"', 'type="box" material="self"')
    assert parse_mjcf(text, roles=ROLES).digest == parse_mjcf(GOOD, roles=ROLES).digest


def test_a_default_class_that_may_be_in_an_included_file_says_so() -> None:
    text = changed("<worldbody>", '<include file="defaults.xml"/><worldbody>')
    said = faults(text.replace('name="leg"', 'name="leg" childclass="limb"'))
    assert "unknown default childclass" in said
    assert "included files are not opened: if the class is in one of them, copy the class here" in said
    assert "included files are not opened: 'defaults.xml' is ignored" in said


@pytest.mark.parametrize(
    "what",
    [
        '<size njmax="9"/><statistic extent="1"/><visual><map znear="1"/></visual>',
        '<keyframe><key qpos="1"/></keyframe><custom><numeric name="x" data="1"/></custom>',
        '<sensor><jointpos joint="hip"/></sensor><asset><material name="m"/></asset>',
        '<option timestep=".01"/><default><geom rgba="1 0 0 1"/><site size="1"/></default>',
    ],
)
def test_what_decides_nothing_about_the_motion_is_read_over(tmp_path: Path, what: str) -> None:
    assert warnings(tmp_path, changed("<worldbody>", f"{what}<worldbody>")) == []


# --- torques ---


@pytest.mark.parametrize(
    ("motors", "force_range", "limits"),
    [
        ('<motor joint="hip" ctrlrange="-2 2" gear="30"/>', "", (60, 60)),
        ('<motor joint="hip" ctrlrange="-2 2" gear="-30" forcerange="-1 1"/>', "", (30, 30)),
        ('<motor joint="hip" ctrlrange="-2 2" ctrllimited="false" gear="3"/>', "-40 40", (40, 40)),
        ('<motor joint="hip" forcerange="-50 50"/>', "-80 80", (50, 80)),
        ('<motor joint="hip" forcerange="-50 50"/>', "-20 20", (20, 20)),
        ('<motor joint="hip" forcerange="-5 5"/><motor joint="hip" forcerange="-6 6" gear="2"/>', "", (17, 17)),
        ('<general joint="hip" ctrlrange="-1 1" gainprm="35"/>', "", (35, 35)),
        ('<general joint="hip" ctrlrange="-1 1" gainprm="35" biastype="affine" forcerange="-9 9"/>', "", (9, 9)),
        ('<general joint="hip" ctrlrange="-1 1" gainprm="35" dyntype="filter" dynprm=".1"/>', "", (35, 35)),
        ('<position joint="hip" kp="100" ctrlrange="-1 1" forcerange="-70 70"/>', "", (70, 70)),
        ('<velocity joint="hip" kv="10" ctrlrange="-1 1"/>', "-33 33", (33, 33)),
        ('<motor joint="hip" class="strong"/>', "", (40, 40)),
        ('<position joint="hip" class="strong"/>', "-5 5", (5, 5)),
    ],
)
def test_a_torque_is_limited_by_what_motors_can_do_and_what_the_joint_takes(
    motors: str, force_range: str, limits: tuple[float, float]
) -> None:
    """The default limit is what the motors reach, the hard one what the joint takes of it."""
    text = changed('<motor joint="hip" forcerange="-50 50"/>', motors)
    text = text.replace(
        "<worldbody>",
        '<default><default class="strong"><general gear="4" ctrlrange="-10 10"/></default></default><worldbody>',
    )
    if force_range:
        text = text.replace(HIP, HIP.replace("/>", f' actuatorfrcrange="{force_range}"/>'))
    hip = parse_mjcf(text).joints[0]
    assert (hip.torque_limit, hip.hard_torque_limit) == tuple(map(TorqueRange.symmetric, limits))
    mujoco.MjModel.from_xml_string(text)  # it is a model


@pytest.mark.parametrize(("axis", "torque", "hard"), [(1, (-50, 20), (-80, 30)), (-1, (-20, 50), (-30, 80))])
def test_limits_of_either_direction_are_those_about_the_axis(axis: int, torque: object, hard: object) -> None:
    """A hinge about -y turns anticlockwise: its limits change places; the motor's and the joint's both hold."""
    hip = HIP.replace('axis="0 1 0"', f'axis="0 {axis} 0"').replace("/>", ' actuatorfrcrange="-80 30"/>')
    assert hip.count(f'"0 {axis} 0"') == 1
    text = changed(HIP, hip).replace('forcerange="-50 50"', 'forcerange="-50 20"')
    joint = parse_mjcf(text).joints[0]
    assert (joint.torque_limit, joint.hard_torque_limit) == (torque, hard)
    with_less = parse_mjcf(text.replace('actuatorfrcrange="-80 30"', 'actuatorfrcrange="-40 15"')).joints[0]
    assert with_less.torque_limit == with_less.hard_torque_limit == ((-40, 15) if axis > 0 else (-15, 40))
    mujoco.MjModel.from_xml_string(text)  # it is a model


# --- texts that are no models ---


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "biped.xml:1:1: error: the text is not valid XML: no element found"),
        ("<mujoco>", "biped.xml:1:9: error: the text is not valid XML: no element found"),
        ("<mujoco></worldbody>", "biped.xml:1:11: error: the text is not valid XML: mismatched tag"),
        ("<mujoco/><mujoco/>", "biped.xml:1:10: error: the text is not valid XML: junk after document element"),
        ("<mujoco a='1' a='2'/>", "biped.xml:1:15: error: the text is not valid XML: duplicate attribute"),
        ("<mujoco>&x;</mujoco>", "biped.xml:1:9: error: the text is not valid XML: undefined entity"),
        ("<robot name='x'/>", "biped.xml:1:1: error: the root element of a MuJoCo model is <mujoco>, not '<robot>'"),
        ("<mujoco/>", "biped.xml:1:1: error: the model has no body with joints"),
        ("<mujoco>" + "<worldbody>" * 300, "biped.xml:1:2748: error: the elements are nested more than 250 levels"),
        (
            "<mujoco><worldbody>" + "<body>" * 1_000_000,
            "biped.xml: error: the character file must not be larger than 4 MB",
        ),
        ("<mujoco>" + "<size/>" * 100_001, "biped.xml:1:700002: error: the file has more than 100000 elements and"),
        ("<mujoco a='" + "9" * 4_000_000 + "'/>", "biped.xml: error: the character file must not be larger than 4 MB"),
        ("\x00\x1b[2J", "biped.xml:1:1: error: the text is not valid XML: "),
        (
            "<mujoco>\x1b[2J</mujoco>",
            "biped.xml:1:9: error: the text is not valid XML: not well-formed (invalid token)",
        ),
        ("\ud800", "biped.xml:1:1: error: the text is not valid XML: "),
    ],
)
def test_what_is_no_model_is_one_sentence(text: str, said: str) -> None:
    first, *rest = faults(text, None).splitlines()
    assert first.startswith(said)
    assert not [line for line in rest if ": error: " in line]


BOMB = '<!DOCTYPE mujoco [<!ENTITY a "ha">{}]><mujoco model="&z;"/>'.format(
    "".join(f'<!ENTITY {chr(98 + i)} "{f"&{chr(97 + i)};" * 10}">' for i in range(25))
)


@pytest.mark.parametrize(
    "text",
    [
        BOMB,
        '<!DOCTYPE mujoco [<!ENTITY x SYSTEM "file:///etc/passwd">]><mujoco model="x">&x;</mujoco>',
        '<!DOCTYPE mujoco SYSTEM "http://example.org/x.dtd"><mujoco/>',
        '<!DOCTYPE mujoco [<!ENTITY % x SYSTEM "file:///etc/passwd"> %x;]><mujoco/>',
    ],
)
def test_nothing_is_expanded_or_fetched(text: str) -> None:
    said = "a document type is not allowed, because it may define entities and name other files: remove it"
    assert re.fullmatch(rf"biped.xml:1:\d+: error: {said}", faults(text, None).splitlines()[0])


def test_the_reader_knows_the_limits_of_what_it_is_told(tmp_path: Path) -> None:
    many = changed(THIGH, THIGH + '<geom size="nan"/>' * 500)
    assert len(heads(many)) == MAX_FINDINGS + 1
    assert faults(many).splitlines()[-1] == "biped.xml: error: there are more errors, which are not shown"
    geoms = changed(THIGH, THIGH + '<geom size=".1" contype="0" conaffinity="0"/>' * 4001)
    assert any("the model has more than 4000 elements" in line for line in heads(geoms))
    joints = changed(HIP, HIP + "<joint/>" * 1001)
    assert any("the model has more than 1000 joints" in line for line in heads(joints))
    circles = changed(THIGH, '<geom size=".1"/>' * 101)
    assert heads(circles) == ["biped.xml:10:7: error: the link 'leg' has 101 contact circles, but can have at most 100"]


def test_a_file_that_cannot_be_read_is_one_sentence(tmp_path: Path) -> None:
    path = tmp_path / "x.xml"
    for make, said in (
        (lambda: None, "the character file does not exist: correct its path or create it"),
        (
            lambda: path.write_bytes(b"\xff<mujoco/>"),
            "the character file is not UTF-8 text at byte 0: save it as UTF-8",
        ),
        (lambda: path.write_bytes(b" " * 4_000_001), "the character file must not be larger than 4 MB"),
    ):
        make()
        assert [finding.message for finding in check_mjcf(path)] == [said]
    path.unlink()
    path.mkdir()
    assert [finding.message for finding in check_mjcf(path)] == [
        "the character file must be a regular file, not a directory, pipe or device"
    ]
