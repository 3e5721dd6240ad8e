"""Mistakes that newcomers make: each is reported in a sentence that says what to write, with all others of the file.

Each case is the script below with some texts replaced, and everything that `check` then shows.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import pytest

SCRIPT = """\
BEGINSCRIPT bow(dt)
  PHASE 0
    ACTIONS
      LIPOSE rHip(-0.8).time(dt), lHip(-0.8).time(dt);
      POSE rKnee(1.1);
      VFFB uTorso(2000, 250).by(rAnkle).over(cop);
    ENDACTIONS
    TRANSITION to(-1).after(fallen x 1.2);
    TRANSITION to(1).after(time dt);
  ENDPHASE
  PHASE 1
    > sit(0.3);
    TRANSITION to(-1).after(complete);
  ENDPHASE
ENDSCRIPT
"""
CALLED = """\
BEGINSCRIPT sit(a)
  PHASE 0
    ACTIONS
      POSE rKnee(a);
    ENDACTIONS
    TRANSITION to(-1).after(time 1);
  ENDPHASE
ENDSCRIPT
"""


@dataclass(frozen=True)
class Mistake:
    """A mistake: its name, the replaced texts, and what is shown."""

    name: str
    edits: list[tuple[str, str]]
    shown: str


MISTAKES = [
    Mistake(
        "a call has no parentheses",
        [("> sit(0.3);", "> sit;")],
        """\
x.t:12:10: error: expected '(', found ';' in this call
        > sit;
             ^
    a call without arguments is written > sit();
""",
    ),
    Mistake(
        "a call has no '>'",
        [("> sit(0.3);", "sit(0.3);")],
        """\
x.t:12:5: error: unknown statement 'sit'
        sit(0.3);
        ^^^
    a call begins with '>': > sit(...);
""",
    ),
    Mistake(
        "a missing ';' hides no misspelt primitive",
        [("rKnee(1.1);\n      VFFB", "rKnee(1.1)\n      VFB")],
        """\
x.t:5:22: error: expected ';' after this POSE
          POSE rKnee(1.1)
                         ^
x.t:6:7: error: unknown statement 'VFB'
          VFB uTorso(2000, 250).by(rAnkle).over(cop);
          ^^^
    did you mean 'VFFB'?
""",
    ),
    Mistake(
        "a missing ';' hides no misspelt TRANSITION",
        [("x 1.2);\n    TRANSITION", "x 1.2)\n    TRANSITON")],
        """\
x.t:8:42: error: expected ';' after this TRANSITION
        TRANSITION to(-1).after(fallen x 1.2)
                                             ^
x.t:9:5: error: unknown statement 'TRANSITON'
        TRANSITON to(1).after(time dt);
        ^^^^^^^^^
    did you mean 'TRANSITION'?
""",
    ),
    Mistake(
        "a missing ';' hides no misspelt script",
        [("POSE rKnee(1.1);", "POSE rKnee(1.1)"), ("> sit(", "> sti(")],
        """\
x.t:5:22: error: expected ';' after this POSE
          POSE rKnee(1.1)
                         ^
x.t:12:7: error: script 'sti' not found
        > sti(0.3);
          ^^^
    did you mean 'sit'?
""",
    ),
    Mistake(
        "a missing ';' hides no wrong phase and no wrong arity",
        [("POSE rKnee(1.1);", "POSE rKnee(1.1)"), ("to(1)", "to(2)"), ("> sit(0.3)", "> sit()")],
        """\
x.t:5:22: error: expected ';' after this POSE
          POSE rKnee(1.1)
                         ^
x.t:9:19: error: there is no phase 2
        TRANSITION to(2).after(time dt);
                      ^
    the phases are 0, 1
x.t:12:5: error: 'sit' takes 1 argument, found 0
        > sit();
        ^^^^^^^^
    its parameters are (a)
""",
    ),
    Mistake(
        "a missing ';' hides no misspelt joint on its own line",
        [("POSE rKnee(1.1);", "POSE rKnie(1.1)")],
        """\
x.t:5:12: error: unknown joint 'rKnie'
          POSE rKnie(1.1)
               ^^^^^
    did you mean 'rKnee'?
