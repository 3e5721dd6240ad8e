"""Registries: tables of named objects, such as engines, from ctrlgraph and from other installed packages (plugins).

A package adds an object by an entry point (`importlib.metadata`). A project cannot add objects. Each object is imported
when it is first used.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Mapping
from contextlib import suppress
from functools import cached_property
from importlib import import_module
from importlib.metadata import EntryPoint, distributions
from typing import Generic, TypeVar

from ctrlgraph.errors import CtrlGraphError, printable, quoted, suggestion

T = TypeVar("T")

_NAME = re.compile(r"[a-z][a-z0-9_-]{0,60}")
"""Pattern of valid names. Entry points with other names are ignored."""


class Registry(Generic[T]):
    """Table of named objects of one type, such as the engines. `registry[NAME]` imports and returns an object.

    Args:
        noun: Noun for one object in messages, such as "engine".
        group: Group of the entry points by which other packages add objects.
        kind: Type that every object must have.
        shipped: Place of each of ctrlgraph's own objects as "module:attribute", by name of the object.
    """

    def __init__(self, noun: str, group: str, kind: type[T], shipped: Mapping[str, str]) -> None:
        self.group = group
        self._noun, self._kind, self._shipped = noun, kind, dict(shipped)
        self._loaded: dict[str, T] = {}

    @property
    def names(self) -> tuple[str, ...]:
        """Return the names of all objects, first from ctrlgraph and then from other packages."""
        return (*self._shipped, *(name for name in self._foreign if name not in self._shipped))

    def __getitem__(self, name: str) -> T:
        """Return the object with a name.

        Raises:
            CtrlGraphError: No object has this name, the object cannot be imported from its package, or it is not an
                object of the registry's type.
        """
        if name not in self._loaded:
            self._loaded[name] = self._load(name)
        return self._loaded[name]

    def _load(self, name: str) -> T:
        if name in self._shipped:
            module, _, attribute = self._shipped[name].partition(":")
            thing = getattr(import_module(module), attribute)
        elif name in self._foreign:
            entry = self._foreign[name]
            try:
                thing = entry.load()
            except (Exception, SystemExit) as error:  # a foreign module may raise anything
                said = printable(f"{type(error).__name__}: {error}")
                raise CtrlGraphError(
                    f"the {self._noun} '{name}' cannot be loaded from {entry.value}, so correct or uninstall its"
                    f" package: {said}"
                ) from None
        else:
            hint = suggestion(name, self.names) or f"known: {', '.join(self.names)}"
            raise CtrlGraphError(f"there is no {self._noun} {quoted(name)} ({hint})")
        if not isinstance(thing, self._kind):
            raise CtrlGraphError(
                f"the {self._noun} '{name}' of a package must be of type {self._kind.__name__}, not"
                f" {type(thing).__name__}"
            )
        return thing

    @cached_property
    def _foreign(self) -> dict[str, EntryPoint]:
        """Entry points by which other installed packages add objects, by name of the object.

        Packages in the current directory, which may be an untrusted project, are ignored.
        """
        try:
            here = os.path.realpath(os.getcwd())
        except OSError:  # the current directory has been deleted
            here = ""
        path = [folder for folder in sys.path if folder and os.path.realpath(folder) != here]
        found: dict[str, EntryPoint] = {}
        for each in distributions(path=path):
            with suppress(Exception):  # a broken package must not prevent the use of the others
                entries = [entry for entry in each.entry_points if entry.group == self.group]
                found |= {entry.name: entry for entry in entries if _NAME.fullmatch(entry.name)}
        return found
