"""What undo takes back: values of constants, what changes in the world, and texts of scripts."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace

from ctrlgraph.web.world import Event

MAX_UNDO = 200
MAX_UNDO_TEXT = 16 * 2**20
"""Characters of all texts that undo has: of long scripts fewer changes can be taken back."""


@dataclass(frozen=True)
class ChosenSettings:
    """Constants by id, and what changes in the world."""

    values: tuple[tuple[str, float], ...] = ()
    events: tuple[Event, ...] = ()


@dataclass(frozen=True)
class TextChange:
    """A script's text before and after a change; written: the change was made in its file, too."""

    name: str
    before: str
    after: str
    written: bool = False


@dataclass(frozen=True)
class UndoStep:
    """A change that can be taken back: the settings before and after it, the texts that it changed, and what it is
    called."""

    what: str
    before: ChosenSettings
    after: ChosenSettings
    texts: tuple[TextChange, ...] = ()

    def joined(self, later: UndoStep) -> UndoStep:
        """Return this change and one that came right after it as one; both of the same texts."""
        texts = tuple(replace(first, after=last.after) for first, last in zip(self.texts, later.texts, strict=True))
        return replace(self, after=later.after, texts=texts)

    @property
    def size(self) -> int:
        """Return how many characters its texts have."""
        return sum(len(each.before) + len(each.after) for each in self.texts)


class History:
    """The changes that were made, and those that were taken back, in order."""

    def __init__(self) -> None:
        self.undo: list[UndoStep] = []
        self.redo: list[UndoStep] = []
        self._group = ""
        self._open_until = 0.0

    def add(self, step: UndoStep, *, group: str = "", seconds: float = 0.0) -> None:
        """Take note of a change.

        Args:
            group: changes of one group are one, such as those of a slider that is drawn.
            seconds: so long the group is open for the next one.
        """
        now = time.monotonic()
        if self.undo and group and group == self._group and now <= self._open_until:
            self.undo[-1] = self.undo[-1].joined(step)
        else:
            self.undo.append(step)
        self._group, self._open_until = group, now + seconds
        self.redo.clear()
        while len(self.undo) > MAX_UNDO or (len(self.undo) > 1 and sum(s.size for s in self.undo) > MAX_UNDO_TEXT):
            del self.undo[0]

    def close(self) -> None:
        """Let the next change be one of its own."""
        self._group = ""

    def back(self) -> UndoStep | None:
        """Return the last change, which is to be taken back; None where there is none."""
        self.close()
        if not self.undo:
            return None
        self.redo.append(self.undo.pop())
        return self.redo[-1]

    def forward(self) -> UndoStep | None:
        """Return the change that was taken back last, which is to be made again; None where there is none."""
        self.close()
        if not self.redo:
            return None
        self.undo.append(self.redo.pop())
        return self.undo[-1]
