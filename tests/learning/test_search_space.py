"""Unknowns: which numbers of a script a search may change, within which ranges, and how far a step goes."""

from __future__ import annotations

import math
import tempfile
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from ctrlgraph.character.model import Roles
from ctrlgraph.control.parameters import Parameter
from ctrlgraph.control.script.compiler import compile_script
from ctrlgraph.control.script.library import ScriptLibrary
from ctrlgraph.errors import CtrlGraphError
from ctrlgraph.learning.search_space import (
    DIGITS,
    PRIORS,
    REACH,
    SearchParameter,
    changed,
    joined,
    mirrored_role,
    search_space,
)

ROUNDING = 0.5 * 10.0 ** (1 - DIGITS)
"""At most so much of its size does a number lose when it is written down."""
GAIN = Parameter("x.t/1/POSE rKnee/kp", "POSE rKnee kp", "kp")


def script(*phases: str, head: str = "") -> str:
    """A script of these phases' actions, each of half a second."""
    rows = [
        f"PHASE {i} ACTIONS {actions} ENDACTIONS "
        f"TRANSITION to({i + 1 if i + 1 < len(phases) else -1}).after(time 0.5); ENDPHASE"
        for i, actions in enumerate(phases)
    ]
    return f"{head} BEGINSCRIPT x(void) {' '.join(rows)} ENDSCRIPT"


def of(items, role: str, phase: int | None = 0) -> SearchParameter:
    """The one unknown with this role."""
    [found] = [item for item in items if item.role == role and item.phase == phase]
    return found


# --- ranges and steps ---

angles = st.floats(-1.5, 1.5).map(lambda v: round(v, 3))
gains = st.floats(0.5, 900).map(lambda v: round(v, 2))
times = st.floats(0.02, 3).map(lambda v: round(v, 3))
points = st.floats(-30, 30)


@st.composite
def written(draw, values):
    """A number with or without a range of the author's, as (text, value, range or None)."""
    value = draw(values)
    if draw(st.booleans()):
        return f"{value!r}", value, None
    below, above = draw(st.floats(0, 2)), draw(st.floats(0, 2))
    low, high = round(value - below, 3), round(value + above, 3)
    assume(low < high)
    return f"{value!r} <{low!r}, {high!r}>", value, (min(low, value), max(high, value))


@given(
    angle=written(angles),
    kp=written(gains),
    kd=written(gains),
    seconds=written(times),
    x=st.lists(points, min_size=4, max_size=4),
)
def test_values_stay_within_the_authors_ranges_and_the_joints_limits(humanoid, angle, kp, kd, seconds, x):
    text = script(f"LIPOSE rKnee({angle[0]}, {kp[0]}, {kd[0]}).time({seconds[0]});")
    with tempfile.TemporaryDirectory() as directory:
        (Path(directory) / "x.t").write_text(text)
        program = compile_script(ScriptLibrary([Path(directory)]), Path(directory) / "x.t", (), humanoid)
    found = search_space(program, humanoid, tied=False, chosen=lambda source: source.role.startswith("LIPOSE"))
    assert [item.quantity for item in found.items] == ["angle", "kp", "kd", "time"]
    knee = humanoid.joints[humanoid.joint_index("rKnee")]
    low, high = found.bounds
    assert np.all(low <= 0) and np.all(high >= 0) and np.all(low < high)
    for item, coordinate, (_, value, inline) in zip(found.items, x, (angle, kp, kd, seconds), strict=True):
        tried = item.at(coordinate)
        assert item.low <= tried <= item.high
        if inline is not None:
            assert (item.low, item.high) == inline
        elif item.quantity == "angle":
            assert min(knee.lower, value) <= tried <= max(knee.upper, value)
        else:
            assert tried > 0 or value == 0
            assert abs(math.log(tried / value)) <= REACH * PRIORS[item.quantity].share + 2 * ROUNDING


