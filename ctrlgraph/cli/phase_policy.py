"""`ctrlgraph phase-policy FILE`: the policy of a tracking controller, by theta and its rate."""

from __future__ import annotations

from pathlib import Path

import click

from ctrlgraph.cli import console
from ctrlgraph.cli.numbers import FloatRange
from ctrlgraph.cli.pictures import PictureFile
from ctrlgraph.cli.settings import Settings, engine_option, engines_option
from ctrlgraph.cli.tabulating import tabulating
from ctrlgraph.errors import CtrlGraphError
from ctrlgraph.paths import display_path

MOST_POINTS = 400
"""Of the grid along either axis: as many as a tracking controller takes."""


@click.command()
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--rate", type=FloatRange(0, 20, min_open=True), required=True, help="Of theta, m/s, that is wanted.")
@click.option(
    "--slowest", type=FloatRange(0, 20, min_open=True), default=0.3, show_default=True, help="m/s, of the grid."
)
@click.option(
    "--fastest", type=FloatRange(0, 20, min_open=True), default=2.3, show_default=True, help="m/s, of the grid."
)
@click.option(
    "--points",
    type=click.IntRange(2, MOST_POINTS),
    default=100,
    show_default=True,
    help="Along theta, and along its rate.",
)
@click.option("--actions", type=click.IntRange(2, 100), default=20, show_default=True, help="Places along the sole.")
@click.option(
    "--table",
    type=PictureFile(".npz"),
    metavar="FILE.npz",
    help="Where the outcomes are kept; without it, below runs/.",
)
@click.option(
    "-o",
    "--output",
    type=PictureFile(".npz"),
    metavar="FILE.npz",
    help="The policy; without it, beside FILE as NAME.policy.npz.",
)
@click.option(
    "--effort",
    type=FloatRange(0, 1),
    default=0.01,
    show_default=True,
    help="Cost of an end of the sole for 20 ms, where to be off by 1 m/s costs 1.",
)
@engine_option
@engines_option("Simulate leaving the ground on each of these engines; without it, on that of --engine.")
@click.option(
    "--slope",
    "slopes",
    type=FloatRange(-45, 45),
    multiple=True,
    default=(0.0,),
    show_default=True,
    help="Of the ground that is left and landed on, degrees, up; may be given several times.",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.pass_obj
def command(
    settings: Settings,
    file: Path,
    rate: float,
    slowest: float,
    fastest: float,
    points: int,
    actions: int,
    table: Path | None,
    output: Path | None,
    effort: float,
    engines: tuple[str, ...],
    slopes: tuple[float, ...],
    as_json: bool,
) -> None:
    """Find where the ground's force is to act, by theta and its rate, so that a cycle ends at the rate that is wanted.

    FILE is a tracking controller's whose cycle begins and ends flat on the feet. All places on a grid of states are
    simulated once, and kept: with another --rate, or after Ctrl-C, the command goes on from there.
    """
    from ctrlgraph.engine.engine import ENGINES
    from ctrlgraph.experiments.phase_policy import (
        HOPELESS,
        PASSAGE_PLACES,
        PASSAGES,
        PhasePolicyTask,
        solve_phase_policy,
    )
    from ctrlgraph.experiments.tabulation import tabulate
    from ctrlgraph.policies import OutcomeStatus

    if not slowest < rate < fastest:
        raise CtrlGraphError(f"the wanted rate {rate:g} is not between --slowest {slowest:g} and --fastest {fastest:g}")
    project = settings.project()
    task = PhasePolicyTask(str(project.graph_path.parent), str(file), (slowest, fastest), (points, points), actions)
    kept = table or project.runs_directory / f"{file.stem}.outcomes.npz"
    target = output or file.with_name(f"{file.stem}.policy.npz")
    space, chosen = task.space, tuple(dict.fromkeys(engines or (project.engine,)))
    slopes = tuple(dict.fromkeys(slopes))
    for name in chosen:
        ENGINES[name].load()  # that one is not installed is said before all the work that comes first
    with tabulating(kept), console.progress("states", total=space.grid.size) as (bar, shown):
        found = tabulate(task, kept, progress=lambda done, _: bar.update(shown, completed=done))
    with console.progress("passages", total=PASSAGES * len(PASSAGE_PLACES) * len(chosen) * len(slopes)) as (bar, shown):
        rows = task.passages(chosen, slopes, lambda: bar.update(shown, advance=1))
    policy = solve_phase_policy([task.with_passages(found, row) for row in rows], rate, effort)
    policy.save(target)
    safe = int((policy.value > HOPELESS).sum())
    if as_json:
        outcomes = {status.name.lower(): found.count(status) for status in OutcomeStatus}
        console.print_json(
            {"policy": str(target), "table": str(kept), "states": space.grid.size, "safe": safe, "outcomes": outcomes}
        )
        return
    console.echo(f"table: {display_path(kept)}")
    console.echo(f"policy: {display_path(target)}, {safe} of {space.grid.size} states lead on to the next cycle")
