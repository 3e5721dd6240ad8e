"""`ctrlgraph walk`: walk the graph at random, or over random courses, and log every attempt."""

from __future__ import annotations

import contextlib
import math
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from ctrlgraph.bounds import MAX_TRANSITIONS, MAX_WALKS
from ctrlgraph.cli import console
from ctrlgraph.cli.display.walks import WalkDisplay, command_line, draw_walk, print_tally, warn
from ctrlgraph.cli.exit_codes import ExitCode
from ctrlgraph.cli.options.common import Settings, engine_option, jobs_option, json_option, seed_option
from ctrlgraph.cli.options.numbers import FloatRange
from ctrlgraph.cli.options.pictures import Pictures, picture_options
from ctrlgraph.cli.options.world import WALK, WorldOptions, world_option
from ctrlgraph.errors import CtrlGraphError
from ctrlgraph.terrain.course import MAX_LENGTH, RANDOM_KINDS, RANDOM_LENGTH, SIZES
from ctrlgraph.terrain.pieces import PIECES

if TYPE_CHECKING:
    from ctrlgraph.project.project import Project
    from ctrlgraph.simulation.environment import Environment
    from ctrlgraph.walks.courses import CourseBenchmark, CourseResult
    from ctrlgraph.walks.random_run import RunSummary


MAX_COURSES = 10_000
"""Maximum number of random courses."""
COURSE_OPTIONS = ("length", "kinds", "size")
"""Names of the command's parameters whose options need --courses."""
WALK_OPTIONS = ("balance", "transitions", "walks", "keep_states", "filmstrip", "video")
"""Names of the command's parameters whose options cannot be used with --courses."""


@click.command()
@click.option("--random", "random", is_flag=True, help="Draw the edges at random (the default).")
@click.option(
    "--balance",
    type=click.Choice(["weights", "visits"]),
    default="visits",
    help="Draw edges by their weights, or prefer those that the walk rarely took.",
)
@click.option("--transitions", type=click.IntRange(1, MAX_TRANSITIONS), default=30, help="Length of each walk.")
@click.option("--walks", type=click.IntRange(1, MAX_WALKS), default=1, help="Independent walks.")
@click.option("--keep-states/--no-states", default=True, help="Keep sampled states, about 40 kB per simulated second.")
@click.option(
    "--courses", type=click.IntRange(1, MAX_COURSES), metavar="N", help="Walk N random courses instead, to their end."
)
@click.option("--length", type=FloatRange(1, MAX_LENGTH), default=RANDOM_LENGTH, help="Length of a course, m.")
@click.option(
    "--kinds", default=",".join(RANDOM_KINDS), metavar="KIND[,...]", help=f"Pieces of courses, of {', '.join(PIECES)}."
)
@click.option("--size", type=click.Choice(list(SIZES)), default="small", help="Size of the pieces of courses.")
@jobs_option("Processes that share the walks.", default=1)
@seed_option()
@click.option("--predict", is_flag=True, help="Leave motions before predicted falls, and get up after falls.")
@world_option(WALK)
@picture_options
@json_option(
    "run, seed, transitions, succeeded, failed, recovered, resets, simulated_s, static_s, wall_s, nodes, "
    "edges; with pushes also pushes; with --courses: seed, length, courses, finished, low, high, stopped_by, "
    "results"
)
@engine_option
@click.pass_context
def command(
    ctx: click.Context,
    /,
    random: bool,
    balance: str,
    keep_states: bool,
    courses: int | None,
    length: float,
    kinds: str,
    size: str,
    jobs: int,
    seed: int,
    predict: bool,
    world: WorldOptions,
    filmstrip: Path | None,
    video: Path | None,
    view: str,
    as_json: bool,
    **lengths: Any,
) -> None:
    """Walk the graph at random and log every attempt (node tried).

    Each walk begins at the start node and takes a number of transitions over naive and learned edges. On ground with
    obstacles, transitions are tried in a copy of the simulation first. After a failure, corrective edges are taken
    until a static pose succeeds; if none does, the walk is reset to the start pose. The same seed gives the same walks
    for any number of jobs. A filmstrip of the first walk is written next to its stored states. The exit code is 1 if a
    walk was lost (its process died, or the start pose failed).

    With --with pushes=LOW:HIGH the trunk is pushed for 0.1 s at random moments, forward or backward.

    With --courses, each of N random courses is walked once, in the same way as by `ctrlgraph goto --x`, and the share
    of courses that were finished without a reset is printed with its 95 % interval.

    Examples:
      ctrlgraph walk --transitions 50 --seed 1
      ctrlgraph walk --with slope=3 --with friction=0.8 --walks 4 --jobs 2
      ctrlgraph walk --with pushes=100:300:3 --with actuator_noise=0.02
      ctrlgraph walk --courses 20 --length 15 --kinds gap,stairs
      ctrlgraph walk --courses 20 --size human --kinds stairs,box,gap,hurdle,slope,rough
    """
    settings: Settings = ctx.obj
    for option in ctx.command.params:
        is_given = ctx.get_parameter_source(option.name or "") is ParameterSource.COMMANDLINE
        if is_given and option.name in (WALK_OPTIONS if courses else COURSE_OPTIONS):
            shown = max((ctx.params[option.name] is False and option.secondary_opts) or option.opts, key=len)
            raise click.UsageError(f"{shown} {'cannot be used with' if courses else 'needs'} --courses", ctx)
    if courses:
        if {"terrain", "slope"} & set(world.given):
            raise click.UsageError("--courses chooses the terrain: omit --with terrain and --with slope", ctx)
        wanted = [kind for kind in kinds.split(",") if kind]
        if not wanted:
            raise CtrlGraphError("--kinds is empty: give kinds of pieces, such as gap,stairs")
        _walk_courses(ctx, courses, length, wanted, size, jobs, seed, predict, world, as_json)
        return
    pictures = Pictures(filmstrip, video, view=view)
    if not keep_states and pictures:
        raise click.UsageError("pictures are drawn from stored states: omit --no-states")
    from ctrlgraph.graph.visits import Balance
    from ctrlgraph.walks.logged_walk import static_nodes
    from ctrlgraph.walks.random_run import walk_random

    project = settings.project()
    environment = world.environment(project, predicts_falls=predict)
    with WalkDisplay(static_nodes(project.graph), math.prod(lengths.values())) as display:
        summary = walk_random(
            project,
            jobs=jobs,
            seed=seed,
            world=environment,
            keep_states=keep_states,
            balance=Balance(balance),
            command=command_line(),
            observer=display,
            **lengths,
        )
    if as_json:
        console.print_json(summary.as_dict())
    else:
        _print(summary)
    warn(summary.warnings)
    for sentence in summary.lost:
        console.echo(sentence, err=True)
    if summary.interrupted:  # pictures take seconds; `replay` draws them
        console.interrupted(": all finished attempts are logged")
    console.echo_pictures(_draw(project, environment, summary.run, pictures, beside=not as_json), err=as_json)
    ctx.exit(ExitCode.of(not summary.lost))


