"""The options --filmstrip and --video: types and checks of their values, and writing of the pictures."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ctrlgraph.cli import console
from ctrlgraph.cli.options.common import add_options
from ctrlgraph.engine.engine import DEFAULT_ENGINE
from ctrlgraph.errors import CtrlGraphError
from ctrlgraph.pictures.spatial import DEFAULT_VIEW, VIEWS

if TYPE_CHECKING:
    from ctrlgraph.character.model import Character
    from ctrlgraph.simulation.recording.base_trace import BaseTrace
    from ctrlgraph.terrain.spatial.spatial_terrain import SpatialTerrain
    from ctrlgraph.terrain.terrain import Terrain

FILMS = (".gif", ".webp", ".mp4", ".webm")
"""Suffixes of film files."""
MAX_S = 1e6
"""Maximum start of the part of a motion that --between selects, s."""


@dataclass(frozen=True, slots=True)
class Pictures:
    """Files and settings of the pictures of a motion that a command writes. The object is false if there are none."""

    filmstrip: Path | None = None
    """File of the filmstrip (a picture with rows of figures). None: no filmstrip."""
    video: Path | None = None
    """File of the video. None: no video."""
    between: tuple[float, float] | None = None
    """Start and end of the part of the motion to show, simulated s. None: the whole motion."""
    size: tuple[int, int] | None = None
    """Width and height of the video, pixels. None: the default size."""
    fps: int = 30
    """Frames per second of the video."""
    view: str = DEFAULT_VIEW
    """Direction from which a motion in space is shown, one of `VIEWS`."""

    def __bool__(self) -> bool:
        return self.filmstrip is not None or self.video is not None


class PictureFile(click.Path):
    """Type of an option whose value is a file to write, for click. It checks the file's suffix and directory."""

    def __init__(self, *suffixes: str, elsewhere: Mapping[str, str] | None = None) -> None:
        """Create the type for some kinds of files.

        Args:
            suffixes: Suffixes of files that the command can write, such as ".png".
            elsewhere: Name of the command that writes files with another suffix, by suffix, as a hint in messages.
        """
        super().__init__(dir_okay=False, path_type=Path)
        self.suffixes = suffixes
        self.elsewhere = dict(elsewhere or {})

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Convert a word of the command line to a path, and check that such a file can be written.

        The suffix, the directory and the encoder of a film are checked. Errors are usage errors.
        """
        path = Path(str(super().convert(value, param, ctx)))
        if path.suffix.lower() not in self.suffixes:
            *others, last = self.suffixes
            listed = f"{', '.join(others)} or {last}" if others else last
            other = self.elsewhere.get(path.suffix.lower())
            hint = "" if other is None else f"; `ctrlgraph {other}` writes such files"
            self.fail(f"the file name '{value}' does not end in {listed}{hint}", param, ctx)
        if not path.parent.is_dir():
            self.fail(f"the directory '{path.parent}' does not exist: create it first", param, ctx)
        if not os.access(path.parent, os.W_OK):
            self.fail(f"the directory '{path.parent}' is not writable: choose another directory", param, ctx)
        if path.suffix.lower() in FILMS:
            from ctrlgraph.pictures.film_files import require_encoder

            require_encoder(path.suffix.lower())
        return path


def read_size(ctx: click.Context, param: click.Parameter, value: str | None) -> tuple[int, int] | None:
    """Convert the value of --size, such as "768x432", to width and height in pixels.

    Args:
        ctx: Context of the command.
        param: The option, for messages.
        value: Value of the option. None: the option is not given, and the result is None.

    Raises:
        BadParameter: The value is not WIDTHxHEIGHT, or a film cannot have this size.
    """
    if value is None:
        return None
    from ctrlgraph.pictures.film import check_size

    found = re.fullmatch(r"(\d{1,5})x(\d{1,5})", value, flags=re.ASCII)
    if found is None:
        raise click.BadParameter(f"give the size as WIDTHxHEIGHT in pixels, such as 768x432, not '{value}'", ctx, param)
    size = (int(found[1]), int(found[2]))
    try:
        check_size(size)
    except CtrlGraphError as error:
        raise click.BadParameter(str(error), ctx, param) from None
    return size


def check_part(
    ctx: click.Context, param: click.Parameter, value: tuple[float, float] | None
) -> tuple[float, float] | None:
    """Check the value of --between, the part of a motion to show, and return the value unchanged.

    Args:
        ctx: Context of the command.
        param: The option, for messages.
        value: Start and end of the part, simulated s. None: the option is not given.

    Raises:
        BadParameter: The start is negative or larger than `MAX_S`, or the end is not after the start.
    """
    if value is None:
        return None
    start, end = value
    if not 0 <= start <= MAX_S:
        raise click.BadParameter(f"the part to show must start at 0 to {MAX_S:g} s, not {start:g} s", ctx, param)
    if end <= start:
        raise click.BadParameter(
            f"the part to show must end after its start at {start:g} s, not at {end:g} s", ctx, param
        )
    return value


picture_options = add_options(
    click.option(
        "--filmstrip",
        type=PictureFile(".png"),
        metavar="FILE.png",
        help="Draw the motion as a row of figures: at each phase's start and where the body moves most.",
    ),
    click.option(
        "--video",
        type=PictureFile(*FILMS),
        metavar="FILE.gif|webp|mp4|webm",
        help="Film the motion. .mp4 and .webm need the extra 'video'.",
    ),
    click.option(
        "--view",
        type=click.Choice(VIEWS),
        default=DEFAULT_VIEW,
        help="Direction from which motions in space are shown.",
    ),
)
"""Decorator that adds --filmstrip, --video and --view. The command receives their values by the same names."""


def write_pictures(
    trace: BaseTrace,
    pictures: Pictures,
    *,
    character: Character,
    terrain: Terrain | SpatialTerrain | None = None,
    labels: Sequence[tuple[float, str]] = (),
    phases: Sequence[tuple[float, str]] = (),
    title: str = "",
    engine: str = DEFAULT_ENGINE,
    whole_s: float | None = None,
) -> list[Path]:
    """Write pictures of a motion, with progress on stderr.

    Args:
        trace: Recorded motion.
        pictures: Pictures to write.
        character: Character that moves.
        terrain: The ground. None: level ground at height 0.
        labels: Start (simulated s, as in the trace) and name of each node.
        phases: Start (simulated s, as in the trace) and caption of each phase.
        title: Title of the filmstrip.
        engine: Name of the engine of the simulation. The title includes the name unless it is the default engine.
        whole_s: Duration of the whole motion, s. Only needed if the trace may contain just the beginning of the motion.

    Returns:
        Paths of the files written.

    Raises:
        CtrlGraphError: The trace is empty, the motion ends before the part to show, or a file cannot be written.
    """
    if not pictures:
        return []
    if engine != DEFAULT_ENGINE:
        title = f"{title}, on {engine}" if title else f"on {engine}"
    trace = trace.without_repeats()
    if pictures.between is not None:
        start, end = pictures.between
        part = trace.between(start, end)
        if len(trace) and not len(part):
            ends = f"the motion ends at {trace.time[-1]:.2f} s"
            raise CtrlGraphError(f"{ends}, but --between begins at {start:g} s: choose an earlier part")
        trace, whole_s = part, None
        title = f"{title}, {start:g} to {end:g} s" if title else f"{start:g} to {end:g} s"
    write_filmstrip, write_video, shown = _writers(trace, terrain, pictures.view)
    shown |= {"character": character, "labels": labels, "phases": phases}
    if pictures.filmstrip is not None:
        with console.progress(f"drawing {pictures.filmstrip.name}"):
            write_filmstrip(trace, pictures.filmstrip, title=title, whole_s=whole_s, **shown)
    if pictures.video is not None:
        shown_s = float(trace.time[-1] - trace.time[0]) if len(trace) else 0.0
        if whole_s is not None and shown_s < whole_s - 1.0:
            console.echo(f"note: {pictures.video.name} shows the first {shown_s:.0f} s of {whole_s:.0f} s", err=True)
        from ctrlgraph.pictures.film import SIZE

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


def _writers(
    trace: BaseTrace, terrain: Terrain | SpatialTerrain | None, view: str
) -> tuple[Callable[..., None], Callable[..., None], dict[str, Any]]:
    """Return the functions that write a filmstrip and a video of a motion, and their arguments for ground and view."""
    from ctrlgraph.simulation.recording.spatial_trace import SpatialTrace

    if isinstance(trace, SpatialTrace):
        from ctrlgraph.pictures.spatial.spatial_filmstrip import write_spatial_filmstrip
        from ctrlgraph.pictures.spatial.spatial_video import write_spatial_video
        from ctrlgraph.terrain.spatial.spatial_terrain import in_space

        return write_spatial_filmstrip, write_spatial_video, {"terrain": in_space(terrain), "view": view}
    from ctrlgraph.pictures.planar.filmstrip import write_filmstrip
    from ctrlgraph.pictures.planar.video import write_video

    return write_filmstrip, write_video, {"terrain": terrain}
