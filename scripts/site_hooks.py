"""What `make docs` makes of docs/: the navigation, pages that only the site has, links that lead out of docs/."""

from __future__ import annotations

import ast
import importlib
import pkgutil
import posixpath
import re
from itertools import groupby
from pathlib import Path
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

import ctrlgraph
from ctrlgraph import manual

ROOT = Path(__file__).resolve().parents[1]
FACE, DEEPER = "api/ctrlgraph.md", "api/deeper.md"
ELSEWHERE = {
    "projects/biped/README.md": "projects/biped.md",
    "projects/tracking/README.md": "projects/tracking.md",
    "projects/five-link/README.md": "projects/five-link.md",
    "CONTRIBUTING.md": "contributing.md",
    "CHANGELOG.md": "changelog.md",
}
"""Pages outside of docs/ that the site has too, by where they lie."""
PROJECTS = (
    ("biped.md", "biped", "The biped's project"),
    ("tracking.md", "five-link", "The five-link biped's project"),
    ("tracking.md", "tracking", "The tracking walker's project"),
)
"""Below which page which project's stands, and what it is called."""


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Take the navigation from the tables of docs/README.md, and give headings the anchors that hosts of code give."""
    config.mdx_configs.setdefault("toc", {})["slugify"] = lambda text, separator: manual.anchor(text)
    pages = [page for page in manual.pages() if not page.name.startswith("decisions/")]
    nav: list[Any] = [{"Home": f"{manual.HOME}.md"}]
    for group, members in groupby(pages, key=lambda page: page.group):
        nav.append({group: [f"{page.name}.md" for page in members]})
    decisions = [f"{page.name}.md" for page in manual.pages() if page.name.startswith("decisions/")]
    nav[-1][next(iter(nav[-1]))] += [ELSEWHERE["CONTRIBUTING.md"], ELSEWHERE["CHANGELOG.md"]]
    nav.append({"Decisions": decisions})
    for item in nav[1:]:
        for members in item.values():
            for page, project, title in PROJECTS:
                if page in members:
                    members.insert(members.index(page) + 1, {title: ELSEWHERE[f"projects/{project}/README.md"]})
    nav.append({"Python": [FACE, *(f"api/{name}.md" for name in packages()), DEEPER]})
    config.nav = nav
    return config


def packages() -> list[str]:
    """Return the packages of ctrlgraph that list what they offer."""
    found = (each.name for each in pkgutil.iter_modules(ctrlgraph.__path__) if each.ispkg)
    return [name for name in found if getattr(importlib.import_module(f"ctrlgraph.{name}"), "__all__", None)]


def shown_names() -> list[str]:
    """Return what the pages' blocks of Python import from within the package, by its full name."""
    found = set()
    for path in sorted((ROOT / "docs").glob("**/*.md")):
        for block in re.findall(r"```python\n(.*?)```", path.read_text(encoding="utf-8"), re.DOTALL):
            for node in ast.walk(ast.parse(block)):
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
    """Return the pages of the Python face, which mkdocstrings fills, by path."""
    head = "# import ctrlgraph\n\nThe names that programs use; each has an example that the tests run.\n\n"
    pages = [(FACE, head + "\n\n".join(f"::: ctrlgraph.{name}" for name in ctrlgraph.__all__))]
    for name in packages():
        module = importlib.import_module(f"ctrlgraph.{name}")
        about = (module.__doc__ or "").strip()
        # constants tell nothing where they have no docstring: what is left are functions and classes
        offered = [each for each in module.__all__ if callable(getattr(module, each))]
        body = "\n\n".join(f"::: ctrlgraph.{name}.{each}" for each in offered)
        pages.append((f"api/{name}.md", f"# ctrlgraph.{name}\n\n{about}\n\n{body}"))
    head = "# Deeper in the package\n\nWhat pages of this documentation import from there.\n\n"
    shown = (f"::: {name}\n    options: {{show_root_full_path: true}}" for name in shown_names())
    return [*pages, (DEEPER, head + "\n\n".join(shown))]


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Turn links to what the site lacks into text, and what GitHub reads otherwise than Python-Markdown."""
    source = next((old for old, new in ELSEWHERE.items() if new == page.file.src_uri), None)
    where = source or f"docs/{page.file.src_uri}"

    def link(found: re.Match[str]) -> str:
        text, target, mark = found["text"], found["target"], found["mark"] or ""
        path = posixpath.normpath(posixpath.join(posixpath.dirname(where), target))
        to = ELSEWHERE.get(path, path.removeprefix("docs/") if path.startswith("docs/") else None)
        if to is None or files.get_file_from_path(to) is None:
            return found[0] if files.get_file_from_path(target) else text if "`" in text else f"`{text}`"
        if text.endswith(".md"):  # in the site a page is called by its title
            text = manual.page_title(to.removesuffix(".md")) if to not in ELSEWHERE.values() else text
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
    if page.file.src_uri == "python.md":
        text = re.sub(r"^\| `(\w+)` \|", rf"| [`\1`]({FACE}#ctrlgraph.\1) |", text, flags=re.MULTILINE)
    return text
