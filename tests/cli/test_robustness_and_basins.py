"""The commands: what they print, and what they say to questions that make no sense."""

from __future__ import annotations

import functools
import json
from pathlib import Path

import numpy as np
import pytest
from small_project import make_project

from ctrlgraph.cli.display.sweeps import _print_grid, print_calibrations
from ctrlgraph.robustness.basins.basin import Sample
from ctrlgraph.robustness.basins.classifier import Basin, learn_basin
from ctrlgraph.robustness.sweeps.summary import PointSummary
from ctrlgraph.robustness.sweeps.sweep_log import Sweep, SweepStore


@pytest.fixture(scope="module")
def directory(tmp_path_factory) -> Path:
    """A copy of the shipped project, to write into."""
    parts = ("controllers", "characters", "scenarios", "learned")
    return make_project(tmp_path_factory.mktemp("project"), shipped=parts)


@pytest.fixture
def run(directory: Path, command):
    return functools.partial(command, "--project", directory)


def test_a_sweep_prints_a_table_and_is_stored(run, directory: Path) -> None:
    code, out, _ = run("robustness", "sweep", "stand", "slope=0,40", "--jobs", "1", "--seed", "3")
    assert code == 0
    lines = out.splitlines()
    assert lines[0] == "stand (nothing is random: one trial per point, seed 3)"
    assert lines[2].split()[:3] == ["0", "100", "%"]
    assert lines[3].split()[:3] == ["40", "0", "%"]
    assert lines[-1].startswith("sweep ")
    with SweepStore.read(directory / "runs") as store:
        assert [trial.recovered for trial in store.trials(store.sweeps()[-1].id)] == [True, False]


@pytest.mark.slow
def test_json_and_csv_are_the_same_for_any_number_of_jobs(run, tmp_path: Path) -> None:
    tables, points = [], []
    for jobs in ("1", "2"):
        path = tmp_path / f"{jobs}.csv"
        question = ("stand", "push=0:200:100", "--with", "noise=0.1", "--trials", "2", "--seed", "5")
        code, out, _ = run("robustness", "sweep", *question, "--jobs", jobs, "-o", str(path), "--json")
        assert code == 0
        tables.append(path.read_bytes())
        points.append(json.loads(out)["sweeps"][0]["points"])
    assert tables[0] == tables[1]
    assert points[0] == points[1]
    assert [point["trials"] for point in points[0]] == [2, 2, 2]


def test_a_limit_is_printed_in_both_directions(run) -> None:
    code, out, _ = run("robustness", "limit", "stand", "slope=5", "--jobs", "1", "--seed", "1", "--json")
    assert code == 0
    up, down = json.loads(out)["limits"]
    assert (up["direction"], down["direction"]) == (1, -1)
    assert up["fails"] == up["succeeds"] + 5


def test_a_point_where_nothing_is_drawn_is_said_to_have_one_trial(run) -> None:
    question = ("stand", "noise=0,0.1", "--trials", "2", "--jobs", "1", "--seed", "5")
    code, out, _ = run("robustness", "sweep", *question)
    assert code == 0
    lines = out.splitlines()
    assert lines[0] == "stand (2 trials per point, one where nothing is random, seed 5)"
    assert "(" not in lines[2] and "(34-100)" in lines[3]  # no interval where there is no chance
    assert lines[-1].startswith("sweep ") and ": 3 trials in " in lines[-1]


def test_a_finished_sweep_resumes_to_the_same_table_without_a_trial(run) -> None:
    run("robustness", "sweep", "stand", "slope=0,1", "--jobs", "1", "--seed", "3")
    code, out, _ = run("robustness", "sweep", "--resume", "last", "--jobs", "1", "--json")
    assert code == 0
    (sweep,) = json.loads(out)["sweeps"]
    assert (sweep["simulated"], sweep["complete"], len(sweep["points"])) == (0, True, 2)


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["wolk"], "error: the graph has no node 'wolk' (did you mean 'walk'?)\n"),
        ([], "error: the sweep has no target: give nodes, edges (a->b) or paths, or --all\n"),
        (["--scenario", "gait-slope"], "error: there is no scenario 'gait-slope' (did you mean 'gait-slopes'?)\n"),
        (["--resume", "nothing"], "error: there is no sweep 'nothing' in "),
    ],
)
def test_questions_that_make_no_sense_get_one_sentence(run, arguments, expected) -> None:
    run("robustness", "sweep", "stand", "--jobs", "1")  # there is a store
    code, out, err = run("robustness", "sweep", *arguments)
    assert (code, out) == (1, "")
    assert err.startswith(expected)
    assert "Traceback" not in err


