"""`to(fail)`: a script that did not do what it was to do says so, and its caller may answer."""

from __future__ import annotations

import math
import os
from pathlib import Path

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from ctrlgraph.control.controller import FAILED, FINISHED, RUNNING, Instant, Part
from ctrlgraph.control.script.compiler import compile_script
from ctrlgraph.control.script.execution.transitions import counted, in_arc
from ctrlgraph.control.script.script_kind import KIND
from ctrlgraph.control.script.sequence import sequence
from ctrlgraph.control.script.syntax.formatter import format_script

TRY = "BEGINSCRIPT try(void)\nPHASE 0\nTRANSITION to({}).after(time .1);\nENDPHASE\nENDSCRIPT\n"
CALLER = (
    "BEGINSCRIPT {}(void)\nPHASE 0\n> {};\n{}\nENDPHASE\n"
    "PHASE 1\nTRANSITION to(-1).after(time .1);\nENDPHASE\nENDSCRIPT\n"
)


@pytest.fixture
def ends(write, machine, humanoid, body):
    """Run scripts, of which `x` is the root, and tell what came of it: the last tick's word, when, and how it left."""

    def run(cycles: int = 1, **scripts: str):
        program = compile_script(write(**scripts), Path("x.t"), [], humanoid)
        m = machine(program, cycles=cycles)
        for step in range(20):
            word = m.tick(0.05 * step)
            if word != RUNNING:
                break
        left = KIND.departure(
            program, Instant(humanoid, body, m.kin, m.code, m.state, 0.05 * step), ended=word != RUNNING
        )
        return word, step, None if left is None else (left.condition, Path(left.place.path).name, left.failed)

    return run


def test_a_script_that_fails_ends_as_failed_whatever_cycles_are_left(ends) -> None:
    failing = TRY.format("fail").replace("try", "x")
    assert ends(x=failing) == (FAILED, 2, ("time 0.1", "x.t", True))
    assert ends(3, x=failing) == (FAILED, 2, ("time 0.1", "x.t", True))
    assert ends(x=failing.replace("fail", "-1")) == (FINISHED, 2, ("time 0.1", "x.t", False))


def test_a_failure_that_nobody_answers_goes_through_all_callers(ends) -> None:
    completes = "TRANSITION to(-1).after(complete);\nTRANSITION to(-1).after(iterations 1);"
    scripts = {"x": CALLER.format("x", "middle()", completes), "middle": CALLER.format("middle", "try()", completes)}
    assert ends(**scripts, **{"try": TRY.format("fail")}) == (FAILED, 2, ("time 0.1", "try.t", True))


def test_a_caller_answers_a_failure_with_a_phase(ends) -> None:
    x = CALLER.format("x", "try()", "TRANSITION to(-1).after(complete);\nTRANSITION to(1).after(failed);")
    assert ends(x=x, **{"try": TRY.format("fail")}) == (FINISHED, 4, ("time 0.1", "x.t", False))
    # what completes has not failed
    assert ends(x=x, **{"try": TRY.format("-1")}) == (FINISHED, 2, ("time 0.1", "try.t", False))


def test_a_caller_may_make_of_a_failure_an_end_and_of_an_end_a_failure(ends) -> None:
    answered = CALLER.format("x", "try()", "TRANSITION to(-1).after(failed);")
    assert ends(x=answered, **{"try": TRY.format("fail")}) == (FINISHED, 2, ("time 0.1", "try.t", False))
    turned = CALLER.format("x", "try()", "TRANSITION to(fail).after(complete);")
    assert ends(x=turned, **{"try": TRY.format("-1")}) == (FAILED, 2, ("time 0.1", "try.t", True))


def test_a_failed_call_has_not_completed_a_time_more(ends) -> None:
    once = "TRANSITION to(1).after(iterations 1);\nTRANSITION to(fail).after(failed and not iterations 1);"
    assert ends(x=CALLER.format("x", "try()", once), **{"try": TRY.format("fail")})[0] == FAILED


