"""Proposals: from how a script ended to success conditions, kind and timeout, and which ends are meant."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ctrlgraph.graph.model import Node, NodeKind
from ctrlgraph.learning.endings import START, Ending, Posture, gave_up
from ctrlgraph.learning.proposal import judged, propose_conditions, propose_kind, propose_timeout
from ctrlgraph.learning.resemblance import Group, groups, like
from ctrlgraph.measures import broken
from ctrlgraph.outcome import Status

MOTION = Node("leap", "leap.t")
GAIT = Node("trot", "trot.t", cycles=(2, 6))

AT_REST = {
    "torso": 0.1, "com_height": 0.98, "com_speed": 0.01, "feet_contact": 2.0, "hands_contact": 0.0, "duration": 2.0,
    "distance": 0.0, "speed": 0.0, "turned": 0.0, "flight": 0.0, "flight_share": 0.0,
    "max_com_height": 1.0, "min_com_height": 0.98,
}  # fmt: skip

STAND = Posture(0.1, 0.98, 0.01, 2, 0, (0.0, 0.0))
LYING = Posture(1.57, 0.1, 0.0, 0, 0, (0.0, 0.0))


def ending(source: str = "stand", end: Posture = STAND, **measures: float) -> Ending:
    """A run that ended by itself; the measures are those of a stand unless given."""
    own = {"torso": end.torso, "com_height": end.com_height, "com_speed": end.com_speed}
    return Ending(source, (1, 1), STAND, end, Status.COMPLETED.value, "", "x.t:1", AT_REST | own | measures)


def test_an_end_at_rest_is_known_by_posture_speed_and_contacts() -> None:
    found = propose_conditions([ending(), ending(com_speed=0.02, torso=0.2)], MOTION)
    assert found == {
        "torso": pytest.approx((-0.2, 0.5)),
        "com_height": pytest.approx((0.9, 1.06)),
        "com_speed": (0.0, 0.1),
        "feet_contact": (2.0, 2.0),
    }


def test_a_gait_is_known_by_its_speed_and_its_flight() -> None:
    paces = [ending(com_speed=1.2, speed=1.0, flight_share=0.4), ending(com_speed=1.4, speed=1.6, flight_share=0.5)]
    found = propose_conditions(paces, GAIT)
    assert found["speed"] == pytest.approx((0.5, 2.4))
    assert found["flight_share"] == pytest.approx((0.2, 0.75))
    assert "com_speed" not in found and "distance" not in found


def test_a_motion_is_known_by_its_way_its_turn_and_its_flight_where_they_are_large() -> None:
    flip = [ending(turned=-6.2, distance=-0.5, flight=0.6), ending(turned=-6.4, distance=-0.7, flight=0.7)]
    found = propose_conditions(flip, MOTION)
    assert found["turned"] == pytest.approx((-6.9, -5.7))
    assert found["distance"] == pytest.approx((-1.1, -0.2))
    assert found["flight"] == pytest.approx((0.3, 1.06))
    small = propose_conditions([ending(turned=0.3, distance=0.1, flight=0.05)], MOTION)
    assert {"turned", "distance", "flight"} & set(small) == set()


measures = st.fixed_dictionaries(
    {
        "torso": st.floats(-3.1, 3.1),
        "com_height": st.floats(0.05, 1.3),
        "com_speed": st.floats(0.0, 3.0),
        "feet_contact": st.sampled_from([0.0, 1.0, 2.0]),
        "hands_contact": st.sampled_from([0.0, 1.0, 2.0]),
        "distance": st.floats(-5.0, 5.0),
        "speed": st.floats(-3.0, 3.0),
        "turned": st.floats(-13.0, 13.0),
        "flight": st.floats(0.0, 1.5),
        "flight_share": st.floats(0.0, 1.0),
    }
)


@given(st.lists(measures, min_size=1, max_size=6), st.sampled_from([MOTION, GAIT, replace(MOTION, kind="static")]))
def test_what_the_conditions_are_made_of_meets_them(drawn: list[dict[str, float]], node: Node) -> None:
    node = replace(node, kind=NodeKind(node.kind))
    conditions = propose_conditions([ending(**values) for values in drawn], node)
    assert all(low < high or name.endswith("contact") for name, (low, high) in conditions.items())
    for values in drawn:
        assert broken(AT_REST | values, conditions) == []


def test_what_stays_where_it_is_when_it_runs_again_is_a_pose() -> None:
    held = replace(ending(), again=AT_REST | {"max_com_height": 1.0, "min_com_height": 0.98})
    moving = replace(ending(), again=AT_REST | {"max_com_height": 1.2, "min_com_height": 0.9})
    assert propose_kind([held, held, moving]) is NodeKind.STATIC
    assert propose_kind([held, moving, moving]) is NodeKind.DYNAMIC
    assert propose_kind([ending()]) is NodeKind.DYNAMIC


def test_the_timeout_is_twice_what_all_cycles_take() -> None:
    assert propose_timeout([ending(duration=3.2), ending(duration=2.0)], MOTION) == 10.0
    assert propose_timeout([ending(duration=0.4)], MOTION) == 5.0
    assert propose_timeout([replace(ending(duration=3.0), cycles=(1, 3))], GAIT) == 15.0


def test_a_run_that_the_conditions_do_not_hold_for_has_failed() -> None:
    assert judged(ending(), {"torso": (-0.3, 0.3)}).completed
    failed = judged(ending(torso=1.0), {"torso": (-0.3, 0.3)})
    assert (failed.completed, failed.reason) == (False, "torso 1 is above 0.3")


# --- which ends are meant ---

POSES = {"stand": [STAND], "prone": [LYING]}


def test_an_end_is_like_the_nearest_pose_or_like_none() -> None:
    assert like(replace(STAND, torso=0.3), POSES) == "stand"
    assert like(replace(LYING, com_height=0.15), POSES) == "prone"
    assert like(replace(STAND, joints=(1.0, 1.0)), POSES) is None
    assert like(replace(STAND, com_height=0.6), POSES) is None


def test_an_upright_end_is_meant_before_one_on_the_ground_and_a_pose_before_anything_else() -> None:
    falls = [ending(name, LYING) for name in ("walk", "run", "squat")]
    strange = [ending(name, replace(STAND, joints=(2.0, 2.0))) for name in ("crawl", "kip", "get_up", "rise")]
    first, second, third = groups(MOTION, [*falls, *strange, ending("stand")], POSES)
    assert (first.label, first.sources) == ("stand", ("stand",))
    assert (second.label, third.label) == ("prone", "upright")


def test_of_a_gait_the_runs_are_meant_that_go_somewhere() -> None:
    lying = [ending(name, LYING) for name in ("a", "b", "c")]
    going = [ending("d", replace(LYING, joints=(2.0, 2.0)), speed=0.4)]
    assert groups(GAIT, [*lying, *going], POSES)[0].label == "going, on the ground, face down"


def test_what_gave_up_is_in_no_group() -> None:
    assert groups(MOTION, [replace(ending(), gave_up=True)], POSES) == []


def test_the_core_of_a_group_leaves_out_ends_that_differ() -> None:
    usual = [ending(START), ending("stand"), ending("rise", torso=0.2)]
    odd = [ending("run", com_height=0.8), ending("walk", com_speed=0.9)]
    assert Group("stand", "stand", (*usual, *odd)).core == tuple(usual)


SCRIPT = """\
BEGINSCRIPT x(void)
  PHASE 0
    TRANSITION to(1).after(time 1);
    TRANSITION to(-1).after(fallen x 0.3);
  ENDPHASE
  PHASE 1
    > y.t(1.0);
    TRANSITION to(-1).after(complete);
  ENDPHASE
  PHASE 2
    TRANSITION to(-1).after(fallen > 0.5);
    TRANSITION to(1).after(fallen x 0.5);
  ENDPHASE
ENDSCRIPT
"""
CALLED = """\
BEGINSCRIPT y(limit)
  PHASE 0
    TRANSITION to(-1).after(fallen x limit);
  ENDPHASE
ENDSCRIPT
"""


def test_a_script_gave_up_where_a_fallen_exit_of_its_last_phase_holds_at_the_end(compiled) -> None:
    program = compiled(SCRIPT, y=CALLED)
    assert gave_up(program, [0], -0.4) and not gave_up(program, [0], 0.2)
    assert gave_up(program, [1], 1.1) and not gave_up(program, [1], 0.4)
    assert not gave_up(program, [2], 1.1)  # an angle that is waited for is no fall, a phase that goes on no end
