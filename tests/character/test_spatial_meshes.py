"""Meshes are read from files beside a model, simplified, and placed as MuJoCo places them."""

from __future__ import annotations

import os
import pickle
from pathlib import Path

import mujoco
import numpy as np
import pytest
from scipy.spatial import ConvexHull

from ctrlgraph.bounds import MAX_MESH_BYTES
from ctrlgraph.character.files import check_character, load_character
from ctrlgraph.character.mjcf import spatial_mesh_assets
from ctrlgraph.character.spatial.spatial_frames import reference_frames, rotation_matrix
from ctrlgraph.character.spatial.spatial_meshes import MAX_TRIANGLES, MeshFault, is_closed, read_mesh, simplified
from ctrlgraph.character.spatial_model import SpatialCharacter
from ctrlgraph.errors import SourceError
from ctrlgraph.pictures.spatial.spatial_figure import SpatialFigure

POINTS = np.array([(x, y, z) for x in (0.0, 0.3) for y in (0.0, 0.2) for z in (0.0, 0.1)])
CORNERS = ConvexHull(POINTS).simplices
OBJ = "# a box\n" + "".join(f"v {x:g} {y:g} {z:g}\n" for x, y, z in POINTS)
OBJ += "f 1 2 4 3\nf 5 6 8 7\nf -8 -7 -3 -4\nf 3 4 8 7\nf 1 3 7 5\nf 2 4 8 6\n"
TEXT = "solid box\n" + "".join(
    "facet normal 0 0 0\nouter loop\n"
    + "".join("vertex {:g} {:g} {:g}\n".format(*POINTS[i]) for i in corner)
    + "endloop\nendfacet\n"
    for corner in CORNERS
)
MODEL = """\
<mujoco model="dog">
  <compiler meshdir="parts"/>
  <default><mesh scale="1 2 1"/><default class="small"><mesh scale=".5 .5 -.25"/></default></default>
  <asset>
    <mesh file="box.stl"/>
    <mesh name="other" class="small" file="box.obj" refpos=".1 .2 .3" refquat=".6 0 .8 0"/>
  </asset>
  <worldbody>
    <geom type="plane" size="1 1 1"/>
    <body name="trunk" pos="0 0 1" quat=".8 0 .6 0">
      <freejoint/>
      <geom type="box" size=".2 .1 .1"/>
      <geom type="mesh" mesh="box" pos=".1 .2 .3" euler="10 20 30" contype="0" conaffinity="0" mass="0"/>
      <body name="leg" pos="0 0 -.3">
        <joint axis="0 1 0"/>
        <geom type="sphere" size=".05"/>
        <geom type="mesh" mesh="other" pos="0 .1 0" contype="0" conaffinity="0" mass="0"/>
      </body>
    </body>
  </worldbody>
  <actuator><motor joint="leg" ctrlrange="-1 1" ctrllimited="true"/></actuator>
</mujoco>
""".replace('<joint axis="0 1 0"/>', '<joint name="leg" axis="0 1 0"/>')


def stl(points: np.ndarray, corners: np.ndarray) -> bytes:
    rows = np.zeros((len(corners), 50), np.uint8)
    rows[:, 12:48] = points[corners].astype("<f4").reshape(-1, 9).view(np.uint8).reshape(-1, 36)
    return b"\0" * 80 + len(corners).to_bytes(4, "little") + rows.tobytes()


@pytest.fixture
def model(tmp_path: Path) -> Path:
    """A model of two links with a mesh each."""
    (tmp_path / "dog" / "parts").mkdir(parents=True)
    (tmp_path / "dog" / "parts" / "box.stl").write_bytes(stl(POINTS, CORNERS))
    (tmp_path / "dog" / "parts" / "box.obj").write_text(OBJ)
    (tmp_path / "dog" / "dog.xml").write_text(MODEL)
    return tmp_path / "dog" / "dog.xml"


def spatial(path: Path) -> SpatialCharacter:
    character = load_character(path)
    assert isinstance(character, SpatialCharacter)
    return character


