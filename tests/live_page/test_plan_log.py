"""Logs of steered plans: bit-identical replays, killed processes, limits, and files that are not logs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from waiting import until

from ctrlgraph.cli.main import main
from ctrlgraph.errors import CtrlGraphError, SourceError
from ctrlgraph.footsteps.survey import survey
from ctrlgraph.live_page import plan_log
from ctrlgraph.live_page.plan_log import MAX_INPUTS, MAX_TICKS, PlanLog, PlanReplay, read_plan_log
from ctrlgraph.live_page.plan_protocol import parse_plan_message
from ctrlgraph.live_page.plan_session import PlanSession
from ctrlgraph.live_page.steered_plan import SteeredPlan

STEERED: dict[int, dict[str, Any]] = {
    10: {"type": "velocity", "forward": 0.1 + 0.2, "left": 0.0, "turn": 0.3},
    60: {"type": "impulse", "x": 0.1, "y": 0.2},
    61: {"type": "unsafe", "x": 1.0, "y": 0.1, "radius": 0.1},
    90: {"type": "way", "points": [[2.0, 0.0], [2.0, 1.0]]},
}
"""Messages by the number of ticks before them."""


def said(**message: Any) -> Any:
    return parse_plan_message(json.dumps(message))


def logged(directory: Path, ticks: int = 170, robot: str = "biped", *, killed: bool = False) -> Path:
    plan = SteeredPlan(robot)
    log = PlanLog(directory, robot, plan)
    for i in range(ticks):
        if i in STEERED:
            plan.act(said(**STEERED[i]))
            log.add(said(**STEERED[i]))
        plan.tick()
        log.tick()
    if not killed:
        log.close()
    assert log.path is not None
    return log.path


def replayed(path: Path) -> PlanReplay:
    replay = PlanReplay(read_plan_log(path))
    survey(replay.plan.planner, replay.commands())
    return replay


def test_a_replay_has_the_bits_of_the_logged_plan(tmp_path: Path) -> None:
    replay = replayed(logged(tmp_path))
    assert (replay.ticks, replay.compared, replay.differs_s) == (170, 4, None)


def test_the_smallest_change_of_a_message_is_found_with_its_time(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = logged(tmp_path)
    text = path.read_text()
    path.write_text(text.replace('"x":0.1,', f'"x":{0.1 + 2**-54!r},'))
    assert path.read_text() != text
    assert main(["footsteps", "biped", "--replay", str(path)]) == 1
    assert capsys.readouterr().out.endswith("\nthe states differ for the first time between 1 s and 2 s\n")


def test_a_killed_process_leaves_everything_up_to_the_last_second(tmp_path: Path) -> None:
    path = logged(tmp_path, killed=True)
    assert replayed(path).ticks == 150
    path.write_bytes(path.read_bytes()[:-3])  # it was killed while it wrote a line
    replay = replayed(path)
    assert (replay.ticks, replay.differs_s) == (100, None)


def test_a_motion_without_messages_has_no_file(tmp_path: Path) -> None:
    plan = SteeredPlan("table")
    log = PlanLog(tmp_path / "logs", "table", plan)
    plan.tick()
    log.tick()
    log.close()
    assert log.path is None
    assert list(tmp_path.iterdir()) == []


def test_a_full_log_can_be_replayed_and_is_reported_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    plan, message = SteeredPlan("table"), said(type="velocity", forward=0.2, left=0.0, turn=0.0)
    monkeypatch.setattr(plan_log, "MAX_LOG_BYTES", 1400)
    log = PlanLog(tmp_path, "table", plan)
    faults = []
    for i in range(200):
        plan.tick()
        try:
            log.tick()
            if i % 10 == 0:
                plan.act(message)
                log.add(message)
        except CtrlGraphError as error:
            faults.append(str(error))
    log.close()
    assert faults == ["the log of this motion is full: press R to begin a new one"]
    assert log.path is not None and log.path.stat().st_size <= 1400
    monkeypatch.undo()
    assert replayed(log.path).differs_s is None


def test_a_directory_that_cannot_be_written_is_reported_once(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    plan = SteeredPlan("table")
    log = PlanLog(tmp_path / "file", "table", plan)
    message = said(type="velocity", forward=0.2, left=0.0, turn=0.0)
    with pytest.raises(
        CtrlGraphError, match=r"^the motion is not logged, since .*\.jsonl cannot be written: file exists$"
    ):
        log.add(message)
    log.add(message)
    log.tick()
    log.close()
    assert log.seconds == 0.0


def test_a_session_logs_each_motion_in_a_file(tmp_path: Path) -> None:
    session = PlanSession("table", lambda items, to, joins: None, tmp_path)
    session.start()
    session.post(1, "join")
    for robot in ("biped", "table"):
        session.post(1, said(type="velocity", forward=0.2, left=0.0, turn=0.0))
        logs = session.logs
        until(lambda logs=logs, robot=robot: bool(logs) and logs[-1].robot != robot and logs[-1].seconds > 0.0)
        session.post(1, said(type="begin", robot=robot))
    assert session.stop(60.0)
    assert [command.split()[:2] for _, command in session.logged] == [["footsteps", "table"], ["footsteps", "biped"]]
    for (seconds, command), path in zip(session.logged, [log.path for log in session.logs], strict=True):
        assert path is not None and command.endswith(path.name)
        replay = replayed(path)
        assert (replay.ticks * 0.02, replay.differs_s) == (pytest.approx(seconds), None)


HEAD = '{"form":"ctrlgraph steered plan 1","robot":"biped","settings":%s,"versions":{}}'
BAD = "not a line of the log of a steered plan: "


@pytest.mark.parametrize(
    ("line", "text", "message"),
    [
        (1, '{"form":"x"', f"{BAD}Invalid JSON: EOF while parsing an object at line 1 column 11"),
        (1, '{"form":"ctrlgraph steered plan 2","robot":"biped","settings":{},"versions":{}}',
         f"{BAD}form: Input should be 'ctrlgraph steered plan 1'"),
        (1, HEAD % '{"tick_s":1e-9}', "the setting 'tick_s' differs from that of this version of ctrlgraph"),
        (2, '{"type":"input","tick":"1","input":{"type":"impulse","x":0.0,"y":0.0}}',
         f"{BAD}input.tick: Input should be a valid integer"),
        (2, '{"type":"input","tick":1,"input":{"type":"impulse","x":NaN,"y":0.0}}',
         f"{BAD}input.input.impulse.x: Input should be a finite number"),
        (2, '{"type":"input","tick":1,"input":{"type":"begin","robot":"biped"}}',
         f"{BAD}input.input: Input tag 'begin' found using 'type' does not match any of the expected tags: "
         "'velocity', 'way', 'impulse', 'unsafe'"),
        (2, '{"type":"check","tick":1000000000000,"digest":"00000000000000000000000000000000"}',
         f"{BAD}check.tick: Input should be less than or equal to {MAX_TICKS}"),
        (2, '{"type":"check","tick":1,"digest":"0"}',
         f"{BAD}check.digest: String should match pattern '^[0-9a-f]{{32}}$'"),
        (2, '{"type":"input","tick":1,"input":{"type":"impulse","x":0.0,"y":0.0}}',
         "the log has no digest after its first tick, so that there is nothing to replay"),
    ],
)  # fmt: skip
def test_a_file_that_is_no_log_is_refused_with_its_line(tmp_path: Path, line: int, text: str, message: str) -> None:
    head = logged(tmp_path, 20).read_text().splitlines()[0]
    path = tmp_path / "plan.jsonl"
    path.write_text(f"{text}\n" if line == 1 else f"{head}\n{text}\n")
    with pytest.raises(SourceError) as error:
        read_plan_log(path)
    assert str(error.value) == f"{path}:{line}:1: error: {message}"


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        (['{"type":"check","tick":50,"digest":"%s"}' % ("0" * 32)] * 2, "there are two digests of tick 50"),
        (
            ['{"type":"input","tick":1,"input":{"type":"impulse","x":0.0,"y":0.0}}'] * (MAX_INPUTS + 1),
            "there are more than 2,000 messages at tick 1",
        ),
        (
            ['{"type":"check","tick":1,"digest":"00000000000000000000000000000000","' + "\\n" * 10_000 + '":1}'],
            "Extra inputs are not permitted",
        ),
        (
            [json.dumps({"type": "check", "tick": tick, "digest": "0" * 32}) for tick in (50, 150)],
            "the digest of tick 100 is missing: lines of the log have been removed",
        ),
    ],
)
def test_contradictions_floods_and_long_names_are_refused_in_a_short_sentence(
    tmp_path: Path, lines: list[str], message: str
) -> None:
    head = logged(tmp_path, 20).read_text().splitlines()[0]
    path = tmp_path / "plan.jsonl"
    path.write_text("\n".join([head, *lines, ""]))
    with pytest.raises(SourceError) as caught:
        read_plan_log(path)
    (found,) = caught.value.findings
    assert found.message.endswith(message)
    assert len(found.message) < 500 and "\n" not in found.message


def test_messages_that_the_planner_refuses_are_refused_with_their_line(tmp_path: Path) -> None:
    path = logged(tmp_path, 20)
    head, *_, check = path.read_text().splitlines()
    far = '{"type":"input","tick":1,"input":{"type":"way","points":[[1e4,1e4]]}}'
    path.write_text(f"{head}\n{far}\n{check}\n")
    with pytest.raises(SourceError) as error:
        replayed(path)
    assert str(error.value) == f"{path}:2:1: error: a path can have at most 1,000 m: draw a new one"
    push = '{"type":"input","tick":1,"input":{"type":"impulse","x":1.0,"y":1.0}}'
    path.write_text(head + f"\n{push}" * 100 + f"\n{check}\n")
    with pytest.raises(SourceError, match=r"\.jsonl:101:1: error: the robot has fallen after 0\.\d+ s$"):
        replayed(path)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (["crawler"], "{path} has a motion of the biped, not of the crawler"),
        (["biped", "--seed", "1"], "--seed has no effect on a replay: omit it, or omit --replay"),
        (["biped", "--solver", "qp"], "--solver has no effect on a replay: omit it, or omit --replay"),
    ],
)
def test_options_that_contradict_the_log_are_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], given: list[str], message: str
) -> None:
    path = logged(tmp_path, 20)
    assert main(["footsteps", *given, "--replay", str(path)]) == 1
    assert capsys.readouterr().err == f"error: {message.format(path=path)}\n"


def test_a_replay_is_shown_on_a_page_and_as_json(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path, page = logged(tmp_path, 60), tmp_path / "plan.html"
    assert main(["footsteps", "biped", "--replay", str(path), "--page", str(page), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["replay"], found["compared"], found["differs_s"], found["ticks"]) == (str(path), 2, None, 60)
    assert path.name in page.read_text()