@given(
    value=st.floats(-900, 900).filter(lambda v: abs(v) > 1e-3),
    spread=st.floats(0.01, 1),
    multiplies=st.booleans(),
    x=st.floats(-REACH, REACH),
)
def test_the_coordinate_of_a_value_is_where_it_came_from_up_to_the_written_digits(value, spread, multiplies, x):
    ends = [value * math.exp(REACH * spread * s) if multiplies else value + REACH * spread * s for s in (-1, 1)]
    item = SearchParameter(
        (Parameter("x.t/0/POSE/kp", "", "kp"),), "", "kp", 0, value, min(ends), max(ends), spread, multiplies
    )
    tried = item.at(x)
    lost = ROUNDING * abs(tried)  # by which the written number differs at most
    slope = abs(tried) * spread if multiplies else spread
    assert abs(item.coordinate(tried) - x) <= 1.01 * lost / slope + 1e-9


@given(value=st.floats(-900, 900), x=points)
def test_what_is_tried_has_the_digits_that_are_written_down(value, x):
    item = SearchParameter((Parameter("x.t/0/POSE/angle", "", "angle"),), "", "angle", 0, value, -1e9, 1e9, 0.12, False)
    tried = item.at(x)
    assert tried == value or float(f"{tried:.{DIGITS}g}") == tried


def test_the_origin_is_the_script_to_the_last_digit(compiled, humanoid):
    text = script("POSE rKnee(0.123456789, 301.23456, 30.000001); POSE lKnee(0.123456789, 301.23456, 30.000001);")
    program = compiled(text)
    found = search_space(program, humanoid)
    values = found.values(np.zeros(len(found)))[""]
    assert {values[p.id] for p in program.parameters if p.quantity == "angle"} == {0.123456789}
    assert changed(program, values).constants.tobytes() == program.constants.tobytes()


def test_a_range_across_zero_is_searched_by_sums_and_one_beside_it_by_factors(compiled, humanoid):
    found = search_space(compiled(script("POSE rKnee(1 <0.5, 2>, 300 <0, 600>, 30 <10, 90>);")), humanoid).items
    kp, kd = of(found, "POSE rKnee kp"), of(found, "POSE rKnee kd")
    assert not kp.multiplies and kp.at(-100) == 0 and kp.at(100) == 600
    assert kd.multiplies and kd.at(-100) == 10 and kd.at(100) == 90


def test_a_narrow_range_is_searched_with_small_steps(compiled, humanoid):
    found = search_space(compiled(script("POSE rKnee(1 <0.99, 1.01>, 300 <299, 301>, 30);")), humanoid)
    low, high = found.bounds
    for item, width in zip(found.items[:2], (high - low)[:2], strict=True):
        assert width == pytest.approx(REACH), item.role


def test_negative_gains_stay_negative(compiled, humanoid):
    found = search_space(compiled(script("VPD rThigh(0, -300, -30).joint(rHip);")), humanoid).items
    for role in ("VPD rThigh kp", "VPD rThigh kd"):
        assert of(found, role).at(100) < of(found, role).at(-100) < 0


def test_a_gain_of_zero_may_grow_and_not_become_negative(compiled, humanoid):
    item = of(search_space(compiled(script("POSE rKnee(1, 0, 30);")), humanoid).items, "POSE rKnee kp")
    assert item.at(-100) == 0 < item.at(1)


# --- which numbers ---


def test_torque_limits_and_counts_and_arguments_from_outside_are_no_unknowns(compiled, humanoid):
    text = """
    SET TORQUELIMIT = 400
    BEGINSCRIPT x(a)
      PHASE 0
        ACTIONS POSE rKnee(a, 300, 30); ENDACTIONS
        TRANSITION to(1).after(time 0.3);
      ENDPHASE
      PHASE 1
        > y.t(0.2);
        TRANSITION to(-1).after(iterations 3);
      ENDPHASE
    ENDSCRIPT"""
    other = """BEGINSCRIPT y(b)
      PHASE 0 ACTIONS POSE lKnee(b); ENDACTIONS TRANSITION to(-1).after(time b); ENDPHASE ENDSCRIPT"""
    program = compiled(text, args=(0.7,), y=other)
    assert {source.quantity for source in program.parameters} >= {"torque", "count"}
    found = search_space(program, humanoid, chosen=lambda source: source.line > 0)
    assert {item.quantity for item in found.items}.isdisjoint({"torque", "count"})
    assert not any(parameter.is_argument for item in found.items for parameter in item.parameters)


