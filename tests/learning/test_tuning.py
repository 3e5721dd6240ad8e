"""Tuning: which constants of which scripts may change, and how they are written back."""

from __future__ import annotations

import re

import numpy as np
import pytest

from ctrlgraph.errors import CtrlGraphError
from ctrlgraph.files import write_texts
from ctrlgraph.learning.search_space import joined
from ctrlgraph.learning.tuning import (
    TuningRequest,
    check_quantities,
    node_search_space,
    rewritten,
    sources,
    tuning_problem,
)
from ctrlgraph.project.project import Project
from ctrlgraph.project.shipped import copy_project

NUMBER = re.compile(r"(?<![A-Za-z])-?\d*\.?\d+(?:e[-+]?\d+)?")


def problem_of(project: Project, target: str = "spring", **asked):
    return tuning_problem(project, TuningRequest(target, numerics=False, entries=1, **asked))[0]


def files_of(problem) -> set[str]:
    return {p.path.rpartition("/")[2] for item in problem.search_space.items for p in item.parameters}


def test_only_the_nodes_own_script_changes_unless_shared_ones_may(still):
    assert files_of(problem_of(still)) == {"spring.t"}
    assert files_of(problem_of(still, shared=True)) == {"spring.t", "straighten.t"}


def test_of_a_path_every_node_or_the_named_ones_change(still):
    assert files_of(problem_of(still, "stand->spring")) == {"stand.t", "spring.t"}
    assert files_of(problem_of(still, "stand->spring", scripts=("spring",))) == {"spring.t"}


def test_only_chosen_kinds_and_phases_change(still):
    items = problem_of(still, "stand", quantities=("cd", "cv"), phases=(1,)).search_space.items
    assert {(item.quantity, item.phase) for item in items} == {("cd", 1), ("cv", 1)}


def test_an_unknown_kind_or_node_is_refused(still):
    with pytest.raises(CtrlGraphError, match="there is no kind of constant 'anglle': use angle"):
        check_quantities(["anglle"])
    with pytest.raises(CtrlGraphError, match="sprin"):
        problem_of(still, "sprin")


def test_the_arguments_of_the_graph_file_stay(still):
    items = problem_of(still, "stand").search_space.items
    assert not any(p.is_argument for item in items for p in item.parameters)


def test_the_text_is_kept_but_for_the_numbers(still):
    problem = problem_of(still, shared=True, quantities=("time", "cd"))
    x = np.full(len(problem.search_space), 0.7)
    for path, text in rewritten(problem.search_space, x).items():
        before = path.read_text()
        assert text != before
        assert NUMBER.sub("N", text) == NUMBER.sub("N", before)
    [spring] = [text for path, text in rewritten(problem.search_space, x).items() if path.name == "spring.t"]
    assert "0.05, 1>);   # in so many seconds" in spring


def test_the_origin_writes_the_values_that_there_are(still):
    problem = problem_of(still, shared=True)
    for path, text in rewritten(problem.search_space, np.zeros(len(problem.search_space))).items():
        assert [float(word) for word in NUMBER.findall(text)] == [
            float(word) for word in NUMBER.findall(path.read_text())
        ]


def test_line_ends_and_the_byte_order_mark_are_kept(small):
    script = small.directory / "controllers" / "spring.t"
    script.write_bytes(b"\xef\xbb\xbf" + script.read_bytes().replace(b"\n", b"\r\n"))
    lines = script.read_bytes().count(b"\r\n")
    problem = problem_of(Project(small.directory))
    write_texts(rewritten(problem.search_space, [1.0]))
    written = script.read_bytes()
    assert written.startswith(b"\xef\xbb\xbf#") and written.count(b"\r\n") == written.count(b"\n") == lines
    assert b"0.1394 <0.05, 1>" in written


def test_a_tuned_script_contains_what_was_tried(small):
    problem = problem_of(small)
    x = [2.0]
    for path, text in rewritten(problem.search_space, x).items():
        path.write_text(text)
    [(name, value)] = problem.search_space.values(x)[""].items()
    program = Project(small.directory).program("spring")
    assert [program.constants[i] for i, p in enumerate(program.parameters) if p.id == name] == [value]


FILES = [("tracking", "tracking_walk", "walk.yaml"), ("five-link", "regulated", "six-steps.yaml")]


@pytest.mark.parametrize("line_end", ["\n", "\r\n"])
@pytest.mark.parametrize(("shipped", "node", "file"), FILES)
def test_the_numbers_of_a_tracking_or_regulator_file_are_written_back_among_its_comments(
    tmp_path, shipped: str, node: str, file: str, line_end: str
) -> None:
    copy_project(tmp_path / "project", shipped)
    project = Project(tmp_path / "project")
    for each in project.directory.glob(f"*/{file}"):
        each.write_bytes(each.read_bytes().replace(b"\n", line_end.encode()))
    space = joined([node_search_space(project, node, TuningRequest(node))])
    x = np.linspace(-0.4, 0.6, len(space))
    [(path, text)] = rewritten(space, x).items()
    assert path.name == file
    before = path.read_bytes().decode()
    assert NUMBER.sub("N", text) == NUMBER.sub("N", before) and text != before
    write_texts({path: text})
    wanted = space.values(x)[""]
    controller = Project(tmp_path / "project").controller(node)
    found = dict(zip((p.id for p in controller.parameters), controller.constants.tolist(), strict=True))
    assert wanted and {name: found[name] for name in wanted} == wanted


def test_a_number_that_a_tracking_file_leaves_out_is_not_tuned(tmp_path) -> None:
    copy_project(tmp_path / "project", "five-link")
    path = tmp_path / "project" / "tracking" / "walk.yaml"
    path.write_text(path.read_text().replace("gains: {eps: 0.05, k_s: 10}", "gains: {eps: 0.05}"))
    ids = {
        parameter.id
        for item in node_search_space(Project(tmp_path / "project"), "walk", TuningRequest("walk")).items
        for parameter in item.parameters
    }
    assert "walk.yaml/gains/eps" in ids and "walk.yaml/gains/k_s" not in ids and "walk.yaml/ground/lean" not in ids


def test_two_constants_with_one_number_by_an_alias_are_refused(tmp_path) -> None:
    copy_project(tmp_path / "project", "quadruped")
    path = tmp_path / "project" / "controllers" / "trot.yaml"
    path.write_text(path.read_text().replace("front left: [", "front left: &same [", 1))
    lines = path.read_text().splitlines(keepends=True)
    path.write_text("".join("  hind right: *same\n" if line.startswith("  hind right:") else line for line in lines))
    space = joined([node_search_space(Project(tmp_path / "project"), "trot", TuningRequest("trot"))])
    with pytest.raises(CtrlGraphError, match="share one number by an alias"):
        sources(space)