x.t:5:22: error: expected ';' after this POSE
          POSE rKnie(1.1)
                         ^
""",
    ),
    Mistake(
        "an unreadable statement hides no misspelt one after it",
        [("POSE rKnee(1.1);", "POSE rKnee 1.1\n"), ("VFFB", "VFB")],
        """\
x.t:5:18: error: expected '(', ',', '.' or ';', found '1.1' in this POSE
          POSE rKnee 1.1
                     ^^^
    its form is POSE joint(angle[, kp, kd])
x.t:7:7: error: unknown statement 'VFB'
          VFB uTorso(2000, 250).by(rAnkle).over(cop);
          ^^^
    did you mean 'VFFB'?
""",
    ),
    Mistake(
        "a ';' after ENDSCRIPT hides nothing",
        [("ENDSCRIPT", "ENDSCRIPT;"), ("rKnee", "rKnie")],
        """\
x.t:5:12: error: unknown joint 'rKnie'
          POSE rKnie(1.1);
               ^^^^^
    did you mean 'rKnee'?
x.t:15:10: error: nothing may follow ENDSCRIPT, found ';'
    ENDSCRIPT;
             ^
    one file holds one script
""",
    ),
    Mistake(
        "a phase without a number hides no misspelt parameter",
        [("PHASE 0", "PHASE lean"), ("time dt", "time td")],
        """\
x.t:2:9: error: expected a number, found 'lean' after PHASE
      PHASE lean
            ^^^^
    it is written PHASE and a whole number
x.t:9:33: error: unknown parameter 'td'
        TRANSITION to(1).after(time td);
                                    ^^
    the parameters are dt
""",
    ),
    Mistake(
        "keywords in lower case",
        [
            ("BEGINSCRIPT", "beginscript"),
            ("PHASE 0", "phase 0"),
            ("ACTIONS", "actions"),
            ("LIPOSE", "lipose"),
            ("TRANSITION", "transition"),
        ],
        """\
x.t:1:1: error: unknown statement 'beginscript'
    beginscript bow(dt)
    ^^^^^^^^^^^
    did you mean 'BEGINSCRIPT'?
x.t:2:3: error: unknown statement 'phase'
      phase 0
      ^^^^^
    did you mean 'PHASE'?
x.t:3:5: error: unknown statement 'actions'
        actions
        ^^^^^^^
    did you mean 'ACTIONS'?
x.t:4:7: error: unknown statement 'lipose'
          lipose rHip(-0.8).time(dt), lHip(-0.8).time(dt);
          ^^^^^^
    did you mean 'LIPOSE'?
x.t:8:5: error: unknown statement 'transition'
        transition to(-1).after(fallen x 1.2);
        ^^^^^^^^^^
    did you mean 'TRANSITION'?
""",
    ),
    Mistake(
        "the words of a condition count behind a misspelt TRANSITION",
        [("TRANSITION to(1).after(time dt)", "transition to(1).after(when com_x > 1 and contact rFoot)")],
        """\
x.t:9:5: error: unknown statement 'transition'
        transition to(1).after(when com_x > 1 and contact rFoot);
        ^^^^^^^^^^
    did you mean 'TRANSITION'?
""",
    ),
    Mistake(
        "END alone",
        [("ENDACTIONS", "END")],
        """\
x.t:7:5: error: unknown statement 'END'
        END
        ^^^
    did you mean 'ENDACTIONS'?
""",
    ),
    Mistake(
        "END PHASE as two words",
        [("ENDPHASE", "END PHASE")],
        """\
x.t:10:3: error: unknown statement 'END PHASE'
      END PHASE
      ^^^
    write ENDPHASE as one word
""",
    ),
    Mistake(
        "BEGIN SCRIPT as two words",
        [("BEGINSCRIPT", "BEGIN SCRIPT")],
        """\
x.t:1:1: error: unknown statement 'BEGIN SCRIPT'
    BEGIN SCRIPT bow(dt)
    ^^^^^
    write BEGINSCRIPT as one word
""",
    ),
    Mistake(
        "a missing ENDACTIONS hides no misspelling",
        [("    ENDACTIONS\n    TRANSITION", "    TRANSITON")],
        """\
