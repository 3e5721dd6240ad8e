"""What the wheel has besides the package: every page of docs/, without the pictures (twelve megabytes)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class PagesHook(BuildHookInterface):
    """Puts docs/**/*.md into ctrlgraph/data/docs."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if version == "editable":
            return  # a checkout has them where they are
        root = Path(self.root)
        for page in sorted(root.glob("docs/**/*.md")):
            name = page.relative_to(root).as_posix()
            build_data["force_include"][str(page)] = f"ctrlgraph/data/{name}"
