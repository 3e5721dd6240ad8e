"""Contacts of shapes with the ground and with each other, against geometry that is known or sampled densely."""

from __future__ import annotations

import itertools
import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ctrlgraph.character.model import TorqueRange
from ctrlgraph.character.spatial_model import UNROTATED, Shape, SpatialCharacter, SpatialJoint, SpatialLink
from ctrlgraph.kernels.spatial.spatial_arrays import (
    SpatialContacts,
    SpatialKinematics,
    new_spatial_contacts,
    new_spatial_kinematics,
)
from ctrlgraph.kernels.spatial.spatial_collision import find_spatial_contacts, note_spatial_contacts, note_spatial_loads
from ctrlgraph.kernels.spatial.spatial_geometry import are_farther, closest_on_segments, closest_on_triangle
from ctrlgraph.kernels.spatial.spatial_ground import spatial_ground, spatial_height
from ctrlgraph.kernels.spatial.spatial_shapes import SpatialShapes, spatial_shapes
from ctrlgraph.terrain.spatial import parse_spatial

SHAPES = {
    "sphere": Shape("sphere", (0.1, 0.0, 0.0), (0.0, 0.0, 0.0)),
    "capsule": Shape("capsule", (0.05, 0.2, 0.0), (0.0, 0.0, 0.0)),
    "box": Shape("box", (0.2, 0.1, 0.05), (0.0, 0.0, 0.0)),
    "cylinder": Shape("cylinder", (0.1, 0.04, 0.0), (0.0, 0.0, 0.0)),
    "ellipsoid": Shape("ellipsoid", (0.2, 0.1, 0.05), (0.0, 0.0, 0.0)),
}
ABOUT_Y = (math.sqrt(0.5), 0.0, math.sqrt(0.5), 0.0)  # turns z to x
GROUNDS = (
    "flat",
    "slope=7 bank=-12",
    "stairs=0.1:4:0.3:0.1",
    "rough=0.03 hills=0.2 seed=5",
    "block=0:0:1:0.6:0.2:25",
    "slope=5 block=0.3:0:0.5:0.5:0.1,-0.4:0.2:0.3:0.9:0.15:40",
)

numbers = st.floats(-1.0, 1.0)
vectors = st.tuples(numbers, numbers, numbers)
quaternions = (
    st.tuples(numbers, numbers, numbers, numbers)
    .filter(lambda q: np.linalg.norm(q) > 0.1)
    .map(lambda q: tuple(float(c) for c in np.array(q) / np.linalg.norm(q)))
)


def links(*shapes: tuple[Shape, ...]) -> SpatialCharacter:
    """Return a chain of links, 1 m apart along x, with the shapes of each."""
    reach = TorqueRange.symmetric(1.0)
    made = [
        SpatialLink(f"link{i}", 1.0, (1.0, 1.0, 1.0, 0.0, 0.0, 0.0), (1.0 if i else 0.0, 0.0, 0.0), UNROTATED, each)
        for i, each in enumerate(shapes)
    ]
    joints = [
        SpatialJoint(
            f"joint{i}", i - 1, i, -1.0, 1.0, reach, reach, 1.0, 1.0, axis=(0.0, 1.0, 0.0), anchor=(-0.5, 0.0, 0.0)
        )
        for i in range(1, len(shapes))
    ]
    return SpatialCharacter("links", tuple(made), tuple(joints), {}, {})


def contacts_of(shapes: SpatialShapes, words: str, *poses: tuple[float, ...]) -> SpatialContacts:
    kin = new_spatial_kinematics(len(poses), 0)
    kin.pose[:] = poses
    found = new_spatial_contacts()
    find_spatial_contacts(kin.pose, shapes, spatial_ground(parse_spatial(words)), found)
    n = found.filled[0]
    return SpatialContacts(*(part if part is found.filled else part[:n] for part in found))


def contacts_on(words: str, shape: str | Shape, place: tuple[float, ...], turn=UNROTATED) -> SpatialContacts:
    each = SHAPES[shape] if isinstance(shape, str) else shape
    return contacts_of(spatial_shapes(links((each,))), words, (*place, *turn))


def rotated(turn: tuple[float, ...], v: np.ndarray) -> np.ndarray:
    w, u = turn[0], np.array(turn[1:])
    return v + 2.0 * np.cross(u, np.cross(u, v) + w * v)


