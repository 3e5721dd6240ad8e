"""The pages of documentation, which travel with the package: their list, their sections, and where words are found.

`docs/README.md` is the one list of the pages: `ctrlgraph docs`, the site's navigation and the tests go by it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from ctrlgraph.errors import CtrlGraphError, quoted, suggestion
from ctrlgraph.files import read_bytes
from ctrlgraph.project.shipped import shipped_file

MAX_BYTES = 4 * 2**20
"""Of a page."""

HOME = "README"
FOLDER = "docs"

_GROUP = re.compile(r"^## (.+)$")
_ROW = re.compile(r"^\| \[[^]]+\]\(([\w/-]+)\.md\) \| (.*) \|$")
_HEADING = re.compile(r"^(#{1,6}) +(.*?)\s*$")
_COMMAND = re.compile(r"^`ctrlgraph ([a-z][\w-]*)[` ]")
_FENCE = re.compile(r"^ *```")


@dataclass(frozen=True, slots=True)
class Page:
    """A page: its name (`graph-file`, `decisions/0001-...`), what it tells, and the group that it stands in."""

    name: str
    tells: str
    group: str


@dataclass(frozen=True, slots=True)
class Section:
    """A heading of a page with the text below it, up to the next heading of the same or a higher level."""

    page: str
    heading: str
    anchor: str
    level: int
    text: str

    @property
    def place(self) -> str:
        """Its name: `graph-file#measures`, or `graph-file` where it is the whole page."""
        return self.page if self.level == 1 else f"{self.page}#{self.anchor}"

    @property
    def plain_heading(self) -> str:
        """The heading without its marks."""
        return re.sub(r"[`*]", "", self.heading)

    @property
    def command(self) -> str | None:
        """The command that the section is about; None where it is about none."""
        found = _COMMAND.match(self.heading)
        return found[1] if found else None

    @property
    def subject(self) -> str:
        """What the heading is about, in small letters; of a command's section, the command."""
        return self.command or self.plain_heading.lower()


@dataclass(frozen=True, slots=True)
class Match:
    """A section in which words were found, and the first of its lines that has one of them."""

    section: Section
    line: str


