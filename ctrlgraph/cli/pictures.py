"""`--filmstrip` and `--video`, for every command that simulates."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from ctrlgraph.cli import console
from ctrlgraph.engine.engine import DEFAULT_ENGINE
from ctrlgraph.extras import require

if TYPE_CHECKING:
    from ctrlgraph.character.model import Character
    from ctrlgraph.simulation.trace import Trace
    from ctrlgraph.view.figure import TerrainLike

Function = TypeVar("Function", bound=Callable[..., Any])


class PictureFile(click.Path):
    """A file to write, of one of these suffixes, in a directory that exists: checked before the simulation.

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
        if path.suffix.lower() == ".mp4":
            require("video")
        return path


class PictureSize(click.ParamType):  # type: ignore[type-arg]
    """The width and height of a picture in pixels, as WIDTHxHEIGHT."""

    name = "size"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        from ctrlgraph.errors import CtrlGraphError
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


def picture_options(function: Function) -> Function:
    """Add --filmstrip and --video; the command receives `filmstrip` and `video`, each a Path or None."""
    video = click.option(
        "--video",
        type=PictureFile(".gif", ".webp", ".mp4"),
        metavar="FILE.gif|webp|mp4",
        help="Film the motion; an .mp4 needs the extra 'video'.",
    )
    filmstrip = click.option(
        "--filmstrip",
        type=PictureFile(".png"),
        metavar="FILE.png",
        help="Draw the motion as a strip of figures.",
    )
    return filmstrip(video(function))


def write_pictures(
    trace: Trace,
    *,
    character: Character,
    terrain: TerrainLike | None = None,
    labels: Sequence[tuple[float, str]] = (),
    title: str = "",
    engine: str = DEFAULT_ENGINE,
    filmstrip: Path | None = None,
    video: Path | None = None,
    whole_s: float | None = None,
    size: tuple[int, int] | None = None,
    fps: int = 30,
) -> list[Path]:
    """Write what was asked for, with progress on stderr; returns the files written.

    engine: on which it was simulated; the title names any but the usual one. whole_s: seconds of the whole motion, of
    which the trace may be the beginning. size: of the video, in pixels; fps: its pictures a second.

    Raises:
        CtrlGraphError: the trace is empty, or a file cannot be written.
    """
    if engine != DEFAULT_ENGINE:
        title = f"{title}, on {engine}" if title else f"on {engine}"
    if filmstrip is not None:
        from ctrlgraph.view.filmstrip import write_filmstrip

        with console.progress(f"drawing {filmstrip.name}"):
            write_filmstrip(
                trace, filmstrip, character=character, terrain=terrain, labels=labels, title=title, whole_s=whole_s
            )
    if video is not None:
        shown_s = float(trace.time[-1] - trace.time[0]) if len(trace) else 0.0
        if whole_s is not None and shown_s < whole_s - 1.0:
            console.echo(f"note: {video.name} shows the first {shown_s:.0f} s of {whole_s:.0f} s", err=True)
        from ctrlgraph.view.video import SIZE, write_video

        with console.progress(f"filming {video.name}", total=1.0) as (bar, task):
            write_video(
                trace,
                video,
                character=character,
                terrain=terrain,
                labels=labels,
                fps=fps,
                size=size or SIZE,
                progress=lambda done, total: bar.update(task, completed=done, total=total),
            )
    return [path for path in (filmstrip, video) if path is not None]
