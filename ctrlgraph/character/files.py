"""Loading and checking of character files: a YAML file, or a MuJoCo model with a file of roles next to it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from ctrlgraph.arguments import checked
from ctrlgraph.character.paths import YAML, is_model
from ctrlgraph.errors import Finding
from ctrlgraph.paths import display_path

if TYPE_CHECKING:
    from ctrlgraph.character.model import Character


@checked
def load_character(path: Path | str) -> Character:
    """Return the character in a YAML character file, or in a MuJoCo model and the file of roles next to it.

    Args:
        path: the YAML file, or the MuJoCo model (`NAME.xml`). If the file of roles (`NAME.roles.yaml`) does not exist,
            roles are guessed from names.

    Raises:
        SourceError: a file has errors; the exception contains all of them.
        CtrlGraphError: the file of roles is a symbolic link to a file outside its directory.

    >>> from ctrlgraph import load_character
    >>> load_character("characters/humanoid.yaml").name
    'humanoid'
    """
    if is_model(path):
        from ctrlgraph.character.mjcf import load_mjcf

        return load_mjcf(path)
    from ctrlgraph.character import yaml_reader

    return yaml_reader.load_character(path)


def check_character(path: Path | str) -> list[Finding]:
    """Return all errors and warnings of a character file. For a MuJoCo model, include those of its file of roles.

    An unreadable file is reported as an error, and so is a YAML file with the same name next to a MuJoCo model.
    """
    if not is_model(path):
        from ctrlgraph.character import yaml_reader

        return yaml_reader.check_character(path)
    from ctrlgraph.character.mjcf import check_mjcf

    twin = Path(path).with_suffix(YAML)
    findings = []
    if twin.exists():
        message = f"there is also the file {twin.name} with this name: a character must have only one file"
        findings.append(
            Finding("error", "ambiguous-character", message, display_path(path), hint="rename one of the two files")
        )
    return findings + check_mjcf(path)
