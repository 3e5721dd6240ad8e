"""`ctrlgraph fmt --json`: what changes and what cannot be read, for other programs."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ctrlgraph.cli.main import main

LOOSE = "BEGINSCRIPT  a(void)\nPHASE 0\nTRANSITION to(-1).after(complete);\nENDPHASE\nENDSCRIPT\n"


@pytest.fixture
def scripts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "loose.t").write_text(LOOSE)
    (tmp_path / "broken.t").write_text("BEGINSCRIPT broken(void)\n  PHASE 0\n")
    monkeypatch.chdir(tmp_path)
    assert main(["fmt", "loose.t"]) == 0
    (tmp_path / "neat.t").write_text((tmp_path / "loose.t").read_text())
    (tmp_path / "loose.t").write_text(LOOSE)
    return tmp_path


def test_json_lists_what_would_change_and_changes_nothing(scripts: Path, capsys: pytest.CaptureFixture[str]) -> None:
    capsys.readouterr()
    assert main(["fmt", "--check", "--json", "."]) == 1
    said = capsys.readouterr()
    found = json.loads(said.out)
    assert said.err == ""
    assert found.pop("findings")[0]["path"] == "broken.t"
    assert found == {
        "check": True,
        "files": ["broken.t", "loose.t", "neat.t"],
        "changed": ["loose.t"],
        "broken": ["broken.t"],
    }
    assert (scripts / "loose.t").read_text() == LOOSE


def test_a_byte_order_mark_stays(scripts: Path) -> None:
    mark = b"\xef\xbb\xbf"
    (scripts / "loose.t").write_bytes(mark + LOOSE.encode())
    assert main(["fmt", "loose.t"]) == 0
    assert (scripts / "loose.t").read_bytes() == mark + (scripts / "neat.t").read_bytes()
