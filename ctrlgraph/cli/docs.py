"""`ctrlgraph docs [PAGE]`: the pages of documentation, which travel with the package."""

from __future__ import annotations

import re
from pathlib import PurePosixPath

import click

from ctrlgraph.cli import console
from ctrlgraph.errors import CtrlGraphError, quoted, suggestion
from ctrlgraph.files import read_bytes
from ctrlgraph.project.shipped import shipped_file

MAX_BYTES = 4 * 2**20
"""Of a page."""


@click.command()
@click.argument("page", required=False)
def command(page: str | None) -> None:
    """Print a PAGE of the documentation as it is written (Markdown), or list the pages.

    A page is named as files of a project name it, with or without `docs/` and `.md`.
    """
    titles = dict(re.findall(r"^\| \[([\w-]+)\.md\]\([^)]*\) \| (.*) \|$", _text("README"), re.MULTILINE))
    if page is None:
        width = max(map(len, titles))
        for name, title in titles.items():
            console.echo(f"{name:<{width}}  {title.replace('`', '')}")
        return
    name = PurePosixPath(page).name.removesuffix(".md")
    if name not in titles:
        hint = suggestion(name, titles) or "`ctrlgraph docs` lists the pages"
        raise CtrlGraphError(f"there is no page {quoted(page)}; {hint}")
    console.echo(_text(name), nl=False)


def _text(name: str) -> str:
    return read_bytes(shipped_file(f"docs/{name}.md"), MAX_BYTES).decode("utf-8")
