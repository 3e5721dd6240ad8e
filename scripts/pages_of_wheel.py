"""Build hook: add the pages of docs/ to the wheel, without results and pictures (twelve megabytes)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class PagesHook(BuildHookInterface):
    """Put the pages of docs/, except docs/results/, into ctrlgraph/data/docs."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if version == "editable":
            return  # an editable installation reads docs/ of the checkout
        root = Path(self.root)
        for page in pages_of(root):
            build_data["force_include"][str(page)] = f"ctrlgraph/data/{page.relative_to(root).as_posix()}"


def pages_of(root: Path) -> list[Path]:
    """Return the pages that the wheel includes."""
    results = root / "docs" / "results"
    return [page for page in sorted(root.glob("docs/**/*.md")) if results not in page.parents]
