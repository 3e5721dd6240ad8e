"""Motion as OpenSim's tables, read back by the words of the format: poses and forces are those of the recording."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from ctrlgraph.character.model import Character
from ctrlgraph.character.spatial_model import SpatialCharacter
from ctrlgraph.errors import CtrlGraphError
from ctrlgraph.export import mot_of, sto_of
from ctrlgraph.kernels.planar.arrays import body_arrays, new_kinematics
from ctrlgraph.kernels.planar.dynamics import place, tree_of
from ctrlgraph.kernels.spatial.spatial_arrays import new_spatial_kinematics, spatial_body
from ctrlgraph.kernels.spatial.spatial_kinematics import place_links
from ctrlgraph.project.project import Project
from ctrlgraph.simulation.signals.recorded_signals import Signals
from tests.export.recorded import QUADRUPED, record

WORLD = np.array([[1.0, 0.0, 0.0], [0.0, 0.0, -1.0], [0.0, 1.0, 0.0]])
"""From the axes of the file (forward, up, right) to those of the world (forward, left, up)."""


def read(text: str) -> tuple[dict[str, str], dict[str, np.ndarray]]:
    """The header and the columns of a table."""
    head, _, body = text.partition("endheader\n")
    header = dict(line.split("=") for line in head.splitlines()[1:])
    labels, *rows = body.splitlines()
    values = np.array([[float(word) for word in row.split("\t")] for row in rows])
    assert values.shape == (int(header["nRows"]), int(header["nColumns"]))
    return header, dict(zip(labels.split("\t"), values.T, strict=True))


def three(columns: dict[str, np.ndarray], name: str) -> np.ndarray:
    return np.column_stack([columns[name.format(axis)] for axis in "xyz"]) @ WORLD.T


@pytest.fixture(scope="module", params=["run", "backflip", "leap"])
def case(request: pytest.FixtureRequest, project: Project) -> tuple[Character, Signals]:
    used = Project(QUADRUPED, engine="mujoco") if request.param == "leap" else project
    return used.character, record(used, request.param)


def test_the_links_are_where_the_coordinates_put_them(case: tuple[Character, Signals]) -> None:
    character, signals = case
    header, found = read(mot_of(signals, character))
    assert header["inDegrees"] == "yes"
    assert np.allclose(found["time"], signals.columns["time"], atol=1e-8)
    root = character.links[character.root].name
    position = three(found, f"{root}_t{{}}")
    angles = np.column_stack([found[f"{root}_{part}"] for part in ("tilt", "list", "rotation")])
    turned = WORLD @ Rotation.from_euler("ZXY", angles, degrees=True).as_matrix() @ WORLD.T
    joints = np.radians(np.column_stack([found[name] for name in character.joint_names]))
    worst = 0.0
    for i in range(0, len(signals), 7):
        places = posed(character, position[i], turned[i], joints[i])
        for link, at in zip(character.link_names, places, strict=True):
            columns = [f"{axis}.{link}" for axis in ("xyz" if places.shape[1] == 3 else "xy")]
            worst = max(worst, float(np.linalg.norm(at - [signals.columns[name][i] for name in columns])))
    assert worst < (1e-5 if isinstance(character, SpatialCharacter) else 0.003)  # ODE's pins have play


def posed(character: Character, position: np.ndarray, turned: np.ndarray, joints: np.ndarray) -> np.ndarray:
    """Centres of mass of the links in a pose, in the plane or in space."""
    links = len(character.links)
    if isinstance(character, SpatialCharacter):
        kin = new_spatial_kinematics(links, joints.size)
        x, y, z, w = Rotation.from_matrix(turned).as_quat()
        kin.pose[character.root] = [*position, w, x, y, z]
        place_links(spatial_body(character), kin, joints)
        return kin.pose[:, :3]
    flat = new_kinematics(links, joints.size)
    clockwise = np.arctan2(turned[0, 2], turned[0, 0])
    q = np.array([position[0], position[2], clockwise, *joints])
    place(body_arrays(character), tree_of(character), q, np.zeros_like(q), flat)
    return flat.link[:, :2]


def test_forces_and_moments_of_the_ground_are_those_of_the_simulation(case: tuple[Character, Signals]) -> None:
    character, signals = case
    header, found = read(sto_of(signals, character))
    columns = signals.columns
    assert header["inDegrees"] == "no"
    assert np.array_equal(found["time"].round(6), columns["time"][:-1].round(6))
    touching = [link for link in character.link_names if columns[f"contact.{link}"].any()]
    assert {name.removesuffix("_ground_force_vx") for name in found if name.endswith("_vx")} <= set(touching)
    space = isinstance(character, SpatialCharacter)
    total = np.zeros((len(found["time"]), 3))
    for link in touching:
        if f"{link}_ground_force_vx" not in found:
            continue
        force, point, moment = (
            three(found, f"{link}_ground_{part}") for part in ("force_v{}", "force_p{}", "torque_{}")
        )
        total += force
        axes = {"x": 0, "y": 1, "z": 2} if space else {"x": 0, "y": 2}
        pushed = columns[f"force_{'z' if space else 'y'}.{link}"][:-1] > 0.0
        assert not point[~pushed].any()
        for axis, k in axes.items():
            assert np.allclose(force[:, k], columns[f"force_{axis}.{link}"][:-1], rtol=1e-6, atol=1e-6)
            assert np.allclose(point[pushed, k], columns[f"pressure_{axis}.{link}"][:-1][pushed], atol=1e-6)
        if space:
            assert np.allclose(moment, np.column_stack([columns[f"moment_{axis}.{link}"][:-1] for axis in "xyz"]))
        else:
            assert not moment[:, [0, 2]].any()
            assert np.allclose(moment[:, 1], columns[f"moment.{link}"][:-1], rtol=1e-6, atol=1e-9)
    weight = character.mass * 9.81
    assert 0.5 * weight < np.mean(total[:, 2]) < 1.5 * weight
    heels = np.nan_to_num(columns["pressure_x"][:-1])
    assert (total[heels != 0.0, 2] > 0.0).all()


def test_angles_do_not_jump_when_a_body_turns_over(case: tuple[Character, Signals]) -> None:
    character, signals = case
    _, found = read(mot_of(signals, character))
    root = character.links[character.root].name
    for part in ("tilt", "list", "rotation"):
        assert np.abs(np.diff(found[f"{root}_{part}"])).max() < 30.0  # degrees in a hundredth of a second


def test_names_become_words_without_blanks_and_stay_distinct(case: tuple[Character, Signals]) -> None:
    character, signals = case
    first, second = character.joint_names[:2]
    odd = {first: "left knee", second: "left\tknee"}
    joints = tuple(replace(joint, name=odd.get(joint.name, joint.name)) for joint in character.joints)
    columns = dict(signals.columns)
    for quantity in signals.quantities.joint:
        columns |= {f"{quantity}.{new}": columns.pop(f"{quantity}.{old}") for old, new in odd.items()}
    _, found = read(mot_of(replace(signals, columns=columns), replace(character, joints=joints)))
    assert {"left_knee", "left_knee_2"} <= set(found)


def test_a_motion_without_contact_has_no_forces_to_write(case: tuple[Character, Signals], tmp_path: Path) -> None:
    character, signals = case
    columns = {name: 0.0 * v if name.startswith("force_") else v for name, v in signals.columns.items()}
    with pytest.raises(CtrlGraphError) as refused:
        sto_of(replace(signals, columns=columns), character)
    told = "there are no forces of the ground to write: no link touches the ground in this motion"
    assert str(refused.value) == told
