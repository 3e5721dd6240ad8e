"""File names of characters: YAML files, MuJoCo models, and the file of roles next to a model."""

from __future__ import annotations

import os.path  # unlike Path, it returns False for a name that is too long
from pathlib import Path

from ctrlgraph.errors import CtrlGraphError

YAML, MJCF = ".yaml", ".xml"
ROLES = ".roles.yaml"
"""Ending of the file of roles, which adds to a MuJoCo model: roles, pairs, aliases, torque limits and gains."""


class AmbiguousCharacter(CtrlGraphError):
    """A character has two files: a YAML file and a MuJoCo model have the same name."""


def is_model(path: Path | str) -> bool:
    """Return whether a file is a MuJoCo model by its name (`NAME.xml`)."""
    return Path(path).suffix == MJCF


def is_roles(path: Path | str) -> bool:
    """Return whether a file is a file of roles by its name (`NAME.roles.yaml`)."""
    return Path(path).name.endswith(ROLES)


def roles_path(path: Path | str) -> Path:
    """Return the path of the file of roles that belongs to a MuJoCo model; the file need not exist."""
    return Path(path).with_suffix(ROLES)


def model_path(roles: Path | str) -> Path:
    """Return the path of the MuJoCo model to which a file of roles belongs; the model need not exist."""
    return Path(roles).with_name(Path(roles).name.removesuffix(ROLES) + MJCF)


def character_files(directory: Path) -> list[Path]:
    """Return the paths of all YAML character files and MuJoCo models in a directory, sorted."""
    found = [path for path in directory.glob(f"*{YAML}") if not is_roles(path)]
    return sorted([*found, *directory.glob(f"*{MJCF}")])


def parts_of(path: Path) -> list[Path]:
    """Return all files of a character: `path` and, if `path` is a MuJoCo model with a file of roles, this file."""
    return [path, roles_path(path)] if is_model(path) and os.path.lexists(roles_path(path)) else [path]


def named_file(directory: Path, name: str) -> Path:
    """Return the path of a character's file. If no file exists, return the path that the YAML file would have.

    Args:
        directory: directory of the character files.
        name: file name of the character without suffix.

    Raises:
        AmbiguousCharacter: both a YAML file and a MuJoCo model have this name.
    """
    found = [directory / f"{name}{suffix}" for suffix in (YAML, MJCF)]
    there = [path for path in found if os.path.exists(path)]
    if len(there) > 1:
        message = f"{directory.name} contains {found[0].name} and {found[1].name}: a character must have only one file"
        raise AmbiguousCharacter(f"{message}; rename or remove one")
    return there[0] if there else found[0]
