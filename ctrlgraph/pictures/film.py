"""Films: what the films of planar and spatial motions have in common, from the checks to the file."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from ctrlgraph.errors import CtrlGraphError
from ctrlgraph.files import replacing
from ctrlgraph.pictures.film_files import SUFFIXES, Frame, rate_of, require_encoder, write_frames
from ctrlgraph.pictures.style import plain_lettering

Progress = Callable[[int, int], None]
"""Function that is called with the number of written frames and the total number of frames."""

SIZE = (768, 432)
"""Default width and height of a film, pixels. MP4 requires even numbers."""
MAX_PIXELS = 4096
"""Maximum width, and maximum height, of a film, pixels."""
MIN_PIXELS = 64
"""Minimum width, and minimum height, of a film, pixels."""


def checked_rate(path: Path, n_samples: int, size: tuple[int, int], fps: int) -> float:
    """Check that a film can be written, and return its frame rate, 1/s.

    Args:
        path: Output file.
        n_samples: Number of samples of the motion.
        size: Width and height, pixels.
        fps: Requested frame rate, 1/s.

    Raises:
        CtrlGraphError: The motion is empty, the suffix or the size is not supported, or the encoder is missing.
    """
    if not n_samples:
        raise CtrlGraphError("the trace has no samples to film: record a longer motion")
    suffix = path.suffix.lower()
    if suffix not in SUFFIXES:
        raise CtrlGraphError(f"a video must be a .gif, .webp, .mp4 or .webm file, not '{path.name}'")
    check_size(size)
    require_encoder(suffix)
    return rate_of(suffix, fps)


def check_size(size: tuple[int, int]) -> None:
    """Check that a film can have a size.

    Args:
        size: Width and height, pixels.

    Raises:
        CtrlGraphError: The width or height is odd, or not between `MIN_PIXELS` and `MAX_PIXELS`.
    """
    if any(side % 2 or not MIN_PIXELS <= side <= MAX_PIXELS for side in size):
        allowed = f"even numbers from {MIN_PIXELS} to {MAX_PIXELS} (pixels)"
        raise CtrlGraphError(f"width and height of a video must be {allowed}, not {size[0]}x{size[1]}")


def write_film(
    path: Path,
    frames: Iterator[Frame],
    total: int,
    rate: float,
    colours: Iterable[str],
    progress: Progress | None,
    examples: Iterable[Frame] = (),
) -> None:
    """Write the frames of a film to a file, which appears when it is complete.

    Args:
        path: Output file.
        frames: RGB frames (height, width, 3) of equal size, in order.
        total: Number of frames.
        rate: Frame rate, 1/s.
        colours: Colours of the node labels.
        progress: Function that is called after each frame.
        examples: Some of the frames, whose colours GIF and WebP files use. None: the colours of planar drawings.

    Raises:
        CtrlGraphError: The file cannot be written.
    """
    with replacing(path) as temporary, plain_lettering():
        write_frames(temporary, _with_progress(frames, total, progress), total, rate, colours, examples)


def _with_progress(frames: Iterator[Frame], total: int, progress: Progress | None) -> Iterator[Frame]:
    for count, frame in enumerate(frames, start=1):
        yield frame
        if progress is not None:
            progress(count, total)
