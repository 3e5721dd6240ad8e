"""Checks of arguments against annotations, for the functions and classes that programs call.

`checked` makes `simulation.run("stand")` a TypeError that says what to pass, where it would otherwise fail with an
AttributeError deep in the package. The annotations are the specification.
"""

from __future__ import annotations

import builtins
import collections.abc
import enum
import functools
import inspect
import numbers
import os
import reprlib
import sys
import types
import typing
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

T = TypeVar("T", bound=Callable[..., Any])

_PLAIN: dict[object, str] = {
    float: "a number",
    int: "an integer",
    str: "a string",
    bool: "True or False",
    None: "None",
    types.NoneType: "None",
}
_EXAMPLES = {
    "Character": "project.character or load_character(FILE)",
    "Controller": "project.controller(NODE)",
    "Edge": "project.graph.planned_edge(SOURCE, TARGET)",
    "Environment": "Environment('slope=3')",
    "Node": "project.graph.node(NAME)",
    "Perturbations": "perturbations({'push': 100})",
    "Project": "Project.find() or Project(DIRECTORY)",
    "Push": "Push(start=1, duration=0.1, link='pelvis', x=200)",
    "Rollout": "project.rollout(None, NODE, 1)",
    "RunLog": "project.read_log()",
    "RunRecord": "log.run('last')",
    "Simulation": "Simulation(project.character)",
    "Terrain": "parse_terrain('slope=3')",
    "TerrainPreview": "parse_terrain('slope=3').preview(0)",
    "Trace": "simulation.trace",
    "WorldSettings": "WorldSettings(dt=0.001)",
}
"""What a program may pass for an argument of a class."""


def checked(target: T) -> T:
    """Let a function, or the constructor of a class, check the types of its arguments.

    Numpy's numbers count as numbers, and any sequence but a string as a list or a tuple. Objects of a program's own
    classes are accepted in place of ours (duck typing). Classes that are imported only for type checkers are
    compared by name.
    """
    if isinstance(target, type):
        target.__init__ = checked(target.__init__)  # type: ignore[misc]
        return target
    names = list(inspect.signature(target).parameters)
    name = target.__qualname__.removesuffix(".__init__")

    @functools.cache
    def kinds() -> dict[str, Any]:
        return {each: _evaluated(text, target) for each, text in target.__annotations__.items() if each != "return"}

    passed: set[tuple[str, type]] = set()  # parameters with types that need no second check

    @functools.wraps(target)
    def call(*args: Any, **kwargs: Any) -> Any:
        for parameter, value in (*zip(names, args, strict=False), *kwargs.items()):
            if (parameter, type(value)) in passed:
                continue
            kind = kinds().get(parameter, Any)
            if not _is_of(value, kind):
                raise TypeError(_message(name, parameter, kind, value))
            if not isinstance(value, collections.abc.Iterable) or (
                isinstance(value, str) and "Literal" not in str(kind)
            ):
                passed.add((parameter, type(value)))
        return target(*args, **kwargs)

    return typing.cast(T, call)


class _Unresolved:
    """Base of stand-ins for classes that are imported for type checkers only."""


class _Names(dict[str, Any]):
    """The names of a module, with stand-ins for those that it lacks."""

    def __missing__(self, name: str) -> Any:
        return vars(builtins)[name] if name in vars(builtins) else type(name, (_Unresolved,), {})


def _evaluated(annotation: Any, function: Any) -> Any:
    if not isinstance(annotation, str):
        return annotation
    return eval(annotation, {}, _Names(function.__globals__))  # text of our own source


def _is_of(value: Any, kind: Any) -> bool:
    origin, parts = typing.get_origin(kind), typing.get_args(kind)
    if origin in (typing.Union, types.UnionType):
        return any(_is_of(value, part) for part in parts)
    if origin is typing.Literal:
        return value in parts
    if kind is Any:
        return True
    if kind is None or kind is types.NoneType:
        return value is None
    if kind is float:
        return isinstance(value, numbers.Real) and not isinstance(value, bool)
    if kind is int:
        return isinstance(value, numbers.Integral) and not isinstance(value, bool)
    if kind is bool:
        return type(value).__name__ in ("bool", "bool_")
    outer: Any = origin or kind
    if not isinstance(outer, type):
        return True  # a type variable
    if outer is collections.abc.Callable:
        return callable(value)
    if issubclass(outer, Mapping):
        return isinstance(value, Mapping) and _all_of(value.items(), parts)
    if issubclass(outer, collections.abc.Iterable) and parts and _is_list(outer):
        return _is_sequence(value, outer, parts)
    if issubclass(outer, os.PathLike):
        return isinstance(value, os.PathLike)
    if issubclass(outer, _Unresolved):
        return _is_named(value, outer.__name__) or _is_stand_in(value)
    if getattr(outer, "_is_protocol", False):
        return _has_members(value, outer)
    return isinstance(value, outer) or (outer.__module__ != "builtins" and _is_stand_in(value))


