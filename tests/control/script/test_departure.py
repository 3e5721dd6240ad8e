"""How a program ended: the transition that it left through, told from the state in which it stopped."""

from __future__ import annotations

import pytest

from ctrlgraph.control.controller import FINISHED, Instant
from ctrlgraph.control.script.script_kind import KIND


@pytest.fixture
def leaving(handmade, machine, body):
    """Tick a program to its end (the trunk at an angle) and tell how it left: condition, fell."""

    def leave(*phases, torso=0.0, times=(0.0, 0.1, 0.2, 0.3), cycles=1, limits=(None,)):
        program = handmade.program(*phases, torque_limits=limits)
        m = machine(program, cycles=cycles)
        m.kin.link[body.trunk, 2] = torso
        ended = False
        for time in times:
            ended = m.tick(time) == FINISHED
            if ended:
                break
        left = KIND.departure(program, Instant(handmade.character, body, m.kin, m.code, m.state, time), ended=ended)
        return None if left is None else (left.condition, left.fell)

    return leave


def test_it_is_the_transition_that_led_out_of_the_script(handmade, leaving) -> None:
    to = handmade.to
    phase = handmade.phase(transitions=[to(-1, "FALLEN_OUTSIDE", 1.2), to(-1, "TIME", 0.2)])
    assert leaving(phase) == ("time 0.2", False)
    assert leaving(phase, torso=-1.3) == ("fallen x 1.2", True)
    assert leaving(phase, torso=-1.3, cycles=3) == ("fallen x 1.2", True)


def test_a_program_that_goes_on_has_left_through_nothing(handmade, leaving) -> None:
    assert leaving(handmade.phase(transitions=[handmade.to(-1, "TIME", 9.0)])) is None
    assert leaving(handmade.phase(transitions=[handmade.to(0, "FALLEN_OUTSIDE", 1.2)]), torso=2.0) is None


@pytest.mark.parametrize(
    ("kind", "angle", "torso", "fell"),
    [
        ("FALLEN_ABOVE", 1.2, 1.3, True),
        ("FALLEN_ABOVE", 0.5, 1.3, False),
        ("FALLEN_BELOW", -0.8, -1.3, True),
        ("FALLEN_BELOW", 0.4, -1.3, False),
        ("FALLEN_OUTSIDE", 0.3, 1.3, True),
        ("ANGLERANGE", 1.2, 1.3, False),
    ],
)
def test_an_angle_that_may_be_waited_for_is_no_fall(handmade, leaving, kind, angle, torso, fell) -> None:
    operands = (angle, 9.0) if kind == "ANGLERANGE" else (angle,)
    found = leaving(handmade.phase(transitions=[handmade.to(-1, kind, *operands)]), torso=torso)
    assert found is not None and found[1] is fell


def calling(h, caller, called):
    """Row 0 calls a script of one phase (row 2); row 1 is the way on of the caller."""
    return (
        h.phase(call=1, transitions=caller),
        h.phase(transitions=[h.to(-1, "TIME", 0.1)]),
        h.phase(frame=1, transitions=called),
    )


def test_the_fall_of_a_called_script_is_the_caller_s_where_it_leaves_with_it(handmade, leaving) -> None:
    to = handmade.to
    falls = [to(-1, "FALLEN_OUTSIDE", 1.0), to(-1, "TIME", 0.1)]
    two = {"limits": (None, None)}
    assert leaving(*calling(handmade, [to(-1, "COMPLETE")], falls), torso=1.1, **two) == ("fallen x 1", True)
    assert leaving(*calling(handmade, [to(-1, "COMPLETE")], falls), **two) == ("time 0.1", False)
    # the second time that it ends
    twice = [to(-1, "ITERATIONS", 2.0)]
    assert leaving(*calling(handmade, twice, falls), torso=1.1, **two) == ("fallen x 1", True)


def test_a_fall_that_the_caller_answers_with_a_phase_is_no_way_out(handmade, leaving) -> None:
    to = handmade.to
    falls = [to(-1, "FALLEN_OUTSIDE", 1.0)]
    found = leaving(*calling(handmade, [to(1, "COMPLETE")], falls), torso=1.1, limits=(None, None))
    assert found == ("time 0.1", False)


def test_a_caller_that_leaves_by_itself_does_so_before_what_it_calls(handmade, leaving) -> None:
    to = handmade.to
    phases = calling(handmade, [to(-1, "FALLEN_OUTSIDE", 1.2), to(-1, "COMPLETE")], [to(-1, "TIME", 0.1)])
    assert leaving(*phases, torso=1.3, limits=(None, None)) == ("fallen x 1.2", True)
    assert leaving(*phases, torso=1.1, limits=(None, None)) == ("time 0.1", False)
