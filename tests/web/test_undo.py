"""Undo: whatever was changed last is taken back, also in a script's file, and never what somebody else has written."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from typing import Any

import pytest

from ctrlgraph.project.project import Project
from ctrlgraph.web import protocol, settings
from ctrlgraph.web.settings import ChosenSettings, History, TextChange, UndoStep

SPRING, STRAIGHTEN = "controllers/spring.t", "controllers/straighten.t"


class Page:
    """What a page of a session says and hears."""

    def __init__(self, session: Any, told: Any) -> None:
        self._session, self.told = session, told

    def say(self, **message: Any) -> None:
        self._session.post(1, protocol.read(json.dumps(message)))

    def open(self, path: str) -> dict[str, Any]:
        """Open a script; returns what was told of its constants."""
        self.say(type="open", path=path)
        found: dict[str, Any] = self.told.until("constants", path=path)
        return found

    def script(self, path: str, **having: Any) -> dict[str, Any]:
        found: dict[str, Any] = self.told.until("script", path=path, **having)
        return found


@pytest.fixture
def page(open_session: Callable[..., tuple[Any, Any]]) -> Page:
    session, told = open_session("stand", "spring")
    told.until_ended()
    return Page(session, told)


def knee_and_time(page: Page) -> tuple[str, str]:
    """Ids of a constant of the script that is called, and of one of the script that calls it."""
    items = page.open(SPRING)["items"]
    called = next(item["id"] for item in items if item["path"] == STRAIGHTEN and "rKnee angle" in item["role"])
    return called, next(item["id"] for item in items if item["path"] == SPRING)


def digests(page: Page) -> dict[str, str]:
    page.say(type="open", path=SPRING)
    return {path: page.script(path)["digest"] for path in (SPRING, STRAIGHTEN)}


def test_what_is_shown_first_holds_the_constants_and_what_is_called_comes_with_what_calls_it(
    open_session: Callable[..., tuple[Any, Any]],
) -> None:
    session, told = open_session("stand", "spring")
    assert told.until("state")["target"]["first"] == STRAIGHTEN  # spring.t does little more than call it
    page = Page(session, told)
    told.until_ended()
    for path in (SPRING, STRAIGHTEN):
        constants = page.open(path)
        assert constants["files"] == [SPRING, STRAIGHTEN]
        assert constants["items"][0]["path"] == path and {item["path"] for item in constants["items"]} == {
            SPRING,
            STRAIGHTEN,
        }
    page.say(type="plan", nodes=["stand", "squat"])
    assert told.until("state", ended="success")["target"]["first"] == "controllers/squat.t"


def test_constants_of_several_files_are_written_together_or_not_at_all(page: Page, small: Project) -> None:
    knee, time = knee_and_time(page)
    digest = digests(page)
    before = {path: (small.directory / path).read_text() for path in (SPRING, STRAIGHTEN)}
    files = {
        SPRING: {"values": {time: 0.2}, "digest": digest[SPRING]},
        STRAIGHTEN: {"values": {knee: 0.1}, "digest": "0"},
    }
    page.say(type="write", files=files)
    assert page.told.until("conflict", path=STRAIGHTEN)["text"] == before[STRAIGHTEN]
    assert {path: (small.directory / path).read_text() for path in before} == before
    files[STRAIGHTEN]["digest"] = digest[STRAIGHTEN]
    page.say(type="write", files=files)
    assert page.told.until("written")["paths"] == [SPRING, STRAIGHTEN]
    assert (small.directory / SPRING).read_text() == before[SPRING].replace("0.12 <", "0.2 <")
    assert (small.directory / STRAIGHTEN).read_text() == before[STRAIGHTEN].replace("rKnee(0)", "rKnee(0.1)")


def test_what_was_written_back_is_taken_back_past_other_changes_and_made_again(page: Page, small: Project) -> None:
    knee, _ = knee_and_time(page)
    digest, file = digests(page)[STRAIGHTEN], small.directory / STRAIGHTEN
    before = file.read_text()
    page.say(type="set", values={knee: 0.1})
    page.say(type="write", files={STRAIGHTEN: {"values": {knee: 0.1}, "digest": digest}})
    page.told.until("written")
    after = file.read_text()
    page.say(type="push", time=0.1, link="uTorso", x=100.0, y=0.0)
    text = page.script(STRAIGHTEN)
    page.say(type="edit", path=STRAIGHTEN, text=text["text"] + "# later\n", base=text["revision"])
    page.told.until("state", undo=4, undoes="text of straighten.t")
    for undoes in ("push", "write back"):
        page.say(type="undo")
        page.told.until("state", undoes=undoes)
    assert file.read_text() == after  # up to here nothing was written
    page.say(type="undo")
    assert page.told.until("state", undo=1)["values"] == {knee: 0.1}
    assert file.read_text() == before
    page.say(type="undo")
    assert page.told.until("state", undo=0)["values"] == {}
    for _ in range(2):
        page.say(type="redo")
    state = page.told.until("state", undo=2)
    assert file.read_text() == after and state["values"] == {}
    page.say(type="undo")
    assert page.told.until("state", undo=1)["values"] == {knee: 0.1}
    assert file.read_text() == before


def test_a_file_that_was_saved_since_is_not_touched_by_undo(page: Page, small: Project) -> None:
    knee, _ = knee_and_time(page)
    digest, file = digests(page)[STRAIGHTEN], small.directory / STRAIGHTEN
    before = file.read_text()
    page.say(type="write", files={STRAIGHTEN: {"values": {knee: 0.1}, "digest": digest}})
    page.told.until("written")
    theirs = file.read_text() + "# theirs\n"
    file.write_text(theirs)
    page.say(type="undo")
    sentence = page.told.until("told", kind="error")["told"]
    assert sentence == (
        f"the file {STRAIGHTEN} has been saved since it was written back, and stays as it is; its earlier text is in"
        " the page, not saved"
    )
    assert file.read_text() == theirs
    assert page.script(STRAIGHTEN, text=before)["saved"] is False


def test_what_is_typed_without_a_pause_is_one_change(page: Page, monkeypatch: pytest.MonkeyPatch) -> None:
    page.open(STRAIGHTEN)
    text, revision = page.told.all[-3]["text"], 0
    monkeypatch.setattr("ctrlgraph.web.script_commands._PAUSE_S", math.inf)
    for end in ("#", "# a", "# ab"):
        page.say(type="edit", path=STRAIGHTEN, text=text + end, base=revision)
        revision += 1
    page.told.until("state", undo=1, undoes="text of straighten.t")
    page.say(type="undo")
    page.script(STRAIGHTEN, text=text)
    monkeypatch.setattr("ctrlgraph.web.script_commands._PAUSE_S", -1.0)  # as after a pause
    for end in ("#", "# a"):
        page.say(type="edit", path=STRAIGHTEN, text=text + end, base=revision + 1)
        revision += 1
    page.told.until("state", undo=2)
    page.say(type="undo")
    assert page.script(STRAIGHTEN, text=text + "#")["saved"] is False


def test_undo_holds_a_bounded_amount_of_text(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(settings, "MAX_UNDO_TEXT", 1000)
    history, none = History(), ChosenSettings()
    for k in range(20):
        history.add(UndoStep("text", none, none, (TextChange("a.t", 100 * "x", 99 * "x" + str(k % 10)),)))
    assert len(history.undo) == 5
    history.add(UndoStep("text", none, none, (TextChange("a.t", 5000 * "x", 5000 * "y"),)))
    assert len(history.undo) == 1  # the last one can always be taken back


def test_of_a_file_that_is_gone_what_was_written_back_is_taken_back_in_the_page(page: Page, small: Project) -> None:
    knee, _ = knee_and_time(page)
    digest, file = digests(page)[STRAIGHTEN], small.directory / STRAIGHTEN
    before = file.read_text()
    page.say(type="set", values={knee: 0.1})
    page.say(type="write", files={STRAIGHTEN: {"values": {knee: 0.1}, "digest": digest}})
    page.told.until("written")
    file.unlink()
    page.say(type="undo")
    assert page.told.until("told", kind="error")["told"].endswith("straighten.t is in the page, not saved")
    assert page.told.until("state", undo=1)["values"] == {knee: 0.1}
    assert page.script(STRAIGHTEN)["text"] == before
    assert not file.exists()
    page.say(type="undo")
    assert page.told.until("state", undo=0)["values"] == {}
