"""`--filmstrip` and `--video`, and what they show, for every command that simulates."""

from __future__ import annotations

import functools
import math
import os
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from ctrlgraph.cli import console
from ctrlgraph.cli.numbers import FINITE, FloatRange
from ctrlgraph.engine.engine import DEFAULT_ENGINE
from ctrlgraph.errors import CtrlGraphError

if TYPE_CHECKING:
    from ctrlgraph.character.model import Character
    from ctrlgraph.simulation.trace import Trace
    from ctrlgraph.view.figure import TerrainLike

Function = TypeVar("Function", bound=Callable[..., Any])

FILMS = (".gif", ".webp", ".mp4", ".webm")
MAX_S = 1e6
"""No motion is longer."""
LEAST_EVERY = 0.01
"""Samples are no closer, s."""


@dataclass(frozen=True, slots=True)
class Pictures:
    """The pictures that a command is asked for.

    every: s between two figures of the filmstrip; between: what part of the motion is shown, s; only_phases: figures of
    phases and landmarks alone; size: of the video, pixels; fps: its pictures a second.
    """

    filmstrip: Path | None = None
    video: Path | None = None
    every: float | None = None
    between: tuple[float, float] | None = None
    only_phases: bool = False
    size: tuple[int, int] | None = None
    fps: int = 30

    def __bool__(self) -> bool:
        return self.filmstrip is not None or self.video is not None


class PictureFile(click.Path):
    """A file to write, of one of these suffixes, in a directory that takes it: checked before the simulation.

    elsewhere: other suffixes, and the command that writes such files.
    """

    def __init__(self, *suffixes: str, elsewhere: Mapping[str, str] | None = None) -> None:
        super().__init__(dir_okay=False, path_type=Path)
        self.suffixes = suffixes
        self.elsewhere = dict(elsewhere or {})

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        path = Path(str(super().convert(value, param, ctx)))
        if path.suffix.lower() not in self.suffixes:
            *others, last = self.suffixes
            listed = f"{', '.join(others)} or {last}" if others else last
            other = self.elsewhere.get(path.suffix.lower())
            hint = "" if other is None else f"; `ctrlgraph {other}` writes such files"
            self.fail(f"'{value}' does not end in {listed}{hint}", param, ctx)
        if not path.parent.is_dir():
            self.fail(f"the directory '{path.parent}' does not exist", param, ctx)
        if not os.access(path.parent, os.W_OK):
            self.fail(f"nothing can be written into the directory '{path.parent}'", param, ctx)
        if path.suffix.lower() in FILMS:
            from ctrlgraph.view.film_files import require_encoder

            require_encoder(path.suffix.lower())
        return path


class PictureSize(click.ParamType):  # type: ignore[type-arg]
    """The width and height of a picture in pixels, as WIDTHxHEIGHT."""

    name = "size"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        from ctrlgraph.view.video import check_size

        found = re.fullmatch(r"(\d{1,5})x(\d{1,5})", str(value), flags=re.ASCII)
        if found is None:
            self.fail(f"'{value}' is not WIDTHxHEIGHT", param, ctx)
        size = (int(found[1]), int(found[2]))
        try:
            check_size(size)
        except CtrlGraphError as error:
            self.fail(str(error), param, ctx)
        return size


def check_part(
    ctx: click.Context, param: click.Parameter, value: tuple[float, float] | None
) -> tuple[float, float] | None:
    """Return the part of a motion that is shown, s.

    Raises:
        BadParameter: it ends before it begins.
    """
    if value is None:
        return None
    start, end = value
    if not 0 <= start <= MAX_S:
        raise click.BadParameter(f"{start:g} to {end:g} s is no part of a motion", ctx, param)
    if end <= start:
        raise click.BadParameter(f"it ends at {end:g} s, before it begins at {start:g} s", ctx, param)
    return value


between_option = click.option(
    "--between", type=(FINITE, FINITE), callback=check_part, metavar="A B", help="Show the motion from A to B s."
)


