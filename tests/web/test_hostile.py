"""What a damaged or hostile project, or a damaged memory of it, can do to a live page: nothing but one sentence."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ctrlgraph.errors import CtrlGraphError
from ctrlgraph.project.project import Project
from ctrlgraph.web import protocol
from ctrlgraph.web.clients import as_json
from ctrlgraph.web.searches import checkpoints, read_progress

SQUAT = "controllers/squat.t"
GENERATION = '{"cost":1,"best":1,"terms":{}}'


def checkpoint(first: str = "1", best: str = "1", held: str = "1", history: str = GENERATION) -> str:
    scores = f'"best":{{"cost":{best},"held":{held},"cases":1}},"first":{{"cost":{first}}}'
    return f'{{"version":1,"history":[{history}],{scores}}}'


def test_pipes_and_directories_among_the_checkpoints_are_passed_over(tmp_path: Path) -> None:
    (tmp_path / "runs").mkdir()
    os.mkfifo(tmp_path / "runs" / "a.json")
    (tmp_path / "runs" / "b.json").mkdir()
    (tmp_path / "runs" / "c.json").write_text(checkpoint())
    (tmp_path / "runs" / os.fsdecode(b"\xff.json")).write_text(checkpoint())
    assert checkpoints(tmp_path) == ["runs/c.json"]


@pytest.mark.parametrize(
    "text",
    [
        checkpoint(first="1" + "0" * 400),
        checkpoint(held="Infinity"),
        checkpoint(held="NaN"),
        checkpoint(history='{"cost":1,"best":1,"terms":[]}'),
        checkpoint(history="[]"),
        '{"version":1,"history":{}}',
        "[" * 100_000,
    ],
)
def test_a_hostile_checkpoint_is_refused_in_one_sentence(tmp_path: Path, text: str) -> None:
    (tmp_path / "a.json").write_text(text)
    with pytest.raises(CtrlGraphError, match=r"^a\.json cannot be watched: it is no checkpoint of a search$"):
        read_progress(tmp_path, "a.json")


def test_what_is_no_finite_number_in_a_checkpoint_is_told_as_none(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text(checkpoint(first="Infinity", best="NaN"))
    told = json.loads(as_json(read_progress(tmp_path, "a.json").as_dict()))
    assert told["cost"] is None and told["first"] is None
    with pytest.raises(ValueError, match="not JSON compliant"):
        as_json({"cost": float("nan")})


def test_a_fault_of_its_own_is_told_and_the_session_goes_on(open_session: Callable[..., tuple[Any, Any]]) -> None:
    session, told = open_session("stand")
    session.post(None, "no such request")
    sentence = told.until("told")["told"]
    assert sentence.startswith("a fault in ctrlgraph itself: AttributeError: ") and "\n" not in sentence
    session.post(7, "join")
    assert told.until("welcome")["to"] == 7
    told.until_ended()


def test_a_value_is_not_written_where_another_text_had_its_constant(
    open_session: Callable[..., tuple[Any, Any]], small: Project
) -> None:
    session, told = open_session("stand", "squat")
    told.until("branch")
    file, name = small.directory / SQUAT, "squat.t/0/LIPOSE rKnee/angle"

    def said(**message: Any) -> None:
        session.post(1, protocol.read(json.dumps(message)))

    said(type="open", path=SQUAT)
    script = told.until("script")
    lines = script["text"].split("\n")
    at = next(i for i, line in enumerate(lines) if "rKnee(" in line)
    text = "\n".join([*lines[:at], lines[at].replace("rKnee(", "rWrist("), "POSE tail(0, 1, 1);", *lines[at:]])
    said(type="edit", path=SQUAT, text=text, base=script["revision"])
    assert [each for each in told.until("findings", revision=script["revision"] + 1)["findings"] if "tail" in each["message"]]
    said(type="save", path=SQUAT, digest=script["digest"])
    digest = told.until("script", saved=True)["digest"]
    said(type="write", path=SQUAT, values={name: 1.5}, digest=digest)
    assert told.until("told")["told"].startswith(f"{SQUAT} has changed since the motion's constants were read from it")
    assert file.read_text() == text
    text = text.replace("POSE tail(0, 1, 1);", "")
    said(type="edit", path=SQUAT, text=text, base=script["revision"] + 1)
    said(type="save", path=SQUAT, digest=digest)
    digest = told.until("script", text=text, saved=True)["digest"]
    said(type="write", path=SQUAT, values={name: 1.5}, digest=digest)
    told.until("written")
    assert file.read_text().split("\n")[at + 2].count("rKnee(1.5)") == 1
