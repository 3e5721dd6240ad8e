"""Names of a stranger's project in everything that is written of it: they are told, and never obeyed.

`ctrlgraph.bounds.name_fault` says which names a file may have at all: no control characters, no paths, no more than a
hundred bytes. What is left is still markup, formulas, quotes and letters that formats have a use for.
"""

from __future__ import annotations

import csv
import json
import re
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import networkx as nx
import pandas
import pytest
import yaml

from ctrlgraph.bounds import name_fault
from ctrlgraph.character.mjcf import load_mjcf
from ctrlgraph.export.bvh import WORDS
from ctrlgraph.export.plain_names import plain_names
from ctrlgraph.extras import is_there
from ctrlgraph.project.project import Project
from tests.report.report_samples import Page

MARKUP = "<img src=x onerror=alert(1)>"
ROOT_LINK, LINK, TIP, JOINT, OTHER = MARKUP, '"quoted" {x} & y', "JOINT", "=1+1 ${HOME} $(id)", "名前;%s{{7*7}}"
STILL, LONG = "=HYPERLINK(1)", ("]]><script>alert(2)" + 100 * "x")[:100]


@pytest.fixture
def strangers(tmp_path: Path) -> Path:
    """A project whose character, controllers and nodes are called so."""
    directory = tmp_path / "theirs"
    for folder in ("characters", "keyframes"):
        (directory / folder).mkdir(parents=True)
    sole = [[-0.28, -0.04, 0.01], [0.28, -0.04, 0.01]]
    character = {
        "name": "pole",
        "links": {
            ROOT_LINK: {"mass": 20, "size": [0.1, 0.6], "at": [0, 0.05], "contacts": sole},
            LINK: {"mass": 2, "size": [1, 0.04], "at": [0, 0.6], "contacts": [[0, 0.48, 0.02]]},
            TIP: {"mass": 0.5, "size": [0.2, 0.04], "at": [0, 1.2], "contacts": [[0, 0.1, 0.02]]},
        },
        "joints": {
            JOINT: {"parent": ROOT_LINK, "child": LINK, "at": [0, 0.1], "limits": [-1.4, 1.4], "torque": [150, 300]},
            OTHER: {"parent": LINK, "child": TIP, "at": [0, 1.1], "limits": [-1, 1], "torque": [50, 80]},
        },
        "roles": {"trunk": LINK},
    }
    frames = {"joints": [JOINT, OTHER], "frames": [[0.0, 0.0, 0.0], [0.4, 0.1, 0.2]]}
    nodes = {
        STILL: {"keyframes": "keyframes/a.yaml", "kind": "static", "description": MARKUP},
        LONG: {"keyframes": "keyframes/a.yaml", "success": {"torso": [-1, 1]}, "description": "\t" + MARKUP},
    }
    edges = [{"from": STILL, "to": LONG}, {"from": LONG, "to": STILL}]
    graph = {"character": "pole", "start": STILL, "nodes": nodes, "edges": edges}
    for path, content in (("characters/pole.yaml", character), ("keyframes/a.yaml", frames), ("graph.yaml", graph)):
        (directory / path).write_text(yaml.safe_dump(content, allow_unicode=True, sort_keys=False), encoding="utf-8")
    return directory


