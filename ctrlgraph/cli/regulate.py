"""`ctrlgraph regulate`: a motion in steps as the reference of a linear quadratic regulator."""

from __future__ import annotations

from pathlib import Path

import click

from ctrlgraph.cli import console
from ctrlgraph.cli.controller_options import SETTINGS, recording_options
from ctrlgraph.cli.numbers import FloatRange
from ctrlgraph.cli.own_files import require_own
from ctrlgraph.cli.settings import Settings, engine_option
from ctrlgraph.errors import CtrlGraphError
from ctrlgraph.paths import display_path

LEAST_RATE, MAX_RATE = 50.0, 1000.0


@click.command(context_settings=SETTINGS)
@recording_options
@click.option("--steps", type=click.IntRange(1, 1000), help="Only the first so many steps. [default: all]")
@engine_option
@click.option(
    "--rate", type=FloatRange(LEAST_RATE, MAX_RATE), default=250.0, show_default=True, help="Samples a second."
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.pass_obj
def command(
    settings: Settings,
    controller: str,
    args: tuple[float, ...],
    output: Path,
    after: str | None,
    cycles: int | None,
    duration: float | None,
    steps: int | None,
    rate: float,
    as_json: bool,
) -> None:
    """Record a node, or a script with its ARGS, as the reference of a time-varying linear quadratic regulator.

    The regulator follows the recorded steps by the clock. It is then run from the same state; how far the joints are
    from the recording is told, and how it ended. Its weights stand in the file, with the source's numbers.
    """
    from ctrlgraph.files import write_text
    from ctrlgraph.project.regulation import record_regulator
    from ctrlgraph.project.rollout_request import find_rollout

    require_own(output, "regulators", "weights")
    if not LEAST_RATE <= rate <= MAX_RATE:  # nan is within any range
        raise CtrlGraphError(f"there are {LEAST_RATE:g} to {MAX_RATE:g} samples a second, not {rate:g}")
    project = settings.project()
    request = find_rollout(project, controller, args, cycles=cycles, time=duration)
    with console.progress(f"recording {request.name}", total=request.rollout.timeout) as (bar, task):
        made = record_regulator(
            project,
            request,
            after=None if after is None else project.graph.node(after),
            rate=rate,
            steps=steps,
            on_progress=lambda now: bar.update(task, completed=now),
        )
    write_text(output, made.text)
    if as_json:
        console.print_json({"file": display_path(output), **made.as_dict()})
        return
    console.echo(f"{display_path(output)}: {made.steps} steps, {made.samples} samples")
    console.echo(f"run by itself it stays within {made.error:.3f} rad (rms) of it; it {made.tracked.headline}")
