"""`ctrlgraph measures`: list the measures for success conditions and bounds."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from ctrlgraph.cli import console
from ctrlgraph.cli.options.common import Settings, json_option
from ctrlgraph.errors import CtrlGraphError

if TYPE_CHECKING:
    from ctrlgraph.character.model import Character
    from ctrlgraph.simulation.measures import Measure


@click.command()
@json_option("character, measures")
@click.pass_obj
def command(settings: Settings, as_json: bool) -> None:
    """List the measures for success conditions and bounds.

    The column "in" tells whether a measure exists for planar characters ("plane"), for characters in space ("space") or
    for both. In a project, measures that its character cannot have are listed with the reason.

    Example:
      ctrlgraph measures --json
    """
    from ctrlgraph.simulation.measures import MEASURES

    character = _character(settings)
    if as_json:
        found = [
            each.as_dict() | {"missing": None if character is None else each.missing(character)}
            for each in MEASURES.values()
        ]
        console.print_json({"character": None if character is None else character.name, "measures": found})
    else:
        _print_table(sorted(MEASURES.values(), key=lambda each: each.moves == "space"), character)
    for sentence in MEASURES.broken.values():
        console.echo(f"warning: {sentence}", err=True)


def _character(settings: Settings) -> Character | None:
    """Return the project's character, or None if there is no project or the graph file names no character.

    Raises:
        CtrlGraphError: There is no project in the directory that --project names.
    """
    try:
        project = settings.project()
    except CtrlGraphError:
        if settings.project_directory is not None:
            raise
        return None
    from ctrlgraph.character.files import load_character
    from ctrlgraph.graph.files import named_character

    path = named_character(project.directory)  # the graph may have errors that this command helps to correct
    return None if path is None else load_character(path)


def _print_table(measures: list[Measure], character: Character | None) -> None:
    lacking = {each.name: each.missing(character) for each in measures} if character is not None else {}
    rows = []
    for each in measures:
        bound = "yes" if each.is_bound else ""
        cells = (each.name, each.unit, each.moves, bound, each.needed, each.description)
        rows.append([console.Styled(cell, dim=bool(lacking.get(each.name))) for cell in cells])
    console.print_table(("measure", "unit", "in", "bound", "needs", "what it is"), rows)
    if character is None:
        return
    for each in measures:
        if lacking[each.name] and each.exists_for(character):
            console.echo(f"{each.name}: {character.name} has {' and '.join(lacking[each.name])}")
    other = [each.name for each in measures if not each.exists_for(character)]
    console.echo(f"{character.name} is {character.morphology}, so it does not have {', '.join(other)}")
