"""What a script sees of the ground: the edges before a foot, and how high it lies somewhere."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ctrlgraph.control.controller import Part, Surroundings
from ctrlgraph.control.script.execution.state import with_surroundings
from ctrlgraph.control.script.mirror import mirrored_program
from ctrlgraph.control.script.rewrite import literals_of
from ctrlgraph.control.script.sequence import sequence
from ctrlgraph.control.script.syntax.parser import parse_script
from ctrlgraph.kernels.planar.collision import shapes_of
from ctrlgraph.terrain.words import parse

FRAME = "BEGINSCRIPT x(void)\nPHASE 0\nACTIONS\n{}\nENDACTIONS\nTRANSITION to(-1).after(time 9);\nENDPHASE\nENDSCRIPT\n"


@pytest.fixture(scope="module")
def seen(framed, machine, posed, humanoid) -> Callable[..., float]:
    """The value of a quantity for the body at x on a terrain."""

    def read(quantity: str, terrain: str, x: float = 0.0, support: float = math.nan, program=None) -> float:
        m = machine(program or framed(f"POSE waist({quantity});"), kin=posed(root=(x, 1.0, 0.0)))
        m.kin.support[0] = support
        m.code = with_surroundings(m.code, Surroundings(shapes_of(humanoid), parse(terrain)))
        m.tick(0.0)
        return float(m.motors.target[humanoid.joint_index("waist")])

    return read


@pytest.fixture(scope="module")
def toe(posed, humanoid) -> float:
    """How far the front of the right foot is before x, m."""
    shapes, kin = shapes_of(humanoid), posed(root=(0.0, 1.0, 0.0))
    foot = humanoid.link_index("rFoot")
    circles = shapes.circle[shapes.link == foot]
    return float(kin.link[foot, 0] + (circles[:, 0] + circles[:, 2]).max())


STAIRS = "stairs=2:3:0.3:0.15"


def test_the_distance_to_an_edge_is_from_the_toe(seen, toe) -> None:
    assert seen("edge_distance(rFoot)", STAIRS) == pytest.approx(2.0 - toe)
    assert seen("edge_distance(rFoot, 3)", STAIRS) == pytest.approx(2.6 - toe)
    assert seen("edge_distance(rFoot, 4)", STAIRS) == 100.0
    assert seen("edge_distance(rFoot)", "flat") == 100.0
    assert seen("edge_rise(rFoot, 2)", STAIRS) == pytest.approx(0.15)
    assert seen("edge_rise(rFoot, 4)", STAIRS) == 0.0
    assert seen("edge_rise(rFoot, 2)", "box=1:0.4:0.1") == pytest.approx(-0.1)


def test_a_toe_against_a_step_has_not_passed_it(seen, toe) -> None:
    assert seen("edge_distance(rFoot)", STAIRS, x=2.0 - toe + 0.005) == pytest.approx(-0.005)
    assert seen("edge_distance(rFoot)", STAIRS, x=2.0 - toe + 0.02) == pytest.approx(0.28)


@given(x=st.floats(-1.0, 4.0), which=st.integers(1, 5))
def test_the_edges_ahead_are_the_terrain_s_beyond_the_toe(x, which, seen, toe) -> None:
    ahead = [edge for edge in parse(STAIRS).edges if edge[0] >= x + toe - 0.01]
    if min(abs(edge[0] - (x + toe - 0.01)) for edge in parse(STAIRS).edges) < 1e-6:
        return  # too near to tell
    expected = ahead[which - 1][0] - (x + toe) if len(ahead) >= which else 100.0
    assert seen(f"edge_distance(rFoot, {which})", STAIRS, x) == pytest.approx(expected, abs=1e-9)


def test_the_edge_below_a_toe_is_found_from_the_middle_of_the_foot(seen, posed, humanoid, toe) -> None:
    middle = float(posed(root=(0.0, 1.0, 0.0)).link[humanoid.link_index("rFoot"), 0])
    over = 2.0 - toe + 0.05  # the toe is 5 cm beyond the edge
    assert seen("edge_after(x(rFoot))", STAIRS, x=over) == pytest.approx(2.0 - middle - over)
    assert seen("edge_distance(rFoot)", STAIRS, x=over) == pytest.approx(0.25)


@given(x=st.floats(-1.0, 4.0))
def test_the_edge_after_a_position_is_the_terrain_s_next_one(x, seen) -> None:
    ahead = [edge[0] - x for edge in parse(STAIRS).edges if edge[0] >= x]
    assert seen(f"edge_after({x:.6f})", STAIRS) == pytest.approx(min(ahead, default=100.0), abs=1e-6)


def test_the_ground_s_height_is_measured_from_the_support(seen) -> None:
    assert seen("ground(2.4)", STAIRS, support=0.0) == pytest.approx(0.3)
    assert seen("ground(2.1 + 0.3)", STAIRS, support=0.15) == pytest.approx(0.15)
    assert seen("ground(x(pelvis) - 1)", STAIRS, x=2.2) == pytest.approx(-0.15)  # nothing has borne it yet


def test_the_slope_of_the_ground_is_positive_where_it_rises_forward(seen) -> None:
    for degrees in (-8.0, 0.0, 3.0):
        assert seen("slope(1.2)", f"slope={degrees}") == pytest.approx(math.radians(degrees), abs=1e-12)
    bend = "heights=0:0,1:0.1"
    assert seen("slope(0)", bend) == pytest.approx(math.atan(0.03 / 0.6))  # level before, a tenth behind
    assert seen("slope(x(pelvis))", bend, x=0.5) == pytest.approx(math.atan(0.1), abs=1e-3)


@pytest.mark.parametrize("terrain", [STAIRS, "box=1:0.4:0.1", "course=2:gap:0.4:1", "flat"])
@given(x=st.floats(0.5, 4.0))
def test_edges_are_no_slope(terrain, x, seen) -> None:
    assert seen(f"slope({x:.6f})", terrain) == pytest.approx(0.0, abs=1e-12)


def test_a_step_on_a_slope_leaves_the_slope(seen) -> None:
    ramp = "heights=0:0,2:0.2,2:0.35,4:0.55"
    for x in (1.0, 1.8, 2.0, 2.2, 3.0):
        assert seen(f"slope({x})", ramp) == pytest.approx(math.atan(0.1), abs=1e-12)


def test_a_joined_program_sees_the_same_ground(seen, framed) -> None:
    program = framed("POSE waist(ground(2 * 1.2) + edge_rise(rFoot, 2));")
    first = framed("POSE waist(1 + 2 * com_x);")
    joined = sequence("all", [Part(program), Part(first)])
    assert seen("", STAIRS, support=0.0, program=joined) == pytest.approx(0.45)


def test_mirrored_it_is_the_other_foot_that_looks_ahead(framed, humanoid) -> None:
    one = mirrored_program(framed("POSE waist(edge_distance(rFoot, 2));"), humanoid)
    assert one.tape.tolist() == framed("POSE waist(edge_distance(lFoot, 2));").tape.tolist()


def test_which_edge_is_meant_is_no_number_for_tuning(framed) -> None:
    text = FRAME.format("POSE waist(0.5 * edge_distance(rFoot, 2) + ground(1.5));")
    program = framed("POSE waist(0.5 * edge_distance(rFoot, 2) + ground(1.5));")
    assert program.constants.tolist() == [0.5, 1.5, 9.0]
    assert [p.unit for p in program.parameters] == ["", "m", "s"]
    script = parse_script(text, "x.t").script
    assert [n.value for n in literals_of(script)] == [0.5, 1.5, 9.0]
    assert program.digest != framed("POSE waist(0.5 * edge_distance(rFoot, 3) + ground(1.5));").digest


@pytest.mark.parametrize(
    ("quantity", "said"),
    [
        ("edge_distance(rFoot, 0)", "'edge_distance' takes a number from 1 to 20"),
        ("edge_distance(rFoot, 1.5)", "'edge_distance' takes a number from 1 to 20"),
        ("edge_rise(rFoot, com_x)", "'edge_rise' takes a number from 1 to 20"),
        ("edge_rise(rFoot, 1, 2)", "'edge_rise' takes the name of a part, and optionally a number"),
        ("height(rFoot, 1)", "'height' takes the name of a part and nothing else"),
        ("ground()", "'ground' takes one number, a position x in the world"),
        ("ground(y)", "unknown parameter 'y'"),
        ("slope()", "'slope' takes one number, a position x in the world"),
    ],
)
def test_a_wrong_argument_of_a_quantity_is_reported(quantity, said, rendered) -> None:
    assert f"error: {said}" in rendered(FRAME.format(f"POSE waist({quantity});"))


def test_an_ik_target_from_the_ground_is_the_one_that_its_numbers_say(machine, framed, posed, humanoid, toe) -> None:
    targets = []
    for x, y in (("x(lFoot) + edge_distance(rFoot) + .1", "ground(1.2) + .1"), (None, "0.3")):
        kin = posed(root=(0.0, 1.0, 0.0))
        kin.support[0] = 0.0
        foot = float(kin.link[humanoid.link_index("lFoot"), 0])
        program = framed(f"IK rFoot.target global ({x or repr(foot + 1.0 - toe + 0.1)}, {y}, 0).base(rHip);")
        m = machine(program, kin=kin)
        m.code = with_surroundings(m.code, Surroundings(shapes_of(humanoid), parse("box=1:2:0.2")))
        m.tick(0.0)
        targets.append(m.motors.target.copy())
    np.testing.assert_allclose(*targets, atol=1e-9)
    assert targets[0][humanoid.joint_index("rHip")] < -0.5