def test_only_the_chosen_phases_and_kinds_are_unknown(compiled, humanoid):
    program = compiled(script("POSE rKnee(1, 300, 30);", "POSE rKnee(2, 200, 20);"))
    found = search_space(program, humanoid, chosen=lambda source: source.phase == 1, quantities=("kp", "kd"))
    assert [(item.role, item.phase) for item in found.items] == [("POSE rKnee kp", 1), ("POSE rKnee kd", 1)]


def test_nothing_to_change_is_an_error_that_names_the_script(compiled, humanoid):
    with pytest.raises(CtrlGraphError, match="x has no constant of the kinds force that the search may change"):
        search_space(compiled(script("POSE rKnee(1);")), humanoid, quantities=("force",))


# --- ties ---


KNEES = "POSE rKnee({}, 300, 30), lKnee({}, 300, {});"


@pytest.mark.parametrize(
    ("phases", "counts"),
    [
        ([KNEES.format(1, 1, 31)], {"POSE rKnee angle": 2, "POSE rKnee kp": 2, "POSE rKnee kd": 1, "POSE lKnee kd": 1}),
        ([KNEES.format(1, 1, 30)] * 2, {"POSE rKnee angle": 4}),
        ([KNEES.format("1 <0.5, 1>", "1 <1, 2>", 30)], {"POSE rKnee angle": 1, "POSE lKnee angle": 1}),
        (["POSE rHip(-1, 300, 30);", "POSE lHip(-1.1, 300, 30);"], {"POSE rHip angle": 1}),
        (["VFFB uTorso(900, 400).by(rAnkle).over(cop); VFFB uTorso(900, 400).by(lAnkle).over(cop);"],
         {"VFFB uTorso cd": 2}),
    ],
    ids=["sides", "sides and halves", "ranges that only touch", "other values", "ankles"],
)  # fmt: skip
def test_equal_numbers_of_both_sides_and_halves_are_one_unknown(compiled, humanoid, phases, counts):
    program = compiled(script(*phases))
    found = search_space(program, humanoid).items
    assert {role: len(of(found, role).ids) for role in counts} == counts
    untied = search_space(program, humanoid, tied=False)
    assert len(untied) == sum(len(item.ids) for item in found)


def test_a_gait_whose_halves_mirror_each_other_has_half_the_unknowns(compiled, humanoid):
    half = "POSE {0}Hip(-1, 300, 30), lTorso2uTorso(.1, 300, 30);", "POSE {0}Hip(-.2, 300, 30);"
    program = compiled(script(*(phase.format(side) for side in "rl" for phase in half)))
    found = search_space(program, humanoid).items
    assert {item.role for item in found if item.phase == 0} >= {"POSE rHip angle", "POSE lTorso2uTorso angle"}
    assert all(item.phase in (0, 1) for item in found)
    assert all(len(item.ids) == 2 for item in found)


def test_tied_numbers_stay_within_both_their_ranges(compiled, humanoid):
    program = compiled(script(KNEES.format("1 <0.5, 1.5>", "1 <0.8, 2>", 30)))
    item = of(search_space(program, humanoid).items, "POSE rKnee angle")
    assert (item.low, item.high) == (0.8, 1.5)


# --- several programs ---


def test_a_literal_that_two_controllers_share_counts_once_in_each_part(compiled, humanoid):
    shared = script("POSE rKnee(1, 300, 30), lKnee(1, 300, 30);").replace(" x(void)", " y(void)")
    program = compiled(
        "BEGINSCRIPT x(void) PHASE 0 > y.t(); TRANSITION to(-1).after(complete); ENDPHASE ENDSCRIPT", y=shared
    )
    one = search_space(program, humanoid)
    assert len(joined([one, one])) == len(one)
    assert len(joined([one.of_part("source"), one.of_part("target")])) == 2 * len(one)


def test_of_ties_that_overlap_each_literal_keeps_one_value(compiled, humanoid):
    program = compiled(script("POSE rKnee(1, 300, 30), lKnee(1, 300, 30);"))
    tied, apart = search_space(program, humanoid), search_space(program, humanoid, tied=False)
    several = joined([apart.__class__(apart.items[:1]), tied])
    ids = [name for item in several.items for name in item.ids]
    assert len(ids) == len(set(ids)) == len(apart)


