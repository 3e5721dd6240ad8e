"""`ctrlgraph learn`: from a naive switch that fails to an edge that walks take."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import yaml
from small_project import GRAPH, make_small, texts

from ctrlgraph.cli.main import main
from ctrlgraph.errors import SourceError
from ctrlgraph.learning.evaluation import evaluate
from ctrlgraph.learning.learn import FEW, learn, stages, write_edge
from ctrlgraph.learning.learned_edges import candidate_file, joined_transition, present_file
from ctrlgraph.learning.search import Budget, SearchPlan, SearchResult
from ctrlgraph.learning.search_space import PRIORS
from ctrlgraph.learning.transition import BY_PATH, TransitionRequest, refined, transition_problem
from ctrlgraph.learning.tuning import HELD_OUT
from ctrlgraph.project.learned import read_learned
from ctrlgraph.project.project import Project
from ctrlgraph.robustness.perturbation import Perturbations
from ctrlgraph.robustness.worker_pool import WorkerPool
from ctrlgraph.terrain.terrain import TerrainPreview

ASKED = ["learn", "squat", "spring", "--only", "time", "--no-numerics", "--jobs", "1", "--seed", "3"]
SEARCH = [*ASKED, "--trials", "4", "--entries", "1", "--optimizer", "1+1", "--sigma", "3", "--generations", "12"]
LINE = "  - {from: squat, to: spring, kind: learned, parameters: learned/squat-spring.yaml}"


@pytest.fixture
def run(command):
    return lambda directory, *words: command("--project", directory, *words)


@pytest.fixture(scope="module")
def taught_once(tmp_path_factory) -> Path:
    """The small project after one `learn`."""
    directory = make_small(tmp_path_factory.mktemp("taught") / "small")
    # as from a command line, which is kept in the file
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("sys.argv", ["ctrlgraph", *SEARCH])
        assert main(["--project", str(directory), *SEARCH]) == 0
    return directory


@pytest.fixture
def taught(taught_once: Path, tmp_path: Path) -> Path:
    """A copy to be written into."""
    return Path(shutil.copytree(taught_once, tmp_path / "taught"))


# --- stages ---


@pytest.fixture
def spring(tmp_path) -> tuple[Project, TransitionRequest]:
    """The small project, and its transition that needs another time."""
    project = Project(make_small(tmp_path / "small"))
    fixed = Perturbations.of(project)
    return project, TransitionRequest(source="squat", target="spring", fixed=fixed, entries=1, numerics=False, seed=3)


def test_stages_begin_with_few_constants_and_end_with_a_bridging_script(spring) -> None:
    _, request = spring
    gait = replace(request, source_cycles=2)
    found = [(each.source_cycles, each.quantities, each.bridge) for each in stages(gait)]
    assert found == [(0, FEW, 0), (2, FEW, 0), (2, tuple(PRIORS), 0), (2, FEW, 2), (0, FEW, BY_PATH)]
    assert [each.quantities for each in stages(request)] == [FEW, tuple(PRIORS), FEW, FEW]


@pytest.mark.slow
def test_learning_ends_with_the_first_stage_that_is_better_than_the_direct_transition(spring) -> None:
    project, request = spring
    requests = [replace(request, quantities=each) for each in (("kd",), ("time",), tuple(PRIORS))]
    plan, pool = SearchPlan("1+1", sigma=3.0, seed=3), WorkerPool(work=evaluate)
    found = learn(project, requests, plan, Budget(12), pool, trials=4)
    assert found.improves
    assert found.request == requests[1]


def test_a_stage_without_constants_to_change_is_left_out(spring) -> None:
    project, request = spring
    requests = [replace(request, quantities=("cd",)), replace(request, quantities=("time",))]
    found = learn(project, requests, SearchPlan("1+1", seed=3), Budget(0), WorkerPool(work=evaluate), trials=1)
    assert found.request == requests[1]


# --- what is learned ---


@pytest.mark.slow
def test_the_file_has_what_changed_its_success_and_how_it_was_found(taught_once):
    file = read_learned(taught_once / "learned" / "squat-spring.yaml")
    assert (file.edge, file.source, file.bridge) == ("squat -> spring", None, None)
    [time] = [c for c in file.target.constants if c.id.startswith("spring.t/")]
    assert time.old == 0.12 < time.new <= 1.0  # within the script's own range
    assert file.target.program == Project(taught_once).program("spring").digest
    search = file.search
    assert search["command"] == (
        "ctrlgraph learn squat spring --only time --entries 1 --no-numerics --optimizer 1+1 --sigma 3.0 "
        "--generations 12 --trials 4 --seed 3"
    )
    assert (search["seed"], search["optimizer"], search["generations"], search["evaluations"]) == (3, "1+1", 12, 13)
    assert search["cost"]["after"] < search["cost"]["before"]
    held_out = file.held_out
    assert held_out["naive"]["successes"] == 0 < held_out["learned"]["successes"] <= held_out["learned"]["trials"] == 4
    assert held_out["seed"] == 3 + HELD_OUT


@pytest.mark.slow
def test_the_graph_gets_one_line_and_the_scripts_stay(taught_once, tmp_path):
    before, after = texts(make_small(tmp_path / "small")), texts(taught_once)
    assert set(after) - set(before) == {"learned/squat-spring.yaml"}
    assert {name for name in before if after[name] != before[name]} == {"graph.yaml"}
    assert after["graph.yaml"].splitlines() == [*GRAPH.splitlines(), LINE]


@pytest.mark.slow
def test_check_is_content_and_a_walk_takes_the_edge(run, taught):
    code, out, err = run(taught, "check")
    assert code == 0 and "0 errors, 0 warnings" in out + err
    code, out, _ = run(taught, "goto", "spring", "--from", "squat", "--seed", "5", "--json")
    assert code == 0, out
    with Project(taught).read_log() as log:
        attempts = list(log.attempts(json.loads(out)["run"]))
    last = attempts[-1]
    assert (last.source, last.node, last.edge_kind) == ("squat", "spring", "learned")
    assert run(taught, "learned", "squat-spring")[0] == 0


@pytest.mark.slow
def test_the_edge_runs_what_was_judged(taught, small):
    """The course of the written edge has the constants of the best candidate, to the bit."""
    request = TransitionRequest("squat", "spring", quantities=("time",), numerics=False, entries=1, seed=3)
    plan = SearchPlan("1+1", 3.0, seed=3)
    found = learn(small, [request], plan, Budget(12), WorkerPool(work=evaluate), trials=4)
    assert found.improves and found.naive.successes == 0
    write_edge(small, found, plan, "by hand")
    written = Project(small.directory)
    edge = written.graph.planned_edge("squat", "spring")
    course, cycles = written.edge_controller(edge, "spring", 1)
    values = found.problem.search_space.values(found.result.x)
    expected, times = joined_transition(small, found.problem.transition, 1, values)
    assert course.constants.tolist() == expected.constants.tolist() and cycles == times
    # and it is what the command found with the same seed
    assert read_learned(taught / "learned" / "squat-spring.yaml").target.constants == (
        read_learned(small.directory / "learned" / "squat-spring.yaml").target.constants
    )


# --- going on from what is there ---

AGAIN = ["learn", "squat", "spring", "--refine", "--no-numerics", "--jobs", "1", "--trials", "4", "--entries", "1"]


@pytest.mark.slow
def test_refining_begins_with_the_constants_of_the_present_edge(run, taught):
    project = Project(taught)
    edge = project.graph.planned_edge("squat", "spring")
    present, _ = project.edge_controller(edge, "spring", 1)
    request = refined(project, TransitionRequest("squat", "spring", numerics=False, entries=1, seed=3))
    problem, _ = transition_problem(project, request)
    course, _ = joined_transition(
        project, problem.transition, 1, problem.search_space.values([0.0] * len(problem.search_space))
    )
    assert course.constants.tolist() == pytest.approx(present.constants.tolist(), rel=1e-12)
    code, out, _ = run(taught, *AGAIN, "--generations", "0", "--seed", "4", "--json")
    assert code == 0
    assert json.loads(out)["held_out"]["learned"]["successes"] == 4


@pytest.mark.slow
def test_an_edge_for_a_slope_is_tried_on_others_as_it_will_run_there(taught, monkeypatch):
    project = Project(taught)
    request = TransitionRequest("squat", "spring", numerics=False, entries=1, seed=3)
    request = replace(refined(project, request), on=("slope", 2.0), fixed=Perturbations(slope=2.0))
    level, _ = project.edge_controller(project.graph.planned_edge("squat", "spring"), "spring", 1)
    plan = SearchPlan("1+1", 1.0, seed=3)
    found = learn(project, [request], plan, Budget(0), WorkerPool(work=evaluate), trials=2)
    monkeypatch.setattr(SearchResult, "x", np.full(len(found.problem.search_space), 0.5))
    values = found.problem.search_space.values(found.result.x)
    transition = found.problem.transition
    file = candidate_file(project, transition, values, request.on, present_file(project, transition))
    grounds = [TerrainPreview(slope) for slope in (-1.0, 0.0, 0.5, 1.5, 2.0, 3.0)]
    tried = [joined_transition(project, transition, 1, values, ground, file)[0].constants for ground in grounds]
    write_edge(project, found, plan, "by hand")
    written = Project(taught)
    edge = written.graph.planned_edge("squat", "spring")
    runs = [written.edge_controller(edge, "spring", 1, ground)[0].constants for ground in grounds]
    assert [each.tolist() for each in tried] == [each.tolist() for each in runs]
    assert runs[0].tolist() == runs[1].tolist() == level.constants.tolist()
    assert runs[2].tolist() != runs[1].tolist() and runs[4].tolist() == runs[5].tolist()
    kept = read_learned(taught / "learned" / "squat-spring.yaml")
    assert kept.condition == {"slope": (0.0, 2.0)}
    assert kept.search["command"].startswith("ctrlgraph learn squat spring")  # how it was learned for level ground
    assert kept.search["slope=2"]["command"] == "by hand" and "learned" in kept.held_out["slope=2"]


def change_script(directory):
    script = directory / "controllers" / "straighten.t"
    script.write_text(script.read_text().replace(".05)", ".04)"))


@pytest.mark.slow
def test_only_a_learned_edge_is_refined_also_a_stale_one(run, still, taught):
    code, _, err = run(still.directory, *AGAIN)
    hint = "learn it without --refine first"
    assert (code, err) == (1, f"error: there is no learned edge squat -> spring to refine: {hint}\n")
    code, _, err = run(taught, *AGAIN, "--only", "time")
    assert code == 2 and "omit --source-cycles" in err
    change_script(taught)
    project = Project(taught)
    with pytest.raises(SourceError, match="another version of 'spring'"):
        project.edge_controller(project.graph.planned_edge("squat", "spring"), "spring", 1)
    request = refined(project, TransitionRequest("squat", "spring", numerics=False, entries=1, seed=3))
    problem, _ = transition_problem(project, request)
    values = problem.search_space.values([0.0] * len(problem.search_space))
    learned = {each.id: each.new for each in read_learned(taught / "learned" / "squat-spring.yaml").target.constants}
    assert learned
    assert {name: values["target"][name] for name in learned} == pytest.approx(learned)
    code, out, _ = run(taught, *AGAIN, "--generations", "0", "--seed", "4", "--json")
    assert code == 0 and json.loads(out)["held_out"]["learned"]["trials"] == 4


@pytest.mark.slow
def test_a_stale_edge_with_constants_for_several_slopes_is_not_refined(run, taught):
    path = taught / "learned" / "squat-spring.yaml"
    data = yaml.safe_load(path.read_text())
    data["condition"] = {"slope": [0.0, 2.0]}
    for constant in data["target"]["constants"]:
        constant["new"] = [constant["new"], constant["new"]]
    path.write_text(yaml.safe_dump(data))
    change_script(taught)
    code, _, err = run(taught, *AGAIN)
    assert code == 1 and "another version of 'spring'" in err


def test_help_is_shown_before_stale_edges_are_learned(run, still):
    code, out, _ = run(still.directory, "learn", "--stale", "--help")
    assert code == 0 and out.startswith("Usage: ctrlgraph learn ")


# --- what is not written ---


@pytest.mark.slow
def test_a_ground_that_was_measured_before_is_to_be_measured_anew(run, small):
    graph = small.directory / "graph.yaml"
    line = "  - {from: squat, to: spring, ground: {slope: [-1, 1]}}"
    graph.write_text(graph.read_text() + line + "\n")
    code, out, _ = run(small.directory, *SEARCH)
    assert code == 0 and "written: " in out
    assert "to measure the range of the new edge, run: ctrlgraph robustness sweep 'squat->spring' slope=" in " ".join(
        out.split()
    )
    assert "ground: {slope: [-1, 1]}" in graph.read_text().splitlines()[-1]


def test_a_dry_run_writes_nothing_not_even_a_bridge(run, still):
    before = texts(still.directory)
    code, out, _ = run(still.directory, *ASKED, "--bridge", "8", "--generations", "0", "--trials", "1", "--dry-run")
    assert code == 0 and "nothing is written, because this is a dry run" in out
    assert texts(still.directory) == before


@pytest.mark.slow
def test_nothing_is_written_where_nothing_is_better(run, still):
    before = texts(still.directory)
    code, out, _ = run(still.directory, *ASKED, "--generations", "0", "--trials", "2")
    assert code == 0 and "nothing is written: the learned edge never succeeds in held-out cases" in out
    assert texts(still.directory) == before


@pytest.mark.slow
def test_a_learned_edge_is_not_replaced_by_one_that_is_no_better(run, taught):
    before = texts(taught)
    code, out, _ = run(taught, *SEARCH, "--json")
    found = json.loads(out)
    assert code == 0 and found["held_out"]["learned"]["successes"] > found["held_out"]["naive"]["successes"]
    assert found["improves"] is False and "the learned edge in the graph succeeds as often" in found["why"]
    assert found["written"] == [] and texts(taught) == before


# --- bridges ---


@pytest.mark.slow
def test_a_bridge_that_holds_is_written_and_checked(run, small):
    code, out, _ = run(small.directory, *ASKED, "--bridge", "8", "--generations", "0", "--trials", "2")
    assert code == 0, out
    file = read_learned(small.directory / "learned" / "squat-spring.yaml")
    assert file.bridge.script == "learned/squat_to_spring.t"
    assert (small.directory / file.bridge.script).read_text().startswith("# From the end of one motion")
    code, out, err = run(small.directory, "check")
    assert code == 0 and "0 errors, 0 warnings" in out + err
    assert run(small.directory, "goto", "spring", "--from", "squat", "--seed", "5")[0] == 0


# --- scripts that change ---


@pytest.mark.slow
def test_after_its_script_has_changed_the_edge_is_stale_and_refused_and_learned_anew(run, taught):
    script = taught / "controllers" / "straighten.t"
    script.write_text(script.read_text().replace(".05)", ".04)"))
    code, out, err = run(taught, "check")
    assert code == 1 and "another version of 'spring'" in out + err
    code, out, err = run(taught, "goto", "spring", "--from", "squat", "--seed", "5")
    assert code == 1 and "another version" in err and "Traceback" not in err
    code, out, err = run(taught, "learn", "--stale")
    assert code == 0 and "written: " in out
    code, out, err = run(taught, "check")
    assert code == 0 and "0 errors, 0 warnings" in out + err
    assert run(taught, "learn", "--stale")[1] == "no learned edge is stale\n"


# --- questions that make no sense ---


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["squat", "sprin"], "sprin"),
        (["squat", "spring", "--source-cycles", "2"], "'squat' is not a gait and has no additional cycles"),
        (["squat", "spring", "--target-cycles", "3"], "--target-cycles of 'spring' must be 1 to 1, not 3"),
        (["squat", "spring", "--bridge", "none.t"], "none.t"),
        (["squat", "spring", "--trials", "0"], "--trials, the number of held-out cases, must be at least 1, not 0"),
        (["squat", "spring", "--phase", "9"], "spring has no constant that the search may change"),
        (["squat", "spring", "--on", "gravity=3"], "'gravity=3' is not a slope or an obstacle"),
        (["squat", "spring", "--obstacle", "1:2"], "give X:WIDTH:HEIGHT in m"),
        (["squat", "spring", "--with", "slope=44", "--no-numerics"], "no case can be tested"),
    ],
)
def test_questions_that_make_no_sense_are_one_sentence(run, still, arguments, says):
    code, out, err = run(still.directory, "learn", *arguments, "--jobs", "1", "--seed", "1")
    assert code == 1 and out == ""
    assert says in err and "Traceback" not in err and "error: " in err
    assert not (still.directory / "learned").exists()


# --- projects of strangers ---


def test_a_directory_that_is_a_link_out_of_the_project_is_not_written_to(run, small, tmp_path):
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (small.directory / "learned").symlink_to(elsewhere)
    before = (small.directory / "graph.yaml").read_text()
    code, out, err = run(small.directory, *SEARCH)
    assert (code, out) == (1, "")  # before anything is searched
    assert err == (
        "error: 'learned/squat-spring.yaml' lies outside the project: give a relative path inside the project\n"
    )
    assert not list(elsewhere.iterdir()) and (small.directory / "graph.yaml").read_text() == before


def test_a_bridge_outside_the_project_is_refused(run, still):
    code, _, err = run(still.directory, *ASKED, "--bridge", "../x.t")
    assert code == 1
    assert err == "error: '../x.t' lies outside the project: give a relative path inside the project\n"


def test_perturbations_without_end_are_refused(run, still):
    code, _, err = run(still.directory, *ASKED, "--over", "push=-4000:4000:1,slope=-40:40:0.01")
    assert (code, err) == (1, "error: --over has 64016001 perturbations: give at most 10000\n")
