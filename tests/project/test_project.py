"""A project directory: how it is found, what it compiles, which attempts compare."""

from __future__ import annotations

from pathlib import Path

import pytest
from small_project import OLD_HUMANOID, make_project

from ctrlgraph.errors import CtrlGraphError, SourceError
from ctrlgraph.graph.model import Node
from ctrlgraph.project.learned import LearnedFile, LearnedPart, constants_of
from ctrlgraph.project.learned_writer import write_learned
from ctrlgraph.project.project import Project
from ctrlgraph.project.rollout import node_rollout

GRAPH = """\
character: humanoid
start: stand
nodes:
  stand: {script: controllers/poses/stand.t, args: [0.5, 0.5], kind: static, success: {torso: [-.3, .3]}}
  squat: {script: controllers/poses/squat.t, args: [1], kind: static}
edges:
  - {from: stand, to: squat}
  - {from: squat, to: stand, kind: learned, parameters: learned/up.yaml}
"""


@pytest.fixture
def directory(tmp_path: Path) -> Path:
    learned = "edge: squat -> stand\ntarget: {program: unknown}\n"
    return make_project(tmp_path, GRAPH, files={"learned/up.yaml": learned}, origin=OLD_HUMANOID)


def learn(directory: Path, change: float = 0.0) -> Project:
    """Write a file that fits the present scripts, the last constant of stand changed."""
    program = Project(directory).program("stand")
    last = program.constants.size - 1
    constants = constants_of(program, {last: float(program.constants[last]) + change})
    target = LearnedPart(program=program.digest, constants=constants)
    write_learned(directory / "learned" / "up.yaml", LearnedFile(edge="squat -> stand", target=target))
    return Project(directory)


def hashes(directory: Path, world: str = "flat") -> list[str]:
    project = Project(directory)
    return [project.edge_hash(edge, world) for edge in (None, *project.graph.edges)]


def test_the_nearest_directory_upwards_is_the_project(directory: Path):
    assert Project.find(directory / "controllers" / "poses").directory == directory


def test_without_a_graph_anywhere_there_is_one_sentence(tmp_path: Path):
    with pytest.raises(CtrlGraphError) as raised:
        Project.find(tmp_path)
    assert str(raised.value) == (
        f"there is no graph.yaml in {tmp_path} or above it: change to a project directory,"
        " give --project DIR, or make one with 'ctrlgraph init DIR'"
    )
    with pytest.raises(CtrlGraphError) as raised:
        Project(tmp_path)
    assert str(raised.value) == f"{tmp_path} is not a project: it has no graph.yaml ('ctrlgraph init DIR' makes one)"


def test_a_controller_is_compiled_once(directory: Path):
    project = Project(directory)
    assert project.program("stand") is project.program("stand")
    assert project.program("stand").constants[:2].tolist() == [0.5, 0.5]


def test_a_fault_in_a_script_is_shown_where_it_stands(directory: Path):
    path = directory / "controllers" / "poses" / "stand.t"
    path.write_text(path.read_text().replace("neck2head", "neck2haed", 1))
    with pytest.raises(SourceError) as raised:
        Project(directory).program("stand")
    (finding,) = raised.value.findings
    assert (finding.path, finding.hint) == (str(path), "did you mean 'neck2head'?")


def test_constants_learned_for_another_version_are_refused(directory: Path):
    learned = Project(directory).graph.edges[1]
    with pytest.raises(SourceError) as raised:
        Project(directory).edge_controller(learned, "stand", 1)
    assert str(raised.value) == (
        f"{directory}/learned/up.yaml:2:19: error: these constants were learned for another version of 'stand'\n"
        "    target: {program: unknown}\n                      ^^^^^^^\n"
        "    repeat the search; 'ctrlgraph learn --stale' repeats the searches of all stale edges"
    )


def test_attempts_compare_as_long_as_nothing_that_decides_them_changes(directory: Path):
    learn(directory)
    before = hashes(directory)
    assert hashes(directory) == before
    graph = directory / "graph.yaml"
    graph.write_text(GRAPH.replace("kind: static}", "kind: static, description: low}"))
    assert hashes(directory) == before
    assert all(new != old for new, old in zip(hashes(directory, "slope=5"), before, strict=True))


def test_a_change_reaches_the_edges_that_it_matters_to(directory: Path):
    learn(directory)
    start, down, up = hashes(directory)
    squat = directory / "controllers" / "poses" / "squat.t"
    assert "2000, 250" in squat.read_text()
    squat.write_text(squat.read_text().replace("2000, 250", "2000, 260") + "\n# changed\n")
    now = hashes(directory)
    assert now[0] == start
    assert now[1] != down and now[2] != up
    graph = directory / "graph.yaml"
    graph.write_text(GRAPH.replace("[-.3, .3]", "[-.3, .4]"))
    assert hashes(directory)[0] != start
    before = hashes(directory)
    learn(directory, change=0.5)
    assert hashes(directory)[:2] == before[:2] and hashes(directory)[2] != before[2]


