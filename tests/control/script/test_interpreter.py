"""The call stack: who is asked first, what completes, what begins again, how a program ends."""

from __future__ import annotations

from ctrlgraph.control.controller import FINISHED, RUNNING

TIMES = [0.1 * k for k in range(12)]


def test_execution_begins_at_the_first_phase_written_and_follows_its_transitions(handmade, machine) -> None:
    h = handmade
    m = machine(
        h.program(h.phase(transitions=[h.to(2, "TIME", 0.2)]), h.phase(), h.phase(transitions=[h.to(1, "TIME", 0.3)]))
    )
    assert m.phases(TIMES[:8]) == [0, 0, 2, 2, 2, 1, 1, 1]


def test_the_exit_of_the_root_script_ends_the_program_and_it_stays_ended(handmade, machine) -> None:
    h = handmade
    m = machine(h.program(h.phase(transitions=[h.to(-1, "TIME", 0.1)])))
    assert [m.tick(t) for t in TIMES[:3]] == [RUNNING, FINISHED, FINISHED]


def test_a_program_of_several_cycles_begins_again_at_its_first_phase(handmade, machine) -> None:
    h = handmade
    phases = (h.phase(transitions=[h.to(1, "TIME", 0.1)]), h.phase(transitions=[h.to(-1, "TIME", 0.1)]))
    assert machine(h.program(*phases), cycles=3).phases(TIMES[:8]) == [0, 1, 0, 1, 0, 1, -1, -1]


def test_a_phase_that_goes_to_itself_begins_again(handmade, machine) -> None:
    h = handmade
    m = machine(h.program(h.phase([h.act("LIPOSE", "rKnee", 1, None, None, 0.2)], [h.to(0, "TIME", 0.2)])))
    knee = h.character.joint_index("rKnee")
    m.tick(0.0)
    m.kin.joint[knee, 0] = 0.5
    m.tick(0.2)
    assert m.motors.target[knee] == 0.5


def called_twice(h, transitions):
    """Row 0 calls a script of two phases (rows 2 and 3, a tenth of a second each); row 1 is the way on."""
    return h.program(
        h.phase(call=1, transitions=transitions),
        h.phase(),
        h.phase(frame=1, transitions=[h.to(3, "TIME", 0.1)]),
        h.phase(frame=1, transitions=[h.to(-1, "TIME", 0.1)]),
        torque_limits=(None, None),
    )


def test_complete_fires_when_the_called_script_has_ended_once(handmade, machine) -> None:
    m = machine(called_twice(handmade, [handmade.to(1, "COMPLETE")]))
    assert m.phases(TIMES[:4]) == [2, 3, 1, 1]


def test_iterations_fires_when_the_called_script_has_ended_that_often(handmade, machine) -> None:
    m = machine(called_twice(handmade, [handmade.to(1, "ITERATIONS", 3)]))
    assert m.phases(TIMES[:8]) == [2, 3, 2, 3, 2, 3, 1, 1]


def test_a_call_that_completes_with_no_transition_firing_starts_again(handmade, machine) -> None:
    m = machine(called_twice(handmade, [handmade.to(1, "TIME", 0.5)]))
    assert m.phases(TIMES[:7]) == [2, 3, 2, 3, 2, 1, 1]


def test_the_callers_transitions_are_asked_before_the_callees(handmade, machine, posed) -> None:
    """A caller's `fallen` interrupts the script that it calls, even as that one's own transition fires."""
    h = handmade
    m = machine(called_twice(h, [h.to(1, "FALLEN_ABOVE", 1.0), h.to(1, "COMPLETE")]), kin=posed())
    assert m.phases(TIMES[:1]) == [2]
    m.kin.link[:, 2] = 1.5
    assert m.phases(TIMES[1:2]) == [1]


def test_a_time_of_the_caller_counts_from_its_own_phase_through_the_calls_restarts(handmade, machine) -> None:
    h = handmade
    program = h.program(
        h.phase(transitions=[h.to(1, "TIME", 0.3)]),
        h.phase(call=1, transitions=[h.to(2, "TIME", 0.4)]),
        h.phase(),
        h.phase(frame=1, transitions=[h.to(-1, "TIME", 0.1)]),
        torque_limits=(None, None),
    )
    assert machine(program).phases(TIMES[:9]) == [0, 0, 0, 3, 3, 3, 3, 2, 2]


def test_an_exit_passes_through_callers_that_exit_on_completion(handmade, machine) -> None:
    """Three scripts deep, all `complete`: the innermost exit ends the program in the same tick."""
    h = handmade
    program = h.program(
        h.phase(call=1, transitions=[h.to(-1, "COMPLETE")]),
        h.phase(call=2, frame=1, transitions=[h.to(-1, "COMPLETE")]),
        h.phase(frame=2, transitions=[h.to(-1, "TIME", 0.1)]),
        torque_limits=(None, None, None),
    )
    m = machine(program)
    assert [m.tick(t) for t in TIMES[:2]] == [RUNNING, FINISHED]


def test_iterations_of_a_phase_are_counted_from_zero_each_time_it_is_entered(handmade, machine) -> None:
    h = handmade
    program = h.program(
        h.phase(call=1, transitions=[h.to(1, "ITERATIONS", 2)]),
        h.phase(transitions=[h.to(0, "TIME", 0.1)]),
        h.phase(frame=1, transitions=[h.to(-1, "TIME", 0.1)]),
        torque_limits=(None, None),
    )
    assert machine(program).phases(TIMES[:8]) == [2, 2, 1, 2, 2, 1, 2, 2]


def test_only_the_innermost_phase_acts_but_every_target_stays(handmade, machine) -> None:
    h = handmade
    program = h.program(
        h.phase([h.act("POSE", "rHip", -0.3)], [h.to(1, "TIME", 0.1)]),
        h.phase(call=1, transitions=[h.to(2, "COMPLETE")]),
        h.phase(),
        h.phase([h.act("POSE", "rKnee", 0.7)], [h.to(-1, "TIME", 0.1)], frame=1),
        torque_limits=(None, None),
    )
    m = machine(program)
    assert m.phases(TIMES[:3]) == [0, 3, 2]
    knee, hip = h.character.joint_index("rKnee"), h.character.joint_index("rHip")
    assert (m.motors.target[knee], m.motors.target[hip]) == (0.7, -0.3)
