"""Code shared by the kinds of controllers that are read from YAML files."""

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
    """Base class of the pydantic models of controller files. An unknown key in a file is an error."""

    model_config = ConfigDict(extra="forbid", frozen=True, populate_by_name=True)


EntryT = TypeVar("EntryT", bound=BaseModel)


class FileKind(ControllerKind[ControllerT, DataT, StateT]):
    """Base class of the controller kinds with YAML files. Such a controller takes no arguments and calls no scripts."""

    subject: ClassVar[str]
    """Subject and verb of the error message "SUBJECT VERB no arguments", such as "key frames take"."""

    @abstractmethod
    def read_file(self, path: Path, character: Character) -> ControllerT:
        """Read a controller from its file.

        Args:
            path: the controller's file.
            character: the character that the controller drives.

        Raises:
            SourceError: the file has errors; `findings` lists them.
        """

    def read(self, path: Path, args: tuple[float, ...], character: Character, library: ScriptLibrary) -> ControllerT:
        """Read a controller from its file.

        Args:
            path: the controller's file.
            args: must be empty.
            character: the character that the controller drives.
            library: not used.

        Raises:
            CtrlGraphError: `args` is not empty.
            SourceError: the file has errors; `findings` lists them.
        """
        if args:
            given = f"{len(args)} {'is' if len(args) == 1 else 'are'} given"
            raise CtrlGraphError(f"{display_path(path)}: {self.subject} no arguments, but {given}")
        return self.read_file(path, character)


def require_finite(controller: Controller) -> None:
    """Raise a SimulationError if a constant of a controller is infinite or not a number."""
    for parameter, value in zip(controller.parameters, controller.constants.tolist(), strict=True):
        if not math.isfinite(value):
            raise SimulationError(f"{controller.name}: constant '{parameter.id}' must be a finite number, not {value}")


def read_entry(
    source: YamlSource, model: type[EntryT], check: Callable[[EntryT], Iterable[Finding]] = lambda _: ()
) -> EntryT:
    """Return the contents of a controller file as an object of a pydantic model.

    Args:
        source: the file.
        model: the model of the whole file.
        check: function that returns further errors of contents that fit the model.

    Raises:
        SourceError: the file has errors; `findings` lists them.
    """
    entry, findings = validate(source, model)
    if entry is not None:
        findings += check(entry)
    if entry is None or findings:
        raise SourceError(first_findings(findings))
    return entry


def place_in_file(source: YamlSource, name: str, location: Location) -> Place:
    """Return the position of a value in a YAML file; the beginning of the file if the value is missing.

    Args:
        source: the file.
        name: the name of the controller.
        location: the keys and list indices that lead to the value, from the top of the file.
    """
    span = source.span(location)
    return Place(source.path, name, 1, 1) if span is None else Place(source.path, name, span.line, span.column)


def check_joints(
    source: YamlSource, names: Iterable[str], location: Location, character: Character
) -> Iterator[Finding]:
    """Return the errors in a list of joint names: unknown names, and joints that occur twice.

    Args:
        source: the file that contains the list.
        names: the listed names, which can be aliases (other names of a joint).
        location: the keys and list indices that lead to the list, from the top of the file.
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
            yield source.finding("repeated-joint", f"the joint '{name}' is listed twice: remove one", [*location, i])
        else:
            seen.add(column)


def unknown_link(
    source: YamlSource, name: str, location: Location, character: Character, *, key: bool = False
) -> Finding:
    """Return the error that a character has no link of this name, with a suggestion if a name is similar.

    Args:
        source: the file that contains the name.
        name: the unknown name.
        location: the keys and list indices that lead to the name, from the top of the file.
        character: the character.
        key: True if the name is itself a key, the last one of `location`; False if it is the value of that key.
    """
    message = f"the character {character.name} has no link '{name}'"
    hint = suggestion(name, character.known_links)
    return source.finding("unknown-link", message, location, key=key, hint=hint)


def checked_constants(controller: Controller, constants: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return a copy of new constants for a controller, after a check that their number is right.

    Args:
        controller: the controller with P constants.
        constants: the new values (P,).

    Raises:
        ValueError: the number of values is not P.
    """
    if constants.shape != controller.constants.shape:
        raise ValueError(f"{controller.name} needs {controller.constants.size} constants, not {constants.size}")
    return np.array(constants, dtype=np.float64)


def flow_yaml(value: object) -> str:
    """Return a value as YAML on one line."""
    dumped: str = yaml.safe_dump(value, default_flow_style=True, width=math.inf, allow_unicode=True)
    return dumped.removesuffix("\n").removesuffix("\n...").strip()


def comment_lines(comment: str) -> list[str]:
    """Return the lines of a text as YAML comments, each with `# ` before it."""
    return [f"# {line}".rstrip() for line in comment.splitlines()]
