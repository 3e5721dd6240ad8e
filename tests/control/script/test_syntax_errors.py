"""Syntax errors: one clear sentence each, all of a file at once, in words of the language."""

from __future__ import annotations

import re

import pytest
from mistakes import read_mistakes

from ctrlgraph.control.script.syntax.parser import parse_script

MISTAKES = read_mistakes("syntax.txt")
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


def locations(text: str) -> list[str]:
    return [line for line in errors(text).split("\n") if line.startswith("walk.t:")]


def test_a_right_script_has_no_errors() -> None:
    assert errors(SCRIPT) == ""


@pytest.mark.parametrize("call", ["> stand();", "> stand();\n    TRANSITION to(-1).after(complete);"])
def test_an_action_in_a_phase_with_a_call_belongs_in_another_phase(call: str) -> None:
    text = f"BEGINSCRIPT a(void)\n  PHASE 0\n    {call}\n    POSE rKnee(1);\n  ENDPHASE\nENDSCRIPT\n"
    [message] = [finding.message for finding in parse_script(text, "a.t").findings]
    assert message == "a phase can contain a call or actions, but not both: move 'POSE' to a phase of its own"


@pytest.mark.parametrize("name", MISTAKES)
def test_the_message_names_what_was_expected(name: str) -> None:
    assert locations(MISTAKES[name].made_in(SCRIPT)) == [f"walk.t:{MISTAKES[name].shown}"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "1:1: error: the file contains no script: a script begins with BEGINSCRIPT"),
        ("hello", "1:1: error: unknown statement 'hello'"),
        (SCRIPT + "BEGINSCRIPT", "12:1: error: nothing may follow ENDSCRIPT, found 'BEGINSCRIPT'"),
        (
            SCRIPT.replace("(lean,", "(" * 101 + "lean" + ")" * 100 + ","),
            "7:115: error: this expression or condition has too many parts: split it",
        ),
    ],
)
def test_a_text_that_is_no_script_has_one_error(text: str, message: str) -> None:
    assert locations(text) == [f"walk.t:{message}"]


def test_several_errors_are_reported_at_once() -> None:
    text = SCRIPT.replace("lKnee(2.3);", "lKnee(2.3;").replace("j rAnkle", "j").replace("to(-1)", "to(-1")
    assert locations(text) == [
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
