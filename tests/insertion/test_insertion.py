"""A new controller is taken into the graph: real physics on a small project, from its script to its edges."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from small_project import FALLING_SIT, OLD_HUMANOID

from ctrlgraph.cli.main import main
from ctrlgraph.graph.model import Edge, NodeKind
from ctrlgraph.insertion import transition_optimizer as pair_learning
from ctrlgraph.insertion.candidate_edges import CandidateEdges, CandidateReport
from ctrlgraph.insertion.candidate_node import CandidateRequest, IntegrationRequest, find_candidate
from ctrlgraph.insertion.candidate_transitions import try_pairs
from ctrlgraph.insertion.insertion import Integration, integrate, work_of
from ctrlgraph.insertion.insertion_report import as_dict, summary
from ctrlgraph.insertion.proposal import apply_proposal, proposal_of
from ctrlgraph.insertion.scratch_project import staged
from ctrlgraph.insertion.transition_optimizer import TransitionOptimizer
from ctrlgraph.project.project import Project
from ctrlgraph.project.rollout_request import carry_out, find_rollout
from ctrlgraph.robustness.worker_pool import Interrupted, WorkerPool, open_pool

LEAN = """\
# Leans forward a little. From the squat it stays low.
BEGINSCRIPT lean(void)
  PHASE 0
    ACTIONS
      POSE waist(0.12, 600, 60);
      VFFB uTorso(2000, 250).by(rAnkle).over(cop);
      VFFB uTorso(2000, 250).by(lAnkle).over(cop);
    ENDACTIONS
    TRANSITION to(-1).after(time 0.8);
  ENDPHASE
ENDSCRIPT
"""

WAITING = """\
BEGINSCRIPT waiting(void)
  PHASE 0
    TRANSITION to(-1).after(time 100);
  ENDPHASE
