"""Whatever a script holds, it is read, checked and compiled in seconds, or one sentence says what is too much."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import pytest

from ctrlgraph.character.model import Character
from ctrlgraph.control.script.bounds import (
    MAX_ACTIONS,
    MAX_BYTES,
    MAX_PARAMETERS,
    MAX_SCRIPTS,
    MAX_STATEMENTS,
    MAX_TOKENS,
)
from ctrlgraph.control.script.checks.checker import check_script
from ctrlgraph.control.script.checks.report import MAX_FINDINGS
from ctrlgraph.control.script.compiler import compile_script
from ctrlgraph.control.script.library import read_script
from ctrlgraph.control.script.syntax.formatter import format_script
from ctrlgraph.control.script.syntax.parser import parse_script
from ctrlgraph.errors import SourceError

Rendered = Callable[..., str]
Write = Callable[..., object]

OUT = "TRANSITION to(-1).after(time 1);"


def phase(body: str, number: str = "0") -> str:
    return f"BEGINSCRIPT x(void)\nPHASE {number}\n{body}\nENDPHASE\nENDSCRIPT\n"


def test_an_expression_cut_off_by_the_next_phase_is_a_syntax_error() -> None:
    text = "BEGINSCRIPT \nPHASE \nLIPOSE (7).e(),(7-1PHASE "
    parsed = parse_script(text, "x.t")
    assert "x.t:3:16: error: expected ')' before 'PHASE' to close the '(' opened here" in parsed.findings[5].render()


@pytest.mark.parametrize("number", ["99999999999999999999", "1000000", "1e400"])
def test_a_phases_number_is_bounded(rendered: Rendered, number: str) -> None:
    assert rendered(phase(OUT, number)) == (
        f"x.t:2:7: error: a phase's number must be at most 999999, not {number}\n    PHASE {number}\n"
        + " " * 10
        + "^" * len(number)
    )


def test_the_highest_number_of_a_phase_is_fine(rendered: Rendered) -> None:
    assert rendered(phase(OUT, "999999")) == ""


def test_a_called_scripts_name_is_bounded(rendered: Rendered) -> None:
    assert rendered(phase(f"> {'y' * 300}.t(void);\n{OUT}")).split("\n")[0] == (
        "x.t:3:3: error: the name may have at most 100 characters: shorten it"
    )


def test_a_number_is_bounded(rendered: Rendered) -> None:
    assert rendered(phase(f"TRANSITION to(-1).after(time {'1' * 401});")).split("\n")[0] == (
        "x.t:3:30: error: the number may have at most 400 characters: shorten it"
    )


def test_the_number_of_phases_is_bounded(rendered: Rendered) -> None:
    phases = "".join(f"PHASE {i} {OUT} ENDPHASE\n" for i in range(5000))
    assert rendered(f"BEGINSCRIPT x(void)\n{phases}ENDSCRIPT") == (
        "x.t:1:1: error: script 'x' has 5000 phases, but can have at most 4096\n    BEGINSCRIPT x(void)\n   "
        " ^^^^^^^^^^^^^^^^^^"
    )


def test_the_numbers_of_actions_and_transitions_of_a_phase_are_bounded(rendered: Rendered) -> None:
    items = ", ".join(["rKnee(1)"] * (MAX_ACTIONS + 1))
    assert rendered(phase(f"ACTIONS\nPOSE {items};\nENDACTIONS\n{OUT}")).startswith(
        "x.t:2:1: error: phase 0 has 1001 actions, but can have at most 1000\n"
    )
    assert rendered(phase(OUT * 101)).startswith(
        "x.t:2:1: error: phase 0 has 101 transitions, but can have at most 100\n"
    )


def test_the_number_of_parameters_is_bounded(rendered: Rendered) -> None:
    names = ", ".join(f"p{i}" for i in range(MAX_PARAMETERS + 1))
    text = f"BEGINSCRIPT x({names})\nPHASE 0\n{OUT}\nENDPHASE\nENDSCRIPT"
    assert rendered(text).startswith("x.t:1:1: error: script 'x' has 101 parameters, but can have at most 100\n")


def test_the_number_of_scripts_of_a_controller_is_bounded(rendered: Rendered) -> None:
    scripts = {f"s{i}": phase(f"> s{i + 1}(void);\n{OUT}") for i in range(MAX_SCRIPTS)}
    assert rendered(phase(f"> s0(void);\n{OUT}"), **scripts).startswith(
        "x.t:1:1: error: 'x' calls more than 100 scripts, directly or through other scripts: call fewer\n"
    )


def test_actions_that_multiply_by_calls_are_refused(write: Write, humanoid: Character) -> None:
    items = ", ".join(["rKnee(1)"] * MAX_ACTIONS)
    calls = MAX_STATEMENTS // MAX_ACTIONS + 1
    phases = "".join(f"PHASE {i} > y(void); TRANSITION to({i + 1}).after(complete); ENDPHASE\n" for i in range(calls))
    text = f"BEGINSCRIPT x(void)\n{phases}PHASE {calls} {OUT} ENDPHASE\nENDSCRIPT"
    library = write(x=text, y=phase(f"ACTIONS POSE {items}; ENDACTIONS {OUT}"))
    with pytest.raises(SourceError) as error:
        compile_script(library, Path("x.t"), [], humanoid)
    assert str(error.value).startswith(
        "x.t:1:1: error: 'x' has more than 65536 actions and transitions, counted again for each call of a"
        " script: use fewer calls\n"
    )


def test_arguments_and_search_ranges_are_finite(rendered: Rendered) -> None:
    called = "BEGINSCRIPT y(a)\nPHASE 0\nTRANSITION to(-1).after(time a);\nENDPHASE\nENDSCRIPT"
    assert rendered(phase(f"> y(1e200 * 1e200);\n{OUT}"), y=called).split("\n")[0] == (
        "x.t:3:5: error: an argument of a call must be a finite number"
    )
    assert rendered(phase("TRANSITION to(-1).after(time 1 / 1e400);")).split("\n")[0] == (
        "x.t:3:34: error: the number must be below 1e308"
    )
    assert rendered(phase("TRANSITION to(-1).after(time 1 <0, 1e400>);")).split("\n")[0] == (
        "x.t:3:32: error: both bounds of a search range must be finite numbers"
    )


def test_of_many_findings_the_first_are_shown(rendered: Rendered) -> None:
    text = phase("ACTIONS\n" + "POSE rKnew(1);\n" * 900 + f"ENDACTIONS\n{OUT}")
    shown = [line for line in rendered(text).split("\n") if ": error: " in line]
    assert len(shown) == MAX_FINDINGS + 1
    assert shown[-1] == "x.t:204:6: error: more than 200 errors; the rest are not shown"


def test_of_a_long_line_only_what_stands_around_the_place_is_shown(rendered: Rendered) -> None:
    items = ", ".join(["rKnee(1)"] * 400)
    message, line, caret = (
        rendered(phase(f"ACTIONS POSE {items}, rKnew(1), {items.replace('rKnee', 'lKnee')}; ENDACTIONS {OUT}"))
        .split("\n    did you mean")[0]
        .split("\n")[-3:]
    )
    assert message == "x.t:3:4014: error: unknown joint 'rKnew'"
    assert line.startswith("    ... ") and line.endswith(" ...") and len(line) == 4 + 4 + 240 + 4
    assert line[caret.index("^") : caret.rindex("^") + 1] == "rKnew"


def test_a_draft_is_bounded_too() -> None:
    (finding,) = parse_script("#" * (MAX_BYTES + 1), "x.t").findings
    assert finding.render() == "x.t: error: the script is longer than 500,000 characters"


def test_the_number_of_tokens_is_bounded() -> None:
    (finding,) = parse_script(phase(";" * MAX_TOKENS), "x.t").findings
    assert finding.message == "the script may have at most 100,000 words, numbers and signs: split it"
    assert finding.span is not None and finding.span.line == 3


@pytest.mark.parametrize(
    "text",
    [
        phase("ACTIONS POSE " + "rKnee(1),#\n" * 1500 + "rKnee(1); ENDACTIONS"),
        phase("ACTIONS POSE rKnee(" + "1," * 9000 + "1); ENDACTIONS"),
        phase("ACTIONS POSE " + "rKnee " * 9000),
        phase(OUT * 900),
        "SCRIPTS " + ", ".join(f"a{i}" for i in range(4000)) + "; " + phase(OUT),
        "BEGINSCRIPT x(" + ", ".join(f"a{i}" for i in range(4000)) + ") PHASE 0 ENDPHASE ENDSCRIPT",
        "] " * 20000,
    ],
    ids=["comments", "values", "names", "transitions", "listed", "parameters", "foreign"],
)
def test_the_time_grows_no_faster_than_the_text(write: Write, humanoid: Character, text: str) -> None:
    library = write(x=text)
    began = time.process_time()
    check_script(library, Path("x.t"), humanoid)
    for attempt in (lambda: compile_script(library, Path("x.t"), [], humanoid), lambda: format_script(text)):
        try:
            attempt()
        except SourceError:
            continue
    assert time.process_time() - began < 60  # what grows as the square takes minutes


@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
def test_a_byte_order_mark_does_not_count_among_the_bytes_of_a_script(tmp_path: Path, mark: bytes) -> None:
    file = tmp_path / "x.t"
    file.write_bytes(mark + b"#" * MAX_BYTES)
    assert read_script(file, "x.t") == "#" * MAX_BYTES
    file.write_bytes(mark + b"#" * (MAX_BYTES + 1))
    with pytest.raises(SourceError, match=f"^x.t: error: the script is longer than {MAX_BYTES:,} bytes"):
        read_script(file, "x.t")


@pytest.mark.parametrize(
    "expression",
    ["(" * 3000 + "1" + ")" * 3000, "-" * 3000 + "1", " + ".join(["1"] * 3000), "1" * 400, "- " * 3000 + "1"],
)
def test_absurdly_long_expressions_give_one_error(expression: str) -> None:
    text = f"BEGINSCRIPT x(void) PHASE 0 TRANSITION to(-1).after(time {expression}); ENDPHASE ENDSCRIPT"
    parsed = parse_script(text, "x.t")
    if expression == "1" * 400:
        assert parsed.ok  # too large a number, which the checker says
        return
    assert [finding.severity for finding in parsed.findings] == ["error"]
    with pytest.raises(SourceError):
        format_script(text)
