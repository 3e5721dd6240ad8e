"""Writing of an insertion: it is shown and confirmed, and files are written all or not at all. Nothing is simulated."""

from __future__ import annotations

import json
from dataclasses import replace
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
from ctrlgraph.insertion.insertion import Integration
from ctrlgraph.insertion.proposal import apply_proposal, proposal_of, save_proposal
from ctrlgraph.insertion.scratch_project import staged
from ctrlgraph.project.project import Project

NODE = Node("leap", "controllers/spring.t", timeout=5.0, success={"torso": (-0.2, 0.5)}, description="Leaps: up")


def found(project: Project) -> Integration:
    """A node with a way in, and a learned way out."""
    edges = [Edge("squat", "leap"), Edge("leap", "stand", EdgeKind.LEARNED, parameters="learned/leap-stand.yaml")]
    text = with_new_edges(project.graph_path.read_text(), edges, NODE)
    return Integration(
        node=NODE,
        known=False,
        proposed=("success",),
        reports=tuple(CandidateReport((edge.source, edge.target), edge=edge) for edge in edges),
        files={"learned/leap-stand.yaml": "edge: leap -> stand\n"},
        graph=parse_graph(text, "graph.yaml"),
        seed=1,
        trials=6,
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
    assert lines[-2] == f"written: {small.directory}/learned/leap-stand.yaml, {small.graph_path}"
    assert lines[-1].startswith("trials selected the edges and are no evidence of their success in walks")
    assert files(small.directory) != before


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
    assert err == "error: nothing is written: a confirmation needs a terminal; --yes writes without a confirmation\n"
    code, out, err = integrates("controllers/spring.t", "--json")
    assert (code, json.loads(out)["written"]) == (1, [])
    assert files(small.directory) == before
    assert integrates("controllers/spring.t", "--yes")[0] == 0
    assert files(small.directory) != before


def test_an_insertion_is_written_completely_or_not_at_all(small: Project) -> None:
    (small.directory / "learned" / "leap-stand.yaml").mkdir(parents=True)
    before = files(small.directory)
    with pytest.raises(
        CtrlGraphError, match=r"leap-stand\.yaml cannot be written, because it is a directory: choose another path$"
    ):
        apply_proposal(small, proposal_of(small, found(small)))
    assert files(small.directory) == before


def test_a_link_out_of_the_project_is_not_followed(small: Project, tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    (small.directory / "learned").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(CtrlGraphError, match=r"'learned/x\.yaml' lies outside the project"):
        apply_proposal(small, replace(proposal_of(small, found(small)), files={"learned/x.yaml": "x"}))
    assert list((tmp_path / "elsewhere").iterdir()) == []


def test_a_script_or_a_node_has_to_be_named(integrates) -> None:
    code, _, err = integrates()
    assert (code, err.splitlines()[-1]) == (2, "Error: Missing argument 'SCRIPT_OR_NODE'.")


def test_a_proposal_is_not_written_outside_the_project(small: Project, tmp_path: Path) -> None:
    (small.directory / "runs").mkdir(exist_ok=True)
    (small.directory / "runs" / "integrate").symlink_to(tmp_path)
    with pytest.raises(CtrlGraphError, match=r"^'runs/integrate/leap\.proposal\.json' lies outside the project: "):
        save_proposal(small, proposal_of(small, found(small)))


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
