"""`ctrlgraph robustness endurance`: measure how long gaits last from perturbed starts until the character falls."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from ctrlgraph.bounds import MAX_TIMEOUT_S, MAX_TRIALS
from ctrlgraph.cli import completion, console
from ctrlgraph.cli.options.common import Settings, engine_option, json_option, seed_option
from ctrlgraph.cli.options.numbers import FloatRange
from ctrlgraph.cli.options.world import perturbations_option

if TYPE_CHECKING:
    from ctrlgraph.robustness.endurance import Endurance


@click.command()
@click.argument("nodes", nargs=-1, required=True, metavar="NODE...", shell_complete=completion.nodes)
@click.option(
    "--seconds",
    type=FloatRange(0, MAX_TIMEOUT_S, min_open=True),
    default=20.0,
    help="Maximum simulated time of each start.",
)
@click.option("--trials", type=click.IntRange(1, MAX_TRIALS), default=25, help="Perturbed starts of each gait.")
@perturbations_option("Perturbation of all starts; noise=0.02 unless given")
@click.option("--without-feedback", is_flag=True, help="Repeat with the gains of the balance feedback (cd, cv) at 0.")
@engine_option
@seed_option()
@json_option("seed, with, gaits")
@click.pass_obj
def command(
    settings: Settings,
    /,
    nodes: tuple[str, ...],
    perturbations: tuple[str, ...],
    without_feedback: bool,
    as_json: bool,
    **options: Any,
) -> None:
    """Measure how long gaits last: steps, seconds and metres until the character falls.

    Each NODE runs after its predecessors in the graph, with perturbed starts, and is repeated until the time is over or
    the character falls. Steps are not counted for a character without two feet. Intervals are 95 %.
    docs/reference/robustness.md lists the perturbations.

    Example:
      ctrlgraph robustness endurance walk run --seconds 30 --with slope=2
    """
    from ctrlgraph.robustness.endurance import endurance
    from ctrlgraph.robustness.perturbation import Perturbations
    from ctrlgraph.robustness.sweeps.scenario import parse_values

    pairs = parse_values(perturbations)
    project = settings.project()
    perturbed = Perturbations.of(project).with_values([("noise", "0.02"), *pairs])
    asked = [(node, feedback) for node in nodes for feedback in ((True, False) if without_feedback else (True,))]
    found = []
    with console.progress("walking", total=len(asked) * perturbed.distinct_trials(options["trials"])) as (bar, task):

        def advance(_: object) -> None:
            bar.update(task, advance=1)

        for node, feedback in asked:
            found.append(endurance(project, node, perturbed, feedback=feedback, on_run=advance, **options))
    if as_json:
        head = {"seed": options["seed"], "with": perturbed.as_dict()}
        console.print_json(head | {"gaits": [each.as_dict() for each in found]})
        return
    _print(found)
    console.echo(f"seed {options['seed']}")


def _print(found: list[Endurance]) -> None:
    rows = []
    for each in found:
        means = [_cell(each.mean(name)) for name in ("steps", "duration", "distance")]
        rows.append((each.node, "yes" if each.feedback else "no", str(each.lasted), *means, each.commonest_end))
    console.print_table(("gait", "feedback", "still walking", "steps", "seconds", "metres", "commonest end"), rows)


def _cell(mean: tuple[float, float, float] | None) -> str:
    return "-" if mean is None else "{:.1f} ({:.1f}-{:.1f})".format(*mean)