def test_paths_in_the_log_are_relative_to_the_project(directory: Path):
    project = Project(directory)
    place = project.program("stand").places[0]
    assert project.relative(place.path) == "controllers/poses/stand.t"
    assert project.relative("/elsewhere/x.t") == "/elsewhere/x.t"


def test_a_character_with_faults_is_read_once_however_often_it_is_asked_for(
    directory: Path, monkeypatch: pytest.MonkeyPatch
):
    from ctrlgraph.character import yaml_reader

    project, read, load = Project(directory), [], yaml_reader.load_character
    monkeypatch.setattr(yaml_reader, "load_character", lambda path: read.append(path) or load(path))
    path = directory / "characters" / "humanoid.yaml"
    path.write_text(path.read_text(encoding="utf-8").replace("{mass:", "{mess:", 1), encoding="utf-8")
    for _ in range(3):
        with pytest.raises(SourceError, match="unknown field 'mess'"):
            project.program("stand")
    assert len(read) == 1


def test_evidence_stays_with_edges_when_the_roles_of_the_character_are_written_down(directory: Path):
    path = directory / "characters" / "humanoid.yaml"
    text = path.read_text(encoding="utf-8")
    stated, graph = Project(directory), Project(directory).graph
    path.write_text(text.partition("\n# What the links are")[0], encoding="utf-8")
    bare = Project(directory)
    assert len(bare.character.roles.feet) == 2
    for edge in (None, *graph.edges):
        if edge is None or edge.parameters is None:
            assert stated.edge_hash(edge, "world") == bare.edge_hash(edge, "world")
    path.write_text(
        text.replace("feet: [rFoot, lFoot]", "feet: [rHand, lHand]").replace("  hands: [rHand, lHand]\n", "")
    )
    assert Project(directory).edge_hash(None, "world") != stated.edge_hash(None, "world")


# --- what is run, and what it is judged by ---


def test_a_node_runs_by_its_own_conditions_and_its_own_time(directory: Path):
    project = Project(directory)
    rollout = project.rollout(None, "stand", 1)
    stand = project.graph.node("stand")
    assert rollout.controller is project.program("stand")
    assert (rollout.cycles, rollout.timeout, rollout.success) == (1, stand.timeout, {"torso": (-0.3, 0.3)})
    assert project.rollout(None, "stand", 1, timeout=0.5).timeout == 0.5


@pytest.mark.parametrize(("cycles", "seconds"), [(1, 12.0), (4, 12.0), (5, 15.0), (8, 24.0)])
def test_more_cycles_than_the_greatest_number_of_a_node_have_more_time(cycles: int, seconds: float):
    assert Node("walk", "walk.t", cycles=(2, 4), timeout=12.0).timeout_for(cycles) == pytest.approx(seconds)


def test_heights_in_the_conditions_grow_with_the_body(directory: Path):
    node = Node(
        "stand", "stand.t", success={"com_height": (0.8, 1.0), "torso": (-0.3, 0.3)}, bounds={"com_height": (0.4, 2.0)}
    )
    controller = Project(directory).program("stand")
    rollout = node_rollout(node, (controller, 1), 1, length=1.5)
    assert rollout.success["com_height"] == pytest.approx((1.2, 1.5))
    assert rollout.success["torso"] == (-0.3, 0.3) and rollout.bounds["com_height"] == pytest.approx((0.6, 3.0))


def test_a_mirrored_node_runs_its_script_with_right_and_left_exchanged(tmp_path: Path) -> None:
    lean = "BEGINSCRIPT lean(void)\nPHASE 0\nACTIONS\nPOSE rKnee(1), lKnee(2);\nENDACTIONS\n"
    lean += "TRANSITION to(-1).after(time 1);\nENDPHASE\nENDSCRIPT\n"
    graph = "character: humanoid\nstart: lean\nnodes:\n  lean: {script: controllers/lean.t}\n"
    graph += "  other: {script: controllers/lean.t, mirrored: true}\nedges:\n  - {from: lean, to: other}\n"
    graph += "  - {from: other, to: lean}\n"
    files = {"controllers/lean.t": lean}
    project = Project(make_project(tmp_path / "p", graph, shipped=("characters",), files=files))
    plain, mirrored = project.controller("lean"), project.controller("other")
    assert plain.digest != mirrored.digest
    assert [p.id for p in plain.parameters] == [p.id for p in mirrored.parameters]
    right, left = (project.character.joint_index(name) for name in ("rKnee", "lKnee"))
    assert plain.actions[:, 1].tolist() == [right, left]
    assert mirrored.actions[:, 1].tolist() == [left, right]
    assert project.program("other").digest == mirrored.digest
