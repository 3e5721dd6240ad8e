"""Kinds of controllers by name: those of ctrlgraph, and those of installed packages.

A package adds a kind with an entry point of the group `ctrlgraph.controllers` that names a `ControllerKind`. A node of
a graph file can then have `NAME: FILE` in place of `script: FILE`.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from ctrlgraph.bounds import MAX_FILE_BYTES
from ctrlgraph.control.controller import Controller, ControllerKind
from ctrlgraph.errors import CtrlGraphError, printable
from ctrlgraph.files import read_bytes
from ctrlgraph.registry import Registry

if TYPE_CHECKING:
    from ctrlgraph.character.model import Character
    from ctrlgraph.control.script.library import ScriptLibrary

SCRIPT = "script"
"""Name of the kind `script`. Only controllers of this kind can call other files."""


class _Shipped(NamedTuple):
    """Properties of a controller kind that is part of ctrlgraph.

    They are copied here because an import of the kind's module takes up to a second.
    """

    module: str
    """Module that contains the `ControllerKind` as the constant `KIND`."""
    suffixes: tuple[str, ...]
    """File name suffixes of the kind, such as ".t"."""
    key: str = ""
    """Top-level YAML key that occurs only in files of the kind; empty if there is none."""
    can_mirror: bool = False
    """Whether controllers of the kind can be mirrored (right and left exchanged)."""


_YAML = (".yaml", ".yml")
_OURS = {
    SCRIPT: _Shipped("ctrlgraph.control.script.script_kind", (".t", ".s"), can_mirror=True),
    "gait": _Shipped("ctrlgraph.control.gait.gait_kind", _YAML, key="swing"),
    "keyframes": _Shipped("ctrlgraph.control.keyframes.keyframes_kind", _YAML, key="frames"),
    "regulator": _Shipped("ctrlgraph.control.regulator.regulator_kind", _YAML, key="weights"),
    "stepping": _Shipped("ctrlgraph.control.stepping.stepping_kind", _YAML, key="gaits"),
    "tracking": _Shipped("ctrlgraph.control.tracking.tracking_kind", _YAML, key="stages", can_mirror=True),
}

CONTROLLER_KINDS: Registry[ControllerKind[Any, Any, Any]] = Registry(
    "kind of controller",
    "ctrlgraph.controllers",
    ControllerKind,  # type: ignore[type-abstract]
    {name: f"{kind.module}:KIND" for name, kind in _OURS.items()},
)


def has_mirror(kind: str) -> bool:
    """Return whether controllers of the kind with this name can be mirrored: right and left exchanged.

    Raises:
        CtrlGraphError: no kind has this name, or the package of the kind cannot be imported.
    """
    return _facts(kind).can_mirror


def key_of(kind: str) -> str:
    """Return the top-level YAML key that only files of a kind have; empty if there is no such key.

    Raises:
        CtrlGraphError: no kind has this name, or the package of the kind cannot be imported.
    """
    return _facts(kind).key


def _facts(kind: str) -> _Shipped | ControllerKind[Any, Any, Any]:
    return _OURS.get(kind) or CONTROLLER_KINDS[kind]


def kind_of_file(path: Path) -> str | None:
    """Return the name of a controller file's kind; None if no kind has the file's suffix.

    If several kinds have the suffix, these rules decide, in this order: the file contains the kind's top-level key
    (`key_of`); the file's folder is named for the kind (`in_folder_of`); the kind is the first one.
    """
    found = []
    for name in CONTROLLER_KINDS.names:
        try:
            if path.suffix in _facts(name).suffixes:
                found.append(name)
        except CtrlGraphError:  # ignore a package that cannot be imported
            continue
    if len(found) > 1:
        keys = top_level_keys(path)
        by_key = [name for name in found if key_of(name) in keys]
        found = by_key or [name for name in found if in_folder_of(path, name)] or found
    return found[0] if found else None


def in_folder_of(path: Path, kind: str) -> bool:
    """Return whether a file is directly in a folder named for a kind, such as `regulator` or `regulators`."""
    return path.absolute().parent.name in (kind, f"{kind}s")


def top_level_keys(path: Path) -> set[str]:
    """Return the top-level keys of a YAML file; the set is empty if the file cannot be read.

    The file is not parsed: the result is the text before the first colon of each line, so it contains further texts.
    """
    try:
        text = read_bytes(path, MAX_FILE_BYTES).decode("utf-8", errors="replace")
    except OSError:
        return set()
    return {line.partition(":")[0] for line in text.splitlines() if ":" in line}


def read_controller(
    kind: str,
    path: Path,
    args: tuple[float, ...],
    character: Character,
    library: ScriptLibrary,
    *,
    mirrored: bool = False,
) -> Controller:
    """Read a controller from its file.

    Args:
        kind: the name of the controller's kind.
        path: the controller's file.
        args: values for the controller's arguments, from its node in the graph file.
        character: the character that the controller drives.
        library: the scripts of the project.
        mirrored: whether to exchange right and left.

    Raises:
        CtrlGraphError: no kind has this name; controllers of the kind cannot drive a character of this morphology;
            `mirrored` is True but the kind cannot mirror; or the kind is that of an installed package, and it cannot
            read the file or does not return a valid controller.
        SourceError: the file has errors; `findings` lists them.
    """
    found = CONTROLLER_KINDS[kind]
    if character.morphology not in found.morphologies:
        message = f"controllers of the kind '{kind}' drive {' and '.join(found.morphologies)} characters"
        raise CtrlGraphError(f"{message}, but the character {character.name} is {character.morphology}")
    controller: Controller
    if mirrored:
        if not found.can_mirror:  # before the file is read
            raise CtrlGraphError(f"a controller of the kind '{kind}' cannot be mirrored: remove 'mirrored'")
        controller = found.mirror(read_controller(kind, path, args, character, library), character)
        return controller
    if kind in _OURS:
        controller = found.read(path, args, character, library)
        return controller
    try:
        controller = found.read(path, args, character, library)
    except CtrlGraphError:
        raise
    except Exception as error:  # an external package can raise any exception
        said = printable(f"{type(error).__name__}: {error}")
        raise CtrlGraphError(
            f"the kind of controller '{kind}' cannot read {path.name}: correct the file or the kind's package ({said})"
        ) from error
    if not isinstance(controller, Controller):
        returned = f"an object for {path.name} that is not a Controller"
    elif controller.kind != kind:
        returned = f"a controller of the kind '{controller.kind}'"
    elif (parameters := len(controller.parameters)) != (constants := controller.constants.size):
        returned = f"a controller with {parameters} parameters but {constants} constants"
    else:
        return controller
    raise CtrlGraphError(f"the kind of controller '{kind}' returned {returned}: correct the package of '{kind}'")