@pytest.mark.slow
def test_every_shipped_controller_has_unknowns_that_contain_their_own_values(shipped, humanoid):
    for name in shipped.graph.nodes:
        program = shipped.program(name)
        found = search_space(program, humanoid)
        low, high = found.bounds
        assert np.all(low <= 0) and np.all(high >= 0) and np.all(low < high), name
        assert changed(program, found.values(np.zeros(len(found)))[""]).constants.tolist() == program.constants.tolist()
        values = found.values(np.random.default_rng(1).uniform(low, high))[""]
        assert len(values) == sum(len(item.ids) for item in found.items)


def test_sides_are_known_by_pairs_and_not_by_names(compiled, humanoid):
    program = compiled(script("POSE rKnee(1, 300, 30), lKnee(1, 300, 31);"))
    apart = replace(humanoid, roles=Roles())
    assert len(search_space(program, apart)) == len(search_space(program, humanoid)) + 2
    crossed = replace(
        humanoid, roles=Roles(joint_pairs=((humanoid.joint_index("rKnee"), humanoid.joint_index("waist")),))
    )
    assert mirrored_role("POSE rKnee angle", crossed) == "POSE pelvis2lTorso angle"
    assert mirrored_role("POSE waist angle", crossed) == "POSE rKnee angle"
    assert mirrored_role("POSE lKnee angle", crossed) == "POSE lKnee angle"


def test_an_alias_has_that_of_the_other_side_for_its_counterpart(humanoid):
    assert mirrored_role("POSE rShoudler angle", humanoid) == "POSE lShoudler angle"
    assert mirrored_role("VFFB uTorso cd", humanoid) == "VFFB uTorso cd"


def test_a_value_reaches_every_part_of_a_joined_program(compiled):
    from ctrlgraph.control.controller import Part
    from ctrlgraph.control.script.sequence import sequence

    program = compiled(script("POSE rKnee(1, 300, 30);"))
    twice = sequence("twice", [Part(sequence("once", [Part(program)])), Part(program)])
    [name] = [p.id for p in program.parameters if p.quantity == "kp"]
    assert changed(twice, {name: 299.0}).constants.tolist().count(299.0) == 2


EXITS = """\
BEGINSCRIPT careful(void)
  PHASE 0
    ACTIONS
      POSE waist(0.1);
    ENDACTIONS
    TRANSITION to(-1).after(fallen x 1.2);
    TRANSITION to(fail).after(time 4);
    TRANSITION to(1).after(time .7);
  ENDPHASE
  PHASE 1
    TRANSITION to(fail).after(when com_vx > 3 or fallen > 0.3);
    TRANSITION to(-1).after(stable .05);
    TRANSITION to(-1).after(time 5);
  ENDPHASE
  PHASE 2
    TRANSITION to(-1).after(fallen > 0.2);
    TRANSITION to(-1).after(time 6);
  ENDPHASE
  PHASE 3
    TRANSITION to(-1).after(fallen x 1.1);
    TRANSITION to(-1).after(time .9);
  ENDPHASE
  PHASE 4
    TRANSITION to(0).after(fallen x 1.3);
    TRANSITION to(-1).after(contact rFoot and time .8);
  ENDPHASE
ENDSCRIPT
"""


def test_numbers_of_safety_exits_stay_unless_they_are_asked_for(still, tmp_path):
    (tmp_path / "careful.t").write_text(EXITS)
    program = still.compile(tmp_path / "careful.t")
    kept = [p.value for p in search_space(program, still.character, quantities=PRIORS).items]
    assert kept == [0.1, 0.7, 0.05, 0.2, 0.9, 1.3, 0.8]
    every = [p.value for p in search_space(program, still.character, exits=True).items]
    assert sorted(every) == sorted([*kept, 1.2, 4.0, 3.0, 0.3, 5.0, 6.0, 1.1])
    [fallen] = [p.id for p in program.parameters if p.line == 6]
    assert 1.2 in [p.value for p in search_space(program, still.character, moved={fallen}).items]
