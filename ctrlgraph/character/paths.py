"""What files of characters are called, and where they lie."""

from __future__ import annotations

import os.path  # whose questions, unlike those of Path, answer no to a name that is too long
from pathlib import Path

from ctrlgraph.errors import CtrlGraphError

YAML, MJCF = ".yaml", ".xml"
ROLES = ".roles.yaml"
"""What the file beside a model is called after its stem."""


class AmbiguousCharacter(CtrlGraphError):
    """A character has two files of one name."""


def is_model(path: Path | str) -> bool:
    """Tell whether a file is a MuJoCo model, by its name."""
    return Path(path).suffix == MJCF


def is_roles(path: Path | str) -> bool:
    """Tell whether a file is one of roles beside a model, by its name."""
    return Path(path).name.endswith(ROLES)


def roles_path(path: Path | str) -> Path:
    """Return the file of roles beside a model, whether it is there or not."""
    return Path(path).with_suffix(ROLES)


def model_path(roles: Path | str) -> Path:
    """Return the model that a file of roles stands beside."""
    return Path(roles).with_name(Path(roles).name.removesuffix(ROLES) + MJCF)


def character_files(directory: Path) -> list[Path]:
    """Return the characters of a directory, by name."""
    found = [path for path in directory.glob(f"*{YAML}") if not is_roles(path)]
    return sorted([*found, *directory.glob(f"*{MJCF}")])


def parts_of(path: Path) -> list[Path]:
    """Return the files that make a character: its own, and the file of roles where there is one."""
    return [path, roles_path(path)] if is_model(path) and os.path.lexists(roles_path(path)) else [path]


def named_file(directory: Path, name: str) -> Path:
    """Return the file of a character in a directory, by its bare name; that of YAML where there is none.

    Raises:
        AmbiguousCharacter: there are two.
    """
    found = [directory / f"{name}{suffix}" for suffix in (YAML, MJCF)]
    there = [path for path in found if os.path.exists(path)]
    if len(there) > 1:
        message = f"there are {found[0].name} and {found[1].name} in {directory.name}: a character has one file"
        raise AmbiguousCharacter(f"{message}; rename one of them")
    return there[0] if there else found[0]
