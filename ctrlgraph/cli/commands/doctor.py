"""`ctrlgraph doctor`: what is installed and what is missing, and the cost of a simulation step."""

from __future__ import annotations

import click
from click.core import ParameterSource

from ctrlgraph.cli import completion, console
from ctrlgraph.cli.exit_codes import ExitCode
from ctrlgraph.cli.options.common import Settings, engine_option, json_option
from ctrlgraph.cli.options.numbers import FloatRange
from ctrlgraph.doctor import examine, healthy

STYLES = {"ok": "green", "differs": "yellow", "missing": "red", "absent": "yellow"}


@click.command()
@click.option("--bench", is_flag=True, help="Measure the cost of a simulation step instead.")
@click.argument("nodes", nargs=-1, metavar="[NODE]...", shell_complete=completion.nodes)
@click.option("--seconds", type=FloatRange(0.1, 600), default=10.0, help="Simulated time per node.")
@click.option("--repetitions", type=click.IntRange(3), default=15, help="Repetitions per node.")
@engine_option
@json_option("healthy, checks; with --bench: nodes")
@click.pass_context
def command(
    ctx: click.Context, bench: bool, nodes: tuple[str, ...], seconds: float, repetitions: int, as_json: bool
) -> None:
    """Show what is installed, which versions, and what to do about what is missing.

    The exit code is 1 if a required part is missing.

    With --bench, measure the cost of a step of each NODE; by default of walk, hop and stand, or of the first three
    nodes. A step includes control, collision, engine and recording; the table has medians.

    Examples:
      ctrlgraph doctor
      ctrlgraph doctor --bench walk --engine mujoco
    """
    if bench:
        _bench(ctx.obj, nodes, seconds, repetitions, as_json)
        return
    for name in ("nodes", "seconds", "repetitions", "engines"):
        if ctx.get_parameter_source(name) is ParameterSource.COMMANDLINE and ctx.params.get(name, True) != ():
            raise click.UsageError("nodes, --seconds, --repetitions and --engine are for --bench", ctx)
    checks = examine()
    if as_json:
        console.print_json({"healthy": healthy(checks), "checks": [check.as_dict() for check in checks]})
    else:
        states = [console.Styled(check.state, STYLES[check.state], check.state == "missing") for check in checks]
        rows = [(check.name, state, check.found, check.advice) for check, state in zip(checks, states, strict=True)]
        console.print_table(("", "", "found", "what to do"), rows)
    ctx.exit(ExitCode.of(healthy(checks)))


def _bench(settings: Settings, nodes: tuple[str, ...], seconds: float, repetitions: int, as_json: bool) -> None:
    from ctrlgraph.benchmark import benchmark, default_nodes

    project = settings.project()
    chosen = tuple(dict.fromkeys(nodes)) or default_nodes(project.graph)
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
    rows = [(t.node, str(t.steps), f"{t.step_us:.1f} us", f"{t.realtime:.0f}x") for t in timings]
    numbers = ("steps", "time per step", "real time")
    console.print_table(("node", *numbers), rows, right=numbers)