@given(st.floats(-50.0, 50.0), st.floats(-50.0, 50.0), vectors, st.floats(0.01, 0.5))
def test_a_sphere_penetrates_a_plane_by_its_radius_minus_the_distance(slope, bank, place, radius) -> None:
    words = f"slope={slope!r} bank={bank!r}"
    normal = np.array(parse_spatial(words).normal(0.0, 0.0))
    found = contacts_on(words, Shape("sphere", (radius, 0.0, 0.0), (0.0, 0.0, 0.0)), place)
    depth = radius - normal @ place
    if abs(depth) > 1e-9:
        assert found.filled[0] == (1 if depth > 0.0 else 0)
    if found.filled[0]:
        assert found.depth[0] == pytest.approx(depth, abs=1e-9)
        assert found.normal[0] == pytest.approx(normal)
        assert found.point[0] == pytest.approx(np.array(place) - radius * normal)


@pytest.mark.parametrize("kind", SHAPES)
@given(quaternions, st.floats(-0.3, 0.3))
def test_the_deepest_contact_with_a_plane_is_at_the_lowest_point_of_the_shape(kind, turn, height) -> None:
    words = "slope=10 bank=5"
    normal = np.array(parse_spatial(words).normal(0.0, 0.0))
    down = rotated((turn[0], -turn[1], -turn[2], -turn[3]), -normal)
    a, b, c = SHAPES[kind].size
    lowest = {
        "sphere": a,
        "capsule": a + b * abs(down[2]),
        "box": np.abs(down) @ (a, b, c),
        "cylinder": a * math.hypot(down[0], down[1]) + b * abs(down[2]),
        "ellipsoid": math.sqrt((a * down[0]) ** 2 + (b * down[1]) ** 2 + (c * down[2]) ** 2),
    }[kind]
    found = contacts_on(words, kind, tuple(height * normal), turn)
    if abs(lowest - height) > 1e-6:
        assert (found.filled[0] > 0) == (lowest > height)
    if found.filled[0]:
        assert found.depth.max() == pytest.approx(lowest - height, abs=1e-6)


@pytest.mark.parametrize("words", GROUNDS)
@settings(max_examples=60)
@given(st.sampled_from(list(SHAPES)), vectors, quaternions)
def test_contacts_have_unit_normals_out_of_the_ground_and_points_on_the_shape_inside_the_ground(
    words, kind, place, turn
) -> None:
    ground = parse_spatial(words)
    x, y, offset = place
    found = contacts_on(words, kind, (x, y, ground.height(x, y) + 0.2 * offset), turn)
    assert np.linalg.norm(found.normal, axis=1) == pytest.approx(np.ones(found.filled[0]))
    assert (found.depth > 0.0).all()
    assert (found.other == -1).all()
    bound = spatial_shapes(links((SHAPES[kind],))).bound[0]
    center = np.array([x, y, ground.height(x, y) + 0.2 * offset])
    assert (np.linalg.norm(found.point - center, axis=1) <= bound + 1e-9).all()


@pytest.mark.parametrize("words", GROUNDS)
@settings(max_examples=60)
@given(numbers, numbers, st.floats(0.005, 0.06), st.floats(-0.02, 0.06))
def test_a_sphere_that_moves_out_along_the_normal_by_the_depth_touches_less(words, x, y, radius, height) -> None:
    ball = Shape("sphere", (radius, 0.0, 0.0), (0.0, 0.0, 0.0))
    place = np.array([x, y, parse_spatial(words).height(x, y) + height])
    found = contacts_on(words, ball, tuple(place))
    if found.filled[0] == 1:
        moved = contacts_on(words, ball, tuple(place + found.depth[0] * found.normal[0]))
        # a face, an edge or a corner is left completely; in a hollow, another face can be next
        assert moved.filled[0] == 0 or moved.depth.max() < max(1e-9, found.depth[0])


@given(st.floats(-0.5, 0.5), st.floats(-0.5, 0.5), st.floats(-3.0, 3.0), st.floats(0.01, 0.2))
def test_a_sphere_touches_rough_ground_at_the_nearest_point_of_its_surface(x, y, above, radius) -> None:
    words = "slope=5 rough=0.1 hills=0.3 seed=2"
    x, y = x + 5.0, y - 4.0
    ground = parse_spatial(words)
    place = np.array([x, y, ground.height(x, y) + abs(above) * radius])
    found = contacts_on(words, Shape("sphere", (radius, 0.0, 0.0), (0.0, 0.0, 0.0)), tuple(place))
    near = np.linspace(-radius, radius, 81)
    px, py = (part.ravel() for part in np.meshgrid(x + near, y + near))
    samples = np.stack([px, py, [ground.height(a, b) for a, b in zip(px, py, strict=True)]], axis=1)
    distance = np.linalg.norm(samples - place, axis=1).min()
    if distance < radius:
        assert radius - distance <= found.depth[0] + 1e-9
    if found.filled[0]:
        assert found.depth[0] == pytest.approx(radius - distance, abs=0.1 * radius)