def test_a_failure_ends_a_sequence_in_the_part_that_fails(write, machine, humanoid) -> None:
    library = write(a=TRY.format("-1").replace("try", "a"), b=TRY.format("fail").replace("try", "b"))
    a, b = (compile_script(library, Path(f"{name}.t"), [], humanoid) for name in "ab")
    m = machine(sequence("all", [Part(a, 2), Part(b), Part(a)]))
    words = [m.tick(0.05 * step) for step in range(8)]
    assert words == [RUNNING] * 6 + [FAILED, FAILED]


def test_to_fail_is_no_exit_for_digests_nor_for_those_who_wait_for_an_end(write, humanoid, rendered) -> None:
    library = write(a=TRY.format("-1"), b=TRY.format("fail"))
    a, b = (compile_script(library, Path(f"{name}.t"), [], humanoid) for name in "ab")
    assert a.digest != b.digest
    waiting = CALLER.format("x", "try()", "TRANSITION to(1).after(complete);")
    assert "this transition never fires: 'try' never ends" in rendered(waiting, **{"try": TRY.format("fail")})
    assert "there is no phase -2" in rendered(TRY.format("-2"))
    assert "the phase calls no script that could fail" in rendered(TRY.format("-1").replace("time .1", "failed"))
    assert "expected a number or 'fail', found 'failed' in this TRANSITION" in rendered(TRY.format("failed"))
    laid_out = "BEGINSCRIPT fail(fail)\n  PHASE 0\n    TRANSITION to(fail).after(time fail);\n  ENDPHASE\nENDSCRIPT\n"
    assert format_script(laid_out) == laid_out


@pytest.mark.skipif(os.environ.get("NUMBA_DISABLE_JIT") == "1", reason="only compiled code calls an engine")
def test_the_outcome_tells_the_failure_its_phase_and_its_line(simulate, write, humanoid) -> None:
    program = compile_script(write(x=TRY.format("fail")), Path("x.t"), [], humanoid)
    simulation = simulate()
    outcome = simulation.run(program)
    assert (outcome.status, outcome.reason) == ("failed", "left as failed after 'time 0.1' (x.t:3)")
    assert outcome.phase == 0
    assert outcome.departure is not None and outcome.departure.failed and not outcome.fell
    assert outcome.simulated_s == pytest.approx(0.1)


# --- angles on the circle ---

angles = st.floats(-math.pi + 1e-6, math.pi - 1e-6)


@given(angle=angles, lower=angles, upper=angles)
def test_an_arc_and_the_one_that_goes_on_from_its_end_make_the_circle(angle, lower, upper) -> None:
    assume(min(abs(angle - lower), abs(angle - upper), abs(lower - upper)) > 1e-6)
    assert in_arc(angle, lower, upper) != in_arc(angle, upper, lower)


@given(angle=angles, lower=angles, width=st.floats(0.01, 6.2), turns=st.integers(-1, 1))
def test_an_arc_is_where_the_way_from_its_beginning_is_shorter_than_it(angle, lower, width, turns) -> None:
    way = (angle - lower) % (2 * math.pi)
    assume(min(way, abs(way - width), 2 * math.pi - way) > 1e-6)
    begin = lower + turns * 2 * math.pi
    assert in_arc(angle, begin, begin + width) == (way < width)


def test_upside_down_an_angle_beyond_half_a_turn_is_distinguished_from_one_before(rendered) -> None:
    handstand = math.pi
    assert counted(handstand, 3.5) == handstand
    assert counted(-2.7, 3.5) == pytest.approx(2 * math.pi - 2.7)
    assert counted(2.7, -3.5) == pytest.approx(2.7 - 2 * math.pi)
    assert counted(-2.7, 1.2) == -2.7
    for condition in ("fallen > 3.5", "fallen < -3.5", "anglerange 2.8 -2.8"):
        assert rendered(TRY.format("-1").replace("time .1", condition)) == ""


def test_fallen_beyond_half_a_turn_fires_past_it_and_not_before(write, machine, body, humanoid) -> None:
    program = compile_script(write(x=TRY.format("-1").replace("time .1", "fallen > 3.5")), Path("x.t"), [], humanoid)
    fired = []
    for angle in (0.0, 2.0, 3.0, 3.4, 3.6, 4.5, 3.6 - 2 * math.pi):
        m = machine(program)
        m.kin.link[body.trunk, 2] = angle
        fired.append(m.tick(0.0) == FINISHED)
    assert fired == [False] * 4 + [True] * 3