def _is_stand_in(value: Any) -> bool:
    """Whether a value is of a class of the program's own, which may behave like the annotated class."""
    package = type(value).__module__.partition(".")[0]
    return package not in sys.stdlib_module_names and package not in ("ctrlgraph", "numpy")


def _is_list(kind: type) -> bool:
    return kind in (list, tuple) or kind.__module__ == "collections.abc"


def _is_sequence(value: Any, kind: type, parts: tuple[Any, ...]) -> bool:
    if isinstance(value, str | bytes | Mapping) or not isinstance(value, collections.abc.Iterable):
        return False
    if not isinstance(value, collections.abc.Sequence):
        return kind not in (
            list,
            tuple,
            collections.abc.Sequence,
        )  # an iterator cannot be inspected without consuming it
    if kind is tuple and parts[-1] is not Ellipsis:
        return len(value) == len(parts) and all(map(_is_of, value, parts))
    return all(_is_of(each, parts[0]) for each in value)


def _all_of(items: Any, parts: tuple[Any, ...]) -> bool:
    return not parts or all(_is_of(key, parts[0]) and _is_of(value, parts[1]) for key, value in items)


def _is_named(value: Any, name: str) -> bool:
    """Whether a value is of a class of this name, or of the public protocol of this name."""
    if any(each.__name__ == name for each in type(value).__mro__):
        return True
    public = getattr(sys.modules["ctrlgraph"], name, None)
    return bool(getattr(public, "_is_protocol", False)) and _has_members(value, public)


def _has_members(value: Any, protocol: Any) -> bool:
    declared = [vars(each) for each in protocol.__mro__ if getattr(each, "_is_protocol", False)]
    return all(hasattr(value, name) for members in declared for name in members if not name.startswith("_"))


# --- messages ---


def _message(function: str, parameter: str, kind: Any, value: Any) -> str:
    found = "None" if value is None else f"the {type(value).__name__} {_short.repr(value)}"
    message = f"{function}(): '{parameter}' must be {_described(kind)}, not {found}"
    alternatives = typing.get_args(kind) if typing.get_origin(kind) in (typing.Union, types.UnionType) else (kind,)
    for each in alternatives:
        parts = typing.get_args(each)
        name = getattr(parts[0] if parts else each, "__name__", "")
        if parts and _is_of(value, parts[0]) and not isinstance(value, str):
            return f"{message}; put it in a list"
        if isinstance(each, type) and issubclass(each, enum.Enum):
            return f"{message}; pass one of {', '.join(map(str, each.__members__))} of {each.__module__}.{name}"
        if name in _EXAMPLES:
            example = _EXAMPLES[name]
            if isinstance(value, str) and "NODE)" in example:
                example = example.replace("NODE", repr(value))
            return f"{message}; pass {f'[{example}]' if parts else example}"
    return message


def _described(kind: Any) -> str:
    origin, parts = typing.get_origin(kind), typing.get_args(kind)
    if origin in (typing.Union, types.UnionType):
        return " or ".join(dict.fromkeys(_described(part) for part in parts))
    if origin is typing.Literal:
        return " or ".join(map(repr, parts))
    if kind in _PLAIN:
        return _PLAIN[kind]
    outer = origin or kind
    if outer is collections.abc.Callable:
        return "a function"
    if isinstance(outer, type) and issubclass(outer, Mapping):
        return "a dict" + (f" of {_plural(parts[0])} and {_plural(parts[1])}" if parts else "")
    if parts and isinstance(outer, type) and _is_list(outer):
        if outer is tuple and parts[-1] is not Ellipsis:
            return f"({', '.join(_described(part) for part in parts)})"
        return f"a list or tuple of {_plural(parts[0])}"
    if isinstance(outer, type) and issubclass(outer, os.PathLike):
        return "a path"
    name = getattr(outer, "__name__", str(outer))
    return f"{'an' if name[0] in 'AEIOU' else 'a'} {name}"


def _plural(kind: Any) -> str:
    words = {float: "numbers", int: "integers", str: "strings"}
    return words.get(kind) or _described(kind).removeprefix("a ").removeprefix("an ")


_short = reprlib.Repr()
_short.maxstring = _short.maxother = 60