def picture_options(function: Function) -> Function:
    """Add --filmstrip, --video and what they show; the command receives `pictures`."""
    options = (
        click.option(
            "--filmstrip",
            type=PictureFile(".png"),
            metavar="FILE.png",
            help="Draw the motion as figures in a row, at each phase's start and where the body moves much.",
        ),
        click.option(
            "--video",
            type=PictureFile(*FILMS),
            metavar="FILE.gif|webp|mp4|webm",
            help="Film the motion; .mp4 and .webm need the extra 'video'.",
        ),
        between_option,
        click.option(
            "--every",
            type=FloatRange(LEAST_EVERY, MAX_S),
            metavar="S",
            help="Figures of the filmstrip at this distance in time.",
        ),
        click.option(
            "--phases",
            "only_phases",
            is_flag=True,
            help="Figures of the filmstrip at phases and landmarks alone, none between.",
        ),
    )

    @functools.wraps(function)
    def with_pictures(
        *args: Any,
        filmstrip: Path | None,
        video: Path | None,
        between: tuple[float, float] | None,
        every: float | None,
        only_phases: bool,
        **kwargs: Any,
    ) -> Any:
        if between is not None and not (filmstrip or video):
            raise click.UsageError("--between is for pictures: give --video or --filmstrip")
        if (every is not None or only_phases) and not filmstrip:
            raise click.UsageError("--every and --phases are for a filmstrip: give --filmstrip")
        if every is not None and only_phases:
            raise click.UsageError("figures are either --every so many seconds or at --phases")
        return function(*args, pictures=Pictures(filmstrip, video, every, between, only_phases), **kwargs)

    decorated: Any = with_pictures
    for option in reversed(options):
        decorated = option(decorated)
    return decorated  # type: ignore[no-any-return]


def write_pictures(
    trace: Trace,
    pictures: Pictures,
    *,
    character: Character,
    terrain: TerrainLike | None = None,
    labels: Sequence[tuple[float, str]] = (),
    phases: Sequence[tuple[float, str]] = (),
    title: str = "",
    note: str = "",
    engine: str = DEFAULT_ENGINE,
    whole_s: float | None = None,
) -> list[Path]:
    """Write what was asked for, with progress on stderr; returns the files written.

    labels, phases: (start in s, name), on the trace's clock; note: a sentence below a filmstrip's title; engine: on
    which it was simulated; the title names any but the usual one. whole_s: seconds of the whole motion, of which the
    trace may be the beginning.

    Raises:
        CtrlGraphError: the trace is empty, has nothing of the part that is shown, would give too many figures, or a
            file cannot be written.
    """
    if not pictures:
        return []
    if engine != DEFAULT_ENGINE:
        title = f"{title}, on {engine}" if title else f"on {engine}"
    trace = trace.without_repeats()
    if pictures.between is not None:
        trace, title, whole_s = part_of(trace, *pictures.between), _part_title(title, *pictures.between), None
    shown: dict[str, Any] = {"character": character, "terrain": terrain, "labels": labels, "phases": phases}
    if pictures.filmstrip is not None:
        from ctrlgraph.view.filmstrip import write_filmstrip
        from ctrlgraph.view.key_poses import evenly, key_poses

        with console.progress(f"drawing {pictures.filmstrip.name}"):
            poses = None
            if len(trace) and pictures.every is not None:
                poses = evenly(trace, pictures.every, phases=phases)
            elif len(trace):
                poses = key_poses(trace, character, labels=labels, phases=phases, moving=not pictures.only_phases)
            write_filmstrip(trace, pictures.filmstrip, poses=poses, title=title, note=note, whole_s=whole_s, **shown)
    if pictures.video is not None:
        shown_s = float(trace.time[-1] - trace.time[0]) if len(trace) else 0.0
        if whole_s is not None and shown_s < whole_s - 1.0:
            console.echo(f"note: {pictures.video.name} shows the first {shown_s:.0f} s of {whole_s:.0f} s", err=True)
        from ctrlgraph.view.video import SIZE, write_video

        with console.progress(f"filming {pictures.video.name}", total=1.0) as (bar, task):
            write_video(
                trace,
                pictures.video,
                fps=pictures.fps,
                size=pictures.size or SIZE,
                progress=lambda done, total: bar.update(task, completed=done, total=total),
                **shown,
            )
    return [path for path in (pictures.filmstrip, pictures.video) if path is not None]


def part_of(trace: Trace, start: float, end: float) -> Trace:
    """Return what of a motion lies between two times, s.

    Raises:
        CtrlGraphError: nothing.
    """
    part = trace.between(start, end)
    if len(trace) and not len(part):
        raise CtrlGraphError(f"the motion ends at {trace.time[-1]:.2f} s: nothing of it comes after {start:g} s")
    return part


def _part_title(title: str, start: float, end: float) -> str:
    part = f"{start:g} to {end:g} s" if math.isfinite(end) else f"from {start:g} s on"
    return f"{title}, {part}" if title else part
