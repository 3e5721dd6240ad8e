"""What a project's file names lies inside the project."""

from __future__ import annotations

from pathlib import Path

import pytest

from ctrlgraph.errors import CtrlGraphError
from ctrlgraph.paths import contained


@pytest.mark.parametrize("name", ["a.t", "controllers/a.t", "./a.t", "controllers/../a.t", "not/there/yet.yaml"])
def test_a_path_inside_is_joined_to_the_project(tmp_path: Path, name: str) -> None:
    assert contained(tmp_path, name) == tmp_path / name


@pytest.mark.parametrize("name", ["/etc/passwd", "../x.t", "controllers/../../x.t", "..", "a/b/../../../c"])
def test_a_path_that_leads_outside_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(CtrlGraphError) as caught:
        contained(tmp_path, name)
    assert str(caught.value) == f"'{name}' lies outside the project: give a relative path inside the project"


def test_a_link_out_of_the_project_is_refused(tmp_path: Path) -> None:
    project = tmp_path / "project"
    project.mkdir()
    (tmp_path / "secret.t").touch()
    (project / "a.t").symlink_to(tmp_path / "secret.t")
    (project / "out").symlink_to(tmp_path)
    for name in ("a.t", "out/secret.t", "out/new.yaml"):
        with pytest.raises(CtrlGraphError, match="lies outside the project"):
            contained(project, name)


def test_a_project_that_is_itself_reached_by_a_link_is_inside_itself(tmp_path: Path) -> None:
    (tmp_path / "project").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "project")
    assert contained(tmp_path / "link", "a.t") == tmp_path / "link" / "a.t"


@pytest.mark.parametrize("name", ["a\0b", "x" * 5000 + "/y\0"])
def test_what_cannot_be_a_path_is_one_sentence(tmp_path: Path, name: str) -> None:
    with pytest.raises(CtrlGraphError) as caught:
        contained(tmp_path, name)
    assert str(caught.value).endswith("it is too long, or contains a null character or a loop of links")
    assert "\0" not in str(caught.value)


def test_a_loop_of_links_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a").symlink_to(tmp_path / "b")
    (tmp_path / "b").symlink_to(tmp_path / "a")
    with pytest.raises(CtrlGraphError):
        contained(tmp_path, "a/c.t")
