"""Balls against the faces and corners of steps: what hits a riser is pushed back and not up."""

from __future__ import annotations

import math

import numpy as np
import pytest

from ctrlgraph.character.yaml_reader import parse_character
from ctrlgraph.engine.planar_pushes import Push
from ctrlgraph.terrain import parse
from tests.engine.motions import contacts_at, place, stepped

R = 0.05
BALL = f"""
name: ball
links:
  ball: {{mass: 2, size: [.1, .1], at: [0, {R}], contacts: [[0, 0, {R}]]}}
  core: {{mass: .2, size: [.02, .02], at: [0, {R}]}}
joints:
  axle: {{parent: ball, child: core, at: [0, {R}], limits: [-1, 1], torque: [5, 5]}}
"""
STEP = "course=1:stairs:1:1:0.15"


@pytest.fixture(scope="module")
def ball():
    return parse_character(BALL, "ball.yaml")


def thrown(
    simulate, handmade, ball, words: str, start, velocity, seconds: float = 0.6, friction: float = 0.0, push=0.0
):
    """The ball's place (n, 2) and contacts, step by step, from a place with a velocity."""
    pushes = (Push(0.0, 10.0, "ball", push, 0.0),) if push else ()
    simulation = simulate(ball, terrain=parse(words, friction), pushes=pushes)
    links = np.zeros((2, 6))
    links[:, :2], links[:, 3:5] = start, velocity
    place(simulation, links)
    way, contacts = [], []
    program = type(handmade)(ball).program()
    for now in stepped(simulation, program, round(seconds / simulation.settings.dt)):
        way.append(now._kin.link[0, :2].copy())
        contacts.append(now._contacts.geometry[: now._contacts.filled[0]].copy())
    return np.array(way), contacts


@pytest.mark.parametrize("speed", [0.3, 1.0, 3.0])
@pytest.mark.parametrize("friction", [0.0, 1.0])
def test_what_slides_against_a_riser_is_stopped_by_it_and_stays_on_the_floor(
    speed, friction, simulate, handmade, ball
) -> None:
    way, contacts = thrown(simulate, handmade, ball, STEP, (0.9, R), (speed, 0.0), friction=friction)
    # as deep as a step of the fastest ball goes before the riser is felt
    assert way[:, 0].max() < 1.0 - R + 0.002 * speed + 0.001
    # a ball that rolls climbs by friction, whose impulse is at most the one that stops it
    assert way[:, 1].max() < R + 0.002 + (friction * speed) ** 2 / (2 * 9.81)
    normals = {tuple(np.round(row[2:4], 6) + 0.0) for found in contacts for row in found}
    assert normals == {(0.0, 1.0), (-1.0, 0.0)}


def test_what_is_pressed_into_the_corner_rests_on_the_floor_and_leans_on_the_riser(simulate, handmade, ball) -> None:
    way, contacts = thrown(simulate, handmade, ball, STEP, (0.94, R), (0.0, 0.0), push=200.0)
    rest = contacts[-1]
    assert sorted(tuple(np.round(row[2:4], 6) + 0.0) for row in rest) == [(-1.0, 0.0), (0.0, 1.0)]
    assert np.ptp(way[-50:], axis=0).max() < 1e-4
    assert way[-1] == pytest.approx([1.0 - R, R], abs=0.002)


def test_a_riser_that_is_hit_in_the_air_gives_no_lift(simulate, handmade, ball) -> None:
    """Below the corner: the ball falls as if there were no riser."""
    way, _ = thrown(simulate, handmade, ball, "course=1:stairs:1:1:0.5", (0.9, 0.4), (1.5, 0.0), seconds=0.2)
    t = 0.002 * np.arange(len(way))
    assert way[:, 0].max() < 1.0 - R + 0.004
    assert np.abs(way[:, 1] - (0.4 - 9.81 * t**2 / 2)).max() < 0.004


def test_a_corner_pushes_along_the_line_from_it_to_the_centre(ball) -> None:
    angle = math.radians(50)
    centre = np.array([1.0, 0.15]) + (R - 0.004) * np.array([-math.sin(angle), math.cos(angle)])
    (contact,) = contacts_at(ball, parse(STEP), *centre)
    np.testing.assert_allclose(contact[2:], [-math.sin(angle), math.cos(angle), 0.004], atol=1e-9)


@pytest.mark.parametrize(
    ("words", "x", "y", "normals"),
    [
        (STEP, 0.5, 0.04, [(0, 1)]),
        (STEP, 0.96, 0.04, [(-1, 0), (0, 1)]),  # in the corner, both
        (STEP, 0.96, 0.1, [(-1, 0)]),
        (STEP, 1.3, 0.19, [(0, 1)]),
        (STEP, 0.97, 0.04, [(-1, 0), (0, 1)]),
        ("course=1:gap:0.08:1", 1.04, -0.5, [(-1, 0), (1, 0)]),  # between the walls of a crack
        ("course=1:gap:0.08:1", 1.04, -0.96, [(-1, 0), (0, 1), (1, 0)]),  # one of the three is left out
        ("course=1:hurdle:0.3:0.04", 0.96, 0.2, [(-1, 0)]),  # not by the far side of what is thin
        ("heights=0:0,1:0,2:0.1", 0.99, 0.04, [(0, 1)]),  # a kink of six degrees is one face
    ],
)
def test_a_ball_is_held_by_every_face_that_it_touches(words, x, y, normals, ball) -> None:
    found = contacts_at(ball, parse(words), x, y)
    # of two faces at most: nothing fits into such a narrow crack
    assert {tuple(np.round(row[2:4]) + 0.0) for row in found} <= set(normals)
    assert len(found) == min(len(normals), 2)
