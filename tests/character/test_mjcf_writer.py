"""Characters written as MuJoCo models: what is read back is the character, and what MuJoCo compiles is its body."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ElementTree
from dataclasses import astuple, replace
from pathlib import Path

import mujoco
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from planar_models import GYMNASIUM, compiled, kinetic_energy, link_motion, rigid_bodies, set_pose

from ctrlgraph.character.mjcf import body_element, load_mjcf, parse_mjcf, save_mjcf, write_mjcf, write_sidecar
from ctrlgraph.character.model import Roles, TorqueRange
from ctrlgraph.character.planar_model import ContactPoint, PlanarCharacter, PlanarJoint, PlanarLink
from ctrlgraph.errors import CtrlGraphError

CLOSE = 1e-9


# --- random characters ---

_name = st.text(st.sampled_from("abcXYZ_äß&<>\"' 0-#:[]{},"), min_size=1, max_size=12).filter(
    lambda name: name == name.strip() and not name.startswith(("-", ".")) and "->" not in name
)
_place = st.floats(-2, 2)
_positive = st.floats(1e-3, 50)


@st.composite
def characters(draw: st.DrawFn) -> PlanarCharacter:
    """A character of two to seven links in any order, with everything that a file can say."""
    count = draw(st.integers(2, 7))
    names = draw(st.lists(_name, min_size=2 * count + 2, max_size=2 * count + 2, unique=True))
    links = [
        PlanarLink(
            name=names[i],
            mass=draw(_positive),
            inertia=draw(_positive),
            x=draw(_place),
            y=draw(_place),
            height=draw(_positive),
            width=draw(_positive),
            contacts=tuple(
                ContactPoint(*draw(st.tuples(_place, _place, st.floats(1e-3, 1))))
                for _ in range(draw(st.integers(0, 3)))
            ),
        )
        for i in range(count)
    ]
    order = draw(st.permutations(range(count)))  # the first is the root
    joints = []
    for i in range(1, count):
        lower, upper = (sorted(draw(st.tuples(_positive, _positive))) for _ in range(2))
        joints.append(
            PlanarJoint(
                name=names[count + i],
                parent=order[draw(st.integers(0, i - 1))],
                child=order[i],
                x=draw(_place),
                y=draw(_place),
                lower=-draw(st.floats(0, 7)),
                upper=draw(st.floats(0.1, 7)),
                torque_limit=TorqueRange(-lower[0], upper[0]),
                hard_torque_limit=TorqueRange(-lower[1], upper[1]),
                kp=draw(st.sampled_from([300.0, 12.5])),
                kd=draw(st.sampled_from([45.0, 0.0])),
            )
        )
    lowest = [link.y + c.y - c.radius for link in links for c in link.contacts]
    ground = min(lowest or [link.y - link.height / 2 for link in links])
    return PlanarCharacter(
        name=draw(_name),
        links=tuple(replace(link, y=link.y - ground) for link in links),
        joints=tuple(replace(joint, y=joint.y - ground) for joint in draw(st.permutations(joints))),
        link_aliases={names[0] + "x": links[0].name} if draw(st.booleans()) else {},
        joint_aliases={names[1] + "y": joints[0].name} if draw(st.booleans()) else {},
        roles=draw(_roles(count)),
    )


@st.composite
def _roles(draw: st.DrawFn, count: int) -> Roles:
    limbs = draw(st.lists(st.sampled_from(["", "feet", "hands", "shins"]), min_size=count, max_size=count))
    single = st.none() | st.integers(0, count - 1)
    return Roles(
        trunk=draw(single),
        head=draw(single),
        axial=tuple(draw(st.lists(st.integers(0, count - 1), unique=True))),
        **{role: tuple(i for i, limb in enumerate(limbs) if limb == role) for role in ("feet", "hands", "shins")},
        link_pairs=((0, 1),) if draw(st.booleans()) else (),
        joint_pairs=((0, 1),) if count > 2 and draw(st.booleans()) else (),
    )


def by_name(character: PlanarCharacter) -> dict[str, object]:
    """A character without the order of its links and joints."""
    links, joints, roles = character.link_names, character.joint_names, character.roles
    return {
        "name": character.name,
        "root": links[character.root],
        "links": {link.name: astuple(link) for link in character.links},
        "joints": {
            joint.name: (links[joint.parent], links[joint.child], astuple(replace(joint, parent=0, child=0)))
            for joint in character.joints
        },
        "aliases": (character.link_aliases, character.joint_aliases),
        "roles": [[links[i] for i in roles.of(role)] for role in ("trunk", "head", "axial", "feet", "hands", "shins")],
        "pairs": [
            [[links[a], links[b]] for a, b in roles.link_pairs],
            [[joints[a], joints[b]] for a, b in roles.joint_pairs],
        ],
    }


def close(one: object, other: object) -> bool:
    """Whether two such are the same; numbers may differ by what rounding leaves."""
    if isinstance(one, float) and isinstance(other, float):
        return abs(one - other) <= CLOSE * max(1.0, abs(one))
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(close(one[key], other[key]) for key in one)
    if isinstance(one, list | tuple) and isinstance(other, list | tuple):
        return len(one) == len(other) and all(map(close, one, other))
    return one == other


@given(characters())
def test_what_is_written_is_read_back_as_the_same_character(character: PlanarCharacter) -> None:
    again = parse_mjcf(write_mjcf(character), "x.xml", write_sidecar(character))
    assert close(by_name(again), by_name(character)), json.dumps([by_name(again), by_name(character)], indent=1)


@given(characters())
def test_mujoco_compiles_the_body_that_is_written(character: PlanarCharacter) -> None:
    model, data = compiled(write_mjcf(character))
    rigid = rigid_bodies(model, data)
    assert set(rigid) == set(character.link_names)
    for link in character.links:
        true = rigid[link.name]
        assert (true.mass, true.inertia) == (link.mass, pytest.approx(link.inertia, rel=CLOSE))
        assert true.centre == pytest.approx([link.x, link.y], abs=CLOSE)
    for j in character.joints:
        k = model.joint(j.name).id
        assert data.xanchor[k][[0, 2]] == pytest.approx([j.x, j.y], abs=CLOSE)
        assert (model.jnt_range[k].tolist(), data.xaxis[k][1]) == ([j.lower, j.upper], 1.0)
        assert model.jnt_actfrcrange[k].tolist() == list(j.hard_torque_limit)
        assert model.actuator(j.name).forcerange.tolist() == list(j.torque_limit)


@pytest.mark.parametrize("source", ["humanoid", "walker2d_v5.xml"])
def test_what_is_written_moves_as_the_character_does(source: str, humanoid: PlanarCharacter) -> None:
    character = humanoid if source == "humanoid" else load_mjcf(GYMNASIUM / source)
    model, data = compiled(write_mjcf(character))
    model.opt.enableflags |= mujoco.mjtEnableBit.mjENBL_ENERGY
    rng = np.random.default_rng(3)
    for _ in range(5):
        angles, rates = rng.uniform(-1, 1, len(character.joints)), rng.uniform(-3, 3, len(character.joints))
        root = np.array([*rng.uniform(-1, 1, 2), rng.uniform(-3, 3)])
        set_pose(model, data, character, angles, rates, root)
        mujoco.mj_forward(model, data)
        poses, velocities = link_motion(character, angles, rates, root)
        for i, link in enumerate(character.links):
            assert poses[i, :2] == pytest.approx(data.xipos[model.body(link.name).id][[0, 2]], abs=CLOSE)
        assert kinetic_energy(character, velocities) == pytest.approx(data.energy[1], rel=1e-6)
        weight = 9.81 * sum(link.mass * poses[i, 1] for i, link in enumerate(character.links))
        assert weight == pytest.approx(data.energy[0])


def test_a_written_character_stands_on_its_soles_and_not_on_its_looks(humanoid: PlanarCharacter) -> None:
    """Contacts with the floor are those of the contact circles: the four of the feet, in the reference pose."""
    model, data = compiled(write_mjcf(humanoid))
    data.qpos[1] -= 1e-4
    mujoco.mj_forward(model, data)
    touching = sorted(model.body(model.geom_bodyid[contact.geom].max()).name for contact in data.contact[: data.ncon])
    assert touching == ["lFoot", "lFoot", "rFoot", "rFoot"]


def test_the_bodies_alone_go_into_another_model(humanoid: PlanarCharacter) -> None:
    world = ElementTree.Element("worldbody")
    world.append(body_element(humanoid, visual=False))
    text = ElementTree.tostring(world, encoding="unicode")
    model, data = compiled(f'<mujoco><compiler angle="radian"/>{text}</mujoco>')
    assert (model.nv, model.ngeom) == (19, sum(len(link.contacts) for link in humanoid.links))
    root = humanoid.links[humanoid.root]
    assert model.qpos0[:3].tolist() == [root.x, root.y, 0.0]
    assert model.body(1).name == "pelvis"
    assert data.xipos == pytest.approx(data.xpos)  # frames lie in the centres of mass


def test_a_joint_that_is_called_like_one_of_the_root_has_its_name(humanoid: PlanarCharacter) -> None:
    character = replace(humanoid, joints=(replace(humanoid.joints[0], name="rooty"), *humanoid.joints[1:]))
    assert "rooty" in parse_mjcf(write_mjcf(character)).joint_names


# --- files ---


def test_a_model_is_saved_with_its_roles_beside_it(tmp_path: Path, humanoid: PlanarCharacter) -> None:
    assert save_mjcf(humanoid, tmp_path / "man.xml") == [tmp_path / "man.xml", tmp_path / "man.roles.yaml"]
    again = load_mjcf(tmp_path / "man.xml")
    assert close(by_name(again), by_name(humanoid))
    save_mjcf(humanoid, tmp_path / "man.xml")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["man.roles.yaml", "man.xml"]


@pytest.mark.parametrize(
    ("there", "name", "said"),
    [
        ("man.yaml", "man.xml", "man.yaml exists, and a character must have only one file: choose another name"),
        ("man.roles.yaml", "man.xml", "man.roles.yaml exists with other contents: choose another name, or delete it"),
        ("other", "man.txt", "the file name of a MuJoCo model must end in .xml, not man.txt"),
    ],
)
def test_nothing_is_written_over_another_character(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, humanoid: PlanarCharacter, there: str, name: str, said: str
) -> None:
    monkeypatch.chdir(tmp_path)
    Path(there).write_text("pairs: []\n")
    with pytest.raises(CtrlGraphError) as error:
        save_mjcf(humanoid, Path(name))
    assert str(error.value) == said
    assert [(path.name, path.read_text()) for path in tmp_path.iterdir()] == [(there, "pairs: []\n")]
