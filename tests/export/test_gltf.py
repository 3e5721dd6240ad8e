"""Motion as glTF, read back by pygltflib: links are where the simulation had them, upright on the ground."""

from __future__ import annotations

import base64
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import pygltflib
import pytest
from scipy.spatial.transform import Rotation, Slerp

from ctrlgraph.character.model import Character
from ctrlgraph.character.planar_model import PlanarCharacter
from ctrlgraph.character.spatial_model import Mesh, Shape
from ctrlgraph.export import write_motion
from ctrlgraph.export.planar_solids import planar_solids
from ctrlgraph.project.project import Project
from ctrlgraph.simulation.signals.recorded_signals import Signals
from ctrlgraph.terrain.spatial import parse_spatial
from ctrlgraph.terrain.words import parse
from tests.box_quadruped import box_quadruped
from tests.export.recorded import QUADRUPED, RATE, record, swinging

TYPES = {5126: "<f4", 5123: "<u2", 5125: "<u4"}
WIDTHS = {"SCALAR": 1, "VEC3": 3, "VEC4": 4}
WORLD = [2, 0, 1]  # forward, left and up among X (left), Y (up) and Z (forward)


@dataclass
class Loaded:
    """A file, by the words of the format alone."""

    gltf: pygltflib.GLTF2

    def array(self, index: int) -> np.ndarray:
        accessor = self.gltf.accessors[index]
        view = self.gltf.bufferViews[accessor.bufferView]
        uri = self.gltf.buffers[view.buffer].uri
        data = base64.b64decode(uri.partition(",")[2]) if uri else self.gltf.binary_blob()
        start = view.byteOffset + (accessor.byteOffset or 0)
        width = WIDTHS[accessor.type]
        flat = np.frombuffer(data, TYPES[accessor.componentType], accessor.count * width, start)
        return flat.reshape(-1, width) if width > 1 else flat

    def poses(self, name: str, at: np.ndarray) -> tuple[np.ndarray, Rotation]:
        """Positions (n, 3) and rotations of a node of the animation at times, in the axes of the world."""
        found = {}
        (animation,) = self.gltf.animations
        for channel in animation.channels:
            if self.gltf.nodes[channel.target.node].name == name:
                sampler = animation.samplers[channel.sampler]
                assert sampler.interpolation == "LINEAR"
                found[channel.target.path] = self.array(sampler.input), self.array(sampler.output)
        time, place = found["translation"]
        clock, turn = found["rotation"]
        at = np.clip(at, time[0], time[-1])
        turned = Slerp(clock, Rotation.from_quat(turn[:, [2, 0, 1, 3]]))(at)
        return np.column_stack([np.interp(at, time, place[:, k]) for k in WORLD]), turned

    def mesh(self, name: str) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Points, normals and triangles of a node in its own frame, in the axes of the world."""
        node = next(node for node in self.gltf.nodes if node.name == name)
        points, normals, corners, n = [], [], [], 0
        for part in self.gltf.meshes[node.mesh].primitives:
            points.append(self.array(part.attributes.POSITION)[:, WORLD].astype(float))
            normals.append(self.array(part.attributes.NORMAL)[:, WORLD].astype(float))
            corners.append(self.array(part.indices).astype(int).reshape(-1, 3) + n)
            n += len(points[-1])
        return np.concatenate(points), np.concatenate(normals), np.concatenate(corners)


@dataclass
class Case:
    character: Character
    signals: Signals
    project: Project


@pytest.fixture(scope="module", params=["run", "backflip", "leap"])
def case(request: pytest.FixtureRequest, project: Project) -> Case:
    """Two planar motions, and one in space."""
    used = Project(QUADRUPED) if request.param == "leap" else project
    return Case(used.character, record(used, request.param), used)


@pytest.fixture(scope="module")
def loaded(case: Case, tmp_path_factory: pytest.TempPathFactory) -> Loaded:
    return load(case, tmp_path_factory.mktemp("gltf") / "motion.glb")


def load(case: Case, path: Path, ground=None) -> Loaded:
    write_motion(case.signals, case.character, path, RATE, ground)
    gltf = pygltflib.GLTF2().load(str(path))
    assert gltf is not None
    return Loaded(gltf)


def recorded(case: Case, link: str) -> tuple[np.ndarray, Rotation]:
    """Positions and rotations of a link at all samples, in the axes of the world."""
    columns = case.signals.columns
    if "com_z" in columns:
        turned = np.column_stack([columns[f"q{part}.{link}"] for part in "xyzw"])
        return np.column_stack([columns[f"{axis}.{link}"] for axis in "xyz"]), Rotation.from_quat(turned)
    x, z = columns[f"x.{link}"], columns[f"y.{link}"]
    return np.column_stack([x, 0.0 * x, z]), Rotation.from_rotvec(np.outer(columns[f"rotation.{link}"], [0, 1, 0]))


def test_links_are_where_the_simulation_had_them_within_a_hundredth_of_a_millimetre(case: Case, loaded: Loaded) -> None:
    time = case.signals.columns["time"] - case.signals.columns["time"][0]
    for link in case.character.link_names:
        place, turned = loaded.poses(link, time)
        wanted, wanted_turn = recorded(case, link)
        assert np.abs(place - wanted).max() < 1e-5
        assert (turned * wanted_turn.inv()).magnitude().max() < 1e-5


def test_between_samples_links_move_straight_and_turn_the_short_way(case: Case, loaded: Loaded) -> None:
    time = case.signals.columns["time"] - case.signals.columns["time"][0]
    middle = (time[1:] + time[:-1]) / 2
    for link in case.character.link_names:
        place, turned = loaded.poses(link, middle)
        wanted, wanted_turn = recorded(case, link)
        step = (wanted_turn[:-1].inv() * wanted_turn[1:]).magnitude()
        assert np.abs(place - (wanted[1:] + wanted[:-1]) / 2).max() < 1e-5
        assert ((wanted_turn[:-1].inv() * turned).magnitude() <= step / 2 + 1e-5).all()


def test_in_the_first_frame_the_body_is_upright_faces_z_and_has_its_left_side_at_x(loaded: Loaded, case: Case) -> None:
    first = {name: loaded.poses(name, np.zeros(1)) for name in case.character.link_names}
    points = {name: turn[0].apply(loaded.mesh(name)[0]) + place[0] for name, (place, turn) in first.items()}
    roles, names = case.character.roles, case.character.link_names
    middle = {name: (each.min(axis=0) + each.max(axis=0)) / 2 for name, each in points.items()}
    trunk = middle[names[case.character.trunk]]
    feet = roles.feet or [leg.foot for leg in roles.legs]
    assert all(middle[names[foot]][2] < trunk[2] for foot in feet)
    for right, left in roles.link_pairs:
        assert middle[names[right]][1] < 0.0 < middle[names[left]][1]
    lowest = min(each[:, 2].min() for each in points.values())
    assert lowest == pytest.approx(0.0, abs=0.01)
    node = case.signals.columns["node"][0]
    moved = loaded.poses(names[case.character.root], np.array([0.0, 100.0]))[0]
    assert node == "backflip" or moved[1, 0] > moved[0, 0] + 0.05


def test_surfaces_are_closed_and_face_outward(loaded: Loaded, case: Case) -> None:
    for link in case.character.link_names:
        point, normal, corner = loaded.mesh(link)
        a, b, c = (point[corner[:, k]] for k in range(3))
        face = np.cross(b - a, c - a)
        assert np.einsum("ij,ij->", a, face) > 0.0  # six times the volume
        assert np.abs(face.sum(axis=0)).max() < 1e-6  # a closed surface has no direction
        assert (np.einsum("ij,ij->i", face, normal[corner].sum(axis=1)) >= 0.0).all()
        assert np.linalg.norm(normal, axis=1) == pytest.approx(1.0, abs=1e-5)


@pytest.mark.parametrize("name", ["biped", "five-link", "tracking"])
def test_every_planar_character_has_a_surface_for_each_link(name: str) -> None:
    character = Project(QUADRUPED.parent / name).character
    assert isinstance(character, PlanarCharacter)
    for parts in planar_solids(character):
        assert sum(len(solid.corner) for solid, _ in parts) > 100


def test_meshes_face_outward_even_if_they_are_mirrored(tmp_path: Path) -> None:
    character = box_quadruped()
    corners = ((0.0, 0.0, 0.0), (0.3, 0.0, 0.0), (0.0, 0.2, 0.0), (0.0, 0.0, 0.1))
    mesh = Mesh(corners, ((0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3)))
    shape = Shape("mesh", (1.0, -1.0, 1.0), (0.0, 0.0, 0.0), collides=False, color=(1.0, 0.0, 0.0, 0.5), mesh="wedge")
    trunk = replace(character.links[0], shapes=(*character.links[0].shapes, shape))
    character = replace(character, links=(trunk, *character.links[1:]), meshes={"wedge": mesh})
    write_motion(swinging(character, 0), character, tmp_path / "motion.glb", RATE)
    gltf = pygltflib.GLTF2().load(str(tmp_path / "motion.glb"))
    assert gltf is not None
    point, _, corner = Loaded(gltf).mesh("trunk")
    a, b, c = (point[corner[:, k]] for k in range(3))
    assert np.einsum("ij,ij->", a, np.cross(b - a, c - a)) / 6 == pytest.approx(0.3 * 0.2 * 0.1 / 6, rel=1e-5)
    assert point.min(axis=0) == pytest.approx([0.0, -0.2, 0.0], abs=1e-7)  # instead of the box that collides
    assert [each.alphaMode for each in gltf.materials].count("BLEND") == 1


def test_left_and_right_limbs_do_not_overlap(loaded: Loaded, case: Case) -> None:
    for right, left in case.character.roles.link_pairs:
        names = case.character.link_names[right], case.character.link_names[left]
        (right_side, _), (left_side, _) = (
            (loaded.mesh(name)[0][:, 1] + loaded.poses(name, np.zeros(1))[0][0, 1], None) for name in names
        )
        assert right_side.max() < left_side.min()


def test_the_ground_is_that_of_the_simulation(case: Case, tmp_path: Path) -> None:
    if "com_z" in case.signals.columns:
        ground = parse_spatial("slope=4 bank=2 rough=0.05 seed=3 block=0.5:0:1:0.6:0.1")
    else:
        ground = parse("course=1:stairs:3:0.3:0.1")
    point, _, corner = load(case, tmp_path / "motion.glb", ground).mesh("ground")
    spot = point[corner].mean(axis=1)  # within triangles, and so not on walls
    a, b, c = (point[corner[:, k]] for k in range(3))
    face = np.cross(b - a, c - a)
    upward = face[:, 2] > 1e-3 * np.linalg.norm(face, axis=1)
    heights = [ground.height(*each[: 2 if "com_z" in case.signals.columns else 1]) for each in spot[upward]]
    below = np.array(heights) - spot[upward, 2]
    assert below.min() > -1e-5
    assert np.mean(below < 1e-5) > 0.99  # the others are below the block
    for link in case.character.link_names:
        place, _ = recorded(case, link)
        assert (place[:, :2] > point[:, :2].min(axis=0)).all()
        assert (place[:, :2] < point[:, :2].max(axis=0)).all()


def test_a_text_file_contains_the_same_as_a_binary_one(case: Case, loaded: Loaded, tmp_path: Path) -> None:
    other = load(case, tmp_path / "motion.gltf")
    assert len(other.gltf.accessors) == len(loaded.gltf.accessors)
    for index in range(len(other.gltf.accessors)):
        assert np.array_equal(other.array(index), loaded.array(index))
    assert [node.name for node in other.gltf.nodes] == [node.name for node in loaded.gltf.nodes]


def test_a_later_part_of_a_motion_begins_at_time_0_and_its_times_rise(case: Case, tmp_path: Path) -> None:
    columns = case.signals.part(20).columns
    twice = {name: np.repeat(values, 2) for name, values in columns.items()}  # samples at the same time
    later = load(replace(case, signals=replace(case.signals, columns=twice)), tmp_path / "motion.glb")
    time = later.array(later.gltf.animations[0].samplers[0].input)
    assert time[0] == 0.0
    assert time == pytest.approx(columns["time"] - columns["time"][0], abs=1e-5)


def test_names_are_kept_whatever_they_contain(case: Case, tmp_path: Path) -> None:
    name = case.character.link_names[0]
    odd = 'a"b\\c\n\u2028</script>\N{GRINNING FACE}'
    links = tuple(replace(link, name=odd) if link.name == name else link for link in case.character.links)
    columns = {
        f"{quantity}.{odd}" if rest == name else f"{quantity}{dot}{rest}": values
        for (quantity, dot, rest), values in ((key.partition("."), v) for key, v in case.signals.columns.items())
    }
    renamed = replace(case, character=replace(case.character, links=links))
    found = load(replace(renamed, signals=replace(case.signals, columns=columns)), tmp_path / "motion.glb")
    assert odd in [node.name for node in found.gltf.nodes]
