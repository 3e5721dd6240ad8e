"""`ctrlgraph robustness limit`: find the largest perturbation under which a target succeeds."""

from __future__ import annotations

import dataclasses

import click

from ctrlgraph.bounds import MAX_CONFIRMED
from ctrlgraph.cli.commands.robustness.question import Request, answer, question_options
from ctrlgraph.cli.options.common import Settings
from ctrlgraph.cli.options.world import as_perturbation


@click.command()
@question_options("[TARGET]... [AXIS[=STEP]]...")
@click.option(
    "--confirm", type=click.IntRange(0, MAX_CONFIRMED), metavar="N", help="Require success at N values below a limit."
)
@click.pass_context
def command(ctx: click.Context, request: Request, confirm: int | None) -> None:
    """Find the largest perturbation under which each TARGET succeeds: a node, an edge (a->b) or a path (a->b->c).

    AXIS is the name of a perturbation. Its largest value is found by bisection; STEP is the resolution. Success is
    defined as in `ctrlgraph robustness sweep`.

    Examples:
      ctrlgraph robustness limit walk slope=0.5
      ctrlgraph robustness limit stand push friction --confirm 2
    """
    from ctrlgraph.robustness.perturbation import AXES, MASS_OF

    settings: Settings = ctx.obj
    axes: list[str] = []
    targets: list[str] = []
    for word in request.words:
        name = word.partition("=")[0]
        is_axis = "=" in word or name in (*AXES, "dt") or name.startswith(MASS_OF)
        is_axis = is_axis and ("=" in word or word not in settings.project().graph)
        (axes if is_axis else targets).append(as_perturbation(word))
    answer(ctx, dataclasses.replace(request, words=tuple(targets)), limits=axes, confirm=confirm)
