"""Mutated scripts through reading, parsing, checking, compiling, formatting and rewriting.

The laws: only findings and `CtrlGraphError` are raised; every finding has a place in the text and is printable; a
script compiles if and only if it has no errors; formatting changes neither meaning nor comments, and formatting again
changes nothing; no case takes long.
"""

from __future__ import annotations

import functools
import math
import os
import re
import tempfile
import traceback
from pathlib import Path
from random import Random

import numpy as np
from fuzz.grammar import Maker
from fuzz.harness import Limits, Verdict
from fuzz.mutation import CHANGES
from fuzz.yaml_files import mutated
from published import published_scripts

from ctrlgraph.character.model import Character
from ctrlgraph.character.yaml_reader import load_character
from ctrlgraph.control.script.checks.checker import check_script
from ctrlgraph.control.script.codes import OMITTED
from ctrlgraph.control.script.compiler import compile_script
from ctrlgraph.control.script.library import ScriptLibrary, script_files
from ctrlgraph.control.script.program import Program
from ctrlgraph.control.script.rewrite import literals_of, with_constants
from ctrlgraph.control.script.syntax.formatter import format_script
from ctrlgraph.control.script.syntax.parser import Parsed, comments_in, parse_script
from ctrlgraph.control.script.syntax.syntax import outline
from ctrlgraph.errors import CtrlGraphError, Finding, SourceError, printable
from ctrlgraph.project.script_success import check_success
from ctrlgraph.simulation.measures import MEASURES

COUNT = 100_000
LIMITS = Limits()

ROOT = Path(__file__).resolve().parents[2]
ARGUMENTS = [0.5, 1.0, 0.3, 2.0, 0.0, -1.0, 1e9]
ONLY_THEN = {"absurd-value", "division-by-zero", "too-large"}
"""Codes of errors that depend on the arguments or on expanded calls."""


class BrokenLaw(Exception):
    """A law is broken; the message says which."""


@functools.cache
def _stage() -> tuple[Path, ScriptLibrary, Character, list[str]]:
    """Return the file that each case overwrites, a library with it and the shipped scripts, the character, and the
    texts to mutate."""
    directory = Path(tempfile.mkdtemp(prefix="ctrlgraph-fuzz-"))
    path = directory / "x.t"
    path.write_text("", encoding="utf-8")
    corpus = [file.read_text("utf-8") for file in script_files([ROOT / "controllers"])]
    corpus += published_scripts().values()
    corpus += [(ROOT / "tests" / "data" / "peculiar.t").read_text("utf-8")]
    library = ScriptLibrary([path, ROOT / "controllers"])
    return path, library, load_character(ROOT / "characters" / "humanoid.yaml"), corpus


def attempt(seed: int, number: int) -> Verdict:
    """Try one script."""
    random = Random(f"{seed}:{number}")
    corpus = _stage()[3]
    text = Maker(random).script() if random.random() < 0.4 else random.choice(corpus)
    material = text.encode() if random.random() < 0.15 else mutated(text, random, CHANGES)
    try:
        return Verdict(examine(material, random, number), material=material)
    except BrokenLaw as law:
        return Verdict("broken law", str(law), material)


def examine(material: bytes, random: Random, number: int = 0) -> str:
    """Read, check, compile, format and rewrite a script; return the outcome.

    Raises:
        BrokenLaw: A law is broken.
    """
    path, library, character, _ = _stage()
    path.write_bytes(material)
    os.utime(path, ns=(number + 1, number + 1))  # the library detects changes by this time
    try:
        parsed = library.parse(path)
        findings = check_script(library, path, character)
        _require_sound(parsed, findings)
        _require_sound_success(parsed, findings, character)
        program = _compiled(library, path, parsed, findings, character, random)
        if parsed.script is not None:
            _require_stable_layout(parsed, program, library, path, character, random)
        return _outcome(parsed, findings, program)
    except BrokenLaw:
        raise
    except Exception as error:
        place = traceback.extract_tb(error.__traceback__)[-1]
        said = f"{type(error).__name__} is raised: {error}"[:300]
        raise BrokenLaw(f"{said} ({place.filename}:{place.lineno})") from error


def _outcome(parsed: Parsed, findings: list[Finding], program: Program | None) -> str:
    if any(finding.code == "unreadable" for finding in findings):
        return "cannot be read"
    if not parsed.ok:
        return "syntax errors"
    if any(finding.severity == "error" for finding in findings):
        return "other errors"
    return "compiles" if program is not None else "wrong with its arguments"


def _require_sound(parsed: Parsed, findings: list[Finding]) -> None:
    if parsed.script is None and not findings:
        raise BrokenLaw("neither a script nor a finding")
    lines = parsed.text.split("\n")
    for finding in findings:
        shown, span = finding.render(), finding.span
        if not finding.message or printable(shown) != shown:
            raise BrokenLaw(f"a finding cannot be shown: {shown!r}")
        if len(shown) > 3000:
            raise BrokenLaw(f"a finding fills the screen: {shown[:200]!r}")
        if span is None:
            if finding.code not in ("unreadable", "too-large"):
                raise BrokenLaw(f"a finding has no place: {shown}")
        elif not (1 <= span.line <= len(lines) and 1 <= span.column <= len(lines[span.line - 1]) + 2):
            raise BrokenLaw(f"a finding's place is not in the text: {shown}")
        elif (span.end_line, span.end_column) < (span.line, span.column):
            raise BrokenLaw(f"a finding ends before it begins: {shown}")


