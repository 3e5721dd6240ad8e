"""`ctrlgraph footsteps`: what it prints and draws, and a missing solver."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from browser import Watched
from PIL import Image

from ctrlgraph import extras
from ctrlgraph.cli.main import main


def test_the_same_seed_prints_the_same_measures(capsys: pytest.CaptureFixture[str]) -> None:
    def printed() -> dict[str, object]:
        assert main(["footsteps", "biped", "--seed", "3", "--seconds", "2", "--json"]) == 0
        found: dict[str, object] = json.loads(capsys.readouterr().out)
        assert found.pop("update_ms").keys() == {"p50", "p99", "most"}  # type: ignore[attr-defined]
        return found

    first = printed()
    assert first == printed()
    assert first["inside_hull"] == 1.0
    assert first["ticks"] == 100
    assert 0.8 < first["leg_reach"] <= 0.98  # type: ignore[operator]
    assert first["foot_error_mm"] < 2.0  # type: ignore[operator]


def test_the_motion_is_drawn_from_above(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    picture = tmp_path / "crawler.svg"
    assert main(["footsteps", "crawler", "--seed", "1", "--seconds", "2", "-o", str(picture)]) == 0
    assert "centre of pressure inside" in capsys.readouterr().out
    assert "support, every 1 s" in picture.read_text()


def test_the_page_plays_the_motion_and_the_film_has_its_duration(
    tmp_path: Path, open_page: Callable[..., Watched]
) -> None:
    page, film = tmp_path / "plan.html", tmp_path / "plan.gif"
    given = ["footsteps", "quadruped", "--seed", "1", "--seconds", "2", "--page", str(page), "--video", str(film)]
    assert main(given) == 0
    with Image.open(film) as image:
        frames = [image.info["duration"] for k in range(image.n_frames) if image.seek(k) is None]  # type: ignore[attr-defined]
    assert sum(frames) == pytest.approx(2000, abs=40)
    watched = open_page(page.as_uri(), offline=True)
    text = watched.until("() => document.querySelector('.facts')?.textContent")
    assert text.startswith("command: forward ")
    assert "centre of pressure inside its support; update " in text
    watched.until("() => document.querySelector('.cg-slider').value > 5")
    for view in ("side", "above"):
        watched.page.get_by_label("View").select_option(view)
        watched.next_frame()
    assert watched.errors == []


def test_a_missing_solver_is_named(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(extras, "is_there", lambda _: False)
    assert main(["footsteps", "biped", "--seed", "1", "--solver", "qp"]) == 1
    assert capsys.readouterr().err == (
        "error: --solver qp needs the package daqp: pip install 'ctrlgraph[footsteps]'\n"
    )
