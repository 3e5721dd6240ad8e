"""`ctrlgraph record regulator`: steps as the reference of a linear quadratic regulator."""

from __future__ import annotations

from pathlib import Path

import click

from ctrlgraph.cli import console
from ctrlgraph.cli.options.common import Settings, json_option
from ctrlgraph.cli.options.motion import SETTINGS, rate_option, recording_options
from ctrlgraph.cli.options.own_files import require_own
from ctrlgraph.paths import display_path

LEAST_RATE, MAX_RATE = 50.0, 1000.0


@click.command(context_settings=SETTINGS)
@recording_options
@click.option("--steps", type=click.IntRange(1, 1000), help="Number of first steps to record.  [default: all]")
@rate_option(LEAST_RATE, MAX_RATE, 250.0)
@json_option("file, steps, samples, error_rad, recorded, tracked")
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

    The regulator follows the recorded steps by the clock. It is then run from the same state, and its distance from
    the recording is printed, with how it ended. The file has its weights, with the source's values.

    Example:
      ctrlgraph record regulator walk --from stand --cycles 4 -o walk.yaml
    """
    from ctrlgraph.files import write_text
    from ctrlgraph.project.regulation import record_regulator
    from ctrlgraph.project.rollout_request import find_rollout

    require_own(output, "a regulator", "weights")
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
    console.echo(f"run alone, it stays within {made.error:.3f} rad (rms) of it; it {made.tracked.headline}")
