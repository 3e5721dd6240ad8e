"""What older versions called things by: places of literals, and digests of scripts' texts.

Read for one version more, and rewritten by `ctrlgraph migrate`. What they have written is believed only where it can
be verified: where a digest of theirs is that of the scripts' texts as they are, whatever it names is what it was.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from ctrlgraph.control.script.program import Program
from ctrlgraph.project.learned_model import is_place

if TYPE_CHECKING:
    from ctrlgraph.control.controller import Controller
    from ctrlgraph.project.learned import LearnedSource


def in_present_form(source: LearnedSource, programs: Mapping[str, Controller], directory: Path) -> LearnedSource:
    """Return a learned file as the present version would have written it, marked as old where it did not.

    Only a part whose program has the texts that it was learned for is taken for what it says: its constants stand
    where it says. Any other stays as it is, stale.

    Args:
        programs: of its parts ("source", "bridge", "target"), as the scripts now are.
        directory: the project's, which places are relative to.
    """
    file, changes = source.file, dict[str, object]()
    for name, program in programs.items():
        known = getattr(file, name)
        if known is None or not isinstance(program, Program) or known.program != program.text_digest:
            continue
        changes[name] = part = known.model_copy(update={"program": program.digest})
        if name in file.parts:
            ids = {place_of(program, i, directory): p.id for i, p in enumerate(program.parameters)}
            constants = [c.model_copy(update={"id": ids.get(c.id, c.id)}) for c in known.constants]
            changes[name] = part.model_copy(update={"constants": constants})
    by_place = any(is_place(constant.id) for part in file.parts.values() for constant in part.constants)
    return replace(source, file=file.model_copy(update=changes), is_old=by_place or bool(changes))


def text_digest_of(controller: Controller) -> str:
    """Return what older versions knew a controller by; they knew scripts alone."""
    return controller.text_digest if isinstance(controller, Program) else controller.digest


def place_of(program: Controller, index: int, directory: Path) -> str:
    """Return where constant number `index` stands, as older versions wrote it."""
    parameter = program.parameters[index]
    if parameter.is_argument:
        return f"args:{index}"  # arguments come before all other constants
    path, root = Path(parameter.path).absolute(), directory.absolute()
    shown = path.relative_to(root).as_posix() if path.is_relative_to(root) else str(path)
    return f"{shown}:{parameter.line}:{parameter.column}"
