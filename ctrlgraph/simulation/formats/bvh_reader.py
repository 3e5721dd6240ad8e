"""Reader of planar motions in BVH, from `ctrlgraph export` or other programs with the same names of joints.

Joints are named after their child links. Offsets are ignored: angles and the root's position are applied to the
project's character. Rotations about other axes than X are errors.

The format: M. Meredith and S. Maddock, "Motion Capture File Formats Explained" (2001), section 3.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from ctrlgraph.character.model import Character
from ctrlgraph.errors import CtrlGraphError, Finding, SourceError, Span, quoted, suggestion
from ctrlgraph.files import NotRegular, TooLarge, read_bytes
from ctrlgraph.kernels.planar.arrays import Floats
from ctrlgraph.kernels.planar.dynamics import ROOT_COORDINATES
from ctrlgraph.paths import display_path

MAX_BVH_BYTES = 64_000_000
"""Maximum size of a file, bytes."""
MAX_FRAMES = 200_000
"""Maximum number of frames."""
MAX_CHANNELS = 6 * 200
"""Maximum number of channels."""
PLANAR = 0.05
"""Tolerance of rotations about other axes than X, degrees; exporters write rounded numbers."""
CHANNELS = ("Xposition", "Yposition", "Zposition", "Xrotation", "Yrotation", "Zrotation")


@dataclass(frozen=True)
class BvhMotion:
    """A motion of n frames."""

    time: Floats
    """(n,) s."""
    q: Floats
    """(n, N) coordinates as in `kernels.planar.dynamics`."""


def read_bvh(path: Path, character: Character) -> BvhMotion:
    """Return the motion in a file, applied to a character.

    Raises:
        CtrlGraphError: the file cannot be read.
        SourceError: the file has errors.
    """
    try:
        text = read_bytes(path, MAX_BVH_BYTES).decode("utf-8")
    except (NotRegular, TooLarge, UnicodeDecodeError) as error:
        reason = "is not UTF-8 text" if isinstance(error, UnicodeDecodeError) else str(error.args[-2])
        raise CtrlGraphError(f"{display_path(path)}: {reason}") from None
    except OSError as error:
        raise CtrlGraphError(f"{display_path(path)} cannot be read: {error.strerror}") from None
    return parse_bvh(text, character, str(path))


def parse_bvh(text: str, character: Character, path: str = "motion.bvh") -> BvhMotion:
    """Return the motion in a text.

    Args:
        text: content of a BVH file.
        character: the character.
        path: the file's name in messages.

    Raises:
        SourceError: the text has errors.
    """
    return _Reader(text, character, path).motion()


class _Reader:
    """Reader of a file, line by line."""

    def __init__(self, text: str, character: Character, path: str) -> None:
        self._lines, self._character, self._path = text.splitlines(), character, path
        self._at = 0

    def motion(self) -> BvhMotion:
        channels = self._channels()
        count, seconds = self._head()
        return BvhMotion(np.arange(count, dtype=np.float64) * seconds, self._frames(channels, count))

    def _error(self, code: str, message: str, word: str = "", hint: str | None = None) -> SourceError:
        line = self._lines[self._at] if self._at < len(self._lines) else ""
        column = line.find(word) + 1 if word else len(line) - len(line.lstrip()) + 1
        end = column + len(word or line.strip())
        span = Span(self._at + 1, max(1, column), self._at + 1, max(end, column + 1))
        return SourceError([Finding("error", code, message, self._path, span, line, hint)])

    def _channels(self) -> list[tuple[int, str]]:
        """Return link and name of each channel, in the order of a frame's numbers."""
        found: list[tuple[int, str]] = []
        links: set[int] = set()
        link, root = -2, -2
        while self._at < len(self._lines):
            words = self._lines[self._at].split()
            if words and words[0] == "MOTION":
                break
            if words and words[0] in ("ROOT", "JOINT"):
                link = self._link(words)
                if link in links:
                    raise self._error("repeated-joint", f"joint {quoted(words[1])} is repeated", words[1])
                links.add(link)
                root = link if words[0] == "ROOT" else root
            elif words and words[0] == "CHANNELS":
                if link == -2 or len(words) < 2 or not words[1].isdecimal() or int(words[1][:9]) != len(words) - 2:
                    raise self._error("bad-channels", "CHANNELS must give the number of channels and then their names")
                for word in words[2:]:
                    if word not in CHANNELS:
                        hint = suggestion(word, CHANNELS)
                        raise self._error("unknown-channel", f"there is no channel {quoted(word)}", word, hint)
                    found.append((link, word))
                if len(found) > MAX_CHANNELS:
                    raise self._error("too-large", f"there are more than {MAX_CHANNELS} channels")
            self._at += 1
        else:
            raise self._error("no-motion", "the file ends before MOTION")
        self._require_all(links, root)
        return found

    def _link(self, words: list[str]) -> int:
        character = self._character
        name = words[1] if len(words) > 1 else ""
        link = character.link_index(name) if name else None
        if link is None:
            hint = suggestion(name, character.known_links)
            raise self._error("unknown-link", f"{character.name} has no link {quoted(name)}", name, hint)
        return link

    def _require_all(self, links: set[int], root: int) -> None:
        character = self._character
        missing = [each.name for i, each in enumerate(character.links) if i not in links]
        if missing:
            raise self._error("missing-joint", f"the skeleton lacks {character.name}'s {', '.join(missing)}")
        if root != character.root:
            raise self._error("bad-root", f"the skeleton's root is not {character.links[character.root].name}")

    def _head(self) -> tuple[int, float]:
        """Return the number of frames and the time of a frame, s."""
        frames = seconds = math.nan
        for word in ("Frames:", "Frame Time:"):
            self._at += 1
            line = self._lines[self._at].strip() if self._at < len(self._lines) else ""
            value = _number(line.removeprefix(word).strip()) if line.startswith(word) else math.nan
            if not (math.isfinite(value) and value > 0.0):
                raise self._error(
                    "bad-head",
                    f"expected '{word}' with a positive number after MOTION, found {quoted(line)}",
                )
            frames, seconds = (value, seconds) if word == "Frames:" else (frames, value)
        if not frames <= MAX_FRAMES or frames != int(frames):
            raise self._error("too-large", f"there are at most {MAX_FRAMES} frames")
        if not 1e-4 <= seconds <= 1.0:
            raise self._error("bad-head", "a frame lasts from 0.0001 to 1 s")
        return int(frames), seconds

    def _frames(self, channels: list[tuple[int, str]], count: int) -> Floats:
        character = self._character
        joint_of = {joint.child: j for j, joint in enumerate(character.joints)}
        q = np.zeros((count, ROOT_COORDINATES + len(character.joints)))
        place = {(character.root, "Zposition"): 0, (character.root, "Yposition"): 1, (character.root, "Xrotation"): 2}
        place |= {(link, "Xrotation"): ROOT_COORDINATES + j for link, j in joint_of.items()}
        columns = [place.get(channel) for channel in channels]
        still = [
            column is None and word.endswith("rotation") for column, (_, word) in zip(columns, channels, strict=True)
        ]
        for i in range(count):
            self._at += 1
            words = self._lines[self._at].split() if self._at < len(self._lines) else []
            if len(words) != len(channels):
                raise self._error(
                    "bad-frame", f"frame {i + 1} of {count} has {len(words)} numbers, not {len(channels)}"
                )
            for word, column, rests, (link, channel) in zip(words, columns, still, channels, strict=True):
                value = _number(word)
                if not math.isfinite(value):
                    raise self._error("bad-number", f"{quoted(word)} is not a number", word)
                if rests and abs(value) > PLANAR:
                    name = character.links[link].name
                    message = f"{name} rotates by {value:g} degrees of {channel}, but {character.name} is planar"
                    raise self._error("not-planar", message, word)
                if column is not None:
                    q[i, column] = value if column < 2 else math.radians(value)
        return q


def _number(word: str) -> float:
    try:
        value = float(word[:40])
    except ValueError:
        return math.nan
    return value if abs(value) < 1e6 else math.nan
