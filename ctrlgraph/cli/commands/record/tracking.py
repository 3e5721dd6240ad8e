"""`ctrlgraph record tracking`: fit motion constraints to a recorded motion, and write them as a tracking file."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ctrlgraph.character.planar_model import require_planar
from ctrlgraph.cli import console
from ctrlgraph.cli.options.common import json_option, output_option
from ctrlgraph.cli.options.motion import SETTINGS, MotionRequest, motion_options
from ctrlgraph.cli.options.numbers import FloatRange
from ctrlgraph.cli.options.own_files import require_own
from ctrlgraph.cli.options.pictures import PictureFile
from ctrlgraph.errors import CtrlGraphError
from ctrlgraph.paths import display_path

if TYPE_CHECKING:
    from ctrlgraph.cli.options.common import Settings
    from ctrlgraph.control.tracking.fitting.fitted_tracking import FittedTracking
    from ctrlgraph.project.project import Project
    from ctrlgraph.robustness.gaits.return_map import CyclesRun

PICTURES = (".png", ".svg")
MAX_TRIED_S = 600.0


@click.command(context_settings=SETTINGS)
@motion_options()
@output_option("File to write.", required=True, metavar="FILE.yaml")
@click.option("--skip", type=click.IntRange(0, 1000), default=2, help="First steps to ignore.")
@click.option("--degree", type=click.IntRange(2, 9), default=6, help="Degree of the splines.")
@click.option(
    "--coefficients", "count", type=click.IntRange(5, 40), default=7, help="Coefficients of each row's spline."
)
@click.option("--smooth", "k", type=FloatRange(0, 1e3), metavar="K", help="Weight of c''.  [default: from the L-curve]")
@click.option("--plot", type=PictureFile(*PICTURES), metavar="FILE", help="Draw the fit over theta (.png, .svg).")
@click.option(
    "--try",
    "tried_s",
    type=FloatRange(0, MAX_TRIED_S),
    default=10.0,
    metavar="S",
    help="Simulated time of a trial from the first pose; 0: no trial.",
)
@json_option(
    "file, steps, period_s, speed_m_s, residual_rad, row_residuals_rad, k, inconsistency_before, inconsistency,"
    " theta_rad, monotonic, backward_rad, backward_at_s, centre_m, measured_centre_m, tried, hindrance"
)
def command(
    ctx: click.Context,
    motion: MotionRequest,
    output: Path,
    plot: Path | None,
    tried_s: float,
    as_json: bool,
    **options: Any,
) -> None:
    """Fit motion constraints to a recorded walk or run, and write them as a tracking file.

    The motion is that of a node, a script, or a logged run. Its steps are averaged over the phase variable theta, which
    increases during a step; steps on the other foot are averaged with right and left exchanged. Splines are fitted to
    the average, so that the impact at the landing leads to the start of the next step.

    Examples:
      ctrlgraph record tracking walk --from stand --cycles 8 -o walk.yaml
      ctrlgraph record tracking run --from stand --cycles 8 -o run.yaml --plot fit.png
    """
    from ctrlgraph.control.tracking.fitting.fitted_tracking import fit_tracking
    from ctrlgraph.files import write_text
    from ctrlgraph.project.body_motion import motion_of_signals
    from ctrlgraph.terrain.spatial.spatial_terrain import in_space

    settings: Settings = ctx.obj
    require_own(output, "a tracking file", "stages")
    project = settings.project()
    require_planar(project.character, "a tracking file", "write a gait")
    recorded = motion.record(project)
    heights = in_space(recorded.ground).profile.y
    if heights.min() != heights.max():
        fault = "constraints can only be fitted to a motion on level ground"
        raise CtrlGraphError(f"{fault}: omit the slope or terrain of --with")
    character = require_planar(recorded.character, "a tracking file")
    body = motion_of_signals(recorded.signals, character)
    with console.progress("fitting") as (bar, task):
        made = fit_tracking(
            body, character, comment=_comment(motion), on_evaluation=lambda: bar.update(task, advance=1), **options
        )
    write_text(output, made.text)
    if plot is not None:
        _draw(made, plot, motion.what)
    tried, hindrance = None, ""
    try:
        tried = _try(project, made, tried_s) if tried_s else None
    except CtrlGraphError as error:  # the fit is printed anyway
        hindrance = str(error)
    if as_json:
        trial = {"tried": None if tried is None else tried.as_dict(), "hindrance": hindrance}
        console.print_json({"file": display_path(output), **made.as_dict(), **trial})
        return
    _print_fit(made, output)
    if tried is not None:
        end = f"{tried.status}: {tried.reason}" if tried.reason else tried.status
        steps = f"{tried.steps} steps, {tried.distance:.2f} m in {tried.seconds:.2f} s"
        console.echo(f"run from its first pose: {steps}; {end}")
    if hindrance:
        console.echo(f"not run: {hindrance}")


def _comment(motion: MotionRequest) -> str:
    from ctrlgraph.errors import printable

    words = " ".join(printable(motion.what).split())
    source = f"Fitted to {words} by `ctrlgraph record tracking`"
    return f"{source}: the step of the first foot; see docs/reference/fitting.md."


def _draw(made: FittedTracking, path: Path, title: str) -> None:
    import numpy as np

    from ctrlgraph.pictures.fit_figure import FitPlot, write_fit_figure

    rows, theta = made.fit.rows, np.linspace(*made.fit.rows.theta, 101)
    fitted = rows.values(theta)
    plots = [
        FitPlot(row, made.step.theta, made.step.each[:, :, r], theta, fitted[:, r], residual)
        for r, (row, residual) in enumerate(made.fit.residual.items())
    ]
    write_fit_figure(plots, path, title)


def _try(project: Project, made: FittedTracking, seconds: float) -> CyclesRun:
    from ctrlgraph.robustness.gaits.return_map import run_for

    with console.progress("running it") as _:
        return run_for(made.tracking, float(made.step.rate[1]), seconds, made.start, engine=project.engine)


def _print_fit(made: FittedTracking, output: Path) -> None:
    step, theta = made.step, made.fit.rows.theta
    length = f"{step.duration:.3f} s and {made.speed * step.duration:.3f} m a step, {made.speed:.2f} m/s"
    console.echo(f"{display_path(output)}: fitted to {made.steps} steps, {length}")
    decreases = f"decreases by {step.backward:.4f} rad at {step.backward_at:.3f} s"
    rises = "always increases" if step.monotonic else decreases
    console.echo(f"theta {theta[0]:.3f} to {theta[1]:.3f} rad, {rises}; rms of y, rad:")
    console.echo("  " + ", ".join(f"{row} {value:.4f}" for row, value in made.fit.residual.items()))
    console.echo(f"k = {made.fit.k:.1e}; rms of all rows {made.residual:.4f} rad")
    for what, off in (("nearest splines", made.fit.before), ("fitted", made.fit.after)):
        console.echo(
            f"consistency, {what}: theta {off.theta:.1e} rad, rows {off.angle:.1e} rad, slopes {off.slope:.1e},"
            f" landing foot {off.landing * 1000:+.1f} mm"
        )
