"""The kinds of controllers that there are, by name: ours, and those of installed packages.

A package brings a kind of its own with an entry point of the group `ctrlgraph.controllers` that names a
`ControllerKind`. From then on a node may say `NAME: FILE` in place of `script: FILE`.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from ctrlgraph.bounds import MAX_FILE_BYTES
from ctrlgraph.control.controller import Controller, ControllerKind
from ctrlgraph.errors import CtrlGraphError, printable
from ctrlgraph.files import read_bytes
from ctrlgraph.registry import Registry

if TYPE_CHECKING:
    from ctrlgraph.character.model import Character
    from ctrlgraph.control.script.library import ScriptLibrary

SCRIPT = "script"
"""The kind that most nodes are of, and the only one whose files call each other."""


class _Shipped(NamedTuple):
    """The facts about a shipped kind that are needed before it is imported, which takes up to a second.

    Attributes:
        module: the module that holds its `ControllerKind` as `KIND`.
        suffixes: suffixes of its files.
        key: as in `ControllerKind`.
        has_sides: whether its controllers can be mirrored.
    """

    module: str
    suffixes: tuple[str, ...]
    key: str = ""
    has_sides: bool = False


_YAML = (".yaml", ".yml")
_OURS = {
    SCRIPT: _Shipped("ctrlgraph.control.script.kind", (".t", ".s"), has_sides=True),
    "keyframes": _Shipped("ctrlgraph.control.keyframes.kind", _YAML, key="frames"),
    "regulator": _Shipped("ctrlgraph.control.regulator.kind", _YAML, key="weights"),
    "stepping": _Shipped("ctrlgraph.control.stepping.kind", _YAML, key="strides"),
    "tracking": _Shipped("ctrlgraph.control.tracking.kind", _YAML, key="stages", has_sides=True),
}

CONTROLLER_KINDS: Registry[ControllerKind] = Registry(
    "kind of controller",
    "ctrlgraph.controllers",
    ControllerKind,
    {name: f"{kind.module}:KIND" for name, kind in _OURS.items()},
)


def has_mirror(kind: str) -> bool:
    """Return whether controllers of a kind can be mirrored.

    Raises:
        CtrlGraphError: there is no such kind, or the package that offers it cannot be imported.
    """
    return _OURS[kind].has_sides if kind in _OURS else CONTROLLER_KINDS[kind].mirror is not None


def key_of(kind: str) -> str:
    """Return the key that only files of a kind have; empty where they need none.

    Raises:
        CtrlGraphError: there is no such kind, or the package that offers it cannot be imported.
    """
    return _OURS[kind].key if kind in _OURS else CONTROLLER_KINDS[kind].key


def _suffixes_of(kind: str) -> tuple[str, ...]:
    return _OURS[kind].suffixes if kind in _OURS else CONTROLLER_KINDS[kind].suffixes


def kind_of_file(path: Path) -> str | None:
    """Return the kind of controller that a file is of by its suffix, and where several kinds share that by the key that
    it has; by the name of its folder where it has none of their keys, or else the first of them. None where it is no
    kind's."""
    found = []
    for name in CONTROLLER_KINDS.names:
        try:
            if path.suffix in _suffixes_of(name):
                found.append(name)
        except CtrlGraphError:  # a package that cannot be imported has no say
            continue
    if len(found) > 1:
        keys = _keys_of(path)
        by_key = [name for name in found if key_of(name) in keys]
        found = by_key or [name for name in found if in_folder_of(path, name)] or found
    return found[0] if found else None


def in_folder_of(path: Path, kind: str) -> bool:
    """Return whether a file stands in a folder that is named for a kind of controller: `regulator` or `regulators`."""
    return path.absolute().parent.name in (kind, f"{kind}s")


def _keys_of(path: Path) -> set[str]:
    """Words at the beginning of a file's lines that a colon ends; none where it cannot be read."""
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
    """Return the controller of a file, as its kind reads it; mirrored: with right and left exchanged.

    Raises:
        CtrlGraphError: there is no such kind, a package's kind does not keep to the protocol, or its controllers
            cannot be mirrored.
        SourceError: the file has errors.
    """
    found = CONTROLLER_KINDS[kind]
    if mirrored:
        if found.mirror is None:
            raise CtrlGraphError(f"a controller of the kind '{kind}' cannot be mirrored")
        plain = read_controller(kind, path, args, character, library)
        mirror: Controller = found.mirror(plain, character)
        return mirror
    if kind in _OURS:
        return found.read(path, args, character, library)
    try:
        controller = found.read(path, args, character, library)
    except CtrlGraphError:
        raise
    except Exception as error:  # whatever a stranger's package raises for a file that it cannot read
        said = printable(f"{type(error).__name__}: {error}")
        raise CtrlGraphError(f"the kind of controller '{kind}' cannot read {path.name} ({said})") from error
    if not isinstance(controller, Controller):
        raise CtrlGraphError(f"the kind of controller '{kind}' makes what is no controller of {path.name}")
    if controller.kind != kind or len(controller.parameters) != controller.constants.size:
        raise CtrlGraphError(
            f"the kind of controller '{kind}' makes controllers of the kind '{controller.kind}' with"
            f" {len(controller.parameters)} parameters for {controller.constants.size} constants"
        )
    return controller
