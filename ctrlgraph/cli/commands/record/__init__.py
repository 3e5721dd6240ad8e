"""`ctrlgraph record`: record motions as controllers. This module has common parts of `keyframes` and `regulator`."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ctrlgraph.bounds import MAX_CYCLES
from ctrlgraph.cli import completion, console
from ctrlgraph.cli.options.common import Settings, add_options, engine_option, json_option, output_option
from ctrlgraph.cli.options.motion import arguments_argument, cycles_option, from_option, seconds_option
from ctrlgraph.paths import display_path

if TYPE_CHECKING:
    from ctrlgraph.project.recording import RecordedController


def recording_options(counts: str) -> Callable[[Any], Any]:
    """Return a decorator that adds the arguments and options of `ctrlgraph record keyframes` and `regulator`.

    Args:
        counts: JSON keys that state the size of the recording, such as "steps, samples", for the help of --json.
    """
    return add_options(
        click.argument("controller", metavar="NODE_OR_SCRIPT", shell_complete=completion.scripts),
        arguments_argument,
        output_option("File to write.", required=True, metavar="FILE.yaml"),
        from_option(),
        cycles_option(MAX_CYCLES),
        seconds_option,
        engine_option,
        json_option(f"file, {counts}, error_rad, recorded, tracked"),
        click.pass_obj,
    )


def record(
    settings: Settings,
    make: Callable[..., RecordedController],
    *,
    controller: str,
    args: tuple[float, ...],
    output: Path,
    after: str | None,
    cycles: int | None,
    duration: float | None,
    as_json: bool,
    **options: Any,
) -> None:
    """Record a motion as a controller, write its file, and print how well the controller repeats the motion.

    Args:
        settings: Values of the options before the command's name.
        make: Function of `ctrlgraph.project.recording` that records the motion, such as `record_keyframes`.
        controller: Name of the node, or path of the script, whose motion is recorded.
        args: Arguments of the script.
        output: File to write.
        after: Name of the node that runs before the motion. None: the motion begins in the start pose.
        cycles: Number of repetitions. None: the minimum number of the node.
        duration: Simulated time, s. None: until the motion ends.
        as_json: Print JSON.
        **options: Further options of `make`.
    """
    from ctrlgraph.files import write_text
    from ctrlgraph.project.rollout_request import find_rollout

    project = settings.project()
    request = find_rollout(project, controller, args, cycles=cycles, time=duration)
    before = None if after is None else project.graph.node(after)
    with console.progress(f"recording {request.name}", total=request.rollout.timeout) as (bar, task):
        made = make(project, request, after=before, on_progress=lambda now: bar.update(task, completed=now), **options)
    write_text(output, made.text)
    if as_json:
        console.print_json({"file": display_path(output), **made.as_dict()})
        return
    counts = ", ".join(f"{number} {name}" for name, number in made.counts.items())
    console.echo(f"{display_path(output)}: {counts} of {made.recorded.outcome.simulated_s:.2f} s")
    console.echo(
        f"run alone, the controller stays within {made.error:.3f} rad (rms) of the recording;"
        f" it {made.tracked.headline}"
    )


__all__ = ["keyframes", "regulator", "tracking"]
