"""`ctrlgraph keyframes`: a motion as a file of joint angles over time."""

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

MAX_RATE = 500.0


@click.command(context_settings=SETTINGS)
@recording_options
@engine_option
@click.option("--rate", type=FloatRange(1, MAX_RATE), default=25.0, show_default=True, help="Frames a second.")
@click.option("--joint", "joints", multiple=True, metavar="NAME", help="Only this joint; may be given several times.")
@click.option("--loop", is_flag=True, help="The motion goes on where it began.")
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
    rate: float,
    joints: tuple[str, ...],
    loop: bool,
    as_json: bool,
) -> None:
    """Record a node, or a script with its ARGS, as key frames: joint angles over time.

    The frames are then run from the same state; how far the joints are from the recording is told, and how it ended:
    what kept the balance of the recorded motion is no part of the frames.
    """
    from ctrlgraph.files import write_text
    from ctrlgraph.project.keyframes import record_keyframes
    from ctrlgraph.project.rollout_request import find_rollout

    require_own(output, "key frames", "frames")
    if not rate <= MAX_RATE:  # nan is within any range
        raise CtrlGraphError(f"there are at most {MAX_RATE:g} frames a second, not {rate:g}")
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
    console.echo(f"run by themselves they stay within {made.error:.3f} rad (rms) of it; they {made.tracked.headline}")
