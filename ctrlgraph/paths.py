"""How messages show a path."""

from __future__ import annotations

import os
from pathlib import Path


def display_path(path: Path | str) -> str:
    """The path relative to the current directory where it lies under it, else absolute."""
    absolute = os.path.abspath(path)
    relative = os.path.relpath(absolute)
    return absolute if relative.startswith("..") else relative
