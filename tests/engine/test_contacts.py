"""Contacts on slopes, boxes and stairs: where they are, which way they push, and what rests on them."""

from __future__ import annotations

import math

import numpy as np
import pytest

from ctrlgraph.character.yaml_reader import parse_character
from ctrlgraph.kernels.planar.collision import corner_under
from ctrlgraph.terrain.terrain import boxes, flat, slope, stairs
from tests.engine.motions import contacts_at

BOARD = """
name: board
links:
  board: {mass: 4, size: [.1, 1], at: [0, .05], contacts: [[-.45, 0, .05], [.45, 0, .05]]}
  ball: {mass: 1, size: [.1, .1], at: [0, .05], contacts: [[0, 0, .05]]}
joints:
  axle: {parent: board, child: ball, at: [0, .05], limits: [-1, 1], torque: [5, 5]}
"""


@pytest.fixture(scope="module")
def board():
    return parse_character(BOARD, "board.yaml")


@pytest.mark.parametrize("degrees", [-25, -5, 0, 8, 30])
def test_on_a_slope_contacts_push_along_its_normal_by_the_depth(degrees, board) -> None:
    tilt = math.radians(degrees)
    normal = np.array([-math.sin(tilt), math.cos(tilt)])
    centre = np.array([0.3, 0.3 * math.tan(tilt)]) + normal * (0.05 - 0.01)
    terrain = slope(degrees) if degrees else flat()
    found = contacts_at(board, terrain, *centre, -tilt)
    assert len(found) == 2
    np.testing.assert_allclose(found[:, 2:4], [normal, normal], atol=1e-9)
    np.testing.assert_allclose(found[:, 4], 0.01, atol=1e-6)


def test_clear_of_the_ground_there_is_no_contact(board) -> None:
    for terrain in (flat(), boxes([(5, 1, 1)]), stairs(3, 3, 0.3, 0.1)):
        assert len(contacts_at(board, terrain, 0.0, 0.0501, 0.0)) == 0


def test_the_edge_of_a_box_carries_a_board_between_its_ends(board) -> None:
    """A box 0.2 m wide under the middle of the board: both ends are in the air, both edges carry it."""
    found = contacts_at(board, boxes([(-0.1, 0.2, 0.3)]), 0.0, 0.3 + 0.04, 0.0)
    assert len(found) == 1  # one corner is enough: the deepest
    np.testing.assert_allclose(found[0, 2:], [0.0, 1.0, 0.01], atol=1e-9)
    assert abs(found[0, 0]) == pytest.approx(0.1)


def test_a_tilted_board_meets_the_upper_edge_of_a_step_at_a_right_angle(board) -> None:
    tilt = math.radians(30)  # rising forward
    along, normal = np.array([math.cos(tilt), math.sin(tilt)]), np.array([-math.sin(tilt), math.cos(tilt)])
    corner = np.array([1.0, 0.5])
    centre = corner + normal * 0.045 - 0.1 * along
    found = contacts_at(board, stairs(1.0, 1, 0.5, 0.5), *centre, -tilt)
    edge = found[np.hypot(*(found[:, :2] - corner).T) < 1e-9]
    assert len(edge) == 1
    np.testing.assert_allclose(edge[0, 2:], [*normal, 0.005], atol=1e-9)


def test_a_concave_corner_pokes_nothing(board) -> None:
    pit = boxes([(-3.0, 2.5, 0.4), (0.5, 2.5, 0.4)])  # a pit from -0.5 to 0.5, its foot corners concave
    x0, y0, x1, y1 = -0.49, 0.02, 0.49, 0.02
    assert corner_under(pit.x, pit.y, x0, y0, x1, y1, 0.05)[4] == 0.0


@pytest.mark.parametrize("toes_up", [0.0, 5.0, 5.7, 8.0, 12.0])
def test_the_edge_of_a_stair_above_a_heel_on_the_tread_below_is_not_under_the_sole(toes_up) -> None:
    """The heel against the riser, the toes up: the edge, .1 m above, once gave a force of 53 body weights."""
    down = stairs(2.952, 1, 0.3, -0.108)
    heel, length = np.array([2.9615, -0.098]), 0.2
    tilt = math.radians(toes_up)
    toe = heel + length * np.array([math.cos(tilt), math.sin(tilt)])
    assert corner_under(down.x, down.y, *heel, *toe, 0.01)[4] == 0.0


@pytest.mark.parametrize("terrain", [flat(), slope(10), boxes([(-0.2, 0.5, 0.3)]), stairs(0.2, 2, 0.15, 0.1)])
def test_whatever_it_falls_on_a_board_comes_to_rest_on_it(terrain, board, simulate, handmade) -> None:
    simulation = simulate(board, terrain=terrain)
    simulation.reset(height=0.02)
    simulation.run(type(handmade)(board).program(), timeout=6.0)
    trace = simulation.trace
    assert np.hypot(*trace.com_velocity[-1]) < 0.02
    links = trace.position[-1, 0]
    # nowhere along its length has it sunk in
    for way in np.linspace(-0.45, 0.45, 19):
        x = links[0] + way * math.cos(trace.angle[-1, 0])
        y = links[1] - way * math.sin(trace.angle[-1, 0])
        assert y - terrain.height(x) > 0.04


def test_a_character_stands_on_a_step_as_on_the_ground(simulate, handmade, humanoid) -> None:
    simulation = simulate(terrain=boxes([(-0.5, 1.0, 0.4)]))
    simulation.reset()
    simulation.run(handmade.program(), timeout=0.3)
    level = simulate()
    level.run(handmade.program(), timeout=0.3)
    assert simulation._kin.com[1] - level._kin.com[1] == pytest.approx(0.4, abs=1e-6)
