"""Whatever the text, parser, checker and compiler answer with findings, never with an exception."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from published import published_scripts

from ctrlgraph.character.model import Character
from ctrlgraph.control.script.checks.checker import check_script
from ctrlgraph.control.script.compiler import compile_script
from ctrlgraph.control.script.library import ScriptLibrary
from ctrlgraph.control.script.syntax.formatter import format_script
from ctrlgraph.control.script.syntax.parser import parse_script
from ctrlgraph.errors import Finding, SourceError

TEXTS = [text for _, text in sorted(published_scripts().items())]
KEYWORDS = """BEGINSCRIPT ENDSCRIPT PHASE ENDPHASE ACTIONS ENDACTIONS TRANSITION POSE VPD VF IK MATCH COMFB2 SET
    SCRIPTS SAVE rKnee uTorso dt to after fallen anglerange time x j"""
WORDS = [*KEYWORDS.split(), *"();,.<>=+-*/\n #", "0", "-1", ".5", "1e9", "\u2212"]


def assert_sound(findings: tuple[Finding, ...] | list[Finding], text: str) -> None:
    lines = text.split("\n")
    for finding in findings:
        assert finding.message and finding.render()
        if finding.span is not None:
            assert 1 <= finding.span.line <= len(lines)
            assert 1 <= finding.span.column <= len(lines[finding.span.line - 1]) + 2


@given(st.one_of(st.text(max_size=200), st.lists(st.sampled_from(WORDS), max_size=60).map(" ".join)))
def test_any_text_is_parsed_or_has_an_error(text: str) -> None:
    parsed = parse_script(text, "x.t")
    assert_sound(parsed.findings, text)
    assert parsed.ok or any(finding.severity == "error" for finding in parsed.findings)


@given(data=st.data())
def test_a_damaged_script_gives_findings(
    data: st.DataObject, tmp_path: Path, published_directory: Path, humanoid: Character
) -> None:
    text = data.draw(st.sampled_from(TEXTS))
    for _ in range(data.draw(st.integers(1, 4))):
        start = data.draw(st.integers(0, len(text)))
        length = data.draw(st.integers(0, 12))
        text = text[:start] + data.draw(st.sampled_from(["", *WORDS])) + text[start + length :]
    path = tmp_path / "x.t"
    path.unlink(missing_ok=True)
    path.write_text(text, encoding="utf-8", newline="")
    library = ScriptLibrary([path, published_directory])
    findings = check_script(library, path, humanoid)
    assert_sound(findings, text)
    script = library.parse(path).script
    args = [0.5] * (len(script.parameters) if script else 0)
    try:
        program = compile_script(library, path, args, humanoid)
    except SourceError as error:
        assert error.findings
    else:
        assert [finding for finding in findings if finding.severity == "error"] == []
        assert program.values().size == program.constants.size + len(program.tape)


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
