"""Every form of the language that a page prints is accepted by the checker, in each of its variants."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from ctrlgraph.character.model import Character
from ctrlgraph.control.script.checks.checker import check_script
from ctrlgraph.control.script.library import ScriptLibrary
from ctrlgraph.control.script.syntax.forms import CONDITION_FORMS, PRIMITIVE_FORMS, STATE_FORMS, STATE_VARIABLES

DOCS = Path(__file__).parents[3] / "docs" / "reference"
NUMBERS = "a, b, angle, kp, kd, cd, cv, cp, x, y, z, T, t, h, v, r, N, tolerance, lower, upper"
"""Placeholders for numbers, which are parameters of the script; those for joints and parts are in the character."""
HEADER = f"BEGINSCRIPT x({NUMBERS})\n"
SCRIPT = "{}\n" + HEADER + "PHASE 0\n{}\nTRANSITION to(1).after(time 1);\n{}\nENDPHASE\nPHASE 1\nENDPHASE\nENDSCRIPT\n"
CALLED = "BEGINSCRIPT x(a, b)\nPHASE 0\nTRANSITION to(-1).after(time a + b);\nENDPHASE\nENDSCRIPT\n"
LITERAL = {"edge_distance(part, k)": "edge_distance(part, 2)", "edge_rise(part, k)": "edge_rise(part, 2)"}
"""Forms in which a placeholder stands for something else than a parameter."""
LITERAL |= {"step(.3)": "step(.3, 1)", "(...)": "(1, 2)", "after(1, 2)": "after(complete)", "to(joint": "to(rKnee"}


def in_script(form: str) -> str:
    """Return a script with the form in its place; empty for code that has none."""
    for old, new in LITERAL.items():
        form = form.replace(old, new)
    word = re.split(r"[ (]", form)[0]
    actions = ""
    if word == "COMFB2" and " " in form:
        actions = f"{form}\nVPD rThigh(0).joint(rHip);"
    elif word in PRIMITIVE_FORMS and "(" in form and "... " not in form:
        actions = form.removesuffix(";") + ";"
    elif (word in STATE_FORMS and "(" in form) or word in STATE_VARIABLES:
        actions = f"POSE rKnee(0.2 + 0.1 * {form});"
    if actions:
        return SCRIPT.format("", f"ACTIONS\n{actions}\nENDACTIONS", "")
    if word in ("SCRIPTS", "SET", "#") and form != "SET":
        return SCRIPT.format(form, "", "")
    if word in (">", "SAVE", "LOAD") and ";" in form:
        return SCRIPT.format("", form, "")
    if word == "TRANSITION" and ";" in form:
        return SCRIPT.format("", "", form)
    if word in CONDITION_FORMS and (" " in form or CONDITION_FORMS[word].takes == "nothing"):
        return SCRIPT.format("", "", f"TRANSITION to(-1).after({form});")
    return ""


def variants(form: str) -> Iterator[str]:
    """Return the form with and without each part in brackets, and with each of its alternatives."""
    brackets = re.search(r"\[([^\[\]]+)\]", form)
    choice = re.search(r"(?<=\()[^()]*\|[^()]*(?=\))|\w+(?:\|\w+)+", form)
    if " | " in form:
        parts = form.split(" | ")
    elif brackets is not None:
        parts = [form[: brackets.start()] + part + form[brackets.end() :] for part in ("", brackets[1])]
    elif choice is not None:
        parts = [form[: choice.start()] + part + form[choice.end() :] for part in choice[0].split("|")]
    else:
        yield form
        return
    for part in parts:
        yield from variants(part)


def forms(page: str) -> Iterator[str]:
    """Return the code in the running text and in the tables of a page that has a place in a script."""
    text = re.sub(r"^```.*?^```$", "", (DOCS / page).read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
    for code in dict.fromkeys(re.findall(r"`([^`]+)`", text)):
        yield from (form for form in variants(code.replace("\\|", "|")) if in_script(form))


FORMS = list(dict.fromkeys([*forms("language.md"), *forms("forms.md")]))


@pytest.fixture(scope="module")
def character(humanoid: Character) -> Character:
    """The humanoid, with joints and links that are called like the placeholders."""
    joints, links = {"joint": "rHip", "X": "rHip"}, {"part": "rFoot", "X": "rFoot"}
    return replace(humanoid, joint_aliases=humanoid.joint_aliases | joints, link_aliases=humanoid.link_aliases | links)


@pytest.mark.parametrize("form", FORMS)
def test_a_printed_form_has_no_errors(form: str, character: Character, write: Callable[..., ScriptLibrary]) -> None:
    called = dict.fromkeys(("script", "step", "a", "b", "bow"), CALLED)
    findings = check_script(write(main=in_script(form), **called), Path("main.t"), character)
    assert [finding.render() for finding in findings if finding.severity == "error"] == []


def test_all_forms_of_the_pages_are_found() -> None:
    words = {re.split(r"[ (]", form)[0] for form in FORMS}
    assert words >= {*CONDITION_FORMS, *STATE_FORMS, *STATE_VARIABLES, "COMFB2", "SET", "SCRIPTS", "SAVE", ">"}
    assert words | {"VSFSB"} >= set(PRIMITIVE_FORMS)
