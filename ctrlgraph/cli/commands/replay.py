"""`ctrlgraph replay`: simulate logged walks again, to compare them with the log, draw them or film them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from ctrlgraph.cli import completion, console
from ctrlgraph.cli.display.walks import draw_states
from ctrlgraph.cli.exit_codes import ExitCode
from ctrlgraph.cli.options.common import Settings, json_option
from ctrlgraph.cli.options.numbers import FINITE
from ctrlgraph.cli.options.pictures import PictureFile, Pictures, check_part, picture_options, read_size
from ctrlgraph.paths import display_path

if TYPE_CHECKING:
    from ctrlgraph.project.project import Project
    from ctrlgraph.run_log.record import RunRecord
    from ctrlgraph.walks.replay import WalkReplay


@click.command()
@click.argument("runs", metavar="RUN...", nargs=-1, required=True, shell_complete=completion.runs)
@click.option(
    "--walk",
    "walks",
    type=click.IntRange(0),
    multiple=True,
    metavar="N",
    help="Number of the run's walk; the first, or all with --verify. Repeatable with --page.",
)
@click.option("--verify", is_flag=True, help="Compare every state with the log, bit by bit.")
@click.option(
    "--page",
    type=PictureFile(".html"),
    metavar="FILE.html",
    help="Write a page that plays runs or walks side by side, in one file.",
)
@picture_options
@click.option("--between", type=(FINITE, FINITE), callback=check_part, metavar="A B", help="Show only A to B s.")
@click.option("--size", callback=read_size, metavar="WxH", help="Size of the video, pixels.")
@click.option("--fps", type=click.IntRange(1, 60), default=30, help="Frames per second of the video.")
@json_option("run, walks; with --page: page, bytes, walks")
@click.pass_obj
def command(
    settings: Settings,
    runs: tuple[str, ...],
    walks: tuple[int, ...],
    verify: bool,
    page: Path | None,
    filmstrip: Path | None,
    video: Path | None,
    view: str,
    between: tuple[float, float] | None,
    size: tuple[int, int] | None,
    fps: int,
    as_json: bool,
) -> int:
    """Simulate the walks of a logged run again, to compare them with the log, draw them or film them.

    RUN is a run's id, an unambiguous prefix of the id, or `last`. With --verify every state is compared with the log,
    bit by bit; the first difference is printed with attempt, time, link and quantity, and the exit code is 1. A part of
    a walk (--between) is simulated from the last reset before this part. A --page needs no network, and its walks are
    always compared with the log. `ctrlgraph run --video` films a node or a script.

    Examples:
      ctrlgraph replay last --verify
      ctrlgraph replay last --walk 2 --video walk.gif --between 3 8
    """
    pictures = Pictures(filmstrip, video, between, size, fps, view)
    if between is not None and not (pictures or page):
        raise click.UsageError("--between selects the part to show: also give --video, --filmstrip or --page")
    if size is not None and not video:
        raise click.UsageError("--size is the size of a video: also give --video")
    if page is not None and pictures:
        raise click.UsageError("--page cannot be combined with --filmstrip or --video: call the command twice")
    if page is None and (len(runs) > 1 or len(walks) > 1):
        raise click.UsageError("several runs or walks can only be shown on a page: give --page FILE.html")
    project = settings.project()
    if page is not None:
        return _write_page(project, runs, walks, page, between, verify, as_json)
    return _replay(project, runs[0], walks, verify, pictures, as_json)


def _replay(
    project: Project, run: str, walks: tuple[int, ...], verify: bool, pictures: Pictures, as_json: bool
) -> ExitCode:
    """Simulate walks of a logged run again, print the results, and draw pictures of the first of these walks.

    Args:
        project: Project with the log.
        run: Id of the run, a prefix of the id, or "last".
        walks: Numbers of the walks in the run, from 0. Empty: all walks with `verify`, otherwise the first walk.
        verify: Compare every state with the log.
        pictures: Pictures to draw.
        as_json: Print JSON.
    """
    from ctrlgraph.simulation.environment import Environment
    from ctrlgraph.walks.replay import WHOLE, logged_walks, replay_walk

    shown = pictures.between or WHOLE
    with project.read_log() as log:
        record = log.run(run)
        chosen = list(walks) if walks else logged_walks(log, record.id) if verify else [0]
        replays: list[WalkReplay] = []
        for index in chosen:
            with console.progress(f"replaying walk {index} of run {record.id}"):
                draw = bool(pictures) and not replays
                replays.append(replay_walk(project, log, record, index, verify=verify, draw=draw, shown=shown))
            if not as_json:
                _print(record, replays[-1])
    if as_json:
        console.print_json({"run": record.id, "walks": [replay.as_dict() for replay in replays]})
    first = replays[0]
    if first.states is not None:
        world, title = Environment.from_dict(record.settings.get("world", {})), f"run {record.id}, walk {first.walk}"
        paths = draw_states(project, world, title, first.states, first.attempts, pictures, first.simulated_s)
        console.echo_pictures(paths, err=as_json)
    return ExitCode.of(all(replay.difference is None for replay in replays))


def _write_page(
    project: Project,
    runs: tuple[str, ...],
    walks: tuple[int, ...],
    path: Path,
    shown: tuple[float, float] | None,
    whole: bool,
    as_json: bool,
) -> ExitCode:
    """Write an HTML page that plays walks side by side, and print how each walk compares with the log.

    Args:
        project: Project with the log.
        runs: Id of each run, a prefix of the id, or "last".
        walks: Numbers of the walks in each run, from 0. Empty: the first walk.
        path: File to write.
        shown: Start and end of the part of each walk to show, s. None: the whole walk.
        whole: Compare the whole walk with the log, not only the shown part.
        as_json: Print JSON.
    """
    from ctrlgraph.walks.replay import WHOLE, logged_walks
    from ctrlgraph.walks.replay_page import write_replay_page

    with project.read_log() as log, console.progress("replaying") as (bar, task):
        records = list({record.id: record for record in map(log.run, runs)}.values())
        asked = [(record, index) for record in records for index in walks or logged_walks(log, record.id)[:1]]

        def advance(run: RunRecord, index: int) -> None:
            bar.update(task, description=f"replaying walk {index} of run {run.id}")

        made = write_replay_page(project, log, asked, path, shown=shown or WHOLE, whole=whole, progress=advance)
    size = path.stat().st_size
    if as_json:
        listed = [{"run": run.id, **replay.as_dict()} for run, replay in made]
        console.print_json({"page": str(path), "bytes": size, "walks": listed})
    else:
        for run, replay in made:
            _print(run, replay)
        console.echo(f"page: {display_path(path)}, {size / 1e6:.2f} MB")
    return ExitCode.of(all(replay.difference is None for _, replay in made))


def _print(run: RunRecord, replay: WalkReplay) -> None:
    """Print the result of a replay, and notes about possible causes of a difference from the log.

    Args:
        run: Record of the logged run.
        replay: Result of the replay of a walk of this run.
    """
    out = console.stdout()
    count = f"{len(replay.attempts)} of {replay.logged}" if replay.is_part else len(replay.attempts)
    head = f"run {run.id}, walk {replay.walk}: {count} attempts, {replay.simulated_s:.1f} s simulated"
    if not replay.verified:
        out.print(f"{head} in {replay.wall_s:.1f} s")
    elif replay.difference is None:
        out.print(f"{head}; every state is identical ({replay.compared_states} sampled states compared)")
    else:
        out.print(f"{head}; {replay.difference.sentence()}")
    for note in _notes(run, replay):
        console.echo(f"note: {note}", err=True)


def _notes(run: RunRecord, replay: WalkReplay) -> list[str]:
    """Return notes about possible causes of a difference from the log: changed files, and other engine versions.

    Args:
        run: Record of the logged run.
        replay: Result of the replay of a walk of this run.
    """
    from ctrlgraph.engine.engine import versions
    from ctrlgraph.simulation.environment import Environment

    notes = replay.changes.sentences()
    if replay.verified and not replay.compared_states and replay.difference is None:
        notes.append("the run was logged without sampled states: only checksums of the states were compared")
    now, then = versions(Environment.from_dict(run.settings.get("world", {})).engine), dict(run.versions)
    different = [f"{name} {old} (now {now[name]})" for name, old in then.items() if now.get(name, old) != old]
    if different:
        notes.append(f"the run was logged with {', '.join(different)}")
    return notes
