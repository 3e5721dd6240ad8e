"""How messages show a path, and where a project keeps what several parts of the program look for."""

from __future__ import annotations

import os
from pathlib import Path

LEARNED_DIRECTORY = "learned"
"""Where a project keeps learned files and the scripts of bridges."""


def display_path(path: Path | str) -> str:
    """The path relative to the current directory where it lies under it, else absolute."""
    absolute = os.path.abspath(path)
    relative = os.path.relpath(absolute)
    return absolute if relative.startswith("..") else relative
