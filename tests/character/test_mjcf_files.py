"""Files of MuJoCo models in a project: found by name, with their roles beside them, checked, and never outside."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from mistakes import read_mistakes
from planar_models import GYMNASIUM
from small_project import make_project

from ctrlgraph.character.files import check_character, load_character
from ctrlgraph.character.mjcf import load_mjcf, parse_mjcf
from ctrlgraph.character.model import Roles
from ctrlgraph.character.roles import guess_roles
from ctrlgraph.cli.main import main
from ctrlgraph.errors import CtrlGraphError, SourceError
from ctrlgraph.insertion.scratch_project import staged
from ctrlgraph.project.project import Project

MISTAKES = read_mistakes("model_roles.txt")
WALKER = (GYMNASIUM / "walker2d_v5.xml").read_text(encoding="utf-8")
ROLES = """\
roles: {trunk: torso, axial: [torso], feet: [foot, foot_left], shins: [leg, leg_left]}
pairs: [[thigh, thigh_left], [thigh_joint, thigh_left_joint]]
aliases: {knee: leg_joint, body: torso}
gains: {kp: 100, kd: 10, joints: {foot_joint: {kp: 50, kd: 5}}}
torque: {leg_joint: [80, 200]}
"""
GRAPH = """\
character: walker
start: stand
nodes:
  stand: {script: controllers/stand.t, kind: static, timeout: 1, success: {torso: [-1, 1], feet_contact: [2, 2]}}
  still: {script: controllers/stand.t, kind: static, timeout: 1, success: {torso: [-1, 1], feet_contact: [2, 2]}}
edges:
  - {from: stand, to: still}
  - {from: still, to: stand}
"""
STAND = """\
BEGINSCRIPT stand(void)
  PHASE 0
    ACTIONS
      POSE knee(0);
    ENDACTIONS
    TRANSITION to(-1).after(time 0.2);
  ENDPHASE
ENDSCRIPT
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A project whose character is Gymnasium's walker, as it is, with a file of roles."""
    files = {"controllers/stand.t": STAND, "characters/walker.roles.yaml": ROLES, "characters/walker.xml": WALKER}
    return make_project(tmp_path / "project", GRAPH, shipped=(), files=files)


def findings(directory: Path) -> list[str]:
    return [finding.render().splitlines()[0].rpartition("/")[2] for finding in check_character(directory)]


# --- the file of roles ---


def test_roles_gains_torques_and_other_names_stand_beside_the_model(project: Path) -> None:
    character = load_character(project / "characters" / "walker.xml")
    names = character.link_names
    assert [names[i] for i in character.roles.feet] == ["foot", "foot_left"]
    assert (character.link_index("body"), character.joint_index("knee")) == (0, 1)
    joints = {joint.name: joint for joint in character.joints}
    assert (joints["foot_joint"].kp, joints["foot_joint"].kd, joints["thigh_joint"].kp) == (50, 5, 100)
    assert (joints["leg_joint"].torque_limit.upper, joints["leg_joint"].hard_torque_limit.upper) == (80, 200)
    assert (joints["thigh_joint"].torque_limit.upper, joints["thigh_joint"].hard_torque_limit.upper) == (100, 100)
    assert character.roles.joint_pairs == ((0, 3),)


@pytest.mark.parametrize("name", MISTAKES)
def test_mistakes_in_the_file_beside_are_told_there(project: Path, name: str) -> None:
    (project / "characters" / "walker.roles.yaml").write_text(MISTAKES[name].made_in(ROLES))
    found = [line for line in findings(project / "characters" / "walker.xml") if "error" in line]
    assert found == [MISTAKES[name].shown]


@pytest.mark.parametrize(("old", "new"), [("[foot,", "[fot,"), ("kp: 100", "kq: 100")])
def test_both_files_are_checked_at_once(project: Path, old: str, new: str) -> None:
    (project / "characters" / "walker.roles.yaml").write_text(ROLES.replace(old, new))
    (project / "characters" / "walker.xml").write_text(
        WALKER.replace('axis="0 -1 0" name="leg_joint"', 'name="leg_joint"')
    )
    errors = [line for line in findings(project / "characters" / "walker.xml") if "error" in line]
    assert [line.partition(":")[0] for line in errors] == ["walker.xml", "walker.roles.yaml"]


