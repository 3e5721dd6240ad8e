"""`ctrlgraph robustness pushes`: measure the largest pushes of the trunk that motions withstand."""

from __future__ import annotations

from dataclasses import asdict

import click

from ctrlgraph.bounds import MAX_CYCLES
from ctrlgraph.cli import completion, console
from ctrlgraph.cli.options.common import Settings, engine_option, json_option
from ctrlgraph.cli.options.motion import cycles_option, from_option
from ctrlgraph.cli.options.numbers import FloatRange
from ctrlgraph.errors import CtrlGraphError


@click.command()
@click.argument("nodes", nargs=-1, required=True, metavar="NODE...", shell_complete=completion.nodes)
@from_option("Node that precedes them.", required=True)
@click.option(
    "--at", type=FloatRange(0, 1000), required=True, metavar="S", help="Time of the push, after the node begins."
)
@cycles_option(MAX_CYCLES)
@click.option("--step", type=FloatRange(0, 1000, min_open=True), default=10.0, help="Resolution of limits, N.")
@click.option("--most", type=FloatRange(0, 1e6), default=1000.0, help="Largest push, N.")
@engine_option
@json_option("after, at, engine, limits")
@click.pass_obj
def command(
    settings: Settings,
    nodes: tuple[str, ...],
    after: str,
    at: float,
    cycles: int | None,
    step: float,
    most: float,
    as_json: bool,
) -> None:
    """Measure the largest pushes that motions withstand: a force on the trunk for 0.1 s, without randomness.

    Each NODE runs after the node of --from. The trunk is pushed at the time of --at, backward and forward, with growing
    force until the character falls. A motion continues if the character moves at least half as far as without a push.

    Example:
      ctrlgraph robustness pushes walk run --from stand --at 1.2
    """
    from ctrlgraph.robustness.gaits.push_response import PushResponse

    if step > most:
        raise CtrlGraphError(f"--step {step:g} must not be above --most {most:g}, or no push is simulated")
    project, found = settings.project(), []
    with console.progress("pushes") as (bar, task):
        for node in nodes:
            with PushResponse(project, node, after, at, cycles) as response:
                found.append(response.limits(step, most, lambda: bar.update(task, advance=1)))
    if as_json:
        head = {"after": after, "at": at, "engine": project.engine}
        console.print_json(head | {"limits": [asdict(each) for each in found]})
        return
    rows = [(f.node, *(f"{low:g} to {high:g}" for low, high in (f.upright, f.continues))) for f in found]
    console.print_table(("node", "does not fall, N", "continues, N"), rows)
