"""Names and places of character files."""

from __future__ import annotations

import os.path  # its tests return False for a name that is too long, unlike those of Path
from pathlib import Path

from ctrlgraph.errors import CtrlGraphError

YAML, MJCF = ".yaml", ".xml"
ROLES = ".roles.yaml"
"""Suffix of the file of roles next to a model."""


class AmbiguousCharacter(CtrlGraphError):
    """There are two files with the name of a character."""


def is_model(path: Path | str) -> bool:
    """Return whether a file is a MuJoCo model, by its name."""
    return Path(path).suffix == MJCF


def is_roles(path: Path | str) -> bool:
    """Return whether a file is a file of roles, by its name."""
    return Path(path).name.endswith(ROLES)


def roles_path(path: Path | str) -> Path:
    """Return the path of the file of roles next to a model."""
    return Path(path).with_suffix(ROLES)


def model_path(roles: Path | str) -> Path:
    """Return the path of the model to which a file of roles belongs."""
    return Path(roles).with_name(Path(roles).name.removesuffix(ROLES) + MJCF)


def character_files(directory: Path) -> list[Path]:
    """Return the characters of a directory, by name."""
    found = [path for path in directory.glob(f"*{YAML}") if not is_roles(path)]
    return sorted([*found, *directory.glob(f"*{MJCF}")])


def parts_of(path: Path) -> list[Path]:
    """Return the files of a character: its own, and the file of roles if there is one."""
    return [path, roles_path(path)] if is_model(path) and os.path.lexists(roles_path(path)) else [path]


def named_file(directory: Path, name: str) -> Path:
    """Return the file of a character; the path of a YAML file if there is none.

    Args:
        directory: directory of the file.
        name: name of the character, without suffix.

    Raises:
        AmbiguousCharacter: there are two.
    """
    found = [directory / f"{name}{suffix}" for suffix in (YAML, MJCF)]
    there = [path for path in found if os.path.exists(path)]
    if len(there) > 1:
        message = f"there are {found[0].name} and {found[1].name} in {directory.name}: a character has one file"
        raise AmbiguousCharacter(f"{message}; rename one of them")
    return there[0] if there else found[0]
