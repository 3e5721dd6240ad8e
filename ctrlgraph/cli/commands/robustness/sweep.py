"""`ctrlgraph robustness sweep`: measure success over a grid of perturbations."""

from __future__ import annotations

import dataclasses

import click

from ctrlgraph.cli.commands.robustness.question import Request, answer, question_options
from ctrlgraph.cli.options.world import as_perturbation


@click.command()
@question_options("[TARGET]... [AXIS=FROM:TO:STEP]...")
@click.option("--write-ground", is_flag=True, help="Write the slopes on which edges succeed to the graph.")
@click.pass_context
def command(ctx: click.Context, request: Request, write_ground: bool) -> None:
    """Measure the success of each TARGET over a grid of perturbations: a node, an edge (a->b) or a path (a->b->c).

    The grid has one or two axes. AXIS is the name of a perturbation; AXIS=VALUE,VALUE... is also possible. A trial
    succeeds if the target's success conditions hold and then the nearest static pose is reached. Each trial is stored
    in runs/ when it ends. docs/reference/robustness.md lists the axes.

    Examples:
      ctrlgraph robustness sweep walk slope=-6:6:1
      ctrlgraph robustness sweep "walk->stand" push=-300:300:50 phase=0:0.9:0.1
      ctrlgraph robustness sweep --all --with noise=0.02 --engine ode,mujoco
    """
    axes = [as_perturbation(word) for word in request.words if "=" in word]
    targets = tuple(word for word in request.words if "=" not in word)
    answer(ctx, dataclasses.replace(request, words=targets), axes, write_ground=write_ground)
