"""Proposals: from how a script ended to success conditions, kind and timeout, and which ends are meant."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ctrlgraph.character.model import Roles
from ctrlgraph.graph.model import Node, NodeKind
from ctrlgraph.insertion.clustering import Cluster, clusters, nearest_pose, posture_text, support
from ctrlgraph.insertion.probe import START, Posture, TerminalState
from ctrlgraph.insertion.probe import carrier as carrier_of
from ctrlgraph.insertion.proposed_fields import evaluated_by, propose_conditions, propose_kind, propose_timeout
from ctrlgraph.simulation.measures import broken
from ctrlgraph.simulation.outcome import Status

MOTION = Node("leap", "leap.t")
GAIT = Node("trot", "trot.t", cycles=(2, 6))

AT_REST = {
    "torso": 0.1, "com_height": 0.98, "com_speed": 0.01, "feet_contact": 2.0, "hands_contact": 0.0, "duration": 2.0,
    "distance": 0.0, "speed": 0.0, "turned": 0.0, "flight": 0.0, "flight_share": 0.0,
    "max_com_height": 1.0, "min_com_height": 0.98,
}  # fmt: skip

STAND = Posture(0.1, 0.98, 0.01, 2, 0, (0.0, 0.0))
LYING = Posture(1.57, 0.1, 0.0, 0, 0, (0.0, 0.0))


def ending(source: str = "stand", end: Posture = STAND, **measures: float) -> TerminalState:
    """A run that ended by itself; the measures are those of a stand unless given."""
    own = {"torso": end.torso, "com_height": end.com_height, "com_speed": end.com_speed}
    return TerminalState(source, (1, 1), STAND, end, Status.COMPLETED.value, "", "x.t:1", AT_REST | own | measures)


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


@given(
    st.lists(measures, min_size=1, max_size=6), st.sampled_from([MOTION, GAIT, replace(MOTION, kind=NodeKind.STATIC)])
)
def test_what_the_conditions_are_made_of_meets_them(drawn: list[dict[str, float]], node: Node) -> None:
    conditions = propose_conditions([ending(**values) for values in drawn], node)
    assert all(low < high or name.endswith("contact") for name, (low, high) in conditions.items())
    for values in drawn:
        assert broken(AT_REST | values, conditions) == []


def test_what_stays_where_it_is_when_it_runs_again_is_a_pose() -> None:
    held = replace(ending(), again=AT_REST | {"max_com_height": 1.0, "min_com_height": 0.98})
    moving = replace(ending(), again=AT_REST | {"max_com_height": 1.2, "min_com_height": 0.9})
    assert propose_kind([held, held, moving], {}) is NodeKind.STATIC
    assert propose_kind([held, moving, moving], {}) is NodeKind.DYNAMIC
    assert propose_kind([ending()], {}) is NodeKind.DYNAMIC


def test_the_timeout_is_twice_what_all_cycles_take() -> None:
    assert propose_timeout([ending(duration=3.2), ending(duration=2.0)], MOTION) == 10.0
    assert propose_timeout([ending(duration=0.4)], MOTION) == 5.0
    assert propose_timeout([replace(ending(duration=3.0), cycles=(1, 3))], GAIT) == 15.0


def test_a_run_that_the_conditions_reject_has_failed() -> None:
    assert evaluated_by(ending(), {"torso": (-0.3, 0.3)}).completed
    failed = evaluated_by(ending(torso=1.0), {"torso": (-0.3, 0.3)})
    assert (failed.completed, failed.reason) == (False, "torso 1 is above 0.3")


# --- which ends are meant ---

POSES = {"stand": [STAND], "prone": [LYING]}


def test_an_end_is_like_the_nearest_pose_or_like_none() -> None:
    assert nearest_pose(replace(STAND, torso=0.3), POSES) == "stand"
    assert nearest_pose(replace(LYING, com_height=0.15), POSES) == "prone"
    assert nearest_pose(replace(STAND, joints=(1.0, 1.0)), POSES) is None
    assert nearest_pose(replace(STAND, com_height=0.6), POSES) is None


def test_an_upright_end_is_meant_before_one_on_the_ground_and_a_pose_before_anything_else() -> None:
    falls = [ending(name, LYING) for name in ("walk", "run", "squat")]
    strange = [ending(name, replace(STAND, joints=(2.0, 2.0))) for name in ("crawl", "kip", "get_up", "rise")]
    first, second, third = clusters(MOTION, [*falls, *strange, ending("stand")], POSES)
    assert (first.label, first.sources) == ("stand", ("stand",))
    assert (second.label, third.label) == ("prone", "upright")


SEAT = Posture(0.39, 0.32, 0.0, 2, 2, (2.0, 2.0), carriers=("seat", "hands", "feet"))
FACE_DOWN = Posture(2.2, 0.3, 0.0, 2, 2, (2.0, 2.0), carriers=("trunk", "hands", "feet"))
FACE_UP = Posture(-1.5, 0.2, 0.0, 0, 0, (2.0, 2.0), carriers=("trunk", "seat"))


def test_who_sits_upright_does_not_lie_and_is_meant_before_the_falls_however_many_they_are() -> None:
    falls = [ending(name, FACE_DOWN) for name in ("walk", "run", "skip")]
    falls += [ending(name, FACE_UP) for name in (START, "stand", "rise", "hop")]
    first, *others = clusters(MOTION, [*falls, ending("squat", SEAT)], POSES)
    assert (first.label, first.sources) == ("upright, on seat, hands and feet", ("squat",))
    assert [group.label for group in others] == ["on the ground, face up", "on the ground, face down"]
    conditions = propose_conditions(first.core, replace(MOTION, kind=NodeKind.STATIC))
    assert conditions["torso"] == pytest.approx((0.0, 0.7))
    assert [evaluated_by(fall, conditions).completed for fall in falls] == [False] * 7


def test_a_fall_that_is_like_a_lying_pose_is_not_meant_where_the_script_ends_otherwise() -> None:
    falls = [ending(name, LYING) for name in ("walk", "run", "skip")]
    straight = replace(STAND, com_height=1.3, carriers=("hands",))  # the same joints, another way up
    first, second = clusters(MOTION, [*falls, ending("squat", straight)], POSES)
    assert (first.label, second.label) == ("upright, on hands", "prone")
    # other joints, but as often as the fall
    seats = [ending(name, SEAT) for name in ("squat", "kip", "get_up")]
    assert clusters(MOTION, [*falls, *seats], POSES)[0].label == "upright, on seat, hands and feet"
    kneeling = {**POSES, "knees": [replace(SEAT, carriers=("knees",))]}
    assert clusters(MOTION, [*falls, ending("squat", SEAT)], kneeling)[0].label == "knees"


def test_a_script_that_lies_down_is_known_by_a_lying_pose_that_it_reaches_from_most_nodes() -> None:
    lying = [ending(name, LYING) for name in (START, "walk", "run", "skip")]
    assert clusters(MOTION, lying, POSES)[0].label == "prone"
    first, second = clusters(MOTION, [*lying, ending("push_up", SEAT)], POSES)
    assert (first.label, second.label) == ("prone", "upright, on seat, hands and feet")


def test_a_gait_ends_alike_on_either_foot_and_in_the_air() -> None:
    ends = [replace(STAND, carriers=links) for links in ((), ("feet",), ("feet",))]
    going = [ending(str(i), end, speed=1.0) for i, end in enumerate(ends)]
    (group,) = clusters(GAIT, going, POSES)
    assert group.label == "going, upright"
    crawling = ending("crawl", replace(FACE_DOWN, torso=1.4, carriers=("knees", "hands")), speed=1.0)
    assert [g.sources for g in clusters(GAIT, [*going, crawling], POSES)] == [("0", "1", "2"), ("crawl",)]


@pytest.mark.parametrize(
    ("end", "words"),
    [
        (SEAT, "upright, on seat, hands and feet"),
        (replace(SEAT, carriers=("seat", "trunk")), "upright, on seat and trunk"),
        (FACE_DOWN, "on the ground, face down"),
        (FACE_UP, "on the ground, face up"),
        (replace(STAND, carriers=("feet",)), "upright"),
        (replace(STAND, carriers=()), "upright, in the air"),
        (replace(FACE_DOWN, torso=1.5, carriers=("hands", "knees")), "bent forward, on knees and hands"),
        (replace(FACE_DOWN, torso=3.1, carriers=("hands",)), "upside down, on hands"),
    ],
)
def test_an_end_is_reported_by_its_trunk_and_by_what_carries_it(end: Posture, words: str) -> None:
    assert posture_text(end) == words


def test_ends_that_other_links_carry_or_whose_trunks_differ_are_not_alike() -> None:
    up, knees = replace(STAND, joints=(2.0, 2.0)), replace(FACE_DOWN, torso=1.4, carriers=("knees",))
    leaning = replace(knees, torso=0.4)
    found = [ending(name, end) for name, end in (("a", up), ("b", knees), ("c", leaning), ("d", SEAT))]
    assert sorted(group.sources for group in clusters(MOTION, found, POSES)) == [("a",), ("b",), ("c",), ("d",)]


def test_angles_on_both_sides_of_the_half_turn_are_near_one_another() -> None:
    ends = [replace(FACE_DOWN, torso=torso) for torso in (3.1, -3.1, 3.0)]
    (group,) = clusters(MOTION, [ending(str(i), end) for i, end in enumerate(ends)], POSES)
    assert len(group.core) == 3


def test_of_a_gait_the_runs_are_meant_that_go_somewhere() -> None:
    lying = [ending(name, LYING) for name in ("a", "b", "c")]
    going = [ending("d", replace(LYING, joints=(2.0, 2.0)), speed=0.4)]
    assert clusters(GAIT, [*lying, *going], POSES)[0].label == "going, on the ground, face down"


def test_what_left_through_a_fall_is_in_no_group() -> None:
    assert clusters(MOTION, [replace(ending(), fall_exit="fallen x 1.2")], POSES) == []


def test_the_core_of_a_group_leaves_out_ends_that_differ() -> None:
    usual = [ending(START), ending("stand"), ending("rise", torso=0.2)]
    odd = [ending("run", com_height=0.8), ending("walk", com_speed=0.9)]
    assert Cluster("stand", "stand", (*usual, *odd)).core == tuple(usual)


@pytest.mark.parametrize(
    ("links", "carrier"),
    [
        (("pelvis",), "seat"),
        (("head", "neck", "uTorso", "lTorso"), "trunk"),
        (("rShin", "lShin"), "knees"),
        (("rHand", "lHand"), "hands"),
        (("rFoot", "lFoot"), "feet"),
        (("rThigh", "lForearm"), "other"),
    ],
)
def test_what_carries_is_known_by_the_roles_of_links(humanoid, links: tuple[str, ...], carrier: str) -> None:
    assert {carrier_of(humanoid, humanoid.link_index(name)) for name in links} == {carrier}


def test_a_root_that_is_the_trunk_is_no_seat(humanoid) -> None:
    assert carrier_of(replace(humanoid, roles=Roles()), humanoid.root) == "trunk"


def test_who_rests_on_links_without_a_role_lies_where_the_posture_does() -> None:
    assert support(replace(STAND, carriers=("other",))) == "standing"
    assert support(replace(STAND, torso=1.5, carriers=("other",))) == "lying"
