"""`ctrlgraph footsteps`: plan path, footsteps and support of a robot that follows random commands."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from ctrlgraph.cli import console
from ctrlgraph.cli.exit_codes import ExitCode
from ctrlgraph.cli.options.common import json_option, output_option, seed_option
from ctrlgraph.cli.options.numbers import FloatRange
from ctrlgraph.cli.options.pictures import FILMS, PictureFile
from ctrlgraph.errors import CtrlGraphError
from ctrlgraph.paths import display_path
from ctrlgraph.pictures.spatial import DEFAULT_VIEW, VIEWS

if TYPE_CHECKING:
    from ctrlgraph.footsteps.survey import PlanSurvey
    from ctrlgraph.live_page.plan_log import PlanReplay


@click.command()
@click.argument("robot", type=click.Choice(["table", "quadruped", "biped", "crawler"]))
@click.option(
    "--replay",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE.jsonl",
    help="Plan a motion of `ctrlgraph play --footsteps` again, and compare every state.",
)
@seed_option("Seed of the commands.")
@click.option("--seconds", type=FloatRange(0.1, 3600), default=20.0, help="Duration of the motion, s.")
@click.option(
    "--solver",
    type=click.Choice(["descent", "qp", "raibert"]),
    default="descent",
    help="descent: projected descent on steps, timing and support. qp: a quadratic program with fixed timing. raibert: "
    "steps by the velocity alone.",
)
@output_option("Draw the motion from above.", metavar="FILE.png|svg", type=PictureFile(".png", ".svg"))
@click.option(
    "--page", metavar="FILE.html", type=PictureFile(".html"), help="Write a page that plays the motion, in one file."
)
@click.option(
    "--video",
    metavar="FILE.gif|webp|mp4|webm",
    type=PictureFile(*FILMS),
    help="Film the motion. .mp4 and .webm need the extra 'video'.",
)
@click.option("--view", type=click.Choice(VIEWS), default=DEFAULT_VIEW, help="Direction from which --video looks.")
@json_option(
    "robot, solver, seed, seconds, ticks, inside_hull, outside_m, reach, swing_mps, slide_mm, steps, distance_m, "
    "speed_error_mps, leg_reach, foot_error_mm, update_ms (p50, p99, most), picture, page, video; with --replay: "
    "replay, compared, differs_s instead of seed, seconds"
)
@click.pass_context
def command(
    ctx: click.Context,
    robot: str,
    replay: Path | None,
    seed: int,
    seconds: float,
    solver: str,
    output: Path | None,
    page: Path | None,
    video: Path | None,
    view: str,
    as_json: bool,
) -> int:
    """Plan path, footsteps and support of a robot on legs that follows random commands.

    The planner replans in each tick of 0.02 s. The robot is kinematic: nothing is simulated by an engine. "inside" is
    the fraction of ticks in which the centre of pressure is inside the convex hull of the feet on the ground. Reach is
    that of the feet on the ground, as a fraction of the longest. Times are CPU times. The body follows the plan by
    inverse kinematics.

    With --replay, a logged motion is planned again, without --seed, --seconds and --solver. If a state differs from the
    logged one, the time of the first difference is printed, and the exit code is 1.

    Examples:
      ctrlgraph footsteps biped --seed 1 --seconds 20 -o biped.png
      ctrlgraph footsteps quadruped --seed 1 --solver qp --json
      ctrlgraph footsteps crawler --seed 2 --page crawler.html --video crawler.gif
      ctrlgraph footsteps quadruped --replay runs/footsteps/1128-8gn4x.jsonl --page steered.html
    """
    from ctrlgraph.footsteps.baselines import SOLVERS
    from ctrlgraph.footsteps.commands import random_commands
    from ctrlgraph.footsteps.posing import pose_motion
    from ctrlgraph.footsteps.robots import ROBOTS
    from ctrlgraph.footsteps.survey import survey

    replayed = None if replay is None else _replay_of(ctx, robot, replay)
    planner = SOLVERS[solver](ROBOTS[robot]) if replayed is None else replayed.plan.planner
    tick = planner.settings.tick_s
    commands = random_commands(planner.robot, seed, seconds, tick) if replayed is None else replayed.commands()
    total = round(seconds / tick) if replayed is None else replayed.ticks
    with console.progress(f"planning {robot}", total=total) as (bar, task):
        found, motion = survey(planner, commands, lambda tick: bar.update(task, completed=tick))
    posed = pose_motion(planner.robot, motion)
    name = f"{solver}, seed {seed}" if replay is None else replay.name
    title = f"{robot}, {name}"
    if output is not None:
        from ctrlgraph.pictures.footsteps_figure import footsteps_figure
        from ctrlgraph.pictures.style import write_figure

        write_figure(output, lambda: footsteps_figure(planner.robot, motion, tick, title))
    if page is not None:
        from ctrlgraph.files import replacing
        from ctrlgraph.playback.footsteps_page import footsteps_page

        with replacing(page) as temporary:
            temporary.write_text(footsteps_page(planner, found, motion, posed, title), encoding="utf-8")
    if video is not None:
        from ctrlgraph.pictures.footsteps_film import write_footsteps_film

        with console.progress(f"filming {robot}", total=1) as (bar, task):

            def show(done: int, total: int) -> None:
                bar.update(task, completed=done, total=total)

            write_footsteps_film(planner.robot, motion, posed, tick, video, view, show)
    written = [path for path in (output, page, video) if path is not None]
    body = {"leg_reach": float(posed.reaches.max()), "foot_error_mm": 1000.0 * float(posed.errors.max())}
    if as_json:
        head: dict[str, Any] = {"robot": robot, "solver": solver}
        head |= {"seed": seed, "seconds": seconds} if replayed is None else replayed.as_dict()
        paths = {"picture": output, "page": page, "video": video}
        files = {name: None if path is None else str(path) for name, path in paths.items()}
        console.print_json(head | found.as_dict() | body | files)
    else:
        _print(found, body, robot, name)
        if replayed is not None:
            console.echo(replayed.sentence())
    console.echo_pictures(written, err=as_json)
    return ExitCode.of(replayed is None or replayed.differs_s is None)


def _replay_of(ctx: click.Context, robot: str, path: Path) -> PlanReplay:
    """Read a log, and return its replay at its start."""
    from ctrlgraph.live_page.plan_log import PlanReplay, read_plan_log

    for name in ("seed", "seconds", "solver"):
        if ctx.get_parameter_source(name) is ParameterSource.COMMANDLINE:
            raise CtrlGraphError(f"--{name} has no effect on a replay: omit it, or omit --replay")
    logged = read_plan_log(path)
    if logged.head.robot != robot:
        raise CtrlGraphError(f"{display_path(path)} has a motion of the {logged.head.robot}, not of the {robot}")
    return PlanReplay(logged)


def _print(found: PlanSurvey, body: dict[str, float], robot: str, name: str) -> None:
    rows = [
        ("centre of pressure inside", f"{100 * found.inside_hull:.2f} % of {found.ticks} ticks"),
        ("largest distance outside", f"{1000 * found.outside_m:.1f} mm"),
        ("largest reach", f"{100 * found.reach:.0f} %"),
        ("longest leg", f"{100 * body['leg_reach']:.0f} % of its length"),
        ("largest swing speed", f"{found.swing_mps:.2f} m/s"),
        ("largest slide", f"{found.slide_mm:.2f} mm"),
        ("steps", str(found.steps)),
        ("distance", f"{found.distance_m:.1f} m"),
        ("update", f"p50 {found.update_p50_ms:.2f} ms, p99 {found.update_p99_ms:.2f} ms"),
    ]
    console.print_table((robot, name), rows)
