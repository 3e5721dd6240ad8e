"""Names and places of character files."""

from __future__ import annotations

import os.path  # its tests return False for a name that is too long, unlike those of Path
from pathlib import Path

from ctrlgraph.errors import CtrlGraphError

YAML, MJCF = ".yaml", ".xml"
ROLES = ".roles.yaml"
"""End of the name of the file of roles next to a MuJoCo model."""


class AmbiguousCharacter(CtrlGraphError):
    """A YAML file and a MuJoCo model have the name of the same character."""


def is_model(path: Path | str) -> bool:
    """Return whether the name of a file is that of a MuJoCo model (`NAME.xml`)."""
    return Path(path).suffix == MJCF


def is_roles(path: Path | str) -> bool:
    """Return whether the name of a file is that of a file of roles (`NAME.roles.yaml`)."""
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
    """Return all files of the character in the file `path`: `path`, and the file of roles next to it if it exists."""
    return [path, roles_path(path)] if is_model(path) and os.path.lexists(roles_path(path)) else [path]


def named_file(directory: Path, name: str) -> Path:
    """Return the path of the file with a character. If no file exists, return the path that a YAML file would have.

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
