"""The replay page: one HTML file with motions, the graph, their logs and the player."""

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
    """A motion of the page."""

    title: str
    note: str
    """Remark about the motion."""
    warning: bool
    """Whether the note is a warning."""
    message: bytes
    """Playback message."""
    rows: Sequence[Mapping[str, Any]]
    """Attempts in order: `time` (start, s), `seconds`, `node`, `source`, `kind` (of the edge), `cycles`, `status`,
    `reason`.
    """
    scripts: Sequence[str] = ()
    """Paths of the scripts."""


def content_security(script: str, style: str | None) -> str:
    """Return the content security policy of a page that runs one script and does not load files.

    Args:
        script: Text of the script.
        style: Text of the style; None to allow inline styles anywhere, which SVG drawings need.
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
    """Return the HTML page of motions on a common clock and their graph.

    Args:
        title: Title of the page.
        motions: At least one motion.
        graph: Graph data of `graph_of`.
        scripts: Script data of `script_data.scripts_of`.
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
