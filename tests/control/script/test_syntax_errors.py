"""Syntax errors: one clear sentence each, all of a file at once, in words of the language."""

from __future__ import annotations

import re

import pytest

from ctrlgraph.control.script.syntax.parser import parse_script

SCRIPT = """\
SCRIPTS a.t, b.s;
BEGINSCRIPT walk(dt, lean)
  PHASE 0
    ACTIONS
      POSE rKnee(2.3, 1000., 100.), lKnee(2.3);
      COMFB2 0. -0.4 j rAnkle
      VPD rThigh(lean, -300., -30).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(-1).after(fallen x 1.2);
  ENDPHASE
ENDSCRIPT
"""


def errors(text: str) -> str:
    return "\n".join(finding.render() for finding in parse_script(text, "walk.t").findings)


def replaced(old: str, new: str) -> str:
    assert old in SCRIPT
    return errors(SCRIPT.replace(old, new, 1))


def test_a_right_script_has_no_errors() -> None:
    assert errors(SCRIPT) == ""


@pytest.mark.parametrize("call", ["> stand();", "> stand();\n    TRANSITION to(-1).after(complete);"])
def test_an_action_in_a_phase_with_a_call_belongs_in_another_phase(call: str) -> None:
    text = f"BEGINSCRIPT a(void)\n  PHASE 0\n    {call}\n    POSE rKnee(1);\n  ENDPHASE\nENDSCRIPT\n"
    [message] = [finding.message for finding in parse_script(text, "a.t").findings]
    assert message == "a phase contains either a call or actions: 'POSE' belongs in a phase of its own"


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("lKnee(2.3);", "lKnee(2.3;", "5:42: error: expected ')' before ';' to close the '(' opened here"),
        ("100.), lKnee", "100., lKnee", "5:17: error: expected ')' before ';' to close the '(' opened here"),
        ("lKnee(2.3);", "lKnee(2.3)", "5:47: error: expected ';' after this POSE"),
        ("    ENDACTIONS\n", "", "4:5: error: ACTIONS is not closed: expected ENDACTIONS before 'TRANSITION'"),
        ("lKnee(2.3);", "lKnee 2.3);", "5:43: error: expected '(', ',', '.' or ';', found '2.3' in this POSE"),
        ("lKnee(2.3);", "lKnee(2.3, );", "5:48: error: expected a value, found ')' in this POSE"),
        ("lKnee(2.3);", "lKnee(2.3 9);", "5:47: error: expected ',' between these values"),
        ("(lean,", "(@@,", "7:18: error: unexpected character '@@'"),
        ("flags(s);", "flags(s;", "7:53: error: expected ')' before ';' to close the '(' opened here"),
        ("  ENDPHASE\n", "", "3:3: error: PHASE is not closed: expected ENDPHASE before 'ENDSCRIPT'"),
        ("ENDSCRIPT\n", "", "2:1: error: BEGINSCRIPT is not closed: expected ENDSCRIPT before the end of the file"),
        ("    ACTIONS\n", "", "4:7: error: expected ACTIONS before 'POSE'"),
        ("VPD", "VPQ", "7:7: error: unknown statement 'VPQ'"),
        ("      COMFB2", "      PSE lKnee(1); COMFB2", "6:7: error: unknown statement 'PSE'"),
        ("ENDACTIONS", "ENDACTIONS;", "8:15: error: unexpected ';': no statement is open"),
        ("    ENDACTIONS", "ENDACTIONS ENDACTIONS", "8:12: error: ENDACTIONS without ACTIONS"),
        ("PHASE 0", "PHASE", "4:5: error: expected a number, found 'ACTIONS' after PHASE"),
        ("PHASE 0", "PHASE one", "3:9: error: expected a number, found 'one' after PHASE"),
        ("(dt, lean)", "(dt, lean", "2:17: error: expected ')' before 'PHASE' to close the '(' opened here"),
        ("walk(dt", "PHASE(dt", "2:13: error: expected a name, found 'PHASE' after BEGINSCRIPT"),
        ("fallen x 1.2", "fallen 1.2", "9:36: error: expected '<', '>' or 'x', found '1.2' in this TRANSITION"),
        ("to(-1)", "to()", "9:19: error: expected a number or 'fail', found ')' in this TRANSITION"),
        (
            ".after(",
            ".when(",
            "9:23: error: expected 'after', found 'when': a transition is TRANSITION to(N).after(condition);",
        ),
        ("a.t, b.s;", "a.t b.s;", "1:13: error: expected ',' or ';', found 'b' in the SCRIPTS list"),
        ("a.t, b.s;", "a.t, b.s", "1:17: error: expected ';' after the SCRIPTS list"),
        ("b.s", "b.x", "1:16: error: a script's name ends with .t or .s, not .x"),
        (SCRIPT, "", "1:1: error: the file contains no script: expected BEGINSCRIPT"),
        (SCRIPT, "hello", "1:1: error: unknown statement 'hello'"),
        (SCRIPT, SCRIPT + "BEGINSCRIPT", "12:1: error: nothing may follow ENDSCRIPT, found 'BEGINSCRIPT'"),
        (
            "(lean,",
            "(" * 101 + "lean" + ")" * 100 + ",",
            "7:115: error: this expression or condition has too many parts",
        ),
    ],
)
def test_the_message_names_what_was_expected(old: str, new: str, message: str) -> None:
    found = [line for line in replaced(old, new).split("\n") if line.startswith("walk.t:")]
    assert found == [f"walk.t:{message}"]


def test_several_errors_are_reported_at_once() -> None:
    text = SCRIPT.replace("lKnee(2.3);", "lKnee(2.3;").replace("j rAnkle", "j").replace("to(-1)", "to(-1")
    assert [line for line in errors(text).split("\n") if line.startswith("walk.t")] == [
        "walk.t:5:42: error: expected ')' before ';' to close the '(' opened here",
        "walk.t:7:7: error: expected a name, found 'VPD' in this COMFB2",
        "walk.t:9:22: error: expected ')', found 'after' in this TRANSITION",
    ]


def test_what_can_be_read_beside_an_error_is_kept() -> None:
    parsed = parse_script(SCRIPT.replace("lKnee(2.3);", "lKnee((2.3;"), "walk.t")
    assert parsed.script is not None
    assert not parsed.ok
    assert len(parsed.script.phases[0].transitions) == 1


def test_no_message_leaks_a_name_of_the_grammar() -> None:
    broken = [SCRIPT[:i] + " ) " + SCRIPT[i:] for i in range(0, len(SCRIPT), 7)]
    broken += [SCRIPT[:i] for i in range(0, len(SCRIPT), 5)]
    findings = [finding for text in broken for finding in parse_script(text, "walk.t").findings]
    messages = "\n".join(re.sub("found '[^']*'", "", finding.message) for finding in findings)
    assert len(findings) >= len(broken) - 2
    assert not re.search(r"\b(LPAR|RPAR|SEMICOLON|NAME|NUMBER|PRIMITIVE|MORE|LESS|COMMA|EQUAL)\b|\$|\0", messages)
