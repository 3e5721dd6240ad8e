"""`ctrlgraph gate confusion`: check that nodes' conditions accept no other motion."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from ctrlgraph.bounds import MAX_TRIALS
from ctrlgraph.cli import completion, console
from ctrlgraph.cli.exit_codes import ExitCode
from ctrlgraph.cli.options.common import Settings, engine_option, json_option, seed_option
from ctrlgraph.errors import printable

if TYPE_CHECKING:
    from ctrlgraph.experiments.confusion import Acceptance, Confusion


@click.command()
@click.argument("nodes", nargs=-1, metavar="[NODE]...", shell_complete=completion.nodes)
@click.option(
    "--trials", type=click.IntRange(1, MAX_TRIALS), default=3, show_default=True, help="Examples of each edge."
)
@seed_option(default=1)
@engine_option
@json_option("passed, seed, examples, lost, without_example, unexplained, explained, needless")
@click.pass_context
def command(ctx: click.Context, nodes: tuple[str, ...], trials: int, seed: int, as_json: bool) -> None:
    """Judge examples of every node, or of each NODE, by the conditions of all others.

    The exit code is 1 where conditions accept another motion, or standing still, without a reason under 'also' in the
    graph file, and where no example of a node satisfies its own conditions.

    Example:
      ctrlgraph gate confusion walk run
    """
    from ctrlgraph.experiments.confusion import confusion
    from ctrlgraph.experiments.example_measures import save_examples
    from ctrlgraph.experiments.examples import entries

    settings: Settings = ctx.obj
    project = settings.project()
    asked = list(nodes) or list(project.graph.nodes)
    total = trials * sum(len(entries(project.graph, project.graph.node(name).name)) for name in asked)
    with console.progress("examples", total=total) as (bar, task):
        found = confusion(
            project,
            trials=trials,
            seed=seed,
            motions=asked,
            on_example=lambda _: bar.update(task, advance=1),
        )
    save_examples(project, found.measures)
    lacking = [name for name in found.without_example if name in asked]
    if as_json:
        console.print_json(found.as_dict() | {"without_example": lacking})
    else:
        _print(found, lacking)
    ctx.exit(ExitCode.of(not found.unexplained and not lacking))


def _print(found: Confusion, lacking: list[str]) -> None:
    from rich.table import Table
    from rich.text import Text

    for title, rows in (
        ("unexplained", found.unexplained),
        ("explained", [each for each in found.acceptances if each.because]),
    ):
        if rows:
            table = Table(box=None, pad_edge=False, title=title, title_justify="left")
            for column in ("the conditions of", "hold for", "examples", "because"):
                table.add_column(column)
            for each in rows:
                table.add_row(*map(Text, _cells(each)))
            console.stdout().print(table)
    for name in lacking:
        console.echo(f"{name}: no example holds by its own conditions", err=True)
    for name, motion in found.needless:
        console.echo(f"{name}: 'also' gives a reason for {motion}, for which its conditions did not hold", err=True)
    console.echo(
        f"{len(found.unexplained)} unexplained and {len(found.acceptances) - len(found.unexplained)} explained, of"
        f" {found.examples.total()} examples of {len(found.examples)} nodes, seed {found.seed}"
    )


def _cells(each: Acceptance) -> tuple[str, ...]:
    count = f"{each.accepted} of {each.examples}"
    return printable(each.node), printable(each.motion), count, printable(each.because)