x.t:3:5: error: ACTIONS is not closed: expected ENDACTIONS before 'TRANSITON'
        ACTIONS
        ^^^^^^^
x.t:7:5: error: unknown statement 'TRANSITON'
        TRANSITON to(-1).after(fallen x 1.2);
        ^^^^^^^^^
    did you mean 'TRANSITION'?
""",
    ),
    Mistake(
        "no BEGINSCRIPT",
        [("BEGINSCRIPT bow(dt)\n", ""), ("time(dt)", "time(.1)"), ("time(dt)", "time(.1)"), ("time dt", "time 1")],
        """\
x.t:1:3: error: expected BEGINSCRIPT before 'PHASE'
      PHASE 0
      ^^^^^
""",
    ),
    Mistake(
        "no PHASE",
        [("  PHASE 0\n", "")],
        """\
x.t:2:5: error: expected PHASE before 'ACTIONS'
        ACTIONS
        ^^^^^^^
""",
    ),
    Mistake(
        "a word for PHASE that is none",
        [("PHASE 0", "STAGE 0")],
        """\
x.t:2:3: error: unknown statement 'STAGE'
      STAGE 0
      ^^^^^
    expected ENDSCRIPT or PHASE
""",
    ),
    Mistake(
        "a Python function",
        [("BEGINSCRIPT bow(dt)", "def bow(dt):")],
        """\
x.t:1:1: error: unknown statement 'def'
    def bow(dt):
    ^^^
    expected BEGINSCRIPT, SCRIPTS or SET
""",
    ),
    Mistake(
        "an if",
        [("POSE rKnee(1.1);", "if com_x > 1: POSE rKnee(1.1);")],
        """\
x.t:5:7: error: unknown statement 'if'
          if com_x > 1: POSE rKnee(1.1);
          ^^
    there is no 'if': the conditions of transitions decide which phase comes next
""",
    ),
    Mistake(
        "a variable",
        [("POSE rKnee(1.1);", "x = 3\n      POSE rKnee(1.1);")],
        """\
x.t:5:7: error: unknown statement 'x'
          x = 3
          ^
    there are no variables: numbers come from the parameters of the script
""",
    ),
    Mistake(
        "named arguments",
        [("POSE rKnee(1.1);", "POSE rKnee(1.1, kp=300, kd=30);")],
        """\
x.t:5:25: error: expected ',' or ')', found '=' in this POSE
          POSE rKnee(1.1, kp=300, kd=30);
                            ^
    values have no names: its form is POSE joint(angle[, kp, kd])
""",
    ),
    Mistake(
        "a name in quotes",
        [("POSE rKnee(1.1);", 'POSE "rKnee"(1.1);')],
        """\
x.t:5:12: error: unexpected character '"'
          POSE "rKnee"(1.1);
               ^
    names are written without quotes
x.t:5:18: error: unexpected character '"'
          POSE "rKnee"(1.1);
                     ^
    names are written without quotes
""",
    ),
    Mistake(
        "a comment of C",
        [("POSE rKnee(1.1);", "POSE rKnee(1.1); // bend the knee")],
        """\
x.t:5:24: error: expected a primitive, COMFB2 or ENDACTIONS, found '/'
          POSE rKnee(1.1); // bend the knee
                           ^
    a comment begins with '#'
""",
    ),
    Mistake(
        "a power",
        [("rKnee(1.1)", "rKnee(1.1 ** 2)")],
        """\
x.t:5:23: error: expected a value, found '*' in this POSE
          POSE rKnee(1.1 ** 2);
                          ^
    its form is POSE joint(angle[, kp, kd])
""",
    ),
    Mistake(
        "a function",
        [("rKnee(1.1)", "rKnee(sin(1.1))")],
        """\
x.t:5:18: error: there is no quantity 'sin(...)'
          POSE rKnee(sin(1.1));
                     ^^^
    expressions have + - * / and parentheses, no functions
""",
    ),
    Mistake(
        "a constant",
        [("rKnee(1.1)", "rKnee(pi / 2)")],
        """\
x.t:5:18: error: unknown parameter 'pi'
          POSE rKnee(pi / 2);
                     ^^
    there are no constants: write 3.1416
