"""Programs joined into one: everything refers to what it referred to, and the parts run as they do alone."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ctrlgraph.control.controller import FINISHED, Part
from ctrlgraph.control.script.compiler import compile_script
from ctrlgraph.control.script.execution import interpreter
from ctrlgraph.control.script.program import Program
from ctrlgraph.control.script.sequence import call_depth, sequence
from ctrlgraph.errors import CtrlGraphError

TIMES = [0.1 * k for k in range(12)]


def lasting(h, *seconds: float, joint: str = "rKnee", angle: float = 1.0):
    """A script of phases that last so long, one after another, and pose a joint."""
    last = len(seconds) - 1
    return h.program(
        *(
            h.phase([h.act("POSE", joint, angle + i)], [h.to(-1 if i == last else i + 1, "TIME", s)])
            for i, s in enumerate(seconds)
        )
    )


# --- how it runs ---


def test_the_parts_run_one_after_another_each_for_its_cycles(handmade, machine) -> None:
    joined = sequence("both", [Part(lasting(handmade, 0.1, 0.1), 2), Part(lasting(handmade, 0.3), 1)])
    # rows 0 and 1 are the joined program's own phases, 2 and 3 the first part's, 4 the second's
    assert machine(joined).phases(TIMES[:9]) == [2, 3, 2, 3, 4, 4, 4, -1, -1]


def test_a_sequence_may_run_for_several_cycles_itself(handmade, machine) -> None:
    joined = sequence("both", [Part(lasting(handmade, 0.1)), Part(lasting(handmade, 0.2))])
    assert machine(joined, cycles=2).phases(TIMES[:8]) == [2, 3, 3, 2, 3, 3, -1, -1]


def test_a_sequence_may_be_part_of_another(handmade, machine) -> None:
    inner = sequence("inner", [Part(lasting(handmade, 0.1)), Part(lasting(handmade, 0.1))])
    joined = sequence("outer", [Part(inner, 2), Part(lasting(handmade, 0.2))])
    assert machine(joined).phases(TIMES[:8]) == [4, 5, 4, 5, 6, 6, -1, -1]


def test_a_part_whose_first_phase_is_over_at_once_takes_no_time(handmade, machine) -> None:
    """As a program does that begins so; the phase after it begins in the same tick."""
    joined = sequence("three", [Part(lasting(handmade, 0.1)), Part(lasting(handmade, 0.0)), Part(lasting(handmade, 1))])
    assert machine(joined).phases(TIMES[:3]) == [3, 5, 5]


def run_apart(machine, parts: list[Part], times: list[float]) -> list[list[float]]:
    """Motor targets after each tick where each part is started when the one before it has ended."""
    seen, state, waiting = [], None, list(parts)
    m = None
    for time in times:
        while m is None or m.tick(time) == FINISHED:
            if not waiting:
                return seen
            part = waiting.pop(0)
            m = machine(part.controller, state=state)
            state = m.state
            interpreter.start(m.kin, m.code, m.state, part.cycles, time)
        seen.append([*m.motors.target, *m.motors.kp])
    return seen


def run_joined(machine, parts: list[Part], times: list[float]) -> list[list[float]]:
    m, seen = machine(sequence("all", parts)), []
    for time in times:
        if m.tick(time) == FINISHED:
            return seen
        seen.append([*m.motors.target, *m.motors.kp])
    return seen


durations = st.lists(st.sampled_from([0.0, 0.1, 0.2, 0.3]), min_size=1, max_size=3)
scripts = st.lists(st.tuples(durations, st.integers(1, 3), st.sampled_from(["rKnee", "lKnee"])), min_size=1, max_size=4)


@given(scripts)
@settings(max_examples=25)
def test_every_tick_is_that_of_the_parts_started_one_after_another(handmade, machine, given_parts) -> None:
    parts = [
        Part(lasting(handmade, *seconds, joint=joint, angle=0.1 * i), cycles)
        for i, (seconds, cycles, joint) in enumerate(given_parts)
    ]
    times = [0.05 * k for k in range(30)]
    assert run_joined(machine, parts, times) == run_apart(machine, parts, times)


CALLER = """\
SET TORQUELIMIT = 300
BEGINSCRIPT x(a)
  PHASE 0
    ACTIONS POSE waist(a * 0.5 - 0.1); LIPOSE lHip(a).time(0.2); ENDACTIONS
    TRANSITION to(2).after(time a);
  ENDPHASE
  PHASE 2
    > y.t(a + 0.1, 0.3);
    TRANSITION to(3).after(complete);
    TRANSITION to(-1).after(fallen x 1);
  ENDPHASE
  PHASE 3
    SAVE here;
    TRANSITION to(-1).after(time 0.1 / a);
  ENDPHASE
