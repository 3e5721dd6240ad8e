"""Pictures of motions: where the pages of motions and of the gallery have them, and how they show them."""

from __future__ import annotations

from pathlib import Path

from ctrlgraph.errors import CtrlGraphError
from ctrlgraph.paths import display_path
from ctrlgraph.report.markdown import escaped

PICTURES = Path("images") / "motions"
"""Where they are, from the page's directory."""
STRIP = ".png"
ANIMATION = ".webp"
"""Every browser shows it, and so do the hosts of code; without loss it has two thirds of a GIF's size."""


def pictures_directory(directory: Path) -> Path:
    """Return where the filmstrips and animations of pages in this directory are.

    Raises:
        CtrlGraphError: a link would take them elsewhere.
    """
    found = directory / PICTURES
    if not found.resolve().is_relative_to(directory.resolve()):
        raise CtrlGraphError(
            f"cannot write into '{display_path(found)}': it is a link that leads out of '{display_path(directory)}'"
        )
    return found


def image(directory: Path, name: str, slug: str, suffix: str) -> str:
    """Return the picture of a motion as a page in this directory shows it; empty where there is none.

    Args:
        name: the motion's; slug: as its files are called; suffix: `STRIP` or `ANIMATION`.
    """
    path = PICTURES / f"{slug}{suffix}"
    return f"![{escaped(name)}]({path.as_posix()})" if (directory / path).is_file() else ""
