"""`ctrlgraph endurance NODE...`: how many steps gaits take before they fall."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from ctrlgraph.bounds import MAX_TIMEOUT_S, MAX_TRIALS
from ctrlgraph.cli import completion, console
from ctrlgraph.cli.numbers import FloatRange
from ctrlgraph.cli.settings import Settings, engine_option
from ctrlgraph.cli.walk_display import MAX_SEED, drawn_seed

if TYPE_CHECKING:
    from ctrlgraph.experiments.endurance import Endurance


@click.command()
@click.argument("nodes", nargs=-1, required=True, metavar="NODE...", shell_complete=completion.nodes)
@click.option(
    "--seconds",
    type=FloatRange(0, MAX_TIMEOUT_S, min_open=True),
    default=20.0,
    show_default=True,
    help="Simulated at most, of each start.",
)
@click.option("--trials", type=click.IntRange(1, MAX_TRIALS), default=25, show_default=True, help="Starts.")
@click.option(
    "--with", "given", multiple=True, metavar="NAME=VALUE", help="A perturbation; without noise=..., noise=0.02."
)
@click.option("--without-feedback", is_flag=True, help="Also with the gains of the balance feedback (cd, cv) at 0.")
@engine_option
@click.option("--seed", type=click.IntRange(0, MAX_SEED), help="Of all that is drawn; without it, a new one.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.pass_obj
def command(
    settings: Settings,
    nodes: tuple[str, ...],
    seconds: float,
    trials: int,
    given: tuple[str, ...],
    without_feedback: bool,
    seed: int | None,
    as_json: bool,
) -> None:
    """Measure how long gaits last: steps, seconds and metres until they fall.

    Each NODE is entered as the graph has it, from as many perturbed starts, and repeated until its time is over or it
    falls. Steps are not told of a character without two feet. docs/robustness.md tells the perturbations. Intervals are
    of 95 %.
    """
    from ctrlgraph.experiments.endurance import endurance
    from ctrlgraph.experiments.perturbation import Perturbations
    from ctrlgraph.experiments.sweeps.scenario import parse_values

    pairs = parse_values(given)
    project = settings.project()
    perturbed = Perturbations.of(project).with_values([("noise", "0.02"), *pairs])
    chosen = drawn_seed(seed)
    asked = [(node, feedback) for node in nodes for feedback in ((True, False) if without_feedback else (True,))]
    found = []
    with console.progress("walking", total=len(asked) * perturbed.worth(trials)) as (bar, task):
        for node, feedback in asked:
            found.append(
                endurance(
                    project,
                    node,
                    perturbed,
                    seconds=seconds,
                    trials=trials,
                    seed=chosen,
                    feedback=feedback,
                    on_run=lambda _: bar.update(task, advance=1),
                )
            )
    if as_json:
        head = {"seed": chosen, "with": perturbed.as_dict()}
        console.print_json(head | {"gaits": [each.as_dict() for each in found]})
        return
    _print(found)
    console.echo(f"seed {chosen}")


def _print(found: list[Endurance]) -> None:
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, pad_edge=False)
    for title in ("gait", "feedback", "still walking", "steps", "seconds", "metres", "commonest end"):
        table.add_column(title)
    for each in found:
        means = [_cell(each.mean(name)) for name in _COLUMNS]
        cells = (each.node, "yes" if each.feedback else "no", str(each.lasted), *means, each.commonest_end)
        table.add_row(*map(Text, cells))
    console.stdout().print(table)


def _cell(mean: tuple[float, float, float] | None) -> str:
    return "-" if mean is None else "{:.1f} ({:.1f}-{:.1f})".format(*mean)


_COLUMNS = ("steps", "duration", "distance")
