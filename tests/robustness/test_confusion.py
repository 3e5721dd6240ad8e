"""The confusion test: conditions that hold for other motions, with and without a reason."""

from __future__ import annotations

import json
import shutil

import numpy as np
import pytest
from small_project import GRAPH, ROOT, endless, make_small

from ctrlgraph.cli.main import main
from ctrlgraph.graph.model import Node
from ctrlgraph.project.project import Project
from ctrlgraph.robustness.confusion import confusion
from ctrlgraph.robustness.example_measures import accepts
from ctrlgraph.robustness.examples import entries
from ctrlgraph.simulation.measures import Motion, measures_of
from ctrlgraph.simulation.recording.planar_trace import Trace
from ctrlgraph.terrain.terrain import flat

SPRING = "success: {torso: [-.3, .3], com_height: [0.88, 1.1], com_speed: [0, 0.3], flight: [0, 0.05]}"


@pytest.fixture
def project_with(tmp_path):
    """The small project with another text for the spring's conditions, and `also` of nodes."""

    def make(conditions: str = SPRING, **also: str) -> Project:
        directory = make_small(tmp_path / "small")
        text = GRAPH.replace(SPRING, conditions)
        for node, reasons in also.items():
            text = text.replace(f"  {node}: {{", f"  {node}: {{also: {{{reasons}}}, ", 1)
        (directory / "graph.yaml").write_text(text)
        return Project(directory)

    return make


def accepted(found) -> set[tuple[str, str]]:
    return {(each.node, each.motion) for each in found.unexplained}


def test_conditions_that_only_speak_of_the_end_accept_every_motion_that_ends_so(project_with) -> None:
    found = confusion(project_with(), trials=1, seed=1)
    assert dict(found.examples) == {"stand": 2, "squat": 1, "spring": 1}
    assert accepted(found) == {("spring", "stand"), ("spring", "nothing"), ("stand", "spring")}
    assert not found.passed


def test_a_motion_that_leads_to_no_static_pose_has_examples_all_the_same(project_with) -> None:
    directory = project_with().directory
    (directory / "graph.yaml").write_text(endless(GRAPH))
    assert confusion(Project(directory), trials=1, seed=1).examples["spring"] == 2


def test_a_reason_explains_what_it_is_for_and_is_reported_where_there_is_nothing_to_explain(project_with) -> None:
    project = project_with(spring="stand: they end alike, squat: nobody has seen it")
    found = confusion(project, trials=1, seed=1)
    assert ("spring", "stand") not in accepted(found)
    (explained,) = [each for each in found.acceptances if each.because]
    assert (explained.node, explained.motion, explained.because) == ("spring", "stand", "they end alike")
    assert found.needless == [("spring", "squat")]


def test_a_condition_that_means_the_motion_rejects_the_others(project_with) -> None:
    strict = SPRING.replace("flight:", "peak_power: [0.5, 100], settle: [0, 0.1], flight:")
    found = confusion(project_with(strict), trials=1, seed=1)
    assert not {("spring", "stand"), ("spring", "nothing")} & accepted(found)


@pytest.mark.slow
def test_the_same_seed_gives_the_same_answer(project_with) -> None:
    project = project_with()
    one, other = (confusion(project, trials=2, seed=3).as_dict() for _ in range(2))
    assert one == other


def test_a_node_is_entered_from_each_of_its_predecessors(project_with) -> None:
    graph = project_with().graph
    assert [way.target for way in entries(graph, "stand")] == ["squat->stand", "spring->stand"]
    assert [way.target for way in entries(graph, "squat")] == ["stand->squat"]


def test_edges_for_other_ground_only_are_no_usual_way_in(project_with) -> None:
    project = project_with()
    path = project.directory / "graph.yaml"
    text = path.read_text().replace("{from: spring, to: stand}", "{from: spring, to: stand, ground: {slope: [3, 8]}}")
    path.write_text(text)
    assert [way.target for way in entries(Project(project.directory).graph, "stand")] == ["squat->stand"]