def test_without_the_file_roles_are_guessed_and_check_says_what_to_write(project: Path) -> None:
    (project / "characters" / "walker.roles.yaml").unlink()
    (found,) = [f for f in check_character(project / "characters" / "walker.xml") if f.code == "no-roles"]
    assert found.message == "no file lists roles or pairs, so they are guessed from names"
    assert found.hint is not None
    where, _, lines = found.hint.partition(": ")
    assert where == "write into walker.roles.yaml"
    (project / "characters" / "walker.roles.yaml").write_text(lines.replace("; ", "\n"))
    assert not [f for f in check_character(project / "characters" / "walker.xml") if f.code == "no-roles"]
    path = project / "characters" / "walker.xml"
    assert load_character(path).roles == parse_mjcf(WALKER).roles
    assert load_character(path).digest == parse_mjcf(WALKER).digest  # as the YAML file's does, it stays


# --- what names stand for ---


def named(links: list[str], joints: list[str]) -> Roles:
    """What is guessed from the names of a chain of links."""
    character = parse_mjcf(WALKER)
    return guess_roles(
        replace(
            character,
            links=tuple(replace(character.links[0], name=name) for name in links),
            joints=tuple(replace(character.joints[0], name=name) for name in joints),
            roles=Roles(),
        )
    )


@pytest.mark.parametrize(
    ("links", "roles"),
    [
        (["torso", "left_thigh", "left_leg", "left_foot", "right_leg", "right_foot"], (0, (3, 5), (2, 4))),
        (["upper_torso", "head", "thigh_r", "shin_r", "foot_r", "thigh_l", "shin_l", "foot_l"], (0, (4, 7), (3, 6))),
        (["trunk", "footRight", "footLeft", "calfRight", "calfLeft"], (0, (1, 2), (3, 4))),
        (["uTorso", "rFoot", "lFoot", "rShin", "lShin"], (0, (1, 2), (3, 4))),
        (["torso", "leg", "foot"], (0, (2,), ())),  # without a thigh, a leg is no shin
        (["chassis", "wheel"], (None, (), ())),
    ],
)  # fmt: skip
def test_common_names_stand_for_roles(
    links: list[str], roles: tuple[int | None, tuple[int, ...], tuple[int, ...]]
) -> None:
    found = named(links, [])
    assert (found.trunk, found.feet, found.shins) == roles


@pytest.mark.parametrize(
    ("right", "left"),
    [
        ("right_foot", "left_foot"),
        ("foot_r", "foot_l"),
        ("footR", "footL"),
        ("footRight", "footLeft"),
        ("rFoot", "lFoot"),
        ("foot", "foot_left"),
        ("thigh_joint", "thigh_left_joint"),
        ("foot", "left_foot"),
    ],
)
def test_names_of_two_sides_are_pairs(right: str, left: str) -> None:
    expected = () if right == "footR" else ((1, 2),)  # one letter is a word only where it stands alone
    assert named(["torso", right, left], [right, left]).link_pairs == expected
    assert named(["torso", left, right], []).link_pairs == (() if not expected else ((2, 1),))


@given(
    st.lists(st.text(st.sampled_from("rlRLeftightfo_ .-"), min_size=1, max_size=8), min_size=2, max_size=8, unique=True)
)
def test_whatever_the_names_no_link_has_two_counterparts(names: list[str]) -> None:
    pairs = named(names, names).link_pairs
    both = [i for pair in pairs for i in pair]
    assert len(both) == len(set(both))


# --- digests ---


def test_a_digest_is_of_what_a_character_is_and_not_of_how_it_is_written() -> None:
    one = parse_mjcf(WALKER, "a.xml", ROLES)
    for same in (
        WALKER.replace("<worldbody>", "<!-- a comment --><worldbody>"),
        WALKER.replace('name="thigh_geom"', 'name="other" rgba="1 0 0 1"'),
        WALKER.replace('damping=".1"', 'damping=".7"'),
        WALKER.replace('size="0.040000000000000001 0.25"', 'size=".04 .25"'),
    ):
        assert same != WALKER
        assert parse_mjcf(same, "a.xml", ROLES).digest == one.digest
    assert parse_mjcf(WALKER, "a.xml", ROLES + "# a comment\n").digest == one.digest
    assert parse_mjcf(WALKER, "a.xml", ROLES.replace("pairs: [[thigh, thigh_left], ", "pairs: [")).digest == one.digest
    for other, roles in (
        (WALKER.replace('density="1000"', 'density="1001"'), ROLES),
        (WALKER.replace('range="-45 45"', 'range="-45 46"', 1), ROLES),
        (WALKER, ROLES.replace("kd: 10", "kd: 11")),
        (WALKER, ROLES.replace("knee: leg_joint", "knee: foot_joint")),
        (WALKER, ROLES.replace("feet: [foot, foot_left]", "feet: [foot]")),
    ):
        assert (other, roles) != (WALKER, ROLES)
        assert parse_mjcf(other, "a.xml", roles).digest != one.digest


