"""Quantities of the state in expressions, and conditions that compare and join them."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ctrlgraph.control.controller import FINISHED, Instant, Part, Surroundings
from ctrlgraph.control.script.codes import TransitionKind
from ctrlgraph.control.script.compiler import compile_script
from ctrlgraph.control.script.execution.state import with_surroundings
from ctrlgraph.control.script.execution.transitions import first_to_fire
from ctrlgraph.control.script.library import ScriptLibrary
from ctrlgraph.control.script.mirror import mirrored_program
from ctrlgraph.control.script.program import Program
from ctrlgraph.control.script.script_kind import KIND
from ctrlgraph.control.script.sequence import sequence
from ctrlgraph.control.script.syntax.formatter import format_script
from ctrlgraph.errors import SourceError
from ctrlgraph.kernels.planar.collision import shapes_of
from ctrlgraph.terrain.words import parse as parse_terrain

FRAME = "BEGINSCRIPT x({})\nPHASE 0\nACTIONS\n{}\nENDACTIONS\nTRANSITION to(-1).after({});\nENDPHASE\nENDSCRIPT\n"


@pytest.fixture
def moving(posed, humanoid):
    """A body in the middle of something, standing on a box."""
    random = np.random.default_rng(3)
    joints = len(humanoid.joints)
    kin = posed(random.uniform(-0.5, 0.5, joints), (0.2, 1.1, 3.4), random.uniform(-2, 2, joints), (1.0, -0.4, 2.0))
    kin.load[:] = random.uniform(0, 500, len(humanoid.links))
    kin.support[0] = 0.15
    return kin


def ticked(machine, program: Program, kin):
    """The program after its tick at 0.25 s."""
    m = machine(program, kin=kin)
    m.tick(0.25)
    return m


def test_each_quantity_is_that_of_the_state(framed, machine, moving, humanoid) -> None:
    knee, foot = humanoid.joint_index("rKnee"), humanoid.link_index("rFoot")
    turns = 2 * math.pi
    expected = {
        "angle(rKnee)": moving.joint[knee, 0],
        "velocity(rKnee)": moving.joint[knee, 1],
        "orientation(rFoot)": moving.link[foot, 2] - turns * round(moving.link[foot, 2] / turns),
        "spin(rFoot)": moving.link[foot, 5],
        "x(rFoot)": moving.link[foot, 0],
        "load(rFoot)": moving.load[foot],
        "com_x": moving.com[0],
        "com_height": moving.com[1] - 0.15,
        "com_vx": moving.com[2],
        "com_vy": moving.com[3],
        "phase_time": 0.25,
    }
    for quantity, value in expected.items():
        m = ticked(machine, framed(f"POSE waist({quantity});"), moving)
        assert m.motors.target[humanoid.joint_index("waist")] == pytest.approx(value), quantity


def test_the_height_of_a_part_is_that_of_its_lowest_point_above_the_ground_below_it(
    framed, machine, moving, humanoid
) -> None:
    foot, waist = humanoid.link_index("rFoot"), humanoid.joint_index("waist")
    moving.link[foot, :3] = 2.0, 0.8, 0.0
    moving.turn[foot] = 1.0, 0.0
    shapes, terrain = shapes_of(humanoid), parse_terrain("box=1:5:0.3")
    lowest = min(circle[1] - circle[2] for link, circle in zip(shapes.link, shapes.circle, strict=True) if link == foot)
    m = machine(framed("POSE waist(height(rFoot));"), kin=moving)
    m.code = with_surroundings(m.code, Surroundings(shapes, terrain))
    m.tick(0.0)
    assert m.motors.target[waist] == pytest.approx(0.8 + lowest - 0.3)


def test_without_support_yet_heights_are_above_the_ground_below_the_centre_of_mass(
    framed, machine, moving, humanoid
) -> None:
    moving.support[0] = math.nan
    m = ticked(machine, framed("POSE waist(com_height);"), moving)
    assert m.motors.target[humanoid.joint_index("waist")] == pytest.approx(moving.com[1])


def expressions() -> st.SearchStrategy[tuple[str, Callable[[dict[str, float]], float]]]:
    """Expressions as text, with what they come to for the values of `com_x` and `com_vx`."""
    leaf = st.one_of(
        st.floats(0, 9).map(lambda v: (repr(round(v, 3)), lambda _: round(v, 3))),
        st.sampled_from(["com_x", "com_vx"]).map(lambda name: (name, lambda state: state[name])),
    )

    def joined(children):
        def binary(given):
            operator, (left, a), (right, b) = given
            apply = {
                "+": lambda s: a(s) + b(s),
                "-": lambda s: a(s) - b(s),
                "*": lambda s: a(s) * b(s),
                "/": lambda s: a(s) / b(s) if b(s) != 0 else math.inf,
            }[operator]
            return f"({left} {operator} {right})", lambda s: value if math.isfinite(value := apply(s)) else 0.0

        negated = children.map(lambda given: (f"-{given[0]}", lambda s: -given[1](s)))
        return st.tuples(st.sampled_from("+-*/"), children, children).map(binary) | negated

    return st.recursive(leaf, joined, max_leaves=12)


@given(expression=expressions(), x=st.sampled_from([0.0, 0.5, -2.0]), v=st.floats(-3, 3).map(lambda v: round(v, 6)))
def test_an_expression_of_the_state_is_its_arithmetic_in_every_tick(
    expression, x, v, framed, machine, posed, humanoid
) -> None:
    text, value = expression
    kin, waist = posed(), humanoid.joint_index("waist")
    try:
        program = framed(f"POSE waist(0 * com_x + ({text}));")
    except SourceError as error:
        assert "division by 0" in str(error)  # a division by a number that is zero is found before
        return
    m = machine(program, kin=kin)
    for state in ({"com_x": x, "com_vx": v}, {"com_x": v, "com_vx": x}):
        kin.com[0], kin.com[2] = state["com_x"], state["com_vx"]
        m.tick(0.1)
        assert m.motors.target[waist] == pytest.approx(value(state), rel=1e-9, abs=1e-9)


@pytest.mark.filterwarnings("ignore:overflow:RuntimeWarning")  # plain Python says so, framed code does not
@pytest.mark.parametrize("text", ["1 / com_vx", "1 / (com_vx - com_vx)"])
def test_a_result_that_is_no_finite_number_is_zero(text, framed, machine, posed, humanoid) -> None:
    kin = posed()
    kin.com[2] = 1e-310
    m = machine(framed(f"POSE waist({text});"), kin=kin)
    m.tick(0.1)
    assert m.motors.target[humanoid.joint_index("waist")] == 0.0


def test_a_lipose_takes_its_angle_and_time_from_the_state_in_which_its_phase_begins(
    framed, machine, posed, humanoid
) -> None:
    kin, waist = posed(), humanoid.joint_index("waist")
    kin.com[2] = 0.5
    m = machine(framed("LIPOSE waist(2 * com_vx).time(com_vx);"), kin=kin)
    kin.com[2] = 77.0
    m.tick(0.25)
    assert m.motors.target[waist] == pytest.approx(0.5)
    m.tick(1.0)
    assert m.motors.target[waist] == pytest.approx(1.0)


def test_a_target_that_followed_the_state_stays_where_its_phase_left_it(machine, posed, humanoid) -> None:
    library, path = ScriptLibrary([]), Path("x.t")
    text = "BEGINSCRIPT x(void)\nPHASE 0\nACTIONS\nPOSE waist(com_vx);\nENDACTIONS\nTRANSITION to(1).after(time 1);\n"
    library.put(path, text + "ENDPHASE\nPHASE 1\nTRANSITION to(-1).after(time 9);\nENDPHASE\nENDSCRIPT\n")
    kin, waist = posed(), humanoid.joint_index("waist")
    m = machine(compile_script(library, path, [], humanoid), kin=kin)
    seen = []
    for time, speed in ((0.0, 0.1), (0.5, 0.2), (1.0, 0.9), (1.5, 0.4)):
        kin.com[2] = speed
        m.tick(time)
        seen.append(m.motors.target[waist])
    assert seen == [0.1, 0.2, 0.2, 0.2]


def test_a_gain_that_the_state_makes_negative_is_zero_and_not_the_default(framed, machine, posed, humanoid) -> None:
    kin, waist = posed(), humanoid.joint_index("waist")
    kin.com[2] = -1.0
    m = machine(framed("POSE waist(0.1, 100 * com_vx, 10);"), kin=kin)
    m.tick(0.0)
    assert (m.motors.kp[waist], m.motors.kd[waist]) == (0.0, 10.0)


def test_numbers_beside_the_state_are_constants_with_ids_and_units(framed) -> None:
    program = framed(
        "POSE waist(0.1 - 0.5 * angle(rHip));", "when angle(rKnee) > 0.7 or when height(lFoot) < .05 <.01, .2>"
    )
    told = [(p.id, p.unit, p.low, p.high) for p in program.parameters]
    assert told == [
        ("x.t/0/POSE pelvis2lTorso/angle", "rad", None, None),
        ("x.t/0/POSE pelvis2lTorso/angle#2", "", None, None),
        ("x.t/0/after when/right", "rad", None, None),
        ("x.t/0/after when#2/right", "m", 0.01, 0.2),
    ]
    assert program.constants.tolist() == [0.1, 0.5, 0.7, 0.05]


def test_a_caller_hands_the_state_on_as_an_argument(write, machine, posed, humanoid) -> None:
    called = FRAME.format("a", "POSE waist(2 * a);", "time 9").replace(" x(", " y(")
    library = write(y=called, x="BEGINSCRIPT x(void)\nPHASE 0\n> y(com_vx + phase_time);\nENDPHASE\nENDSCRIPT\n")
    program = compile_script(library, Path("x.t"), [], humanoid)
    kin, waist = posed(), humanoid.joint_index("waist")
    m = machine(program, kin=kin)
    for time, speed in ((0.0, 0.1), (0.5, 0.2)):
        kin.com[2] = speed
        m.tick(time)
        assert m.motors.target[waist] == pytest.approx(2 * (speed + time))


def test_a_joined_program_knows_its_phases_times(framed, machine, humanoid) -> None:
    part = framed("POSE waist(phase_time);", "when phase_time >= .25 and not (contact rFoot)")
    m, waist = machine(sequence("all", [Part(part, 2), Part(part, 1)])), humanoid.joint_index("waist")
    seen = []
    for step in range(12):
        if m.tick(0.1 * step) == FINISHED:
            break
        seen.append(round(m.motors.target[waist], 6))
    assert seen == [0.0, 0.1, 0.2] * 3


def test_mirrored_the_state_is_that_of_the_other_side(framed, machine, posed, humanoid) -> None:
    program = framed("POSE rKnee(angle(rHip) + height(lFoot));", "when velocity(lKnee) > x(rHand)")
    written = framed("POSE lKnee(angle(lHip) + height(rFoot));", "when velocity(rKnee) > x(lHand)")
    mirrored = mirrored_program(program, humanoid)
    assert mirrored.tape.tolist() == written.tape.tolist()
    assert mirrored.digest != program.digest
    assert mirrored_program(mirrored, humanoid).digest == program.digest


def test_both_sides_read_each_their_own(framed) -> None:
    both = framed("POSE bKnee(0.2 + angle(bHip));", "when height(bFoot) > .1 or contact bHand")
    each = framed(
        "POSE rKnee(0.2 + angle(rHip)), lKnee(0.2 + angle(lHip));",
        "(when height(rFoot) > .1 and when height(lFoot) > .1) or (contact rHand and contact lHand)",
    )
    quantities = [row for row in both.tape.tolist() if row[0] > 4]
    assert quantities == [row for row in each.tape.tolist() if row[0] > 4]
    assert both.terms[:, :3].tolist() == each.terms[:, :3].tolist()
    assert [p.id for p in both.parameters] == ["x.t/0/POSE bKnee/angle", "x.t/0/after when/right"]


def test_what_reads_no_state_has_no_rows_to_compute(framed) -> None:
    program = framed("POSE rKnee(a / 2 + 1, 3 * a, 4);", "time a and contact rFoot", "a", 0.5)
    assert len(program.tape) == 3
    assert not program.phases[:, 8:].any()
    assert not any(program.varying)


# --- joined conditions ---

NAMES = ["rFoot", "lFoot", "rHand"]


def conditions() -> st.SearchStrategy[tuple[str, Callable[[set[str]], bool]]]:
    """Conditions on contacts as text, with whether they hold where the given links touch."""
    leaf = st.sampled_from(NAMES).map(lambda name: (f"contact {name}", lambda touching: name in touching))

    def joined(children):
        both = st.tuples(children, children)
        return st.one_of(
            both.map(lambda g: (f"({g[0][0]}) and ({g[1][0]})", lambda t: g[0][1](t) and g[1][1](t))),
            both.map(lambda g: (f"({g[0][0]}) or ({g[1][0]})", lambda t: g[0][1](t) or g[1][1](t))),
            children.map(lambda g: (f"not ({g[0]})", lambda t: not g[1](t))),
        )

    return st.recursive(leaf, joined, max_leaves=10)


@given(condition=conditions())
def test_a_joined_condition_holds_as_logic_has_it(condition, framed, machine, posed, humanoid) -> None:
    text, holds = condition
    m, kin = None, posed()
    for number in range(2 ** len(NAMES)):
        touching = {name for bit, name in enumerate(NAMES) if number >> bit & 1}
        for name in NAMES:
            kin.contact[humanoid.link_index(name)] = name in touching
        m = m or machine(framed("", text), kin=kin)
        fired = first_to_fire(0, kin, m.code, 0, 0.0, 0, False, 0.5) == 0
        assert fired == holds(touching), (text, touching)


def test_and_binds_closer_than_or_and_not_closer_than_both(framed) -> None:
    kind = TransitionKind
    terms = framed("", "contact rFoot or not contact lFoot and contact rHand or complete").terms[:, 0].tolist()
    one = [kind.CONTACT, kind.CONTACT, kind.NOT, kind.CONTACT, kind.AND, kind.OR, kind.COMPLETE, kind.OR, kind.END]
    assert terms == one


@pytest.mark.parametrize(("sign", "holding"), [("<", [1]), (">", [3]), ("<=", [1, 2]), (">=", [2, 3])])
def test_a_comparison_is_strict_or_not_as_written(sign, holding, framed, machine, posed) -> None:
    kin = posed()
    program = framed("", f"when com_x {sign} 2")
    held = []
    for x in (1, 2, 3):
        kin.com[0] = x
        m = machine(program, kin=kin)
        held += [x] if m.tick(0.0) == FINISHED else []
    assert held == holding


def test_a_departure_is_described_with_the_numbers_it_had(framed, machine, posed, humanoid, body) -> None:
    kin = posed(root=(0, 1, 1.3))
    for text, said, fell in (
        ("time .2 and contact rFoot or fallen x 1.2", "time 0.2 and contact rFoot or fallen x 1.2", True),
        ("not (time 5 or contact rFoot)", "not (time 5 or contact rFoot)", False),
        ("(time 0 or contact rFoot) and not fallen x 2", "(time 0 or contact rFoot) and not fallen x 2", False),
        ("time 0 or fallen x 2", "time 0 or fallen x 2", False),
        ("when com_x + 1 > 0.5", f"when {kin.com[0] + 1:g} > 0.5", False),
    ):
        program = framed("", text)
        m = machine(program, kin=kin)
        assert m.tick(0.0) == FINISHED
        found = KIND.departure(program, Instant(humanoid, body, kin, m.code, m.state, 0.0), ended=True)
        assert found is not None
        assert (found.condition, found.fell) == (said, fell)


# --- what is said of faults ---


@pytest.mark.parametrize(
    ("body", "condition", "said"),
    [
        ("POSE waist(angle(rKne));", "time 1", "4:18: error: unknown joint 'rKne'"),
        ("POSE waist(angle(rFoot));", "time 1", "4:18: error: 'rFoot' is a part, but a joint is needed here"),
        ("POSE waist(angle(2));", "time 1", "4:12: error: 'angle' takes the name of a joint"),
        ("POSE waist(angle(bKnee));", "time 1", "4:18: error: 'bKnee' means the right and the left side"),
        ("POSE waist(angel(rKnee));", "time 1", "4:12: error: unknown quantity 'angel(...)'"),
        ("POSE waist(height);", "time 1", "4:12: error: unknown parameter 'height'"),
        ("", "when angle(rKnee) 3", "6:43: error: expected '>=', '<=', '<' or '>', found '3' in this"),
        (
            "",
            "when 1 > 2",
            "6:25: warning: this transition never fires: the condition compares two constants and is false",
        ),
        (
            "",
            "failed and contact rFoot",
            "6:25: warning: this transition never fires: the phase calls no script that could fail",
        ),
        ("", "time 1 and", "6:35: error: expected a condition, found ')' in"),
        ("", "contact rFot or time 1", "6:33: error: unknown part 'rFot'"),
        ("", "times 1 and contact rFoot", "6:25: error: unknown condition 'times'"),
    ],
)
def test_faults_are_reported_at_their_places(body, condition, said, rendered) -> None:
    text = FRAME.format("void", body, condition)
    assert rendered(text).startswith(f"x.t:{said}"), rendered(text)


def test_a_parameter_that_hides_a_quantity_is_reported(rendered) -> None:
    assert rendered(FRAME.format("com_x", "POSE waist(com_x);", "time 1")).startswith(
        "x.t:1:15: warning: parameter 'com_x' has the name of a quantity of the state: rename the parameter"
    )
    assert rendered(FRAME.format("height", "POSE waist(height + 0 * height(rFoot));", "time height")) == ""


def test_words_of_conditions_are_names_elsewhere(rendered) -> None:
    assert rendered(FRAME.format("and, when, angle", "POSE waist(and + when + angle);", "time 1")) == ""


def test_a_torque_limit_does_not_depend_on_the_state(rendered) -> None:
    text = "SET TORQUELIMIT = 100 + com_x\n" + FRAME.format("void", "", "time 1")
    assert rendered(text).startswith(
        "x.t:1:25: error: TORQUELIMIT is set before the script runs, so it cannot depend on the state"
    )


def test_more_conditions_than_fit_are_one_error(rendered) -> None:
    many = " or ".join(["contact rFoot"] * 110)
    assert "error: this expression or condition has too many parts: split it" in rendered(
        FRAME.format("void", "", many)
    )
    assert "has too many parts: split it" in rendered(FRAME.format("void", "", "not " * 3000 + "contact rFoot"))


def test_the_new_forms_keep_their_layout() -> None:
    text = (
        "BEGINSCRIPT x(void)\n  PHASE 0\n    ACTIONS\n      POSE bKnee(0.2 - 0.5 * angle(bHip) / com_vx);\n"
        "    ENDACTIONS\n    TRANSITION to(-1).after(not (time .2 and contact rFoot) or when -height(rFoot) <= .1);\n"
        "    TRANSITION to(-1).after(when com_x < 1 <0.5, 2> and (when 2 > com_vy or complete));\n"
        "  ENDPHASE\nENDSCRIPT\n"
    )
    assert format_script(text) == text
    assert format_script(" ".join(text.split())) == text