def test_a_node_without_an_example_does_not_pass(project_with) -> None:
    found = confusion(project_with(SPRING.replace("0.88", "1.05")), trials=1, seed=1)
    assert found.without_example == ["spring"] and found.lost["spring"] == 1
    assert not found.passed


def test_a_motion_is_judged_at_its_end_over_its_course_and_by_its_time(humanoid) -> None:
    n, links = 101, np.array([(link.x, link.y) for link in humanoid.links])
    time = np.linspace(0.0, 1.0, n)
    height = 1.0 - 0.5 * np.sin(np.pi * time)
    com = np.stack([0 * time, height], axis=1)
    trace = Trace(
        time=time,
        position=np.repeat(links[None], n, axis=0),
        angle=np.repeat((3 * np.sin(np.pi * time))[:, None], len(links), axis=1),
        contact=np.ones((n, len(links)), bool),
        com=com,
        com_velocity=np.gradient(com, time, axis=0),
        phase=np.zeros(n, np.int64),
        energy=np.zeros(n),
    )
    motion = Motion(trace, humanoid, flat())
    values = measures_of(motion)

    def judged(**fields) -> bool:
        return accepts(Node("n", "n.t", **fields), values, motion)

    assert judged(success={"com_height": (0.9, 1.1)}, bounds={"com_height": (0.4, 1.1)})
    assert not judged(success={"com_height": (1.05, 1.1)})
    assert not judged(bounds={"com_height": (0.6, 1.1)})
    assert not judged(bounds={"torso": (-1.0, 1.0)}) and judged(bounds={"torso": (-0.1, 3.2)})
    assert not judged(plausible={"duration": (0.0, 0.5)})
    assert not judged(timeout=0.9) and judged(timeout=0.6, cycles=(1, 1)) is False


def test_the_command_reports_what_it_found_and_its_exit_code_whether_that_is_explained(project_with, capsys) -> None:
    directory = project_with().directory
    assert main(["--project", str(directory), "gate", "confusion", "--trials", "1", "--json"]) == 1
    said = json.loads(capsys.readouterr().out)
    assert said["passed"] is False
    assert {"node": "spring", "motion": "stand", "accepted": 2, "examples": 2, "because": ""} in said["unexplained"]
    assert main(["--project", str(directory), "gate", "confusion", "squat", "--trials", "1"]) == 0
    assert "0 unexplained and 0 explained, of 1 examples of 1 nodes, seed 1\n" in capsys.readouterr().out


# the whole of it is part of `make gate`
@pytest.mark.slow  # every motion is compared by `make gate`
def test_none_of_some_shipped_motions_is_taken_for_another() -> None:
    project = Project(ROOT)
    found = confusion(project, trials=1, seed=1, motions=("stand", "walk", "run", "hop", "kip", "crawl"))
    assert accepted(found) == set()


IN_SPACE = """character: quadruped
start: stand
nodes:
  stand: {keyframes: stand.yaml, kind: static, success: {tilt: [0, 0.2]}, bounds: {com_height: [0.15, 0.3]}}
  hop: {keyframes: hop.yaml, kind: dynamic, success: {CONDITIONS}}
edges:
  - {from: stand, to: hop}
  - {from: hop, to: stand}
"""


@pytest.mark.parametrize(
    ("conditions", "wrong"), [("tilt: [0, 0.25]", {"stand", "nothing"}), ("flight: [0.15, 0.4]", set())]
)
def test_motions_in_space_are_told_apart_by_conditions_and_bounds(tmp_path, conditions, wrong) -> None:
    """The hop leaves the bounds of the stand, so only conditions of the hop can be too weak."""
    for folder in ("characters", "controllers"):
        shutil.copytree(ROOT / "projects" / "quadruped" / folder, tmp_path / folder)
    text = IN_SPACE.replace("CONDITIONS", conditions).replace("keyframes: ", "keyframes: controllers/")
    (tmp_path / "graph.yaml").write_text(text)
    found = confusion(Project(tmp_path, engine="mujoco"), trials=1, seed=1)
    assert dict(found.examples) == {"stand": 1, "hop": 1}
    assert accepted(found) == {("hop", motion) for motion in wrong}
