"""The replay page: one file with motions, the graph, their logs and everything that plays them."""

from __future__ import annotations

import base64
import hashlib
import html
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ctrlgraph.playback.assets import SHARED, joined, module, stylesheet
from ctrlgraph.playback.embedding import embedded_bytes, embedded_json

_SCRIPT, _STYLE = "replay.js", "replay.css"


@dataclass(frozen=True)
class ReplayedMotion:
    """A motion of the page.

    title: what it is called; note: what is to be known of it, and whether that is a warning; message: its playback;
    rows: what ran, in order: `time` (when it began, s), `seconds`, `node`, `source`, `kind` (of the edge), `cycles`,
    `status` and `reason`; scripts: paths of those that ran.
    """

    title: str
    note: str
    warning: bool
    message: bytes
    rows: Sequence[Mapping[str, Any]]
    scripts: Sequence[str] = ()


def content_security(script: str, style: str | None) -> str:
    """Return the policy of a page that runs one script and loads nothing from anywhere; it has one style, or where
    that is None, styles anywhere in it, as drawings have."""
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
    """Return the page as HTML: motions beside each other on one clock, and the graph that they went through.

    Args:
        title: of the page.
        motions: one at least.
        graph: as `graph_of` has it.
        scripts: as `script_data.scripts_of` has them.
    """
    script, style = joined((*SHARED, _SCRIPT)), stylesheet() + module(_STYLE)
    told = [
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
            '<noscript><p class="note">This page plays motions with a script of its own; scripts are switched off.</p>'
            '</noscript>\n<main id="page"></main>',
            embedded_json({"motions": told, "graph": graph}, "data"),
            embedded_bytes(json.dumps(scripts or {}, ensure_ascii=False).encode("utf-8", "replace"), "scripts"),
            *data,
            f'<script type="module">{script}</script>\n</body>\n</html>\n',
        ]
    )
