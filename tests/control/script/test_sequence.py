"""Programs joined into one: everything refers to what it referred to, and the parts run as they do alone."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ctrlgraph.control.controller import FINISHED, Part, Place
from ctrlgraph.control.parameters import Parameter
from ctrlgraph.control.script import program as layout
from ctrlgraph.control.script.codes import EXIT, OMITTED, ActionKind, TapeOp, TransitionKind
from ctrlgraph.control.script.execution import interpreter
from ctrlgraph.control.script.program import Program
from ctrlgraph.control.script.sequence import call_depth, offsets, sequence
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


# --- what refers to what ---


@st.composite
def programs(draw: st.DrawFn) -> Program:
    """Any arrays that a compiler might write: two frames, expressions, actions and transitions."""
    n, rows = draw(st.integers(1, 4)), draw(st.integers(0, 4))
    constants = np.array(draw(st.lists(st.floats(-9, 9), min_size=n, max_size=n)))
    tape = []
    for k in range(rows):
        op = draw(st.sampled_from([TapeOp.ADD, TapeOp.SUBTRACT, TapeOp.MULTIPLY, TapeOp.NEGATE]))
        earlier = st.integers(0, n + k - 1)
        tape.append([int(op), draw(earlier), OMITTED if op == TapeOp.NEGATE else draw(earlier)])
    slot = st.integers(OMITTED, n + rows - 1)
    frames = np.array([[0, draw(slot), 0, 0], [1, draw(slot), 0, 0]])
    phases = np.array([[0, 0, 1, 0, 1, 0, 1, 0, 0, 0], [1, 0, OMITTED, 1, 2, 1, 3, 1, 0, rows]])
    kinds = [draw(st.sampled_from([ActionKind.POSE, ActionKind.SAVE])) for _ in range(2)]
    actions = np.array([[int(k), 0, 0, 0, -1, 0, *(draw(slot) for _ in range(6)), i] for i, k in enumerate(kinds)])
    transitions = np.array(
        [
            [int(TransitionKind.COMPLETE), -1, OMITTED, OMITTED, OMITTED, 0],
            [int(TransitionKind.TIME), 1, OMITTED, draw(slot), draw(slot), 1],
            [int(TransitionKind.FAILED), -1, OMITTED, OMITTED, OMITTED, 1],
        ]
    )
    name = draw(st.sampled_from("abc"))
    return Program(
        name,
        f"{name}.t",
        constants,
        np.array(tape, dtype=np.int64).reshape(-1, layout.TAPE_COLUMNS),
        frames,
        phases,
        actions,
        transitions,
        tuple(Parameter(f"{name}.t/{i}/POSE/angle", "POSE", "angle", path=f"{name}.t", line=i) for i in range(n)),
        (Place(f"{name}.t", name, 1, 1), Place(f"{name}.t", name, 2, 1)),
        (f"state of {name}",),
        f"digest of {name}",
    )


parts_of_programs = st.lists(st.builds(Part, programs(), st.integers(1, 3)), min_size=1, max_size=4)


def same_values(joined: Program, new: np.ndarray, part: Program, old: np.ndarray) -> bool:
    """Whether slots of the joined program have the values of the part's slots; none stays none."""
    a, b = joined.values(), part.values()
    if not ((new == OMITTED) == (old == OMITTED)).all():
        return False
    given_slots = old != OMITTED
    return bool((a[new[given_slots]] == b[old[given_slots]]).all())


@given(parts_of_programs)
def test_every_slot_keeps_its_value(parts: list[Part]) -> None:
    joined = sequence("joined", parts)
    operands = slice(layout.ACTION_OPERAND, layout.ACTION_OPERAND + 6)
    of_transition = slice(layout.TRANSITION_OPERAND, layout.TRANSITION_OPERAND + 2)
    for part, at in zip(parts, offsets(parts), strict=True):
        p = part.controller
        for new, old, columns, first in (
            (joined.frames, p.frames, slice(layout.FRAME_TORQUE_LIMIT, layout.FRAME_TORQUE_LIMIT + 1), at["frames"]),
            (joined.actions, p.actions, operands, at["actions"]),
            (joined.transitions, p.transitions, of_transition, at["transitions"]),
        ):
            assert same_values(joined, new[first : first + len(old), columns], p, old[:, columns])


@given(parts_of_programs)
def test_everything_else_refers_to_what_it_did(parts: list[Part]) -> None:
    joined = sequence("joined", parts)
    for i, (part, at) in enumerate(zip(parts, offsets(parts), strict=True)):
        p, root = part.controller, joined.phases[i]
        assert root[layout.PHASE_CALL] == at["frames"]
        assert joined.frames[at["frames"], layout.FRAME_FIRST_PHASE] == at["phases"]
        assert joined.places[root[layout.PHASE_PLACE]] == p.places[p.phases[0, layout.PHASE_PLACE]]
        caller, callee = joined.phases[at["phases"] : at["phases"] + 2]
        assert (caller[layout.PHASE_FRAME], callee[layout.PHASE_FRAME]) == (at["frames"], at["frames"] + 1)
        assert (caller[layout.PHASE_CALL], callee[layout.PHASE_CALL]) == (at["frames"] + 1, OMITTED)
        for row, old in zip((caller, callee), p.phases, strict=True):
            assert joined.places[row[layout.PHASE_PLACE]] == p.places[old[layout.PHASE_PLACE]]
            for first, last in ((layout.PHASE_ACTION_START, layout.PHASE_ACTION_END), (5, 6)):
                assert row[last] - row[first] == old[last] - old[first]
        for row in joined.actions[at["actions"] : at["actions"] + 2]:
            if row[layout.ACTION_KIND] == ActionKind.SAVE:
                assert joined.names[row[layout.ACTION_PART]] == p.names[0]
        _, timed, failed = joined.transitions[at["transitions"] : at["transitions"] + 3]
        assert timed[layout.TRANSITION_TARGET] == at["phases"] + 1
        assert failed[layout.TRANSITION_TARGET] == EXIT


@given(parts_of_programs, st.data())
def test_each_part_keeps_numbers_of_its_own(parts: list[Part], data: st.DataObject) -> None:
    """A constant that is changed in one part is the old one in all others, though it is the same literal."""
    which = data.draw(st.integers(0, len(parts) - 1))
    changed = parts[which].controller.with_constants(parts[which].controller.constants + 1.0)
    joined = sequence("joined", [*parts[:which], replace(parts[which], controller=changed), *parts[which + 1 :]])
    for i, (part, at) in enumerate(zip(parts, offsets(parts), strict=True)):
        own_rows = slice(at["constants"], at["constants"] + part.controller.constants.size)
        assert (joined.constants[own_rows] == part.controller.constants + (i == which)).all()
        given = part.controller.parameters
        own = [replace(parameter, id=f"{i + 1}:{parameter.id}", part=f"{i + 1}:") for parameter in given]
        assert list(joined.parameters[own_rows]) == own
        assert [parameter.own_id for parameter in own] == [parameter.id for parameter in part.controller.parameters]
    assert len({parameter.id for parameter in joined.parameters}) == joined.constants.size


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
    with pytest.raises(CtrlGraphError, match=r"^'handmade' nests its calls 16 deep: it cannot be part of a sequence$"):
        sequence("x", [Part(nested(handmade, 16))])


@pytest.mark.parametrize("cycles", [[], [0]])
def test_a_sequence_of_nothing_is_a_fault_of_the_caller(handmade, cycles) -> None:
    with pytest.raises(ValueError, match="at least one part"):
        sequence("x", [Part(lasting(handmade, 0.1), n) for n in cycles])
