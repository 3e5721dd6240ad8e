"""Ids of parameters and digests of programs depend on the meaning of scripts, not on the layout of their text."""

from __future__ import annotations

import tempfile
from functools import cache
from pathlib import Path
from random import Random

import pytest
from fuzz.grammar import Maker
from hypothesis import assume, given
from hypothesis import strategies as st

from ctrlgraph.character.model import Character
from ctrlgraph.character.yaml_reader import load_character
from ctrlgraph.control.script.compiler import compile_script
from ctrlgraph.control.script.library import ScriptLibrary
from ctrlgraph.control.script.program import Program
from ctrlgraph.control.script.rewrite import with_constants
from ctrlgraph.control.script.syntax.formatter import format_script
from ctrlgraph.control.script.syntax.parser import parse_script
from ctrlgraph.errors import SourceError

ROOT = Path(__file__).resolve().parents[2]
SHIPPED = sorted((ROOT / "controllers").rglob("*.t"))
ARGUMENTS = [0.5, 1.0, 0.3]


@cache
def stage() -> tuple[Path, ScriptLibrary, Character]:
    """Where scripts are made up, with the shipped ones to be called."""
    root = Path(tempfile.mkdtemp())
    return root, ScriptLibrary([ROOT / "controllers", root]), load_character(ROOT / "characters" / "humanoid.yaml")


def compiled(text: str, name: str = "made", args: list[float] | None = None) -> Program:
    root, library, character = stage()
    path = root / f"{name}.t"
    library.put(path, text)
    script = library.parse(path).script
    assert script is not None
    wanted = ARGUMENTS if args is None else args
    return compile_script(library, path, wanted[: len(script.parameters)], character)


@st.composite
def made(draw: st.DrawFn) -> str:
    """A script of the fuzzers' grammar that compiles, or a shipped one under another name."""
    text = Maker(Random(draw(st.integers(0, 10_000)))).script()
    if draw(st.booleans()):
        text = draw(st.sampled_from(SHIPPED)).read_text(encoding="utf-8")
    try:
        compiled(text)
    except (SourceError, AssertionError):
        assume(False)
    return text


def ids(program: Program) -> list[str]:
    return [parameter.id for parameter in program.parameters]


def spaced(text: str, random: Random) -> str:
    """The text with comments and blank lines between its lines."""
    between = ("\n", "\n\n", "  # a comment\n", "\n# PHASE 0 of another\n")
    return "".join(line + random.choice(between) for line in text.replace("\r", "").split("\n"))


# --- what changes nothing ---


@given(made(), st.integers(0, 1000))
def test_comments_blank_lines_and_fmt_change_neither_digest_nor_ids(text: str, seed: int) -> None:
    program = compiled(text)
    for other in (spaced(text, Random(seed)), format_script(text, "made.t"), f"\n# moved down\n\n{text}"):
        again = compiled(other)
        assert again.digest == program.digest
        assert ids(again) == ids(program)
        assert again.constants.tobytes() == program.constants.tobytes()


@given(made())
def test_the_spelling_of_a_number_changes_nothing(text: str) -> None:
    program = compiled(text)
    own = [p for p in program.parameters if p.path.endswith("made.t") and not p.is_argument]
    values = {p.id: float(v) for p, v in zip(program.parameters, program.constants, strict=True)}
    assert compiled(with_constants(text, {(p.line, p.column): values[p.id] for p in own})).digest == program.digest


@given(made(), st.randoms())
def test_phases_after_the_first_may_stand_in_any_order(text: str, random: Random) -> None:
    script = parse_script(text, "made.t").script
    assert script is not None
    assume(len(script.phases) > 2)
    lines = text.split("\n")
    assume(all(lines[p.span.line - 1].strip().startswith("PHASE") for p in script.phases))
    assume(all(lines[p.span.end_line - 1].strip() == "ENDPHASE" for p in script.phases))
    blocks = ["\n".join(lines[p.span.line - 1 : p.span.end_line]) for p in script.phases]
    head, tail = lines[: script.phases[0].span.line - 1], lines[script.phases[-1].span.end_line :]
    rest = blocks[1:]
    random.shuffle(rest)
    moved = compiled("\n".join([*head, blocks[0], *rest, *tail]))
    program = compiled(text)
    assert moved.digest == program.digest
    values = [dict(zip(ids(each), each.constants.tolist(), strict=True)) for each in (moved, program)]
    assert values[0] == values[1]


