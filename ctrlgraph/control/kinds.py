"""The kinds of controllers that there are, by name: ours, and those of installed packages.

A package brings a kind of its own with an entry point of the group `ctrlgraph.controllers` that names a
`ControllerKind`. From then on a node may say `NAME: FILE` in place of `script: FILE`.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

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

_OURS = {
    SCRIPT: "ctrlgraph.control.script.kind:KIND",
    "keyframes": "ctrlgraph.control.keyframes.kind:KIND",
    "regulator": "ctrlgraph.control.regulator.kind:KIND",
    "stepping": "ctrlgraph.control.stepping.kind:KIND",
    "tracking": "ctrlgraph.control.tracking.kind:KIND",
}

CONTROLLER_KINDS: Registry[ControllerKind] = Registry(
    "kind of controller", "ctrlgraph.controllers", ControllerKind, _OURS
)


def kind_of_file(path: Path) -> str | None:
    """Return the kind of controller that a file is of by its suffix, and where several kinds share that by the key that
    it has; by the name of its folder where it has none of their keys, or else the first of them. None where it is no
    kind's."""
    found = []
    for name in CONTROLLER_KINDS.names:
        try:
            if path.suffix in CONTROLLER_KINDS[name].suffixes:
                found.append(name)
        except CtrlGraphError:  # a package that cannot be imported has no say
            continue
    if len(found) > 1:
        keys = _keys_of(path)
        by_key = [name for name in found if CONTROLLER_KINDS[name].key in keys]
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