# --- in a project ---


def test_a_graph_names_a_model_as_it_names_any_character(project: Path) -> None:
    opened = Project(project)
    assert (opened.character.name, opened.graph.character) == ("walker2d", "walker")
    assert opened.program("stand").digest  # its script speaks of other names, too


def test_a_model_of_others_can_be_simulated(project: Path, monkeypatch: pytest.MonkeyPatch, capsys) -> None:
    """The walker stands upright for a moment, on both of its feet."""
    monkeypatch.chdir(project)
    assert main(["run", "stand"]) == 0, capsys.readouterr().err


def test_check_reads_models_by_themselves_and_in_directories(
    project: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(project)
    for paths in ([], ["characters"], ["characters/walker.xml"], ["characters/walker.roles.yaml"]):
        assert main(["check", *paths]) == 0
        assert "1 character" in capsys.readouterr().out.splitlines()[-1]
    shutil.copy("characters/walker.roles.yaml", "characters/other.roles.yaml")
    assert main(["check", "characters/other.roles.yaml"]) == 1
    said = (
        "error: characters/other.roles.yaml has the roles for the model other.xml,"
        " but this model is not in the same directory: add the model, or rename the file of roles\n"
    )
    assert capsys.readouterr().err == said
    assert main(["measures"]) == 0


def test_two_files_of_one_name_are_an_error(
    project: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(project)
    Path("characters/walker.yaml").write_text("name: walker\n")
    assert main(["check"]) == 1
    shown = capsys.readouterr().out
    both = "characters contains walker.yaml and walker.xml: a character must have only one file; rename or remove one"
    assert f"graph.yaml:1:12: error: {both}" in shown
    assert (
        "characters/walker.xml: error: there is also the file walker.yaml with this name: a character must have"
        " only one file" in shown
    )
    assert main(["run", "stand"]) == 1
    assert both in capsys.readouterr().err


def test_a_project_copied_for_a_trial_has_both_files(project: Path) -> None:
    with staged(Project(project)) as copy:
        found = sorted(path.name for path in (copy.directory / "characters").iterdir())
        assert found == ["walker.roles.yaml", "walker.xml"]


@pytest.mark.parametrize("name", ["walker.xml", "walker.roles.yaml"])
def test_no_link_is_followed_out_of_the_project(
    project: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    secret = project.parent / "secret"
    secret.write_text("the secret\n")
    (project / "characters" / name).unlink()
    (project / "characters" / name).symlink_to(secret)
    monkeypatch.chdir(project)
    for command in (["check"], ["check", "characters/walker.xml"], ["run", "stand"]):
        if name == "walker.xml" and command[1:] == ["characters/walker.xml"]:
            continue  # it is the person at the command line who names it
        assert main(command) == 1
        shown = capsys.readouterr()
        assert "lies outside the project" in shown.out + shown.err
        assert "secret" not in (shown.out + shown.err).replace(str(secret), "")


def test_a_file_of_roles_may_be_a_link_within_its_directory(project: Path) -> None:
    beside = project / "characters" / "walker.roles.yaml"
    beside.rename(project / "characters" / "shared.txt")
    beside.symlink_to("shared.txt")
    assert load_character(project / "characters" / "walker.xml").joint_index("knee") == 1
    beside.unlink()
    beside.symlink_to("nowhere.txt")
    with pytest.raises(SourceError, match="the roles file does not exist: correct its path or create it"):
        load_character(project / "characters" / "walker.xml")
    beside.unlink()
    beside.symlink_to("../../elsewhere.txt")
    with pytest.raises(CtrlGraphError, match="lies outside the project"):
        load_mjcf(project / "characters" / "walker.xml")


# --- export ---


def test_export_writes_a_model_that_is_read_back(
    project: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(project)
    assert main(["export", "-o", "again.xml"]) == 0
    shown = capsys.readouterr()
    assert (shown.out, shown.err) == ("", "again.xml\nagain.roles.yaml\n")
    again, character = load_character("again.xml"), Project(project).character
    assert again.digest == character.digest
