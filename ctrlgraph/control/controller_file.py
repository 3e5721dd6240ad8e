"""Code shared by the controllers that are read from YAML files."""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, ClassVar, TypeVar

import numpy as np
import yaml
from numpy.typing import NDArray
from pydantic import BaseModel, ConfigDict, Field

from ctrlgraph.control.controller import Controller, ControllerKind, ControllerT, DataT, Place, StateT
from ctrlgraph.errors import CtrlGraphError, Finding, SimulationError, SourceError, suggestion
from ctrlgraph.paths import display_path
from ctrlgraph.yaml_source import Location, YamlSource, first_findings, validate

if TYPE_CHECKING:
    from ctrlgraph.character.model import Character
    from ctrlgraph.control.script.library import ScriptLibrary

Name = Annotated[str, Field(strict=True, min_length=1, max_length=200)]
Switch = Annotated[bool, Field(strict=True)]


class Entry(BaseModel):
    """Base of the models of controller files; fields that a model does not list are errors."""

    model_config = ConfigDict(extra="forbid", frozen=True, populate_by_name=True)


EntryT = TypeVar("EntryT", bound=BaseModel)


class FileKind(ControllerKind[ControllerT, DataT, StateT]):
    """A kind of controllers that are read from YAML files, which take no arguments and call no scripts."""

    subject: ClassVar[str]
    """Beginning of a message, as "key frames take"."""

    @abstractmethod
    def read_file(self, path: Path, character: Character) -> ControllerT:
        """Return the controller of a file.

        Args:
            path: the file.
            character: the character that it drives.

        Raises:
            SourceError: the file has errors; it lists all of them.
        """

    def read(self, path: Path, args: tuple[float, ...], character: Character, library: ScriptLibrary) -> ControllerT:
        """Return the controller of a file; raise an error if there are arguments."""
        if args:
            given = f"{len(args)} {'is' if len(args) == 1 else 'are'} given"
            raise CtrlGraphError(f"{display_path(path)}: {self.subject} no arguments, and {given}")
        return self.read_file(path, character)


def require_finite(controller: Controller) -> None:
    """Raise a SimulationError if a constant of a controller is not finite."""
    if not np.isfinite(controller.constants).all():
        raise SimulationError(f"{controller.name} has a constant that is not a finite number")


def read_entry(
    source: YamlSource, model: type[EntryT], check: Callable[[EntryT], Iterable[Finding]] = lambda _: ()
) -> EntryT:
    """Return the entry of a controller file.

    Args:
        source: the file.
        model: the type of the entry.
        check: returns the errors of an entry that fits the model.

    Raises:
        SourceError: the file has errors; it lists all of them.
    """
    entry, findings = validate(source, model)
    if entry is not None:
        findings += check(entry)
    if entry is None or findings:
        raise SourceError(first_findings(findings))
    return entry


def place_in_file(source: YamlSource, name: str, location: Location) -> Place:
    """Return the place of a value; if the value is missing, the beginning of the file.

    Args:
        source: the file.
        name: the name of the controller.
        location: the keys and indices that lead to the value.
    """
    span = source.span(location)
    return Place(source.path, name, 1, 1) if span is None else Place(source.path, name, span.line, span.column)


def check_joints(
    source: YamlSource, names: Iterable[str], location: Location, character: Character
) -> Iterator[Finding]:
    """Return the findings about a list of joints: unknown and repeated names.

    Args:
        source: the file.
        names: the joints.
        location: of the list in the file.
        character: the character that must have the joints.
    """
    known = [joint.name for joint in character.joints]
    seen: set[int] = set()
    for i, name in enumerate(names):
        column = character.joint_index(name)
        if column is None:
            message = f"the character {character.name} has no joint '{name}'"
            yield source.finding("unknown-joint", message, [*location, i], hint=suggestion(name, known))
        elif column in seen:
            yield source.finding("repeated-joint", f"the joint '{name}' is named twice", [*location, i])
        else:
            seen.add(column)


def unknown_link(
    source: YamlSource, name: str, location: Location, character: Character, *, key: bool = False
) -> Finding:
    """Return the finding that a character has no link of this name.

    Args:
        source: the file.
        name: the name.
        location: of the name in the file.
        character: the character.
        key: whether the name is the key at the location rather than its value.
    """
    message = f"the character {character.name} has no link '{name}'"
    hint = suggestion(name, character.known_links)
    return source.finding("unknown-link", message, location, key=key, hint=hint)


def checked_constants(controller: Controller, constants: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return a copy of a vector of constants.

    Args:
        controller: the controller with the constants to replace.
        constants: (P,).

    Raises:
        ValueError: the vector has another length than the controller's.
    """
    if constants.shape != controller.constants.shape:
        raise ValueError(f"{controller.name} has {controller.constants.size} constants, not {constants.size}")
    return np.array(constants, dtype=np.float64)


def flow_yaml(value: object) -> str:
    """Return a value as YAML on one line."""
    dumped: str = yaml.safe_dump(value, default_flow_style=True, width=math.inf, allow_unicode=True)
    return dumped.removesuffix("\n").removesuffix("\n...").strip()


def comment_lines(comment: str) -> list[str]:
    """Return the lines of a text as YAML comments."""
    return [f"# {line}".rstrip() for line in comment.splitlines()]
