"""Controllers written as scripts: compiled to a program, and interpreted tick by tick.

The names are imported when they are asked for: reading a graph needs no compiled kernels.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ctrlgraph.control.script.compiler import check_paths, check_script, compile_script
    from ctrlgraph.control.script.library import ScriptLibrary
    from ctrlgraph.control.script.program import Program
    from ctrlgraph.control.script.syntax.formatter import format_script
    from ctrlgraph.control.script.syntax.parser import parse_script

_HOMES = {
    "Program": "program",
    "ScriptLibrary": "library",
    "check_paths": "compiler",
    "check_script": "compiler",
    "compile_script": "compiler",
    "format_script": "syntax.formatter",
    "parse_script": "syntax.parser",
}

__all__ = [
    "Program",
    "ScriptLibrary",
    "check_paths",
    "check_script",
    "compile_script",
    "format_script",
    "parse_script",
]


def __getattr__(name: str) -> Any:
    """Return a public name of the package.

    Raises:
        AttributeError: there is no such name.
    """
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