@pytest.mark.parametrize("words", GROUNDS)
@given(numbers, numbers)
def test_kernels_and_terrain_agree_on_the_height(words, x, y) -> None:
    terrain = parse_spatial(words)
    assert spatial_height(spatial_ground(terrain), x, y) == pytest.approx(terrain.height(x, y), abs=1e-9)


BLOCK = "block=0:0:1:1:0.2"
SMALL = Shape("sphere", (0.1, 0.0, 0.0), (0.0, 0.0, 0.0))


@pytest.mark.parametrize(
    ("place", "normal", "depth"),
    [
        ((0.1, 0.2, 0.28), (0.0, 0.0, 1.0), 0.02),  # the top
        ((0.57, 0.1, 0.15), (1.0, 0.0, 0.0), 0.03),  # a side
        ((0.1, -0.57, 0.15), (0.0, -1.0, 0.0), 0.03),
        ((0.53, 0.0, 0.24), (0.6, 0.0, 0.8), 0.05),  # an upper edge
        ((0.53, 0.54, 0.15), (0.6, 0.8, 0.0), 0.05),  # a vertical edge
        ((0.52, 0.54, 0.24), (1 / 3, 2 / 3, 2 / 3), 0.04),  # a corner
        ((0.0, 0.0, 0.19), (0.0, 0.0, 1.0), 0.11),  # the center below the top
    ],
)
def test_a_sphere_touches_the_nearest_face_edge_or_corner_of_a_block(place, normal, depth) -> None:
    found = contacts_on(BLOCK, SMALL, place)
    assert found.filled[0] == 1
    assert found.normal[0] == pytest.approx(normal)
    assert found.depth[0] == pytest.approx(depth)


def test_a_sphere_in_the_corner_of_floor_and_wall_touches_both() -> None:
    for words, x in (("stairs=0.5:1:0.3:0.5", 0.42), ("block=1:0:1:1:0.5", 0.42)):
        found = contacts_on(words, SMALL, (x, 0.0, 0.09))
        assert sorted(map(tuple, np.round(found.normal, 9))) == [(-1.0, 0.0, 0.0), (0.0, 0.0, 1.0)]
        assert sorted(found.depth) == pytest.approx([0.01, 0.02])


def test_the_seam_between_two_blocks_of_the_same_height_is_as_smooth_as_one_block() -> None:
    for x in np.linspace(-0.15, 0.15, 31):
        found = contacts_on("block=-0.5:0:1:1:0.2,0.5:0:1:1:0.2", SMALL, (x, 0.0, 0.28))
        assert (found.normal == (0.0, 0.0, 1.0)).all()
        assert 0 < found.filled[0] <= 2


@pytest.mark.parametrize("words", [BLOCK, "box=-0.5:1:0.2"])
@pytest.mark.parametrize("kind", ["capsule", "box"])
def test_an_edge_of_the_ground_carries_a_shape_that_lies_across_it(words, kind) -> None:
    """One end is on the top, the other beyond it; only the edge prevents the shape from tilting into the block."""
    low = 0.05 - 0.001  # half the thickness of both shapes, minus the depth
    turn = ABOUT_Y if kind == "capsule" else UNROTATED
    found = contacts_on(words, kind, (0.45, 0.0, 0.2 + low), turn)
    assert found.normal == pytest.approx(np.tile((0.0, 0.0, 1.0), (found.filled[0], 1)))
    assert found.depth == pytest.approx(np.full(found.filled[0], 0.001))
    assert found.point[:, 0].max() == pytest.approx(0.5)


@pytest.mark.parametrize("words", [BLOCK, "box=-0.5:1:0.2"])
def test_an_edge_of_the_ground_stops_a_shape_that_moves_against_it(words) -> None:
    leaning = contacts_on(words, "capsule", (0.5 + 0.049, 0.0, 0.3))
    assert leaning.normal == pytest.approx(np.tile((1.0, 0.0, 0.0), (leaning.filled[0], 1)))
    assert leaning.depth == pytest.approx(np.full(leaning.filled[0], 0.001))
    assert leaning.point[:, 2].max() == pytest.approx(0.2)
    kicked = contacts_on(words, "box", (0.5 + 0.2 - 0.002, 0.0, 0.2))
    assert kicked.normal == pytest.approx(np.tile((1.0, 0.0, 0.0), (kicked.filled[0], 1)))
    assert kicked.depth == pytest.approx(np.full(kicked.filled[0], 0.002))


