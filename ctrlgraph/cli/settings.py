"""What was said before the command's name; commands receive it through `click.pass_obj`."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Settings:
    """`project` is --project (None: search upwards from the current directory); `verbose` counts -v."""

    project: Path | None = None
    verbose: int = 0
