"""The replay page: one HTML file that plays motions, next to the graph and a table of the nodes that were tried."""

from __future__ import annotations

import base64
import hashlib
import html
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ctrlgraph.playback.assets import SHARED, SPACE, embedded_bytes, embedded_json, joined, module, stylesheet

_SCRIPT, _STYLE = "replay.js", "replay.css"


@dataclass(frozen=True)
class ReplayedMotion:
    """A motion that the replay page plays, with the texts that the page shows about it."""

    title: str
    """Heading of the motion."""
    note: str
    """Text below the title: whether the replayed motion equals the logged one."""
    warning: bool
    """Whether the note is a warning."""
    message: bytes
    """The whole motion, encoded by `PlaybackEncoder`."""
    rows: Sequence[Mapping[str, Any]]
    """Table of attempts, one row for each node that was tried, in order. The keys of a row are `time` (start, s),
    `seconds` (duration), `node`, `source` (previous node), `kind` (of the edge), `cycles`, `status` and `reason`.
    """
    scripts: Sequence[str] = ()
    """Paths of the scripts that run during the motion, relative to the project."""


def content_security(script: str, style: str | None) -> str:
    """Return the content security policy of an HTML page that loads no files and runs only one JavaScript text.

    Args:
        script: JavaScript text of the page.
        style: CSS text of the page, the only one that is allowed. None: allow style attributes, which SVG drawings
            need.
    """
    styles = "'unsafe-inline'" if style is None else _hash(style)
    allowed = f"default-src 'none'; img-src data:; script-src {_hash(script)}; style-src {styles}"
    return f"{allowed}; base-uri 'none'; form-action 'none'"


def _hash(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def replay_page(
    title: str,
    motions: Sequence[ReplayedMotion],
    graph: Mapping[str, Any],
    scripts: Mapping[str, Mapping[str, Any]] | None = None,
    *,
    in_space: bool = False,
) -> str:
    """Return an HTML page that plays motions, all at the same time, next to a picture of the graph.

    Args:
        title: Title of the page.
        motions: Motions to play, at least one.
        graph: Picture of the graph as data, from `graph_of`.
        scripts: Text and phases of each script by path, from `script_data.scripts_of`; None for no scripts.
        in_space: Whether the characters move in space. The page then contains three.js.
    """
    script = joined((*SHARED, *(SPACE if in_space else ()), _SCRIPT))
    style = stylesheet() + module(_STYLE)
    entries = [
        {"title": motion.title, "note": motion.note, "warning": motion.warning, "rows": list(motion.rows)}
        for motion in motions
    ]
    data = [embedded_bytes(motion.message, f"motion-{k}") for k, motion in enumerate(motions)]
    script_texts = json.dumps(scripts or {}, ensure_ascii=False).encode("utf-8", "replace")
    blocks = [
        embedded_json({"motions": entries, "graph": graph}, "data"),
        embedded_bytes(script_texts, "scripts"),
        *data,
    ]
    return page_in_one_file(title, style, script, blocks)


def page_in_one_file(title: str, style: str, script: str, data: Iterable[str]) -> str:
    """Return an HTML page that plays motions and loads no files.

    Args:
        title: Title of the page.
        style: CSS text.
        script: JavaScript text, which fills the element with the id "page".
        data: Elements with the data of the script, from `embedded_json` and `embedded_bytes`.
    """
    return "\n".join(
        [
            '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">',
            f'<meta http-equiv="Content-Security-Policy" content="{content_security(script, style)}">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            '<meta name="color-scheme" content="light dark">',
            f"<title>{html.escape(title)}</title>\n<style>{style}</style>\n</head>\n<body>",
            f'<header class="top"><h1>{html.escape(title)}</h1></header>',
            '<noscript><p class="note">This page needs JavaScript to play motions, and JavaScript is switched off.</p>'
            '</noscript>\n<main id="page"></main>',
            *data,
            f'<script type="module">{script}</script>\n</body>\n</html>\n',
        ]
    )
