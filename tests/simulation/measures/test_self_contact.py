"""How deep links of one body are in each other, against capsules that are sampled."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ctrlgraph.character.model import Character, Link, Roles
from ctrlgraph.simulation.measures import measure
from ctrlgraph.simulation.measures.self_contact import capsule_depths, facing_pairs
from ctrlgraph.simulation.planar_trace import Trace
from ctrlgraph.terrain.terrain import flat


def two_links(first: tuple[float, float], second: tuple[float, float]) -> Character:
    """Two links of these heights and widths, of which nothing but the size counts."""
    links = tuple(Link(f"link{i}", 1.0, 1.0, 0.0, 0.0, *size, ()) for i, size in enumerate((first, second)))
    return Character("pair", links, (), {}, {}, roles=Roles())


def depth(character: Character, places: list[tuple[float, float]], angles: list[float]) -> float:
    return float(capsule_depths(character, [(0, 1)], np.array([places]), np.array([angles]))[0, 0])


def test_capsules_side_by_side_are_as_deep_in_each_other_as_their_radii_overlap() -> None:
    pair = two_links((0.4, 0.1), (0.3, 0.06))
    assert depth(pair, [(0.0, 0.0), (0.05, 0.0)], [0.0, 0.0]) == pytest.approx(0.03)
    assert depth(pair, [(0.0, 0.0), (0.09, 0.0)], [0.0, 0.0]) == 0.0
    # end to end: the capsules are as long as the boxes
    assert depth(pair, [(0.0, 0.0), (0.0, 0.34)], [0.0, 0.0]) == pytest.approx(0.01)
    assert depth(pair, [(0.0, 0.0), (0.0, 0.36)], [0.0, 0.0]) == 0.0


def test_axes_that_cross_are_in_each_other_with_both_radii() -> None:
    pair = two_links((0.4, 0.1), (0.3, 0.06))
    assert depth(pair, [(0.0, 0.0), (0.0, 0.05)], [0.0, 1.2]) == pytest.approx(0.08)


def test_a_link_that_is_wider_than_high_lies_along_its_width() -> None:
    foot = two_links((0.07, 0.26), (0.1, 0.1))
    assert depth(foot, [(0.0, 0.0), (0.16, 0.0)], [0.0, 0.0]) == pytest.approx(0.02)
    assert depth(foot, [(0.0, 0.0), (0.0, -0.16)], [np.pi / 2, 0.0]) == pytest.approx(0.02)  # its toe turned down
    assert depth(foot, [(0.0, 0.0), (0.0, 0.16)], [0.0, 0.0]) == 0.0


size = st.tuples(st.floats(0.05, 0.6), st.floats(0.05, 0.6))


@given(first=size, second=size, place=st.tuples(st.floats(-0.6, 0.6), st.floats(-0.6, 0.6)), angles=st.lists(
    st.floats(-4, 4), min_size=2, max_size=2))  # fmt: skip
def test_the_depth_is_that_of_the_nearest_points_of_the_axes(first, second, place, angles) -> None:
    character = two_links(first, second)
    axes, radii = [], 0.0
    for (height, width), centre, angle in zip((first, second), ((0.0, 0.0), place), angles, strict=True):
        long = (max(height, width) - min(height, width)) / 2
        along = np.array([0.0, 1.0] if height >= width else [1.0, 0.0])
        turn = np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])  # clockwise
        axes.append(np.array(centre) + np.linspace(-long, long, 401)[:, None] * (turn @ along))
        radii += min(height, width) / 2
    nearest = np.hypot(*(axes[0][:, None] - axes[1][None]).transpose(2, 0, 1)).min()
    assert depth(character, [(0.0, 0.0), place], angles) == pytest.approx(max(0.0, radii - nearest), abs=2.5e-3)


def test_pairs_are_those_that_cannot_overlap_in_a_real_body(humanoid) -> None:
    names = {(humanoid.link_names[a], humanoid.link_names[b]) for a, b in facing_pairs(humanoid)}
    found = {frozenset(pair) for pair in names}
    for pair in (("rThigh", "uTorso"), ("lThigh", "lTorso"), ("rShin", "head"), ("rFoot", "pelvis"), ("rArm", "rHand")):
        assert frozenset(pair) in found
    for pair in (
        ("rThigh", "pelvis"),  # joined
        ("rThigh", "lShin"),  # side by side
        ("rHand", "pelvis"),
        ("rForearm", "rThigh"),
    ):
        assert frozenset(pair) not in found


def test_a_standing_body_does_not_penetrate_itself_but_a_thigh_in_the_chest_does(humanoid) -> None:
    n, count = 50, len(humanoid.links)
    places = np.repeat(np.array([(link.x, link.y) for link in humanoid.links])[None], n, axis=0)
    none, still = np.zeros(n), np.zeros((n, 2))
    trace = Trace(
        np.linspace(0, 0.5, n), places, np.zeros((n, count)), np.zeros((n, count), bool), still, still, none, none
    )  # fmt: skip
    assert measure(trace, humanoid, flat())["self_penetration"] == 0.0
    position, thigh, chest = trace.position.copy(), humanoid.link_index("rThigh"), humanoid.link_index("uTorso")
    position[40, thigh] = position[40, chest] + (0.1, 0.0)
    inside = Trace(**{**trace.__dict__, "position": position})
    radii = (humanoid.links[thigh].width + humanoid.links[chest].width) / 2
    assert measure(inside, humanoid, flat())["self_penetration"] == pytest.approx(radii - 0.1)
    nobody = replace(humanoid, roles=replace(humanoid.roles, feet=()))
    assert "self_penetration" not in measure(trace, nobody, flat())
