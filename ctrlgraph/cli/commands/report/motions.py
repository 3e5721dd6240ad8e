"""`ctrlgraph report motions`: write a Markdown page about the motions of all nodes of a graph."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from ctrlgraph.bounds import MAX_TRIALS
from ctrlgraph.cli import console
from ctrlgraph.cli.options.common import Settings, engine_option, json_option, output_option, seed_option
from ctrlgraph.paths import display_path

if TYPE_CHECKING:
    from ctrlgraph.robustness.evaluator import Begun
    from ctrlgraph.simulation.measures import Motion, SpatialMotion


@click.command()
@output_option("Write the page to this file, between its two marker lines.  [default: print it]", metavar="FILE.md")
@click.option("--trials", type=click.IntRange(1, MAX_TRIALS), default=3, help="Examples of each edge.")
@seed_option(default=1)
@click.option(
    "--animations",
    is_flag=True,
    help="Film and draw each motion in images/motions, and write gallery.md, beside the page.",
)
@engine_option
@json_option("seed, trials, motions")
@click.pass_obj
def command(settings: Settings, output: Path | None, trials: int, seed: int, animations: bool, as_json: bool) -> None:
    """Write a Markdown page about the motions of all nodes, with measures, reliability and published data of humans.

    For the measures, every node is simulated after each of its predecessors. The reliability is that in the log and the
    sweeps. If there is a gallery.md next to the page, it is updated.

    Example:
      ctrlgraph report motions -o docs/results/motions.md --animations
    """
    from ctrlgraph.report.gallery import (
        ANIMATION,
        FILMSTRIP,
        GALLERY,
        animate,
        gallery,
        phase_captions,
        pictures_directory,
        writers_of,
    )
    from ctrlgraph.report.markdown import require_place, write_page
    from ctrlgraph.report.motions import motion_entries, page
    from ctrlgraph.report.node_pages import Slugs
    from ctrlgraph.robustness.examples import entries

    if animations and output is None:
        raise click.UsageError("--animations writes pictures and a gallery next to the page: also give -o FILE.md")
    if output is not None and output.name == GALLERY:
        raise click.UsageError(f"{GALLERY} is the name of the gallery next to the page: give the page another name")
    project = settings.project()
    directory = (output or Path("page.md")).parent
    pictures = pictures_directory(directory) if animations else directory
    pages = [] if output is None else [output]
    if output is not None and (animations or (directory / GALLERY).exists()):
        pages.append(directory / GALLERY)
    for path in pages:
        require_place(path)
    total = trials * sum(len(entries(project.graph, name)) for name in project.graph.nodes)
    slugs = Slugs()
    names = {name: slugs.of(name) for name in project.graph.nodes}

    def draw(name: str, motion: Motion | SpatialMotion, begun: Begun) -> None:
        if not animations:
            return
        pictures.mkdir(parents=True, exist_ok=True)
        animate(project, begun, pictures / f"{names[name]}{ANIMATION}")
        phases = phase_captions(project, begun, motion.trace)
        strip = pictures / f"{names[name]}{FILMSTRIP}"
        write_filmstrip, _ = writers_of(motion.trace)
        write_filmstrip(motion.trace, strip, character=motion.character, terrain=motion.terrain, phases=phases)

    with console.progress("examples", total=total) as (bar, task):
        found = motion_entries(
            project, trials=trials, seed=seed, on_example=lambda _: bar.update(task, advance=1), on_motion=draw
        )
    if as_json:
        console.print_json({"seed": seed, "trials": trials, "motions": [entry.as_dict() for entry in found]})
    command = f"ctrlgraph report motions --trials {trials} --seed {seed}"
    written = page(project, found, directory, command)
    if output is not None:
        write_page(output, written)
        console.echo(f"motions: {display_path(output)}", err=as_json)
        if len(pages) > 1:
            shown = gallery(project, directory, output.name, f"{command} --animations")
            write_page(directory / GALLERY, shown, "The motions, side by side")
            console.echo(f"gallery: {display_path(directory / GALLERY)}", err=as_json)
    elif not as_json:
        console.echo(written.rstrip("\n"))
