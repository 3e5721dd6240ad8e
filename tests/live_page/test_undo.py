"""Undo of changes, and constants of programs with several files."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import pytest
from session_page import SessionPage

from ctrlgraph.live_page.history import ChosenSettings, History, TextChange, UndoStep
from ctrlgraph.project.project import Project

SPRING, STRAIGHTEN = "controllers/spring.t", "controllers/straighten.t"


@pytest.fixture
def page(open_session: Callable[..., tuple[Any, Any]]) -> SessionPage:
    session, messages = open_session("stand", "spring")
    messages.until_ended()
    return SessionPage(session, messages)


def knee_and_time(page: SessionPage) -> tuple[str, str]:
    """Return the ids of a constant of the called script and of one of the calling script."""
    items = page.open(SPRING)["items"]
    called = next(item["id"] for item in items if item["path"] == STRAIGHTEN and "rKnee angle" in item["role"])
    return called, next(item["id"] for item in items if item["path"] == SPRING)


def digests(page: SessionPage) -> dict[str, str]:
    page.say(type="open", path=SPRING)
    return {path: page.script(path)["digest"] for path in (SPRING, STRAIGHTEN)}


def test_the_script_with_the_constants_is_shown_first_with_its_callers(
    open_session: Callable[..., tuple[Any, Any]],
) -> None:
    session, messages = open_session("stand", "spring")
    assert messages.until("state")["target"]["first"] == STRAIGHTEN  # spring.t only calls it
    page = SessionPage(session, messages)
    messages.until_ended()
    for path in (SPRING, STRAIGHTEN):
        constants = page.open(path)
        assert constants["files"] == [SPRING, STRAIGHTEN]
        assert constants["items"][0]["path"] == path and {item["path"] for item in constants["items"]} == {
            SPRING,
            STRAIGHTEN,
        }
    page.say(type="plan", nodes=["stand", "squat"])
    assert messages.until("state", ended="success")["target"]["first"] == "controllers/squat.t"


def test_constants_of_several_files_are_written_together_or_not_at_all(page: SessionPage, small: Project) -> None:
    knee, time = knee_and_time(page)
    digest = digests(page)
    before = {path: (small.directory / path).read_text() for path in (SPRING, STRAIGHTEN)}
    files = {
        SPRING: {"values": {time: 0.2}, "digest": digest[SPRING]},
        STRAIGHTEN: {"values": {knee: 0.1}, "digest": "0"},
    }
    page.say(type="write", files=files)
    assert page.messages.until("conflict", path=STRAIGHTEN)["text"] == before[STRAIGHTEN]
    assert {path: (small.directory / path).read_text() for path in before} == before
    files[STRAIGHTEN]["digest"] = digest[STRAIGHTEN]
    page.say(type="write", files=files)
    assert page.messages.until("written")["paths"] == [SPRING, STRAIGHTEN]
    assert (small.directory / SPRING).read_text() == before[SPRING].replace("0.12 <", "0.2 <")
    assert (small.directory / STRAIGHTEN).read_text() == before[STRAIGHTEN].replace("rKnee(0)", "rKnee(0.1)")


def test_undo_of_a_write_changes_the_page_and_not_the_file(page: SessionPage, small: Project) -> None:
    knee, _ = knee_and_time(page)
    digest, file = digests(page)[STRAIGHTEN], small.directory / STRAIGHTEN
    before = file.read_text()
    page.say(type="set", values={knee: 0.1})
    page.say(type="write", files={STRAIGHTEN: {"values": {knee: 0.1}, "digest": digest}})
    assert page.messages.until("state", undo=2, undoes="write back")["values"] == {}
    written = file.read_text()
    page.say(type="undo")
    assert page.messages.until("state", undo=1)["values"] == {knee: 0.1}
    assert page.script(STRAIGHTEN, text=before)["saved"] is False
    page.say(type="undo")
    assert page.messages.until("state", undo=0)["values"] == {}
    for _ in range(2):
        page.say(type="redo")
    assert page.messages.until("state", undo=2)["values"] == {}
    assert page.script(STRAIGHTEN, text=written)["saved"] is True
    assert file.read_text() == written != before


def test_typing_without_a_pause_is_one_undo_step(page: SessionPage, monkeypatch: pytest.MonkeyPatch) -> None:
    page.open(STRAIGHTEN)
    text, revision = page.messages.all[-3]["text"], 0
    monkeypatch.setattr("ctrlgraph.live_page.script_commands._UNDO_PAUSE_S", math.inf)
    for end in ("#", "# a", "# ab"):
        page.say(type="edit", path=STRAIGHTEN, text=text + end, base=revision)
        revision += 1
    page.messages.until("state", undo=1, undoes="text of straighten.t")
    page.say(type="undo")
    page.script(STRAIGHTEN, text=text)
    monkeypatch.setattr("ctrlgraph.live_page.script_commands._UNDO_PAUSE_S", -1.0)  # as after a pause
    for end in ("#", "# a"):
        page.say(type="edit", path=STRAIGHTEN, text=text + end, base=revision + 1)
        revision += 1
    page.messages.until("state", undo=2)
    page.say(type="undo")
    assert page.script(STRAIGHTEN, text=text + "#")["saved"] is False


def test_undo_holds_a_bounded_amount_of_text(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ctrlgraph.live_page.history.MAX_UNDO_TEXT", 1000)
    history, none = History(), ChosenSettings()
    for k in range(20):
        history.add(UndoStep("text", none, none, (TextChange("a.t", 100 * "x", 99 * "x" + str(k % 10)),)))
    assert len(history.undo) == 5
    history.add(UndoStep("text", none, none, (TextChange("a.t", 5000 * "x", 5000 * "y"),)))
    assert len(history.undo) == 1  # the last step is always kept
