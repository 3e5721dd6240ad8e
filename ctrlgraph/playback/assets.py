"""Parts of the HTML pages that show motions: JavaScript modules, the stylesheet, and embedded data."""

from __future__ import annotations

import base64
import gzip
import json
import re
from collections.abc import Iterable, Mapping
from functools import cache
from importlib.resources import files
from typing import Any

from ctrlgraph.pictures.graph_figure import CORRECTIVE, DYNAMIC_FILL, STATIC_FILL, UNTRIED
from ctrlgraph.pictures.style import COLOURS, FAR, GROUND, GROUND_LINE, INK, NEAR, PAPER, TRAIL, TRUNK

SHARED = ("playback.js", "figure.js", "player.js", "lanes.js", "graph.js")
"""File names of the JavaScript modules that all pages use. Each module comes after the modules that it imports."""
SPACE = ("three.min.js", "terrain.js", "space.js")
"""File names of the JavaScript modules that pages with motions in space use in addition, after `SHARED`."""
THEME = "theme.css"

LIGHT = {
    "ink": INK, "paper": PAPER, "muted": "#5f6c78", "line": "#d5dce3", "accent": "#2f6199", "good": "#2f8153",
    "bad": "#c0392b", "trunk": TRUNK, "near": NEAR, "far": FAR, "ground": GROUND, "ground-line": GROUND_LINE,
    "trail": TRAIL, "force": "#6a3fb5", "panel": "#f4f6f8", "static": STATIC_FILL, "dynamic": DYNAMIC_FILL,
    "corrective": CORRECTIVE, "untried": UNTRIED[0], "untried-line": UNTRIED[1],
    **{f"node-{k}": colour for k, colour in enumerate(COLOURS)},
}  # fmt: skip
"""Colours of a page in light mode, by name of the CSS variable without `--cg-`. Figures look as in PNG pictures."""

DARK = LIGHT | {
    "ink": "#e3e9ef", "paper": "#161d24", "muted": "#9aa8b5", "line": "#34414d", "accent": "#7fb2e8", "good": "#6cc795",
    "bad": "#f0857a", "trunk": "#a9bdd1", "near": "#e2805f", "far": "#7d5a4d", "ground": "#2a3138",
    "ground-line": "#7f8a94", "trail": "#4fc3b5", "force": "#c3a5ff", "panel": "#1f2831", "static": "#27374a",
    "dynamic": "#47302a", "corrective": "#b79be0", "untried": "#242e38", "untried-line": "#6b7885",
    **{f"node-{k}": colour for k, colour in enumerate((
        "#7fa9d6", "#93c0ae", "#e0a06a", "#b79be0", "#dd8296", "#6cbcc3", "#c6b66b", "#9aabc4", "#ee9673", "#7fbf90",
        "#d094b8", "#b0b5a2",
    ))},
}  # fmt: skip
"""Colours of a page in dark mode, by name of the CSS variable without `--cg-`."""

_IMPORT = re.compile(r'^import \{[^}]*\} from "\./([\w.]+)";\n', re.MULTILINE)
_EXPORT = re.compile(r"^export (?=(?:async )?function|class|const|let)", re.MULTILINE)


@cache
def module(name: str) -> str:
    """Return the text of a file in the directory `static` of this package, such as "player.js"."""
    return files("ctrlgraph.playback").joinpath("static", name).read_text(encoding="utf-8")


@cache
def stylesheet() -> str:
    """Return the CSS stylesheet that all pages use, with colours for light and dark mode."""
    light, dark = ("".join(f"--cg-{name}:{colour};" for name, colour in theme.items()) for theme in (LIGHT, DARK))
    head = f":root{{color-scheme:light dark;{light}}}\n@media (prefers-color-scheme:dark){{:root{{{dark}}}}}\n"
    return head + files("ctrlgraph.playback").joinpath("static", THEME).read_text(encoding="utf-8")


def joined(names: Iterable[str], others: Mapping[str, str] | None = None) -> str:
    """Join JavaScript modules into one script, without imports and exports, for a page that loads no files.

    No two modules may define the same name at their top level.

    Args:
        names: File names of JavaScript modules of this package. A module must come after the modules that it imports.
        others: Texts of further JavaScript modules, by file name. They are appended.
    """
    texts = [*map(module, names), *(others or {}).values()]
    return "\n".join(_EXPORT.sub("", _IMPORT.sub("", text)) for text in texts)


_ESCAPED = {ord(letter): f"\\u{ord(letter):04x}" for letter in "<>&\u2028\u2029"}


def embedded_bytes(data: bytes, name: str) -> str:
    """Return an HTML element that contains bytes, compressed. The function `embeddedBytes` in playback.js reads it.

    Args:
        data: Bytes to embed.
        name: Id of the element: letters, digits, - and _.
    """
    packed = base64.b64encode(gzip.compress(data, 9, mtime=0)).decode()
    return f'<script type="application/octet-stream" id="{_identifier(name)}" data-packed="gzip">{packed}</script>'


def embedded_json(value: Any, name: str) -> str:
    """Return an HTML element that contains JSON data. The characters <, > and & are escaped.

    Args:
        value: Data that `json.dumps` accepts, without NaN and infinity.
        name: Id of the element: letters, digits, - and _.
    """
    text = json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":")).translate(_ESCAPED)
    return f'<script type="application/json" id="{_identifier(name)}">{text}</script>'


def _identifier(name: str) -> str:
    if re.fullmatch(r"[A-Za-z0-9_-]+", name) is None:
        raise ValueError(f"{name!r} cannot be the id of an HTML element: use only letters, digits, - and _")
    return name
