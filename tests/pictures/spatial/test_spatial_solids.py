"""Surfaces of shapes are closed and face outward, and a figure contains its links."""

from __future__ import annotations

import math

import numpy as np
import pytest

from ctrlgraph.character.spatial_model import Mesh, Shape
from ctrlgraph.pictures.spatial.spatial_figure import SpatialFigure
from ctrlgraph.pictures.spatial.spatial_solids import Solid, arrow, box, hull, solid_of
from tests.pictures.spatial.spatial_posing import Array, linked, quadruped, trotting
from tests.spatial_trees import random_tree

TURNED = (0.5, 0.5, -0.5, 0.5)
CORNERS = tuple((x, y, z) for x in (-0.1, 0.1) for y in (-0.2, 0.2) for z in (-0.3, 0.3))


def volume(solid: Solid) -> float:
    """Return the volume that a surface encloses, by the divergence theorem."""
    a, b, c = (solid.point[solid.corner[:, k]] for k in range(3))
    return float(np.einsum("mi,mi->m", a, np.cross(b, c)).sum() / 6.0)


def require_outward(solid: Solid) -> None:
    """Require unit normals on the outer side of the triangles."""
    np.testing.assert_allclose(np.linalg.norm(solid.normal, axis=1), 1.0, atol=1e-9)
    a, b, c = (solid.point[solid.corner[:, k]] for k in range(3))
    face = np.cross(b - a, c - a)
    size = np.linalg.norm(face, axis=1)
    whole = size > 1e-12
    mean = solid.normal[solid.corner].mean(axis=1)
    assert (np.einsum("mi,mi->m", face[whole], mean[whole]) > 0.5 * size[whole]).all()


@pytest.mark.parametrize(
    ("kind", "size", "true"),
    [
        ("sphere", (0.2, 0.0, 0.0), 4 / 3 * math.pi * 0.2**3),
        ("capsule", (0.1, 0.3, 0.0), 4 / 3 * math.pi * 0.1**3 + math.pi * 0.1**2 * 0.6),
        ("cylinder", (0.1, 0.3, 0.0), math.pi * 0.1**2 * 0.6),
        ("ellipsoid", (0.1, 0.2, 0.3), 4 / 3 * math.pi * 0.1 * 0.2 * 0.3),
        ("box", (0.1, 0.2, 0.3), 8 * 0.1 * 0.2 * 0.3),
    ],
)
def test_the_surface_of_a_shape_encloses_its_volume(kind: str, size: tuple[float, float, float], true: float) -> None:
    solid = solid_of(Shape(kind, size, (1.0, 2.0, 3.0), TURNED), {})
    assert volume(solid) == pytest.approx(true, rel=0.03)
    require_outward(solid)


@pytest.mark.parametrize("scale", [(1.0, 1.0, 1.0), (2.0, 1.0, 1.0)])
def test_a_mesh_is_drawn_in_place_of_the_shapes_that_approximate_it(scale: tuple[float, float, float]) -> None:
    crate = box(0.1, 0.2, 0.3)
    mesh = Mesh(tuple(map(tuple, crate.point.tolist())), tuple(map(tuple, crate.corner.tolist())))
    drawn = Shape("mesh", scale, (0.0, 0.0, 0.0), mesh="crate", collides=False)
    character = linked([drawn], meshes={"crate": mesh})
    ball = Shape("sphere", (5.0, 0.0, 0.0), (0.0, 0.0, 0.0))
    rough = linked([drawn], meshes={"crate": mesh})
    object.__setattr__(rough.links[0], "shapes", (drawn, ball))
    for each in (character, rough):
        solid = SpatialFigure.of(each).solid
        assert volume(solid) == pytest.approx(8 * 0.1 * 0.2 * 0.3 * scale[0])
        require_outward(solid)


def test_the_hull_of_balls_touches_them_all() -> None:
    solid = hull(np.array(CORNERS), 0.05)
    np.testing.assert_allclose(np.ptp(solid.point, axis=0), [0.3, 0.5, 0.7], atol=1e-9)
    np.testing.assert_allclose(np.linalg.norm(solid.normal, axis=1), 1.0, atol=1e-9)
    assert (np.einsum("ni,ni->n", solid.normal, solid.point) > 0.0).all()


def test_an_arrow_ends_at_its_tip() -> None:
    tail, tip = np.array([0.1, 0.2, 0.3]), np.array([0.4, -0.5, 0.9])
    solid = arrow(tail, tip, 0.01)
    along = (solid.point - tail) @ (tip - tail) / np.linalg.norm(tip - tail)
    assert along.min() == pytest.approx(0.0, abs=1e-9) and along.max() == pytest.approx(np.linalg.norm(tip - tail))
    np.testing.assert_allclose(solid.point[np.argmax(along)], tip, atol=1e-9)
    require_outward(solid)


def widest(figure: SpatialFigure, poses: Array, axes: Array) -> Array:
    places = [figure.placed(pose).point @ axes.T for pose in poses]
    return np.array([[place.min(axis=0), place.max(axis=0)] for place in places]).transpose(0, 2, 1)


def test_extents_are_those_of_all_points() -> None:
    figure, poses = SpatialFigure.of(quadruped()), trotting(0.5, turn=1.0).pose
    axes = np.linalg.qr(np.random.default_rng(2).normal(size=(3, 3)))[0]
    np.testing.assert_allclose(figure.extents(poses, axes), widest(figure, poses, axes), atol=0.003)


def test_links_without_shapes_are_drawn_between_their_joints() -> None:
    tree = random_tree(np.random.default_rng(4), 6)
    figure = SpatialFigure.of(tree)
    for i in range(6):
        own = figure.solid.point[figure.link == i]
        anchors = [joint.anchor for joint in tree.joints if joint.child == i]
        assert len(own) > 20
        for anchor in anchors:
            assert (own.min(axis=0) < anchor).all() and (own.max(axis=0) > anchor).all()


def test_the_lowest_point_of_a_foot_is_below_its_ball() -> None:
    character = quadruped()
    trace = trotting(0.1)
    figure = SpatialFigure.of(character)
    for foot in character.roles.feet:
        lowest = figure.lowest(trace.pose[0], foot)
        assert lowest[2] == pytest.approx(figure.placed(trace.pose[0]).point[figure.link == foot][:, 2].min(), abs=1e-5)
