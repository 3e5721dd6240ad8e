"""Protection of existing files: a command overwrites a file only if the file is of the kind that the command writes."""

from __future__ import annotations

from pathlib import Path

from ctrlgraph.errors import CtrlGraphError
from ctrlgraph.paths import display_path


def require_own(output: Path, description: str, key: str) -> None:
    """Check that a command may write a YAML file: it does not exist yet, or is of the kind that the command writes.

    Args:
        output: File to write.
        description: Kind of file that the command writes, for messages, such as "a regulator".
        key: Top-level YAML key by which files of this kind are recognised.

    Raises:
        CtrlGraphError: The suffix is not .yaml or .yml, the directory does not exist, or the file exists and is not of
            this kind.
    """
    if output.suffix not in (".yaml", ".yml"):
        raise CtrlGraphError(f"{display_path(output)} is not a file name for {description}: the name must end in .yaml")
    if not output.exists():
        if not output.parent.is_dir():
            raise CtrlGraphError(f"the directory {display_path(output.parent)} does not exist: create it first")
        return
    if not output.is_file():
        raise CtrlGraphError(f"{display_path(output)} exists and is not a regular file: choose another name")
    from ctrlgraph.control.kinds import top_level_keys

    if key not in top_level_keys(output):
        raise CtrlGraphError(f"{display_path(output)} exists and is not {description}: choose another name")