def test_directory_and_aliases_of_joints_do_not_change_the_digest(tmp_path: Path) -> None:
    _, _, character = stage()
    text = (
        "BEGINSCRIPT x(void) PHASE 0 ACTIONS POSE {}(1); ENDACTIONS TRANSITION to(-1).after(time 1); ENDPHASE ENDSCRIPT"
    )
    [(alias, joint), *_] = character.joint_aliases.items()
    found = set()
    for i, name in enumerate((joint, alias)):
        path = tmp_path / str(i) / "x.t"
        path.parent.mkdir()
        path.write_text(text.format(name))
        program = compile_script(ScriptLibrary([path.parent]), path, (), character)
        found.add((program.digest, *ids(program)))
    assert len(found) == 1


# --- what changes the digest ---


@given(made(), st.data())
def test_every_constant_changes_the_digest_and_no_id(text: str, data: st.DataObject) -> None:
    program = compiled(text)
    own = [i for i, p in enumerate(program.parameters) if p.path.endswith("made.t") and not p.is_argument]
    assume(own)
    index = data.draw(st.sampled_from(own))
    place = program.parameters[index]
    value = float(program.constants[index]) * 1.0001220703125 + 2**-20
    try:
        changed = compiled(with_constants(text, {(place.line, place.column): value}))
    except SourceError:
        assume(False)
    assert changed.digest != program.digest
    assert ids(changed) == ids(program)


BASE = """\
SET TORQUELIMIT = 300
BEGINSCRIPT x(a)
PHASE 0
ACTIONS
POSE rKnee(a, 300, 30);
VFFB uTorso(2000, 250).by(rAnkle).over(cop);
ENDACTIONS
TRANSITION to(1).after(time 1);
TRANSITION to(-1).after(fallen > 1);
ENDPHASE
PHASE 1
SAVE here;
TRANSITION to(2).after(time 1);
ENDPHASE
PHASE 2
> squat(.5);
TRANSITION to(-1).after(complete);
ENDPHASE
ENDSCRIPT
"""


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("rKnee", "lKnee"),
        ("POSE rKnee(a, 300, 30);", ""),
        ("(a, 300, 30)", "(a)"),
        ("(a, 300, 30)", "(-a, 300, 30)"),
        ("(a, 300, 30)", "(a + 0, 300, 30)"),
        ("POSE rKnee(a, 300, 30);", "POSE rKnee(a, 300, 30).time(0);"),
        (".by(rAnkle)", ".by(lAnkle)"),
        (".over(cop)", ".over(copf)"),
        (".over(cop)", ".over(joint rAnkle)"),
        ("to(1)", "to(0)"),
        ("to(1)", "to(-1)"),
        ("fallen >", "fallen <"),
        ("SAVE here", "SAVE there"),
        ("SAVE here", "LOAD here"),
        ("> squat(.5);", "> rise(.5);"),
        ("SET TORQUELIMIT = 300", ""),
        ("PHASE 1\n", "PHASE 3\n"),
    ],
)
def test_every_statement_name_and_target_changes_the_digest(old: str, new: str) -> None:
    assert old in BASE
    text = BASE.replace(old, new)
    if old == "PHASE 1\n":
        text = text.replace("to(1)", "to(3)")
    assert compiled(text, "x", [0.5]).digest != compiled(BASE, "x", [0.5]).digest


def test_the_order_of_actions_in_a_phase_changes_the_digest() -> None:
    pose, force = "POSE rKnee(a, 300, 30);", "VFFB uTorso(2000, 250).by(rAnkle).over(cop);"
    swapped = BASE.replace(f"{pose}\n{force}", f"{force}\n{pose}")
    assert swapped != BASE and compiled(swapped, "x", [0.5]).digest != compiled(BASE, "x", [0.5]).digest