""",
    ),
    Mistake(
        "degrees",
        [("rKnee(1.1)", "rKnee(63 deg)")],
        """\
x.t:5:21: error: numbers have no unit: remove 'deg'
          POSE rKnee(63 deg);
                        ^^^
    angles are in radians: write 1.1
""",
    ),
    Mistake(
        "seconds",
        [("time dt)", "time 0.5s)")],
        """\
x.t:9:36: error: numbers have no unit: remove 's'
        TRANSITION to(1).after(time 0.5s);
                                       ^
    numbers are in SI units
""",
    ),
    Mistake(
        "'=' for a comparison",
        [("time dt)", "when com_x = 1)")],
        """\
x.t:9:39: error: expected '>=', '<=', '<' or '>', found '=' in this TRANSITION
        TRANSITION to(1).after(when com_x = 1);
                                          ^
    its form is when a > b | when a < b | when a >= b | when a <= b
""",
    ),
    Mistake(
        "'=' in a condition that compares nothing",
        [("time dt)", "time = 1)")],
        """\
x.t:9:33: error: expected a value, ')', 'and' or 'or', found '=' in this TRANSITION
        TRANSITION to(1).after(time = 1);
                                    ^
    its form is time T
""",
    ),
    Mistake(
        "a comparison without 'when'",
        [("time dt)", "com_x > 1)")],
        """\
x.t:9:28: error: 'com_x' is a quantity of the state, not a condition
        TRANSITION to(1).after(com_x > 1);
                               ^^^^^
    a comparison begins with 'when': when com_x...
""",
    ),
    Mistake(
        "a comparison of an angle without 'when'",
        [("time dt)", "angle(rKnee) > 1)")],
        """\
x.t:9:28: error: expected a condition, found 'angle' in this TRANSITION
        TRANSITION to(1).after(angle(rKnee) > 1);
                               ^^^^^
    a comparison begins with 'when': when angle...
""",
    ),
    Mistake(
        "AND in capitals",
        [("time dt)", "time dt AND contact rFoot)")],
        """\
x.t:9:36: error: unexpected 'AND'
        TRANSITION to(1).after(time dt AND contact rFoot);
                                       ^^^
    conditions are joined by 'and'
""",
    ),
    Mistake(
        "&& for 'and'",
        [("time dt)", "time dt && contact rFoot)")],
        """\
x.t:9:36: error: unexpected character '&&'
        TRANSITION to(1).after(time dt && contact rFoot);
                                       ^^
    write 'and'
""",
    ),
    Mistake(
        "a part in parentheses",
        [("time dt)", "contact(rFoot))")],
        """\
x.t:9:35: error: 'contact' takes the name of a part, without parentheses
        TRANSITION to(1).after(contact(rFoot));
                                      ^^^^^^^
    its form is contact part
""",
    ),
    Mistake(
        "fallen without a sign",
        [("fallen x 1.2", "fallen 1.2")],
        """\
x.t:8:36: error: expected '<', '>' or 'x', found '1.2' in this TRANSITION
        TRANSITION to(-1).after(fallen 1.2);
                                       ^^^
    its form is fallen > r | fallen < r | fallen x r
""",
    ),
    Mistake(
        "complete with parentheses",
        [("complete)", "complete())")],
        """\
x.t:13:38: error: expected a value, found ')' in this TRANSITION
        TRANSITION to(-1).after(complete());
                                         ^
    its form is complete
""",
    ),
    Mistake(
        "a transition without a target",
        [("to(-1).after(complete)", ".after(complete)")],
        """\
x.t:13:16: error: expected a name, found '.' in this TRANSITION
        TRANSITION .after(complete);
                   ^
    a transition is written TRANSITION to(N).after(condition);
""",
    ),
    Mistake(
        "a target that is a word",
        [("to(-1)", "to(exit)")],
        """\
x.t:8:19: error: expected a number or 'fail', found 'exit' in this TRANSITION
        TRANSITION to(exit).after(fallen x 1.2);
                      ^^^^
    to(N) leads to phase N, to(-1) leaves the script, to(fail) leaves it as failed
