"""`ctrlgraph trace`: tables and pictures of what nodes, scripts and logged walks did."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest
from mistakes import read_mistakes

from ctrlgraph.pictures.signal_figure import lanes_of

MISTAKES = read_mistakes("trace_commands.txt")


def columns(path: Path) -> dict[str, list[str]]:
    with path.open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    return {name: [row[name] for row in rows] for name in rows[0]}


def test_a_node_is_written_as_a_table_and_a_picture(run, tmp_path: Path) -> None:
    table, picture = tmp_path / "squat.csv", tmp_path / "squat.png"
    words = ["--from", "stand", "-o", str(table), "-o", str(picture), "--lanes", "phase,joints=rKnee"]
    code, out, _ = run("trace", "squat", *words)
    assert code == 0
    assert [line.partition(":")[0].rpartition("/")[2] for line in out.splitlines()] == ["squat.csv", "squat.png"]
    written = columns(table)
    assert set(written["node"]) == {"squat"}
    assert float(written["com_y"][-1]) < float(written["com_y"][0]) - 0.2
    assert picture.stat().st_size > 10_000


def test_a_run_is_simulated_again(run, tmp_path: Path) -> None:
    assert run("walk", "--random", "--transitions", "3", "--seed", "4")[0] == 0
    code, out, _ = run("trace", "last", "-o", str(tmp_path / "w.csv"), "--only", "node,com_x", "--json")
    assert code == 0
    told = json.loads(out)
    assert told["columns"] == {"time": "s", "node": "", "com_x": "m"}
    written = columns(tmp_path / "w.csv")
    assert len(written["time"]) == told["samples"]
    assert len(set(written["node"])) >= 2


@pytest.mark.parametrize("words", MISTAKES)
def test_what_cannot_be_traced_is_told_in_a_sentence_and_writes_nothing(words: str, run, tmp_path: Path) -> None:
    code, _, err = run("trace", *words.split(), "-o", str(tmp_path / "x.csv"))
    assert code != 0
    assert MISTAKES[words].shown in err
    assert not list(tmp_path.glob("x.*"))


def test_a_table_of_another_kind_is_refused_before_anything_is_simulated(run, tmp_path: Path) -> None:
    code, _, err = run("trace", "squat", "-o", str(tmp_path / "x.xlsx"))
    assert code == 2
    assert "does not end in .csv, .parquet, .npz, .png or .svg" in err


def test_a_motion_for_an_animation_program_is_written_by_another_command(run, tmp_path: Path) -> None:
    code, _, err = run("trace", "squat", "-o", str(tmp_path / "x.bvh"))
    assert code == 2
    assert "x.bvh' does not end in .csv, .parquet, .npz, .png or .svg; `ctrlgraph export` writes such files" in err


def test_columns_are_chosen_for_tables_alone(run, tmp_path: Path) -> None:
    code, _, err = run("trace", "squat", "-o", str(tmp_path / "x.png"), "--only", "com_x")
    assert code == 2
    assert "--only needs an output file that ends in .csv or .parquet or .npz: give -o FILE" in err


def test_both_sides_are_two_lanes(run, tmp_path: Path) -> None:
    names = ["time", "angle.rKnee", "target.rKnee", "angle.lKnee", "target.lKnee", "x.rFoot", "x.lFoot"]
    assert [lane.title for lane in lanes_of(["joints=bKnee"], names)] == ["rKnee joints", "lKnee joints"]
    assert [lane.title for lane in lanes_of(["angle.bKnee", "x.bFoot"], names)] == names[1:4:2] + names[5:]
    code, _, err = run("trace", "squat", "-o", str(tmp_path / "x.png"), "--lanes", "torques=bKnie")
    assert code != 0
    assert "'torques=bKnie' is not the name of a signal or lane; did you mean" in err
