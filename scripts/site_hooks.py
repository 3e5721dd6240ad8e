"""Hooks of `make docs`: the navigation, the pages that only the site has, and links out of docs/.

`docs/README.md` is the only list of the pages. The navigation and the tests follow it.
"""

from __future__ import annotations

import ast
import importlib
import pkgutil
import posixpath
import re
import textwrap
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

import ctrlgraph

ROOT = Path(__file__).resolve().parents[1]
HOME = "README"
FACE, DEEPER = "api/ctrlgraph.md", "api/deeper.md"
ELSEWHERE = {
    "projects/biped/README.md": "projects/biped.md",
    "projects/tracking/README.md": "projects/tracking.md",
    "projects/five-link/README.md": "projects/five-link.md",
    "CONTRIBUTING.md": "contributing.md",
    "CHANGELOG.md": "changelog.md",
}
"""Pages outside docs/ that the site includes, by source path."""

_GROUP = re.compile(r"^## (.+)$")
_ROW = re.compile(r"^\| \[[^]]+\]\(([\w./-]+)\.md\) \| .* \|$")


@dataclass(frozen=True)
class Listed:
    """A page in a table of docs/README.md, and the heading above the table."""

    name: str
    """Path without suffix, relative to docs/: `reference/measures`."""
    group: str


def anchor(heading: str) -> str:
    """Return the anchor that GitHub generates for a heading: lower case, with dashes for spaces."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


def pages() -> list[Listed]:
    """Return all pages but the home page, in the order of the tables; the decisions come last."""
    listed = _listed(f"docs/{HOME}.md")
    folder = "decisions"
    decisions = [Listed(f"{folder}/{each.name}", "Decisions") for each in _listed(f"docs/{folder}/{HOME}.md")]
    return [*listed, *decisions]


def page_title(source: str) -> str:
    """Return the first heading of a page, without code marks."""
    text = (ROOT / source).read_text(encoding="utf-8")
    found = re.search(r"^# +(.*?)\s*$", text, flags=re.MULTILINE)
    return re.sub(r"[`*]", "", found[1]) if found else source


def _listed(source: str) -> list[Listed]:
    group, found = "", []
    for line in (ROOT / source).read_text(encoding="utf-8").splitlines():
        if heading := _GROUP.match(line):
            group = heading[1]
        elif row := _ROW.match(line):
            found.append(Listed(row[1], group))
    return found


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Build the navigation from the tables of docs/README.md, and use GitHub's anchors for headings."""
    config.mdx_configs.setdefault("toc", {})["slugify"] = lambda text, separator: anchor(text)
    nav: list[Any] = [{"Home": f"{HOME}.md"}]
    for group, members in groupby(pages(), key=lambda page: page.group):
        nav.append({group: [_site_page(page.name) for page in members]})
    nav.append({"Python": [FACE, *(f"api/{name}.md" for name in packages()), DEEPER]})
    config.nav = nav
    return config


def _site_page(name: str) -> str:
    source = posixpath.normpath(f"docs/{name}.md")
    return ELSEWHERE.get(source, f"{name}.md")


def packages() -> list[str]:
    """Return the packages of ctrlgraph that list what they offer."""
    found = (each.name for each in pkgutil.iter_modules(ctrlgraph.__path__) if each.ispkg)
    return [name for name in found if getattr(importlib.import_module(f"ctrlgraph.{name}"), "__all__", None)]


def shown_names() -> list[str]:
    """Return the full names that Python blocks on the pages import from within the package."""
    found = set()
    for path in sorted((ROOT / "docs").glob("**/*.md")):
        for block in re.findall(r"```python\n(.*?)```", path.read_text(encoding="utf-8"), re.DOTALL):
            for node in ast.walk(ast.parse(textwrap.dedent(block))):
                if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("ctrlgraph."):
                    found |= {f"{node.module}.{each.name}" for each in node.names}
    offered = {f"ctrlgraph.{name}" for name in packages()}
    return sorted(name for name in found if name.rpartition(".")[0] not in offered)


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the pages that only the site has."""
    for source, page in ELSEWHERE.items():
        text = (ROOT / source).read_text(encoding="utf-8")
        files.append(File.generated(config, page, content=text))
    for path, text in api_pages():
        files.append(File.generated(config, path, content=text))
    return files


def api_pages() -> list[tuple[str, str]]:
    """Return path and text of the pages of the Python API, which mkdocstrings fills."""
    head = "# import ctrlgraph\n\nThe public names. Each has an example, which the tests run.\n\n"
    pages = [(FACE, head + "\n\n".join(f"::: ctrlgraph.{name}" for name in ctrlgraph.__all__))]
    for name in packages():
        module = importlib.import_module(f"ctrlgraph.{name}")
        about = (module.__doc__ or "").strip()
        # functions and classes only: constants rarely have docstrings
        offered = [each for each in module.__all__ if callable(getattr(module, each, None))]
        body = "\n\n".join(f"::: ctrlgraph.{name}.{each}" for each in offered)
        pages.append((f"api/{name}.md", f"# ctrlgraph.{name}\n\n{about}\n\n{body}"))
    head = "# Other modules\n\nNames of other modules that examples in this documentation import.\n\n"
    shown = (f"::: {name}\n    options: {{show_root_full_path: true}}" for name in shown_names())
    return [*pages, (DEEPER, head + "\n\n".join(shown))]


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Replace links to files outside the site by text, and adapt Markdown that GitHub reads differently."""
    source = next((old for old, new in ELSEWHERE.items() if new == page.file.src_uri), None)
    where = source or f"docs/{page.file.src_uri}"

    def link(found: re.Match[str]) -> str:
        text, target, mark = found["text"], found["target"], found["mark"] or ""
        path = posixpath.normpath(posixpath.join(posixpath.dirname(where), target))
        to = ELSEWHERE.get(path, path.removeprefix("docs/") if path.startswith("docs/") else None)
        if to is None or files.get_file_from_path(to) is None:
            return found[0] if files.get_file_from_path(target) else text if "`" in text else f"`{text}`"
        if text.endswith(".md"):  # in the site a page is called by its title
            text = page_title(f"docs/{to}") if to not in ELSEWHERE.values() else text
        return f"[{text}]({posixpath.relpath(to, posixpath.dirname(page.file.src_uri) or '.')}{mark})"

    pattern = re.compile(r"(?<!!)\[(?P<text>[^][]*)\]\((?P<target>[^)#:\s]+)(?P<mark>#[^)]*)?\)")
    picture = re.compile(r"!\[(?P<text>[^][]*)\]\((?P<target>[^)#:\s]+)(?P<mark>)\)")
    lines, fenced = [], False
    for line in markdown.splitlines():
        fenced ^= line.lstrip().startswith("```")
        if not fenced:
            if source is not None:
                line = picture.sub(lambda found: "!" + link(found), line)
            line = pattern.sub(link, line)
            if line.startswith("|"):
                line = re.sub(r"`[^`]*`", lambda code: code[0].replace("\\|", "|"), line)
        lines.append(line)
    text = "\n".join(lines)
    if page.file.src_uri == "reference/python.md":
        text = re.sub(r"^\| `(\w+)` \|", rf"| [`\1`](../{FACE}#ctrlgraph.\1) |", text, flags=re.MULTILINE)
    return text