def _draw(project: Project, world: Environment, run: str, pictures: Pictures, *, beside: bool) -> list[Path]:
    """Draw the requested pictures of the first walk of a run, and return the paths of the files written.

    Args:
        project: Project with the run.
        world: Environment (engine settings, terrain, body and disturbances) of the walk.
        run: Id of the logged run.
        pictures: Pictures to draw.
        beside: If no filmstrip is requested, write one into the directory with the states of the run.
    """
    paths = draw_walk(project, world, run, pictures)
    if beside and pictures.filmstrip is None:
        try:
            paths += draw_walk(project, world, run, Pictures(project.runs_directory / run / "walk.png"))
        except CtrlGraphError as error:  # the walk itself was successful, and nobody asked for this picture
            warn((str(error),))
    return paths


def _print(summary: RunSummary) -> None:
    tally = summary.tally
    print_tally(tally)
    if summary.pushes is not None:
        console.stdout().print(f"{summary.pushes} pushes")
    speed = tally.simulated_s / summary.wall_s
    console.stdout().print(
        f"run {summary.run}, seed {summary.seed}: {tally.simulated_s:.1f} s simulated"
        f" in {summary.wall_s:.1f} s ({speed:.{0 if speed >= 10 else 1}f}x real time)"
    )


def _walk_courses(
    ctx: click.Context,
    count: int,
    length: float,
    kinds: Sequence[str],
    size: str,
    jobs: int,
    seed: int,
    predict: bool,
    world: WorldOptions,
    as_json: bool,
) -> None:
    """Walk random courses (terrain with obstacles), and print how many were finished without a reset.

    Args:
        ctx: Context of the command.
        count: Number of courses.
        length: Length of each course, m.
        kinds: Kinds of pieces from which the courses are made, such as "gap".
        size: Size of the pieces, "small" or "human".
        jobs: Number of processes.
        seed: Seed of all random numbers.
        predict: Leave motions before predicted falls.
        world: World that --with describes, without terrain.
        as_json: Print JSON.
    """
    from ctrlgraph.walks.courses import walk_courses

    settings: Settings = ctx.obj
    project = settings.project()
    with _counted(count) if as_json else contextlib.nullcontext(_print_course) as on_result:
        found = walk_courses(
            project,
            count=count,
            seed=seed,
            length=length,
            kinds=kinds,
            size=size,
            world=world.environment(project, predicts_falls=predict),
            command=command_line(),
            jobs=jobs,
            on_result=on_result,
        )
    if as_json:
        console.print_json(found.as_dict())
    else:
        _print_courses(found)
    if found.interrupted:
        console.interrupted(": all finished courses are logged")


@contextlib.contextmanager
def _counted(count: int) -> Iterator[Callable[[CourseResult], None]]:
    """Show a progress bar of finished courses during a `with` block.

    Yields:
        Function to call with the result of each finished course.
    """
    with console.progress("courses", total=count) as (bar, task):
        yield lambda _: bar.update(task, advance=1)


def _print_course(result: CourseResult) -> None:
    x = result.summary.get("x", 0.0)
    end = "finished" if result.reached else f"came to {x:.1f} m: {result.reason}"
    console.echo(f"course {result.number}, seed {result.seed}: {end}")


def _print_courses(found: CourseBenchmark) -> None:
    low, high = found.count.interval
    sentence = f"{found.count.successes} of {found.count.trials} courses of {found.length:g} m finished"
    sentence += f" ({100 * low:.0f}-{100 * high:.0f} %), seed {found.seed}"
    if found.stopped_by:
        sentence += "; the others stopped before " + ", ".join(f"{kind}: {n}" for kind, n in found.stopped_by.items())
    console.echo(sentence)
