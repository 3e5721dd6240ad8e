"""The tests themselves: each can fail."""

from __future__ import annotations

import ast
from pathlib import Path

FILES = sorted(Path(__file__).parent.rglob("test_*.py"))


def demands(node: ast.AST) -> bool:
    """Whether it asserts: by the statement, by `pytest.raises`, by waiting `until` something has happened, or by a
    function that is called assert_something."""
    if isinstance(node, ast.Assert):
        return True
    name = getattr(node, "attr", getattr(node, "id", ""))
    return name in ("raises", "warns", "fail", "until") or name.startswith("assert_")


def idle_tests(text: str) -> list[str]:
    """The tests of a file in which nothing asserts, neither they nor a function of the file that they name."""
    functions = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.FunctionDef)]
    asserting = {function.name for function in functions if any(map(demands, ast.walk(function)))}
    return [
        function.name
        for function in functions
        if function.name.startswith("test_")
        and function.name not in asserting
        and not any(isinstance(node, ast.Name) and node.id in asserting for node in ast.walk(function))
    ]


def test_every_test_demands_something() -> None:
    found = {path.name: idle_tests(path.read_text(encoding="utf-8")) for path in FILES}
    assert {name: tests for name, tests in found.items() if tests} == {}
