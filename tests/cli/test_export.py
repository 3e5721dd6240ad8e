"""`ctrlgraph export`: motions, the character and the graph, read back by the programs that they are for."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import networkx as nx
import pandas
import pytest

from ctrlgraph.export import SUFFIXES
from ctrlgraph.extras import is_there

QUADRUPED = Path(__file__).parents[2] / "projects" / "quadruped"


def test_one_motion_is_written_in_every_format_that_is_asked_for(run, tmp_path: Path) -> None:
    files = [tmp_path / f"squat{suffix}" for suffix in SUFFIXES if suffix != ".rrd" or is_there("rerun")]
    outputs = [word for file in files for word in ("-o", str(file))]
    code, out, _ = run("export", "squat", "--from", "stand", "--rate", "50", "--json", *outputs)
    assert code == 0
    assert json.loads(out) == {"files": [str(file) for file in files]}
    table = pandas.read_parquet(tmp_path / "squat.parquet")
    assert len(pandas.read_csv(tmp_path / "squat.csv")) == len(table)
    assert "Frame Time: 0.02" in (tmp_path / "squat.bvh").read_text()
    assert (tmp_path / "squat.xml").read_text().count("<key ") == pytest.approx(len(table), abs=1)


def test_a_motion_in_space_is_written_in_every_format(command, tmp_path: Path, monkeypatch) -> None:
    monkeypatch.chdir(QUADRUPED)
    suffixes = [suffix for suffix in SUFFIXES if suffix != ".rrd" or is_there("rerun")]
    outputs = [word for suffix in suffixes for word in ("-o", str(tmp_path / f"bow{suffix}"))]
    code, _, err = command("export", "bow", "--from", "stand", "--seconds", "0.5", "--with", "slope=3", *outputs)
    assert code == 0, err
    assert all((tmp_path / f"bow{suffix}").stat().st_size > 1000 for suffix in suffixes)
    picture = tmp_path / "bow.png"
    words = ["--lanes", "contacts,com,joints=FL_knee,forces=FL_shank,places=trunk", "-o", str(picture)]
    assert command("trace", "bow", "--from", "stand", "--seconds", "0.5", *words)[0] == 0
    assert picture.stat().st_size > 10_000


def test_the_character_in_space_is_written_but_not_over_another_file(command, tmp_path: Path, monkeypatch) -> None:
    monkeypatch.chdir(QUADRUPED)
    path = tmp_path / "robot.xml"
    assert command("export", "-o", str(path))[0] == 0
    text = path.read_text()
    assert command("export", "-o", str(path))[0] == 0  # the same
    path.write_text(text + "<!-- changed -->")
    code, _, err = command("export", "-o", str(path))
    assert code != 0
    assert "robot.xml exists with other contents: choose another name, or delete it" in err
    assert path.read_text() == text + "<!-- changed -->"


@pytest.mark.parametrize("what", [[], ["bow"]], ids=["character", "motion"])
def test_an_export_does_not_replace_the_project_s_own_character(command, tmp_path: Path, monkeypatch, what) -> None:
    shutil.copytree(QUADRUPED, tmp_path / "robot")
    monkeypatch.chdir(tmp_path / "robot")
    before = Path("characters/quadruped.xml").read_bytes()
    code, _, err = command("export", *what, "-o", "characters/../characters/quadruped.xml")
    assert code != 0
    assert "is the project's character: give another name to export to" in err
    assert Path("characters/quadruped.xml").read_bytes() == before


def test_a_run_is_exported_as_it_is_traced(run, tmp_path: Path) -> None:
    assert run("walk", "--random", "--transitions", "2", "--seed", "4", "--with", "terrain=slope=2")[0] == 0
    code, _, err = run("export", "last", "-o", str(tmp_path / "w.xml"), "-o", str(tmp_path / "w.csv"))
    assert code == 0
    assert [line.rpartition("/")[2] for line in err.splitlines()] == ["w.xml", "w.csv"]
    assert 'type="box"' in (tmp_path / "w.xml").read_text()  # the slope
    assert run("trace", "last", "-o", str(tmp_path / "t.csv"))[0] == 0
    assert (tmp_path / "t.csv").read_bytes() == (tmp_path / "w.csv").read_bytes()


def test_the_graph_has_its_logged_success(run, tmp_path: Path) -> None:
    files = [tmp_path / "g.graphml", tmp_path / "g.dot"]
    assert run("export", "-o", str(files[0]))[0] == 0
    assert "attempts" not in nx.read_graphml(files[0]).nodes["stand"]  # nothing is logged yet
    assert run("walk", "--random", "--transitions", "6", "--seed", "4")[0] == 0
    assert run("export", "-o", str(files[0]), "-o", str(files[1]))[0] == 0
    graph = nx.read_graphml(files[0], force_multigraph=True)
    code, out, _ = run("log", "stats", "--json")
    assert code == 0
    for row in json.loads(out)["edges"]:
        edge = graph.edges[row["source"], row["target"], row["kind"]]
        assert {name: edge[name] for name in ("attempts", "successes", "rate", "low")} == {
            name: row[name] for name in ("attempts", "successes", "rate", "low")
        }
        told = f'tooltip="{row["successes"]} of {row["attempts"]} succeeded"];'
        lines = [line for line in files[1].read_text().splitlines() if line.startswith(f'  "{row["source"]}" -> ')]
        assert any(f'"{row["target"]}"' in line and line.endswith(told) for line in lines)
    assert sum(data["attempts"] for _, data in graph.nodes(data=True) if "attempts" in data) == 7


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["squat"], "Missing option '-o' / '--output'"),
        (["squat", "-o", "x.fbx"], "x.fbx must end in one of .glb, .gltf, .bvh, .xml, .mot, .sto, .rrd, .csv"),
        (["-o", "x.bvh"], "x.bvh must end in one of .xml, .graphml, .dot: change the name, or give a"),
        (["--cycles", "3", "-o", "x.dot"], "--cycles applies only to a motion: also give a NODE_OR_SCRIPT_OR_RUN"),
        (["--rate", "30", "-o", "x.dot"], "--rate applies only to a motion: also give a"),
        (["squat", "-o", "nowhere/x.bvh"], "the directory 'nowhere' does not exist"),
    ],
)
def test_what_cannot_be_exported_is_told_in_a_sentence_and_writes_nothing(run, words, sentence, small) -> None:
    code, _, err = run("export", *words)
    assert code != 0
    assert sentence in err
    assert "Traceback" not in err
    assert not list(small.directory.glob("x.*"))


def test_a_motion_that_is_too_long_to_record_is_not_simulated(run) -> None:
    fault = "the motion may take 4000000 s, and at most 3600 s can be recorded: reduce --cycles"
    assert run("export", "squat", "--cycles", "1000000", "-o", "long.csv") == (1, "", f"error: {fault}\n")
