"""The way of a perturbation through the house: which functions hold it, from the command line to a table's row.

    python benchmarks/call_path.py [--json] [--list]

One sweep with an unusual value is run in this process, and every call of a function of ctrlgraph is looked at: one
whose arguments hold the value (as a number, in a text, in a container or a dataclass) is on the way. Counted are
functions and modules on the way, the calls among them that lead up, from a module to one of a higher floor (as
`pyproject.toml` has the floors: what goes up is a callback), and how many of them stand on the stack at most.
"""

from __future__ import annotations

import argparse
import contextlib
import dataclasses
import io
import json
import shutil
import sys
import tempfile
import tomllib
from collections import Counter
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
PROJECT_FILES = ("graph.yaml", "characters", "controllers", "learned")
VALUE = 1.625
COMMAND = "robustness sweep stand slope=0.625:1.625:1 --with noise=0.01 --trials 2 --jobs 1 --seed 1"

_DEEP = 5
_MANY = 40


def holds(value: Any, depth: int = _DEEP) -> bool:
    """Return whether a value is, or somewhere has, the number that is followed."""
    if isinstance(value, bool) or value is None:
        return False
    if isinstance(value, int | float):
        return value == VALUE
    if isinstance(value, str):
        return len(value) < 1000 and str(VALUE) in value
    if depth == 0:
        return False
    if isinstance(value, dict):
        return len(value) <= _MANY and any(holds(item, depth - 1) for pair in value.items() for item in pair)
    if isinstance(value, list | tuple | set | frozenset):
        return len(value) <= _MANY and any(holds(item, depth - 1) for item in value)
    if dataclasses.is_dataclass(value):
        names = (field.name for field in dataclasses.fields(value))
        return any(holds(getattr(value, name, None), depth - 1) for name in names)
    return False


def floors() -> dict[str, int]:
    """Return the floor of each package, 0 the lowest."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    contracts = settings["tool"]["importlinter"]["contracts"]
    layers = next(contract["layers"] for contract in contracts if contract["id"] == "floors")
    return {name.strip(): floor for floor, row in enumerate(reversed(layers)) for name in row.split("|")}


class Follower:
    """Looks at every call, and keeps those on the way."""

    def __init__(self) -> None:
        self.functions: dict[str, str] = {}  # function to module, in the order of the way
        self.calls: Counter[tuple[str, str]] = Counter()
        self.deepest: list[str] = []
        self._stack: list[tuple[FrameType, str | None]] = []
        self._names: dict[CodeType, tuple[str, str] | None] = {}

    def __call__(self, frame: FrameType, event: str, _: object) -> None:
        """Look at a call or a return (`sys.setprofile`)."""
        if event == "return" and self._stack and self._stack[-1][0] is frame:
            self._stack.pop()
        if event != "call":
            return
        named = self._name(frame.f_code)
        if named is None:
            return
        module, name = named
        code = frame.f_code
        arguments = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
        marked = any(holds(frame.f_locals.get(argument)) for argument in arguments)
        if marked:
            self.functions.setdefault(name, module)
            caller = next((kept for _, kept in reversed(self._stack) if kept is not None), None)
            if caller is not None and caller != name:
                self.calls[caller, name] += 1
        self._stack.append((frame, name if marked else None))
        way = [kept for _, kept in self._stack if kept is not None]
        if len(way) > len(self.deepest):
            self.deepest = way

    def _name(self, code: CodeType) -> tuple[str, str] | None:
        if code not in self._names:
            path, found = Path(code.co_filename), None
            if "ctrlgraph" in path.parts and "benchmarks" not in path.parts and not code.co_name.startswith("<"):
                parts = path.with_suffix("").parts
                module = ".".join(parts[len(parts) - 1 - parts[::-1].index("ctrlgraph") :])
                found = module, f"{module}:{code.co_qualname}"
            self._names[code] = found
        return self._names[code]


def follow() -> Follower:
    """Run the sweep in a scratch copy of the project, and follow the value."""
    from ctrlgraph.cli.main import main as ctrlgraph

    follower = Follower()
    with tempfile.TemporaryDirectory() as scratch, contextlib.redirect_stdout(io.StringIO()):
        for name in PROJECT_FILES:
            source, copy = ROOT / name, Path(scratch) / name
            shutil.copytree(source, copy) if source.is_dir() else shutil.copy(source, copy)
        with contextlib.chdir(scratch):
            sys.setprofile(follower)
            try:
                code = ctrlgraph(COMMAND.split())
            finally:
                sys.setprofile(None)
    if code not in (0, None):
        raise SystemExit(f"ctrlgraph {COMMAND} ended with {code}")
    return follower


def counted(follower: Follower) -> dict[str, int]:
    """Return the numbers."""
    floor = floors()

    def standing(name: str) -> int:
        return floor.get(follower.functions[name].split(".")[1], len(floor))

    up = [pair for pair in follower.calls if standing(pair[1]) > standing(pair[0])]
    return {
        "functions": len(follower.functions),
        "modules": len(set(follower.functions.values())),
        "packages": len({module.split(".")[1] for module in follower.functions.values()}),
        "calls": len(follower.calls),
        "calls up": len(up),
        "deepest": len(follower.deepest),
    }


def main() -> None:
    """Print the numbers, and on demand the way."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--list", action="store_true", help="the functions in the order in which they are first called")
    given = parser.parse_args()
    follower = follow()
    numbers = counted(follower)
    if given.json:
        print(json.dumps(numbers))
        return
    print(", ".join(f"{number} {name}" for name, number in numbers.items()))
    if given.list:
        print("\n".join(follower.functions))
        print("deepest:", " > ".join(name.removeprefix("ctrlgraph.") for name in follower.deepest))


if __name__ == "__main__":
    main()