def test_arguments_change_the_digest_and_search_ranges_do_not() -> None:
    digest = compiled(BASE, "x", [0.5]).digest
    assert compiled(BASE, "x", [0.6]).digest != digest
    assert compiled(BASE.replace("> squat(.5);", "> squat(.5 <.1, 2>);"), "x", [0.5]).digest == digest


def test_the_meaning_of_a_called_script_changes_the_digest(tmp_path: Path) -> None:
    _, _, character = stage()
    caller = "BEGINSCRIPT x(void) PHASE 0 > y.t(); TRANSITION to(-1).after(complete); ENDPHASE ENDSCRIPT"
    called = "BEGINSCRIPT y(void) PHASE 0 TRANSITION to(-1).after(time {}); ENDPHASE ENDSCRIPT{}"
    (tmp_path / "x.t").write_text(caller)
    digests = []
    for time, comment in ((1, ""), (1, "\n# the same"), (2, "")):
        (tmp_path / "y.t").write_text(called.format(time, comment))
        digests.append(compile_script(ScriptLibrary([tmp_path]), tmp_path / "x.t", (), character).digest)
    assert digests[0] == digests[1] != digests[2]


# --- the ids ---


def test_ids_consist_of_script_phase_statement_and_role() -> None:
    text = """\
SET TORQUELIMIT = 300
BEGINSCRIPT x(a)
PHASE 3
ACTIONS
POSE rKnee(a + .5 - .25, 300, 30), rKnee(1);
VSFSB pelvis(2).by(rHip).speed(1);
VF (1, 2).on(pelvis).by(rHip);
VF (3, 4).on(pelvis).by(lHip);
COMFB2 .1 .2 j lAnkle
VPD rThigh(.5).joint(rHip).flags(s);
ENDACTIONS
TRANSITION to(0).after(time 1);
TRANSITION to(-1).after(time 2);
TRANSITION to(-1).after(anglerange 0 1);
ENDPHASE
PHASE 0
> squat(.5);
TRANSITION to(-1).after(complete);
ENDPHASE
ENDSCRIPT
"""
    found = ids(compiled(text, "x", [0.5]))
    assert [name for name in found if name.startswith("x.t/")] == [
        "x.t/argument/a",
        "x.t/SET TORQUELIMIT",
        "x.t/3/POSE rKnee/angle",
        "x.t/3/POSE rKnee/angle#2",
        "x.t/3/POSE rKnee/kp",
        "x.t/3/POSE rKnee/kd",
        "x.t/3/POSE rKnee#2/angle",
        "x.t/3/VFSFB pelvis/kd",
        "x.t/3/VFSFB pelvis/speed",
        "x.t/3/VF/x",
        "x.t/3/VF/y",
        "x.t/3/VF#2/x",
        "x.t/3/VF#2/y",
        "x.t/3/VPD rThigh/COMFB2 cd",
        "x.t/3/VPD rThigh/COMFB2 cv",
        "x.t/3/VPD rThigh/angle",
        "x.t/3/after time/time",
        "x.t/3/after time#2/time",
        "x.t/3/after anglerange/lower",
        "x.t/3/after anglerange/upper",
        "x.t/0/call squat/time",
    ]


@given(made())
def test_ids_are_unique_within_a_program(text: str) -> None:
    found = ids(compiled(text))
    assert len(set(found)) == len(found)


def test_scripts_of_the_same_name_have_distinct_ids(tmp_path: Path) -> None:
    """Only the root script, which is given by path, may share its name with a called one."""
    _, _, character = stage()
    for folder, time in (("a", 1), ("b", 2)):
        (tmp_path / folder).mkdir()
        phase = f"PHASE 0 TRANSITION to(-1).after(time {time}); ENDPHASE"
        (tmp_path / folder / "x.t").write_text(f"BEGINSCRIPT x(void) {phase} ENDSCRIPT")
    programs = [
        compile_script(ScriptLibrary([tmp_path / folder]), tmp_path / folder / "x.t", (), character) for folder in "ab"
    ]
    assert ids(programs[0]) == ids(programs[1]) and programs[0].digest != programs[1].digest
