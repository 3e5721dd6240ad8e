"""The shipped project is found, in a checkout and in an installed package."""

from __future__ import annotations

from pathlib import Path

import pytest

from ctrlgraph import shipped
from ctrlgraph.errors import CtrlGraphError
from ctrlgraph.shipped import shipped_file


def test_a_checkout_has_it_at_the_root() -> None:
    assert shipped_file("characters") == Path(__file__).parents[2] / "characters"


def test_an_installed_package_has_it_inside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    inside = tmp_path / "ctrlgraph" / "data" / "graph.yaml"
    inside.parent.mkdir(parents=True)
    inside.write_text("")
    monkeypatch.setattr(shipped, "__file__", str(tmp_path / "ctrlgraph" / "shipped.py"))
    assert shipped_file("graph.yaml") == inside


def test_what_is_missing_is_named() -> None:
    with pytest.raises(CtrlGraphError, match=r"^this installation lacks the shipped 'wings'; install ctrlgraph again$"):
        shipped_file("wings")