def test_a_vertical_edge_of_a_block_stops_a_shape_between_its_ends() -> None:
    # the axis is horizontal, perpendicular to the diagonal of the block
    half = math.sqrt(0.5)
    turn = (half, half * half, half * half, 0.0)
    away = 0.5 + 0.049 * half
    found = contacts_on("block=0:0:1:1:1", "capsule", (away, away, 0.5), turn)
    assert rotated(turn, np.array([0.0, 0.0, 1.0])) @ (1.0, 1.0, 0.0) == pytest.approx(0.0)
    assert found.normal == pytest.approx(np.array([[half, half, 0.0]]))
    assert found.depth == pytest.approx([0.001])


def test_a_standing_cylinder_has_four_contacts_and_a_lying_one_has_two() -> None:
    assert contacts_on("flat", "cylinder", (0.0, 0.0, 0.039)).filled[0] == 4
    lying = contacts_on("flat", "cylinder", (0.0, 0.0, 0.099), ABOUT_Y)
    assert lying.filled[0] == 2
    assert sorted(lying.point[:, 0]) == pytest.approx([-0.04, 0.04])


def test_shapes_that_do_not_collide_are_ignored() -> None:
    ghost = Shape("sphere", (0.1, 0.0, 0.0), (0.0, 0.0, 0.0), collides=False)
    assert contacts_on("flat", ghost, (0.0, 0.0, 0.0)).filled[0] == 0


def test_contacts_beyond_the_maximum_are_ignored() -> None:
    found = contacts_of(spatial_shapes(links((SHAPES["box"],) * 20)), "flat", (0.0, 0.0, -1.0, *UNROTATED))
    assert found.filled[0] == len(found.depth) == 128


@given(vectors, vectors, vectors, vectors)
def test_the_closest_points_of_two_segments_are_closer_than_all_others(a, u, b, v) -> None:
    s, t = closest_on_segments(a, u, b, v)
    a, u, b, v = (np.array(each) for each in (a, u, b, v))
    assert 0.0 <= s <= 1.0 and 0.0 <= t <= 1.0
    steps = np.linspace(0.0, 1.0, 41)
    one, two = a + steps[:, None] * u, b + steps[:, None] * v
    sampled = np.linalg.norm(one[:, None] - two, axis=2).min()
    distance = np.linalg.norm(a + s * u - b - t * v)
    assert sampled - (np.linalg.norm(u) + np.linalg.norm(v)) / 80 - 1e-6 <= distance <= sampled + 1e-6


@given(vectors, vectors, vectors, vectors, st.floats(0.9, 1.1))
def test_segments_that_are_found_to_be_farther_apart_than_a_distance_are(a, u, b, v, factor) -> None:
    s, t = closest_on_segments(a, u, b, v)
    distance = float(np.linalg.norm(np.array(a) + s * np.array(u) - np.array(b) - t * np.array(v)))
    assert not are_farther(a, u, b, v, max(factor, 1.0) * distance)
    if are_farther(a, u, b, v, factor * distance):
        assert factor < 1.0


def test_crossed_segments_are_found_to_be_apart_without_their_closest_points() -> None:
    across = ((-1.0, 0.0, 0.2), (2.0, 0.1, 0.0), (0.0, -1.0, 0.0), (0.0, 2.0, 0.0))
    assert are_farther(*across, 0.19) and not are_farther(*across, 0.2)
    parallel = ((0.0, 0.0, 0.2), (1.0, 0.0, 0.0), (0.0, 0.0, 0.0), (1.0, 0.0, 0.0))
    assert not are_farther(*parallel, 0.1)  # their normal is not known


@given(vectors, vectors, vectors)
def test_the_closest_point_of_a_triangle_is_closer_than_all_others(p, b, c) -> None:
    if np.linalg.norm(np.cross(b, c)) < 1e-3:
        return
    q = np.array(closest_on_triangle(p, b, c))
    p, b, c = np.array(p), np.array(b), np.array(c)
    parts = [(v, w) for v, w in itertools.product(np.linspace(0.0, 1.0, 31), repeat=2) if v + w <= 1.0]
    sampled = min(np.linalg.norm(v * b + w * c - p) for v, w in parts)
    assert np.linalg.norm(q - p) <= sampled + 1e-9
    v, w = np.linalg.lstsq(np.stack([b, c], axis=1), q, rcond=None)[0]
    assert min(v, w, 1.0 - v - w) > -1e-6
    assert v * b + w * c == pytest.approx(q, abs=1e-9)


