"""`ctrlgraph record regulator`: record steps as the reference of a time-varying linear quadratic regulator."""

from __future__ import annotations

from typing import Any

import click

from ctrlgraph.cli.commands.record import record, recording_options
from ctrlgraph.cli.options.common import Settings
from ctrlgraph.cli.options.motion import SETTINGS, rate_option
from ctrlgraph.cli.options.own_files import require_own


@click.command(context_settings=SETTINGS)
@recording_options("steps, samples")
@click.option("--steps", type=click.IntRange(1, 1000), help="Number of first steps to record.  [default: all]")
@rate_option(50, 1000, 250.0)
def command(settings: Settings, **options: Any) -> None:
    """Record a node, or a script with its ARGS, as the reference of a time-varying linear quadratic regulator.

    The regulator follows the recorded steps by the clock. It is then run from the initial state of the recording. The
    deviation of this motion from the recording is printed, and how the motion ended. The file contains the cost weights
    of Abe and Popovic (2011).

    Example:
      ctrlgraph record regulator walk --from stand --cycles 4 -o walk.yaml
    """
    require_own(options["output"], "a regulator", "weights")
    from ctrlgraph.project.recording import record_regulator

    record(settings, record_regulator, **options)
