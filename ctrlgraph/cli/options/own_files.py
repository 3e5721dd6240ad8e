"""Protection of existing files: a command may only overwrite files of the kind that it writes."""

from __future__ import annotations

from pathlib import Path

from ctrlgraph.errors import CtrlGraphError
from ctrlgraph.paths import display_path


def require_own(output: Path, description: str, key: str) -> None:
    """Check that a YAML file does not exist yet, or is of the kind that the command writes.

    Args:
        output: File to write.
        description: Kind of file that the command writes, for messages, such as "a regulator".
        key: Top-level key that only files of this kind have.

    Raises:
        CtrlGraphError: The suffix is not .yaml or .yml, the directory does not exist, or the file exists and is not of
            this kind.
    """
    if output.suffix not in (".yaml", ".yml"):
        raise CtrlGraphError(f"{display_path(output)} is not a name for {description}: it must end in .yaml")
    if not output.exists():
        if not output.parent.is_dir():
            raise CtrlGraphError(f"there is no directory {display_path(output.parent)} to write {output.name} to")
        return
    if not output.is_file():
        raise CtrlGraphError(f"{display_path(output)} is not a regular file: choose another name")
    from ctrlgraph.control.kinds import top_level_keys

    if key not in top_level_keys(output):
        raise CtrlGraphError(f"{display_path(output)} exists and is not {description}: choose another name")