def _require_sound_success(parsed: Parsed, findings: list[Finding], character: Character) -> None:
    """Check that each success condition has a finding or is a range of an existing measure."""
    if parsed.script is None:
        return
    told = check_success(parsed, character)
    _require_sound(parsed, told)
    at_fault = {finding.span.line for finding in (*findings, *told) if finding.span is not None}
    for success in parsed.script.successes if parsed.ok else ():
        ends = [end.value for end in (success.low, success.high) if end is not None]
        is_sound = success.measure.text in MEASURES and ends == sorted(ends)
        if not is_sound and success.span.line not in at_fault:
            raise BrokenLaw(f"an invalid success condition is accepted: {success.measure.text} {ends}")


def _compiled(
    library: ScriptLibrary, path: Path, parsed: Parsed, findings: list[Finding], character: Character, random: Random
) -> Program | None:
    """Return the program; None where it is correctly rejected."""
    errors = [finding for finding in findings if finding.severity == "error"]
    parameters = parsed.script.parameters if parsed.script is not None else ()
    args = [random.choice(ARGUMENTS) for _ in parameters]
    try:
        program = compile_script(library, path, args, character)
    except SourceError as error:
        if not error.findings:
            raise BrokenLaw("refused without a finding") from None
        mine = [f for f in error.findings if f.path == str(path) and f not in errors]
        if not errors and any(finding.code not in ONLY_THEN for finding in mine):
            raise BrokenLaw(f"check says no error, compiling does: {error}") from None
        return None
    except CtrlGraphError as error:
        raise BrokenLaw(f"an error without a place: {error}") from None
    if errors:
        raise BrokenLaw(f"check says an error, compiling does not: {errors[0].render()}")
    _require_sane(program)
    return program


def _require_sane(program: Program) -> None:
    values = program.values()
    slots = np.concatenate([program.actions[:, 6:12].ravel(), program.transitions[:, 3:5].ravel()])
    slots = slots[slots != OMITTED]
    if len(slots) and not (slots.min() >= 0 and slots.max() < len(values) and np.isfinite(values[slots]).all()):
        raise BrokenLaw("an operand is not a finite number")
    if not all(math.isfinite(constant) for constant in program.constants):
        raise BrokenLaw("a constant is not a finite number")
    if len(program.phases) and not (program.transitions[:, 1] < len(program.phases)).all():
        raise BrokenLaw("a transition leads to no phase")


def _require_stable_layout(
    parsed: Parsed, program: Program | None, library: ScriptLibrary, path: Path, character: Character, random: Random
) -> None:
    try:
        formatted = format_script(parsed.text, str(path))
    except SourceError:
        if parsed.ok:
            raise BrokenLaw("a text without syntax errors is not formatted") from None
        return
    if not parsed.ok:
        raise BrokenLaw("a text with syntax errors is formatted")
    again = parse_script(formatted, str(path))
    if again.findings or outline(again.script) != outline(parsed.script):
        raise BrokenLaw(f"formatting changes the meaning: {formatted[:500]!r}")
    if _comments(formatted) != _comments(parsed.text):
        raise BrokenLaw("formatting changes comments")
    if format_script(formatted, str(path)) != formatted:
        raise BrokenLaw("formatting twice changes more")
    if program is not None:
        _require_equal(program, formatted, parsed, library, path, character)
    literals = list(literals_of(parsed.script)) if parsed.script is not None else []
    if literals and random.random() < 0.25:
        chosen = random.choice(literals).span
        changed = parse_script(with_constants(parsed.text, {(chosen.line, chosen.column): -0.125}), str(path))
        if changed.script is None or len(list(literals_of(changed.script))) != len(literals):
            raise BrokenLaw(f"rewriting the number of line {chosen.line}, column {chosen.column} changes the script")


def _require_equal(
    program: Program, formatted: str, parsed: Parsed, library: ScriptLibrary, path: Path, character: Character
) -> None:
    count = len(parsed.script.parameters) if parsed.script is not None else 0
    library.put(path, formatted)
    try:
        other = compile_script(library, path, program.constants[:count].tolist(), character)
    finally:
        library.withdraw(path)
    for name in ("constants", "tape", "frames"):
        if not np.array_equal(getattr(program, name), getattr(other, name)):
            raise BrokenLaw(f"formatting changes the program's {name}")
    if not np.array_equal(program.actions[:, :12], other.actions[:, :12]):
        raise BrokenLaw("formatting changes the program's actions")
    if not np.array_equal(program.transitions[:, :5], other.transitions[:, :5]):
        raise BrokenLaw("formatting changes the program's transitions")


def _comments(text: str) -> list[str]:
    return [re.sub(r"\s+$", "", match.group()) for match in comments_in(text)]