ENDSCRIPT
"""


class Quiet:
    """Watches nothing."""

    def begun(self, what: str, total: int) -> None: ...

    def advanced(self, done: int) -> None: ...

    def searching(self, what: str, generations: int) -> None: ...

    def generation(self, done: object) -> None: ...


@pytest.fixture
def leaning(small: Project) -> Project:
    """The poses of the small project, with a script that is no node yet."""
    (small.directory / "controllers" / "lean.t").write_text(LEAN)
    lines = small.graph_path.read_text().splitlines(keepends=True)
    begins = next(i for i, line in enumerate(lines) if line.startswith("  spring:"))
    kept = [*lines[:begins], *lines[begins + 2 :]]
    small.graph_path.write_text("".join(line for line in kept if "spring}" not in line and "from: spring" not in line))
    return Project(small.directory)


def files(directory: Path) -> dict[str, bytes]:
    return {
        path.relative_to(directory).as_posix(): path.read_bytes() for path in directory.rglob("*") if path.is_file()
    }


def timeless(found: dict) -> dict:
    """Without what the clock says."""
    return {**found, "wall_s": None, "pairs": [{**pair, "wall_s": None} for pair in found["pairs"]]}


@pytest.mark.slow
def test_what_succeeds_is_joined_and_the_graph_can_be_walked(leaning: Project, capsys) -> None:
    before = files(leaning.directory)
    arguments = ("integrate", "controllers/lean.t", "--trials", "6", "--seed", "3", "--minutes", "0", "--jobs", "1")
    project = ("--project", str(leaning.directory))
    assert main([*project, *arguments, "--dry-run", "--json"]) == 0
    said = json.loads(capsys.readouterr().out)
    kept = {path: data for path, data in files(leaning.directory).items() if not path.startswith("runs/")}
    assert kept == before  # a dry run
    assert {(a, b) for a, b, _ in said["joined"]} >= {("stand", "lean"), ("lean", "stand")}
    assert said["proposed"] == ["kind", "timeout", "success"]
    assert said["node"]["description"] == "Leans forward a little"
    assert said["node"]["success"]["com_height"][0] > 0.8  # upright is meant, where the most runs end
    assert [ends["after"] for ends in said["ends"] if ends["like"] == "squat"] == [["squat"]]

    (low,) = [pair for pair in said["pairs"] if (pair["from"], pair["to"]) == ("squat", "lean")]
    assert (low["edge"], low["naive"]["successes"]) == (None, 0)
    assert (low["failure"]["node"], low["failure"]["place"]) == ("lean", "lean.t:3")
    assert "com_height" in low["failure"]["reason"]

    # the same for any number of jobs, and this time it is written
    request = IntegrationRequest(CandidateRequest("controllers/lean.t"), trials=6, minutes=0, seed=3, jobs=2)
    found = integrate(leaning, request, Quiet())
    assert timeless(json.loads(json.dumps(as_dict(found)))) == timeless(
        {k: v for k, v in said.items() if k not in ("written", "proposal")}
    )
    assert apply_proposal(leaning, proposal_of(leaning, found)) == [leaning.graph_path]
    text = leaning.graph_path.read_text()
    for line in before["graph.yaml"].decode().splitlines(keepends=True):
        assert line in text
    joined = Project(leaning.directory)
    assert joined.graph.node("lean") == found.node
    assert {str(edge) for edge in found.edges} <= {str(edge) for edge in joined.graph.edges}
    request = find_rollout(joined, "lean")
    assert carry_out(joined, request, after=joined.graph.node("stand")).outcome.succeeded


@pytest.mark.parametrize("script", ["lean.t", "mine/new/lean.t"])
def test_a_newcomer_may_lie_anywhere_in_the_project(leaning: Project, script: str) -> None:
    path = leaning.directory / script
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(LEAN)
    candidate, _ = find_candidate(leaning, CandidateRequest(script))
    edges = [Edge("stand", "lean"), Edge("lean", "stand")]
    with staged(leaning) as scratch_project:
        copy = scratch_project.put([*leaning.graph, candidate], [*leaning.graph.edges, *edges])
        assert copy.graph.node("lean").file == script
        assert copy.program("lean").digest == leaning.program(candidate).digest


@pytest.mark.slow
def test_what_comes_near_is_learned_and_runs_as_a_learned_edge(leaning: Project) -> None:
    asked = CandidateRequest("controllers/lean.t", success={"torso": (0.25, 0.6), "com_height": (0.9, 1.1)})
    candidate, _ = find_candidate(leaning, asked)
    with staged(leaning) as scratch_project:
        candidate_edges = CandidateEdges(leaning, candidate, False, scratch_project)
        report = candidate_edges.reports["stand", "lean"] = CandidateReport(("stand", "lean"))
        evaluation_plans = {report.pair: candidate_edges.ways_in("stand")}
        report.naive = try_pairs(candidate_edges.staged(), evaluation_plans, 6, 3, WorkerPool(work=work_of))[
            report.pair
        ]
        assert report.naive.successes == 0
        learner = TransitionOptimizer(
            candidate_edges, IntegrationRequest(asked, 6, 1, seed=3), lambda: open_pool(1, work=work_of), Quiet()
        )
        assert learner.next() is report
        learner.learn(report)
        assert report.edge is not None and report.edge.parameters == "learned/stand-lean.yaml", report.tries
        assert report.learned is not None and report.learned.successes == report.learned.trials
        project = candidate_edges.staged()
        program, cycles = project.edge_controller(report.edge, "lean", 1)
        assert not (program.constants == project.program("lean").constants).all()
        assert "ctrlgraph learn stand lean" in learner.files["learned/stand-lean.yaml"]
        assert cycles == 1


def test_an_interruption_keeps_what_was_found(small: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object, **__: object) -> None:
        raise Interrupted

    monkeypatch.setattr(pair_learning, "learn", interrupted)
    monkeypatch.setattr(pair_learning, "PROMISING", 0.0)  # what does not hold is learned, however far it is
    request = IntegrationRequest(CandidateRequest("spring"), trials=6, seed=4)
    found = integrate(small, request, Quiet())
    assert found.interrupted and found.known
    assert [str(edge) for edge in found.edges] == ["spring -> squat"]
    assert {report.pair for report in found.reports} == {("squat", "spring"), ("spring", "squat")}
    assert found.graph is not None and found.graph.planned_edge("spring", "squat") is not None


def test_a_script_that_never_ends_is_reported_with_its_line(small: Project, capsys) -> None:
    (small.directory / "controllers" / "waiting.t").write_text(WAITING)
    words = ["integrate", "controllers/waiting.t", "--timeout", "0.5", "--jobs", "1", "--dry-run"]
    assert main(["--project", str(small.directory), "-v", *words]) == 1
    err = capsys.readouterr().err
    assert "Traceback" not in err and "error" not in err  # a result of the trials
    assert err.splitlines()[-1] == (
        "waiting would be a draft, which no walk enters: it completes after no node, so no success conditions can be"
        " proposed: from the start pose, timeout: not ended after 0.5 s (waiting.t:2)"
    )


@pytest.mark.slow
def test_a_pose_that_sits_upright_is_distinguished_from_the_falls_beside_it(leaning: Project) -> None:
    # the script holds the seat with the hands of the older body; the shipped one rolls onto its back from everywhere
    shutil.copy(OLD_HUMANOID / "characters" / "humanoid.yaml", leaning.directory / "characters")
    (leaning.directory / "controllers" / "sit.t").write_text(FALLING_SIT)
    request = IntegrationRequest(
        CandidateRequest("controllers/sit.t", (1.0,), kind="static"), trials=6, minutes=0, seed=1
    )
    found = integrate(Project(leaning.directory), request, Quiet())
    first, *others = [(group.label, group.sources) for group in found.groups]
    assert first == ("upright, on seat, hands and feet", ("squat",))
    assert others == [("on the ground, face up", ("", "stand"))]
    low, high = found.node.success["torso"]
    assert 0.0 < low < 0.46 < high < 0.9
    assert [ending.source for ending in found.looks if ending.completed] == ["squat"]
    into = {report.pair[0]: report.naive for report in found.reports if report.pair[1] == "sit"}
    assert into["squat"] is not None and into["squat"].successes == into["squat"].trials
    assert into["stand"] is not None and into["stand"].successes == 0


# Bends the knees: its success asks for the way there, which does not hold again from its own end.
DIP = """\
SET SUCCESS com_height = 0.7:0.93
SET SUCCESS com_speed = :0.3
SET SUCCESS max_com_height = 0.93:
BEGINSCRIPT dip(void)
  PHASE 0
    ACTIONS
      LIPOSE bHip(-.9, 500, 40).time(.6), bKnee(1.1, 430, 40).time(.6), bAnkle(-.35, 290, 45).time(.6);
      VFFB uTorso(2000, 170).by(bAnkle).over(cop);
    ENDACTIONS
    TRANSITION to(-1).after(time 1.2);
  ENDPHASE