def warnings_of(path: Path) -> list[str]:
    found = check_character(path)
    assert {finding.severity for finding in found} <= {"warning"}
    assert all(finding.span is not None for finding in found if finding.code == "mesh")
    return [finding.message for finding in found if finding.code in ("mesh", "colliding-mesh")]


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("box.stl", stl(POINTS, CORNERS)),
        ("box.STL", TEXT.encode()),
        ("box.obj", OBJ.encode()),
        ("box.obj", OBJ.replace("f 1 2 4 3", "f 1//1 2//1 4/1/1 3/2").encode()),
    ],
    ids=["binary STL", "text STL", "OBJ", "OBJ with normals"],
)
def test_a_box_is_read_from_each_kind_of_file(tmp_path: Path, name: str, data: bytes) -> None:
    (tmp_path / name).write_bytes(data)
    points, corners = read_mesh(tmp_path / name)
    assert len(corners) == 12
    assert np.unique(points.round(6), axis=0) == pytest.approx(np.unique(POINTS, axis=0), abs=1e-6)
    a, b, c = (points[corners[:, k]] for k in range(3))
    area = np.linalg.norm(np.cross(b - a, c - a), axis=1).sum() / 2
    assert area == pytest.approx(2 * (0.3 * 0.2 + 0.2 * 0.1 + 0.3 * 0.1), rel=1e-6)


MALFORMED = {
    "empty.stl": (b"", "is not a valid .stl file"),
    "short.stl": (stl(POINTS, CORNERS)[:-1], "is not a valid .stl file"),
    "long.stl": (b"\0" * 80 + b"\xff\xff\xff\xff" + b"\0" * 50, "is not a valid .stl file"),
    "none.stl": (b"\0" * 84, "contains no triangles"),
    "nan.stl": (stl(POINTS * np.nan, CORNERS), "has a coordinate that is not a number, or is above 10000"),
    "signal.stl": (
        b"\0" * 80 + b"\1\0\0\0" + b"\1\0\x80\x7f" * 12 + b"\0\0",
        "has a coordinate that is not a number, or is above 10000",
    ),
    "odd.stl": (b"solid x\nvertex 1 2 3\n", "is not a valid .stl file"),
    "words.obj": (b"v a b c\nf 1 1 1\n", "is not a valid .obj file"),
    "few.obj": (b"v 1 2\nf 1 1 1\n", "is not a valid .obj file"),
    "corner.obj": (b"v 1 2 3\nf 1 2 3\n", "has a face with a corner that is not a vertex of the file"),
    "before.obj": (b"v 1 2 3\nf -1 -2 -3\n", "has a face with a corner that is not a vertex of the file"),
    "huge.obj": (b"v 1 2 1e9\nf 1 1 1\n", "has a coordinate that is not a number, or is above 10000"),
    "integer.obj": (b"v 1 2 3\nf 1 1 " + b"9" * 30 + b"\n", "is not a valid .obj file"),
    "lines.obj": (b"v 1 2 3\nl 1 1\n", "contains no triangles"),
    "box.dae": (b"<COLLADA/>", "is not a .stl or .obj file"),
}


