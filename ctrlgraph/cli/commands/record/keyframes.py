"""`ctrlgraph record keyframes`: a motion as a file of joint angles over time."""

from __future__ import annotations

from pathlib import Path

import click

from ctrlgraph.cli import console
from ctrlgraph.cli.options.common import Settings, json_option
from ctrlgraph.cli.options.motion import SETTINGS, rate_option, recording_options
from ctrlgraph.cli.options.own_files import require_own
from ctrlgraph.paths import display_path

MAX_RATE = 500.0


@click.command(context_settings=SETTINGS)
@recording_options
@rate_option(1, MAX_RATE, 25.0)
@click.option("--joint", "joints", multiple=True, metavar="NAME", help="Only this joint. Repeatable.")
@click.option("--loop", is_flag=True, help="The motion repeats from its beginning.")
@json_option("file, frames, error_rad, recorded, tracked")
@click.pass_obj
def command(
    settings: Settings,
    controller: str,
    args: tuple[float, ...],
    output: Path,
    after: str | None,
    cycles: int | None,
    duration: float | None,
    rate: float,
    joints: tuple[str, ...],
    loop: bool,
    as_json: bool,
) -> None:
    """Record a node, or a script with its ARGS, as keyframes: joint angles over time.

    The keyframes are then run from the same state, and their distance from the recording is printed, with how they
    ended. They do not include the feedback that balanced the recorded motion.

    Example:
      ctrlgraph record keyframes backflip --from stand -o frames.yaml
    """
    from ctrlgraph.files import write_text
    from ctrlgraph.project.keyframes import record_keyframes
    from ctrlgraph.project.rollout_request import find_rollout

    require_own(output, "keyframes", "frames")
    project = settings.project()
    request = find_rollout(project, controller, args, cycles=cycles, time=duration)
    with console.progress(f"recording {request.name}", total=request.rollout.timeout) as (bar, task):
        made = record_keyframes(
            project,
            request,
            after=None if after is None else project.graph.node(after),
            rate=rate,
            joints=joints,
            loop=loop,
            on_progress=lambda now: bar.update(task, completed=now),
        )
    write_text(output, made.text)
    if as_json:
        console.print_json({"file": display_path(output), **made.as_dict()})
        return
    console.echo(f"{display_path(output)}: {made.frames} frames of {made.recorded.outcome.simulated_s:.2f} s")
    console.echo(f"run alone, they stay within {made.error:.3f} rad (rms) of it; they {made.tracked.headline}")
