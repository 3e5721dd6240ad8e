"""What `import ctrlgraph` offers: names that are imported when they are asked for, each with an example that runs."""

from __future__ import annotations

import ast
import doctest
import importlib
import pkgutil
import re
import subprocess
import sys
from pathlib import Path

import pytest

import ctrlgraph
from ctrlgraph.project.shipped import copy_project

ROOT = Path(__file__).parents[1]


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    directory = tmp_path_factory.mktemp("face") / "project"
    copy_project(directory)
    return directory


@pytest.mark.parametrize("name", ctrlgraph.__all__)
def test_every_name_has_an_example_that_runs(name: str, project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(project)
    text = getattr(ctrlgraph, name).__doc__
    example = doctest.DocTestParser().get_doctest(text, {}, name, None, 0)
    assert example.examples, f"{name} has no example"
    said: list[str] = []
    doctest.DocTestRunner().run(example, out=said.append)
    assert not said, "".join(said)


def test_what_is_offered_is_what_is_listed() -> None:
    assert sorted(ctrlgraph.__all__) == sorted(set(dir(ctrlgraph)) - {"__version__"})
    with pytest.raises(AttributeError, match="the module 'ctrlgraph' has no attribute 'Simulatoin'"):
        _ = ctrlgraph.Simulatoin


@pytest.mark.parametrize(
    "package", sorted(each.name for each in pkgutil.iter_modules(ctrlgraph.__path__) if each.ispkg)
)
def test_every_package_offers_what_it_lists(package: str) -> None:
    face = importlib.import_module(f"ctrlgraph.{package}")
    for name in getattr(face, "__all__", ()):
        assert hasattr(face, name) or importlib.import_module(f"{face.__name__}.{name}")


def test_the_page_lists_every_name_with_the_beginning_of_its_docstring() -> None:
    rows = re.findall(r"^\| `(\w+)` \| (.+) \|$", (ROOT / "docs/reference/python.md").read_text("utf-8"), re.MULTILINE)
    beginnings = {name: getattr(ctrlgraph, name).__doc__.strip().split("\n\n")[0] for name in ctrlgraph.__all__}
    assert dict(rows) == {name: " ".join(text.split()) for name, text in beginnings.items()}


def test_nothing_is_imported_before_it_is_asked_for() -> None:
    code = (
        "import sys, ctrlgraph; ours = {m for m in sys.modules if m.startswith('ctrlgraph.')};"
        "print(*sorted(ours)); print(*sorted({'numpy', 'numba', 'yaml', 'pydantic'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == ["ctrlgraph.ambient ctrlgraph.version", ""]


@pytest.mark.parametrize("path", sorted((ROOT / "examples").glob("*.py")), ids=lambda path: path.name)
def test_examples_use_nothing_but_the_public_face(path: Path) -> None:
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("ctrlgraph"):
            assert node.module == "ctrlgraph"
            assert {alias.name for alias in node.names} <= set(ctrlgraph.__all__)
