"""`ctrlgraph replay`: simulate a logged walkthrough again."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ctrlgraph.cli import completion, console
from ctrlgraph.cli.exit_codes import ExitCode
from ctrlgraph.cli.numbers import FloatRange
from ctrlgraph.cli.pictures import MAX_S, PictureFile, Pictures, PictureSize, picture_options, write_pictures
from ctrlgraph.cli.settings import Settings
from ctrlgraph.paths import display_path

if TYPE_CHECKING:
    from ctrlgraph.project.project import Project
    from ctrlgraph.runs.record import RunRecord
    from ctrlgraph.walkthrough.replay import WalkReplay


@click.command()
@click.argument("runs", metavar="RUN...", nargs=-1, required=True, shell_complete=completion.runs)
@click.option(
    "--walk", "walks", type=click.IntRange(0), multiple=True, metavar="N",
    help="Which walk of the run; the first, or all with --verify. Several with --page.",
)  # fmt: skip
@click.option("--verify", is_flag=True, help="Compare every state with the log, bit for bit.")
@click.option(
    "--page", type=PictureFile(".html"), metavar="FILE.html",
    help="Write a page that plays it, in one file; several runs or walks beside each other.",
)  # fmt: skip
@picture_options
@click.option("--from", "start", type=FloatRange(0, MAX_S), metavar="S", help="Show the walk from this second on.")
@click.option("--seconds", type=FloatRange(0, MAX_S, min_open=True), metavar="N", help="Show so many seconds of it.")
@click.option("--size", type=PictureSize(), metavar="WxH", help="Of the video, in pixels; 768x432 without it.")
@click.option(
    "--fps", type=click.IntRange(1, 60), default=30, show_default=True, help="Pictures a second of the video."
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.pass_context
def command(
    ctx: click.Context,
    runs: tuple[str, ...],
    walks: tuple[int, ...],
    verify: bool,
    page: Path | None,
    pictures: Pictures,
    start: float | None,
    seconds: float | None,
    size: tuple[int, int] | None,
    fps: int,
    as_json: bool,
) -> None:
    """Simulate a logged walkthrough again: the same seed, controllers and cycles.

    RUN is a run's id, an unmistakable beginning of it, or `last`. With --verify every state is
    compared with the log, bit for bit, by the digest that each attempt has over all its time steps;
    where they differ, the sampled states that were kept tell attempt, time, link and quantity of the
    first difference, and the exit code is 1. A part of a walk (--from, --seconds) is simulated from the last
    reset before it; with --verify the whole walk is. What a --page shows is always verified; it opens from
    disk without a network.
    """
    from ctrlgraph.walkthrough.replay import WHOLE, logged_walks, replay_walk

    if (start is not None or seconds is not None) and not (pictures or page):
        raise click.UsageError("--from and --seconds are for pictures: give --video, --filmstrip or --page")
    if (start is not None or seconds is not None) and pictures.between is not None:
        raise click.UsageError("give either --between or --from and --seconds")
    if page is None and (len(runs) > 1 or len(walks) > 1):
        raise click.UsageError("several runs or walks are shown beside each other on a page: give --page FILE.html")
    if page is not None and pictures:
        raise click.UsageError("--page goes without --filmstrip and --video")
    begin = WHOLE[0] if start is None else start
    shown = pictures.between or (begin, WHOLE[1] if seconds is None else begin + seconds)
    pictures = replace(pictures, between=None if shown == WHOLE else shown, size=size, fps=fps)

    settings: Settings = ctx.obj
    project = settings.project()
    if page is not None:
        ctx.exit(_write_page(project, runs, walks, page, shown, verify, as_json))
    (run,) = runs
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
    for path in _draw(project, record, replays[0], pictures):
        console.echo(f"picture: {display_path(path)}", err=as_json)
    ctx.exit(ExitCode.of(all(replay.difference is None for replay in replays)))


def _write_page(
    project: Project,
    runs: tuple[str, ...],
    walks: tuple[int, ...],
    path: Path,
    shown: tuple[float, float],
    whole: bool,
    as_json: bool,
) -> ExitCode:
    from ctrlgraph.walkthrough.replay import logged_walks
    from ctrlgraph.walkthrough.replay_page import write_replay_page

    with project.read_log() as log, console.progress("replaying") as (bar, task):
        records = list({record.id: record for record in map(log.run, runs)}.values())
        asked = [(record, index) for record in records for index in walks or logged_walks(log, record.id)[:1]]
        made = write_replay_page(
            project, log, asked, path, shown=shown, whole=whole,
            progress=lambda run, index: bar.update(task, description=f"replaying walk {index} of run {run.id}"),
        )  # fmt: skip
    for each in made:
        if not as_json:
            _print(each.run, each.replay)
    size = path.stat().st_size
    if as_json:
        told = [{"run": each.run.id, **each.replay.as_dict()} for each in made]
        console.print_json({"page": str(path), "bytes": size, "walks": told})
    else:
        console.echo(f"page: {display_path(path)}, {size / 1e6:.2f} MB")
    return ExitCode.of(all(each.replay.difference is None for each in made))


def _print(run: RunRecord, replay: WalkReplay) -> None:
    out = console.stdout()
    count = f"{len(replay.attempts)} of {replay.logged}" if replay.is_part else len(replay.attempts)
    head = f"run {run.id}, walk {replay.walk}: {count} attempts, {replay.simulated_s:.1f} s simulated"
    if not replay.verified:
        out.print(f"{head} in {replay.wall_s:.1f} s")
    elif replay.difference is None:
        out.print(f"{head}; every state is the same, bit for bit ({replay.compared_states} sampled states compared)")
    else:
        out.print(f"{head}; {replay.difference.sentence()}")
    for note in _notes(run, replay):
        console.echo(f"note: {note}", err=True)


def _notes(run: RunRecord, replay: WalkReplay) -> list[str]:
    """What may explain a difference."""
    from ctrlgraph.simulation.environment import Environment
    from ctrlgraph.walkthrough.world import versions

    notes = replay.changes.sentences()
    if replay.verified and not replay.compared_states and replay.difference is None:
        notes.append("no sampled states were kept: only the digests were compared")
    now, then = versions(Environment.from_dict(run.settings.get("world", {})).engine), dict(run.versions)
    if "libode" not in str(then.get("ode")):
        then.pop("ode", None)  # older versions logged the wrapper's, which says nothing of the engine
    different = [f"{name} {old} (now {now[name]})" for name, old in then.items() if now.get(name, old) != old]
    if different:
        notes.append(f"the run was logged with {', '.join(different)}")
    return notes


def _draw(project: Project, run: RunRecord, replay: WalkReplay, pictures: Pictures) -> list[Path]:
    """What was asked for, of the whole walk or a part of it."""
    from ctrlgraph.simulation.environment import Environment
    from ctrlgraph.walkthrough.replay import phase_captions

    if replay.states is None:
        return []
    world = Environment.from_dict(run.settings.get("world", {}))
    return write_pictures(
        replay.states.trace,
        pictures,
        character=project.character,
        terrain=world.ground(),
        labels=replay.labels,
        phases=phase_captions(project, replay.attempts, replay.states, world),
        title=f"run {run.id}, walk {replay.walk}",
        engine=world.engine,
        whole_s=replay.simulated_s,
    )