def anchor(heading: str) -> str:
    """Return the anchor that hosts of code give a heading: small letters, digits, dashes and underscores."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


def pages() -> tuple[Page, ...]:
    """Return all pages but the home page, in the order of its tables; decisions in that of theirs."""
    listed = _listed(page_text(HOME))
    inside = [
        Page(f"{folder}/{page.name}", page.tells, group)
        for folder, group in ((page.name.removesuffix(f"/{HOME}"), page.group) for page in listed if "/" in page.name)
        if (folder + f"/{HOME}") in {page.name for page in listed}
        for page in _listed(page_text(f"{folder}/{HOME}"))
    ]
    return (*listed, *inside)


def _listed(text: str) -> list[Page]:
    group, found = "", []
    for line in text.splitlines():
        if heading := _GROUP.match(line):
            group = heading[1]
        elif row := _ROW.match(line):
            found.append(Page(row[1], row[2], group))
    return found


def page_text(name: str) -> str:
    """Return the Markdown of a page.

    Raises:
        CtrlGraphError: the installation lacks it.
    """
    return read_bytes(shipped_file(f"{FOLDER}/{name}.md"), MAX_BYTES).decode("utf-8")


def page_title(name: str) -> str:
    """Return the first heading of a page."""
    return next(sections(name)).plain_heading


def find_page(name: str) -> str | None:
    """Return the name of the page that is meant: with or without `docs/` and `.md`, a decision by its number alone."""
    wanted = name.removeprefix("./").removeprefix(f"{FOLDER}/").removesuffix(".md").rstrip("/")
    names = [HOME, *(page.name for page in pages())]
    for candidate in (wanted, f"{wanted}/{HOME}"):
        if candidate in names:
            return candidate
    ends = [each for each in names if each.rpartition("/")[2] == wanted]
    if re.fullmatch(r"(decisions/)?\d{4}", wanted):
        ends = [each for each in names if each.startswith(f"decisions/{wanted[-4:]}-")]
    return ends[0] if len(ends) == 1 else None


def sections(name: str) -> Iterator[Section]:
    """Yield the sections of a page, the whole page as the first."""
    lines = page_text(name).splitlines(keepends=True)
    headings: list[tuple[int, int, str]] = []
    fenced = False
    for i, line in enumerate(lines):
        fenced ^= bool(_FENCE.match(line))
        if not fenced and (found := _HEADING.match(line)):
            headings.append((i, len(found[1]), found[2]))
    for k, (start, level, heading) in enumerate(headings):
        end = next((i for i, other, _ in headings[k + 1 :] if other <= level), len(lines))
        yield Section(name, heading, anchor(heading), level, "".join(lines[start:end]))


def find_section(topic: str) -> Section | None:
    """Return the one section of a name (`page#anchor`, a heading); None where there is none, or several."""
    page, mark, wanted = topic.partition("#")
    if mark:
        name = find_page(page)
        return None if name is None else next((each for each in sections(name) if each.anchor == wanted), None)
    named = _sections_on(topic)
    return named[0] if len(named) == 1 else None


def find_command(topic: str) -> Section | None:
    """Return the section of a command, which may be named with `ctrlgraph` before it; None where it is none."""
    wanted = topic.lower().strip().removeprefix("ctrlgraph ").strip()
    return next((each for each in _sections_on(wanted) if each.command is not None), None)


def others_called(topic: str, shown: Section) -> list[str]:
    """Return what else has the name of a command that is shown: a page, as `docs/NAME.md`, and sections."""
    page = find_page(topic)
    places = [each.place for each in _sections_on(topic) if each.place != shown.place]
    return [*([f"{FOLDER}/{page}.md"] if page is not None else []), *(place for place in places if place != page)]


def _sections_on(topic: str) -> list[Section]:
    return [each for page in pages() for each in sections(page.name) if each.subject == topic.lower()]


def search(topic: str) -> list[Match]:
    """Return the innermost sections that have every word of a topic, those first that have them in the heading."""
    words = topic.lower().split()
    found = []
    for page in pages():
        for section in sections(page.name):
            own = _own_text(section)
            if words and all(word in own.lower() for word in words):
                found.append(Match(section, _first_line(own, words)))
    return sorted(found, key=lambda match: not all(word in match.section.subject for word in words))


def _own_text(section: Section) -> str:
    """The heading and what stands below it before the next one."""
    own: list[str] = []
    fenced = False
    for line in section.text.splitlines():
        fenced ^= bool(_FENCE.match(line))
        if own and not fenced and _HEADING.match(line):
            break
        own.append(line)
    return "\n".join(own)


def _first_line(text: str, words: list[str]) -> str:
    lines = [line.strip() for line in text.splitlines()[1:] if line.strip()]
    for fits in (all, any):
        for line in lines:
            if fits(word in line.lower() for word in words):
                return line
    return lines[0] if lines else ""


def missing_page(topic: str) -> CtrlGraphError:
    """Return the error that tells that nothing is called so, with a name that is like it where there is one."""
    names = [page.name for page in pages()]
    name, mark, place = topic.partition("#")
    if mark and (page := find_page(name)) is not None:
        anchors = [each.anchor for each in sections(page)]
        hint = suggestion(place, anchors) or f"`ctrlgraph docs {page}` prints the page"
        return CtrlGraphError(f"the page {page} has no section {quoted(place)}; {hint}")
    wanted = topic.removeprefix(f"{FOLDER}/").removesuffix(".md")
    hint = suggestion(wanted, names) or "`ctrlgraph docs` lists the pages"
    return CtrlGraphError(f"there is no page {quoted(topic)}, and no section that has its words; {hint}")
