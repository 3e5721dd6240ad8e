"""Checks of arguments against type annotations, for the public functions and classes.

For example, `simulation.run("stand")` raises a TypeError with the accepted types, instead of an AttributeError deep in
the package.
"""

from __future__ import annotations

import builtins
import functools
import inspect
import numbers
import os
import reprlib
import sys
import types
import typing
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple, TypeVar

T = TypeVar("T", bound=Callable[..., Any])

_EXAMPLES = {
    "Character": "project.character or load_character(FILE)",
    "Controller": "project.controller(NODE)",
    "Edge": "project.graph.planned_edge(SOURCE, TARGET)",
    "Environment": "Environment('slope=3')",
    "Node": "project.graph.node(NODE)",
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
"""Python expression that returns an object of a class, by class name. Messages suggest it to the caller.

If the caller passed a string in place of the object, the message shows this string in place of `NODE`.
"""


class _Kind(NamedTuple):
    """A type annotation in a form that can check values and explain what it accepts."""

    text: str
    """Description of an accepted value for messages, with an article, such as "a number"."""
    accepts: Callable[[Any], bool]
    """Function that returns whether the annotation accepts a value."""
    example: str = ""
    """Python expression that returns an accepted value, for messages. Empty: no example."""


_PLAIN: dict[object, _Kind] = {
    Any: _Kind("anything", lambda _: True),
    float: _Kind("a number", lambda value: isinstance(value, numbers.Real) and not isinstance(value, bool)),
    int: _Kind("an integer", lambda value: isinstance(value, numbers.Integral) and not isinstance(value, bool)),
    bool: _Kind("True or False", lambda value: type(value).__name__ in ("bool", "bool_")),
    str: _Kind("a string", lambda value: isinstance(value, str)),
    types.NoneType: _Kind("None", lambda value: value is None),
}


def checked(target: T) -> T:
    """Decorate a function or a class so that each call of the function or constructor checks its arguments' types.

    numpy's numbers are accepted as numbers. Every sequence except a string is accepted as a list or tuple. Where a
    class of ctrlgraph is expected, an object of a class of another package is accepted (duck typing).

    Args:
        target: Function or class. Its annotations define the accepted types.

    Returns:
        For a function, a function that raises a TypeError for a wrong argument and otherwise calls `target`. For a
        class, the same class with such a constructor.
    """
    if isinstance(target, type):
        target.__init__ = checked(target.__init__)  # type: ignore[misc]
        return target
    names = list(inspect.signature(target).parameters)

    @functools.cache
    def kinds() -> dict[str, _Kind]:
        hints = typing.get_type_hints(target, localns=_Names(target.__globals__))
        return {name: _kind(hint) for name, hint in hints.items()}

    passed: set[tuple[str, type]] = set()  # (parameter, type of a value) that was accepted and needs no second check

    @functools.wraps(target)
    def call(*args: Any, **kwargs: Any) -> Any:
        for name, value in (*zip(names, args, strict=False), *kwargs.items()):
            kind = kinds().get(name)
            if kind is None or (name, type(value)) in passed:
                continue
            if not kind.accepts(value):
                function = target.__qualname__.removesuffix(".__init__")
                found = "None" if value is None else f"the {type(value).__name__} {_short.repr(value)}"
                example = kind.example.replace("NODE", repr(value)) if isinstance(value, str) else kind.example
                advice = f"; pass {example}" if example else ""
                raise TypeError(f"{function}(): '{name}' must be {kind.text}, not {found}{advice}")
            if not isinstance(value, Iterable):
                passed.add((name, type(value)))
        return target(*args, **kwargs)

    return typing.cast(T, call)


class _Names(dict[str, Any]):
    """Mapping for `typing.get_type_hints` that returns a new empty class for every unknown name.

    Unknown names are those of classes that a module imports for type checkers only (`if TYPE_CHECKING`).

    Args:
        known: Objects that the module defines, by name.
    """

    def __init__(self, known: Mapping[str, Any]) -> None:
        super().__init__()
        self._known = known

    def __missing__(self, name: str) -> Any:
        if name in self._known or hasattr(builtins, name):
            raise KeyError(name)
        return type(name, (), {})


def _kind(hint: Any) -> _Kind:
    origin, args = typing.get_origin(hint) or hint, typing.get_args(hint)
    if hint in _PLAIN:
        return _PLAIN[hint]
    if origin is Callable:
        return _Kind("a function", callable)
    if origin is typing.Literal:
        return _Kind(" or ".join(map(repr, args)), lambda value: value in args)
    parts = [_kind(each) for each in args if each is not ...]
    if origin in (typing.Union, types.UnionType):
        text = " or ".join(dict.fromkeys(part.text for part in parts))
        example = next((part.example for part in parts if part.example), "")
        return _Kind(text, lambda value: any(part.accepts(value) for part in parts), example)
    if not isinstance(origin, type):
        return _PLAIN[Any]  # a type variable
    if issubclass(origin, Mapping):
        return _mapping(parts)
    if parts and origin is tuple and ... not in args:
        text = f"({', '.join(part.text for part in parts)})"
        return _Kind(text, lambda value: _is_sequence(value) and len(value) == len(parts) and _match(parts, value))
    if parts and (origin in (list, tuple) or origin.__module__ == "collections.abc"):
        return _list(parts[0], accepts_iterators=not issubclass(origin, Sequence))
    if issubclass(origin, os.PathLike):
        return _Kind("a path", lambda value: isinstance(value, os.PathLike))
    return _class(origin)


def _mapping(parts: list[_Kind]) -> _Kind:
    def accepts(value: Any) -> bool:
        return isinstance(value, Mapping) and (not parts or all(_match(parts, item) for item in value.items()))

    return _Kind("a dict" + (f" of {_plural(parts[0])} and {_plural(parts[1])}" if parts else ""), accepts)


def _list(part: _Kind, accepts_iterators: bool) -> _Kind:
    def accepts(value: Any) -> bool:
        if _is_sequence(value):
            return all(map(part.accepts, value))
        is_iterator = isinstance(value, Iterable) and not isinstance(value, str | bytes | Mapping)
        return accepts_iterators and is_iterator  # an iterator cannot be inspected without consuming it

    return _Kind(f"a list or tuple of {_plural(part)}", accepts, f"[{part.example}]" if part.example else "")


def _class(kind: type) -> _Kind:
    name = kind.__name__

    def accepts(value: Any) -> bool:
        public = getattr(sys.modules["ctrlgraph"], name, kind)
        if getattr(public, "_is_protocol", False):
            declared = [vars(each) for each in public.__mro__ if getattr(each, "_is_protocol", False)]
            return all(hasattr(value, each) for members in declared for each in members if not each.startswith("_"))
        package = type(value).__module__.partition(".")[0]
        is_foreign = package not in sys.stdlib_module_names and package not in ("ctrlgraph", "numpy")
        return is_foreign or any(each.__name__ == name for each in type(value).__mro__)

    return _Kind(f"{'an' if name[0] in 'AEIOU' else 'a'} {name}", accepts, _EXAMPLES.get(name, ""))


def _is_sequence(value: Any) -> bool:
    return isinstance(value, Sequence) and not isinstance(value, str | bytes)


def _match(parts: Iterable[_Kind], values: Iterable[Any]) -> bool:
    return all(part.accepts(value) for part, value in zip(parts, values, strict=False))


def _plural(kind: _Kind) -> str:
    words = {"a number": "numbers", "an integer": "integers", "a string": "strings"}
    parts = kind.text.split(" or ")
    return " or ".join(words.get(part) or part.removeprefix("a ").removeprefix("an ") for part in parts)


_short = reprlib.Repr()
_short.maxstring = _short.maxother = 60
