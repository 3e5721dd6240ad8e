"""Scripts are found by stem, wherever they lie, and read once."""

from __future__ import annotations

import os
from pathlib import Path

from ctrlgraph.character.model import Character
from ctrlgraph.control.script.checks.checker import check_script
from ctrlgraph.control.script.library import ScriptLibrary, header_parameters, possible_calls
from ctrlgraph.control.script.syntax.parser import parse_script

EMPTY = "BEGINSCRIPT b(void) PHASE 0 TRANSITION to(-1).after(time 1); ENDPHASE ENDSCRIPT"
CALLER = "BEGINSCRIPT a(void)\nPHASE 0\n> b(void);\nTRANSITION to(-1).after(complete);\nENDPHASE\nENDSCRIPT"


def put(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def test_a_script_is_found_by_its_stem_below_the_roots(tmp_path: Path) -> None:
    first = put(tmp_path / "poses" / "stand.t", EMPTY)
    second = put(tmp_path / "gaits" / "fast" / "run.s", EMPTY)
    put(tmp_path / "notes.txt", "")
    put(tmp_path / ".hidden" / "walk.t", EMPTY)
    put(tmp_path / ".walk-8f3a.ctrlgraph-tmp.t", EMPTY)
    library = ScriptLibrary([tmp_path])
    assert (library.find("stand"), library.find("run"), library.find("walk")) == (first, second, None)
    assert library.stems() == ("run", "stand")
    assert library.paths() == (second, first)


def test_two_files_of_one_stem_are_an_error_where_it_is_used(tmp_path: Path, humanoid: Character) -> None:
    caller = put(tmp_path / "a.t", CALLER)
    first = put(tmp_path / "one" / "b.t", EMPTY)
    second = put(tmp_path / "two" / "b.s", EMPTY)
    library = ScriptLibrary([tmp_path])
    assert library.candidates("b") == (first, second)
    (finding,) = check_script(library, caller, humanoid)
    assert (finding.severity, finding.message) == ("error", "more than one script is named 'b': rename all but one")
    assert finding.hint == f"{first} and {second}"
    assert check_script(library, first, humanoid) == []


def test_a_file_is_parsed_once_until_it_changes(tmp_path: Path) -> None:
    path = put(tmp_path / "a.t", EMPTY)
    library = ScriptLibrary([tmp_path])
    parsed = library.parse(path)
    assert library.parse(path) is parsed
    put(path, EMPTY.replace("b(", "other("))
    os.utime(path, ns=(1, 1))
    changed = library.parse(path).script
    assert changed is not None and changed.name.text == "other"


def test_a_script_written_later_is_found(tmp_path: Path) -> None:
    put(tmp_path / "a.t", CALLER)
    library = ScriptLibrary([tmp_path])
    assert library.find("b") is None
    added = put(tmp_path / "b.t", EMPTY)
    assert library.find("b") == added
    added.unlink()
    assert library.find("b") is None


def test_what_cannot_be_read_is_a_finding(tmp_path: Path) -> None:
    library = ScriptLibrary([tmp_path])
    (missing,) = library.parse(tmp_path / "gone.t").findings
    assert missing.render() == f"{tmp_path / 'gone.t'}: error: the script cannot be read: No such file or directory"
    binary = tmp_path / "binary.t"
    binary.write_bytes(b"\xff\xfe\x00")
    (foreign,) = library.parse(binary).findings
    assert foreign.message == "the script must be UTF-8 text: save it as UTF-8"


def test_a_byte_order_mark_is_passed_over(tmp_path: Path) -> None:
    path = tmp_path / "a.t"
    path.write_bytes(b"\xef\xbb\xbf" + EMPTY.encode())
    assert ScriptLibrary([tmp_path]).parse(path).ok


# --- files that are no scripts, and what lies outside ---


def test_a_file_that_is_too_long_is_not_read_to_its_end(tmp_path: Path) -> None:
    path = tmp_path / "a.t"
    with path.open("wb") as file:
        file.truncate(100_000_000)
    (finding,) = ScriptLibrary([tmp_path]).parse(path).findings
    assert finding.render() == (
        f"{path}: error: the script is longer than 500,000 bytes\n"
        "    check that the file is a script; split a long script into several that call each other"
    )


def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    path = tmp_path / "a.t"
    os.mkfifo(path)
    library = ScriptLibrary([tmp_path])
    assert library.find("a") is None
    (finding,) = library.parse(path).findings
    assert finding.render() == (
        f"{path}: error: the script cannot be read: it is a pipe, a socket or a device, not a file"
    )


def test_a_directory_is_no_script(tmp_path: Path) -> None:
    path = tmp_path / "a.t"
    path.mkdir()
    library = ScriptLibrary([tmp_path])
    assert library.find("a") is None
    (finding,) = library.parse(path).findings
    assert finding.render() == f"{path}: error: the script cannot be read: it is a directory, not a file"


def test_a_link_out_of_the_directory_is_not_followed(tmp_path: Path, humanoid: Character) -> None:
    outside = put(tmp_path / "secret.t", EMPTY)
    caller = put(tmp_path / "controllers" / "a.t", CALLER)
    link = tmp_path / "controllers" / "b.t"
    link.symlink_to(outside)
    library = ScriptLibrary([tmp_path / "controllers"])
    assert library.find("b") is None
    assert library.paths() == (caller,)
    (finding,) = check_script(library, caller, humanoid)
    assert finding.message == "script 'b' not found"


def test_a_link_within_the_directory_is_a_script(tmp_path: Path) -> None:
    put(tmp_path / "poses" / "stand.t", EMPTY)
    link = tmp_path / "b.t"
    link.symlink_to(Path("poses") / "stand.t")
    assert ScriptLibrary([tmp_path]).find("b") == link


def test_a_script_given_by_its_path_is_read_through_any_link(tmp_path: Path) -> None:
    link = tmp_path / "here" / "b.t"
    link.parent.mkdir()
    link.symlink_to(put(tmp_path / "elsewhere" / "x.t", EMPTY))
    library = ScriptLibrary([link])
    assert library.find("b") == link
    assert library.parse(link).ok


def test_a_name_that_no_file_can_have_is_not_found(tmp_path: Path) -> None:
    put(tmp_path / "a.t", EMPTY)
    library = ScriptLibrary([tmp_path])
    assert library.stems() == ("a",)
    assert (library.find("x" * 300), library.find("x\0")) == (None, None)


def test_the_header_and_the_calls_are_found_without_parsing_as_the_parser_finds_them() -> None:
    root = Path(__file__).parents[3]
    paths = [
        path for folder in (root / "controllers", *root.glob("projects/*/controllers")) for path in folder.rglob("*.t")
    ]
    assert len(paths) > 90
    for path in paths:
        text = path.read_text(encoding="utf-8")
        script = parse_script(text, path.name).script
        assert script is not None
        assert header_parameters(text) == tuple(parameter.text for parameter in script.parameters)
        assert {call.script.stem for phase in script.phases for call in phase.calls} <= possible_calls(text)


def test_a_header_that_only_the_parser_understands_is_left_to_it(tmp_path: Path) -> None:
    assert header_parameters("# BEGINSCRIPT a(b)\nBEGINSCRIPT c (d, # e\n f)\n") == ("d", "f")
    assert header_parameters("BEGINSCRIPT a(void)") == header_parameters("BEGINSCRIPT a()") == ()
    assert header_parameters("BEGINSCRIPT a(b c)") is header_parameters("a(b)") is None
    (tmp_path / "a.t").write_text("BEGINSCRIPT a(b\u00a0)\nPHASE 1\nENDPHASE\nENDSCRIPT\n")
    assert ScriptLibrary([tmp_path]).parameters(tmp_path / "a.t") == ("b",)
    assert ScriptLibrary([tmp_path]).parameters(tmp_path / "nowhere.t") is None


def test_a_word_is_found_in_all_that_a_script_may_call(tmp_path: Path) -> None:
    (tmp_path / "a.t").write_text("> # not yet\n b.t();\n")
    (tmp_path / "b.t").write_text("> a.t(); > c();\n")
    (tmp_path / "c.t").write_text("LOAD x;\n")
    (tmp_path / "d.t").write_text("> a # > c\n")
    library = ScriptLibrary([tmp_path])
    assert library.mentions("LOAD", [tmp_path / "a.t"])
    assert not library.mentions("SAVE", [tmp_path / "a.t"])
