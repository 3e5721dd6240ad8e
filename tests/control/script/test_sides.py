"""One word for both sides, and scripts with right and left exchanged."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from random import Random

import numpy as np
import pytest
from fuzz.grammar import Maker
from hypothesis import assume, given
from hypothesis import strategies as st

from ctrlgraph.character.model import Character, _both_sides
from ctrlgraph.control.script.compiler import compile_script
from ctrlgraph.control.script.library import ScriptLibrary
from ctrlgraph.control.script.mirror import mirrored_program
from ctrlgraph.control.script.program import ACTION_JOINT, ACTION_PART, ACTION_REFERENCE_INDEX, Program
from ctrlgraph.control.script.syntax.formatter import format_script
from ctrlgraph.errors import SourceError

ARRAYS = ("tape", "actions", "transitions", "terms")
FRAME = "BEGINSCRIPT x(void)\nPHASE 0\nACTIONS\n{}\nENDACTIONS\nTRANSITION to(-1).after({});\nENDPHASE\nENDSCRIPT\n"


def meant(program: Program) -> list[list[int]]:
    """The actions without their places in the text."""
    return program.actions[:, :-1].tolist()


@pytest.mark.parametrize(
    ("short", "long"),
    [
        ("POSE bKnee(2.3)", "POSE rKnee(2.3), lKnee(2.3)"),
        ("LIPOSE bKnee(2.3, 100, 10).time(.4)", "LIPOSE rKnee(2.3, 100, 10).time(.4), lKnee(2.3, 100, 10).time(.4)"),
        ("MATCH bElbow.to(rKnee)", "MATCH rElbow.to(rKnee), lElbow.to(rKnee)"),
        ("MATCH bElbow.to(bKnee)", "MATCH rElbow.to(rKnee), lElbow.to(lKnee)"),
        ("POSEFB bHip(1, 2).on(part bFoot)", "POSEFB rHip(1, 2).on(part rFoot), lHip(1, 2).on(part lFoot)"),
        ("POSEFB bHip(1, 2).on(joint bKnee)", "POSEFB rHip(1, 2).on(joint rKnee), lHip(1, 2).on(joint lKnee)"),
        (
            "VFFB uTorso(2000, 250).by(bAnkle).over(cop)",
            "VFFB uTorso(2000, 250).by(rAnkle).over(cop), uTorso(2000, 250).by(lAnkle).over(cop)",
        ),
        ("VF (1, 2, 3).on(bHand).by(waist)", "VF (1, 2, 3).on(rHand).by(waist), (1, 2, 3).on(lHand).by(waist)"),
        (
            "IK bFoot.target local (.1, .2).base(bHip)",
            "IK rFoot.target local (.1, .2).base(rHip), lFoot.target local (.1, .2).base(lHip)",
        ),
        ("VPD bThigh(.2).joint(bHip)", "VPD rThigh(.2).joint(rHip), lThigh(.2).joint(lHip)"),
    ],
)
def test_a_statement_for_both_sides_is_two_with_one_set_of_numbers(short, long, framed) -> None:
    both, each = framed(short + ";"), framed(long + ";")
    half = len(both.constants)
    assert len(each.constants) - 1 == 2 * (half - 1)  # the transition's time stands once in both
    columns = [0, ACTION_JOINT, ACTION_PART, 3, ACTION_REFERENCE_INDEX, 5]
    assert both.actions[:, columns].tolist() == each.actions[:, columns].tolist()
    values = [[p.values()[s] if s >= 0 else None for s in p.actions[:, 6:12].ravel()] for p in (both, each)]
    assert values[0] == values[1]


def test_a_number_for_both_sides_is_one_parameter_named_for_both(framed) -> None:
    program = framed("POSE bKnee(2.3, 100, 10);\nPOSE bKnee(2);\nVFFB uTorso(2000, 250).by(bAnkle).over(cop);")
    assert [parameter.id for parameter in program.parameters] == [
        "x.t/0/POSE bKnee/angle",
        "x.t/0/POSE bKnee/kp",
        "x.t/0/POSE bKnee/kd",
        "x.t/0/POSE bKnee#2/angle",
        "x.t/0/VFFB uTorso/cd",
        "x.t/0/VFFB uTorso/cv",
        "x.t/0/after time/time",
    ]


def test_a_link_that_is_really_called_so_is_meant(humanoid: Character) -> None:
    assert humanoid.both_links["bFoot"] == ("rFoot", "lFoot")
    assert humanoid.both_joints["bKnee"] == ("rKnee", "lKnee")
    assert "waist" not in humanoid.both_joints
    named = replace(humanoid, link_aliases={**humanoid.link_aliases, "bFoot": "pelvis"})
    assert "bFoot" not in named.both_links
    assert named.link_index("bFoot") == named.link_index("pelvis")


def test_names_of_others_models_have_words_for_both_sides() -> None:
    assert _both_sides("right_foot", "left_foot") == "both_foot"
    assert _both_sides("footR", "footL") == "footB"
    assert _both_sides("rear_r", "rear_l") == "rear_b"
    assert _both_sides("thigh", "thigh_left") is None


def test_a_misspelt_name_for_both_sides_is_reported(rendered) -> None:
    assert rendered(FRAME.format("POSE bKne(1);", "time 1")) == (
        "x.t:4:6: error: unknown joint 'bKne'\n    POSE bKne(1);\n         ^^^^\n    did you mean 'bKnee'?"
    )
    assert rendered(FRAME.format("POSE bFoot(1);", "time 1")) == (
        "x.t:4:6: error: 'bFoot' is a part, but a joint is needed here\n    POSE bFoot(1);\n         ^^^^^"
    )


def test_a_joint_that_both_sides_set_already_is_reported_once(rendered) -> None:
    assert rendered(FRAME.format("POSE bKnee(1);\nPOSE lKnee(2);", "time 1")) == (
        "x.t:5:6: warning: lKnee already has a target in this phase, in line 4\n    POSE lKnee(2);\n         ^^^^^\n"
        "    only the last target is used: remove the others"
    )


# --- mirroring ---

HALF = """\
BEGINSCRIPT half(t)
PHASE 0
ACTIONS
LIPOSE rHip(-0.7).time(t), lHip(0.1).time(t);
POSE waist(0.2);
MATCH rElbow.to(lElbow);
VPD rThigh(-.5, -280, -35).joint(rHip).flags(s);
VFFB uTorso(2000, 250).by(lAnkle).over(part lFoot);
IK rFoot.target local (.1, -.7).base(rHip);
ENDACTIONS
TRANSITION to(-1).after(contact rFoot);
TRANSITION to(-1).after(fallen > 1);
ENDPHASE
ENDSCRIPT
"""


def swapped(text: str) -> str:
    """The text with every name of one side changed by hand into that of the other."""
    return re.sub(r"\b([rl])(?=[A-Z])", lambda found: "l" if found[1] == "r" else "r", text)


def call(stem: str, modifier: str) -> str:
    return (
        f"BEGINSCRIPT x(void)\nPHASE 0\n> {stem}(.1){modifier};\n"
        "TRANSITION to(-1).after(complete);\nENDPHASE\nENDSCRIPT\n"
    )


def structure(program: Program) -> tuple[object, ...]:
    arrays = (program.actions[:, :6], program.transitions[:, :3], program.phases[:, :7])
    slots = (program.actions[:, 6:12], program.transitions[:, 3:5])
    values = [[program.values()[slot] if slot >= 0 else None for slot in rows.ravel()] for rows in slots]
    return (*(array.tolist() for array in arrays), values)


def test_a_mirrored_call_is_the_call_of_the_script_written_for_the_other_side(write, humanoid) -> None:
    library = write(half=HALF, other=swapped(HALF), x=call("half", ".mirrored"), y=call("other", ""))
    mirrored = compile_script(library, Path("x.t"), [], humanoid)
    written = compile_script(library, Path("y.t"), [], humanoid)
    assert structure(mirrored) == structure(written)
    assert structure(mirrored) != structure(compile_script(library, Path("half.t"), [0.1], humanoid))


def test_a_call_and_its_mirrored_one_share_their_numbers(write, humanoid) -> None:
    text = (
        "BEGINSCRIPT x(void)\nPHASE 0\n> half(.1);\nTRANSITION to(1).after(complete);\nENDPHASE\n"
        "PHASE 1\n> half(.1).mirrored;\nTRANSITION to(-1).after(complete);\nENDPHASE\nENDSCRIPT\n"
    )
    program = compile_script(write(half=HALF, x=text), Path("x.t"), [], humanoid)
    own = [parameter for parameter in program.parameters if parameter.id.startswith("half.t")]
    assert len({parameter.id for parameter in own}) == len(own) == len(program.parameters) - 2
    first, second = (program.actions[program.phases[row, 3] : program.phases[row, 4]] for row in (2, 3))
    same = [6, 7, 8, 10]  # all but the time, which each call gives for itself
    assert first[:, same].tolist() == second[:, same].tolist()
    assert first[:, ACTION_JOINT].tolist() != second[:, ACTION_JOINT].tolist()


def test_mirrored_within_mirrored_is_the_script_itself(write, humanoid) -> None:
    inner = call("half", ".mirrored").replace("BEGINSCRIPT x(void)", "BEGINSCRIPT inner(t)")
    plain = inner.replace(".mirrored", "")
    library = write(half=HALF, inner=inner, plain=plain, x=call("inner", ".mirrored"), y=call("plain", ""))
    twice = compile_script(library, Path("x.t"), [], humanoid)
    assert structure(twice) == structure(compile_script(library, Path("y.t"), [], humanoid))


def test_only_its_word_mirrors_a_call(rendered) -> None:
    assert rendered(call("half", ".mirored"), half=HALF) == (
        "x.t:3:12: error: unknown modifier '.mirored' of a call\n    > half(.1).mirored;\n               ^^^^^^^\n"
        "    did you mean 'mirrored'?"
    )


def test_a_mirrored_call_keeps_its_layout() -> None:
    text = "BEGINSCRIPT x(void)\n  PHASE 0\n    > half(.1).mirrored;\n  ENDPHASE\nENDSCRIPT\n"
    assert format_script(text.replace(".mirrored", " . mirrored ")) == text


@pytest.fixture(scope="module")
def shipped() -> ScriptLibrary:
    return ScriptLibrary([Path(__file__).parents[3] / "controllers"])


@given(seed=st.integers(0, 10_000))
def test_a_program_mirrored_twice_is_itself_and_mirrored_once_drives_the_other_side(seed, shipped, humanoid) -> None:
    path = Path("made.t")
    shipped.put(path, Maker(Random(seed)).script())
    script = shipped.parse(path).script
    try:
        program = compile_script(shipped, path, [0.5] * len(script.parameters), humanoid)
    except SourceError:
        assume(False)
    once = mirrored_program(program, humanoid)
    twice = mirrored_program(once, humanoid)
    assert twice.digest == program.digest
    for name in ARRAYS:
        assert np.array_equal(getattr(twice, name), getattr(program, name))
    opposite = humanoid.opposite_joints
    joints = program.actions[:, ACTION_JOINT].tolist()
    assert once.actions[:, ACTION_JOINT].tolist() == [j if j < 0 else opposite[j] for j in joints]
    assert (once.digest == program.digest) == all(
        np.array_equal(getattr(once, name), getattr(program, name)) for name in ARRAYS
    )
