"""What an integration writes is shown, asked for, and can be taken back; nothing here simulates."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from ctrlgraph.cli.commands import integrate as command
from ctrlgraph.cli.main import main
from ctrlgraph.errors import CtrlGraphError
from ctrlgraph.graph.editor import with_new_edges
from ctrlgraph.graph.model import Edge, EdgeKind, Node
from ctrlgraph.graph.reader import parse_graph
from ctrlgraph.insertion import insertion as integration
from ctrlgraph.insertion.candidate_edges import CandidateReport
from ctrlgraph.insertion.insertion import Integration, write_integration
from ctrlgraph.insertion.scratch_project import staged
from ctrlgraph.insertion.undo import undo, write_files
from ctrlgraph.project.project import Project

NODE = Node("leap", "controllers/spring.t", timeout=5.0, success={"torso": (-0.2, 0.5)}, description="Leaps: up")
JOURNAL = "runs/integrate/0001.json"


def found(project: Project) -> Integration:
    """A node with a way in, and a learned way out."""
    edges = [Edge("squat", "leap"), Edge("leap", "stand", EdgeKind.LEARNED, parameters="learned/leap-stand.yaml")]
    before = project.graph_path.read_text()
    text = with_new_edges(before, edges, NODE)
    return Integration(
        node=NODE,
        known=False,
        proposed=("success",),
        looks=(),
        groups=(),
        reports=tuple(CandidateReport((edge.source, edge.target), edge=edge) for edge in edges),
        files={"learned/leap-stand.yaml": "edge: leap -> stand\n"},
        graph=parse_graph(text, "graph.yaml"),
        graph_text=text,
        graph_before=before,
        seed=1,
        trials=6,
        wall_s=1.0,
    )


@pytest.fixture
def integrates(small: Project, monkeypatch: pytest.MonkeyPatch, capsys: Any) -> Any:
    """`ctrlgraph integrate controllers/spring.t` with what was found given, and a terminal that answers, or none."""
    monkeypatch.setattr(integration, "integrate", lambda project, *_: found(project))

    def call(*words: str, answer: str | None = None) -> tuple[int, str, str]:
        monkeypatch.setattr(command, "_can_ask", lambda: answer is not None)
        monkeypatch.setattr("click.termui.visible_prompt_func", lambda _: answer)
        code = main(["--project", str(small.directory), "integrate", *words])
        out, err = capsys.readouterr()
        return code, out, err

    return call


def files(directory: Path) -> dict[str, bytes]:
    found = (path for path in directory.rglob("*") if path.is_file() and "runs" not in path.parts)
    return {path.relative_to(directory).as_posix(): path.read_bytes() for path in found}


def test_it_shows_what_it_will_write_and_writes_it_where_the_answer_is_yes(small: Project, integrates) -> None:
    before = files(small.directory)
    code, out, _ = integrates("controllers/spring.t", answer="y")
    lines = out.splitlines()
    shown = lines.index("to be written:")
    assert code == 0
    assert lines[shown : shown + 10] == [
        "to be written:",
        "  node leap",
        "    script: controllers/spring.t",
        "    kind: dynamic",
        "    timeout: 5.0",
        "    success: {torso: [-0.2, 0.5]}",
        "    description: 'Leaps: up'",
        "  edge squat -> leap (naive), not tried",
        "  edge leap -> stand (learned), not tried",
        "  file learned/leap-stand.yaml",
    ]
    assert lines[-2].startswith("written: ") and lines[-2].endswith("('ctrlgraph integrate --undo' takes it back)")
    assert lines[-1].startswith("trials selected the edges and are no evidence of their success in walks")
    assert files(small.directory) != before
    code, out, _ = integrates("--undo")
    shown_path = small.directory
    assert (code, out) == (
        0,
        f"leap is undone; as before: {shown_path}/graph.yaml; removed: {shown_path}/learned/leap-stand.yaml\n",
    )
    assert files(small.directory) == before


@pytest.mark.parametrize("answer", ["n", ""])
def test_any_other_answer_leaves_the_project_as_it_is(small: Project, integrates, answer: str) -> None:
    before = files(small.directory)
    code, out, _ = integrates("controllers/spring.t", answer=answer)
    assert (code, out.splitlines()[-1]) == (0, "nothing is written")
    assert files(small.directory) == before


def test_without_a_terminal_nothing_is_written_unless_yes_was_said(small: Project, integrates) -> None:
    before = files(small.directory)
    code, out, err = integrates("controllers/spring.t")
    assert code == 1
    assert "to be written:" in out
    assert err == "error: nothing is written: there is no terminal to ask on; --yes writes it\n"
    code, out, err = integrates("controllers/spring.t", "--json")
    assert (code, json.loads(out)["written"]) == (1, [])
    assert files(small.directory) == before
    assert integrates("controllers/spring.t", "--yes")[0] == 0
    assert files(small.directory) != before


def test_integrations_are_undone_one_after_another_the_last_one_first(small: Project) -> None:
    graph = small.graph_path.read_bytes()
    write_files(small, "one", {"graph.yaml": "one\n"})
    write_files(small, "two", {"learned/x.yaml": "x", "graph.yaml": "two\n"})
    assert undo(small).node == "two"
    assert small.graph_path.read_text() == "one\n" and not (small.directory / "learned" / "x.yaml").exists()
    assert undo(small).node == "one"
    assert small.graph_path.read_bytes() == graph
    with pytest.raises(CtrlGraphError, match=r"^there is no integration to undo$"):
        undo(small)


def test_the_files_come_back_byte_for_byte(small: Project) -> None:
    (small.directory / "learned").mkdir()
    bytes_before = b"\xef\xbb\xbfa: \xff\r\n"
    (small.directory / "learned" / "x.yaml").write_bytes(bytes_before)
    write_files(small, "leap", {"learned/x.yaml": "new"})
    undo(small)
    assert (small.directory / "learned" / "x.yaml").read_bytes() == bytes_before


def test_an_integration_that_was_broken_off_is_undone_as_far_as_it_came(small: Project) -> None:
    graph = small.graph_path.read_bytes()
    write_files(small, "leap", {"learned/x.yaml": "x", "graph.yaml": "new"})
    small.graph_path.write_bytes(graph)  # as if the graph had not been written yet
    undo(small)
    assert small.graph_path.read_bytes() == graph and not (small.directory / "learned" / "x.yaml").exists()


def test_what_has_changed_since_is_not_undone(small: Project) -> None:
    write_files(small, "leap", {"learned/x.yaml": "x", "graph.yaml": "new"})
    small.graph_path.write_text("newer")
    with pytest.raises(CtrlGraphError) as raised:
        undo(small)
    assert str(raised.value) == (
        "graph.yaml has changed since leap was integrated: nothing is undone; what it was before stands in"
        f" {small.directory / JOURNAL}"
    )
    assert (small.directory / "learned" / "x.yaml").read_text() == "x"


def test_a_graph_that_changes_while_a_script_is_tried_is_not_written_over(small: Project) -> None:
    what = found(small)
    small.graph_path.write_text(small.graph_path.read_text() + "# mine\n")
    before = files(small.directory)
    with pytest.raises(CtrlGraphError) as raised:
        write_integration(small, what)
    assert str(raised.value) == (
        f"{small.graph_path} has changed while leap was tried: nothing is written; try it again"
    )
    assert files(small.directory) == before


ENTRY = {"before": "x", "written": "0" * 64}


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[" * 100_000,
        json.dumps([]),
        json.dumps({"node": "leap", "files": []}),
        json.dumps({"node": 1, "files": {}}),
        json.dumps({"node": "leap", "files": {"../x.yaml": ENTRY}}),
        json.dumps({"node": "leap", "files": {"/etc/x": ENTRY}}),
        json.dumps({"node": "leap", "files": {"learned/../x.yaml": ENTRY}}),
        json.dumps({"node": "leap", "files": {"controllers/stand.t": ENTRY}}),
        json.dumps({"node": "leap", "files": {"graph.yaml": {"before": None, "written": ""}}}),
        json.dumps({"node": "leap", "files": {"graph.yaml": {"before": "\ud800", "written": ""}}}),
    ],
)
def test_an_untrusted_journal_writes_nothing(small: Project, text: str) -> None:
    journal = small.directory / JOURNAL
    journal.parent.mkdir(parents=True)
    journal.write_text(text)
    before = files(small.directory)
    with pytest.raises(CtrlGraphError) as raised:
        undo(small)
    assert str(raised.value) == f"{journal} is no journal of an integration, or damaged: nothing is undone"
    assert files(small.directory) == before


@pytest.mark.parametrize("target", ["/dev/null", "."])
def test_what_is_no_file_is_no_journal(small: Project, target: str) -> None:
    journal = small.directory / JOURNAL
    journal.parent.mkdir(parents=True)
    journal.symlink_to(target)
    with pytest.raises(CtrlGraphError) as raised:
        undo(small)
    assert str(raised.value) == "there is no integration to undo"


def test_a_link_out_of_the_project_is_not_followed(small: Project, tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    (small.directory / "learned").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(CtrlGraphError, match=r"'learned/x\.yaml' lies outside the project"):
        write_files(small, "leap", {"learned/x.yaml": "x"})
    assert list((tmp_path / "elsewhere").iterdir()) == []


def test_words_that_contradict_one_another_are_refused(integrates) -> None:
    code, _, err = integrates("leap", "--undo")
    assert code == 2
    assert err.splitlines()[-1] == (
        "Error: --undo takes back the last integration, whatever it was: give no script with it"
    )
    code, _, err = integrates()
    assert (code, err.splitlines()[-1]) == (2, "Error: Missing argument 'SCRIPT_OR_NODE'.")


def test_what_an_undo_reads_is_a_file_of_bounded_size(small: Project) -> None:
    journal, kept = small.directory / JOURNAL, small.directory / "learned" / "x.yaml"
    journal.parent.mkdir(parents=True)
    kept.parent.mkdir(exist_ok=True)
    os.mkfifo(journal)
    with pytest.raises(CtrlGraphError, match=r"^there is no integration to undo$"):
        undo(small)
    journal.unlink()
    journal.write_text(json.dumps({"node": "leap", "files": {"learned/x.yaml": ENTRY}}))
    with kept.open("wb") as file:
        file.truncate(2**40)
    with pytest.raises(CtrlGraphError) as raised:
        undo(small)
    assert str(raised.value) == f"cannot read {kept}: it is larger than 64 MB"
    kept.unlink()
    os.mkfifo(kept)
    with pytest.raises(CtrlGraphError) as raised:
        undo(small)
    assert str(raised.value) == f"cannot read {kept}: it is not a regular file"


def test_journals_outside_the_project_are_none_of_it(small: Project, tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "0001.json").write_text(json.dumps({"node": "leap", "files": {}}))
    folder = small.directory / "runs" / "integrate"
    folder.parent.mkdir(exist_ok=True)
    folder.symlink_to(elsewhere)
    with pytest.raises(CtrlGraphError) as raised:
        undo(small)
    assert str(raised.value) == ("'runs/integrate' lies outside the project; its files may only name paths inside it")
    folder.unlink()
    folder.mkdir()
    (folder / "0001.json").symlink_to(elsewhere / "0001.json")
    with pytest.raises(CtrlGraphError) as raised:
        undo(small)
    assert str(raised.value) == (
        "'runs/integrate/0001.json' lies outside the project; its files may only name paths inside it"
    )
    assert (elsewhere / "0001.json").exists()


def test_a_staging_copy_takes_no_more_than_a_project_may_contain(small: Project, tmp_path: Path) -> None:
    learned = small.directory / "learned"
    learned.mkdir(exist_ok=True)
    (tmp_path / "secret.yaml").write_text("of another project")
    (learned / "secret.yaml").symlink_to(tmp_path / "secret.yaml")
    with (learned / "large.yaml").open("wb") as file:
        file.truncate(5_000_000)
    (learned / "kept.yaml").write_text("a: 1\n")
    with staged(small) as scratch_project:
        assert [path.name for path in (scratch_project.directory / "learned").iterdir()] == ["kept.yaml"]
