"""A graph whose nodes are of several kinds: what they can be to each other, and what is said where they cannot."""

from __future__ import annotations

from pathlib import Path

import pytest
from small_project import make_small

from ctrlgraph.cli.main import main
from ctrlgraph.errors import CtrlGraphError, SourceError
from ctrlgraph.graph.editor import put_adapted_file
from ctrlgraph.learning.transition import TransitionRequest, transition_of
from ctrlgraph.learning.tuning import TuningRequest, tuning_problem
from ctrlgraph.project.learned import LearnedFile, LearnedPart
from ctrlgraph.project.learned_writer import write_learned
from ctrlgraph.project.project import Project
from ctrlgraph.walks.random_run import walk_random
from ctrlgraph.walks.replay import replay_walk

WAVE = """\
joints: [rElbow, lElbow]
loop: true
duration: 0.3
frames:
  - [0.0, -0.2, -0.2]
  - [0.15, -0.9, -0.9]
"""


@pytest.fixture
def mixed(tmp_path: Path) -> Project:
    """The small project with a wave, of key frames, after the stand; nothing else follows the stand."""
    directory = make_small(tmp_path / "mixed")
    (directory / "wave.yaml").write_text(WAVE)
    text = (directory / "graph.yaml").read_text()
    head, _, _ = text.partition("edges:")
    success = "{torso: [-.3, .3], com_height: [0.85, 1.1]}"
    node = f"  wave: {{keyframes: wave.yaml, cycles: [1, 2], timeout: 3, success: {success}}}\n"
    edges = "edges:\n  - {from: stand, to: wave}\n  - {from: [wave, squat, spring], to: stand}\n"
    edges += "  - {from: stand, to: squat, weight: 0}\n  - {from: stand, to: spring, weight: 0}\n"
    (directory / "graph.yaml").write_text(head + node + edges)
    return Project(directory)


def test_a_walk_goes_through_several_kinds_and_is_replayed_bit_for_bit(mixed: Project) -> None:
    walk = walk_random(mixed, transitions=4, seed=2)
    with mixed.read_log() as log:
        attempts = list(log.attempts(walk.run))
        assert [attempt.node for attempt in attempts] == ["stand", "wave", "stand", "wave", "stand"]
        assert {attempt.script for attempt in attempts if attempt.node == "wave"} == {"wave.yaml"}
        assert all(attempt.succeeded for attempt in attempts)
        assert replay_walk(mixed, log, log.run(walk.run), 0, verify=True).difference is None


def test_a_learned_edge_may_change_the_constants_of_another_kind(mixed: Project) -> None:
    plain = mixed.program("wave")
    [elbow] = [p.id for p in plain.parameters if p.id == "wave.yaml/frame 1/rElbow"]
    learn(mixed, LearnedPart(program=plain.digest, constants=[{"id": elbow, "old": -0.9, "new": -1.1}]))
    project = Project(mixed.directory)
    project.require_learned()
    controller, cycles = project.edge_controller(project.graph.planned_edge("stand", "wave"), "wave", 2)
    assert cycles == 2 and controller.constants.tolist().count(-1.1) == 1


def test_what_cannot_be_joined_is_said_where_the_file_says_so(mixed: Project) -> None:
    learn(mixed, LearnedPart(program=mixed.program("wave").digest, cycles=1, constants=[]))
    with pytest.raises(SourceError) as error:
        Project(mixed.directory).require_learned()
    [finding] = error.value.findings
    assert finding.message == (
        "'wave' is of the kind 'keyframes': a learned file with a source, a bridge or 'cycles' needs scripts"
    )
    assert finding.span is not None and finding.code == "mixed-kinds"


def test_what_can_only_be_done_with_scripts_is_refused_before_any_search(mixed: Project, monkeypatch) -> None:
    monkeypatch.chdir(mixed.directory)
    with pytest.raises(
        CtrlGraphError, match="'wave', of the kind 'keyframes', has no numbers that can be changed: add --on"
    ):
        tuning_problem(mixed, TuningRequest("wave"))
    request = TransitionRequest("stand", "wave", target_cycles=1)
    with pytest.raises(CtrlGraphError, match="learn it with --source-cycles 0, without --bridge, and with --target-cy"):
        transition_of(mixed, request)


def test_a_node_of_any_kind_can_be_scheduled_over_the_ground(mixed: Project) -> None:
    put_adapted_file(mixed.graph_path, "wave", "learned/wave.yaml")
    assert "learned/wave.yaml" in mixed.graph_path.read_text()


@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        ("wave.yaml,", "wave.yaml, args: [1],", "args: [1]"),
        ("[0.15, -0.9, -0.9]", "[0.15, -0.9]", "a frame must have 3 numbers"),
    ],
)
def test_check_reads_what_every_node_runs(mixed: Project, capsys, old: str, new: str, fault: str) -> None:
    for path in (mixed.graph_path, mixed.directory / "wave.yaml"):
        path.write_text(path.read_text().replace(old, new, 1))
    assert main(["--project", str(mixed.directory), "check"]) == 1
    said = capsys.readouterr().out
    assert fault in said and "1 error" in said


def test_key_frames_are_recorded_to_files_of_their_own(mixed: Project, capsys) -> None:
    command = ["--project", str(mixed.directory), "record", "keyframes", "stand", "-o"]
    before = mixed.graph_path.read_text()
    assert main([*command, str(mixed.graph_path)]) == 1
    assert "is not keyframes" in capsys.readouterr().err and mixed.graph_path.read_text() == before
    assert main([*command, str(mixed.directory / "stand.yaml"), "--joint", "rKnee"]) == 0
    assert main(["--project", str(mixed.directory), "check", str(mixed.directory / "stand.yaml")]) == 0


def learn(project: Project, target: LearnedPart) -> None:
    """Make the edge from the stand to the wave a learned one."""
    (project.directory / "learned").mkdir(exist_ok=True)
    write_learned(project.directory / "learned" / "stand-wave.yaml", LearnedFile(edge="stand -> wave", target=target))
    text = project.graph_path.read_text()
    learned = "{from: stand, to: wave, kind: learned, parameters: learned/stand-wave.yaml}"
    project.graph_path.write_text(text.replace("{from: stand, to: wave}", learned))
