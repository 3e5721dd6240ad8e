"""`ctrlgraph experiment footsteps`: reproduce a figure of the thesis behind the footstep planner."""

from __future__ import annotations

from pathlib import Path

import click

from ctrlgraph.cli import console
from ctrlgraph.cli.exit_codes import ExitCode
from ctrlgraph.cli.options.common import json_option, output_option
from ctrlgraph.cli.options.pictures import PictureFile

NAMES = (
    "contraction", "step-weight", "pattern", "separation", "update", "base", "foot-roll", "ankle-path", "robots",
    "unsafe", "polygon", "pressure", "slowing",
)  # fmt: skip
"""Names of the scenarios; a test compares them with those of the library, which is loaded only when it is used."""


@click.command()
@click.argument("figure", type=click.Choice(NAMES))
@output_option("Draw the figure.", metavar="FILE.png|svg", type=PictureFile(".png", ".svg"))
@json_option("figure, number, shows, measures, picture")
def command(figure: str, output: Path | None, as_json: bool) -> int:
    """Reproduce a figure of the thesis behind the footstep planner, and print measures of what it shows.

    "number" is that of the figure in the thesis. Each scenario is always the same; nothing is simulated by an engine.

    Examples:
      ctrlgraph experiment footsteps polygon -o polygon.png
      ctrlgraph experiment footsteps contraction --json
    """
    from ctrlgraph.footsteps.scenarios.figures import FIGURES

    source = FIGURES[figure]
    with console.progress(f"scenario {figure}"):
        result = source.run()
    if output is not None:
        from ctrlgraph.pictures.scenario_figure import scenario_figure
        from ctrlgraph.pictures.style import write_figure

        write_figure(output, lambda: scenario_figure(result, source.shows.removesuffix(".")))
    measures = {name: float(value) for name, value in result.measures.items()}
    if as_json:
        picture = None if output is None else str(output)
        head = {"figure": figure, "number": source.number, "shows": source.shows}
        console.print_json(head | {"measures": measures, "picture": picture})
    else:
        rows = [(name, f"{value:.4g}") for name, value in measures.items()]
        console.print_table((figure, f"figure {source.number} of the thesis"), rows)
    console.echo_pictures([] if output is None else [output], err=as_json)
    return ExitCode.DONE