@pytest.fixture
def there(strangers: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(strangers)
    return strangers


def test_what_a_terminal_or_a_path_would_obey_is_no_name() -> None:
    unfit = ("\x1b[2J", "a\nb", "a\0", "../../etc", "/etc/passwd", "C:\\x", "-rf", ".ssh", "a->b", "\u202e", 101 * "x")
    for name in unfit:
        assert name_fault(name) is not None, name
    for name in (ROOT_LINK, LINK, TIP, JOINT, OTHER, STILL, LONG):
        assert name_fault(name) is None, name


def test_a_motion_is_written_in_every_format_and_read_back(main_, there: Path, tmp_path: Path) -> None:
    files = {suffix: tmp_path / f"m{suffix}" for suffix in (".bvh", ".xml", ".csv", ".parquet", ".npz")}
    if is_there("rerun"):
        files[".rrd"] = tmp_path / "m.rrd"
    outputs = [word for file in files.values() for word in ("-o", str(file))]
    assert main_("export", LONG, "--from", STILL, "--rate", "50", *outputs) == 0
    lines = files[".bvh"].read_text(encoding="utf-8").splitlines()
    named = [words[1:] for words in map(str.split, lines) if words[0] in ("ROOT", "JOINT")]
    assert [len(name) for name in named] == [1, 1, 1]
    assert all(re.fullmatch(r"[A-Za-z_]\w*", name[0], re.ASCII) for name in named)
    body = ElementTree.parse(files[".xml"]).getroot()
    assert [each.get("name") for each in body.iter("body")] == [ROOT_LINK, LINK, TIP]
    table = pandas.read_csv(files[".csv"])
    assert f"angle.{JOINT}" in table.columns and f"x.{LINK}" in table.columns
    with files[".csv"].open(newline="", encoding="utf-8") as file:
        cells = [cell for row in csv.reader(file) for cell in row]
    assert not [cell for cell in cells if cell[:1] in ("=", "@", "\t") or re.match(r"[+-][^\d.]", cell)]
    assert list(pandas.read_parquet(files[".parquet"]).columns) == list(table.columns)


def test_the_character_comes_back_from_its_model(main_, there: Path, tmp_path: Path) -> None:
    assert main_("export", "-o", str(tmp_path / "c.xml")) == 0
    back, known = load_mjcf(tmp_path / "c.xml"), Project(there).character
    assert (set(back.link_names), set(back.joint_names)) == (set(known.link_names), set(known.joint_names))


def test_the_graph_is_read_back(main_, there: Path, tmp_path: Path) -> None:
    assert main_("export", "-o", str(tmp_path / "g.graphml"), "-o", str(tmp_path / "g.dot")) == 0
    graph = nx.read_graphml(tmp_path / "g.graphml")
    assert set(graph.nodes) == {STILL, LONG} and graph.has_edge(STILL, LONG)
    for line in (tmp_path / "g.dot").read_text(encoding="utf-8").splitlines()[2:-1]:
        assert re.fullmatch(r'  "(?:[^"\\]|\\.)*"(?: -> "(?:[^"\\]|\\.)*")? \[.*\];', line), line


@pytest.mark.slow
def test_pages_and_pictures_tell_the_names_and_run_none_of_them(main_, there: Path, tmp_path: Path) -> None:
    walk = ("walk", "--random", "--transitions", "3", "--seed", "124504")
    assert main_(*walk, "--filmstrip", str(tmp_path / "w.png")) == 0
    assert main_("report", "-o", str(tmp_path / "out")) == 0
    assert main_("replay", "last", "--page", str(tmp_path / "p.html")) == 0
    assert main_("graph", "--plot", str(tmp_path / "g.png")) == 0
    assert main_("trace", LONG, "--from", STILL, "-o", str(tmp_path / "t.svg"), "--lanes", "phase,contacts") == 0
    for page in (tmp_path / "out" / "report.html", tmp_path / "p.html"):
        text = page.read_text(encoding="utf-8")
        assert Page(text).active == []
        assert "<script>alert(2)" not in text
        assert STILL in text
    ElementTree.parse(tmp_path / "t.svg")
    for table in (tmp_path / "out" / "figures").glob("*.csv"):
        with table.open(newline="", encoding="utf-8") as file:
            assert not [cell for row in csv.reader(file) for cell in row if cell[:1] in ("=", "@")], table.name
    assert json.loads((tmp_path / "out" / "report.json").read_text(encoding="utf-8"))["nodes"][0]["name"] == STILL
    written = {path.relative_to(tmp_path).parts[0] for path in tmp_path.rglob("*")}
    assert written == {"theirs", "out", "w.png", "p.html", "g.png", "t.svg"}


def test_names_of_a_bvh_are_plain_and_each_its_own() -> None:
    names = plain_names(["left arm", "left_arm", "left-arm", "名前", "JOINT", "End", "3rd", "", "ok"], WORDS)
    assert names == ["left_arm", "left_arm_2", "left_arm_3", "__", "JOINT_", "End_", "_3rd", "_", "ok"]
    assert len(set(names)) == len(names)


@pytest.fixture
def main_(capsys: pytest.CaptureFixture[str]):
    from ctrlgraph.cli.main import main

    def call(*words: str) -> int:
        code = main(list(words))
        said = capsys.readouterr()
        assert "\x1b[" not in said.out + said.err
        assert "Traceback" not in said.err
        return code

    return call
