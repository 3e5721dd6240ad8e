"""Scripts are found by stem, wherever they lie, and read once."""

from __future__ import annotations

import os
from pathlib import Path

from ctrlgraph.character.model import Character
from ctrlgraph.language.checker import check_script
from ctrlgraph.language.library import ScriptLibrary

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
    assert (finding.severity, finding.message) == ("error", "more than one script is named 'b'")
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
    assert foreign.message == "the script is not UTF-8 text"


def test_a_byte_order_mark_is_passed_over(tmp_path: Path) -> None:
    path = tmp_path / "a.t"
    path.write_bytes(b"\xef\xbb\xbf" + EMPTY.encode())
    assert ScriptLibrary([tmp_path]).parse(path).ok