""",
    ),
    Mistake(
        "a target with the word PHASE",
        [("to(1)", "to(PHASE 1)")],
        """\
x.t:9:19: error: expected a number or 'fail', found 'PHASE' in this TRANSITION
        TRANSITION to(PHASE 1).after(time dt);
                      ^^^^^
    to(N) leads to phase N, to(-1) leaves the script, to(fail) leaves it as failed
""",
    ),
    Mistake(
        "a script without parentheses",
        [("bow(dt)", "bow")],
        """\
x.t:2:3: error: expected '(', found 'PHASE' after BEGINSCRIPT
      PHASE 0
      ^^^^^
    it is written BEGINSCRIPT name(a, b), or BEGINSCRIPT name(void) without parameters
""",
    ),
    Mistake(
        "a missing comma between items",
        [("time(dt), lHip", "time(dt) lHip")],
        """\
x.t:4:34: error: expected ',', '.' or ';', found 'lHip' in this LIPOSE
          LIPOSE rHip(-0.8).time(dt) lHip(-0.8).time(dt);
                                     ^^^^
    its form is LIPOSE joint(angle[, kp, kd]).time(T)
""",
    ),
    Mistake(
        "a missing value",
        [("rKnee(1.1)", "rKnee()")],
        """\
x.t:5:18: error: expected a value, found ')' in this POSE
          POSE rKnee();
                     ^
    its form is POSE joint(angle[, kp, kd])
""",
    ),
    Mistake(
        "values in the wrong place",
        [("POSE rKnee(1.1)", "MATCH rKnee(lKnee)")],
        """\
x.t:5:13: error: MATCH rKnee takes no values
          MATCH rKnee(lKnee);
                ^^^^^^^^^^^^
    its form is MATCH joint.to(joint[, kp, kd])[.time(T)]
""",
    ),
    Mistake(
        "a search range without a comma",
        [("rKnee(1.1)", "rKnee(1.1 <1 2>)")],
        """\
x.t:5:25: error: expected ',', found '2' in this POSE
          POSE rKnee(1.1 <1 2>);
                            ^
    its form is POSE joint(angle[, kp, kd])
""",
    ),
    Mistake(
        "a ';' too many",
        [("PHASE 0", "PHASE 0;")],
        """\
x.t:2:10: error: unexpected ';': no statement is open
      PHASE 0;
             ^
""",
    ),
    Mistake(
        "a broken VPD is no fault of the COMFB2 before it",
        [("POSE rKnee(1.1);", "COMFB2 .1 -.2 j rAnkle\n      VPD uTorso(0, 300,).joint(rHip);")],
        """\
x.t:6:25: error: expected a value, found ')' in this VPD
          VPD uTorso(0, 300,).joint(rHip);
                            ^
    its form is VPD part(angle[, kp, kd]).joint(joint)[.flags(s)]
""",
    ),
    Mistake(
        "a transition behind its phase",
        [("  PHASE 1", "    TRANSITION to(-1).after(time 3);\n  PHASE 1")],
        """\
x.t:11:5: error: TRANSITION is only allowed in a phase, outside ACTIONS
        TRANSITION to(-1).after(time 3);
        ^^^^^^^^^^
""",
    ),
    Mistake(
        "a misspelt setting",
        [("BEGINSCRIPT", "SET TORQELIMIT = 300\nBEGINSCRIPT")],
        """\
x.t:1:5: error: unknown setting 'TORQELIMIT'
    SET TORQELIMIT = 300
        ^^^^^^^^^^
    did you mean 'TORQUELIMIT'?
""",
    ),
]


def test_the_script_has_no_findings(rendered: Callable[..., str]) -> None:
    assert rendered(SCRIPT, sit=CALLED) == ""


@pytest.mark.parametrize("mistake", MISTAKES, ids=lambda mistake: mistake.name)
def test_a_mistake_is_shown_with_what_to_write(mistake: Mistake, rendered: Callable[..., str]) -> None:
    text = SCRIPT
    for old, new in mistake.edits:
        assert old in text
        text = text.replace(old, new, 1)
    assert rendered(text, sit=CALLED) + "\n" == mistake.shown
