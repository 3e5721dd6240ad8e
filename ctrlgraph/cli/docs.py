"""`ctrlgraph docs [TOPIC]`: the pages of documentation, which travel with the package."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

import click

from ctrlgraph.cli import console

if TYPE_CHECKING:
    from ctrlgraph.manual import Match, Section

SHOWN = 20
"""Sections that a search prints; `--json` has all."""


@click.command()
@click.argument("topic", nargs=-1)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object: the pages, a text, or what was found.")
def command(topic: tuple[str, ...], as_json: bool) -> None:
    """Print a page of the documentation as it is written (Markdown), a section of one, or where words stand.

    TOPIC is a command; a page as files of a project name it, with or without `docs/` and `.md`; a section, by its
    heading or as `graph-file#measures`; or words, of which the sections that have them are listed. Without one, all
    pages are listed.
    """
    from ctrlgraph import manual

    wanted = " ".join(topic)
    if not wanted.strip():
        _list_pages(as_json)
        return
    if (section := manual.find_command(wanted)) is not None:
        _print_section(section, as_json)
        if others := manual.others_called(wanted, section):
            console.echo(f"also called so: {', '.join(others)}", err=True)
        return
    if (name := manual.find_page(wanted)) is not None:
        _print_text(manual.page_text(name), {"page": name}, as_json)
        return
    if (section := manual.find_section(wanted)) is not None:
        _print_section(section, as_json)
        return
    is_path = "/" in wanted or "#" in wanted or wanted.endswith(".md")
    found = [] if is_path else manual.search(wanted)
    if not found:
        raise manual.missing_page(wanted)
    _print_found(wanted, found, as_json)


def _list_pages(as_json: bool) -> None:
    from ctrlgraph.manual import pages

    listed = pages()
    if as_json:
        console.print_json(
            {"pages": [{"name": page.name, "group": page.group, "tells": page.tells} for page in listed]}
        )
        return
    width = max(len(page.name) for page in listed)
    for group, members in groupby(listed, key=lambda page: page.group):
        console.echo(console.Styled(group, bold=True))
        for page in members:
            console.echo(f"  {page.name:<{width}}  {page.tells.replace('`', '')}")


def _print_section(section: Section, as_json: bool) -> None:
    told = {"page": section.page, "anchor": section.anchor, "heading": section.plain_heading}
    _print_text(section.text, told, as_json)


def _print_text(text: str, told: dict[str, str], as_json: bool) -> None:
    if as_json:
        console.print_json(told | {"text": text})
    else:
        console.echo_pages(text)


def _print_found(wanted: str, found: list[Match], as_json: bool) -> None:
    if as_json:
        rows = [
            {
                "page": match.section.page,
                "anchor": match.section.anchor,
                "heading": match.section.plain_heading,
                "line": match.line,
            }
            for match in found
        ]
        console.print_json({"topic": wanted, "found": rows})
        return
    for match in found[:SHOWN]:
        console.echo(console.Styled(match.section.place, bold=True), f"  {match.section.plain_heading}")
        if match.line:
            console.echo(f"    {match.line[:110]}")
    more = f", and {len(found) - SHOWN} more" if len(found) > SHOWN else ""
    console.echo(f"`ctrlgraph docs PAGE#SECTION` prints one of these{more}", err=True)