@pytest.mark.parametrize("name", MALFORMED)
def test_a_malformed_file_is_a_sentence(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_bytes(MALFORMED[name][0])
    with pytest.raises(MeshFault) as fault:
        read_mesh(tmp_path / name)
    assert str(fault.value) == f"its file {MALFORMED[name][1]}"


def test_missing_large_and_special_files_are_not_read(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.stl")
    with open(tmp_path / "large.stl", "wb") as file:
        file.truncate(MAX_MESH_BYTES + 1)
    for name, sentence in {
        "missing.stl": "does not exist", "pipe.stl": "is not a regular file", "large.stl": "is larger than 25 MB"
    }.items():  # fmt: skip
        with pytest.raises(MeshFault, match=sentence):
            read_mesh(tmp_path / name)


def test_a_simplified_mesh_is_close_to_the_given_one() -> None:
    rng = np.random.default_rng(1)
    ball = rng.normal(size=(20_000, 3))
    ball *= 0.1 / np.linalg.norm(ball, axis=1)[:, None]
    corners = ConvexHull(ball).simplices.astype(np.int64)
    points, found = simplified(ball, corners, MAX_TRIANGLES)
    assert 0.3 * MAX_TRIANGLES < len(found) <= MAX_TRIANGLES
    assert np.abs(np.linalg.norm(points, axis=1) - 0.1).max() < 0.002
    assert found.max() < len(points)


def test_a_small_mesh_stays_as_it_is() -> None:
    points, found = simplified(POINTS, CORNERS.astype(np.int64), MAX_TRIANGLES)
    assert len(found) == 12
    assert np.unique(points.round(6), axis=0) == pytest.approx(np.unique(POINTS, axis=0), abs=1e-5)


def test_meshes_are_where_mujoco_has_them(model: Path) -> None:
    character = spatial(model)
    reference, frames = mujoco.MjModel.from_xml_path(str(model)), reference_frames(character)
    data = mujoco.MjData(reference)
    mujoco.mj_kinematics(reference, data)
    for link, rotation, position in zip(character.links, frames.rotation, frames.position, strict=True):
        (shape,) = (each for each in link.shapes if each.kind == "mesh")
        assert not shape.collides
        points = np.array(character.meshes[shape.mesh].vertices) * shape.size
        points = points @ rotation_matrix(shape.orientation).T + shape.position
        points = points @ rotation.T + position
        mesh = mujoco.mj_name2id(reference, mujoco.mjtObj.mjOBJ_MESH, shape.mesh)
        (geom,) = np.flatnonzero(reference.geom_dataid == mesh)
        start = reference.mesh_vertadr[mesh]
        meant = reference.mesh_vert[start : start + reference.mesh_vertnum[mesh]]
        meant = meant @ data.geom_xmat[geom].reshape(3, 3).T + data.geom_xpos[geom]
        assert points.min(axis=0) == pytest.approx(meant.min(axis=0), abs=1e-5)
        assert points.max(axis=0) == pytest.approx(meant.max(axis=0), abs=1e-5)
        assert points.mean(axis=0) == pytest.approx(np.unique(meant.round(5), axis=0).mean(axis=0), abs=1e-4)


def test_meshes_change_neither_the_physics_nor_the_digest(model: Path) -> None:
    character = spatial(model)
    (model.parent / "parts" / "box.stl").unlink()
    assert spatial(model).digest == character.digest
    assert spatial(model).links[0].mass == character.links[0].mass


def test_a_character_with_meshes_is_copied_to_other_processes(model: Path) -> None:
    character = spatial(model)
    again = pickle.loads(pickle.dumps(character))
    assert again == character
    assert again.meshes["box"] == character.meshes["box"]


@pytest.mark.parametrize(
    ("file", "sentence"),
    [
        ("gone.stl", "the mesh 'gone' is not drawn: its file 'gone.stl' does not exist"),
        ("../../box.stl", "the mesh 'box' is not drawn: its file '../../box.stl' is not in the directory of the model"),
        ("/etc/passwd", "the mesh 'passwd' is not drawn: its file '/etc/passwd' is not in the directory of the model"),
        ("link.stl", "the mesh 'link' is not drawn: its file 'link.stl' is not in the directory of the model"),
        ("box.msh", "the mesh 'box' is not drawn: its file 'box.msh' is not a .stl or .obj file"),
        ("bad.stl", "the mesh 'bad' is not drawn: its file is not a valid .stl file"),
        ("", "the mesh '' is not drawn: its file is not named in the model (2 places in all)"),
    ],
)
def test_a_mesh_that_cannot_be_drawn_is_one_warning(model: Path, file: str, sentence: str) -> None:
    outside = model.parent.parent / "box.stl"
    outside.write_bytes(stl(POINTS, CORNERS))
    (model.parent / "parts" / "link.stl").symlink_to(outside)
    (model.parent / "parts" / "bad.stl").write_bytes(b"x")
    name = Path(file).stem
    model.write_text(MODEL.replace('file="box.stl"', f'file="{file}"').replace('mesh="box"', f'mesh="{name or "box"}"'))
    assert warnings_of(model) == [sentence]
    character = spatial(model)
    assert name not in character.meshes
    assert len(SpatialFigure.of(character).solid.corner) > 0  # drawn as its shapes


@pytest.mark.slow
def test_meshes_beyond_the_maximum_in_all_are_left_out(model: Path) -> None:
    first = model.parent / "parts" / "large0.stl"
    first.write_bytes(b"\0" * 80 + (490_000).to_bytes(4, "little") + bytes(50 * 490_000))
    for i in range(1, 7):
        os.link(first, first.with_name(f"large{i}.stl"))
    assets = "".join(f'<mesh file="large{i}.stl"/>' for i in range(7))
    model.write_text(MODEL.replace("</asset>", f"{assets}</asset>"))
    sentence = "the mesh 'large6' is not drawn: its file is not opened, because all meshes together exceed 150 MB"
    assert warnings_of(model) == [sentence]


def test_a_mesh_that_the_model_does_not_have_is_one_warning(model: Path) -> None:
    model.write_text(MODEL.replace('mesh="box"', 'mesh="bx"'))
    assert warnings_of(model) == ["the model has no mesh 'bx', so this geom is not drawn"]


@pytest.mark.parametrize(
    ("attribute", "sentence"),
    [
        ('scale="1 nan 1"', "its 'scale' must be 3 numbers of at most 10000"),
        ('scale="0 1 1"', "its 'scale' must not contain 0"),
        ('scale="1 1"', "its 'scale' must be 3 numbers of at most 10000"),
        ('refpos="a b c"', "its 'refpos' must be 3 numbers of at most 1e+09"),
        ('refquat="0 0 0 0"', "its 'refquat' must not have the length 0"),
        ('inertia="round"', "its 'inertia' must be one of convex, exact, legacy, shell"),
    ],
)
def test_numbers_of_a_mesh_that_are_not_valid_are_one_warning(model: Path, attribute: str, sentence: str) -> None:
    model.write_text(MODEL.replace('file="box.stl"', f'file="box.stl" {attribute}'))
    assert warnings_of(model) == [f"the mesh 'box' is not drawn: {sentence}"]


def test_meshes_that_collide_are_drawn_only_where_there_are_no_others(model: Path) -> None:
    masks = 'contype="0" conaffinity="0"'
    model.write_text(MODEL.replace(masks, "", 1))
    assert warnings_of(model) == [
        "a mesh is only drawn and does not collide: use a box, capsule or sphere for contacts"
    ]
    assert [shape.mesh for shape in spatial(model).links[0].shapes] == ["", "box"]
    geom = '<geom type="mesh" mesh="box" mass="0"/>'
    model.write_text(MODEL.replace('<geom type="box"', f'{geom}<geom type="box"'))
    assert [shape.kind for shape in spatial(model).links[0].shapes] == ["box", "mesh"]
    assert not any(shape.collides for shape in spatial(model).links[0].shapes if shape.mesh)


def test_a_figure_consists_of_the_meshes_as_they_are_now(model: Path) -> None:
    character = spatial(model)
    assert len(SpatialFigure.of(character).solid.corner) == 24
    (model.parent / "parts" / "box.stl").write_bytes(stl(POINTS, CORNERS[:6]))
    assert len(SpatialFigure.of(character).solid.corner) == 18


# --- mass ---

HEAVY = MODEL.replace('<geom type="box" size=".2 .1 .1"/>', "").replace('mass="0"', 'density="500"', 1)
"""The model with a trunk whose mass is that of the mesh "box", which is scaled to 0.3 m x 0.4 m x 0.1 m."""


def trunk_of(path: Path) -> tuple[float, np.ndarray]:
    """Return the mass, kg, and the principal moments of inertia, kg m^2, in ascending order, of the trunk."""
    trunk = spatial(path).links[0]
    xx, yy, zz, xy, xz, yz = trunk.inertia
    return trunk.mass, np.linalg.eigvalsh([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])


@pytest.mark.parametrize("inertia", ["", "convex", "exact", "legacy"])
def test_a_link_has_the_mass_and_the_inertia_of_its_mesh(model: Path, inertia: str) -> None:
    points, corners = read_mesh(model.parent / "parts" / "box.obj")
    (model.parent / "parts" / "box.stl").write_bytes(stl(points, outward(points, corners)))
    model.write_text(
        HEAVY.replace('file="box.stl"', f'file="box.stl" inertia="{inertia}"' if inertia else 'file="box.stl"')
    )
    x, y, z = 0.3, 0.4, 0.1
    mass, moments = trunk_of(model)
    assert mass == pytest.approx(500.0 * x * y * z, rel=1e-6)
    assert moments == pytest.approx(mass / 12.0 * np.array([x * x + z * z, y * y + z * z, x * x + y * y]), rel=1e-6)
    reference = mujoco.MjModel.from_xml_path(str(model))
    assert mass == pytest.approx(reference.body_mass[1], rel=1e-12)


def outward(points: np.ndarray, corners: np.ndarray) -> np.ndarray:
    """Return the corners of a convex mesh in an order that is counterclockwise as seen from outside."""
    a, b, c = (points[corners[:, k]] for k in range(3))
    inward = (np.cross(b - a, c - a) * (a - points.mean(axis=0))).sum(axis=1) < 0.0
    return np.where(inward[:, None], corners[:, ::-1], corners)


def test_the_mass_of_a_shell_is_that_of_its_surface(model: Path) -> None:
    model.write_text(
        HEAVY.replace("<default>", '<default><mesh inertia="shell"/>', 1).replace('<mesh scale="1 2 1"/>', "")
    )
    x, y, z = 0.3, 0.2, 0.1
    assert trunk_of(model)[0] == pytest.approx(500.0 * 2.0 * (x * y + y * z + z * x), rel=1e-6)


def test_a_mesh_with_mass_is_where_mujoco_has_it(model: Path) -> None:
    plain = spatial(model)
    model.write_text(MODEL.replace('mass="0"', 'mass="2"'))
    heavy = spatial(model)
    assert heavy.mass == pytest.approx(plain.mass + 4.0)
    test_meshes_are_where_mujoco_has_them(model)


def test_an_open_mesh_with_mass_is_one_warning(model: Path) -> None:
    (model.parent / "parts" / "box.stl").write_bytes(stl(POINTS, CORNERS[1:]))
    model.write_text(HEAVY)
    (found,) = (finding for finding in check_character(model) if finding.code == "open-mesh")
    assert found.message == "the surface of the mesh 'box' has holes: its mass and inertia are approximate"
    assert trunk_of(model)[0] == pytest.approx(mujoco.MjModel.from_xml_path(str(model)).body_mass[1], rel=1e-12)


def test_a_surface_is_closed_if_each_edge_belongs_to_two_triangles() -> None:
    corners = outward(POINTS, CORNERS)
    assert is_closed(POINTS, corners)
    assert is_closed(POINTS[corners].reshape(-1, 3), np.arange(36).reshape(-1, 3))  # no points in common
    assert not is_closed(POINTS, corners[1:])


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (stl(POINTS * [1, 1, 0], CORNERS), "MuJoCo cannot read this <geom>: mesh volume is too small: box"),
        (stl(POINTS * 0, CORNERS), "MuJoCo cannot read this <geom>: mesh surface area is too small: box"),
        (stl(POINTS, CORNERS[:0]), "the mass of the mesh 'box' is not known: its file contains no triangles"),
        (b"x", "the mass of the mesh 'box' is not known: its file is not a valid .stl file"),
        (None, "the mass of the mesh 'box' is not known: its file 'box.stl' does not exist"),
    ],
    ids=["flat", "a point", "empty", "malformed", "missing"],
)
def test_a_mesh_without_a_mass_is_one_sentence(model: Path, data: bytes | None, sentence: str) -> None:
    file = model.parent / "parts" / "box.stl"
    if data is None:
        file.unlink()
    else:
        file.write_bytes(data)
    model.write_text(HEAVY)
    with pytest.raises(SourceError) as error:
        load_character(model)
    (found,) = (each for each in error.value.findings if each.severity == "error")
    assert found.message.startswith(sentence)
    assert found.span is not None and found.span.line == 1 + HEAVY[: HEAVY.index('mesh="box"')].count("\n")


