"""`ctrlgraph record tracking`: motion constraints that fit a recorded motion, as a tracking file."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ctrlgraph.cli import console
from ctrlgraph.cli.options.common import json_option, output_option
from ctrlgraph.cli.options.motion import SETTINGS, MotionRequest, motion_options
from ctrlgraph.cli.options.numbers import FloatRange
from ctrlgraph.cli.options.own_files import require_own
from ctrlgraph.cli.options.pictures import PictureFile
from ctrlgraph.errors import CtrlGraphError
from ctrlgraph.paths import display_path

if TYPE_CHECKING:
    from ctrlgraph.character.model import Character
    from ctrlgraph.cli.options.common import Settings
    from ctrlgraph.control.tracking.fitting.body_motion import BodyMotion
    from ctrlgraph.control.tracking.tracking import Tracking
    from ctrlgraph.experiments.gaits.return_map import CyclesRun
    from ctrlgraph.project.fitted_tracking import FittedTracking
    from ctrlgraph.project.project import Project

PICTURES = (".png", ".svg")
MAX_TRIED_S = 600.0
RECORDED_S = 10.0
"""Default time that a tracking file is recorded, s."""
USUAL_RATE = 1.3
"""Default rate of theta in a walk, rad/s."""


@click.command(context_settings=SETTINGS)
@motion_options()
@output_option("File to write.", required=True, metavar="FILE.yaml")
@click.option(
    "--stages", metavar="NAMES", help="Stages of a step: single, or double,single.  [default: those of the motion]"
)
@click.option("--skip", type=click.IntRange(0, 1000), default=2, help="First steps to ignore.")
@click.option("--degree", type=click.IntRange(2, 9), default=6, help="Degree of the splines.")
@click.option(
    "--coefficients",
    "count",
    type=click.IntRange(5, 40),
    default=7,
    help="Coefficients of each row's spline in a stage.",
)
@click.option("--smooth", "k", type=FloatRange(0, 1e3), metavar="K", help="Weight of c''.  [default: from the L-curve]")
@click.option(
    "--theta-rate",
    type=FloatRange(0.01, 50),
    metavar="R",
    help="Of a tracking file: initial rate of theta, rad/s.  [default: that of its policy, else 1.3]",
)
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
    "file, steps, period_s, speed_m_s, residual_rad, k, inconsistency_before, inconsistency, stages, "
    "periodic, tried, hindrance"
)
def command(
    ctx: click.Context,
    motion: MotionRequest,
    output: Path,
    stages: str | None,
    theta_rate: float | None,
    plot: Path | None,
    tried_s: float,
    as_json: bool,
    **options: Any,
) -> None:
    """Fit motion constraints to a recorded walk or run, and write them as a tracking file.

    The motion is a node, a script, a tracking file, or a logged run. Its steps are averaged over theta,
    those of the other foot with right and left exchanged; the fitted splines satisfy the impact map at every landing.

    Examples:
      ctrlgraph record tracking walk --from stand --cycles 8 -o walk.yaml
      ctrlgraph record tracking run --from stand --cycles 8 -o run.yaml --plot fit.png
    """
    from ctrlgraph.files import write_text
    from ctrlgraph.project.fitted_tracking import fit_tracking

    settings: Settings = ctx.obj
    require_own(output, "a tracking file", "stages")
    project = settings.project()
    recorded, character = _recorded(motion, project, theta_rate)
    with console.progress("fitting") as (bar, task):
        made = fit_tracking(
            recorded,
            character,
            stages=tuple(word.strip() for word in stages.split(",")) if stages else (),
            comment=_comment(motion),
            on_evaluation=lambda: bar.update(task, advance=1),
            **options,
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


def _recorded(motion: MotionRequest, project: Project, theta_rate: float | None) -> tuple[BodyMotion, Character]:
    from ctrlgraph.control.kinds import kind_of_file
    from ctrlgraph.control.tracking.tracking_file import read_motion
    from ctrlgraph.experiments.gaits.surface_start import record_on_surface
    from ctrlgraph.project.fitted_tracking import motion_of_signals

    path = Path(motion.what)
    if path.is_file() and motion.after is None and kind_of_file(path) == "tracking":
        tracking = read_motion(path, project.character)
        seconds = motion.duration or RECORDED_S
        with console.progress("recording"):
            rate = theta_rate or _wanted_rate(tracking)
            signals = record_on_surface(tracking, rate, seconds, rate=motion.rate, engine=project.engine)
        return motion_of_signals(signals, project.character), project.character
    if theta_rate is not None:
        raise CtrlGraphError("--theta-rate is for a tracking file that is not entered from a node")
    recorded = motion.record(project)
    if recorded.ground.y.min() != recorded.ground.y.max():
        raise CtrlGraphError("constraints are fitted to motions on level ground")
    return motion_of_signals(recorded.signals, recorded.character), recorded.character


def _wanted_rate(tracking: Tracking) -> float:
    from ctrlgraph.experiments.gaits.surface_start import beginning

    stage = tracking.entry.stages[beginning(tracking)]
    policy = stage.policy or tracking.entry.policy
    return USUAL_RATE if policy is None or policy.integral is None else max(0.05, policy.integral.rate[0])


def _comment(motion: MotionRequest) -> str:
    from ctrlgraph.errors import printable

    words = " ".join(printable(motion.what).split())
    source = f"Fitted to {words} by `ctrlgraph record tracking`"
    return f"{source}: the step of the first foot; see docs/reference/fitting.md."


def _draw(made: FittedTracking, path: Path, title: str) -> None:
    import numpy as np

    from ctrlgraph.view.fit_figure import FitPlot, write_fit_figure

    rows = []
    for k, (name, curve, stage) in enumerate(zip(made.plan.stages, made.curves, made.fit.stages, strict=True)):
        theta = np.linspace(*stage.theta, 101)
        fitted = stage.values(theta, made.fit.degree)
        for r, row in enumerate(made.plan.rows[k]):
            residual = made.fit.residual[k][row]
            rows.append(FitPlot(name, row, curve.theta, curve.each[:, :, r], theta, fitted[:, r], residual))
    write_fit_figure(rows, path, title)


def _try(project: Project, made: FittedTracking, seconds: float) -> CyclesRun:
    from ctrlgraph.experiments.gaits.return_map import run_for

    rate = made.periodic.rate if made.periodic is not None else float(made.curves[0].rate[1])
    with console.progress("running it") as _:
        return run_for(made.tracking, rate, seconds, made.begun, engine=project.engine)


def _print_fit(made: FittedTracking, output: Path) -> None:
    length = f"{made.period:.3f} s and {made.speed * made.period:.3f} m a step, {made.speed:.2f} m/s"
    console.echo(f"{display_path(output)}: fitted to {made.steps} steps, {length}")
    for k, name in enumerate(made.plan.stages):
        stage, curve = made.fit.stages[k], made.curves[k]
        falls = f"falls back by {curve.backward:.4f} rad at {curve.backward_at:.3f} s"
        rises = "rises throughout" if curve.monotonic else falls
        console.echo(f"{name}: theta {stage.theta[0]:.3f} to {stage.theta[1]:.3f} rad, {rises}; rms of y, rad:")
        console.echo("  " + ", ".join(f"{row} {value:.4f}" for row, value in made.fit.residual[k].items()))
    before, after = made.fit.before, made.fit.after
    console.echo(f"k = {made.fit.k:.1e}; rms of all rows {made.residual:.4f} rad")
    for what, off in (("nearest splines", before), ("fitted", after)):
        console.echo(
            f"consistency, {what}: theta {off.theta:.1e} rad, rows {off.angle:.1e} rad, slopes {off.slope:.1e},"
            f" landing foot {off.landing * 1000:+.1f} mm"
        )
    if made.periodic is not None:
        periodic = made.periodic
        console.echo(
            f"reduced dynamics: {periodic.duration:.3f} s a step, {periodic.speed:.2f} m/s, slope of the return map"
            f" {periodic.slope:.2f}"
        )
    elif len(made.curves) == 1:
        console.echo("reduced dynamics: no periodic step with the ground's force at one point")
