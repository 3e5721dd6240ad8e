"""`ctrlgraph film`: motions side by side in one film."""

from __future__ import annotations

import contextlib
import dataclasses
import os
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ctrlgraph.cli import completion, console
from ctrlgraph.cli.controller_options import SETTINGS
from ctrlgraph.cli.motion import logged_run
from ctrlgraph.cli.pictures import FILMS, PictureFile, PictureSize, between_option, part_of
from ctrlgraph.cli.settings import Settings, engine_option
from ctrlgraph.cli.walk_display import TERRAIN_HELP
from ctrlgraph.errors import CtrlGraphError, quoted
from ctrlgraph.paths import display_path

if TYPE_CHECKING:
    from ctrlgraph.graph.model import Node
    from ctrlgraph.project.project import Project
    from ctrlgraph.simulation.environment import Environment
    from ctrlgraph.view.clip import Clip

LEAD_S = 0.4
"""So much is shown of what comes before a node."""


@click.command(context_settings=SETTINGS)
@click.argument(
    "what", nargs=-1, required=True, metavar="NODE_OR_SCRIPT_OR_RUN [ARGS]...", shell_complete=completion.anything
)
@click.option(
    "--from",
    "after",
    metavar="NODE",
    shell_complete=completion.nodes,
    help="Begin nodes and scripts where this node ends.",
)
@click.option(
    "--output",
    "-o",
    "path",
    type=PictureFile(*FILMS),
    required=True,
    metavar="FILE.gif|webp|mp4|webm",
    help="The film; .mp4 and .webm need the extra 'video'.",
)
@click.option("--columns", type=click.IntRange(1, 64), metavar="N", help="Motions beside each other in a row.")
@between_option
@click.option("--walk", type=click.IntRange(0), default=0, show_default=True, help="Of a run: which of its walks.")
@click.option("--terrain", default="flat", metavar="TEXT", help=TERRAIN_HELP)
@click.option("--size", type=PictureSize(), metavar="WxH", help="Of the whole picture, in pixels.")
@click.option("--fps", type=click.IntRange(1, 60), default=30, show_default=True, help="Pictures a second.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object: the file, and the motions in it.")
@engine_option
@click.pass_obj
def command(
    settings: Settings,
    what: tuple[str, ...],
    after: str | None,
    path: Path,
    columns: int | None,
    between: tuple[float, float] | None,
    walk: int,
    terrain: str,
    size: tuple[int, int] | None,
    fps: int,
    as_json: bool,
) -> None:
    """Film motions side by side: nodes, scripts, and logged walks simulated again; all begin at the same moment.

    A node is come to as in a walk, over the edges that usually lead to it; what goes over an obstacle has one before
    it. A script begins in the start pose, with the numbers that follow its name as its ARGS. A run is named as
    `ctrlgraph replay` does, and has its own ground and engine.
    """
    from ctrlgraph.view.video import MOST_CLIPS, write_film

    project = settings.project()
    wanted = _wanted(project, what)
    if len(wanted) > MOST_CLIPS:
        raise click.UsageError(f"a film shows {MOST_CLIPS} motions at most, not {len(wanted)}")
    world = project.environment(terrain)
    before = None if after is None else project.graph.node(after)
    clips = []
    with console.progress("simulating", total=len(wanted)) as (bar, task):
        for name, args in wanted:
            clip = _clip(project, name, args, world, walk, before)
            if between is not None:
                clip = dataclasses.replace(clip, trace=part_of(clip.trace, *between))
            clips.append(clip)
            bar.update(task, advance=1)
    with console.progress(f"filming {path.name}", total=1.0) as (bar, task):
        write_film(
            clips,
            path,
            columns=columns,
            fps=fps,
            size=size,
            progress=lambda done, total: bar.update(task, completed=done, total=total),
        )
    if as_json:
        motions = [
            {"name": name, "args": list(args), "seconds": clip.seconds}
            for (name, args), clip in zip(wanted, clips, strict=True)
        ]
        console.print_json({"file": str(path), "motions": motions})
    else:
        console.echo(f"film: {display_path(path)}")


def _wanted(project: Project, words: tuple[str, ...]) -> list[tuple[str, tuple[float, ...]]]:
    """The motions that are named, each with its arguments: the numbers after a script, or a draft, are its own.

    Raises:
        NoSuchOption: a word is meant as an option, and there is none.
    """
    found: list[tuple[str, tuple[float, ...]]] = []
    for word in words:
        number = None
        with contextlib.suppress(ValueError):
            number = float(word)
        if number is not None and word not in project.graph and found and _takes_arguments(project, found[-1][0]):
            name, args = found[-1]
            found[-1] = name, (*args, number)
        elif word.startswith("-") and not os.path.isfile(word):
            raise click.NoSuchOption(word)
        else:
            found.append((word, ()))
    return found


def _takes_arguments(project: Project, name: str) -> bool:
    return name not in project.graph and (name in project.graph.drafts or os.path.isfile(name))


def _clip(
    project: Project, name: str, args: tuple[float, ...], world: Environment, walk: int, after: Node | None
) -> Clip:
    if name in project.graph and after is None:
        return _of_node(project, name, world)
    if name in project.graph or _takes_arguments(project, name):
        return _of_controller(project, name, args, world, after)
    if after is not None:
        raise CtrlGraphError(f"--from is for nodes and scripts, and {quoted(name)} is neither")
    return _of_run(project, name, walk)


def _of_node(project: Project, name: str, world: Environment) -> Clip:
    from ctrlgraph.experiments.usual_motion import usual_motion
    from ctrlgraph.view.clip import Clip

    motion = usual_motion(project, name, world)
    if motion is None:  # no planned edge leads there
        return _of_controller(project, name, (), world, None)
    start = max(motion.began[-1] - LEAD_S, 0.0)
    shown = motion.trace.between(start, float(motion.trace.time[-1]))
    return Clip(
        dataclasses.replace(shown, time=shown.time - start),
        motion.character,
        motion.terrain,
        [(max(began - start, 0.0), node) for began, node in zip(motion.began, motion.path, strict=True)][-2:],
        [(phase.time - start, phase.caption) for phase in motion.phases],
    )


def _of_controller(
    project: Project, name: str, args: tuple[float, ...], world: Environment, after: Node | None
) -> Clip:
    from ctrlgraph.project.rollout_request import carry_out, find_rollout
    from ctrlgraph.view.clip import Clip

    request = find_rollout(project, name, args)
    result = carry_out(project, request, after=after, environment=world)
    start = max(result.began - LEAD_S, 0.0)
    shown = result.trace.between(start, float(result.trace.time[-1]))
    before = [] if after is None or result.began <= start else [(0.0, after.name)]
    return Clip(
        dataclasses.replace(shown, time=shown.time - start),
        project.character,
        world.ground(),
        [*before, (result.began - start, request.name)],
        [(time - start, caption) for time, caption in result.captions],
    )


def _of_run(project: Project, name: str, walk: int) -> Clip:
    from ctrlgraph.simulation.environment import Environment
    from ctrlgraph.view.clip import Clip
    from ctrlgraph.walkthrough.replay import phase_captions, replay_walk

    with logged_run(project, name) as (log, run):
        replay = replay_walk(project, log, run, walk, draw=True)
    assert replay.states is not None
    world = Environment.from_dict(run.settings.get("world", {}))
    phases = phase_captions(project, replay.attempts, replay.states, world)
    title = f"run {run.id}, walk {walk}"
    shown = replay.states.trace.without_repeats()
    return Clip(shown, project.character, world.ground(), replay.labels, phases, title)