def test_the_exact_mass_of_a_mesh_with_a_turned_triangle_is_an_error(model: Path) -> None:
    corners = outward(POINTS, CORNERS)
    corners[0] = corners[0, ::-1]
    (model.parent / "parts" / "box.stl").write_bytes(stl(POINTS, corners))
    model.write_text(HEAVY.replace('file="box.stl"', 'file="box.stl" inertia="exact"'))
    with pytest.raises(SourceError, match="faces of mesh 'box' have inconsistent orientation"):
        load_character(model)


@pytest.mark.parametrize(("inertia", "most"), [("legacy", 11), ("convex", 119)])
def test_meshes_with_too_many_triangles_for_a_mass_are_an_error(
    model: Path, inertia: str, most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(spatial_mesh_assets, "MAX_TRIANGLES_WITH_MASS", most)
    model.write_text(HEAVY.replace('file="box.stl"', f'file="box.stl" inertia="{inertia}"'))
    with pytest.raises(SourceError, match="its file has too many triangles"):
        load_character(model)


def test_a_mesh_is_read_for_its_mass_only_where_a_link_needs_it(model: Path) -> None:
    inertial = '<inertial pos="0 0 0" mass="3" diaginertia=".1 .1 .1"/><freejoint/>'
    model.write_text(HEAVY.replace("<freejoint/>", inertial))
    (model.parent / "parts" / "box.stl").write_bytes(b"x")
    assert spatial(model).links[0].mass == 3.0
