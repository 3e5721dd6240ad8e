"""A compiled script is the arrays that `ctrlgraph.control.script.program` lays out."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from ctrlgraph.character.model import Character
from ctrlgraph.control.script.codes import EXIT, MAX_DEPTH, OMITTED, ActionFlag, ActionKind, TransitionKind
from ctrlgraph.control.script.compiler import compile_script
from ctrlgraph.control.script.library import ScriptLibrary
from ctrlgraph.control.script.program import (
    PHASE_ACTION_END,
    PHASE_ACTION_START,
    PHASE_CALL,
    PHASE_FRAME,
    PHASE_NUMBER,
    TRANSITION_TARGET,
    Program,
)
from ctrlgraph.errors import SourceError
from ctrlgraph.kernels.constants import FeedbackReference

Write = Callable[..., ScriptLibrary]
Compile = Callable[..., Program]

ONE_PHASE = """\
BEGINSCRIPT x({parameters})
PHASE 0
{actions}
TRANSITION to(-1).after({condition});
ENDPHASE
ENDSCRIPT
"""


def text(body: str, condition: str = "time 1", parameters: str = "void") -> str:
    actions = body if body.startswith((">", "SAVE", "LOAD")) else f"ACTIONS\n{body}\nENDACTIONS"
    return ONE_PHASE.format(actions=actions, condition=condition, parameters=parameters)


@pytest.fixture
def compiled(write: Write, humanoid: Character) -> Compile:
    def compile_text(text: str, *args: float, **others: str) -> Program:
        return compile_script(write(x=text, **others), Path("x.t"), args, humanoid)

    return compile_text


def operands(program: Program, row: int) -> list[float | None]:
    values = program.values()
    return [None if slot == OMITTED else float(values[slot]) for slot in program.actions[row, 6:12]]


@pytest.mark.parametrize(
    ("body", "row", "values"),
    [
        ("POSE rKnee(1, 2, 3);", "POSE rKnee", [1, 2, 3]),
        ("POSE rKnee(1);", "POSE rKnee", [1]),
        ("LIPOSE waist(1).time(2);", "LIPOSE pelvis2lTorso", [1, None, None, 2]),
        ("POSE rKnee(1).time(2);", "LIPOSE rKnee", [1, None, None, 2]),
        ("MATCH lHip.to(rHip, 2, 3).time(4);", "MATCH lHip JOINT rHip", [None, 2, 3, 4]),
        ("MATCH lHip.to(rHip);", "MATCH lHip JOINT rHip", []),
        ("POSEFB rHip(1, 2).on(part rHand);", "POSEFB rHip PART rHand", [1, 2]),
        ("POSEFB rHip(1 2).on(joint rHip);", "POSEFB rHip JOINT rHip", [1, 2]),
        ("VPD uTorso(1, 2, 3).joint(lHip);", "VPD lHip uTorso", [1, 2, 3]),
        ("VF (1, 2, 3).on(uTorso).by(rAnkle);", "VF rAnkle uTorso", [1, 2, 3]),
        ("VF (1, 2).on(uTorso).by(rAnkle);", "VF rAnkle uTorso", [1, 2]),
        ("IK rFoot.target local (1, 2, 3).base(rHip).tolerance(4);", "IK rHip rFoot", [1, 2, 3, 4]),
        ("VFFB uTorso(1, 2).by(rAnkle).over(cop);", "VFFB rAnkle uTorso COP", [1, 2]),
        ("VFFB uTorso(1, 2).by(rAnkle).over(copf);", "VFFB rAnkle uTorso COPF", [1, 2]),
        ("VFFB uTorso(1, 2).by(rAnkle).over(lFoot);", "VFFB rAnkle uTorso PART lFoot", [1, 2]),
        ("VFFB uTorso(1, 2).by(rAnkle).over(joint lHip);", "VFFB rAnkle uTorso JOINT lHip", [1, 2]),
        ("VFSFB uTorso(1).by(rAnkle).speed(2);", "VFSFB rAnkle uTorso", [1, 2]),
        ("VSFSB Pelvis(1).by(rAnkle).speed(2);", "VFSFB rAnkle pelvis", [1, 2]),
    ],
)
def test_a_primitive_is_a_row_of_actions(
    body: str, row: str, values: list[float | None], compiled: Compile, humanoid: Character
) -> None:
    program = compiled(text(body))
    assert program.actions.shape == (1, 13)
    kind, joint, part, reference, index = program.actions[0, :5].tolist()
    names = humanoid.joint_names if reference == FeedbackReference.JOINT else humanoid.link_names
    words = [ActionKind(kind).name, *(humanoid.joint_names[i] for i in [joint] if i != OMITTED)]
    words += [humanoid.link_names[i] for i in [part] if i != OMITTED]
    words += [FeedbackReference(reference).name] if reference else []
    words += [names[i] for i in [index] if i != OMITTED]
    assert " ".join(words) == row
    assert operands(program, 0) == values + [None] * (6 - len(values))


def test_comfb2_is_part_of_the_vpd_that_follows_it(compiled: Compile, humanoid: Character) -> None:
    program = compiled(text("COMFB2 .1 -.2 j lAnkle\nVPD rThigh(.5, -300, -30).joint(rHip).flags(s);"))
    assert program.actions.shape == (1, 13)
    assert program.actions[0, 3:6].tolist() == [
        FeedbackReference.JOINT,
        humanoid.joint_names.index("lAnkle"),
        ActionFlag.SWING,
    ]
    assert operands(program, 0) == [0.5, -300.0, -30.0, 0.1, -0.2, None]
    assert [source.role for source in program.parameters] == [
        "COMFB2 cd",
        "COMFB2 cv",
        "VPD rThigh angle",
        "VPD rThigh kp",
        "VPD rThigh kd",
        "time",
    ]


def test_a_global_target_is_flagged(compiled: Compile) -> None:
    assert compiled(text("IK rFoot.target global (1, 2).base(rHip);")).actions[0, 5] == ActionFlag.GLOBAL


@pytest.mark.parametrize(
    ("condition", "row", "values"),
    [
        ("time .5", "TIME", [0.5]),
        ("contact lHand", "CONTACT lHand", []),
        ("nocontact rFoot", "NOCONTACT rFoot", []),
        ("stable .01", "STABLE", [0.01]),
        ("fallen > 1.2", "FALLEN_ABOVE", [1.2]),
        ("fallen < -.6", "FALLEN_BELOW", [-0.6]),
        ("fallen x 1", "FALLEN_OUTSIDE", [1.0]),
        ("anglerange -2 2.8", "ANGLERANGE", [-2.0, 2.8]),
        ("iterations 3", "ITERATIONS", [3.0]),
        ("complete", "COMPLETE", []),
    ],
)
def test_a_condition_is_a_row_of_transitions(
    condition: str, row: str, values: list[float], compiled: Compile, humanoid: Character
) -> None:
    program = compiled(text("POSE rKnee(1);", condition))
    ((kind, target, part, *slots, _),) = program.transitions.tolist()
    words = [TransitionKind(kind).name, *(humanoid.link_names[i] for i in [part] if i != OMITTED)]
    assert (" ".join(words), target) == (row, EXIT)
    assert [program.values()[slot] for slot in slots if slot != OMITTED] == values


def test_states_are_names(compiled: Compile) -> None:
    program = compiled(text("SAVE before;", "time 1"))
    assert program.names == ("before",)
    assert program.actions[0, :3].tolist() == [ActionKind.SAVE, OMITTED, 0]


def test_phases_keep_their_order_and_transitions_point_to_rows(compiled: Compile) -> None:
    program = compiled(
        "BEGINSCRIPT x(void) PHASE 7 TRANSITION to(2).after(time 1); ENDPHASE"
        " PHASE 2 TRANSITION to(7).after(time 1); TRANSITION to(-1).after(time .5); ENDPHASE ENDSCRIPT"
    )
    assert program.phases[:, PHASE_NUMBER].tolist() == [7, 2]
    assert program.transitions[:, TRANSITION_TARGET].tolist() == [1, 0, EXIT]
    assert (program.phases[:, PHASE_ACTION_START] == program.phases[:, PHASE_ACTION_END]).all()


CALLEE = """\
SET TORQUELIMIT = 370
BEGINSCRIPT y(t, angle)
PHASE 3
ACTIONS POSE rKnee(angle + .25, 300, 30); ENDACTIONS
TRANSITION to(-1).after(time t);
ENDPHASE
ENDSCRIPT
"""
CALLER = """\
BEGINSCRIPT x(t)
PHASE 0
> y.t(t, .5 <.1, .9>);
TRANSITION to(1).after(complete);
ENDPHASE
PHASE 1
> y(2 * t, .75);
TRANSITION to(-1).after(complete);
ENDPHASE
ENDSCRIPT
"""


def test_every_call_has_its_own_frame_and_every_literal_one_constant(compiled: Compile) -> None:
    program = compiled(CALLER, 1.5, y=CALLEE)
    assert program.frames[:, 0].tolist() == [0, 2, 3]
    assert program.phases[:, PHASE_FRAME].tolist() == [0, 0, 1, 2]
    assert program.phases[:, PHASE_CALL].tolist() == [1, 2, OMITTED, OMITTED]
    assert program.frames[0, 1] == OMITTED
    assert [program.constants[slot] for slot in program.frames[1:, 1]] == [370.0, 370.0]
    assert program.constants.tolist() == [1.5, 0.5, 2.0, 0.75, 370.0, 0.25, 300.0, 30.0]
    assert [operands(program, row)[:3] for row in (0, 1)] == [[0.75, 300.0, 30.0], [1.0, 300.0, 30.0]]
    values = program.values()
    times = [values[row[3]] for row in program.transitions.tolist() if row[0] == TransitionKind.TIME]
    assert times == [1.5, 3.0]


def test_a_changed_constant_changes_every_copy(compiled: Compile) -> None:
    program = compiled(CALLER, 1.5, y=CALLEE)
    constants = program.constants.copy()
    constants[5] = 0.125
    changed = program.with_constants(constants)
    assert [operands(changed, row)[0] for row in (0, 1)] == [0.625, 0.875]


def test_constants_know_their_place_and_meaning(compiled: Compile) -> None:
    program = compiled(CALLER, 1.5, y=CALLEE)
    assert [(s.path, s.line, s.column, s.end_column, s.role, s.quantity, s.phase) for s in program.parameters] == [
        ("x.t", 0, 0, 0, "x t", "time", None),
        ("x.t", 3, 10, 12, "y angle", "angle", 0),
        ("x.t", 7, 5, 6, "y t", "argument", 1),
        ("x.t", 7, 12, 15, "y angle", "angle", 1),
        ("y.t", 1, 19, 22, "SET TORQUELIMIT", "torque", None),
        ("y.t", 4, 28, 31, "POSE rKnee angle", "angle", 3),
        ("y.t", 4, 33, 36, "POSE rKnee kp", "kp", 3),
        ("y.t", 4, 38, 40, "POSE rKnee kd", "kd", 3),
    ]
    assert [(s.low, s.high) for s in program.parameters][1] == (0.1, 0.9)
    assert [s.id for s in program.parameters] == [
        "x.t/argument/t",
        "x.t/0/call y/angle",
        "x.t/1/call y/t",
        "x.t/1/call y/angle",
        "y.t/SET TORQUELIMIT",
        "y.t/3/POSE rKnee/angle",
        "y.t/3/POSE rKnee/kp",
        "y.t/3/POSE rKnee/kd",
    ]


def test_actions_and_phases_know_their_place(compiled: Compile) -> None:
    program = compiled(CALLER, 1.5, y=CALLEE)
    place = program.places[program.actions[0, 12]]
    assert (place.path, place.script, place.line, place.column) == ("y.t", "y", 4, 14)
    assert place.text == "ACTIONS POSE rKnee(angle + .25, 300, 30); ENDACTIONS"
    assert [program.places[row[7]].line for row in program.phases.tolist()] == [2, 6, 3, 3]


def test_minus_before_a_literal_is_part_of_the_constant(compiled: Compile) -> None:
    program = compiled(text("POSE rHip(-.7); POSE lHip(-(.7));"))
    assert program.constants.tolist()[:2] == [-0.7, 0.7]
    assert len(program.tape) == 1


def test_arrays_cannot_be_written(compiled: Compile) -> None:
    program = compiled(text("POSE rKnee(1);"))
    for array in (program.constants, program.actions, program.transitions, program.phases, program.frames):
        with pytest.raises(ValueError, match="read-only"):
            array[...] = 0


def refused(run: Callable[[], Program]) -> str:
    with pytest.raises(SourceError) as caught:
        run()
    return str(caught.value)


def test_the_root_takes_as_many_arguments_as_it_has_parameters(compiled: Compile) -> None:
    assert refused(lambda: compiled(CALLER, y=CALLEE)) == (
        "x.t:1:1: error: 'x' takes 1 argument (t), but was called with 0\n    BEGINSCRIPT x(t)\n    ^^^^^^^^^^^^^^^"
    )


def test_errors_of_called_scripts_are_reported_together(compiled: Compile) -> None:
    broken = CALLEE.replace("rKnee", "rKnew")
    message = refused(lambda: compiled(CALLER.replace("2 * t", "2 * tt"), 1.5, y=broken))
    assert [line for line in message.split("\n") if ": error: " in line] == [
        "x.t:7:9: error: unknown parameter 'tt'",
        "y.t:4:14: error: unknown joint 'rKnew'",
    ]


def test_values_that_the_arguments_make_wrong_are_located(compiled: Compile) -> None:
    assert refused(lambda: compiled(CALLER, -1.0, y=CALLEE)).split("\n")[0] == (
        "y.t:5:30: error: time must be at least 0 s, not -1 (with t = -1, angle = 0.5)"
    )
    divided = CALLEE.replace("time t", "time 1 / t")
    assert refused(lambda: compiled(CALLER, 0.0, y=divided)).split("\n")[0] == (
        "y.t:5:30: error: time contains a division by 0: change the divisor"
    )


def test_calls_nest_no_deeper_than_the_engine_can_follow(compiled: Compile) -> None:
    def chain(length: int) -> dict[str, str]:
        scripts = {f"s{i}": text(f"> s{i + 1}(void);") for i in range(length - 2)}
        return scripts | {f"s{length - 2}": text("POSE rKnee(1);")}

    assert len(compiled(text("> s0(void);"), **chain(MAX_DEPTH)).frames) == MAX_DEPTH
    message = refused(lambda: compiled(text("> s0(void);"), **chain(MAX_DEPTH + 1)))
    assert f"at most {MAX_DEPTH} calls may nest" in message


def test_calls_that_multiply_are_refused(compiled: Compile) -> None:
    twice = "BEGINSCRIPT s(void) {} ENDSCRIPT"
    phase = " PHASE {} > s{}(void); TRANSITION to({}).after(complete); ENDPHASE"
    scripts = {f"s{i}": twice.format(phase.format(0, i + 1, 1) + phase.format(1, i + 1, -1)) for i in range(13)}
    scripts["s13"] = text("POSE rKnee(1);")
    message = refused(lambda: compiled(text("> s0(void);"), **scripts))
    assert "'x' has more than 4096 phases, counted again for each call of a script: use fewer calls" in message


def test_slots_of_expressions_follow_the_constants(compiled: Compile) -> None:
    program = compiled(text("POSE rKnee((a - 1) / b * -a);", parameters="a, b"), 3.0, 2.0)
    assert program.actions[0, 6] >= program.constants.size
    assert operands(program, 0)[0] == (3.0 - 1.0) / 2.0 * -3.0
    assert np.isfinite(program.values()).all()
