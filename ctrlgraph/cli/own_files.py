"""What a command that writes a file may write over: its own kind of file, and nothing else."""

from __future__ import annotations

from pathlib import Path

from ctrlgraph.errors import CtrlGraphError
from ctrlgraph.paths import display_path


def require_own(output: Path, what: str, key: str) -> None:
    """Let a YAML file be written where there is none, or one of the same kind.

    Args:
        what: the file holds, in words ("key frames"); key: that such a file has at the beginning of a line.

    Raises:
        CtrlGraphError: the file is there and holds something else, or could not be told from a script.
    """
    from ctrlgraph.yaml_loader import YamlFault, read_text

    if output.suffix not in (".yaml", ".yml"):
        raise CtrlGraphError(f"{display_path(output)} is no name for {what}: they are .yaml files")
    if not output.exists():
        if not output.parent.is_dir():
            raise CtrlGraphError(f"there is no directory {display_path(output.parent)} to write {output.name} to")
        return
    if not output.is_file():
        raise CtrlGraphError(f"{display_path(output)} is no regular file: give another name")
    try:
        text = read_text(output)
    except (OSError, YamlFault):
        text = ""
    if not any(line.startswith(f"{key}:") for line in text.splitlines()):
        raise CtrlGraphError(f"{display_path(output)} holds something else than {what}: give another name")
