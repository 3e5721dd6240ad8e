"""The undo history of a session: changes of constants, of the world and of script texts."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace

from ctrlgraph.live_page.motion.world import Event

MAX_UNDO = 200
"""Maximum number of undo steps."""
MAX_UNDO_TEXT = 16 * 2**20
"""Maximum number of characters of the texts in all undo steps together. With long scripts, fewer steps are kept."""


@dataclass(frozen=True)
class ChosenSettings:
    """Settings that the user has chosen."""

    values: tuple[tuple[str, float], ...] = ()
    """(parameter id, value) of each constant that differs from its script."""
    events: tuple[Event, ...] = ()
    """Pushes and changes of the world."""


@dataclass(frozen=True)
class TextChange:
    """The text of a script before and after a change."""

    name: str
    """Name of the script."""
    before: str
    after: str


@dataclass(frozen=True)
class UndoStep:
    """A change that can be undone."""

    name: str
    """Name that the page shows."""
    before: ChosenSettings
    """Settings before the change."""
    after: ChosenSettings
    """Settings after the change."""
    texts: tuple[TextChange, ...] = ()
    """Changes of script texts."""

    def reversed(self) -> UndoStep:
        """Return the step that undoes this step."""
        texts = tuple(TextChange(each.name, each.after, each.before) for each in self.texts)
        return replace(self, before=self.after, after=self.before, texts=texts)

    def merged(self, later: UndoStep) -> UndoStep:
        """Return this step and the `later` one as a single step. Both must change the texts of the same scripts."""
        texts = tuple(replace(first, after=last.after) for first, last in zip(self.texts, later.texts, strict=True))
        return replace(self, after=later.after, texts=texts)

    @property
    def size(self) -> int:
        """Return the number of characters of all texts of the step."""
        return sum(len(each.before) + len(each.after) for each in self.texts)


class History:
    """Steps that can be undone (`undo`) and steps that can be redone (`redo`), the next one last."""

    def __init__(self) -> None:
        self.undo: list[UndoStep] = []
        self.redo: list[UndoStep] = []
        self._group = ""
        self._open_until = 0.0

    def add(self, step: UndoStep, *, group: str = "", seconds: float = 0.0) -> None:
        """Add a step that was made.

        Args:
            step: Step to add.
            group: Name of a group. Consecutive steps of the same group are merged, for example while a slider is
                dragged. An empty name merges nothing.
            seconds: Maximum time until the next step of the group to be merged, s.
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
        """Close the current group, so that the next step is not merged."""
        self._group = ""

    def back(self) -> UndoStep | None:
        """Move the last step from `undo` to `redo` and return it; None if there is none."""
        self.close()
        if not self.undo:
            return None
        self.redo.append(self.undo.pop())
        return self.redo[-1]

    def forward(self) -> UndoStep | None:
        """Move the last step from `redo` to `undo` and return it; None if there is none."""
        self.close()
        if not self.redo:
            return None
        self.undo.append(self.redo.pop())
        return self.undo[-1]
