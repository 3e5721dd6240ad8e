"""Failures by phase and script line, with the line quoted."""

from __future__ import annotations

import os
from pathlib import Path

from report_samples import attempt, trial

from ctrlgraph.control.script.bounds import MAX_BYTES
from ctrlgraph.report.node_pages import NOT_RECOVERED, ScriptLines, failure_rows
from ctrlgraph.run_log.statistics import summarize


def rows(tmp_path: Path, attempts=(), trials=()):
    (tmp_path / "a.t").write_text("BEGINSCRIPT a(void)\n  PHASE 0  # down\nENDSCRIPT\n")
    return failure_rows(summarize(attempts).failures, trials, ScriptLines(tmp_path))


def test_the_line_is_quoted_without_its_indentation(tmp_path: Path) -> None:
    (row,) = rows(tmp_path, [attempt("r", 1, "squat", "stand", ok=False, script="a.t", line=2)])
    assert (row.quote, row.place, row.phase) == ("PHASE 0  # down", "a.t:2", 1)


def test_missing_lines_and_scripts_have_no_quote(tmp_path: Path) -> None:
    gone = [attempt("r", 1, "squat", "stand", ok=False, script=s, line=n) for s, n in (("b.t", 1), ("a.t", 9))]
    gone.append(attempt("r", 1, "squat", "stand", ok=False, script=None, line=None))
    assert [(row.quote, row.place) for row in rows(tmp_path, gone)] == [("", ""), ("", "a.t:9"), ("", "b.t:1")]


def test_files_outside_the_project_are_not_quoted(tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("mine\n")
    project = tmp_path / "project"
    project.mkdir()
    (project / "long").write_text("mine\n" + "x" * MAX_BYTES)
    (project / "link").symlink_to(tmp_path / "secret")
    names = ("../secret", str(tmp_path / "secret"), "link", "long", "a\0b", ".")
    assert [ScriptLines(project).line(name, 1) for name in names] == [""] * len(names)


def test_failures_that_differ_only_in_numbers_are_merged(tmp_path: Path) -> None:
    failed = [attempt("r", i, "squat", "stand", ok=False, reason=f"torso 1.{i} is above 1") for i in range(3)]
    tried = [trial("squat", (), i, False, reason=f"torso 2.{i} is above 1", phase=1, line=3) for i in range(2)]
    (row,) = rows(tmp_path, [*failed, attempt("r", 9, "squat", "stand")], [*tried, trial("squat", (), 9, True)])
    assert (row.walks, row.trials, row.total, row.reason) == (3, 2, 5, "torso is above 1")


def test_failures_after_the_target_are_separate(tmp_path: Path) -> None:
    after = trial(
        "walk", (), 0, False, succeeded=True, status="completed", reason="then stand failed: torso 1.2 is above 1"
    )
    on_the_way = trial("walk", (), 1, False, reason="on the way, squat failed: torso 1.2 is above 1", script=None)
    found = {(row.status, row.reason, row.place) for row in rows(tmp_path, (), [after, on_the_way])}
    assert found == {
        (NOT_RECOVERED, "then stand failed: torso is above 1", ""),
        ("failed", "on the way, squat failed: torso is above 1", ""),
    }


def test_the_most_frequent_failure_comes_first(tmp_path: Path) -> None:
    failed = [attempt("r", i, "squat", "stand", ok=False, phase=min(i, 1)) for i in range(4)]
    assert [(row.phase, row.walks) for row in rows(tmp_path, failed)] == [(1, 3), (0, 1)]


def test_lines_of_oversized_scripts_are_not_quoted(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.t")
    with (tmp_path / "large.t").open("wb") as file:
        file.truncate(2**40)
    failed = [attempt("r", 1, "squat", "stand", ok=False, script=name, line=1) for name in ("pipe.t", "large.t")]
    assert [(row.quote, row.place) for row in rows(tmp_path, failed)] == [("", "large.t:1"), ("", "pipe.t:1")]
