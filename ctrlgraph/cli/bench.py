"""`ctrlgraph bench`: what a simulation step costs."""

from __future__ import annotations

import click

from ctrlgraph.cli import completion, console
from ctrlgraph.cli.numbers import FloatRange
from ctrlgraph.cli.settings import Settings, engine_option


@click.command()
@click.argument("nodes", nargs=-1, metavar="[NODE]...", shell_complete=completion.nodes)
@click.option("--seconds", type=FloatRange(0.1, 600), default=10.0, show_default=True, help="Simulated, of a node.")
@click.option(
    "--repetitions", type=click.IntRange(3), default=15, show_default=True, help="Of which the median counts."
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@engine_option
@click.pass_context
def command(ctx: click.Context, nodes: tuple[str, ...], seconds: float, repetitions: int, as_json: bool) -> None:
    """Measure what a step costs, of each NODE; without one, of walk, hop and stand where the graph has them, else
    of its first three nodes.

    The whole loop (control, collision, engine, recording) is timed against a bare loop that is given
    the same motor commands and contacts and only steps the engine through the same states; both run in
    turn, so that they meet the same moods of the machine.
    """
    from ctrlgraph.benchmark import benchmark, usual_nodes

    settings: Settings = ctx.obj
    project = settings.project()
    chosen = tuple(dict.fromkeys(nodes)) or usual_nodes(project.graph)
    with console.progress("measuring", total=len(chosen)) as (bar, task):
        timings = benchmark(
            project,
            chosen,
            engine=project.engine,
            seconds=seconds,
            repetitions=repetitions,
            on_node=lambda name: bar.update(task, advance=1, description=f"measuring {name}"),
        )
    if as_json:
        console.print_json({"nodes": {timing.node: timing.as_dict() for timing in timings}})
        return
    from rich.table import Table

    table = Table(box=None, pad_edge=False)
    for title in ("node", "steps", "whole loop", "engine alone", "ratio", "real time"):
        table.add_column(title, justify="left" if title == "node" else "right")
    for t in timings:
        table.add_row(
            t.node,
            str(t.steps),
            f"{t.whole_us:.1f} us",
            f"{t.bare_us:.1f} us",
            f"{t.ratio:.3f}",
            f"{t.realtime:.0f}x",
        )
    console.stdout().print(table)