ENDSCRIPT
"""
CALLED = """\
BEGINSCRIPT y(t, angle)
  PHASE 5
    ACTIONS POSE rKnee(-angle, 100 * t, 10); ENDACTIONS
    TRANSITION to(-1).after(time t);
  ENDPHASE
ENDSCRIPT
"""


@pytest.fixture
def calling(write, humanoid) -> Callable[[float], Program]:
    """Compile a script with a call, expressions, a saved state and a torque limit, for an argument."""
    library = write(x=CALLER, y=CALLED)
    return lambda argument: compile_script(library, Path("x.t"), [argument], humanoid)


def test_parts_with_calls_expressions_and_states_run_as_they_do_alone(handmade, machine, calling) -> None:
    parts = [Part(lasting(handmade, 0.1)), Part(calling(0.2), 2), Part(calling(0.4)), Part(lasting(handmade, 0.2))]
    times = [0.05 * k for k in range(60)]
    apart = run_apart(machine, parts, times)
    assert len(apart) > 40
    assert run_joined(machine, parts, times) == apart


def test_each_part_keeps_numbers_names_and_places_of_its_own(calling) -> None:
    """A constant that is changed in one part is the old one in all others, though it is the same literal."""
    one, two = calling(0.2), calling(0.2)
    joined = sequence("joined", [Part(one), Part(two.with_constants(two.constants + 1.0))])
    count = one.constants.size
    assert joined.constants.tolist() == [*one.constants, *(two.constants + 1.0)]
    for i in (0, 1):
        own = joined.parameters[i * count : (i + 1) * count]
        assert list(own) == [replace(p, id=f"{i + 1}:{p.id}", part=f"{i + 1}:") for p in one.parameters]
        assert [parameter.own_id for parameter in own] == [parameter.id for parameter in one.parameters]
    assert len({parameter.id for parameter in joined.parameters}) == 2 * count
    assert joined.names == (*one.names, *two.names)
    actions = len(one.actions)
    for row, part in ((0, one), (actions, two)):
        assert joined.places[joined.actions[row, 12]] == part.places[part.actions[0, 12]]


# --- its identity and its limits ---


def test_the_digest_is_that_of_the_parts_and_their_cycles_not_of_the_numbers(handmade) -> None:
    a, b = (replace(lasting(handmade, 0.1), digest=name) for name in "ab")
    digest = sequence("x", [Part(a), Part(b)]).digest
    assert digest == sequence("y", [Part(a.with_constants(a.constants + 1)), Part(b)]).digest
    others = [[Part(b), Part(a)], [Part(a, 2), Part(b)], [Part(a)], [Part(a), Part(b), Part(b)]]
    assert len({digest, *(sequence("x", parts).digest for parts in others)}) == 5


def test_its_arrays_are_read_only(handmade) -> None:
    joined = sequence("x", [Part(lasting(handmade, 0.1))])
    with pytest.raises(ValueError, match="read-only"):
        joined.constants[0] = 1.0


def nested(h, depth: int) -> Program:
    """Scripts that call each other, so many deep."""
    phases = [h.phase(call=i + 1 if i + 1 < depth else -1, frame=i) for i in range(depth)]
    return h.program(*phases, torque_limits=(None,) * depth)


def test_calls_that_nest_too_deep_to_be_joined_are_refused(handmade) -> None:
    assert call_depth(nested(handmade, 3)) == 3
    assert call_depth(sequence("x", [Part(nested(handmade, 15))])) == 16
    with pytest.raises(
        CtrlGraphError, match=r"^'handmade' cannot be joined with other controllers: its calls already nest 16 deep"
    ):
        sequence("x", [Part(nested(handmade, 16))])


@pytest.mark.parametrize("cycles", [[], [0]])
def test_a_sequence_of_nothing_is_a_fault_of_the_caller(handmade, cycles) -> None:
    with pytest.raises(ValueError, match="at least one part"):
        sequence("x", [Part(lasting(handmade, 0.1), n) for n in cycles])