def test_a_resumed_sweep_takes_no_other_question(run) -> None:
    code, _, err = run("robustness", "sweep", "walk", "--resume", "last")
    assert code == 2
    assert "--resume continues a sweep unchanged: omit targets, axes and other options" in err


@pytest.mark.slow
def test_basins_say_what_was_sampled(run, directory: Path) -> None:
    pytest.importorskip("sklearn")
    code, out, _ = run("robustness", "basins", "rise", "--samples", "12", "--jobs", "1", "--seed", "1", "--json")
    assert code == 0
    (basin,) = json.loads(out)["basins"]
    assert basin["samples"] == sum(source["samples"] for source in basin["sources"].values()) == 12
    assert (directory / "runs" / "basins" / "rise.npz").is_file()
    calibration = basin["calibration"]
    left_out = "source" if len(basin["sources"]) > 1 else "noise level"
    assert (calibration["left_out"], calibration["states"]) == (left_out, 12)
    assert sum(row["states"] for row in calibration["reliability"]) == 12


@pytest.mark.slow
def test_basins_print_their_calibration(capsys) -> None:
    pytest.importorskip("sklearn")
    states = np.random.default_rng(1).standard_normal((60, 3))
    samples = [Sample("ab"[k % 2], 0.1, state, bool(state[0] > 0)) for k, state in enumerate(states)]
    print_calibrations([learn_basin("walk", samples, 1), Basin("run", (), None)])
    title, row, table = capsys.readouterr().out.splitlines()
    assert title.split("  ")[:2] == ["node", "held out"]
    assert row.split()[:3] == ["walk", "2", "sources"]
    assert table.startswith("walk, success by prediction: 0-20 %: ")


def test_two_axes_are_a_table_with_a_row_for_each_value_of_the_first(capsys) -> None:
    sweep = Sweep("s", "walk", (("push", (0.0, 100.0)), ("phase", (0.0, 0.5, 1.0))), 4, 1)
    rates = {(0.0, 0.0): 4, (0.0, 0.5): 4, (0.0, 1.0): 4, (100.0, 0.0): 0, (100.0, 0.5): 2}
    points = [PointSummary((("push", a), ("phase", b)), 4, n, n) for (a, b), n in rates.items()]
    _print_grid(sweep, points)
    assert capsys.readouterr().out.splitlines() == [
        "recovered, %, by push (down) and phase (across)",
        "push    0  0.5    1",
        "   0  100  100  100",
        " 100    0   50",
    ]


@pytest.mark.slow
def test_the_slopes_on_which_an_edge_held_are_written_to_the_graph(run, directory: Path) -> None:
    before = (directory / "graph.yaml").read_text()
    question = ("slope=-1:1:1", "--write-ground", "--jobs", "1", "--seed", "4")
    code, out, _ = run("robustness", "sweep", "rise->stand", *question)
    assert (code, out.splitlines()[-1]) == (0, f"nothing to change: {directory / 'graph.yaml'}")
    assert (directory / "graph.yaml").read_text() == before
    code, out, _ = run("robustness", "sweep", "stand->hop", "slope=-20,0,20", *question[1:])
    assert code == 0
    assert "stand -> hop: slopes from 0 to 0 degrees" in out
    row = next(line for line in (directory / "graph.yaml").read_text().splitlines() if "to: hop" in line)
    assert row.endswith("ground: {slope: [0, 0]}}")
    code, _, err = run("robustness", "sweep", "stand", *question)
    assert (code, err) == (1, "error: 'stand' is not an edge (a->b): only edges have a ground range\n")
    (directory / "graph.yaml").write_text(before)


def test_samples_of_a_basin_are_not_kept_outside_the_project(small, tmp_path):
    from ctrlgraph.cli.commands.robustness.basins import learned_basins
    from ctrlgraph.errors import CtrlGraphError

    (tmp_path / "elsewhere").mkdir()
    (small.directory / "runs").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(CtrlGraphError) as caught:  # before anything is simulated
        learned_basins(small, ["spring"], 10, 1, None)
    assert str(caught.value) == (
        "'runs/basins/spring.npz' lies outside the project: give a relative path inside the project"
    )
