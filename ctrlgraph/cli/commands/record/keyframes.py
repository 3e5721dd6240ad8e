"""`ctrlgraph record keyframes`: record a motion as keyframes, a file of joint angles over time."""

from __future__ import annotations

from typing import Any

import click

from ctrlgraph.cli.commands.record import record, recording_options
from ctrlgraph.cli.options.common import Settings
from ctrlgraph.cli.options.motion import SETTINGS, rate_option
from ctrlgraph.cli.options.own_files import require_own


@click.command(context_settings=SETTINGS)
@recording_options("frames")
@rate_option(1, 500, 25.0)
@click.option("--joint", "joints", multiple=True, metavar="NAME", help="Only this joint. Repeatable.")
@click.option("--loop", is_flag=True, help="The motion repeats from its beginning.")
def command(settings: Settings, **options: Any) -> None:
    """Record a node, or a script with its ARGS, as keyframes: joint angles over time.

    The keyframes are then run from the initial state of the recording. The deviation of this motion from the recording
    is printed, and how the motion ended. Keyframes do not include the feedback that balanced the recorded motion.

    Example:
      ctrlgraph record keyframes backflip --from stand -o frames.yaml
    """
    require_own(options["output"], "keyframes", "frames")
    from ctrlgraph.project.recording import record_keyframes

    record(settings, record_keyframes, **options)
