"""Files of films: GIF and WebP through pillow, MP4 and WebM through the ffmpeg that imageio-ffmpeg brings.

Every frame is encoded when it is there: none is kept.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.colors import to_rgb
from numpy.typing import NDArray
from PIL import GifImagePlugin, Image

from ctrlgraph.errors import CtrlGraphError
from ctrlgraph.extras import require
from ctrlgraph.view.figure import FAR, GROUND, GROUND_LINE, INK, MUTED, NEAR, PAPER, TRAIL, TRUNK

Frame = NDArray[np.uint8]

SUFFIXES = (".gif", ".webp", ".mp4", ".webm")
ENCODED = (".mp4", ".webm")
"""What ffmpeg makes."""

_CODECS: dict[str, dict[str, Any]] = {
    ".mp4": {"codec": "libx264", "quality": 7},
    ".webm": {
        "codec": "libvpx-vp9",
        "quality": None,
        "output_params": ["-crf", "30", "-b:v", "0", "-deadline", "good", "-cpu-used", "4", "-row-mt", "1"],
    },
}
_TRANSPARENT = 255  # of a GIF's colours: what stays as it was
_LONGEST_DELAY = 65_000  # hundredths of a second


def require_encoder(suffix: str) -> None:
    """Make sure, before any work is done, that files of a suffix can be written.

    Raises:
        CtrlGraphError: the extra for it is missing, or the ffmpeg that it would bring.
    """
    if suffix not in ENCODED:
        return
    require("video")
    import imageio_ffmpeg

    try:
        imageio_ffmpeg.get_ffmpeg_exe()
    except (RuntimeError, OSError):
        what = "imageio-ffmpeg finds no ffmpeg that runs: name one in IMAGEIO_FFMPEG_EXE, or write a .gif or .webp"
        raise CtrlGraphError(f"a {suffix} cannot be written: {what}") from None


def rate_of(suffix: str, fps: int) -> float:
    """Return the rate nearest to so many pictures a second that a file can have: a GIF counts time in hundredths of a
    second."""
    return 100 / max(2, round(100 / fps)) if suffix == ".gif" else float(fps)


def write_frames(path: Path, frames: Iterator[Frame], total: int, rate: float, colours: Iterable[str]) -> None:
    """Write frames (height, width, 3), all of one size, as a film of the path's suffix.

    Args:
        total: how many there are; rate: pictures a second; colours: of the labels in them.

    Raises:
        CtrlGraphError: ffmpeg fails.
        OSError: the file cannot be written.
    """
    suffix = path.suffix.lower()
    if suffix in ENCODED:
        _write_encoded(path, frames, rate, _CODECS[suffix])
    else:
        write = _write_gif if suffix == ".gif" else _write_webp
        write(path, _in_colours(frames, colours), total, rate)


def _in_colours(frames: Iterator[Frame], labels: Iterable[str]) -> Iterator[Image.Image]:
    palette = _palette(labels)
    return (Image.fromarray(frame).quantize(palette=palette, dither=Image.Dither.NONE) for frame in frames)


def _palette(labels: Iterable[str]) -> Image.Image:
    """The colours of a film and their blends with what they border on, so that none of them shifts."""
    colours = [INK, TRUNK, NEAR, FAR, GROUND_LINE, TRAIL, MUTED, *labels]
    pairs = [(colour, other) for colour in colours for other in (PAPER, GROUND)]
    blends = [
        share * np.array(to_rgb(colour)) + (1 - share) * np.array(to_rgb(other))
        for share in (1.0, 0.75, 0.5, 0.25)
        for colour, other in pairs
    ]
    table = np.unique(np.round(255 * np.array([to_rgb(PAPER), to_rgb(GROUND), *blends])).astype(np.uint8), axis=0)
    image = Image.new("P", (1, 1))
    image.putpalette(table[:_TRANSPARENT].tobytes())
    return image


def _write_gif(path: Path, pictures: Iterator[Image.Image], total: int, rate: float) -> None:
    """Pillow's own writer keeps all frames until the last one is there. Here each has what changed since the one before
    it, within the rectangle in which that is."""
    first = next(pictures)
    delay = round(100 / rate)
    with open(path, "wb") as file:
        table = bytes(first.getpalette() or ())[: 3 * 256].ljust(3 * 256, b"\0")
        file.write(b"GIF89a" + struct.pack("<HHBBB", *first.size, 0xF7, 0, 0) + table)
        file.write(b"!\xff\x0bNETSCAPE2.0" + struct.pack("<BBHB", 3, 1, 0, 0))  # for ever
        before, part, offset, waits = np.asarray(first), first, (0, 0), delay
        for picture in pictures:
            now = np.asarray(picture)
            changed = now != before
            if not changed.any() and waits < _LONGEST_DELAY:
                waits += delay
                continue
            file.writelines(_gif_frame(part, offset, waits))
            (top, bottom), (left, right) = (_span(changed.any(axis=axis)) for axis in (1, 0))
            box = (slice(top, bottom), slice(left, right))
            part = Image.fromarray(np.where(changed[box], now[box], np.uint8(_TRANSPARENT)))
            before, offset, waits = now, (left, top), delay
        file.writelines(_gif_frame(part, offset, waits))
        file.write(b";")


def _span(used: NDArray[np.bool_]) -> tuple[int, int]:
    """Where the used part of a line begins and ends; a part of one pixel where nothing is."""
    where = np.flatnonzero(used)
    return (int(where[0]), int(where[-1]) + 1) if where.size else (0, 1)


def _gif_frame(part: Image.Image, offset: tuple[int, int], hundredths: int) -> list[bytes]:
    options: dict[str, Any] = {"duration": 10 * hundredths, "transparency": _TRANSPARENT, "disposal": 1}
    return GifImagePlugin.getdata(part, offset, **options)


class _Reel:
    """Pictures one after another as one image of many frames, which are asked for in their order."""

    def __init__(self, pictures: Iterator[Image.Image], total: int) -> None:
        self._pictures, self._shown, self._at = pictures, next(pictures), 0
        self.n_frames = total

    def seek(self, frame: int) -> None:
        """Go on to a frame; never back."""
        while self._at < frame:
            self._shown, self._at = next(self._pictures), self._at + 1

    def __getattr__(self, name: str) -> Any:
        return getattr(self._shown, name)


def _write_webp(path: Path, pictures: Iterator[Image.Image], total: int, rate: float) -> None:
    """Few colours and straight edges: without loss it is smaller than with."""
    rgb = (picture.convert("RGB") for picture in pictures)
    first = next(rgb)
    others: list[Any] = [_Reel(rgb, total - 1)] if total > 1 else []  # pillow makes a list of what it is given
    options: dict[str, Any] = {"lossless": True, "quality": 60, "method": 4}
    with open(path, "wb") as file:  # pillow leaves its own open where Ctrl-C comes
        first.save(
            file, format="WEBP", save_all=True, append_images=others, duration=round(1000 / rate), loop=0, **options
        )


def _write_encoded(path: Path, frames: Iterator[Frame], rate: float, codec: dict[str, Any]) -> None:
    import imageio_ffmpeg

    first = next(frames)
    size = (first.shape[1], first.shape[0])
    writer = imageio_ffmpeg.write_frames(str(path), size, fps=rate, macro_block_size=2, **codec)
    try:
        writer.send(None)
        writer.send(np.ascontiguousarray(first))
        for frame in frames:
            writer.send(np.ascontiguousarray(frame))
    except OSError as error:
        reason = str(error).partition("\n")[0].lower() or "it ended"
        raise CtrlGraphError(f"ffmpeg could not write the {path.suffix}: {reason}") from None
    finally:
        writer.close()
    if path.stat().st_size == 0:
        raise CtrlGraphError(f"ffmpeg could not write the {path.suffix}: it wrote nothing")
