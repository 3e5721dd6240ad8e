"""Files that a command may overwrite: those of its own kind."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from ctrlgraph.errors import CtrlGraphError
from ctrlgraph.paths import display_path


def require_own(output: Path, description: str, own: str | Callable[[Path], bool]) -> None:
    """Check that a YAML file can be written where there is none, or one of the same kind.

    Args:
        output: File to write.
        description: Kind of the file, such as "keyframes".
        own: Key at the beginning of a line that only such files have, or a function that recognizes them.

    Raises:
        CtrlGraphError: The file exists and is of another kind, or its name could not be told from a script's.
    """
    if output.suffix not in (".yaml", ".yml"):
        raise CtrlGraphError(f"{display_path(output)} is not a name for {description}: it must end in .yaml")
    if not output.exists():
        if not output.parent.is_dir():
            raise CtrlGraphError(f"there is no directory {display_path(output.parent)} to write {output.name} to")
        return
    if not output.is_file():
        raise CtrlGraphError(f"{display_path(output)} is not a regular file: give another name")
    if not (_has_key(output, own) if isinstance(own, str) else own(output)):
        raise CtrlGraphError(f"{display_path(output)} is not {description}: give another name")


def _has_key(path: Path, key: str) -> bool:
    from ctrlgraph.yaml_loader import YamlFault, read_text

    try:
        text = read_text(path)
    except (OSError, YamlFault):
        return False
    return any(line.startswith(f"{key}:") for line in text.splitlines())
