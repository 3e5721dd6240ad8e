"""A condition on what a character cannot have is an error of the graph file, at its place."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from small_project import make_project

from ctrlgraph.cli.main import main
from ctrlgraph.errors import CtrlGraphError, SourceError
from ctrlgraph.graph.reader import check_graph, load_graph
from ctrlgraph.insertion.candidate_node import CandidateRequest, find_candidate
from ctrlgraph.project.project import Project

GRAPH = """\
character: humanoid
start: stand
nodes:
  stand:
    script: controllers/stand.t
    kind: static
    success: {torso: [-.3, .3], feet_contact: [2, 2]}
    bounds: {com_height: [.5, .inf]}
  squat: {script: controllers/stand.t, success: {hands_contact: [0, 0], flight: [0, 1]}}
edges:
  - {from: stand, to: squat}
  - {from: squat, to: stand}
"""

STAND = "BEGINSCRIPT stand(void)\n  PHASE 0\n    TRANSITION to(-1).after(time 0.1);\n  ENDPHASE\nENDSCRIPT\n"

ERRORS = """\
{}:7:33: error: 'feet_contact' cannot be measured: the character humanoid has no feet
        success: {{torso: [-.3, .3], feet_contact: [2, 2]}}
                                    ^^^^^^^^^^^^
    add them under 'roles' in the file of the character
{}:9:50: error: 'hands_contact' cannot be measured: the character humanoid has no hands
      squat: {{script: controllers/stand.t, success: {{hands_contact: [0, 0], flight: [0, 1]}}}}
                                                     ^^^^^^^^^^^^^
    add them under 'roles' in the file of the character"""


@pytest.fixture
def directory(tmp_path: Path) -> Path:
    """A project whose character has neither feet nor hands."""
    make_project(tmp_path, GRAPH, shipped=("characters",), files={"controllers/stand.t": STAND})
    path = tmp_path / "characters" / "humanoid.yaml"
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace("  feet: [rFoot, lFoot]\n  hands: [rHand, lHand]\n", ""), encoding="utf-8")
    return tmp_path


def test_every_such_condition_is_told_where_it_stands(directory: Path) -> None:
    path = directory / "graph.yaml"
    with pytest.raises(SourceError) as error:
        load_graph(path)
    assert str(error.value) == ERRORS.format(path, path)
    assert [finding.code for finding in check_graph(path)] == ["missing-role", "missing-role"]


def test_a_fall_that_exists_only_in_space_is_an_error_for_a_planar_character(directory: Path) -> None:
    path = directory / "graph.yaml"
    text = GRAPH.replace("feet_contact: [2, 2]", "duration: [0, 9]").replace("hands_contact", "duration")
    path.write_text(text + "  - {from: squat, to: stand, kind: corrective, when: fallen left}\n")
    with pytest.raises(SourceError) as error:
        load_graph(path)
    assert str(error.value) == (
        f"{path}:13:54: error: 'fallen left' exists only in space, and the character humanoid is planar\n"
        "      - {from: squat, to: stand, kind: corrective, when: fallen left}\n"
        "                                                         ^^^^^^^^^^^\n"
        "    use 'fallen forward', 'fallen backward' or 'fallen'"
    )


def test_a_measure_of_motions_in_space_is_told_where_it_stands(directory: Path) -> None:
    path = directory / "graph.yaml"
    path.write_text(GRAPH.replace("feet_contact: [2, 2]", "roll: [-.1, .1]").replace("hands_contact", "duration"))
    with pytest.raises(SourceError) as error:
        load_graph(path)
    assert str(error.value) == (
        f"{path}:7:33: error: 'roll' cannot be measured: "
        "it exists only in space, and the character humanoid is planar\n"
        "        success: {torso: [-.3, .3], roll: [-.1, .1]}\n"
        "                                    ^^^^\n"
        "    `ctrlgraph measures` lists the measures that the character can have"
    )


def test_with_the_role_the_graph_is_read(directory: Path) -> None:
    path = directory / "characters" / "humanoid.yaml"
    path.write_text(path.read_text().replace("  shins:", "  feet: [rFoot, lFoot]\n  hands: [rHand]\n  shins:"))
    assert Project(directory).graph.node("squat").success["hands_contact"] == (0.0, 0.0)


@pytest.mark.parametrize("character", ["[1, 2]", "7", "null", "humaniod", "../../humanoid", "nul\\0"])
def test_a_character_that_cannot_be_read_is_told_for_itself_alone(directory: Path, character: str) -> None:
    path = directory / "graph.yaml"
    path.write_text(
        GRAPH.replace(
            "character: humanoid", f'character: "{character}"' if "\\" in character else f"character: {character}"
        )
    )
    codes = [finding.code for finding in check_graph(path)]
    assert codes and "missing-role" not in codes


def test_a_character_with_faults_hides_no_fault_of_the_graph_and_adds_none(directory: Path) -> None:
    (directory / "characters" / "humanoid.yaml").write_text("name: [")
    assert check_graph(directory / "graph.yaml") == []


def test_the_success_of_a_new_node_is_checked_too(directory: Path) -> None:
    path = directory / "graph.yaml"
    path.write_text(GRAPH.replace("feet_contact: [2, 2]", "flight: [0, 1]").replace("hands_contact", "duration"))
    request = CandidateRequest("controllers/stand.t", name="still", success={"hands_support": (0.0, 1.0)})
    with pytest.raises(CtrlGraphError) as error:
        find_candidate(Project(directory), request)
    assert str(error.value) == (
        "'hands_support' cannot be measured: the character humanoid has no hands and no feet"
        " (add them under 'roles' in the file of the character)"
    )


# --- the command ---


def test_the_command_tells_what_the_character_cannot_have_though_the_graph_is_refused(directory: Path, capsys) -> None:
    assert main(["--project", str(directory), "measures"]) == 0
    out = capsys.readouterr().out
    assert "feet_contact: humanoid has no feet\n" in out
    assert "hands_support: humanoid has no hands and no feet\n" in out
    assert "torso: " not in out and "tilt: " not in out
    assert "humanoid is planar, so it does not have duty_factor, " in out


def test_its_json_has_every_measure(directory: Path, capsys) -> None:
    assert main(["--project", str(directory), "measures", "--json"]) == 0
    said = json.loads(capsys.readouterr().out)
    measures = {each.pop("name"): each for each in said["measures"]}
    assert said["character"] == "humanoid"
    assert measures["head_height"] == {
        "unit": "m",
        "description": "height of the head's centre above the terrain below it at the end",
        "needs": {"head": 1},
        "sampled": "end",
        "scales": True,
        "bound": False,
        "plane": True,
        "space": True,
        "circular": False,
        "missing": [],
    }
    assert measures["feet_distance"]["missing"] == ["no feet"]
    assert [name for name, each in measures.items() if each["bound"]] == ["torso", "com_height", "tilt"]
    assert measures["tilt"]["missing"] == ["is planar"]


def test_it_lists_them_outside_a_project(tmp_path: Path, capsys, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["measures", "--json"]) == 0
    said = json.loads(capsys.readouterr().out)
    assert said["character"] is None
    assert {json.dumps(each["missing"]) for each in said["measures"]} == {"null"}
