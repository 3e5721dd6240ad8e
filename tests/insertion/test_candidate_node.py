"""A candidate: which script or node is meant, and what cannot become a node."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from ctrlgraph.errors import CtrlGraphError, SourceError
from ctrlgraph.insertion.candidate_node import CandidateRequest, find_candidate, first_comment
from ctrlgraph.project.project import Project
from ctrlgraph.project.script_success import parse_conditions


def test_a_script_becomes_a_node_of_its_name_with_its_first_sentence(still: Project) -> None:
    node, known = find_candidate(still, CandidateRequest("controllers/straighten.t", (0.5,), cycles=(1, 2)))
    assert not known
    assert (node.name, node.file, node.args) == ("straighten", "controllers/straighten.t", (0.5,))
    assert node.description == "Straightens everything in a time, then waits for rest"
    assert node.cycles == (1, 2)


def test_the_path_may_be_one_from_the_current_directory(small: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(small.directory / "controllers")
    assert find_candidate(small, CandidateRequest("straighten.t", (0.5,)))[0].file == "controllers/straighten.t"


@pytest.mark.parametrize(
    ("script", "args"), [("squat", ()), ("controllers/squat.t", (0.6,)), ("controllers/spring.t", ())]
)
def test_a_node_or_its_script_with_its_arguments_is_that_node(still: Project, script: str, args) -> None:
    assert find_candidate(still, CandidateRequest(script, args)) == (still.graph.node(Path(script).stem), True)


def test_another_name_or_other_arguments_make_another_node(still: Project) -> None:
    twin, twin_known = find_candidate(still, CandidateRequest("controllers/spring.t", name="leap"))
    slow, slow_known = find_candidate(still, CandidateRequest("controllers/squat.t", (2.0,), name="slow_squat"))
    assert not twin_known and not slow_known
    assert (twin.name, slow.args) == ("leap", (2.0,))


def test_a_new_node_has_the_plausible_ranges_of_the_graph(still: Project) -> None:
    still.graph.plausible["slip"] = (0.0, 0.3)
    node, _ = find_candidate(still, CandidateRequest("controllers/straighten.t", (0.5,)))
    assert node.plausible == {"slip": (0.0, 0.3)}
    assert "plausible" not in node.as_dict()


def assert_refused(project: Project, asked: CandidateRequest, sentence: str) -> None:
    with pytest.raises(CtrlGraphError) as raised:
        find_candidate(project, asked)
    assert str(raised.value) == sentence


@pytest.mark.parametrize(
    ("asked", "sentence"),
    [
        (CandidateRequest("sprung"), "'sprung' is neither a node of the graph nor a script; did you mean 'spring'?"),
        (CandidateRequest("graph.yaml"), "'graph.yaml' is not a script: names of scripts end in .t or .s"),
        (
            CandidateRequest("controllers/squat.t", (2.0,)),
            "the graph already has a node 'squat' (controllers/squat.t): choose another name with --name",
        ),
        (
            CandidateRequest("spring", timeout=3.0),
            "'spring' is a node of the graph: change 'timeout' of this node in graph.yaml; --timeout is"
            " only for new nodes",
        ),
        (
            CandidateRequest("spring", name="leap"),
            "'spring' is already a node of the graph: omit --name, which is only for new nodes",
        ),
    ],
)
def test_what_cannot_be_a_new_node_is_said_in_one_sentence(still: Project, asked: CandidateRequest, sentence) -> None:
    assert_refused(still, asked, sentence)


FILES = " (names must not contain / \\ or ->, or begin with a dot or dash)"


@pytest.mark.parametrize(
    ("name", "fault"),
    [
        *(
            (name, f"is not a valid name: {name!r}{FILES}")
            for name in ("../../x/rise", "/rise", "a\\b", "..", "-a", "a->b")
        ),
        *((name, f"is not a valid name: {name!r}") for name in (" ", "a\x1b[2J")),
        ("a" * 200, "is too long for a name: 'aaaaaaaaaaaaaaaaaaaa'... has more than 100 bytes"),
    ],
)
def test_a_name_that_no_node_can_have_is_refused(still: Project, name: str, fault: str) -> None:
    asked = CandidateRequest("controllers/straighten.t", (1.0,), name=name)
    assert_refused(still, asked, f"the new node's name {fault}: give another name with --name")


def test_a_script_outside_the_project_is_to_be_copied_into_it(still: Project, tmp_path: Path) -> None:
    script = tmp_path / "far.t"
    script.write_text("BEGINSCRIPT far(void)\nENDSCRIPT\n")
    with pytest.raises(CtrlGraphError, match=r"lies outside the project: copy the script into"):
        find_candidate(still, CandidateRequest(str(script)))


def test_the_faults_of_a_script_are_shown_at_their_places(small: Project) -> None:
    (small.directory / "controllers" / "bad.t").write_text(
        "BEGINSCRIPT bad(void)\n  PHASE 0\n    ACTIONS\n      POSE rNee(1);\n    ENDACTIONS\n"
        "    TRANSITION to(-1).after(time 1);\n  ENDPHASE\nENDSCRIPT\n"
    )
    with pytest.raises(SourceError, match=r"bad\.t:4:12: error: .*rNee.*\n.*\n.*\n.*did you mean 'rKnee'\?"):
        find_candidate(small, CandidateRequest("controllers/bad.t"))
    with pytest.raises(SourceError, match="takes 1 argument"):
        find_candidate(small, CandidateRequest("controllers/straighten.t", (1.0, 2.0)))


def test_a_script_that_jumps_to_a_saved_state_is_refused(small: Project) -> None:
    (small.directory / "controllers" / "jump.t").write_text(
        "BEGINSCRIPT jump(void)\n  PHASE 0\n    SAVE here;\n    TRANSITION to(1).after(time 1);\n  ENDPHASE\n"
        "  PHASE 1\n    LOAD here;\n    TRANSITION to(-1).after(time 1);\n  ENDPHASE\nENDSCRIPT\n"
    )
    with pytest.raises(CtrlGraphError, match=r"^controllers/jump\.t uses LOAD: "):
        find_candidate(small, CandidateRequest("controllers/jump.t"))


@pytest.mark.parametrize(
    ("text", "comment"),
    [
        ("# A kip.\n# And more.\nBEGINSCRIPT kip(void)", "A kip"),
        ("\n\n#  From the stand,\n#  down. Slowly.\n", "From the stand, down"),
        ("BEGINSCRIPT kip(void)  # late\n# later", ""),
        ("# About 1.5 m/s, half of it in flight\n", "About 1.5 m/s, half of it in flight"),
        ("", ""),
    ],
)
def test_the_description_is_the_first_sentence_of_the_first_comment(text: str, comment: str) -> None:
    assert first_comment(text) == comment


def test_conditions_are_ranges_of_measures() -> None:
    assert parse_conditions(["torso=-0.3:.3", "com_height=0.88:", "com_speed=:0.1"]) == {
        "torso": (-0.3, 0.3),
        "com_height": (0.88, math.inf),
        "com_speed": (-math.inf, 0.1),
    }


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["torso"], "'torso' is not a condition MEASURE=LOW:HIGH, such as torso=-0.3:0.3"),
        (["torso=a:1"], "'torso=a:1' is not a condition MEASURE=LOW:HIGH: 'a' is not a number"),
        (["torso=1:0"], "'torso=1:0' is an empty range: LOW must not be above HIGH"),
        (["toso=0:1"], "there is no measure 'toso' (did you mean 'torso'?)"),
        (["torso=0:1", "torso=0:2"], "the measure torso is given twice: give one range for each measure"),
    ],
)
def test_conditions_of_another_form_are_refused(words: list[str], sentence: str) -> None:
    with pytest.raises(CtrlGraphError) as raised:
        parse_conditions(words)
    assert str(raised.value) == sentence
