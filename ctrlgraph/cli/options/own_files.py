"""Files that a command may overwrite: those of its own kind."""

from __future__ import annotations

from pathlib import Path

from ctrlgraph.errors import CtrlGraphError
from ctrlgraph.paths import display_path


def require_own(output: Path, description: str, key: str) -> None:
    """Check that a YAML file can be written where there is none, or one of the same kind.

    Args:
        output: File to write.
        description: Kind of the file, such as "keyframes".
        key: Top-level key that only such files have.

    Raises:
        CtrlGraphError: The file exists and is of another kind, or it has another suffix.
    """
    if output.suffix not in (".yaml", ".yml"):
        raise CtrlGraphError(f"{display_path(output)} is not a name for {description}: it must end in .yaml")
    if not output.exists():
        if not output.parent.is_dir():
            raise CtrlGraphError(f"there is no directory {display_path(output.parent)} to write {output.name} to")
        return
    if not output.is_file():
        raise CtrlGraphError(f"{display_path(output)} is not a regular file: give another name")
    from ctrlgraph.control.kinds import top_level_keys

    if key not in top_level_keys(output):
        raise CtrlGraphError(f"{display_path(output)} is not {description}: give another name")
