"""Every finding of a script: errors and warnings, with place, line, caret and hint."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from mistakes import read_mistakes

from ctrlgraph.errors import Finding

Rendered = Callable[..., str]
Check = Callable[..., list[Finding]]

ACTIONS, TRANSITIONS = read_mistakes("actions.txt"), read_mistakes("transitions.txt")
FRAME = """\
BEGINSCRIPT x({parameters})
  PHASE 0
    ACTIONS
      {actions}
    ENDACTIONS
    {transitions}
  ENDPHASE
{rest}ENDSCRIPT
"""
CALLING = """\
BEGINSCRIPT x(void)
  PHASE 0
    > {call};
    TRANSITION to(-1).after({condition});
  ENDPHASE
ENDSCRIPT
"""
LEAVE = "TRANSITION to(-1).after(time 1);"
NOTHING = "BEGINSCRIPT nothing(void) PHASE 0 TRANSITION to(-1).after(time 1); ENDPHASE ENDSCRIPT"


def script(actions: str = "", transitions: str = LEAVE, parameters: str = "void", rest: str = "") -> str:
    return FRAME.format(actions=actions, transitions=transitions, parameters=parameters, rest=rest)


def messages(findings: list[Finding]) -> list[str]:
    return [f"{f.severity}: {f.message}" for f in findings]


def test_a_right_script_has_no_findings(rendered: Rendered) -> None:
    assert rendered(script("POSE rKnee(1);")) == ""


def test_an_unknown_joint_is_located_with_a_suggestion(rendered: Rendered) -> None:
    assert rendered(script("POSE rKnew(1.2, 300, 30);")) == (
        "x.t:4:12: error: unknown joint 'rKnew'\n"
        "          POSE rKnew(1.2, 300, 30);\n"
        "               ^^^^^\n"
        "    did you mean 'rKnee'?"
    )


def test_an_absurd_gain_gives_one_clear_message(rendered: Rendered) -> None:
    assert rendered(script("POSE rKnee(1.2, 1e9, 30);")) == (
        "x.t:4:23: error: POSE rKnee kp must be at most 1e+06 N m/rad, not 1e+09\n"
        "          POSE rKnee(1.2, 1e9, 30);\n"
        "                          ^^^"
    )


def test_the_source_tells_the_side_of_a_part_by_the_sign_of_its_gains(rendered: Rendered) -> None:
    assert rendered(script("VPD rThigh(0, 300, 30).joint(rHip);")) == (
        "x.t:4:21: warning: kp and kd of VPD rThigh should be negative: rThigh is on the child side of rHip\n"
        "          VPD rThigh(0, 300, 30).joint(rHip);\n"
        "                        ^^^\n"
        "    the sign in the script is ignored: it always follows from the side of the joint on which the part is"
    )


def test_a_loop_of_calls_is_shown(rendered: Rendered) -> None:
    text = CALLING.format(call="y.t(void)", condition="complete")
    others = {"y": text.replace("x(", "y(").replace("> y", "> z"), "z": text.replace("x(", "z(").replace("> y", "> x")}
    assert rendered(text, **others) == (
        "x.t:3:7: error: a script must not call itself, not even through other scripts: x -> y -> z -> x\n       "
        " > y.t(void);\n          ^^^"
    )


def test_a_wrong_number_of_arguments_names_the_parameters(rendered: Rendered) -> None:
    called = NOTHING.replace("nothing(void)", "nothing(dt, lean)").replace("time 1", "time dt + lean")
    assert rendered(CALLING.format(call="nothing.t(1)", condition="complete"), nothing=called) == (
        "x.t:3:5: error: 'nothing' takes 2 arguments, found 1\n"
        "        > nothing.t(1);\n"
        "        ^^^^^^^^^^^^^^^\n"
        "    the parameters of the script are (dt, lean)"
    )


@pytest.mark.parametrize("actions", ACTIONS)
def test_an_action_that_does_not_fit_is_one_finding(actions: str, check: Check) -> None:
    assert messages(check(script(actions))) == [ACTIONS[actions].shown]


def test_a_target_a_little_beyond_a_stop_is_no_finding(check: Check) -> None:
    assert messages(check(script("POSE rKnee(2.79);"))) == []


def test_a_negative_gain_that_may_soften_the_spring_of_its_joint_is_no_finding(check: Check) -> None:
    assert messages(check(script("VFFB uTorso(-100, 2).by(rAnkle).over(cop);"))) == []


@pytest.mark.parametrize("transition", TRANSITIONS)
def test_a_transition_that_does_not_fit_is_one_finding(transition: str, check: Check) -> None:
    assert messages(check(script(transitions=transition))) == [TRANSITIONS[transition].shown]


def test_a_phase_without_a_transition_is_one_finding(check: Check) -> None:
    assert messages(check(script(transitions=""))) == ["warning: phase 0 cannot end: add a transition"]


@pytest.mark.parametrize(
    ("transitions", "reason"),
    [
        ("TRANSITION to(-1).after(contact rArm);", "rArm has no contact points"),
        ("TRANSITION to(-1).after(fallen x 4);", "the trunk's angle lies between -pi and pi"),
        ("TRANSITION to(-1).after(iterations 2);", "the phase calls no script that could be repeated"),
        ("TRANSITION to(-1).after(complete);" + LEAVE, "the transition in line 6 always fires first"),
        ("TRANSITION to(-1).after(nocontact rArm);" + LEAVE, "the transition in line 6 always fires first"),
        (
            LEAVE + "TRANSITION to(-1).after(time 2);",
            "the transition in line 6 fires first or at the same time, and has priority",
        ),
        (
            "TRANSITION to(-1).after(contact rFoot);" * 2,
            "the transition in line 6 fires first or at the same time, and has priority",
        ),
    ],
)
def test_a_transition_that_can_never_fire_is_a_warning(transitions: str, reason: str, check: Check) -> None:
    assert messages(check(script(transitions=transitions))) == [f"warning: this transition never fires: {reason}"]


def test_completion_of_a_script_that_never_ends_never_comes(check: Check) -> None:
    endless = NOTHING.replace("to(-1)", "to(0)")
    found = check(CALLING.format(call="nothing(void)", condition="complete"), nothing=endless)
    assert messages(found) == ["warning: this transition never fires: 'nothing' never ends"]


def test_an_unused_parameter_is_a_warning(check: Check) -> None:
    text = script(parameters="dt, lean").replace("time 1", "time dt")
    assert messages(check(text)) == ["warning: parameter 'lean' is never used: use or remove it"]


def test_an_unreachable_phase_is_a_warning(check: Check) -> None:
    rest = f"  PHASE 7\n    {LEAVE}\n  ENDPHASE\n"
    assert messages(check(script(rest=rest))) == [
        "warning: no transition leads to phase 7: add one, or remove the phase"
    ]


def test_a_missing_script_is_an_error_only_where_a_reachable_phase_calls_it(check: Check) -> None:
    assert messages(check(CALLING.format(call="nothng.t(void)", condition="complete"), nothing=NOTHING)) == [
        "error: script 'nothng' not found"
    ]
    rest = f"  PHASE 7\n    > gone.t(void);\n    {LEAVE}\n  ENDPHASE\n"
    assert messages(check(script(rest=rest))) == [
        "warning: no transition leads to phase 7: add one, or remove the phase",
        "warning: script 'gone' not found, but only unreachable phases call it",
    ]


@pytest.mark.parametrize(
    ("rest", "expected"),
    [
        (
            f"  PHASE 0\n    {LEAVE}\n  ENDPHASE\n",
            "error: phase 0 is defined twice, first in line 2: change one of the numbers",
        ),
        (f"  PHASE 1.5\n    {LEAVE}\n  ENDPHASE\n", "error: a phase's number must be a whole number, not 1.5"),
    ],
)
def test_phase_numbers_are_whole_and_unique(rest: str, expected: str, check: Check) -> None:
    assert expected in messages(check(script(rest=rest)))


def test_a_phase_holds_one_call_or_one_block(check: Check) -> None:
    call = "> nothing(void);"
    text = script("POSE rKnee(1);", transitions=f"{call} {call} ACTIONS ENDACTIONS {LEAVE}")
    assert messages(check(text, nothing=NOTHING)) == [
        "error: a phase can contain a call or actions, but not both: move this call to a phase of its own",
        "error: a phase can call only one script: move this call to another phase",
        "error: a phase can have only one ACTIONS block: merge the blocks",
    ]


@pytest.mark.parametrize(
    ("setting", "expected"),
    [
        ("SET TORQUELIMIT = 0", "error: SET TORQUELIMIT must be above 0 N m, not 0"),
        ("SET TORQUELIMT = 9", "error: unknown setting 'TORQUELIMT'"),
        ("SET TORQUELIMIT = 9 SET TORQUELIMIT = 8", "error: TORQUELIMIT is set twice: remove one"),
    ],
)
def test_the_only_setting_is_a_torque_limit_above_zero(setting: str, expected: str, check: Check) -> None:
    assert messages(check(f"{setting}\n{script()}")) == [expected]


def test_a_parameter_stands_once(check: Check) -> None:
    found = check(script(parameters="dt, dt").replace("time 1", "time dt"))
    assert messages(found) == ["error: parameter 'dt' is defined twice: rename or remove one"]


def test_all_findings_of_a_file_come_at_once_in_the_order_of_its_text(check: Check) -> None:
    text = script("POSE rKnew(1, 1e9, 30);\n      VPD head(dx).jint(rHip);", "TRANSITION to(5).after(tim 1);", "dt")
    assert [(f.span and f.span.line, f.code) for f in check(text)] == [
        (1, "unused-parameter"),
        (4, "unknown-joint"),
        (4, "absurd-value"),
        (5, "unknown-parameter"),
        (5, "unknown-modifier"),
        (7, "unknown-phase"),
        (7, "unknown-condition"),
    ]


def test_names_are_checked_beside_a_syntax_error(check: Check) -> None:
    found = check(script("POSE rKnew(1);\n POSE lKnee(1;"))
    assert [f.code for f in found] == ["unknown-joint", "syntax"]
