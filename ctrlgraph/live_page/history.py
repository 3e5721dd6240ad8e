"""The undo history of a session: changes of constants, of slope, friction and engine, of pushes, and of scripts."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace

from ctrlgraph.live_page.motion.world import Event

MAX_UNDO = 200
"""Maximum number of changes that can be undone."""
MAX_UNDO_TEXT = 16 * 2**20
"""Maximum number of characters of all script texts in the undo history. With long scripts, fewer steps are kept."""


@dataclass(frozen=True)
class ChosenSettings:
    """Settings of the motion that the user has chosen on the page: constants, pushes, slope, friction, engine."""

    values: tuple[tuple[str, float], ...] = ()
    """(parameter id, value) of each constant that differs from its script."""
    events: tuple[Event, ...] = ()
    """Pushes, and changes of slope, friction or engine."""


@dataclass(frozen=True)
class TextChange:
    """A change of the text of a script."""

    name: str
    """Name of the script."""
    before: str
    """Text before the change."""
    after: str
    """Text after the change."""


@dataclass(frozen=True)
class UndoStep:
    """A change of settings or script texts that can be undone."""

    name: str
    """Name of the change that the page shows, such as "constants"."""
    before: ChosenSettings
    """Settings before the change."""
    after: ChosenSettings
    """Settings after the change."""
    texts: tuple[TextChange, ...] = ()
    """Changes of script texts."""

    def reversed(self) -> UndoStep:
        """Return the change that undoes this change."""
        texts = tuple(TextChange(each.name, each.after, each.before) for each in self.texts)
        return replace(self, before=self.after, after=self.before, texts=texts)

    def merged(self, later: UndoStep) -> UndoStep:
        """Return this change and the change `later` after it as a single change.

        Both must change the texts of the same scripts.
        """
        texts = tuple(replace(first, after=last.after) for first, last in zip(self.texts, later.texts, strict=True))
        return replace(self, after=later.after, texts=texts)

    @property
    def size(self) -> int:
        """Return the number of characters of all script texts before and after the change."""
        return sum(len(each.before) + len(each.after) for each in self.texts)


class History:
    """Undo history: changes that can be undone (`undo`), and changes that were undone and can be redone (`redo`).

    In both lists, the next change to undo or redo is the last element.
    """

    def __init__(self) -> None:
        self.undo: list[UndoStep] = []
        self.redo: list[UndoStep] = []
        self._group = ""
        self._open_until = 0.0

    def add(self, step: UndoStep, *, group: str = "", seconds: float = 0.0) -> None:
        """Add a change that was made.

        Args:
            step: Change to add.
            group: Name of a group of changes. Consecutive changes of the same group are merged to one change, for
                example while a slider is dragged. Empty: the change is not merged.
            seconds: Maximum time between this change and the next change of the group that is merged with it, s.
        """
        now = time.monotonic()
        if self.undo and group and group == self._group and now <= self._open_until:
            self.undo[-1] = self.undo[-1].merged(step)
        else:
            self.undo.append(step)
        self._group, self._open_until = group, now + seconds
        self.redo.clear()
        while len(self.undo) > MAX_UNDO or (len(self.undo) > 1 and sum(s.size for s in self.undo) > MAX_UNDO_TEXT):
            del self.undo[0]

    def close(self) -> None:
        """End the current group of changes, so that the next change is not merged with the last one."""
        self._group = ""

    def back(self) -> UndoStep | None:
        """Move the last change from `undo` to `redo`, and return it. None: there is nothing to undo."""
        self.close()
        if not self.undo:
            return None
        self.redo.append(self.undo.pop())
        return self.redo[-1]

    def forward(self) -> UndoStep | None:
        """Move the last change from `redo` to `undo`, and return it. None: there is nothing to redo."""
        self.close()
        if not self.redo:
            return None
        self.undo.append(self.redo.pop())
        return self.undo[-1]