ENDSCRIPT
"""


def integrated_dip(project: Project, **given: str) -> Integration:
    (project.directory / "controllers" / "dip.t").write_text(DIP)
    asked = CandidateRequest("controllers/dip.t", **given)
    return integrate(project, IntegrationRequest(asked, trials=6, minutes=0, seed=3, only=("stand",)), Quiet())


def test_a_motion_that_does_not_succeed_from_its_own_end_is_not_taken_for_a_pose(leaning: Project) -> None:
    found = integrated_dip(leaning)
    assert found.node.kind is NodeKind.DYNAMIC
    assert [str(edge) for edge in found.edges] == ["stand -> dip", "dip -> stand"]


def test_a_draft_reports_its_own_conditions_from_the_motion_after_it(leaning: Project) -> None:
    found = integrated_dip(leaning, kind="static")
    why = "a second run from the end of the first fails: max_com_height 0.85 is below 0.93"
    assert found.node.draft == f"no transition into it succeeds: after stand its own conditions are met, but {why}"
    into = next(report for report in found.reports if report.pair == ("stand", "dip"))
    assert into.failure is not None and into.failure.after
    assert (into.as_dict()["own_conditions"], into.as_dict()["naive"]["successes"]) == (4, 0)
    assert any(f"dip's own conditions were met in 4 of 4, but {why}" in line for line in summary(found))


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (
            ["spring", "--cycles", "3:2"],
            "--cycles must be LO:HI with whole numbers of at least 1, such as 3:8, not '3:2'",
        ),
        (["nowhere.t"], "'nowhere.t' is neither a node of the graph nor a script"),
    ],
)
def test_questions_that_make_no_sense_get_one_sentence(still: Project, capsys, arguments, sentence: str) -> None:
    assert main(["--project", str(still.directory), "integrate", *arguments]) == 1
    assert capsys.readouterr().err == f"error: {sentence}\n"
