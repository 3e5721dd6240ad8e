"""The replay page: one HTML file with replayed motions, their attempts, the graph and the player."""

from __future__ import annotations

import base64
import hashlib
import html
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ctrlgraph.playback.assets import SHARED, embedded_bytes, embedded_json, joined, module, stylesheet

_SCRIPT, _STYLE = "replay.js", "replay.css"


@dataclass(frozen=True)
class ReplayedMotion:
    """A motion that the page plays."""

    title: str
    note: str
    """Text below the title, such as the result of the comparison with the log."""
    warning: bool
    """Whether the note is a warning."""
    message: bytes
    """Message of `PlaybackEncoder` with the whole motion."""
    rows: Sequence[Mapping[str, Any]]
    """Rows of the table of attempts, in order. Each has `time` (start, s), `seconds` (duration), `node`, `source` (node
    before), `kind` (of the edge), `cycles`, `status` and `reason`.
    """
    scripts: Sequence[str] = ()
    """Paths of the scripts that run during the motion, relative to the project."""


def content_security(script: str, style: str | None) -> str:
    """Return the content security policy of an HTML page that runs one JavaScript text and does not load files.

    Args:
        script: JavaScript text.
        style: CSS text; None to allow inline styles anywhere, which SVG drawings need.
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
) -> str:
    """Return an HTML page that plays motions at the same time, next to the graph.

    Args:
        title: Title of the page.
        motions: Motions to play, at least one.
        graph: Data of the graph, from `graph_of`.
        scripts: Data of the scripts, from `script_data.scripts_of`.
    """
    script, style = joined((*SHARED, _SCRIPT)), stylesheet() + module(_STYLE)
    entries = [
        {"title": motion.title, "note": motion.note, "warning": motion.warning, "rows": list(motion.rows)}
        for motion in motions
    ]
    data = [embedded_bytes(motion.message, f"motion-{k}") for k, motion in enumerate(motions)]
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
            embedded_json({"motions": entries, "graph": graph}, "data"),
            embedded_bytes(json.dumps(scripts or {}, ensure_ascii=False).encode("utf-8", "replace"), "scripts"),
            *data,
            f'<script type="module">{script}</script>\n</body>\n</html>\n',
        ]
    )
