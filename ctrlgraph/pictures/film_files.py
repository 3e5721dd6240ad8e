"""Writing of films as files: GIF and WebP by Pillow, MP4 and WebM by the ffmpeg of imageio-ffmpeg.

Each frame is encoded as soon as it is drawn. Frames are not kept in memory.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.colors import to_rgb
from numpy.typing import NDArray
from PIL import GifImagePlugin, Image

from ctrlgraph.errors import CtrlGraphError
from ctrlgraph.extras import require
from ctrlgraph.pictures.style import FAR, GROUND, GROUND_LINE, INK, MUTED, NEAR, PAPER, TRAIL, TRUNK

Frame = NDArray[np.uint8]

SUFFIXES = (".gif", ".webp", ".mp4", ".webm")
"""Suffixes of film files."""
ENCODED = (".mp4", ".webm")
"""Suffixes of the film files that ffmpeg writes."""

_CODECS: dict[str, dict[str, Any]] = {
    ".mp4": {"codec": "libx264", "quality": 7},
    ".webm": {
        "codec": "libvpx-vp9",
        "quality": None,
        "output_params": ["-crf", "30", "-b:v", "0", "-deadline", "good", "-cpu-used", "4", "-row-mt", "1"],
    },
}
_TRANSPARENT = 255
"""Palette index of the pixels of a GIF frame that keep the colour of the previous frame."""
_MAX_DELAY = 65_000
"""Maximum delay of a GIF frame, 1/100 s."""


def require_encoder(suffix: str) -> None:
    """Check that an encoder for films with this suffix is installed, before frames are drawn.

    Raises:
        CtrlGraphError: The suffix needs ffmpeg, and the extra "video" is not installed or finds no working ffmpeg.
    """
    if suffix not in ENCODED:
        return
    require("video")
    import imageio_ffmpeg

    try:
        imageio_ffmpeg.get_ffmpeg_exe()
    except (RuntimeError, OSError):
        reason = (
            "no working ffmpeg was found: set IMAGEIO_FFMPEG_EXE to the path of ffmpeg, or write a .gif or .webp file"
        )
        raise CtrlGraphError(f"a {suffix} film cannot be written: {reason}") from None


def rate_of(suffix: str, fps: int) -> float:
    """Return the frame rate that a film file can have and that is closest to the requested rate, 1/s.

    Only .gif changes the rate, because it stores the duration of a frame in 1/100 s.

    Args:
        suffix: Suffix of the file, such as ".gif".
        fps: Requested frame rate, 1/s.
    """
    return 100 / max(2, round(100 / fps)) if suffix == ".gif" else float(fps)


def write_frames(
    path: Path, frames: Iterator[Frame], total: int, rate: float, colours: Iterable[str], examples: Iterable[Frame] = ()
) -> None:
    """Write frames as a film file.

    Args:
        path: Path of the file. Its suffix selects the format.
        frames: RGB frames (height, width, 3) of equal size, in order.
        total: Number of frames.
        rate: Frame rate, 1/s.
        colours: Colours of the node labels in the frames. The palette of GIF and WebP files contains them.
        examples: Frames from which the other colours of this palette are chosen. None: those of planar drawings.

    Raises:
        CtrlGraphError: ffmpeg fails.
        OSError: The file cannot be written.
    """
    suffix = path.suffix.lower()
    if suffix in ENCODED:
        _write_encoded(path, frames, rate, _CODECS[suffix])
    elif suffix == ".gif":
        _write_gif(path, _quantized(frames, colours, examples), rate)
    else:
        _write_webp(path, _quantized(frames, colours, examples), total, rate)


def _quantized(frames: Iterator[Frame], labels: Iterable[str], examples: Iterable[Frame]) -> Iterator[Image.Image]:
    palette = _palette(labels, list(examples))
    return (Image.fromarray(frame).quantize(palette=palette, dither=Image.Dither.NONE) for frame in frames)


def _palette(labels: Iterable[str], examples: Sequence[Frame]) -> Image.Image:
    """Return a Pillow image with the palette of a film: its colours, and their blends with the backgrounds.

    With one palette for all frames, the colours do not change from frame to frame.

    Args:
        labels: Colours of the node labels.
        examples: Frames from which the other colours are chosen. None: those of planar drawings.
    """
    colours = [INK, MUTED, *labels] if examples else [INK, TRUNK, NEAR, FAR, GROUND_LINE, TRAIL, MUTED, *labels]
    pairs = [(colour, other) for colour in colours for other in ((PAPER,) if examples else (PAPER, GROUND))]
    blends = [
        share * np.array(to_rgb(colour)) + (1 - share) * np.array(to_rgb(other))
        for share in (1.0, 0.75, 0.5, 0.25)
        for colour, other in pairs
    ]
    table = np.unique(np.round(255 * np.array([to_rgb(PAPER), to_rgb(GROUND), *blends])).astype(np.uint8), axis=0)
    if examples:
        chosen = Image.fromarray(np.concatenate(examples)).quantize(max(2, _TRANSPARENT - len(table)))
        more = np.array(chosen.getpalette(), np.uint8).reshape(-1, 3)
        # Pillow does not distinguish colours that are nearly equal
        new = np.abs(more[:, None].astype(int) - table).max(axis=2).min(axis=1) > 8
        table = np.concatenate([table, more[new]])
    image = Image.new("P", (1, 1))
    image.putpalette(table[:_TRANSPARENT].tobytes())
    return image


def _write_gif(path: Path, pictures: Iterator[Image.Image], rate: float) -> None:
    """Write frames as a GIF file. Of each frame, only the rectangle that differs from the previous frame is stored.

    Pillow's GIF writer is not used, because it keeps all frames in memory.
    """
    first = next(pictures)
    delay = round(100 / rate)
    with open(path, "wb") as file:
        table = bytes(first.getpalette() or ())[: 3 * 256].ljust(3 * 256, b"\0")
        file.write(b"GIF89a" + struct.pack("<HHBBB", *first.size, 0xF7, 0, 0) + table)
        file.write(b"!\xff\x0bNETSCAPE2.0" + struct.pack("<BBHB", 3, 1, 0, 0))  # loop forever
        before, part, offset, wait = np.asarray(first), first, (0, 0), delay
        for picture in pictures:
            pixels = np.asarray(picture)
            changed = pixels != before
            if not changed.any() and wait < _MAX_DELAY:
                wait += delay
                continue
            file.writelines(_gif_frame(part, offset, wait))
            (top, bottom), (left, right) = (_span(changed.any(axis=axis)) for axis in (1, 0))
            box = (slice(top, bottom), slice(left, right))
            part = Image.fromarray(np.where(changed[box], pixels[box], np.uint8(_TRANSPARENT)))
            before, offset, wait = pixels, (left, top), delay
        file.writelines(_gif_frame(part, offset, wait))
        file.write(b";")


def _span(mask: NDArray[np.bool_]) -> tuple[int, int]:
    """Return the index of the first True value, and 1 plus the index of the last; (0, 1) if no value is True."""
    indices = np.flatnonzero(mask)
    return (int(indices[0]), int(indices[-1]) + 1) if indices.size else (0, 1)


def _gif_frame(part: Image.Image, offset: tuple[int, int], hundredths: int) -> list[bytes]:
    options: dict[str, Any] = {"duration": 10 * hundredths, "transparency": _TRANSPARENT, "disposal": 1}
    return GifImagePlugin.getdata(part, offset, **options)


class _LazyFrames:
    """Stand-in for a Pillow image with many frames. It takes the frames from an iterator, so memory holds only one.

    Pillow's writers read the frames once, in order.

    Args:
        pictures: The frames, at least one.
        total: Number of frames.
    """

    def __init__(self, pictures: Iterator[Image.Image], total: int) -> None:
        self._pictures, self._current, self._index = pictures, next(pictures), 0
        self.n_frames = total

    def seek(self, frame: int) -> None:
        """Make the frame with this index, from 0, the current image. Earlier frames cannot be reached again."""
        while self._index < frame:
            self._current, self._index = next(self._pictures), self._index + 1

    def __getattr__(self, name: str) -> Any:
        return getattr(self._current, name)


def _write_webp(path: Path, pictures: Iterator[Image.Image], total: int, rate: float) -> None:
    """Write frames as a lossless WebP file. Lossy files are larger, as frames have few colours and sharp edges."""
    rgb = (picture.convert("RGB") for picture in pictures)
    first = next(rgb)
    others: list[Any] = [_LazyFrames(rgb, total - 1)] if total > 1 else []  # Pillow makes a list of its argument
    options: dict[str, Any] = {"lossless": True, "quality": 60, "method": 4}
    with open(path, "wb") as file:  # Pillow does not close the files that it opens at Ctrl-C
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
        reason = str(error).partition("\n")[0].lower() or "ffmpeg stopped"
        raise CtrlGraphError(f"ffmpeg could not write the film as {path.suffix}: {reason}") from None
    finally:
        writer.close()
    if path.stat().st_size == 0:
        raise CtrlGraphError(f"ffmpeg wrote an empty {path.suffix} file: choose another format, such as .gif")