@settings(max_examples=50)
@given(quaternions, vectors)
def test_links_touch_each_other_as_capsules(turn, place) -> None:
    shapes = spatial_shapes(links((SHAPES["capsule"],), (), (SHAPES["capsule"],)))
    assert shapes.pairs.tolist() == [[0, 2]]
    place = np.array([0.3, 0.3, 0.3]) * place
    fixed, moved = (0.0, 0.0, 9.0, *UNROTATED), (*(place + np.array([0.0, 0.0, 9.0])), *turn)
    found = contacts_of(shapes, "flat", fixed, fixed, moved)
    along = np.linspace(-0.2, 0.2, 201)
    one = along[:, None] * (0.0, 0.0, 1.0)
    two = place + along[:, None] * rotated(turn, np.array([0.0, 0.0, 1.0]))
    distance = np.linalg.norm(one[:, None] - two, axis=2).min()
    if abs(distance - 0.1) > 0.004:
        assert found.filled[0] == (1 if distance < 0.1 else 0)
    if found.filled[0] and distance > 0.004:
        assert (found.link[0], found.other[0]) == (0, 2)
        assert found.depth[0] == pytest.approx(0.1 - distance, abs=0.004)
        assert np.linalg.norm(found.normal[0]) == pytest.approx(1.0)
        # the point lies on the surface of the first link, inside the second
        axis = np.linalg.norm(found.point[0] - (0.0, 0.0, 9.0) - one, axis=1).min()
        assert axis == pytest.approx(0.05, abs=0.002)


@settings(max_examples=50)
@given(quaternions, quaternions, vectors)
def test_the_bounds_of_shapes_leave_out_no_contact_between_links(turn, other, place) -> None:
    away = replace(SHAPES["box"], position=(0.3, 0.0, 0.1))
    all_kinds = (*SHAPES.values(), away)
    shapes = spatial_shapes(links(all_kinds, (), all_kinds))
    everything = shapes._replace(bound=shapes.bound + 9.0, reach=shapes.reach + 9.0, capsule=shapes.capsule.copy())
    everything.capsule[:, 7] += 9.0
    high = np.array([0.0, 0.0, 99.0])
    poses = (*high, *turn), (*high, *UNROTATED), (*(high + 0.6 * np.array(place)), *other)
    for one, same in zip(contacts_of(shapes, "flat", *poses), contacts_of(everything, "flat", *poses), strict=True):
        np.testing.assert_array_equal(one, same)


def test_parents_excluded_pairs_and_links_that_touch_in_the_reference_pose_do_not_touch() -> None:
    long = Shape("capsule", (0.05, 0.96, 0.0), (0.0, 0.0, 0.0), ABOUT_Y)
    thin, ball = (long,), (SMALL,)
    assert spatial_shapes(links(ball, ball, ball, ball)).pairs.tolist() == [[0, 2], [0, 3], [1, 3]]
    assert spatial_shapes(links(thin, ball, thin, ball)).pairs.tolist() == [[0, 3], [1, 3]]
    character = links(ball, ball, ball, ball)
    character = SpatialCharacter("", character.links, character.joints, {}, {}, excludes=((0, 3),))
    assert spatial_shapes(character).pairs.tolist() == [[0, 2], [1, 3]]


def standing() -> tuple[SpatialKinematics, SpatialContacts]:
    """Return two balls on a block and on the floor, and a third one that presses against the second."""
    shapes = spatial_shapes(links((SMALL, SMALL), (SMALL,), (SMALL,), (SMALL,)))
    kin, found = new_spatial_kinematics(4, 3), new_spatial_contacts()
    kin.pose[:, :3] = (0.0, 0.0, 0.29), (3.0, 0.0, 0.09), (9.0, 0.0, 5.0), (3.0, 0.0, 0.28)
    find_spatial_contacts(kin.pose, shapes, spatial_ground(parse_spatial(BLOCK)), found)
    return kin, found


def test_only_the_ground_counts_as_contact_and_support_of_a_link() -> None:
    kin, found = standing()
    assert found.other[: found.filled[0]].tolist() == [-1, -1, -1, 3]
    note_spatial_contacts(found, kin, 2.5)
    assert kin.contact.tolist() == [1, 1, 0, 0]
    assert kin.last_contact.tolist() == [2.5, 2.5, -np.inf, -np.inf]
    assert kin.support[0] == pytest.approx(0.1)  # the mean of block and floor


def test_the_load_of_a_link_is_the_vertical_force_of_the_ground() -> None:
    kin, found = standing()
    found.force[:4, 2] = 10.0, 20.0, 5.0, 100.0
    note_spatial_loads(found, kin)
    assert kin.load.tolist() == [30.0, 5.0, 0.0, 0.0]
